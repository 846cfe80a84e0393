//! Texts of a page, each once.

use std::collections::HashMap;

/// Names, told by their place in a list.
#[derive(Default)]
pub(super) struct Texts {
    texts: Vec<String>,
    indices: HashMap<String, usize>,
}

impl Texts {
    /// The place of a text.
    pub(super) fn index_of(&mut self, text: &str) -> usize {
        if let Some(&index) = self.indices.get(text) {
            return index;
        }
        self.texts.push(text.to_owned());
        self.indices.insert(text.to_owned(), self.texts.len() - 1);
        self.texts.len() - 1
    }

    /// One more than the place of a text; 0 where there is none.
    pub(super) fn after(&mut self, text: Option<&str>) -> usize {
        text.map_or(0, |text| self.index_of(text) + 1)
    }

    pub(super) fn into_texts(self) -> Vec<String> {
        self.texts
    }
}
