//! The derive for an enum without fields.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, DeriveInput, Error, Fields, Ident, Result};

const INTEGERS: [&str; 8] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

pub(crate) fn expand(input: &DeriveInput, data: &DataEnum) -> Result<TokenStream> {
    let repr = representation(input)?;
    if let Some(variant) = data.variants.iter().find(|variant| !matches!(variant.fields, Fields::Unit)) {
        let message = "the span format has no layout for a variant with fields";
        return Err(Error::new_spanned(variant, message));
    }
    if data.variants.is_empty() {
        return Err(Error::new_spanned(&input.ident, "an enum without variants has no values to write"));
    }
    let name = &input.ident;
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    Ok(quote! {
        #[automatically_derived]
        impl ::alloclab::codec::span::SpanSerialize for #name {
            const SIZE: ::alloclab::codec::span::Size =
                ::alloclab::codec::span::Size::Fixed(::core::mem::size_of::<#repr>());

            #[inline]
            fn write<SpanF: ::alloclab::codec::span::SpanFormat>(
                &self,
                writer: &mut ::alloclab::codec::span::SpanWriter<'_, SpanF>,
            ) -> ::core::result::Result<(), ::alloclab::codec::span::EncodeError> {
                writer.write_fixed(match self { #(Self::#variants => Self::#variants as #repr,)* })
            }
        }

        #[automatically_derived]
        impl<'span_input> ::alloclab::codec::span::SpanDeserialize<'span_input> for #name {
            #[inline]
            fn read<SpanF: ::alloclab::codec::span::SpanFormat>(
                reader: &mut ::alloclab::codec::span::SpanReader<'span_input, SpanF>,
            ) -> ::core::result::Result<Self, ::alloclab::codec::DecodeError> {
                let offset = reader.offset();
                let value: #repr = reader.read_fixed()?;
                #(if value == Self::#variants as #repr {
                    return ::core::result::Result::Ok(Self::#variants);
                })*
                ::core::result::Result::Err(::alloclab::codec::DecodeError {
                    offset,
                    problem: ::alloclab::codec::DecodeProblem::ValueOutOfRange,
                })
            }
        }
    })
}

/// The integer type of `#[repr(…)]`.
fn representation(input: &DeriveInput) -> Result<Ident> {
    let mut found = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            found = found.take().or_else(|| meta.path.get_ident().cloned());
            Ok(())
        })?;
    }
    found.filter(|name| INTEGERS.iter().any(|integer| name == integer)).ok_or_else(|| {
        let message =
            "an enum is written as its integer: say which with `#[repr(i32)]`, or another of 8 to 64 bits";
        Error::new_spanned(&input.ident, message)
    })
}
