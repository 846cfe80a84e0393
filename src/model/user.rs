//! The model of the write-up about files of users.

use alloclab_derive::SpanSerialize;

use super::DateTime;

/// Users of the list.
pub(super) const COUNT: u32 = 60_000;

/// Ten fields of a person who does not exist.
#[derive(Clone, Debug, Default, PartialEq, SpanSerialize)]
#[cfg_attr(
    feature = "lab",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "PascalCase", default)
)]
pub struct User {
    /// A number.
    pub id: i32,
    /// 0 for a man, 1 for a woman.
    pub gender: i32,
    /// A given name.
    pub first_name: String,
    /// A family name.
    pub last_name: String,
    /// An e-mail address.
    pub email: String,
    /// A time of birth, with ticks.
    #[span(full_time)]
    pub birth_date: DateTime,
    /// A company's name.
    pub company: String,
    /// A telephone number.
    pub phone: String,
    /// A web site.
    pub website: String,
    /// A social security number.
    #[cfg_attr(feature = "lab", serde(rename = "SSN"))]
    pub ssn: String,
}

impl User {
    /// The list that is written and read: the same users at every call, made anew.
    pub fn list() -> Vec<Self> {
        (1..=COUNT as i32).map(|id| Self { id, ..Self::default() }).collect()
    }
}
