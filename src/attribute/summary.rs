//! A snapshot by type and by call site in one step, for programs that look at themselves.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use super::{Attributor, Options};
use crate::error::Result;
use crate::flags;
use crate::snapshot::{Counts, Snapshot};
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
        let mut attributor = Attributor::new(Symbols::load(&snapshot.modules)?, Options::default());
        let attribution = attributor.attribute(snapshot);
        let names = attributor.names();
        let mut types = BTreeMap::<&str, BTreeMap<Place, Counts>>::new();
        let sites = std::iter::zip(&snapshot.sites, &attribution.sites);
        for (site, site_types) in sites.filter(|(site, _)| site.counts.requests() > 0) {
            let places = types.entry(names.short(site_types.owner)).or_default();
            places.entry(Place::of(attributor.stack(site))).or_default().add(&site.counts);
        }
        let mut types: Vec<_> = types.into_iter().map(|(name, places)| type_row(name, places)).collect();
        types.sort_by_key(|row| Reverse((row.bytes, row.allocations)));
        Ok(Self { types })
    }
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
        for flag in flags::missing() {
            writeln!(f, "built without `{}`: {}", flag.text, flag.lost)?;
        }
        flags::remedy().map_or(Ok(()), |remedy| writeln!(f, "{remedy}"))
    }
}
