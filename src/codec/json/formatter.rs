//! The layout of System.Text.Json.

use std::cell::Cell;
use std::io::{self, Write};

use serde::ser::{Error as _, Serializer};
use serde_json::ser::{CharEscape, Formatter};

use super::escape;
use super::number::NumberText;
use super::stack::{Stack, WriteStackFrame};
use crate::codec::adapter::{Container, Dialect};
use crate::model::DateTime;

/// System.Text.Json's dialect: no number is infinite, and a time's text is written past the escaping.
#[derive(Debug, Default)]
pub(super) struct Plain {
    is_time: Cell<bool>,
}

impl Dialect for Plain {
    fn non_finite<S: Serializer>(&self, number: f64, _serializer: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(format_args!("JSON has no number for {number}")))
    }

    fn newtype(&self, name: Option<&'static str>) {
        self.is_time.set(name == Some(DateTime::TEXT_NAME));
    }
}

/// Writes values as System.Text.Json does, without spaces.
pub(super) struct DotnetFormatter<'d> {
    /// The dialect of the serializer in front.
    pub(super) dialect: &'d Plain,
    /// What is open.
    pub(super) stack: Stack<WriteStackFrame>,
}

impl DotnetFormatter<'_> {
    fn begin<W: Write + ?Sized>(&mut self, writer: &mut W, container: Container) -> io::Result<()> {
        self.stack.push(container).map_err(|error| io::Error::other(error.to_string()))?;
        writer.write_all(match container {
            Container::Array => b"[",
            Container::Object => b"{",
        })
    }

    fn end<W: Write + ?Sized>(&mut self, writer: &mut W, container: Container) -> io::Result<()> {
        self.stack.pop(container);
        writer.write_all(match container {
            Container::Array => b"]",
            Container::Object => b"}",
        })
    }
}

impl Formatter for DotnetFormatter<'_> {
    #[inline]
    fn write_f32<W: Write + ?Sized>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        writer.write_all(NumberText::of_single(value).as_bytes())
    }

    #[inline]
    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(NumberText::of_double(value).as_bytes())
    }

    #[inline]
    fn write_string_fragment<W: Write + ?Sized>(&mut self, writer: &mut W, text: &str) -> io::Result<()> {
        if self.dialect.is_time.get() {
            writer.write_all(text.as_bytes())
        } else {
            escape::write_text(writer, text)
        }
    }

    #[inline]
    fn write_char_escape<W: Write + ?Sized>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        escape::write_escape(writer, escape)
    }

    #[inline]
    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, Container::Array)
    }

    #[inline]
    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, Container::Array)
    }

    #[inline]
    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, Container::Object)
    }

    #[inline]
    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, Container::Object)
    }
}
