//! A page that people open: one file that holds its style, its script and its figures, and asks no network for anything.
//!
//! The figures stand in it as JSON, and its script makes elements of them whose text they are: no name of a type or a
//! function is ever read as HTML.

mod data;
mod stacks;
mod texts;

use self::data::Data;
use super::{Format, View};
use crate::error::Result;
use crate::results::{Difference, Results};

const PAGE: &str = include_str!("page.html");
const STYLE: [&str; 2] = [include_str!("style.css"), include_str!("drawing.css")];

/// The script's parts, in the order in which they need each other.
const SCRIPT: [&str; 15] = [
    include_str!("script/data.js"),
    include_str!("script/element.js"),
    include_str!("script/number.js"),
    include_str!("script/table.js"),
    include_str!("script/breakdown.js"),
    include_str!("script/difference.js"),
    include_str!("script/drawing.js"),
    include_str!("script/flame.js"),
    include_str!("script/heap.js"),
    include_str!("script/histogram.js"),
    include_str!("script/case.js"),
    include_str!("script/overview.js"),
    include_str!("script/theme.js"),
    include_str!("script/keys.js"),
    include_str!("script/main.js"),
];

pub(super) struct Html;

impl Format for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn purpose(&self) -> &'static str {
        "a page to open in a browser, in one file"
    }

    fn extension(&self) -> &'static str {
        "html"
    }

    fn file_name(&self) -> Option<&'static str> {
        Some("report.html")
    }

    fn render(&self, results: &Results, _view: &View) -> Result<Vec<u8>> {
        Ok(page(&Data::of(results)?).into_bytes())
    }
}

/// The page of two runs: what differs between them, and each of them whole.
pub(super) fn difference(old: &Results, new: &Results, difference: &Difference) -> Result<String> {
    Ok(page(&Data::between(old, new, difference)?))
}

fn page(data: &Data) -> String {
    let (style, script, data) = (STYLE.concat(), SCRIPT.concat(), data.to_json());
    let parts = [("/*style*/", &style), ("/*script*/", &script), ("/*data*/", &data)];
    let mut page = String::new();
    let mut rest = PAGE;
    for (mark, part) in parts {
        // A part is never searched for marks: a name may look like one.
        let (before, after) =
            rest.split_once(mark).expect("page.html has a mark for each part, in this order");
        page.push_str(before);
        page.push_str(part);
        rest = after;
    }
    page + rest
}
