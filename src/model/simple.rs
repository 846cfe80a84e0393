//! The models of the span serializer's write-up.

use alloclab_derive::SpanSerialize;

use super::DateTime;

/// 2025-01-01T00:00:00Z.
const NEW_YEAR_2025: u32 = 1_735_689_600;

/// Five fields; in the original a class without code of its own, encoded through reflection.
#[derive(Clone, Debug, Default, PartialEq, SpanSerialize)]
#[cfg_attr(
    feature = "lab",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "PascalCase", default)
)]
pub struct SimpleModel {
    /// A number.
    pub id: i32,
    /// A short name.
    pub name: String,
    /// A flag.
    pub is_active: bool,
    /// An instant in whole seconds.
    pub created_at: DateTime,
    /// A score.
    pub score: f64,
}

/// Three fields and a [`SimpleModel`] in the third place.
#[derive(Clone, Debug, Default, PartialEq, SpanSerialize)]
#[cfg_attr(
    feature = "lab",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "PascalCase", default)
)]
pub struct NestedModel {
    /// A number.
    pub id: i32,
    /// A short title.
    pub title: String,
    /// The inner object. The formats of the write-up write nothing for `None`, so that it reads back only at the end.
    #[span(flagless)]
    pub inner: Option<SimpleModel>,
    /// Seconds since 1970.
    pub timestamp: i64,
}

/// The fields of [`SimpleModel`]; in the original a class that encodes itself.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "lab",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "PascalCase", default)
)]
pub struct FastModel {
    /// A number.
    pub id: i32,
    /// A short name.
    pub name: String,
    /// A flag.
    pub is_active: bool,
    /// An instant in whole seconds.
    pub created_at: DateTime,
    /// A score.
    pub score: f64,
}

impl SimpleModel {
    /// The write-up's value.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(alloclab::model::SimpleModel::sample().name, "NewLife");
    /// ```
    pub fn sample() -> Self {
        Self {
            id: 42,
            name: "NewLife".to_owned(),
            is_active: true,
            created_at: DateTime::from_unix_seconds(NEW_YEAR_2025),
            score: 99.5,
        }
    }

    /// The write-up's values for a batch.
    pub fn batch(count: u32) -> Vec<Self> {
        (0..count)
            .map(|index| Self {
                id: index as i32,
                name: format!("Item_{index}"),
                is_active: index % 2 == 0,
                created_at: DateTime::from_unix_seconds(NEW_YEAR_2025 + index),
                score: f64::from(index) * 0.5,
            })
            .collect()
    }
}

impl NestedModel {
    /// The write-up's value; its time stamp, the clock's there, is fixed here.
    pub fn sample() -> Self {
        Self {
            id: 1,
            title: "Hello World".to_owned(),
            inner: Some(SimpleModel::sample()),
            timestamp: 1_772_332_800,
        }
    }

    /// As many copies of the sample, each with its index as `id`.
    pub fn batch(count: u32) -> Vec<Self> {
        (0..count).map(|index| Self { id: index as i32, ..Self::sample() }).collect()
    }
}

impl FastModel {
    /// The write-up's value.
    pub fn sample() -> Self {
        SimpleModel::sample().into()
    }

    /// The write-up's values for a batch.
    pub fn batch(count: u32) -> Vec<Self> {
        SimpleModel::batch(count).into_iter().map(Self::from).collect()
    }
}

impl From<SimpleModel> for FastModel {
    fn from(model: SimpleModel) -> Self {
        let SimpleModel { id, name, is_active, created_at, score } = model;
        Self { id, name, is_active, created_at, score }
    }
}
