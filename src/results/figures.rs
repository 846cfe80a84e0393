//! What an operation asks for, and two such figures side by side.

use serde::Serialize;

use super::{Case, SiteRow, TypeRow};

/// What one operation asks the allocator for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Fresh blocks per operation.
    pub allocations_per_op: f64,
    /// Reallocations per operation.
    pub reallocations_per_op: f64,
    /// Fresh bytes and growth per operation.
    pub bytes_per_op: f64,
    /// The whole window's, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
}

/// Whole numbers of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Fresh blocks.
    pub allocations: u64,
    /// Reallocations.
    pub reallocations: u64,
    /// Fresh bytes and growth.
    pub bytes: u64,
}

/// What is counted of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Fresh blocks.
    Allocations,
    /// Reallocations.
    Reallocations,
    /// Fresh bytes and growth.
    Bytes,
}

impl Metric {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Allocations, Self::Reallocations, Self::Bytes];

    /// Its name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allocations => "allocations",
            Self::Reallocations => "reallocations",
            Self::Bytes => "bytes",
        }
    }

    /// How much of it an operation asks for.
    ///
    /// # Examples
    /// ```
    /// use alloclab::results::{Figures, Metric};
    ///
    /// let figures = Figures { bytes_per_op: 24.0, ..Figures::default() };
    /// assert_eq!(Metric::ALL.map(|metric| metric.per_op(&figures)), [0.0, 0.0, 24.0]);
    /// ```
    pub const fn per_op(self, figures: &Figures) -> f64 {
        match self {
            Self::Allocations => figures.allocations_per_op,
            Self::Reallocations => figures.reallocations_per_op,
            Self::Bytes => figures.bytes_per_op,
        }
    }
}

impl Figures {
    /// The figures of a window of so many operations.
    ///
    /// # Examples
    /// ```
    /// use alloclab::results::{Counts, Figures};
    ///
    /// let figures = Figures::of(Counts { allocations: 1, reallocations: 0, bytes: 24 }, 8);
    /// assert_eq!(figures.bytes_per_op, 3.0);
    /// ```
    pub fn of(counts: Counts, operations: u64) -> Self {
        let per_op = |count: u64| count as f64 / operations.max(1) as f64;
        Self {
            allocations_per_op: per_op(counts.allocations),
            reallocations_per_op: per_op(counts.reallocations),
            bytes_per_op: per_op(counts.bytes),
            counts: Some(counts),
        }
    }

    /// The figures of a whole case.
    pub fn of_case(case: &Case) -> Self {
        let totals = &case.totals;
        let bytes = totals.allocated_bytes.saturating_add(totals.grown_bytes);
        let counts = Counts { allocations: totals.allocations, reallocations: totals.reallocations, bytes };
        Self {
            allocations_per_op: case.allocations_per_op,
            reallocations_per_op: case.reallocations_per_op,
            bytes_per_op: case.bytes_per_op,
            counts: Some(counts),
        }
    }

    /// Allocations and reallocations per operation.
    pub fn requests_per_op(&self) -> f64 {
        self.allocations_per_op + self.reallocations_per_op
    }

    /// Whether an operation asks for the same, however many operations there were.
    pub fn equals_per_op(&self, other: &Self) -> bool {
        let per_op = |figures: &Self| Self { counts: None, ..*figures };
        per_op(self) == per_op(other)
    }
}

impl Counts {
    pub(super) fn of_type(row: &TypeRow) -> Self {
        Self { allocations: row.allocations, reallocations: row.reallocations, bytes: row.bytes }
    }

    /// The sum over sites. A file may hold any figures: what is more than a number can hold is the largest number.
    pub(super) fn of_sites<'a>(sites: impl IntoIterator<Item = &'a SiteRow>) -> Self {
        sites.into_iter().fold(Self::default(), |sum, site| Self {
            allocations: sum.allocations.saturating_add(site.allocations),
            reallocations: sum.reallocations.saturating_add(site.reallocations),
            bytes: sum.bytes.saturating_add(site.bytes),
        })
    }
}

/// Figures of the same thing in an old and in a new run; none where it does not allocate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sides {
    /// Before.
    pub old: Option<Figures>,
    /// Now.
    pub new: Option<Figures>,
}

/// How the new side stands to the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It allocates, and did not before.
    Appeared,
    /// More bytes per operation; or as many, in more requests.
    Grew,
    /// Fewer bytes per operation; or as many, in fewer requests.
    Shrank,
    /// It does not allocate any more.
    Gone,
}

impl Change {
    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Appeared => "appeared",
            Self::Grew => "grew",
            Self::Shrank => "shrank",
            Self::Gone => "gone",
        }
    }
}

impl Sides {
    /// What changed from one side to the other; nothing where an operation asks for the same.
    ///
    /// # Examples
    /// ```
    /// use alloclab::results::{Change, Figures, Sides};
    ///
    /// let one = Some(Figures { allocations_per_op: 1.0, bytes_per_op: 24.0, ..Figures::default() });
    /// assert_eq!(Sides { old: None, new: one }.change(), Some(Change::Appeared));
    /// assert_eq!(Sides { old: one, new: one }.change(), None);
    /// ```
    pub fn change(&self) -> Option<Change> {
        let (old, new) = match (&self.old, &self.new) {
            (None, None) => return None,
            (None, Some(_)) => return Some(Change::Appeared),
            (Some(_), None) => return Some(Change::Gone),
            (Some(old), Some(new)) => (old, new),
        };
        let order = new
            .bytes_per_op
            .total_cmp(&old.bytes_per_op)
            .then(new.requests_per_op().total_cmp(&old.requests_per_op()))
            .then(new.allocations_per_op.total_cmp(&old.allocations_per_op));
        match order {
            std::cmp::Ordering::Less => Some(Change::Shrank),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Change::Grew),
        }
    }

    /// New minus old, per operation: what is not there is nothing.
    pub fn growth(&self) -> Figures {
        let (old, new) = (self.old.unwrap_or_default(), self.new.unwrap_or_default());
        Figures {
            allocations_per_op: new.allocations_per_op - old.allocations_per_op,
            reallocations_per_op: new.reallocations_per_op - old.reallocations_per_op,
            bytes_per_op: new.bytes_per_op - old.bytes_per_op,
            counts: None,
        }
    }
}
