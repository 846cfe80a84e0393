//! The models, as the codecs over serde take them.

use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed};
use serde::ser::Serialize;

use crate::model::{Demo, ListSeed, User};

/// A value of a model, and how it is read back.
pub(in crate::codec) trait SerdeModel:
    Serialize + ToOwned<Owned = Self::Read> + Sync + 'static
{
    /// What is read.
    type Read: Send;
    /// How.
    type Seed: for<'de> DeserializeSeed<'de, Value = Self::Read> + Clone + Send;

    /// The way to read one.
    fn seed() -> Self::Seed;
}

impl<M: Serialize + DeserializeOwned + Clone + Send + Sync + 'static> SerdeModel for M {
    type Read = M;
    type Seed = PhantomData<M>;

    fn seed() -> PhantomData<M> {
        PhantomData
    }
}

/// What is at the top of the models that are more than one object: an array of `demo`, a list of users.
impl<M: ListElement> SerdeModel for [M] {
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
