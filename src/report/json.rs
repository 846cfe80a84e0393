//! The results file itself.

use super::{Format, View};
use crate::error::Result;
use crate::results::{Results, to_json};

pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn purpose(&self) -> &'static str {
        "the whole results, as in results.json"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn render(&self, results: &Results, _view: &View) -> Result<Vec<u8>> {
        Ok(to_json(results)?.into_bytes())
    }
}
