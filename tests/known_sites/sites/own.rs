//! Containers of the program itself that ask the allocator for their memory.

use std::alloc::Layout;
use std::marker::PhantomData;
use std::ptr::NonNull;

use allocator_api2::alloc::{Allocator as _, Global};

use super::*;

/// Memory for values. It is never given back, for that would need unsafe code.
struct RawStack<T> {
    memory: Option<NonNull<[u8]>>,
    values: PhantomData<T>,
}

impl<T> RawStack<T> {
    fn new() -> Self {
        Self { memory: None, values: PhantomData }
    }

    fn reserve(&mut self, length: usize) {
        let layout = Layout::array::<T>(length).expect("the length is small");
        self.memory = Global.allocate(layout).ok();
    }
}

struct World<T> {
    stack: RawStack<T>,
}

impl<T> World<T> {
    fn tick(&mut self, length: usize) {
        self.stack.reserve(length);
        black_box(self.stack.memory);
    }
}

struct App<T> {
    world: World<T>,
}

impl<T> App<T> {
    fn run(mut self, length: usize) -> Self {
        self.world.tick(length);
        self
    }
}

fn app<T>() -> App<T> {
    App { world: World { stack: RawStack::new() } }
}

pub(super) fn containers() -> Vec<Site> {
    const NUMBERS: &[&str] = &["RawStack<u64>"];
    const APPLES: &[&str] = &["RawStack<Apple>"];
    vec![
        site("a container of the program", NUMBERS, NUMBERS, length, |n| app::<u64>().run(n)),
        site("a container of the program, another type", APPLES, APPLES, length, |n| app::<Apple>().run(n)),
    ]
}
