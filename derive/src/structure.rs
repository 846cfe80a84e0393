//! The derive for a struct.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    DeriveInput, Error, Fields, GenericParam, Generics, Ident, Lifetime, LifetimeParam, Member, Result, Type,
    parse_quote,
};

use crate::attribute::Layout;

/// A field that is written, or whose default takes its place.
struct SpanField<'a> {
    member: Member,
    ty: &'a Type,
    layout: Layout,
}

pub(crate) fn expand(input: &DeriveInput, fields: &Fields) -> Result<TokenStream> {
    let fields = fields
        .iter()
        .zip(fields.members())
        .map(|(field, member)| Ok(SpanField { member, ty: &field.ty, layout: Layout::of(field)? }))
        .collect::<Result<Vec<_>>>()?;
    check_rest_is_last(&fields)?;
    let (write, read) = (expand_write(input, &fields), expand_read(input, &fields)?);
    Ok(quote! { #write #read })
}

fn check_rest_is_last(fields: &[SpanField<'_>]) -> Result<()> {
    let mut written = fields.iter().filter(|field| !matches!(field.layout, Layout::Skip)).rev().skip(1);
    match written.find(|field| matches!(field.layout, Layout::Rest)) {
        Some(field) => {
            Err(Error::new_spanned(field.ty, "`rest` takes all of the input: nothing can follow it"))
        }
        None => Ok(()),
    }
}

fn expand_write(input: &DeriveInput, fields: &[SpanField<'_>]) -> TokenStream {
    let name = &input.ident;
    let generics = with_bounds(&input.generics, &quote!(::alloclab::codec::span::SpanSerialize));
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let sizes: Vec<_> = fields.iter().filter_map(SpanField::size).collect();
    let runs = runs(&sizes);
    let statements = with_runs(fields, "writer", SpanField::write);
    quote! {
        #[automatically_derived]
        impl #impl_generics ::alloclab::codec::span::SpanSerialize for #name #type_generics #where_clause {
            const SIZE: ::alloclab::codec::span::Size = ::alloclab::codec::span::Size::sum([#(#sizes),*]);

            #[inline(always)]
            fn write<SpanF: ::alloclab::codec::span::SpanFormat>(
                &self,
                writer: &mut ::alloclab::codec::span::SpanWriter<'_, SpanF>,
            ) -> ::core::result::Result<(), ::alloclab::codec::span::EncodeError> {
                #runs
                #statements
                ::core::result::Result::Ok(())
            }
        }
    }
}

fn expand_read(input: &DeriveInput, fields: &[SpanField<'_>]) -> Result<TokenStream> {
    let name = &input.ident;
    let (lifetime, is_new) = input_lifetime(&input.generics)?;
    let bound = quote!(::alloclab::codec::span::SpanDeserialize<#lifetime>);
    let mut generics = with_bounds(&input.generics, &bound);
    let (_, type_generics, _) = input.generics.split_for_impl();
    if is_new {
        generics.params.insert(0, GenericParam::Lifetime(LifetimeParam::new(lifetime.clone())));
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let sizes: Vec<_> = fields.iter().filter_map(SpanField::size).collect();
    let runs = runs(&sizes);
    let statements = with_runs(fields, "reader", SpanField::read);
    let members = fields.iter().map(|field| &field.member);
    let locals = fields.iter().map(SpanField::local);
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #bound for #name #type_generics #where_clause {
            #[inline(always)]
            fn read<SpanF: ::alloclab::codec::span::SpanFormat>(
                reader: &mut ::alloclab::codec::span::SpanReader<#lifetime, SpanF>,
            ) -> ::core::result::Result<Self, ::alloclab::codec::DecodeError> {
                #runs
                #statements
                ::core::result::Result::Ok(Self { #(#members: #locals),* })
            }
        }
    })
}

/// The bytes to check for in front of each field.
fn runs(sizes: &[TokenStream]) -> TokenStream {
    quote! {
        let runs = const { ::alloclab::codec::span::Size::runs([#(#sizes),*]) };
    }
}

/// The statement of each field, behind the check of `stream` for the run that may start there.
fn with_runs<'a>(
    fields: &[SpanField<'a>],
    stream: &str,
    statement: impl Fn(&SpanField<'a>) -> TokenStream,
) -> TokenStream {
    let stream = Ident::new(stream, Span::call_site());
    let mut written = 0_usize;
    let mut statements = TokenStream::new();
    for field in fields {
        if !matches!(field.layout, Layout::Skip) {
            statements.extend(quote!(#stream.require(runs[#written])?;));
            written += 1;
        }
        statements.extend(statement(field));
    }
    statements
}

impl SpanField<'_> {
    /// The field's `Size`, if it is written.
    fn size(&self) -> Option<TokenStream> {
        let ty = self.ty;
        let size = quote!(::alloclab::codec::span::Size);
        match &self.layout {
            Layout::Skip => None,
            Layout::Plain => {
                let span = self.span();
                Some(quote_spanned!(span=> <#ty as ::alloclab::codec::span::SpanSerialize>::SIZE))
            }
            Layout::EncodeInt => Some(quote!(#size::AtLeast(1))),
            Layout::FullTime => Some(quote!(#size::Fixed(8))),
            Layout::Width(width) => Some(quote!(#size::Fixed(#width))),
            Layout::Rest | Layout::Flagless => Some(quote!(#size::AtLeast(0))),
        }
    }

    fn write(&self) -> TokenStream {
        let (member, span) = (&self.member, self.span());
        match &self.layout {
            Layout::Skip => TokenStream::new(),
            Layout::Plain => quote_spanned!(span=> writer.write(&self.#member)?;),
            Layout::EncodeInt => quote_spanned!(span=> writer.write_encoded(self.#member)?;),
            Layout::FullTime => quote_spanned!(span=> writer.write_full_time(self.#member)?;),
            Layout::Width(width) => quote_spanned!(span=> writer.write_fixed_str(&self.#member, #width)?;),
            Layout::Rest => quote_spanned!(span=> writer.write_raw(self.#member.as_bytes())?;),
            Layout::Flagless => {
                quote_spanned!(span=> writer.write_flagless(::core::option::Option::as_ref(&self.#member))?;)
            }
        }
    }

    fn read(&self) -> TokenStream {
        let (local, ty, span) = (self.local(), self.ty, self.span());
        let value = match &self.layout {
            Layout::Skip => quote_spanned!(span=> ::core::default::Default::default()),
            Layout::Plain => quote_spanned!(span=> reader.read::<#ty>()?),
            Layout::EncodeInt => quote_spanned!(span=> reader.read_encoded()?),
            Layout::FullTime => quote_spanned!(span=> reader.read_full_time()?),
            Layout::Width(width) => {
                quote_spanned!(span=> ::core::convert::From::from(reader.read_fixed_str(#width)?))
            }
            Layout::Rest => quote_spanned!(span=> ::core::convert::From::from(reader.read_rest_str()?)),
            Layout::Flagless => quote_spanned!(span=> reader.read_flagless()?),
        };
        quote_spanned!(span=> let #local: #ty = #value;)
    }

    /// Errors are to point at the field's type; names are to be those of the derive.
    fn span(&self) -> Span {
        Span::call_site().located_at(self.ty.span())
    }

    /// The name under which a value is kept until the struct is built.
    fn local(&self) -> Ident {
        match &self.member {
            Member::Named(name) => Ident::new(&format!("field_{name}").replace("r#", ""), name.span()),
            Member::Unnamed(index) => Ident::new(&format!("field_{}", index.index), index.span),
        }
    }
}

/// The generics, with a bound on each type parameter.
fn with_bounds(generics: &Generics, bound: &TokenStream) -> Generics {
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#bound));
    }
    generics
}

/// The lifetime of the input: the struct's own, or a new one.
fn input_lifetime(generics: &Generics) -> Result<(Lifetime, bool)> {
    let mut lifetimes = generics.lifetimes();
    let first = lifetimes.next();
    if let Some(second) = lifetimes.next() {
        let message = "all fields borrow from the same input: one lifetime is enough";
        return Err(Error::new_spanned(second.to_token_stream(), message));
    }
    Ok(match first {
        Some(parameter) => (parameter.lifetime.clone(), false),
        None => (Lifetime::new("'span_input", Span::call_site()), true),
    })
}
