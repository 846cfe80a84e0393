//! `System.Collections.Generic`: lists and stacks whose arrays grow as .NET's do.

/// The length of the first array of a list or a stack.
const FIRST_CAPACITY: usize = 4;

/// Makes room for one more item: a new array of twice the length, the old one left behind.
fn grow_if_full<T>(items: &mut Vec<T>) {
    if items.len() == items.capacity() {
        let capacity = (items.capacity() * 2).max(FIRST_CAPACITY);
        let mut array = Vec::with_capacity(capacity);
        array.append(items);
        *items = array;
    }
}

/// .NET's `List<T>`: no array as long as it is empty, then one of 4, 8, 16 … elements.
///
/// # Examples
/// ```
/// use alloclab::codec::dotnet::List;
///
/// let mut list = List::new();
/// (0..5).for_each(|number| list.add(number));
/// assert_eq!((list.items().len(), list.capacity()), (5, 8));
/// ```
#[derive(Debug)]
pub struct List<T> {
    items: Vec<T>,
    version: u32,
}

impl<T> List<T> {
    /// An empty list without an array.
    pub const fn new() -> Self {
        Self { items: Vec::new(), version: 0 }
    }

    /// A list over an array that is there already.
    pub const fn over(array: Vec<T>) -> Self {
        Self { items: array, version: 0 }
    }

    /// Adds an item at the end.
    pub fn add(&mut self, item: T) {
        grow_if_full(&mut self.items);
        self.items.push(item);
        self.version += 1;
    }

    /// The items in order.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items in order, to change them.
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// The length of the list's array.
    pub fn capacity(&self) -> usize {
        self.items.capacity()
    }

    /// The list's array.
    pub fn into_array(self) -> Vec<T> {
        self.items
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// .NET's `List<T>.Enumerator`: a value type there, boxed where a loop sees the list through an interface.
#[derive(Debug)]
pub struct ListEnumerator<'l, T> {
    list: &'l List<T>,
    index: usize,
    version: u32,
}

impl<'l, T> ListEnumerator<'l, T> {
    /// At the start of a list.
    pub fn new(list: &'l List<T>) -> Self {
        Self { list, index: 0, version: list.version }
    }
}

impl<'l, T> Iterator for ListEnumerator<'l, T> {
    type Item = &'l T;

    fn next(&mut self) -> Option<&'l T> {
        debug_assert_eq!(self.version, self.list.version, "a borrowed list cannot change");
        let item = self.list.items.get(self.index)?;
        self.index += 1;
        Some(item)
    }
}

/// .NET's `Stack<T>`: its array comes with the first push.
#[derive(Debug)]
pub struct Stack<T> {
    items: Vec<T>,
    version: u32,
}

impl<T> Stack<T> {
    /// An empty stack without an array.
    pub const fn new() -> Self {
        Self { items: Vec::new(), version: 0 }
    }

    /// Puts an item on top.
    pub fn push(&mut self, item: T) {
        grow_if_full(&mut self.items);
        self.items.push(item);
        self.version += 1;
    }

    /// Takes the item on top.
    pub fn pop(&mut self) -> Option<T> {
        self.version += 1;
        self.items.pop()
    }

    /// The items, the one on top last.
    pub fn items(&self) -> &[T] {
        &self.items
    }
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Self::new()
    }
}
