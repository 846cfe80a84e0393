//! A snapshot by type and by call site in one step, for programs that look at themselves.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use super::{Attribution, Attributor, Names, Options, SiteTypes};
use crate::error::Result;
use crate::flags;
use crate::snapshot::{Counts, Site, Snapshot};
use crate::symbolize::Symbols;

/// What a snapshot allocated, by type, each with the places in the program that did.
///
/// `Display` prints it as a table, most bytes first, and below it what the build lacks and how to have it.
///
/// # Examples
/// ```
/// use alloclab::attribute::Summary;
/// use alloclab::recorder::{Recorder, measure};
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let measured = measure(|| (0..3).map(|number| number.to_string()).collect::<Vec<_>>()).unwrap();
/// let summary = Summary::of(&measured.snapshot)?;
/// assert_eq!(summary.types.iter().map(|row| row.allocations).sum::<u64>(), 4);
/// println!("{summary}");
/// # Ok::<(), alloclab::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The types, most bytes first.
    pub types: Vec<TypeSummary>,
}

/// What a snapshot allocated under each label, by type. See [`Summary::by_label`].
///
/// `Display` prints a table for each label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSummaries {
    /// The labels, most bytes first; last, what was allocated outside of all.
    pub labels: Vec<LabelSummary>,
}

/// What was allocated under one label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSummary {
    /// The label's name; none for what was allocated outside of all labels.
    pub label: Option<String>,
    /// What was allocated, by type.
    pub summary: Summary,
}

/// A type, and what was allocated of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeSummary {
    /// Its name, in the shortest form that is unambiguous in the snapshot.
    pub name: String,
    /// Fresh blocks.
    pub allocations: u64,
    /// Reallocations.
    pub reallocations: u64,
    /// Fresh bytes and growth.
    pub bytes: u64,
    /// Who allocated it, most bytes first.
    pub sites: Vec<SiteSummary>,
}

/// A place in the program that allocated: the first function on the stack that is the program's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteSummary {
    /// The function, short; the outermost there is if none is the program's own.
    pub function: String,
    /// File and line of the call that allocated, where the program has debug information.
    pub location: Option<String>,
    /// Fresh blocks.
    pub allocations: u64,
    /// Reallocations.
    pub reallocations: u64,
    /// Fresh bytes and growth.
    pub bytes: u64,
}

impl Summary {
    /// Names the types and sites of a snapshot of this process.
    ///
    /// # Errors
    /// If the program's own file cannot be read.
    pub fn of(snapshot: &Snapshot) -> Result<Self> {
        let (mut attributor, attribution) = attribute(snapshot)?;
        let names = attributor.names();
        Ok(Self::of_sites(&mut attributor, &names, std::iter::zip(&snapshot.sites, &attribution.sites)))
    }

    /// Names the types and sites of a snapshot of this process, for each [`Label`](crate::recorder::Label) apart.
    ///
    /// # Errors
    /// If the program's own file cannot be read.
    ///
    /// # Examples
    /// ```
    /// use alloclab::attribute::Summary;
    /// use alloclab::recorder::{Label, Recorder, measure};
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// let measured = measure(|| {
    ///     let text = Label::new("read").in_scope(|| "1 2 3".to_owned());
    ///     let words: Vec<&str> = Label::new("split").in_scope(|| text.split(' ').collect());
    ///     words.len()
    /// });
    /// let summary = Summary::by_label(&measured.unwrap().snapshot)?;
    /// let labels: Vec<_> = summary.labels.iter().map(|part| part.label.as_deref()).collect();
    /// assert_eq!(labels, [Some("split"), Some("read")]);
    /// println!("{summary}");
    /// # Ok::<(), alloclab::error::Error>(())
    /// ```
    pub fn by_label(snapshot: &Snapshot) -> Result<LabelSummaries> {
        let (mut attributor, attribution) = attribute(snapshot)?;
        let names = attributor.names();
        let mut labels = BTreeMap::<Option<&String>, Vec<(&Site, &SiteTypes)>>::new();
        let sites = std::iter::zip(&snapshot.sites, &attribution.sites);
        for (site, types) in sites.filter(|(site, _)| site.counts.requests() > 0) {
            let label = site.label.and_then(|index| snapshot.labels.get(index as usize));
            labels.entry(label).or_default().push((site, types));
        }
        let summaries = labels.into_iter().map(|(label, sites)| LabelSummary {
            label: label.cloned(),
            summary: Self::of_sites(&mut attributor, &names, sites),
        });
        let mut labels: Vec<_> = summaries.collect();
        labels.sort_by_key(|part| (part.label.is_none(), Reverse(part.summary.bytes())));
        Ok(LabelSummaries { labels })
    }

