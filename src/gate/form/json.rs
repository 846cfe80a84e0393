//! Every field of the judgements.

use serde::Serialize;

use crate::error::{Error, ErrorKind, Result};
use crate::gate::Judgement;

/// The version of this form.
const SCHEMA: &str = "alloclab.check/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    passed: bool,
    profiles: &'a [&'a Judgement],
}

pub(super) fn render(judgements: &[&Judgement]) -> Result<String> {
    let passed = judgements.iter().all(|judgement| judgement.passed);
    let document = Document { schema: SCHEMA, passed, profiles: judgements };
    let text = serde_json::to_string_pretty(&document);
    text.map(|text| text + "\n").map_err(|source| {
        Error::new(ErrorKind::Malformed, "the judgement cannot be written").with_source(source)
    })
}
