//! The handler of dictionaries.

use crate::codec::DecodeError;
use crate::codec::dotnet::{ObjectRef, TypeInfo, TypeKind, Value};

use super::error::EncodeError;
use super::handler::{Handler, Host};

/// Fourth in the chain.
pub(super) struct BinaryDictionary {
    priority: i32,
}

impl BinaryDictionary {
    pub(super) const fn new() -> Self {
        Self { priority: 30 }
    }
}

impl Handler for BinaryDictionary {
    fn priority(&self) -> i32 {
        self.priority
    }

    fn write(
        &self,
        host: &mut Host<'_, '_>,
        value: ObjectRef<'_>,
        type_info: &'static TypeInfo,
    ) -> Result<bool, EncodeError> {
        let TypeKind::Dictionary { key: key_type, value: value_type, .. } = type_info.kind else {
            return Ok(false);
        };
        host.core.width = None;
        match value {
            ObjectRef::Null => host.core.write_size(0)?,
            ObjectRef::Dictionary(dictionary) => {
                host.core.write_size(dictionary.count())?;
                for (key, value) in dictionary.pairs() {
                    host.write(key.as_ref(), key_type())?;
                    host.write(value.as_ref(), value_type())?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A count of 0 leaves the member as it is.
    fn read(
        &self,
        host: &mut Host<'_, '_>,
        type_info: &'static TypeInfo,
    ) -> Result<Option<Value>, DecodeError> {
        let TypeKind::Dictionary { key: key_type, value: value_type, create } = type_info.kind else {
            return Ok(None);
        };
        host.core.width = None;
        let count = host.core.read_size()?;
        if count == 0 {
            return Ok(Some(Value::Null));
        }
        let mut dictionary = create();
        for _ in 0..count {
            let key = host.read(key_type())?;
            let value = host.read(value_type())?;
            if !dictionary.add(key, value) {
                return Err(host.core.value_out_of_range());
            }
        }
        Ok(Some(Value::Dictionary(dictionary)))
    }
}
