//! The span serializer on plain objects, through reflection.

/// The codec `span-reflect`.
pub struct SpanReflect;

impl super::Codec for SpanReflect {
    fn name(&self) -> &'static str {
        "span-reflect"
    }

    fn stands_for(&self) -> &'static str {
        "SpanSerializer"
    }

    fn prepare(&self, _request: &super::Request) -> Option<super::Prepared> {
        None
    }

    fn objects(&self) -> Vec<super::ModelledObject> {
        Vec::new()
    }
}
