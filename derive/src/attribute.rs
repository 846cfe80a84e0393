//! `#[span(…)]` on a field.

use syn::{Error, Field, LitInt, Result};

/// How a field is written.
pub(crate) enum Layout {
    /// As its type says.
    Plain,
    /// Not at all.
    Skip,
    /// An integer in groups of seven bits.
    EncodeInt,
    /// A time with ticks and kind.
    FullTime,
    /// A string of so many bytes.
    Width(LitInt),
    /// A string up to the end of the input.
    Rest,
    /// An option without a flag.
    Flagless,
}

impl Layout {
    pub(crate) fn of(field: &Field) -> Result<Self> {
        let mut layout = None;
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("span")) {
            attribute.parse_nested_meta(|meta| {
                let next = Self::parse(&meta)?;
                match layout.replace(next) {
                    None => Ok(()),
                    Some(_) => Err(meta.error("a field has one layout; this is a second one")),
                }
            })?;
        }
        Ok(layout.unwrap_or(Self::Plain))
    }

    fn parse(meta: &syn::meta::ParseNestedMeta<'_>) -> Result<Self> {
        let Some(name) = meta.path.get_ident() else { return Err(unknown(meta)) };
        match name.to_string().as_str() {
            "skip" => Ok(Self::Skip),
            "encode_int" => Ok(Self::EncodeInt),
            "full_time" => Ok(Self::FullTime),
            "width" => meta.value()?.parse().map(Self::Width),
            "rest" => Ok(Self::Rest),
            "flagless" => Ok(Self::Flagless),
            _ => Err(unknown(meta)),
        }
    }
}

fn unknown(meta: &syn::meta::ParseNestedMeta<'_>) -> Error {
    meta.error(
        "unknown layout: expected `skip`, `encode_int`, `full_time`, `width = BYTES`, `rest` or `flagless`",
    )
}
