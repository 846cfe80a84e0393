use pulldown_cmark::{Event, Options, Parser, Tag, html};

use super::Program;
use crate::input::{MARKDOWN, digest};

pub(super) const PROGRAM: Program = Program {
    name: "pulldown_cmark",
    run,
    is_single_threaded: true,
    // Each parser has room for links.
    known_types: &[
        ("Vec<(LinkType, CowStr, CowStr, CowStr)>", Some(60)),
        ("Vec<Node<Item>>", None),
        ("Vec<Event>", None),
    ],
};

/// Makes pages of the project's Markdown, many times, and collects the targets of links.
fn run() -> String {
    let mut page = String::new();
    let mut links = Vec::new();
    for text in MARKDOWN.iter().cycle().take(60) {
        page.clear();
        let events: Vec<Event> = Parser::new_ext(text, Options::all()).collect();
        links.extend(events.iter().filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.to_string()),
            _ => None,
        }));
        html::push_html(&mut page, events.into_iter());
    }
    format!("{} bytes, {:x}, {} links", page.len(), digest(page.as_bytes()), links.len())
}
