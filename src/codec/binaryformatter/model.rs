//! Member tables of the models that no other codec needs.

use crate::model::{Contact, Demo, DemoSub, User};
use crate::reflect_class;

reflect_class!(Contact = "TestDotNet" {
    email => "Email",
    first_name => "FirstName",
    last_name => "LastName",
    id => "ID",
    phone => "Phone",
    kind => "Type",
});

reflect_class!(Demo = "DemoClass" {
    p1 => "P1",
    p2 => "P2",
    p3 => "P3",
    p4 => "P4",
    p5 => "P5",
    subs => "Subs",
});

reflect_class!(DemoSub = "DemoSubClass" {
    p1 => "P1",
    p2 => "P2",
    p3 => "P3",
    p4 => "P4",
    p5 => "P5",
});

reflect_class!(User = "User" {
    id => "Id",
    gender => "Gender",
    first_name => "FirstName",
    last_name => "LastName",
    email => "Email",
    birth_date => "BirthDate",
    company => "Company",
    phone => "Phone",
    website => "Website",
    ssn => "SSN",
});
