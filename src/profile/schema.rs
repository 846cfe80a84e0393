//! A profile as it is typed: the keys of its TOML file, each value with its place, nothing checked but types.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZero;
use std::ops::Range;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IntoDeserializer, SeqAccess, Visitor};
use serde_spanned::Spanned;

/// The file.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProfileTable {
    pub(super) title: String,
    /// What to look at next, in one sentence.
    pub(super) see_also: Option<String>,
    /// The write-up's table: a name that the lab knows, or the path of a CSV file relative to the profile.
    pub(super) published: Option<Spanned<String>>,
    /// Operations over which the counts in the write-up's table are summed; 1 where it tells them per operation.
    pub(super) published_operations: Option<Spanned<NonZero<u64>>>,
    /// Tables of others that measured the same.
    #[serde(default)]
    pub(super) reference: Vec<ReferenceTable>,
    pub(super) iterations: Option<Spanned<u64>>,
    #[serde(rename = "group")]
    pub(super) groups: Spanned<Vec<GroupTable>>,
}

/// Somebody else's table.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReferenceTable {
    /// Who measured it.
    pub(super) source: String,
    /// Named like a published table.
    pub(super) table: Spanned<String>,
}

/// Rows that share a baseline; as many groups as `batch` and `threads` have values.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupTable {
    /// `{batch}` and `{threads}` in it stand for the size.
    pub(super) name: Spanned<String>,
    /// For cases that say none of their own.
    pub(super) operation: Option<Many<String>>,
    /// For cases that say none of their own.
    pub(super) variant: Option<Many<String>>,
    pub(super) batch: Option<Many<u32>>,
    pub(super) threads: Option<Many<u32>>,
    pub(super) baseline: Spanned<BaselineTable>,
    pub(super) cases: Spanned<Vec<Spanned<CaseTable>>>,
}

/// The row that its group's ratios refer to.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BaselineTable {
    pub(super) codec: Spanned<String>,
    pub(super) model: Spanned<String>,
    pub(super) operation: Option<Spanned<String>>,
    pub(super) variant: Option<Spanned<String>>,
}

/// Rows: one for each combination of the lists.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseTable {
    pub(super) codec: Many<String>,
    pub(super) model: Many<String>,
    pub(super) operation: Option<Many<String>>,
    pub(super) variant: Option<Many<String>>,
    pub(super) iterations: Option<Spanned<u64>>,
}

/// One value or a list of them, with the place of each.
pub(super) struct Many<T> {
    pub(super) values: Vec<(T, Range<usize>)>,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Many<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let typed = Spanned::<OneOrList<T>>::deserialize(deserializer)?;
        let span = typed.span();
        let values = match typed.into_inner() {
            OneOrList::One(value) => vec![(value, span)],
            OneOrList::List(list) => {
                list.into_iter().map(|value| (value.span(), value)).map(unspan).collect()
            }
        };
        Ok(Self { values })
    }
}

fn unspan<T>((span, value): (Range<usize>, Spanned<T>)) -> (T, Range<usize>) {
    (value.into_inner(), span)
}

enum OneOrList<T> {
    One(T),
    List(Vec<Spanned<T>>),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrListVisitor(PhantomData))
    }
}

struct OneOrListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrListVisitor<T> {
    type Value = OneOrList<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or a list of values")
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(OneOrList::One)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(OneOrList::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(values)).map(OneOrList::List)
    }
}
