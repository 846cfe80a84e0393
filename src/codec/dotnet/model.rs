//! Member tables of the models.

use crate::model::{NestedModel, SimpleModel};
use crate::reflect_class;

reflect_class!(SimpleModel = "SimpleModel" {
    id => "Id",
    name => "Name",
    is_active => "IsActive",
    created_at => "CreatedAt",
    score => "Score",
});

reflect_class!(NestedModel = "NestedModel" {
    id => "Id",
    title => "Title",
    inner => "Inner",
    timestamp => "Timestamp",
});
