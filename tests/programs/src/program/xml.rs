use std::collections::BTreeMap;

use quick_xml::events::{BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};

use super::Program;
use crate::input::{digest, scatter};

pub(super) const PROGRAM: Program = Program {
    name: "quick_xml",
    run,
    is_single_threaded: true,
    // The names of the attributes of an element are kept to find one that comes twice.
    known_types: &[
        ("Vec<Range<usize>>", Some(2000)),
        ("Vec<Event>", None),
        ("BTreeMap<Vec<u8>, usize>", Some(1)),
    ],
};

/// Writes a document, and reads it back as events.
fn run() -> String {
    let text = write();
    let mut reader = Reader::from_reader(&*text);
    let mut buffer = Vec::new();
    let mut events = Vec::new();
    let mut names = BTreeMap::<Vec<u8>, usize>::new();
    loop {
        let event = reader.read_event_into(&mut buffer).expect("it was written");
        match &event {
            Event::Eof => break,
            Event::Start(start) => {
                *names.entry(start.name().as_ref().to_vec()).or_default() += start.attributes().count()
            }
            _ => {}
        }
        events.push(event.into_owned());
        buffer.clear();
    }
    format!("{} events, {names:?}, {:x}", events.len(), digest(&text))
}

fn write() -> Vec<u8> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let element = |writer: &mut Writer<Vec<u8>>, event: Event| {
        writer.write_event(event).expect("it is written to memory")
    };
    element(&mut writer, Event::Start(BytesStart::new("entries")));
    for index in 0..2000 {
        let id = scatter(index).to_string();
        let start = BytesStart::new("entry").with_attributes([("id", &*id), ("kind", "a < b")]);
        let end = start.to_end().into_owned();
        element(&mut writer, Event::Start(start.borrow()));
        element(&mut writer, Event::Text(BytesText::new(&format!("{id} & more"))));
        element(&mut writer, Event::End(end));
    }
    element(&mut writer, Event::End(BytesStart::new("entries").to_end()));
    writer.into_inner()
}
