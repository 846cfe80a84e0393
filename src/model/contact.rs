//! The model of the write-up about BinaryFormatter's object churn.

use alloclab_derive::SpanSerialize;

/// Six fields. The write-up shows neither the class nor its values: these have the lengths that its figures imply.
#[derive(Clone, Debug, Default, PartialEq, SpanSerialize)]
#[cfg_attr(
    feature = "lab",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "PascalCase", default)
)]
pub struct Contact {
    /// An e-mail address.
    pub email: String,
    /// A given name.
    pub first_name: String,
    /// A family name.
    pub last_name: String,
    /// A number.
    #[cfg_attr(feature = "lab", serde(rename = "ID"))]
    pub id: i32,
    /// A telephone number.
    pub phone: String,
    /// What kind of contact it is; `Type` in the original.
    #[cfg_attr(feature = "lab", serde(rename = "Type"))]
    pub kind: i32,
}

impl Contact {
    /// The value that is encoded.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(alloclab::model::Contact::sample().email.len(), 17);
    /// ```
    pub fn sample() -> Self {
        Self {
            email: "alice.lee@test.io".to_owned(),
            first_name: "alice".to_owned(),
            last_name: "lee".to_owned(),
            id: 3456,
            phone: "15550100123".to_owned(),
            kind: 67,
        }
    }
}
