//! The objects of a decoded model in .NET, where nothing but the result is allocated.

use super::{InlineObject, ModelledObject, Operation, Request};
use crate::model::{Demo, DemoSub, ModelKind, User};

/// The list inside a payload, without its array.
pub(in crate::codec) const LIST: InlineObject =
    InlineObject { name: "List<Int32>", count: 1, dotnet_bytes: 32 };

/// Smaller objects in each object of the model `demo`.
const DEMO_SUBS: u64 = 4;

/// The blocks that stand for objects of the original: to encode, an array of type `B`; of a decoded value, the strings
/// and arrays in it.
pub(in crate::codec) fn objects<B>(request: &Request) -> Vec<ModelledObject> {
    match request.operation {
        Operation::Serialize => vec![ModelledObject::array::<B, u8>("Byte[]", 1)],
        Operation::Deserialize => vec![
            ModelledObject::string::<String>(),
            ModelledObject::array::<Vec<i32>, i32>("Int32[]", 4),
            ModelledObject::array::<Vec<User>, User>("User[]", 8),
            ModelledObject::array::<Vec<Demo>, Demo>("DemoClass[]", 8),
            ModelledObject::array::<Vec<DemoSub>, DemoSub>("DemoSubClass[]", 8),
        ],
    }
}

/// The objects of a decoded value that Rust keeps on the stack, in an array or in their owner. To encode, there are
/// none.
pub(in crate::codec) fn inline_objects(request: &Request) -> Vec<InlineObject> {
    if request.operation == Operation::Serialize {
        return Vec::new();
    }
    let object =
        |name, dotnet_bytes| InlineObject { name, count: request.model.objects().into(), dotnet_bytes };
    match request.model {
        ModelKind::Simple => vec![object("SimpleModel", 48)],
        ModelKind::Nested => vec![object("NestedModel", 48), object("SimpleModel", 48)],
        ModelKind::Fast => vec![object("FastModel", 48)],
        ModelKind::Contact => vec![object("Contact", 56)],
        ModelKind::Payload16 | ModelKind::Payload128 | ModelKind::Payload1024 => {
            vec![object("BenchPayload", 40), LIST]
        }
        ModelKind::User => vec![object("User", 88)],
        ModelKind::Demo => {
            let sub = object("DemoSubClass", 48);
            vec![object("DemoClass", 56), InlineObject { count: sub.count * DEMO_SUBS, ..sub }]
        }
    }
}
