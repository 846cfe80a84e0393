//! The model of the write-up about LiteSerializer and MemoryPack.

use alloclab_derive::SpanSerialize;

/// 110 characters of ASCII.
const NAME: &str = "Benchmarking Nalix high-performance public APIs with MessagePack, MemoryPack, and System.Text.Json comparison.";

/// A number, a long name and a list of numbers.
#[derive(Clone, Debug, Default, PartialEq, SpanSerialize)]
#[cfg_attr(
    feature = "lab",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "PascalCase", default)
)]
pub struct Payload {
    /// A number.
    pub id: i32,
    /// 110 characters.
    pub name: String,
    /// Multiples of 17.
    #[cfg_attr(feature = "lab", serde(deserialize_with = "super::list::deserialize"))]
    pub items: Vec<i32>,
}

impl Payload {
    /// The write-up's value with so many items.
    ///
    /// # Examples
    /// ```
    /// let payload = alloclab::model::Payload::sample(16);
    /// assert_eq!((payload.name.len(), payload.items[15]), (110, 255));
    /// ```
    pub fn sample(items: i32) -> Self {
        Self { id: 42, name: NAME.to_owned(), items: (0..items).map(|index| index * 17).collect() }
    }
}
