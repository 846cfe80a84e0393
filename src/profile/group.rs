//! The rows of a group: what its lists multiply out to.

use std::collections::HashSet;
use std::fmt::Display;
use std::hash::Hash;
use std::ops::Range;

use serde_spanned::Spanned;

use crate::codec::{self, Codec, Operation, Request, Variant};
use crate::error::{Error, ErrorKind, Result};
use crate::model::ModelKind;
use crate::plan::{CaseKey, ModelledObject, PlannedCase, Prepared, Reference, Subject};

use super::name::find_named;
use super::published::PublishedTable;
use super::schema::{CaseTable, GroupTable, Many};
use super::source::Source;

/// Most values in a batch, and most iterations of a parallel call.
pub const MAX_SIZE: u32 = 1_000_000;

/// A row and where the profile asks for it.
pub(super) struct Row {
    pub(super) case: PlannedCase,
    pub(super) span: Range<usize>,
}

impl Row {
    /// Whether its values go through a file.
    pub(super) fn is_through_file(&self) -> bool {
        [Variant::Ready, Variant::Lazy].map(Variant::name).contains(&&*self.case.key.variant)
    }
}

/// A case of a codec.
struct CodecCase {
    codec: &'static dyn Codec,
    request: Request,
}

impl CodecCase {
    /// Its names, for a row of one thread.
    fn key(&self) -> CaseKey {
        let Request { model, operation, variant, batch } = self.request;
        CaseKey {
            codec: self.codec.name().to_owned(),
            model: model.name().to_owned(),
            operation: operation.name().to_owned(),
            variant: variant.name().to_owned(),
            batch,
            threads: 1,
        }
    }
}

impl Subject for CodecCase {
    fn prepare(&self) -> Option<Prepared> {
        self.codec.prepare(&self.request)
    }

    fn modelled_objects(&self) -> Vec<ModelledObject> {
        self.codec.objects(&self.request)
    }
}

/// A group of the profile, with what its rows need to know.
pub(super) struct Group<'a> {
    pub(super) source: &'a Source,
    pub(super) table: &'a GroupTable,
    /// The iterations of a row, from those that its case says.
    pub(super) iterations: &'a dyn Fn(Option<&Spanned<u64>>) -> Result<u64>,
    pub(super) published: &'a PublishedTable,
    /// Tables of others, each with who measured it.
    pub(super) references: &'a [(&'a str, PublishedTable)],
}

/// Where values of a batch or iterations of a parallel call are counted.
#[derive(Clone, Copy)]
struct Size {
    batch: u32,
    threads: u32,
}

/// Rows of one group at most: more than anyone reads, and few enough to be made at once.
const MAX_ROWS: usize = 10_000;

