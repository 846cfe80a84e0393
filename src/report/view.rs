//! What of the results is shown.

use crate::results::SiteRow;

/// What a rendering shows. Formats that hold the whole results, as `json` and `html`, show all of them whatever it says;
/// stacks go by the weight alone.
///
/// # Examples
/// ```
/// use alloclab::report::{By, View};
///
/// let view = View { all: true, by: By::Site, top: Some(5), ..View::default() };
/// assert_eq!(view.width, 100);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The cases side by side, and nothing else.
    pub side_by_side: bool,
    /// Every row and column of the summary, instead of single operations in eight columns.
    pub all: bool,
    /// A breakdown of every row, instead of one for each codec and operation.
    pub every_breakdown: bool,
    /// What allocations are told apart by.
    pub by: By,
    /// What the frames of a flame graph and of folded stacks are weighed by.
    pub weight: Weight,
    /// Rows of each breakdown; the others are summed in its last line.
    pub top: Option<usize>,
    /// Columns of the terminal; at least 60 are used.
    pub width: usize,
    /// Whether lines are set off by ANSI colors.
    pub color: bool,
}

impl Default for View {
    /// Single operations by type, on 100 columns without color.
    fn default() -> Self {
        Self {
            side_by_side: false,
            all: false,
            every_breakdown: false,
            by: By::Type,
            weight: Weight::Bytes,
            top: None,
            width: 100,
            color: false,
        }
    }
}

/// What allocations are told apart by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The type that owns the blocks.
    #[default]
    Type,
    /// The type of the block itself.
    Block,
    /// The call site.
    Site,
    /// The calls that lead to the sites.
    Tree,
    /// The label that the thread had, and under it the type that owns the blocks.
    Label,
}

impl By {
    /// Every way, in the order in which help shows them.
    pub const ALL: [Self; 5] = [Self::Type, Self::Block, Self::Site, Self::Tree, Self::Label];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Block => "block",
            Self::Site => "site",
            Self::Tree => "tree",
            Self::Label => "label",
        }
    }
}

/// What stacks are weighed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weight {
    /// Bytes asked for: fresh ones, and those by which reallocations grew.
    #[default]
    Bytes,
    /// Allocations and reallocations.
    Count,
    /// Live bytes at the peak.
    Peak,
}

impl Weight {
    /// Every weight, in the order in which help shows them.
    pub const ALL: [Self; 3] = [Self::Bytes, Self::Count, Self::Peak];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::Peak => "peak",
        }
    }

    /// The site's figure that this weight counts.
    pub fn of(self, site: &SiteRow) -> u64 {
        match self {
            Self::Bytes => site.bytes,
            Self::Count => site.allocations.saturating_add(site.reallocations),
            Self::Peak => site.peak_bytes,
        }
    }
}
