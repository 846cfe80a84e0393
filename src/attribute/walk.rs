//! The walk along a stack, from the allocator outward, that finds the types of a block and of its owner.

use std::rc::Rc;

use super::canonical::is_element;
use super::container;
use super::function::Nominal;
use super::judge::{Judge, Judgment, Origin, Plan, Step};
use super::standard::{self, Says};
use super::third_party;
use crate::symbolize::SymbolId;
use crate::symbolize::mangling::{TypeId, Word};

/// What a stack says about a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Its types.
    Typed {
        /// The innermost container.
        block: TypeId,
        /// The outermost container before the program's own code.
        owner: TypeId,
    },
    /// Only an address that several functions share tells a type: these are the candidates.
    Merged(Rc<[TypeId]>),
    /// Nothing tells a type; the innermost function outside of the standard library.
    Untyped(Option<SymbolId>),
}

/// The functions on a stack, innermost first, with those that tail calls took away put back.
pub(super) struct Steps<'a> {
    addresses: std::slice::Iter<'a, u64>,
    plan: Option<Rc<Plan>>,
    next: usize,
    /// Where the function below started, if that is known; none before the first address.
    below: Option<u64>,
    is_first: bool,
}

impl<'a> Steps<'a> {
    pub(super) fn new(addresses: &'a [u64]) -> Self {
        Self { addresses: addresses.iter(), plan: None, next: 0, below: None, is_first: true }
    }

    /// The next function outward.
    pub(super) fn next(&mut self, judge: &mut Judge) -> Option<Step> {
        loop {
            if let Some(plan) = &self.plan {
                if let Some(step) = plan.steps.get(self.next) {
                    self.next += 1;
                    return Some(step.clone());
                }
                self.below = plan.start;
                self.is_first = false;
            }
            let plan = judge.plan(*self.addresses.next()?);
            let lost = self.lost(&plan);
            self.plan = Some(plan);
            self.next = 0;
            if lost.is_some() {
                return lost;
            }
        }
    }

    /// The function that was called from a frame but is not the next one inward: it has jumped there.
    fn lost(&self, plan: &Plan) -> Option<Step> {
        let (start, step) = plan.called.as_ref()?;
        let is_known = self.is_first || self.below.is_some();
        (is_known && self.below != Some(*start)).then(|| step.clone())
    }
}

/// Finds the types of a stack, and whether a thread pool asked for the memory.
pub(super) fn walk(judge: &mut Judge, addresses: &[u64]) -> (Verdict, bool) {
    let mut walk = Walk { judge, steps: Steps::new(addresses), found: Found::default() };
    let outside = walk.standard_library();
    let is_pool = outside.as_ref().is_some_and(|step| walk.is_of_pool(step));
    let verdict = walk.verdict(outside);
    (verdict, is_pool && belongs_to_pool(judge, addresses))
}

/// Whether iterators stand between the owner and the function at hand.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Iterated {
    /// None does.
    #[default]
    Not,
    /// The owner itself had them call its closure, as `extend` does: beyond them is the owner again.
    ByOwner,
    /// They pass on what other code made: nothing beyond them owns it.
    PassedOn,
}

/// Follows the iterators that are passed on the way outward.
#[derive(Clone, Copy, Default)]
struct Iterators {
    iterated: Iterated,
    /// Whether the last function that spoke is a closure of the owner.
    is_owners_closure: bool,
}

impl Iterators {
    /// Whether nothing new can be the owner.
    fn stand_between(self) -> bool {
        self.iterated != Iterated::Not
    }

    fn pass(&mut self) {
        self.iterated = match self.iterated {
            Iterated::Not if self.is_owners_closure => Iterated::ByOwner,
            Iterated::Not => Iterated::PassedOn,
            already => already,
        };
    }

    /// Hears a method of the owner, old or new.
    fn meet_owner(&mut self, is_closure: bool) {
        if self.iterated == Iterated::ByOwner {
            self.iterated = Iterated::Not;
        }
        self.is_owners_closure = is_closure;
    }

