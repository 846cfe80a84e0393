//! stub
use crate::codec::DecodeError;
use crate::codec::dotnet::{Property, Stream};
use super::types::Types;
pub(super) fn deserialize<T: Property>(_types: &Types, _stream: &mut dyn Stream) -> Result<T, DecodeError> { unimplemented!() }
