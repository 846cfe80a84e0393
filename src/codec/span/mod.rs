//! The span serializer.

/// The codec `span`.
#[cfg(feature = "lab")]
pub struct Span;

#[cfg(feature = "lab")]
impl super::Codec for Span {
    fn name(&self) -> &'static str {
        "span"
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
