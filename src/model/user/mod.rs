//! The model of the write-up about files of users.

use alloclab_derive::SpanSerialize;

use super::DateTime;

#[cfg(feature = "lab")]
mod faker;

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

#[cfg(feature = "lab")]
impl User {
    /// The list that is written and read: the same 60,000 users at every call and on every machine, made anew.
    ///
    /// Names are those of the crate `fake`, which does not tell men's from women's: a user's gender says nothing of the
    /// name. Everything else has the distribution of Bogus, the generator of the write-up (locale `en`).
    ///
    /// # Examples
    /// ```
    /// let users = alloclab::model::User::list();
    /// assert_eq!((users.len(), users[59_999].id), (60_000, 60_000));
    /// ```
    pub fn list() -> Vec<Self> {
        let mut faker = faker::Faker::new();
        (1..=COUNT as i32).map(|id| faker.user(id)).collect()
    }
}
