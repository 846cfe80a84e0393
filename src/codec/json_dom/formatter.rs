//! The layout of Newtonsoft.Json.
//!
//! Source: JamesNK/Newtonsoft.Json, `JavaScriptUtils` (what is escaped: controls, quotes, backslashes, and the three other
//! characters that end a line) and `JsonConvert` (numbers).

use std::io::{self, Write};

use serde::ser::Serializer;
use serde_json::ser::Formatter;

use crate::codec::adapter::Dialect;
use crate::codec::json::number::NumberText;

/// Newtonsoft.Json's dialect: a number that is infinite or none is a string.
pub(super) struct Symbols;

impl Dialect for Symbols {
    fn non_finite<S: Serializer>(&self, number: f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match number {
            f64::INFINITY => "Infinity",
            f64::NEG_INFINITY => "-Infinity",
            _ => "NaN",
        })
    }
}

/// Writes a tree as Newtonsoft.Json writes a value, without spaces.
pub(super) struct NewtonsoftFormatter;

impl NewtonsoftFormatter {
    fn number<W: Write + ?Sized>(writer: &mut W, text: &NumberText) -> io::Result<()> {
        let text = text.as_bytes();
        writer.write_all(text)?;
        if text.iter().any(|byte| matches!(byte, b'.' | b'E')) { Ok(()) } else { writer.write_all(b".0") }
    }
}

impl Formatter for NewtonsoftFormatter {
    fn write_f32<W: Write + ?Sized>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        Self::number(writer, &NumberText::of_single(value))
    }

    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        Self::number(writer, &NumberText::of_double(value))
    }

    fn write_string_fragment<W: Write + ?Sized>(&mut self, writer: &mut W, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some((start, character)) = rest.char_indices().find(|&(_, character)| ends_line(character))
        {
            writer.write_all(&rest.as_bytes()[..start])?;
            write!(writer, "\\u{:04x}", u32::from(character))?;
            rest = &rest[start + character.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}

/// Whether a character beyond ASCII ends a line.
fn ends_line(character: char) -> bool {
    matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}')
}
