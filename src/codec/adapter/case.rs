//! The models, as the codecs over serde take them.

use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed};
use serde::ser::Serialize;

use crate::codec::{InlineObject, ModelledObject};
use crate::model::{Demo, DemoSub, ListSeed, ModelKind, User};

/// A value of a model, and how it is read back.
pub(in crate::codec) trait Subject:
    Serialize + ToOwned<Owned = Self::Read> + Sync + 'static
{
    /// What is read.
    type Read: Send;
    /// How.
    type Seed: for<'de> DeserializeSeed<'de, Value = Self::Read> + Clone + Send;

    /// The way to read one.
    fn seed() -> Self::Seed;
}

impl<M: Serialize + DeserializeOwned + Clone + Send + Sync + 'static> Subject for M {
    type Read = M;
    type Seed = PhantomData<M>;

    fn seed() -> PhantomData<M> {
        PhantomData
    }
}

/// What is at the top of the models that are more than one object: an array of `demo`, a list of users.
impl<M: ListElement> Subject for [M] {
    type Read = Vec<M>;
    type Seed = ListSeed<M>;

    fn seed() -> ListSeed<M> {
        ListSeed::trusting(M::IN_ARRAY)
    }
}

/// A model of which there are many.
pub(in crate::codec) trait ListElement:
    Serialize + DeserializeOwned + Clone + Send + Sync + 'static
{
    /// Whether the original has them in an array, not in a list.
    const IN_ARRAY: bool;
}

impl ListElement for Demo {
    const IN_ARRAY: bool = true;
}

impl ListElement for User {
    const IN_ARRAY: bool = false;
}

/// Objects of a result that Rust keeps in their owner or on the stack. A payload's constructor makes an empty list, which
/// is thrown away.
pub(in crate::codec) fn results(model: ModelKind) -> Vec<InlineObject> {
    let classes: &[(&'static str, u64, u64)] = match model {
        ModelKind::Simple => &[("SimpleModel", 1, 48)],
        ModelKind::Nested => &[("NestedModel", 1, 48), ("SimpleModel", 1, 48)],
        ModelKind::Fast => &[("FastModel", 1, 48)],
        ModelKind::Contact => &[("Contact", 1, 56)],
        ModelKind::Payload16 | ModelKind::Payload128 | ModelKind::Payload1024 => {
            &[("BenchPayload", 1, 40), ("List<Int32>", 2, 32)]
        }
        ModelKind::User => &[("User", 1, 88)],
        ModelKind::Demo => &[("DemoClass", 1, 56), ("DemoSubClass", 4, 48)],
    };
    let times = u64::from(model.objects());
    let object = |&(name, count, dotnet_bytes)| InlineObject { name, count: count * times, dotnet_bytes };
    classes.iter().map(object).collect()
}

/// What the models hold, and bytes.
pub(in crate::codec) fn model_objects() -> Vec<ModelledObject> {
    vec![
        ModelledObject::string::<String>(),
        ModelledObject::array::<Vec<u8>, u8>("Byte[]", 1),
        ModelledObject::array::<Vec<i32>, i32>("Int32[]", 4),
        ModelledObject::array::<Vec<Demo>, Demo>("DemoClass[]", 8),
        ModelledObject::array::<Vec<DemoSub>, DemoSub>("DemoSubClass[]", 8),
        ModelledObject::array::<Vec<User>, User>("User[]", 8),
    ]
}