    /// Hears a method of another container.
    fn meet_other(&mut self) {
        self.is_owners_closure = false;
    }
}

#[derive(Default)]
struct Found {
    block: Option<TypeId>,
    owner: Option<TypeId>,
    /// A raw table or vector, for want of better.
    raw: Option<TypeId>,
    /// What a function makes of bytes, for want of better.
    bytes: Option<TypeId>,
    candidates: Option<Rc<[TypeId]>>,
    array: Option<(TypeId, TypeId)>,
    /// Whether a function was passed by which memory is asked for: if not, functions are missing on the stack.
    asked: bool,
    /// Whether a function of the standard library was passed that is no iterator's.
    entered: bool,
    /// Those that stand between what was found and here.
    iterators: Iterators,
    /// Whether nothing further out can be the owner.
    closed: bool,
    /// Whether no container of another crate can be the owner.
    is_standard: bool,
    /// Whether a function was passed whose name has no types to read.
    unreadable: bool,
}

struct Walk<'a> {
    judge: &'a mut Judge,
    steps: Steps<'a>,
    found: Found,
}

impl Walk<'_> {
    /// Walks through the standard library; returns the first function outside of it.
    fn standard_library(&mut self) -> Option<Step> {
        while let Some(step) = self.steps.next(self.judge) {
            let judgment = step.judgment;
            match judgment.origin {
                Origin::Machinery => continue,
                Origin::Allocator => {
                    self.found.asked = true;
                    continue;
                }
                Origin::Unreadable => {
                    self.settle_array(false);
                    self.found.unreadable = true;
                    self.found.closed = true;
                    continue;
                }
                _ => {}
            }
            self.settle_array(judgment.origin != Origin::Standard);
            if judgment.origin != Origin::Standard {
                return Some(step);
            }
            match &step.candidates {
                Some(candidates) => {
                    self.found.entered = true;
                    self.note_candidates(candidates);
                }
                None => {
                    self.choose(&step);
                    self.hear(judgment);
                }
            }
        }
        self.settle_array(true);
        None
    }

    /// An array on the heap that was asked for from outside the standard library is the start of a `vec![]`.
    fn settle_array(&mut self, is_outside: bool) {
        if let Some((boxed, vec)) = self.found.array.take() {
            self.take_container(if is_outside { vec } else { boxed }, false);
        }
    }

    fn note_candidates(&mut self, candidates: &Rc<[TypeId]>) {
        if self.found.block.is_none() && self.found.candidates.is_none() && !candidates.is_empty() {
            self.found.candidates = Some(Rc::clone(candidates));
        }
    }

    /// Takes the candidate that a function is known to ask for.
    fn choose(&mut self, step: &Step) {
        let open =
            self.found.candidates.as_ref().filter(|_| self.found.block.is_none() && !self.found.closed);
        let Some(candidates) = open else { return };
        if let Some(ty) = self.judge.asks_for(step.symbol).filter(|ty| candidates.contains(ty)) {
            self.found.candidates = None;
            self.take_owner(ty);
        }
    }

    fn hear(&mut self, judgment: Judgment) {
        let is_anything = self.found.entered;
        self.found.entered |= judgment.says != Says::Iterates;
        if !self.found.closed {
            match judgment.says {
                Says::Nothing => {}
                Says::Container(ty) => self.take_container(ty, judgment.is_closure),
                Says::Buffer(ty) if !self.found.iterators.stand_between() => self.take_owner(ty),
                Says::Buffer(_) => {}
                Says::Raw(ty) => self.found.raw = self.found.raw.or(Some(ty)),
                Says::Array { boxed, vec } if self.found.block.is_none() => {
                    self.found.array = Some((boxed, vec))
                }
                Says::Array { .. } => {}
                Says::Bytes(ty) => self.take_bytes(ty),
                Says::Looks => self.found.closed = is_anything,
                Says::Iterates if is_anything => self.found.iterators.pass(),
                Says::Iterates => {}
            }
        }
        self.found.is_standard |= judgment.works_for_itself && is_anything;
    }

    fn take_owner(&mut self, ty: TypeId) {
        self.found.block = self.found.block.or(Some(ty));
        self.found.owner = Some(ty);
    }

    fn take_container(&mut self, ty: TypeId, is_closure: bool) {
        self.weigh_container(ty);
        if self.found.owner == Some(ty) {
            self.found.iterators.meet_owner(is_closure);
        } else {
            self.found.iterators.meet_other();
        }
    }

    fn weigh_container(&mut self, ty: TypeId) {
        let is_passed_on = self.found.iterators.stand_between();
        let Some(owner) = self.found.owner else {
            if !is_passed_on {
                self.take_owner(ty);
            }
            return;
        };
        let arena = &self.judge.arena;
        if ty == owner || is_passed_on || container::is_dyn(arena, ty) {
            // Nothing new: an iterator only passes on, and a `dyn` type is less than what is known.
        } else if is_element(arena, owner, ty) {
            self.found.closed = true;
        } else {
            if container::is_hash_table(arena, owner) && container::is_hash_table(arena, ty) {
                self.found.block = Some(ty);
            }
            self.take_owner(ty);
        }
    }

    fn take_bytes(&mut self, ty: TypeId) {
        match self.found.owner {
            None => self.found.bytes = self.found.bytes.or(Some(ty)),
            Some(owner)
                if !self.found.iterators.stand_between()
                    && container::is_byte_buffer(&self.judge.arena, owner) =>
            {
                self.found.owner = Some(ty);
            }
            Some(_) => {}
        }
    }

    fn verdict(mut self, outside: Option<Step>) -> Verdict {
        if self.found.block.is_none() && self.found.candidates.is_none() {
            self.found.block = self.found.raw;
            self.found.owner = self.found.raw;
        }
        match (self.found.block, self.found.owner, &outside) {
            (Some(block), Some(owner), outside) => {
                let owner = outside.as_ref().map_or(owner, |step| self.containers(owner, step));
                Verdict::Typed { block, owner }
            }
            _ => self.without_container(outside),
        }
    }

    /// The owner among the containers of other crates that stand directly around the standard library's.
    fn containers(&mut self, owner: TypeId, first: &Step) -> TypeId {
        let mut owner = owner;
        let mut iterators = self.found.iterators;
        if self.found.closed || self.found.is_standard || iterators.stand_between() {
            return owner;
        }
        let mut step = Some(first.clone());
        while let Some(at) = step {
            match (at.judgment.origin, at.judgment.says) {
                (Origin::Containers(_), Says::Looks) => break,
                (Origin::Containers(_), Says::Container(ty)) if ty == owner => {
                    iterators.meet_owner(at.judgment.is_closure);
                }
                (Origin::Containers(_), Says::Container(ty))
                    if !iterators.stand_between() && !self.is_of_standard(ty) =>
                {
                    if is_element(&self.judge.arena, owner, ty) {
                        break;
                    }
                    owner = ty;
                    iterators.meet_owner(at.judgment.is_closure);
                    if self.judge.is_arena(ty) {
                        break;
                    }
                }
                (Origin::Containers(_) | Origin::Machinery | Origin::Allocator, _) => {}
                (Origin::Standard, Says::Looks) => break,
                (Origin::Standard, Says::Iterates) => iterators.pass(),
                (Origin::Standard, _) if at.judgment.works_for_itself => break,
                (Origin::Standard, _) => {}
                (Origin::Program(_) | Origin::Harness | Origin::Unreadable | Origin::Foreign, _) => break,
            }
            step = self.steps.next(self.judge);
        }
        owner
    }

    fn is_of_standard(&self, ty: TypeId) -> bool {
        Nominal::new(&self.judge.arena, ty)
            .is_some_and(|nominal| standard::has_standard_origin(nominal.crate_name(&self.judge.arena)))
    }

    /// The types where no container of the standard library stands on the stack: those of the crate that asked for the
    /// memory.
    fn without_container(mut self, outside: Option<Step>) -> Verdict {
        // What runs the program is not what allocates.
        let name = outside.as_ref().filter(|step| step.judgment.origin != Origin::Harness);
        let name = name.map(|step| step.symbol);
        match (self.found.candidates.take(), self.found.bytes) {
            (Some(candidates), Some(bytes)) if !candidates.contains(&bytes) => {
                return Verdict::Merged(candidates);
            }
            (_, Some(bytes)) => return Verdict::Typed { block: bytes, owner: bytes },
            (Some(candidates), None) => return Verdict::Merged(candidates),
            (None, None) => {}
        }
        let is_told = |step: &Step| {
            let is_container = matches!(step.judgment.origin, Origin::Containers(_));
            !self.found.unreadable && (self.found.asked || is_container)
        };
        let own = outside.filter(is_told).and_then(|step| self.own_types(step));
        own.map_or(Verdict::Untyped(name), |(block, owner)| Verdict::Typed { block, owner })
    }

    /// The types that the first function outside of the standard library tells.
    fn own_types(&mut self, first: Step) -> Option<(TypeId, TypeId)> {
        match (first.judgment.origin, first.judgment.says) {
            (Origin::Containers(_), _) => self.run_of_containers(first),
            // Who calls a program's method is as likely its user as what holds it: only the method's own type is certain.
            (Origin::Program(_), Says::Container(ty)) => Some((ty, ty)),
            _ => None,
        }
    }

    /// The innermost and the outermost type of the unbroken run of crates whose types are containers.
    fn run_of_containers(&mut self, first: Step) -> Option<(TypeId, TypeId)> {
        let mut types: Option<(TypeId, TypeId)> = None;
        let mut step = Some(first);
        while let Some(at) = step {
            match (at.judgment.origin, at.judgment.says) {
                (Origin::Containers(_), Says::Container(ty)) => {
                    types = Some((types.map_or(ty, |(block, _)| block), ty));
                    if self.judge.is_arena(ty) {
                        break;
                    }
                }
                (_, Says::Looks | Says::Iterates) if types.is_some() => break,
                (Origin::Containers(_) | Origin::Standard | Origin::Machinery | Origin::Allocator, _) => {}
                _ => break,
            }
            step = self.steps.next(self.judge);
        }
        types
    }

    fn is_of_pool(&self, step: &Step) -> bool {
        crate_word(step).is_some_and(|word| third_party::is_of_pool(self.judge.arena.text(word)))
    }
}

