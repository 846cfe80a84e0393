//! `System.Collections.Generic.List<T>` as BinaryFormatter sees it: a class with three private fields.

use crate::model::User;
use crate::reflect_class;

/// The least array of a list that has items.
const FIRST_CAPACITY: usize = 4;

/// .NET's `List<T>`: its array, whose free slots are null, how many items there are, and how often it has changed.
///
/// # Examples
/// ```
/// use alloclab::codec::binaryformatter::GenericList;
///
/// let list: GenericList<i32> = (1..=5).collect();
/// assert_eq!(list.into_iter().collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GenericList<T> {
    items: Vec<Option<T>>,
    size: i32,
    version: i32,
}

/// A list to which the items have been added one by one: its array has doubled whenever it was full.
impl<T> FromIterator<T> for GenericList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
        let size = items.len();
        if size > 0 {
            items.resize_with(size.max(FIRST_CAPACITY).next_power_of_two(), || None);
        }
        Self { items, size: size as i32, version: size as i32 }
    }
}

/// The items, free slots aside.
impl<T> IntoIterator for GenericList<T> {
    type Item = T;
    type IntoIter = std::iter::Flatten<std::iter::Take<std::vec::IntoIter<Option<T>>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter().take(self.size as usize).flatten()
    }
}

reflect_class!(GenericList<User> = "System.Collections.Generic.List`1[[User]]" {
    items => "_items",
    size => "_size",
    version => "_version",
});
