//! The model of the write-up "WhoIsFastest".

use alloclab_derive::SpanSerialize;

/// Objects of the list.
pub(super) const COUNT: u32 = 10_000;

/// Smaller objects in each.
const SUBS: usize = 4;

/// Five fields and a list of smaller objects.
#[derive(Clone, Debug, Default, PartialEq, SpanSerialize)]
#[cfg_attr(
    feature = "lab",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "PascalCase", default)
)]
pub struct Demo {
    /// A number.
    pub p1: i32,
    /// Whether the number is even.
    pub p2: bool,
    /// A greeting.
    pub p3: Option<String>,
    /// The number.
    pub p4: f64,
    /// The number.
    pub p5: i64,
    /// Smaller objects with the same five fields.
    #[cfg_attr(feature = "lab", serde(deserialize_with = "super::list::deserialize_array"))]
    pub subs: Option<Vec<DemoSub>>,
}

/// The five fields of [`Demo`].
#[derive(Clone, Debug, Default, PartialEq, SpanSerialize)]
#[cfg_attr(
    feature = "lab",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "PascalCase", default)
)]
pub struct DemoSub {
    /// A number.
    pub p1: i32,
    /// Whether the number is even.
    pub p2: bool,
    /// A greeting.
    pub p3: Option<String>,
    /// The number.
    pub p4: f64,
    /// The number.
    pub p5: i64,
}

impl Demo {
    /// The write-up's object of a number.
    ///
    /// # Examples
    /// ```
    /// let demo = alloclab::model::Demo::sample(7);
    /// assert_eq!(demo.p3.as_deref(), Some("Hello World 7"));
    /// assert_eq!(demo.subs.unwrap().len(), 4);
    /// ```
    pub fn sample(number: i32) -> Self {
        let DemoSub { p1, p2, p3, p4, p5 } = DemoSub::sample(number);
        Self { p1, p2, p3, p4, p5, subs: Some(vec![DemoSub::sample(number); SUBS]) }
    }

    /// The write-up's list: the objects of the first numbers.
    pub fn list() -> Vec<Self> {
        (0..COUNT as i32).map(Self::sample).collect()
    }
}

impl DemoSub {
    /// The write-up's smaller object of a number.
    pub fn sample(number: i32) -> Self {
        Self {
            p1: number,
            p2: number % 2 == 0,
            p3: Some(format!("Hello World {number}")),
            p4: f64::from(number),
            p5: number.into(),
        }
    }
}
