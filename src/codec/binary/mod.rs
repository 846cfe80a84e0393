//! NewLife's Binary.

/// The codec `binary`.
pub struct BinaryCodec;

impl super::Codec for BinaryCodec {
    fn name(&self) -> &'static str {
        "binary"
    }

    fn stands_for(&self) -> &'static str {
        "Binary"
    }

    fn prepare(&self, _request: &super::Request) -> Option<super::Prepared> {
        None
    }

    fn objects(&self) -> Vec<super::ModelledObject> {
        Vec::new()
    }
}
