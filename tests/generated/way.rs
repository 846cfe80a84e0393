//! The functions that programs go through on the way to a step: their names are the call sites that must be found.

use std::hint::black_box;

/// A way: which function calls which, by their indices, outermost first.
pub(crate) type Way = [u8];

type Hop = fn(&Way, &mut dyn FnMut()) -> usize;

macro_rules! hops {
    ($($name:ident)*) => {
        $(
            #[inline(never)]
            fn $name(way: &Way, work: &mut dyn FnMut()) -> usize {
                // Something is left to do after the call, or it would be a jump, and no frame would remain.
                black_box(go(way, work)) + 1
            }
        )*

        static HOPS: &[Hop] = &[$($name,)*];

        /// Their names, as stacks have them.
        pub(crate) const NAMES: &[&str] = &[$(concat!("way::", stringify!($name)),)*];
    };
}

hops! { north east south west up down left right }

/// Goes the way, and does the work at its end.
#[inline(always)]
pub(crate) fn go(way: &Way, work: &mut dyn FnMut()) -> usize {
    match way.split_first() {
        Some((first, rest)) => black_box(HOPS)[usize::from(*first)](rest, work),
        None => {
            work();
            0
        }
    }
}
