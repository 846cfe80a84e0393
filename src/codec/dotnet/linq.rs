//! `System.Linq` and delegates: the objects that a query leaves behind.

use std::cmp::Ordering;
use std::hint::black_box;

use super::List;

/// .NET's `Func<T, TResult>`: a delegate, here with a closure object `C` as its target.
#[derive(Debug)]
pub struct Func<T, C, R> {
    target: Box<C>,
    method: fn(&C, &T) -> R,
}

impl<T, C, R> Func<T, C, R> {
    /// A delegate to a closure's method.
    pub fn new(target: Box<C>, method: fn(&C, &T) -> R) -> Self {
        Self { target, method }
    }

    /// Calls it.
    pub fn invoke(&self, argument: &T) -> R {
        (self.method)(&self.target, argument)
    }
}

/// What `Where` makes of a list: the list and a predicate, not yet applied.
#[derive(Debug)]
pub struct ListWhereIterator<T, C> {
    source: Box<List<T>>,
    predicate: Box<Func<T, C, bool>>,
}

impl<T: Copy, C> ListWhereIterator<T, C> {
    /// The items of a list for which a predicate holds.
    pub fn new(source: Box<List<T>>, predicate: Box<Func<T, C, bool>>) -> Self {
        Self { source, predicate }
    }

    /// The items in a list of their own, whose array is as long as the list.
    ///
    /// .NET 9 and later collect on the stack first; here the items are counted first.
    pub fn to_list(&self) -> Box<List<T>> {
        let mut array = Vec::with_capacity(self.matches().count());
        array.extend(self.matches());
        black_box(Box::new(List::over(array)))
    }

    fn matches(&self) -> impl Iterator<Item = T> {
        self.source.items().iter().filter(|item| self.predicate.invoke(item)).copied()
    }
}

/// What `OrderBy` makes of a list: the list and a key selector, not yet applied.
#[derive(Debug)]
pub struct OrderedIterator<T, K> {
    source: Box<List<T>>,
    key_selector: fn(&T) -> K,
}

impl<T: Default, K: Ord> OrderedIterator<T, K> {
    /// The items of a list by a key, ascending; equal keys keep their order.
    pub fn new(source: Box<List<T>>, key_selector: fn(&T) -> K) -> Self {
        Self { source, key_selector }
    }

    /// The items in a list of their own. In the source null references stay behind.
    pub fn to_list(&mut self) -> Box<List<T>> {
        let mut buffer = Vec::with_capacity(self.source.items().len());
        buffer.extend(self.source.items_mut().iter_mut().map(std::mem::take));
        let mut sorted = black_box(Box::new(List::over(Vec::with_capacity(buffer.len()))));
        let mut sorter = black_box(Box::new(EnumerableSorter::new(self.key_selector)));
        for &index in &sorter.sort(&buffer) {
            sorted.add(std::mem::take(&mut buffer[index as usize]));
        }
        sorted
    }
}

/// Sorts an index map by keys, so that items move once.
#[derive(Debug)]
pub struct EnumerableSorter<T, K> {
    key_selector: fn(&T) -> K,
    keys: Vec<K>,
}

/// .NET's `Comparison<Int32>`: a delegate that compares two items by their index.
#[derive(Debug)]
pub struct Comparison<'k, K> {
    keys: &'k [K],
    method: fn(&[K], i32, i32) -> Ordering,
}

impl<T, K: Ord> EnumerableSorter<T, K> {
    const fn new(key_selector: fn(&T) -> K) -> Self {
        Self { key_selector, keys: Vec::new() }
    }

    /// The items' indices in the order of their keys.
    fn sort(&mut self, items: &[T]) -> Vec<i32> {
        self.keys = Vec::with_capacity(items.len());
        self.keys.extend(items.iter().map(self.key_selector));
        let mut map = Vec::with_capacity(items.len());
        map.extend(0..items.len() as i32);
        let comparison = black_box(Box::new(Comparison { keys: &self.keys, method: by_key }));
        map.sort_unstable_by(|&left, &right| (comparison.method)(comparison.keys, left, right));
        map
    }
}

/// By key, then by index.
fn by_key<K: Ord>(keys: &[K], left: i32, right: i32) -> Ordering {
    keys[left as usize].cmp(&keys[right as usize]).then(left.cmp(&right))
}
