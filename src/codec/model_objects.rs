//! The objects that the models are in .NET, and what each of them takes there.

use super::{InlineObject, ModelledObject, Operation, Request};
use crate::model::{DateTime, Demo, DemoSub, ModelKind, NestedModel, SimpleModel, User};

/// A class of the original.
struct Class {
    name: &'static str,
    /// What an object of it takes in 64-bit .NET.
    dotnet_bytes: u64,
}

const SIMPLE_MODEL: Class = Class { name: "SimpleModel", dotnet_bytes: 48 };
const NESTED_MODEL: Class = Class { name: "NestedModel", dotnet_bytes: 48 };
const FAST_MODEL: Class = Class { name: "FastModel", dotnet_bytes: 48 };
const CONTACT: Class = Class { name: "Contact", dotnet_bytes: 56 };
const PAYLOAD: Class = Class { name: "BenchPayload", dotnet_bytes: 40 };
/// The list inside a payload, without its array.
const LIST: Class = Class { name: "List<Int32>", dotnet_bytes: 32 };
const USER: Class = Class { name: "User", dotnet_bytes: 88 };
const DEMO: Class = Class { name: "DemoClass", dotnet_bytes: 56 };
const DEMO_SUB: Class = Class { name: "DemoSubClass", dotnet_bytes: 48 };

/// The classes of a value, each with how many objects of it there are; of a list, for each item.
const fn classes(model: ModelKind) -> &'static [(Class, u64)] {
    match model {
        ModelKind::Simple => &[(SIMPLE_MODEL, 1)],
        ModelKind::Nested => &[(NESTED_MODEL, 1), (SIMPLE_MODEL, 1)],
        ModelKind::Fast => &[(FAST_MODEL, 1)],
        ModelKind::Contact => &[(CONTACT, 1)],
        ModelKind::Payload16 | ModelKind::Payload128 | ModelKind::Payload1024 => &[(PAYLOAD, 1), (LIST, 1)],
        ModelKind::User => &[(USER, 1)],
        ModelKind::Demo => &[(DEMO, 1), (DEMO_SUB, 4)],
    }
}

/// The objects of a decoded value that Rust keeps on the stack, in an array or in their owner. To encode, there are
/// none.
pub(in crate::codec) fn inline_objects(request: &Request) -> Vec<InlineObject> {
    if request.operation == Operation::Serialize {
        return Vec::new();
    }
    let values = u64::from(request.model.objects()) * u64::from(request.batch);
    let object =
        |&(Class { name, dotnet_bytes }, count)| InlineObject { name, count: values * count, dotnet_bytes };
    classes(request.model).iter().map(object).collect()
}

/// Those of an original that makes a list of its own for a payload. The payload's constructor makes an empty one, which
/// goes when the reader sets the other.
pub(in crate::codec) fn inline_objects_and_empty_list(request: &Request) -> Vec<InlineObject> {
    let mut objects = inline_objects(request);
    objects.iter_mut().filter(|object| object.name == LIST.name).for_each(|list| list.count *= 2);
    objects
}

/// The strings and arrays in a decoded value.
pub(in crate::codec) fn contents() -> Vec<ModelledObject> {
    vec![
        ModelledObject::string::<String>(),
        ModelledObject::array::<Vec<i32>, i32>("Int32[]", 4),
        ModelledObject::array::<Vec<User>, User>("User[]", 8),
        ModelledObject::array::<Vec<Demo>, Demo>("DemoClass[]", 8),
        ModelledObject::array::<Vec<DemoSub>, DemoSub>("DemoSubClass[]", 8),
    ]
}

/// An array of bytes, whose block here is a `B`.
pub(in crate::codec) fn byte_array<B>() -> ModelledObject {
    ModelledObject::array::<B, u8>("Byte[]", 1)
}

/// The blocks of an original that allocates nothing but its result: to encode, an array whose block here is a `B`; to
/// decode, what is in the value.
pub(in crate::codec) fn results<B>(request: &Request) -> Vec<ModelledObject> {
    match request.operation {
        Operation::Serialize => vec![byte_array::<B>()],
        Operation::Deserialize => contents(),
    }
}

/// Values that are blocks of their own, and what is in them: strings, and members that are handed over in boxes.
pub(in crate::codec) fn reflected() -> Vec<ModelledObject> {
    vec![
        ModelledObject::fixed::<Box<SimpleModel>>(SIMPLE_MODEL.name, SIMPLE_MODEL.dotnet_bytes),
        ModelledObject::fixed::<Box<NestedModel>>(NESTED_MODEL.name, NESTED_MODEL.dotnet_bytes),
        ModelledObject::string::<String>(),
        ModelledObject::fixed::<Box<bool>>("Boolean (boxed)", 24),
        ModelledObject::fixed::<Box<i32>>("Int32 (boxed)", 24),
        ModelledObject::fixed::<Box<i64>>("Int64 (boxed)", 24),
        ModelledObject::fixed::<Box<f64>>("Double (boxed)", 24),
        ModelledObject::fixed::<Box<DateTime>>("DateTime (boxed)", 24),
    ]
}
