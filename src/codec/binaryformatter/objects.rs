//! stub
use crate::codec::ModelledObject;
pub(super) fn written() -> Vec<ModelledObject> {
    vec![]
}
pub(super) fn read() -> Vec<ModelledObject> {
    vec![]
}
