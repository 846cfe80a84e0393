//! Strings as System.Text.Json writes them.
//!
//! Source: dotnet/runtime, `System.Text.Encodings.Web`, `JavaScriptEncoder.Default`: what is not in ASCII is escaped, and in
//! ASCII whatever could end or begin something in HTML; digits of `\uXXXX` are capitals.

use std::io::{self, Write};

use serde_json::ser::CharEscape;

const HEX: [u8; 16] = *b"0123456789ABCDEF";

/// Whether a byte stands as it is.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0x20;
    while byte < 0x7f {
        plain[byte] = !matches!(byte as u8, b'"' | b'&' | b'\'' | b'+' | b'<' | b'>' | b'\\' | b'`');
        byte += 1;
    }
    plain
};

/// Writes text without the quotes around it.
///
/// # Errors
/// The writer's.
pub(super) fn write_text<W: Write + ?Sized>(writer: &mut W, text: &str) -> io::Result<()> {
    let mut rest = text;
    while let Some(length) = rest.bytes().position(|byte| !PLAIN[usize::from(byte)]) {
        // Up to here all is ASCII: a character begins here.
        let (plain, escaped) = rest.split_at(length);
        writer.write_all(plain.as_bytes())?;
        let mut characters = escaped.chars();
        let mut units = [0; 2];
        for unit in characters.next().unwrap_or_default().encode_utf16(&mut units) {
            write_unit(writer, *unit)?;
        }
        rest = characters.as_str();
    }
    writer.write_all(rest.as_bytes())
}

/// Writes what JSON has to escape.
///
/// # Errors
/// The writer's.
pub(super) fn write_escape<W: Write + ?Sized>(writer: &mut W, escape: CharEscape) -> io::Result<()> {
    let short = match escape {
        CharEscape::Quote => return write_unit(writer, b'"'.into()),
        CharEscape::AsciiControl(byte) => return write_unit(writer, byte.into()),
        CharEscape::ReverseSolidus => b"\\\\",
        CharEscape::Solidus => return writer.write_all(b"/"),
        CharEscape::Backspace => b"\\b",
        CharEscape::FormFeed => b"\\f",
        CharEscape::LineFeed => b"\\n",
        CharEscape::CarriageReturn => b"\\r",
        CharEscape::Tab => b"\\t",
    };
    writer.write_all(short)
}

/// Writes a UTF-16 unit as `\uXXXX`.
fn write_unit<W: Write + ?Sized>(writer: &mut W, unit: u16) -> io::Result<()> {
    let digit = |shift: u32| HEX[usize::from(unit >> shift & 0xf)];
    writer.write_all(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)])
}
