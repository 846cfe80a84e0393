//! The handler of lists.

use crate::codec::DecodeError;
use crate::codec::dotnet::{ObjectRef, TypeInfo, TypeKind, Value};

use super::error::EncodeError;
use super::handler::{Handler, Host};

/// Third in the chain.
pub(super) struct BinaryList {
    priority: i32,
}

impl BinaryList {
    pub(super) const fn new() -> Self {
        Self { priority: 20 }
    }
}

impl Handler for BinaryList {
    fn priority(&self) -> i32 {
        self.priority
    }

    fn write(
        &self,
        host: &mut Host<'_, '_>,
        value: ObjectRef<'_>,
        type_info: &'static TypeInfo,
    ) -> Result<bool, EncodeError> {
        let TypeKind::List { element, .. } = type_info.kind else { return Ok(false) };
        host.core.width = None;
        match value {
            ObjectRef::Null => host.core.write_size(0)?,
            ObjectRef::List(list) => {
                host.core.write_size(list.count())?;
                for index in 0..list.count() {
                    host.write(list.item(index).as_ref(), element())?;
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
        let TypeKind::List { element, create } = type_info.kind else { return Ok(None) };
        host.core.width = None;
        let count = host.core.read_size()?;
        if count == 0 {
            return Ok(Some(Value::Null));
        }
        let mut list = create();
        for _ in 0..count {
            let item = host.read(element())?;
            if !list.add(item) {
                return Err(host.core.value_out_of_range());
            }
        }
        Ok(Some(Value::List(list)))
    }
}
