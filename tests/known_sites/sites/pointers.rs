//! Boxes and counted pointers.

use super::*;

pub(super) fn boxes() -> Vec<Site> {
    const APPLE: &[&str] = &["Box<Apple>"];
    const PEAR: &[&str] = &["Box<Pear>"];
    const NUMBERS: &[&str] = &["Box<[u64; 2]>"];
    const CLOSURE: &[&str] = &["Box<boxes::{closure#8}::{closure#0}>"];
    const FUTURE: &[&str] = &["Box<boxes::{closure#9}::{closure#0}>"];
    vec![
        site("a box", APPLE, APPLE, number, |n| Box::new(apple(n))),
        site("a box of the same layout", PEAR, PEAR, number, |n| Box::new(pear(n))),
        site("a box of an array", NUMBERS, NUMBERS, number, |n| Box::new([n, n])),
        site("a box behind a trait", APPLE, APPLE, number, |n| Box::new(apple(n)) as Box<dyn Fruit>),
        site("another box behind it", PEAR, PEAR, number, |n| Box::new(pear(n)) as Box<dyn Fruit>),
        site("a default box", APPLE, APPLE, nothing, |()| Box::<Apple>::default()),
        site("a cloned box", APPLE, APPLE, || Box::new(apple(1)), |b| (b.clone(), b)),
        site("a boxed closure", CLOSURE, CLOSURE, number, |n| {
            Box::new(move |m| n + m) as Box<dyn Fn(u64) -> u64>
        }),
        site("a boxed future", FUTURE, FUTURE, number, |n| {
            Box::pin(async move { n }) as Pin<Box<dyn Future<Output = u64>>>
        }),
        site("a boxed slice, collected", &["Box<[Apple]>"], VEC_APPLE, number, |n| {
            (0..n).map(apple).collect::<Box<[Apple]>>()
        }),
        site("a boxed slice without values", &["Box<[Apple]>"], &["Box<[Apple]>"], length, |n| {
            Box::<[Apple]>::new_uninit_slice(n)
        }),
        site("boxed text", &["Box<str>"], &["Box<str>"], abc, |s| Box::<str>::from(s)),
        site("boxed text, collected", &["Box<str>"], BYTES, abc, |s| {
            s.chars().rev().cycle().take(40).filter(char::is_ascii).collect::<Box<str>>()
        }),
        site("a box made when first asked for", APPLE, APPLE, number, |n| {
            let cell = std::sync::OnceLock::new();
            cell.get_or_init(|| Box::new(apple(n)));
            cell
        }),
    ]
}

pub(super) fn counted() -> Vec<Site> {
    const RC: &[&str] = &["Rc<Apple>"];
    const ARC: &[&str] = &["Arc<Apple>"];
    const ARC_STR: &[&str] = &["Arc<str>"];
    const ARC_BYTES: &[&str] = &["Arc<[u8]>", "Arc<str>"];
    vec![
        site("counted", RC, RC, number, |n| Rc::new(apple(n))),
        site("counted, the same layout", &["Rc<Pear>"], &["Rc<Pear>"], number, |n| Rc::new(pear(n))),
        site("shared", ARC, ARC, number, |n| Arc::new(apple(n))),
        site("shared behind a lock", &["Arc<Mutex<Apple>>"], &["Arc<Mutex<Apple>>"], number, |n| {
            Arc::new(Mutex::new(apple(n)))
        }),
        site("counted text", &["Rc<str>"], &["Rc<[u8]>", "Rc<str>"], abc, |s| Rc::<str>::from(s)),
        site("shared text", ARC_STR, ARC_BYTES, abc, |s| Arc::<str>::from(s)),
        site("a string shared", ARC_STR, ARC_BYTES, || String::from("abc"), |s| Arc::<str>::from(s)),
        site(
            "a slice shared",
            &["Arc<[u32]>"],
            &["Arc<[u32]>"],
            || &[1, 2][..],
            |s: &'static [u32]| Arc::<[u32]>::from(s),
        ),
        site(
            "a vector counted",
            &["Rc<[Apple]>"],
            &["Rc<[Apple]>"],
            || vec![apple(1)],
            |v| Rc::<[Apple]>::from(v),
        ),
        site("shared, collected", &["Arc<[Apple]>"], &["Arc<[Apple]>"], number, |n| {
            (0..n).map(apple).collect::<Arc<[Apple]>>()
        }),
        site(
            "counted, made changeable",
            RC,
            RC,
            || Rc::new(apple(1)),
            |first| {
                let mut second = Rc::clone(&first);
                Rc::make_mut(&mut second);
                (first, second)
            },
        ),
        site("shared with itself", ARC, ARC, number, |n| Arc::new_cyclic(|_| apple(n))),
    ]
}
