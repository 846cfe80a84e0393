//! Strings, functions and locations, each once and named by a number.

use std::collections::HashMap;

use super::PROGRAM;
use super::message::{Function, Line, Location};
use crate::report::whole_stack::StackFrame;

/// The strings of a profile; the first is empty.
pub(super) struct Strings {
    pub(super) all: Vec<String>,
    indices: HashMap<String, i64>,
}

impl Default for Strings {
    fn default() -> Self {
        Self { all: vec![String::new()], indices: HashMap::from([(String::new(), 0)]) }
    }
}

impl Strings {
    /// The index of a string, which is added if it is new.
    pub(super) fn index(&mut self, text: &str) -> i64 {
        if let Some(&index) = self.indices.get(text) {
            return index;
        }
        let index = self.all.len() as i64;
        self.all.push(text.to_owned());
        self.indices.insert(text.to_owned(), index);
        index
    }
}

/// What samples refer to. Identifiers are places in the lists, from 1: 0 stands for none.
#[derive(Default)]
pub(super) struct Table<'a> {
    pub(super) strings: Strings,
    pub(super) functions: Vec<Function>,
    pub(super) locations: Vec<Location>,
    function_ids: HashMap<[&'a str; 2], u64>,
    location_ids: HashMap<StackFrame<'a>, u64>,
}

impl<'a> Table<'a> {
    /// The identifier of a frame's location, which is added if it is new.
    pub(super) fn location(&mut self, frame: StackFrame<'a>) -> u64 {
        if let Some(&id) = self.location_ids.get(&frame) {
            return id;
        }
        let (file, line) = file_and_line(frame.location.unwrap_or_default());
        let line = Line { function_id: self.function(frame.function, file), line };
        let id = self.locations.len() as u64 + 1;
        self.locations.push(Location { id, mapping_id: PROGRAM, line: vec![line] });
        self.location_ids.insert(frame, id);
        id
    }

    fn function(&mut self, name: &'a str, file: &'a str) -> u64 {
        if let Some(&id) = self.function_ids.get(&[name, file]) {
            return id;
        }
        let id = self.functions.len() as u64 + 1;
        self.function_ids.insert([name, file], id);
        let (name, filename) = (self.strings.index(name), self.strings.index(file));
        self.functions.push(Function { id, name, filename });
        id
    }
}

/// The two parts of `file:line`; a place without a line has line 0, which stands for none.
fn file_and_line(location: &str) -> (&str, i64) {
    let parts = location.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?)));
    parts.map_or((location, 0), |(file, line)| (file, line.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_and_perhaps_a_line() {
        assert_eq!(file_and_line("src/codec.rs:17"), ("src/codec.rs", 17));
        assert_eq!(file_and_line("C:/src/codec.rs"), ("C:/src/codec.rs", 0));
        assert_eq!(file_and_line(""), ("", 0));
    }
}
