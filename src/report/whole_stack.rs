//! The whole stack of a site, the standard library's and the program's callers included, as other tools expect it.

use crate::results::{Results, SiteRow};

/// A function on a stack, and where in it the next inner one is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StackFrame<'a> {
    pub(super) function: &'a str,
    pub(super) location: Option<&'a str>,
}

/// The outermost frame of a stack that went on beyond what was recorded: without it, what stands there would look like
/// the program's start.
const TRUNCATED: StackFrame<'static> = StackFrame { function: "(truncated)", location: None };
/// The only frame of a site without a stack.
const NO_STACK: StackFrame<'static> = StackFrame { function: "(no stack)", location: None };

/// The frames of a site, innermost first; never none.
pub(super) fn whole_stack<'a>(results: &'a Results, site: &SiteRow) -> Vec<StackFrame<'a>> {
    let frames = site.frames.iter().filter_map(|&frame| results.frames.get(frame as usize));
    let mut stack: Vec<_> = frames
        .map(|frame| StackFrame { function: &frame.function, location: frame.location.as_deref() })
        .collect();
    if stack.is_empty() {
        stack.push(NO_STACK);
    } else if site.truncated {
        stack.push(TRUNCATED);
    }
    stack
}