/// Codec, model, operation and variant of a row.
type Columns = (&'static dyn Codec, ModelKind, Operation, Variant);

impl Group<'_> {
    /// The rows of the groups of all sizes.
    pub(super) fn rows(&self) -> Result<Vec<Row>> {
        let baseline = self.baseline()?;
        let mut rows = Vec::new();
        for size in self.sizes()? {
            for case in self.table.cases.get_ref() {
                self.push_rows(&mut rows, case, size, &baseline)?;
            }
        }
        if !rows.is_empty() && !rows.iter().any(|row| row.case.baseline) {
            let error = Error::new(ErrorKind::Malformed, "the baseline is not a row of its group");
            return Err(error.at(self.source.place(&self.table.baseline.span(), "baseline")));
        }
        Ok(rows)
    }

    fn push_rows(
        &self,
        rows: &mut Vec<Row>,
        spanned: &Spanned<CaseTable>,
        Size { batch, threads }: Size,
        baseline: &CaseKey,
    ) -> Result<()> {
        let group = self.name(Size { batch, threads });
        let iterations = (self.iterations)(spanned.get_ref().iterations.as_ref())?;
        for (codec, model, operation, variant) in self.columns(spanned)? {
            let subject = CodecCase { codec, request: Request { model, operation, variant, batch } };
            let key = CaseKey { batch, threads, ..subject.key() };
            let case = PlannedCase {
                objects: model.objects(),
                iterations,
                group: group.clone(),
                baseline: key == CaseKey { batch, threads, ..baseline.clone() },
                subject: Box::new(subject),
                published: self.published.get(&key).cloned(),
                references: self.references_of(&key),
                key,
            };
            rows.push(Row { case, span: spanned.span() });
            if rows.len() > MAX_ROWS {
                return Err(Error::new(
                    ErrorKind::Malformed,
                    format!("a group has more than {MAX_ROWS} rows"),
                )
                .at(self.source.place(&spanned.span(), "cases"))
                .with_help("shorten its lists: every combination is a row"));
            }
        }
        Ok(())
    }

    /// What others found to be allocated in a case, the write-up first.
    fn references_of(&self, key: &CaseKey) -> Vec<Reference> {
        let published = std::iter::once(("published", self.published));
        let tables = published.chain(self.references.iter().map(|(source, table)| (*source, table)));
        let found = tables.filter_map(|(source, table)| Some((source, table.get(key)?)));
        found
            .filter(|(_, row)| !row.types.is_empty())
            .map(|(source, row)| Reference { source: source.to_owned(), types: row.types.clone() })
            .collect()
    }

    /// The combinations of a case's lists, the last list fastest.
    fn columns(&self, spanned: &Spanned<CaseTable>) -> Result<Vec<Columns>> {
        let case = spanned.get_ref();
        let codecs = self.named(&case.codec, "codec", codec::all(), |codec| codec.name())?;
        let models = self.named(&case.model, "model", &ModelKind::ALL, ModelKind::name)?;
        let operations = self.own_or_group(spanned, &case.operation, &self.table.operation, "operation")?;
        let operations = self.named(operations, "operation", &Operation::ALL, Operation::name)?;
        let variants = self.variants(spanned)?;
        let mut columns = Vec::new();
        for &codec in &codecs {
            for &model in &models {
                for &operation in &operations {
                    columns.extend(variants.iter().map(|&variant| (codec, model, operation, variant)));
                }
            }
        }
        Ok(columns)
    }

    fn variants(&self, spanned: &Spanned<CaseTable>) -> Result<Vec<Variant>> {
        let case = spanned.get_ref();
        let typed = self.own_or_group(spanned, &case.variant, &self.table.variant, "variant")?;
        let variants = self.named(typed, "variant", &Variant::ALL, Variant::name)?;
        for (&variant, (_, span)) in variants.iter().zip(&typed.values) {
            self.check_size_key(variant, Variant::Batch, "batch", self.table.batch.is_some(), span)?;
            self.check_size_key(variant, Variant::Concurrent, "threads", self.table.threads.is_some(), span)?;
        }
        Ok(variants)
    }

    /// A size belongs to the variant that has one, and the other way around.
    fn check_size_key(
        &self,
        variant: Variant,
        sized: Variant,
        key: &str,
        given: bool,
        span: &Range<usize>,
    ) -> Result<()> {
        if (variant == sized) == given {
            return Ok(());
        }
        let (group, sized) = (self.table.name.get_ref(), sized.name());
        let message = if given {
            format!("the group `{group}` has the key `{key}`, which is for the variant `{sized}` alone")
        } else {
            format!("the variant `{sized}` needs the key `{key}` in its group `{group}`")
        };
        Err(Error::new(ErrorKind::Malformed, message)
            .at(self.source.place(span, "variant"))
            .with_help(format!("for example `variant = \"{sized}\"` and `{key} = [8, 32]` in one group")))
    }

    fn own_or_group<'t, T>(
        &self,
        case: &Spanned<CaseTable>,
        own: &'t Option<Many<T>>,
        group: &'t Option<Many<T>>,
        key: &str,
    ) -> Result<&'t Many<T>> {
        own.as_ref().or(group.as_ref()).ok_or_else(|| self.without(&case.span(), "cases", key))
    }

    fn without(&self, span: &Range<usize>, place: &str, key: &str) -> Error {
        let message = format!("neither this row nor its group says one `{key}`");
        Error::new(ErrorKind::Malformed, message)
            .at(self.source.place(span, place))
            .with_help(format!("add the key `{key}` here or to the group"))
    }

    /// What the names of a list stand for.
    fn named<T: Copy>(
        &self,
        typed: &Many<String>,
        key: &str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<Vec<T>> {
        let find = |(typed, span): &(String, Range<usize>)| {
            find_named(key, typed, all, &name).map_err(|error| error.at(self.source.place(span, key)))
        };
        self.check_repeats(typed, key)?;
        typed.values.iter().map(find).collect()
    }

    /// A value that a list names twice would make every row of it twice, multiplied by what other lists repeat.
    fn check_repeats<T: Eq + Hash + Display>(&self, typed: &Many<T>, key: &str) -> Result<()> {
        let mut seen = HashSet::new();
        match typed.values.iter().find(|(value, _)| !seen.insert(value)) {
            Some((value, span)) => {
                Err(Error::new(ErrorKind::Malformed, format!("`{value}` stands in the list twice"))
                    .at(self.source.place(span, key))
                    .with_help("name it once"))
            }
            None => Ok(()),
        }
    }

    /// The baseline, at whatever size.
    fn baseline(&self) -> Result<CaseKey> {
        let table = self.table.baseline.get_ref();
        let codec = self.named(&one(&table.codec), "codec", codec::all(), |codec| codec.name())?[0];
        let model = self.named(&one(&table.model), "model", &ModelKind::ALL, ModelKind::name)?[0];
        let operation = self.baseline_name(&table.operation, &self.table.operation, "operation")?;
        let operation = self.named(&operation, "operation", &Operation::ALL, Operation::name)?[0];
        let variant = self.baseline_name(&table.variant, &self.table.variant, "variant")?;
        let variant = self.named(&variant, "variant", &Variant::ALL, Variant::name)?[0];
        Ok(CodecCase { codec, request: Request { model, operation, variant, batch: 1 } }.key())
    }

    /// What the baseline says, or what its group says once and for all.
    fn baseline_name(
        &self,
        own: &Option<Spanned<String>>,
        group: &Option<Many<String>>,
        key: &str,
    ) -> Result<Many<String>> {
        match (own, group) {
            (Some(own), _) => Ok(one(own)),
            (None, Some(Many { values })) if let [(value, span)] = values.as_slice() => {
                Ok(Many { values: vec![(value.clone(), span.clone())] })
            }
            _ => Err(self.without(&self.table.baseline.span(), "baseline", key)),
        }
    }

    fn sizes(&self) -> Result<Vec<Size>> {
        let batches = self.checked_sizes(&self.table.batch, "batch")?;
        let threads = self.checked_sizes(&self.table.threads, "threads")?;
        Ok(batches
            .iter()
            .flat_map(|&batch| threads.iter().map(move |&threads| Size { batch, threads }))
            .collect())
    }

    fn checked_sizes(&self, typed: &Option<Many<u32>>, key: &str) -> Result<Vec<u32>> {
        let Some(typed) = typed else { return Ok(vec![1]) };
        let check = |&(size, ref span): &(u32, Range<usize>)| {
            if (1..=MAX_SIZE).contains(&size) {
                return Ok(size);
            }
            let message = format!("{size} is not between 1 and {MAX_SIZE}");
            Err(Error::new(ErrorKind::Malformed, message).at(self.source.place(span, key)))
        };
        self.check_repeats(typed, key)?;
        typed.values.iter().map(check).collect()
    }

    /// The group's name at a size.
    fn name(&self, Size { batch, threads }: Size) -> String {
        let name = self.table.name.get_ref();
        name.replace("{batch}", &batch.to_string()).replace("{threads}", &threads.to_string())
    }
}

fn one(typed: &Spanned<String>) -> Many<String> {
    Many { values: vec![(typed.get_ref().clone(), typed.span())] }
}
