//! Call stacks as readers see them.

use std::rc::Rc;

use super::function::segments;
use super::judge::{Judge, Origin};
use super::text;
use super::walk::Steps;
use crate::symbolize::mangling::{self, Arena};
use crate::symbolize::{SymbolId, Symbols};

/// A call stack with readable names, innermost function first, inlined functions included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// The functions, without those of the allocator, up to the harness that runs them.
    pub frames: Vec<StackFrame>,
    /// Index in `frames` of the first function of the program itself: of no standard library, container or recorder.
    pub own_frame: Option<usize>,
}

/// A function on a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFrame {
    /// Its name, short: `Vec<u8>::with_capacity`, `codec::binary::Binary::new`.
    pub function: Rc<str>,
    /// File and line of the call that it made: `alloc/src/vec/mod.rs:420`. None for a function that was left by a tail
    /// call, and without debug information.
    pub location: Option<Rc<str>>,
}

pub(super) fn stack(judge: &mut Judge, program: Option<&str>, addresses: &[u64]) -> Stack {
    let mut steps = Steps::new(addresses);
    let mut stack = Stack::default();
    while let Some(step) = steps.next(judge) {
        match step.judgment.origin {
            Origin::Machinery | Origin::Allocator => continue,
            Origin::Harness => break,
            Origin::Program(_) if stack.own_frame.is_none() => stack.own_frame = Some(stack.frames.len()),
            _ => {}
        }
        let function = judge.text(program, step.symbol);
        stack.frames.push(StackFrame { function, location: step.location });
    }
    stack
}

/// The readable name of a function.
pub(super) fn function_text(judge: &mut Judge, program: Option<&str>, symbol: SymbolId) -> String {
    match judge.path(symbol) {
        Some(path) => text::path_text(&judge.arena, program, path),
        None => {
            let name = judge.symbols.name(symbol);
            mangling::demangle_legacy(name).unwrap_or_else(|| name.to_owned())
        }
    }
}

/// The crate of the program's `main`.
pub(super) fn program_crate(symbols: &Symbols) -> Option<String> {
    let mut arena = Arena::default();
    let is_main = |name: &&str| {
        let is_newer = name.starts_with("_RNvC") && name.ends_with("4main");
        is_newer || (name.starts_with("_ZN") && name.contains("4main17h"))
    };
    let mut mains = symbols.program_functions().filter(is_main);
    mains.find_map(|name| {
        let path = mangling::parse(name, &mut arena).ok();
        let path = path.or_else(|| mangling::parse_legacy(name, None, &mut arena))?;
        let words = segments(&arena, path)?;
        (words.len() == 2).then(|| arena.text(words[0]).to_owned())
    })
}