    /// Bytes of all types.
    fn bytes(&self) -> u64 {
        self.types.iter().map(|row| row.bytes).sum()
    }

    fn of_sites<'a>(
        attributor: &mut Attributor,
        names: &Names,
        sites: impl IntoIterator<Item = (&'a Site, &'a SiteTypes)>,
    ) -> Self {
        let mut types = BTreeMap::<&str, BTreeMap<Place, Counts>>::new();
        let requesting = sites.into_iter().filter(|(site, _)| site.counts.requests() > 0);
        for (site, site_types) in requesting {
            let places = types.entry(names.short(site_types.owner)).or_default();
            places.entry(Place::of(attributor.stack(site))).or_default().add(&site.counts);
        }
        let mut types: Vec<_> = types.into_iter().map(|(name, places)| type_row(name, places)).collect();
        types.sort_by_key(|row| Reverse((row.bytes, row.allocations)));
        Self { types }
    }
}

fn attribute(snapshot: &Snapshot) -> Result<(Attributor, Attribution)> {
    let mut attributor = Attributor::new(Symbols::load(&snapshot.modules)?, Options::default());
    let attribution = attributor.attribute(snapshot);
    Ok((attributor, attribution))
}

/// Function and location.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place(String, Option<String>);

impl Place {
    fn of(stack: super::Stack) -> Self {
        let own = stack.own_frame.and_then(|index| stack.frames.get(index)).or(stack.frames.last());
        let text =
            own.map(|frame| (frame.function.to_string(), frame.location.as_deref().map(str::to_owned)));
        let (function, location) = text.unwrap_or_else(|| ("(no stack)".to_owned(), None));
        Self(function, location)
    }
}

fn type_row(name: &str, places: BTreeMap<Place, Counts>) -> TypeSummary {
    let mut row = TypeSummary { name: name.to_owned(), ..TypeSummary::default() };
    for (Place(function, location), counts) in places {
        let Counts { allocations, reallocations, .. } = counts;
        let bytes = counts.requested_bytes();
        row.allocations += allocations;
        row.reallocations += reallocations;
        row.bytes += bytes;
        row.sites.push(SiteSummary { function, location, allocations, reallocations, bytes });
    }
    row.sites.sort_by_key(|site| Reverse((site.bytes, site.allocations)));
    row
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_types(f)?;
        write_missing_flags(f)
    }
}

impl Summary {
    fn write_types(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>12} {:>14} {:>14}  type, and who allocated it",
            "allocations", "reallocations", "bytes"
        )?;
        for row in &self.types {
            let TypeSummary { name, allocations, reallocations, bytes, sites } = row;
            writeln!(f, "{allocations:>12} {reallocations:>14} {bytes:>14}  {name}")?;
            for SiteSummary { function, location, allocations, reallocations, bytes } in sites {
                let location = location.as_deref().unwrap_or("");
                writeln!(f, "{allocations:>12} {reallocations:>14} {bytes:>14}      {function}  {location}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for LabelSummaries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for LabelSummary { label, summary } in &self.labels {
            let sum = |figure: fn(&TypeSummary) -> u64| summary.types.iter().map(figure).sum::<u64>();
            let (allocations, reallocations) = (sum(|row| row.allocations), sum(|row| row.reallocations));
            writeln!(f, "{}", label.as_deref().unwrap_or("(no label)"))?;
            summary.write_types(f)?;
            writeln!(f, "{allocations:>12} {reallocations:>14} {:>14}  in total\n", summary.bytes())?;
        }
        write_missing_flags(f)
    }
}

fn write_missing_flags(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for flag in flags::missing() {
        writeln!(f, "built without `{}`: {}", flag.text, flag.lost)?;
    }
    flags::remedy().map_or(Ok(()), |remedy| writeln!(f, "{remedy}"))
}
