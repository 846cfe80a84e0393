//! The values of generated programs: what they are made of, and how they grow and shrink.

use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;

use crate::action::{Action, ElementId, Held, Kind};
use crate::element::{Element, Shape};

/// A container of elements.
#[expect(dead_code, reason = "some are there only to be freed")]
pub(crate) enum Value<T> {
    Boxed(Box<T>),
    Dynamic(Box<dyn Shape>),
    List(Vec<T>),
    Slice(Box<[T]>),
    Deque(VecDeque<T>),
    Shared(Arc<T>),
    SharedSlice(Arc<[T]>),
    Tree(BTreeMap<u64, T>),
    Map(HashMap<u64, T>),
    Chain(LinkedList<T>),
}

/// An element of which the compiler does not know that it is all zeros: it would ask for zeroed memory where it likes.
fn fresh<T: Element>() -> T {
    black_box(T::default())
}

/// Makes a value with room for `capacity`, and puts `length` elements in.
#[inline(never)]
pub(crate) fn make<T: Element>(kind: Kind, capacity: usize, length: usize) -> Value<T> {
    let elements = || (0..length).map(|_| fresh::<T>());
    let numbered = || (0..length as u64).map(|number| (number, fresh::<T>()));
    let element: T = fresh();
    black_box(match kind {
        Kind::Boxed => Value::Boxed(Box::new(element)),
        Kind::Dynamic => Value::Dynamic(Box::new(element)),
        Kind::List => {
            let mut list = Vec::with_capacity(capacity);
            elements().for_each(|element| list.push(element));
            Value::List(list)
        }
        Kind::Collected => Value::List(elements().collect()),
        Kind::Deque => {
            let mut deque = VecDeque::with_capacity(capacity);
            elements().for_each(|element| deque.push_back(element));
            Value::Deque(deque)
        }
        Kind::Shared => Value::Shared(Arc::new(element)),
        Kind::Tree => {
            let mut tree = BTreeMap::new();
            for (number, element) in numbered() {
                tree.insert(number, element);
            }
            Value::Tree(tree)
        }
        Kind::Map => {
            let mut map = HashMap::with_capacity(capacity);
            for (number, element) in numbered() {
                map.insert(number, element);
            }
            Value::Map(map)
        }
        Kind::Chain => {
            let mut chain = LinkedList::new();
            elements().for_each(|element| chain.push_back(element));
            Value::Chain(chain)
        }
        other => unreachable!("{other:?} is not made so"),
    })
}

/// Grows, shrinks, turns or clones a value.
#[inline(never)]
pub(crate) fn change<T: Element>(value: Value<T>, action: &Action, copy: &mut Option<Value<T>>) -> Value<T> {
    if matches!(action, Action::Copy) {
        *copy = clone(&value);
        return value;
    }
    black_box(match (value, action) {
        (Value::List(mut list), Action::Push(count)) => {
            (0..*count).for_each(|_| list.push(fresh()));
            Value::List(list)
        }
        (Value::Deque(mut deque), Action::Push(count)) => {
            (0..*count).for_each(|_| deque.push_back(fresh()));
            Value::Deque(deque)
        }
        (Value::Chain(mut chain), Action::Push(count)) => {
            (0..*count).for_each(|_| chain.push_back(fresh()));
            Value::Chain(chain)
        }
        (Value::List(mut list), Action::Reserve(more)) => {
            list.reserve_exact(*more);
            Value::List(list)
        }
        (Value::Deque(mut deque), Action::Reserve(more)) => {
            deque.reserve_exact(*more);
            Value::Deque(deque)
        }
        (Value::Map(mut map), Action::Reserve(more)) => {
            map.reserve(*more);
            Value::Map(map)
        }
        (Value::List(mut list), Action::Shrink) => {
            list.shrink_to_fit();
            Value::List(list)
        }
        (Value::Deque(mut deque), Action::Shrink) => {
            deque.shrink_to_fit();
            Value::Deque(deque)
        }
        (Value::Map(mut map), Action::Shrink) => {
            map.shrink_to_fit();
            Value::Map(map)
        }
        (Value::List(list), Action::Turn { shared: false }) => Value::Slice(list.into_boxed_slice()),
        (Value::List(list), Action::Turn { shared: true }) => Value::SharedSlice(list.into()),
        (_, action) => unreachable!("{action:?} is not done to such a value"),
    })
}

