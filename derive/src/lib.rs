//! `#[derive(SpanSerialize)]` of alloclab.

mod attribute;
mod enumeration;
mod structure;

use proc_macro::TokenStream;
use syn::{Data, DeriveInput, Error};

/// Gives a type its layout in the span format: `SpanSerialize` to write it, `SpanDeserialize` to read it.
///
/// A struct is its fields in the order of their declaration. It may have one lifetime, that of the input from which its
/// fields borrow, and type parameters. An enum without fields is the integer of its `#[repr]`; reading accepts its
/// variants only.
///
/// # Attributes of a field
/// | `#[span(…)]` | field | meaning |
/// | --- | --- | --- |
/// | `skip` | any with a `Default` | not written; reads as its default |
/// | `encode_int` | integer | in groups of seven bits, whatever the format says |
/// | `full_time` | `DateTime` | with ticks and kind, whatever the format says |
/// | `width = 8` | `String`, `&str` | in so many bytes, filled up with zeros or cut off |
/// | `rest` | `String`, `&str`, the last field | the rest of the input, without a length |
/// | `flagless` | `Option` | without a flag; nothing for `None`, which reads back only where the input ends |
#[proc_macro_derive(SpanSerialize, attributes(span))]
pub fn derive_span_serialize(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    let tokens = match &input.data {
        Data::Struct(data) => structure::expand(&input, &data.fields),
        Data::Enum(data) => enumeration::expand(&input, data),
        Data::Union(data) => {
            Err(Error::new_spanned(data.union_token, "a union has no layout in the span format"))
        }
    };
    tokens.unwrap_or_else(Error::into_compile_error).into()
}
