//! From call stacks to types: which type a block is, and which container owns it.
//!
//! Rust's allocator is never told a type. It stands in the names of the functions around it, inlined ones included:
//! `<alloc::vec::Vec<u8>>::with_capacity`. The walk starts at the allocator and goes outward through the standard library;
//! the innermost container is the type of the block, the outermost before the program's own code is its owner. Exceptions
//! keep it from naming what only looks, iterates or holds.
//!
//! Where a crate asks the allocator itself, its method's type is both, and only in crates of containers the owner is the
//! outermost type of theirs: in any other, who calls the method may just use it.

mod canonical;
mod container;
mod function;
mod judge;
mod names;
mod stack;
mod standard;
mod summary;
mod text;
mod third_party;
mod walk;

use std::collections::HashMap;
use std::rc::Rc;

pub use names::{Names, TypeName};
pub use stack::{Stack, StackFrame};
pub use summary::{LabelSummaries, LabelSummary, SiteSummary, Summary, TypeSummary};

use crate::snapshot::{Site, SiteKind, Snapshot};
use crate::symbolize::mangling::TypeId;
use crate::symbolize::{SymbolId, Symbols};
use judge::Judge;
use walk::Verdict;

/// What a caller knows that names do not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Further crates whose types are containers: they own what standard containers hold for them. Names as in paths,
    /// with underscores.
    pub container_crates: Vec<String>,
}

/// A type that was allocated, or what stands in its place where none is known; see [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AllocatedType(u32);

/// The types of a snapshot's sites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribution {
    /// In the order of [`Snapshot::sites`].
    pub sites: Vec<SiteTypes>,
}

/// The types of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteTypes {
    /// The outermost container before the program's own code.
    pub owner: AllocatedType,
    /// The type of the block itself.
    pub block: AllocatedType,
    /// Whether only an address that several functions share tells the type; then its name lists all candidates.
    pub merged: bool,
    /// Whether nothing tells the type.
    pub untyped: bool,
    /// Whether a thread pool asked for the memory, for itself.
    pub harness: bool,
}

/// What stands behind an [`AllocatedType`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Allocated {
    Type(TypeId),
    Candidates(Rc<[TypeId]>),
    Untyped(Option<SymbolId>),
    Overflow,
    Outside,
}

/// Finds types and readable stacks for the snapshots of a process.
///
/// It keeps what it learned: one attributor for all snapshots of a run judges every function once, and its
/// [`names`](Attributor::names) tell the types of all of them apart.
///
/// # Examples
/// ```no_run
/// use alloclab::attribute::{Attributor, Options};
/// use alloclab::symbolize::Symbols;
/// # let snapshot = alloclab::snapshot::Snapshot::default();
///
/// let mut attributor = Attributor::new(Symbols::load(&snapshot.modules)?, Options::default());
/// let attribution = attributor.attribute(&snapshot);
/// let names = attributor.names();
/// for (site, types) in snapshot.sites.iter().zip(&attribution.sites) {
///     println!("{}: {}", names.short(types.owner), site.counts.allocations);
/// }
/// # Ok::<(), alloclab::error::Error>(())
/// ```
pub struct Attributor {
    judge: Judge,
    allocated: Vec<Allocated>,
    indices: HashMap<Allocated, AllocatedType>,
    program: Option<String>,
}

impl Attributor {
    /// An attributor for the process of these symbols.
    pub fn new(symbols: Symbols, options: Options) -> Self {
        let program = stack::program_crate(&symbols);
        let judge = Judge::new(symbols, options.container_crates);
        Self { judge, allocated: Vec::new(), indices: HashMap::new(), program }
    }

    /// The types of a snapshot's sites.
    pub fn attribute(&mut self, snapshot: &Snapshot) -> Attribution {
        Attribution { sites: snapshot.sites.iter().map(|site| self.attribute_site(site)).collect() }
    }

    /// The symbols of the process.
    pub fn symbols(&self) -> &Symbols {
        &self.judge.symbols
    }

    /// A site's stack with readable names.
    pub fn stack(&mut self, site: &Site) -> Stack {
        stack::stack(&mut self.judge, self.program.as_deref(), &site.frames)
    }

    /// The names of all types seen so far, the short ones told apart from one another.
    pub fn names(&mut self) -> Names {
        Names::new(&mut self.judge, &self.allocated, self.program.as_deref())
    }

    fn attribute_site(&mut self, site: &Site) -> SiteTypes {
        let (verdict, harness) = match site.kind {
            SiteKind::Stack => walk::walk(&mut self.judge, &site.frames),
            SiteKind::Overflow => return self.without_stack(Allocated::Overflow),
            SiteKind::Outside => return self.without_stack(Allocated::Outside),
        };
        let merged = matches!(verdict, Verdict::Merged(_));
        let untyped = matches!(verdict, Verdict::Untyped(_));
        let (block, owner) = match verdict {
            Verdict::Typed { block, owner } => (Allocated::Type(block), Allocated::Type(owner)),
            Verdict::Merged(candidates) => {
                (Allocated::Candidates(Rc::clone(&candidates)), Allocated::Candidates(candidates))
            }
            Verdict::Untyped(symbol) => (Allocated::Untyped(symbol), Allocated::Untyped(symbol)),
        };
        SiteTypes { owner: self.add(owner), block: self.add(block), merged, untyped, harness }
    }

    fn without_stack(&mut self, allocated: Allocated) -> SiteTypes {
        let ty = self.add(allocated);
        SiteTypes { owner: ty, block: ty, merged: false, untyped: true, harness: false }
    }

    fn add(&mut self, allocated: Allocated) -> AllocatedType {
        if let Some(known) = self.indices.get(&allocated) {
            return *known;
        }
        let next = u32::try_from(self.allocated.len()).expect("a program has fewer than 2^32 types");
        self.allocated.push(allocated.clone());
        *self.indices.entry(allocated).or_insert(AllocatedType(next))
    }
}
