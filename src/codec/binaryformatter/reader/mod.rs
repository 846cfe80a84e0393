//! stub
use super::types::Types;
use crate::codec::DecodeError;
use crate::codec::dotnet::{Property, Stream};
pub(super) fn deserialize<T: Property>(_types: &Types, _stream: &mut dyn Stream) -> Result<T, DecodeError> {
    unimplemented!()
}