fn crate_word(step: &Step) -> Option<Word> {
    match step.judgment.origin {
        Origin::Containers(word) | Origin::Program(word) => Some(word),
        _ => None,
    }
}

/// Whether the functions that lead from the allocator outward are a thread pool's, up to the pool itself.
fn belongs_to_pool(judge: &mut Judge, addresses: &[u64]) -> bool {
    let mut steps = Steps::new(addresses);
    while let Some(step) = steps.next(judge) {
        let Some(word) = crate_word(&step) else {
            if step.judgment.origin == Origin::Foreign {
                return false;
            }
            continue;
        };
        let name = judge.arena.text(word);
        if third_party::is_pool(name) || !third_party::is_of_pool(name) {
            return third_party::is_pool(name);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Module;
    use crate::symbolize::Symbols;

    const ALLOC: &str = "_RNvNtCs1_5alloc5alloc5alloc";
    const VEC_NEW: &str = "_RNvMNtCs1_5alloc3vecINtB2_3VechNtNtB4_5alloc6GlobalE13with_capacityCs2_3lab";
    const BOX_NEW: &str = "_RNvMNtCs1_5alloc5boxedINtB2_3BoxyE3newCs2_3lab";
    const STRING_CLONE: &str = "_RNvXNtCs1_5alloc6stringNtB2_6StringNtNtCs3_4core5clone5Clone5clone";
    const C_STRING_CLONE: &str = "_RNvXNtNtCs1_5alloc3ffi5c_strNtB2_7CStringNtNtCs3_4core5clone5Clone5clone";
    const FLAT_MAP_NEXT: &str = "_RNvMNtNtNtCs3_4core4iter8adapters7flattenNtB2_7FlatMap4next";
    const MAIN: &str = "_RNvCs2_3lab4main";

    fn verdict(functions: &[&[&str]]) -> (String, Option<String>) {
        let path = std::env::current_exe().expect("the test has a file");
        let module = Module { path, bias: 0, ranges: Vec::new(), build_id: Vec::new() };
        let symbols = Symbols::load(&[module]).expect("the test can read its own file");
        let mut judge = Judge::new(symbols, vec!["shelf".to_owned()]);
        let addresses = judge.lay(functions);
        let (verdict, _) = walk(&mut judge, &addresses);
        let name = |ty: &TypeId| {
            let nominal = Nominal::new(&judge.arena, *ty).expect("it is a type with a name");
            nominal.name(&judge.arena).to_owned()
        };
        match &verdict {
            Verdict::Typed { block, owner } => (name(block), Some(name(owner))),
            Verdict::Merged(types) => (types.iter().map(name).collect::<Vec<_>>().join(" | "), None),
            Verdict::Untyped(symbol) => {
                (symbol.map_or_else(String::new, |symbol| judge.symbols.name(symbol).to_owned()), None)
            }
        }
    }

    fn typed(block: &str, owner: &str) -> (String, Option<String>) {
        (block.to_owned(), Some(owner.to_owned()))
    }

    fn untyped(name: &str) -> (String, Option<String>) {
        (name.to_owned(), None)
    }

    #[test]
    fn a_container_before_the_programs_code_is_the_type() {
        assert_eq!(verdict(&[&[ALLOC], &[VEC_NEW], &[MAIN]]), typed("Vec", "Vec"));
    }

    #[test]
    fn nothing_is_read_beyond_the_programs_code() {
        assert_eq!(verdict(&[&[ALLOC], &[MAIN], &[VEC_NEW]]), untyped(MAIN));
    }

    #[test]
    fn functions_at_one_address_that_mean_different_things_are_candidates() {
        let merged: &[&str] = &[STRING_CLONE, C_STRING_CLONE];
        assert_eq!(verdict(&[&[ALLOC], merged, &[MAIN]]), untyped("String | CString"));
        assert_eq!(verdict(&[&[ALLOC], merged, &[BOX_NEW], &[MAIN]]), typed("Box", "Box"));
    }

    #[test]
    fn what_reads_a_folder_tells_which_of_the_functions_at_one_address_it_calls() {
        let next = "_RNvXNtNtNtCs5_3std3sys2fs4unixNtB2_7ReadDirNtNtNtNtCs3_4core4iter6traits8iterator8Iterator4next";
        let merged: &[&str] = &[STRING_CLONE, C_STRING_CLONE];
        assert_eq!(verdict(&[&[ALLOC], merged, &[next], &[MAIN]]), typed("CString", "CString"));
        assert_eq!(verdict(&[&[ALLOC], merged, &[next], &[VEC_NEW], &[MAIN]]), typed("CString", "CString"));
        assert_eq!(verdict(&[&[ALLOC], merged, &[FLAT_MAP_NEXT], &[MAIN]]), untyped("String | CString"));
    }

    #[test]
    fn functions_at_one_address_that_mean_the_same_are_certain() {
        let push = "_RNvMNtCs1_5alloc6stringNtB2_6String4push";
        assert_eq!(verdict(&[&[ALLOC], &[STRING_CLONE, push], &[MAIN]]), typed("String", "String"));
    }

    #[test]
    fn a_crate_that_the_caller_names_owns_what_it_holds() {
        let own = "_RNvMCs4_5shelfNtB2_5Shelf3add";
        let foreign = "_RNvMCs4_5otherNtB2_5Shelf3add";
        assert_eq!(verdict(&[&[ALLOC], &[VEC_NEW], &[own], &[MAIN]]), typed("Vec", "Shelf"));
        assert_eq!(verdict(&[&[ALLOC], &[VEC_NEW], &[foreign], &[MAIN]]), typed("Vec", "Vec"));
    }

    #[test]
    fn a_crate_of_containers_that_asks_for_memory_itself_gives_its_innermost_and_outermost_type() {
        let inner = "_RNvMCs4_5shelfNtB2_5Block3new";
        let outer = "_RNvMCs4_5shelfNtB2_5Queue4push";
        assert_eq!(verdict(&[&[ALLOC], &[inner], &[outer], &[MAIN]]), typed("Block", "Queue"));
    }

    #[test]
    fn a_program_that_asks_for_memory_itself_gives_the_type_of_the_method_that_asks() {
        let stack = "_RNvMCs2_3labNtB2_8RawStack4push";
        let world = "_RNvMCs2_3labNtB2_5World4tick";
        let app = "_RNvMCs2_3labNtB2_3App3run";
        let frames: &[&[&str]] = &[&[ALLOC], &[stack], &[world], &[app], &[MAIN]];
        assert_eq!(verdict(frames), typed("RawStack", "RawStack"));
    }

    #[test]
    fn a_free_function_that_asks_for_memory_gives_no_type_of_who_calls_it() {
        let app = "_RNvMCs2_3labNtB2_3App3run";
        assert_eq!(verdict(&[&[ALLOC], &[MAIN], &[app]]), untyped(MAIN));
    }

    #[test]
    fn what_an_iterator_passes_on_is_not_the_collections() {
        let frames: &[&[&str]] = &[&[ALLOC], &[VEC_NEW], &[FLAT_MAP_NEXT], &[VEC_NEW], &[BOX_NEW], &[MAIN]];
        assert_eq!(verdict(frames), typed("Vec", "Vec"));
    }

    #[test]
    fn what_a_collections_own_closure_adds_is_the_collections() {
        let closure = "_RNCNvMNtCs1_5alloc3vecINtB4_3VechNtNtB6_5alloc6GlobalE6extend0Cs2_3lab";
        let frames: &[&[&str]] = &[&[ALLOC], &[closure], &[FLAT_MAP_NEXT], &[VEC_NEW], &[BOX_NEW], &[MAIN]];
        assert_eq!(verdict(frames), typed("Vec", "Box"));
    }

    #[test]
    fn a_method_below_which_functions_are_missing_gives_no_type() {
        let shim = "_RNvCs5_7___rustc12___rust_alloc";
        let reader = "_RNvMCs4_5otherNtB2_6Reader9read_text";
        assert_eq!(verdict(&[&[shim], &[reader], &[MAIN]]), untyped(reader));
    }

    #[test]
    fn names_of_the_older_mangling_alone_tell_containers_by_what_calls_no_code_of_others() {
        let push = "_ZN5alloc3vec16Vec$LT$T$C$A$GT$4push17h0123456789abcdefE";
        let retain = "_ZN5alloc3vec16Vec$LT$T$C$A$GT$6retain17h0123456789abcdefE";
        let own = "_ZN3lab4main17h0123456789abcdefE";
        assert_eq!(verdict(&[&[ALLOC], &[push], &[own]]), typed("Vec", "Vec"));
        assert_eq!(verdict(&[&[ALLOC], &[retain], &[own]]), untyped(own));
        assert_eq!(verdict(&[&[ALLOC], &[retain], &[push], &[own]]), untyped(own));
        assert_eq!(verdict(&[&[ALLOC], &[STRING_CLONE], &[retain], &[own]]), typed("String", "String"));
    }

    #[test]
    fn what_may_be_an_element_is_not_the_collections() {
        let reserve = "_ZN5alloc3vec16Vec$LT$T$C$A$GT$7reserve17h0123456789abcdefE";
        assert_eq!(verdict(&[&[ALLOC], &[STRING_CLONE], &[reserve], &[MAIN]]), typed("String", "String"));
    }

    #[test]
    fn code_of_other_languages_ends_the_walk() {
        assert_eq!(verdict(&[&[ALLOC], &["zalloc"], &[VEC_NEW], &[MAIN]]), untyped("zalloc"));
    }

    #[test]
    fn a_stack_without_addresses_has_no_type() {
        assert_eq!(verdict(&[]), untyped(""));
    }
}