fn clone<T: Element>(value: &Value<T>) -> Option<Value<T>> {
    Some(match value {
        Value::Boxed(boxed) => Value::Boxed(boxed.clone()),
        Value::List(list) => Value::List(list.clone()),
        Value::Deque(deque) => Value::Deque(deque.clone()),
        Value::Tree(tree) => Value::Tree(tree.clone()),
        Value::Map(map) => Value::Map(map.clone()),
        Value::Chain(chain) => Value::Chain(chain.clone()),
        _ => unreachable!("such a value is not cloned"),
    })
}

/// Text of so many bytes.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";

fn letters(count: usize) -> &'static str {
    &LETTERS[..count]
}

/// Bytes of the longest text that is put in at once.
pub(crate) const MOST_LETTERS: usize = LETTERS.len();

/// Does what a step says to the values of two slots.
#[inline(never)]
pub(crate) fn perform(action: &Action, slot: &mut Held, other: &mut Held) {
    match action {
        Action::Make { kind: Kind::Text, capacity, length, .. } => {
            *slot = Held::Text(text(*capacity, *length))
        }
        Action::Make { kind: Kind::SharedText, length, .. } => {
            *slot = Held::SharedText(letters(*length).into())
        }
        Action::Make { kind: Kind::Texts, capacity, length, .. } => {
            *slot = Held::Texts(texts(*capacity, *length))
        }
        Action::Make { kind: Kind::Numbers, capacity, .. } => *slot = Held::Numbers(numbers(*capacity)),
        Action::Make { kind, element, capacity, length } => {
            *slot = Held::make(*kind, *element, *capacity, *length);
        }
        Action::MakeBriefly { kind: Kind::Text, .. } => drop(black_box(Rc::<str>::from(letters(7)))),
        Action::MakeBriefly { element, .. } => make_counted(*element),
        Action::Free => drop(std::mem::take(slot)),
        _ => *slot = change_held(std::mem::take(slot), action, other),
    }
}

#[inline(never)]
fn text(capacity: usize, length: usize) -> String {
    let mut text = String::with_capacity(capacity);
    text.push_str(letters(length));
    black_box(text)
}

#[inline(never)]
fn texts(capacity: usize, length: usize) -> Vec<String> {
    let mut list = Vec::with_capacity(capacity);
    for number in 0..length {
        list.push(text(number + 1, number));
    }
    black_box(list)
}

#[inline(never)]
fn numbers(count: usize) -> Vec<u64> {
    black_box(vec![0; count])
}

fn make_counted(element: ElementId) {
    #[inline(never)]
    fn counted<T: Element>() {
        drop(black_box(Rc::new(fresh::<T>())));
    }
    match element {
        ElementId::Line => counted::<crate::element::Line>(),
        ElementId::Blob => counted::<crate::element::Blob>(),
        _ => counted::<crate::element::Word>(),
    }
}

fn change_held(held: Held, action: &Action, other: &mut Held) -> Held {
    match (held, action) {
        (Held::Text(mut text), Action::Push(count)) => {
            text.push_str(letters(*count));
            Held::Text(text)
        }
        (Held::Text(mut text), Action::Reserve(more)) => {
            text.reserve_exact(*more);
            Held::Text(text)
        }
        (Held::Text(mut text), Action::Shrink) => {
            text.shrink_to_fit();
            Held::Text(text)
        }
        (Held::Text(text), Action::Turn { shared: false }) => Held::BoxedText(text.into_boxed_str()),
        (Held::Text(text), Action::Turn { shared: true }) => Held::SharedText(text.into()),
        (Held::Text(text), Action::Copy) => {
            *other = Held::Text(text.clone());
            Held::Text(text)
        }
        (Held::Numbers(list), Action::Copy) => {
            *other = Held::Numbers(list.clone());
            Held::Numbers(list)
        }
        (held, action) => held.change_elements(action, other),
    }
}
