//! The forms in which judgements are told: one file for each.

mod github;
mod json;
mod markdown;
mod sentence;
mod text;

use super::Judgement;
use crate::error::Result;

/// A way to tell judgements.
///
/// # Examples
/// ```
/// use alloclab::gate::{CheckFormat, Rule};
///
/// let judgement = Rule::default().without_baseline("mine", "fixtures/baseline/mine.toml");
/// let text = CheckFormat::Text.render(&[judgement]).unwrap();
/// assert!(text.starts_with("check failed: mine: there is no baseline fixtures/baseline/mine.toml\n"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckFormat {
    /// Text for the terminal.
    Text,
    /// Every field, under the schema `alloclab.check/1`.
    Json,
    /// A summary for a pull request.
    Markdown,
    /// GitHub's workflow commands, which mark the lines.
    Github,
}

impl CheckFormat {
    /// Every form, in the order in which help shows them.
    pub const ALL: [Self; 4] = [Self::Text, Self::Json, Self::Markdown, Self::Github];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Github => "github",
        }
    }

    /// The judgements as text, those that failed first.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::error::ErrorKind::Malformed) if JSON cannot hold them.
    pub fn render(self, judgements: &[Judgement]) -> Result<String> {
        let mut ordered: Vec<&Judgement> = judgements.iter().collect();
        ordered.sort_by_key(|judgement| judgement.passed);
        match self {
            Self::Text => Ok(text::render(&ordered)),
            Self::Json => json::render(&ordered),
            Self::Markdown => Ok(markdown::render(&ordered)),
            Self::Github => Ok(github::render(&ordered)),
        }
    }
}
