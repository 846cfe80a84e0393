//! Programs at random that know what they will ask for.

use std::collections::HashMap;

use crate::action::{Action, ElementId, Kind};
use crate::expectation::{self, Known, MOST_IN_TREE, Script};
use crate::ledger::Call;
use crate::random::Random;
use crate::value::MOST_LETTERS;
use crate::way::NAMES;

/// What windows a program runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// One over its only thread.
    Thread,
    /// One over the process.
    Process,
    /// Each of its threads has one over itself.
    EachThread,
}

/// A step: one thread goes a way, and does something to a value at its end.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) thread: u32,
    pub(crate) way: Vec<u8>,
    pub(crate) action: Action,
    pub(crate) slot: usize,
    /// Where a copy goes; else the same.
    pub(crate) other: usize,
    /// Turns that must have come to a number before, and that go on after it.
    pub(crate) turns: Vec<(usize, usize)>,
}

/// Where blocks are counted: the innermost part of the way, innermost first, and the type of the owner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Row {
    pub(crate) way: Vec<u8>,
    pub(crate) owner: String,
}

/// Functions of a way that tell sites apart: the innermost, for a stack has 64 frames and keeps those.
pub(crate) const KEPT: usize = 32;

/// A generated program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) seed: u64,
    pub(crate) threads: u32,
    pub(crate) scope: Scope,
    /// Whether the first thread's events are kept.
    pub(crate) keeps_events: bool,
    pub(crate) exact_peak: bool,
    /// Whether only one thread runs at a time, in the order of the steps; else each as fast as its values are there.
    pub(crate) in_turn: bool,
    pub(crate) slots: usize,
    /// Steps that are done before the window opens.
    pub(crate) steps_before: usize,
    pub(crate) steps: Vec<Step>,
    pub(crate) rows: Vec<Row>,
    /// What the allocator is asked for in the window, with indices of `rows`.
    pub(crate) calls: Vec<Call<u32>>,
}

impl Program {
    /// The program of a seed.
    pub(crate) fn generate(seed: u64) -> Self {
        let mut random = random(seed);
        let threads = [1, 1, 1, 2, 3, 4][random.below(6)];
        let scope = match (threads, random.below(3)) {
            (1, 0) => Scope::Thread,
            (2.., 0) => Scope::EachThread,
            _ => Scope::Process,
        };
        let program = Self {
            seed,
            threads,
            scope,
            keeps_events: random.below(2) == 0,
            exact_peak: random.below(2) == 0,
            in_turn: random.below(2) == 0,
            slots: 4 + random.below(28),
            steps_before: random.below(12),
            steps: Vec::new(),
            rows: Vec::new(),
            calls: Vec::new(),
        };
        Generator::new(program, random).generate()
    }
}

/// Numbers of a seed: those of seeds in a row do not begin alike.
pub(crate) fn random(seed: u64) -> Random {
    Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
}

struct Generator {
    random: Random,
    program: Program,
    known: Vec<Option<Known>>,
    ways: Vec<Vec<u8>>,
    /// How far the turns have come.
    turns: Vec<usize>,
    script: Script,
    row_indices: HashMap<Row, u32>,
}

impl Generator {
    fn new(program: Program, random: Random) -> Self {
        let (known, turns) = (vec![None; program.slots], vec![0; program.slots]);
        let (ways, script, row_indices) = (Vec::new(), Script::default(), HashMap::new());
        Self { random, program, known, ways, turns, script, row_indices }
    }

    fn generate(mut self) -> Program {
        let ways = 2 + self.random.below(14);
        for _ in 0..ways {
            let way = self.way();
            self.ways.push(way);
        }
        let steps = self.program.steps_before + 20 + self.random.below(160);
        while self.program.steps.len() < steps {
            let is_before = self.program.steps.len() < self.program.steps_before;
            let (action, slot, other) = self.action();
            let again =
                if matches!(action, Action::MakeBriefly { .. }) { 1 + self.random.below(5) } else { 1 };
            let thread = if is_before { 0 } else { self.random.below(self.program.threads as usize) as u32 };
            let way = self.ways[self.random.below(ways)].clone();
            for _ in 0..if is_before { 1 } else { again } {
                self.step(thread, way.clone(), action.clone(), slot, other);
            }
        }
        self.program
    }

    fn step(&mut self, thread: u32, way: Vec<u8>, action: Action, slot: usize, other: usize) {
        let is_before = self.program.steps.len() < self.program.steps_before;
        let mut copy = None;
        expectation::perform(&action, &mut self.known[slot], &mut copy, &mut self.script);
        if copy.is_some() {
            self.known[other] = copy;
        }
        for (owner, what) in std::mem::take(&mut self.script.calls) {
            if !is_before {
                let innermost = way.iter().rev().take(KEPT).copied().collect();
                let row = self.row(Row { way: innermost, owner: owner.to_owned() });
                self.program.calls.push(Call { thread, row, what });
            }
        }
        let turns = if is_before { Vec::new() } else { self.take_turns(slot, other) };
        self.program.steps.push(Step { thread, way, action, slot, other, turns });
    }

    /// In turn, there is one turn for all; else one for each slot.
    fn take_turns(&mut self, slot: usize, other: usize) -> Vec<(usize, usize)> {
        let mut taken = if self.program.in_turn { vec![0] } else { vec![slot, other] };
        taken.dedup();
        let numbers = taken.into_iter().map(|turn| {
            self.turns[turn] += 1;
            (turn, self.turns[turn] - 1)
        });
        numbers.collect()
    }

    fn row(&mut self, row: Row) -> u32 {
        let rows = &mut self.program.rows;
        *self.row_indices.entry(row).or_insert_with_key(|row| {
            rows.push(row.clone());
            rows.len() as u32 - 1
        })
    }

    /// A new way, or one that differs from another in one place, so that stacks differ in one frame.
    fn way(&mut self) -> Vec<u8> {
        let known = self.random.below(self.ways.len() + 1);
        if let Some(mut way) = self.ways.get(known).filter(|way| !way.is_empty()).cloned() {
            let place = self.random.below(way.len());
            way[place] = self.random.below(NAMES.len()) as u8;
            return way;
        }
        let depth = match self.random.below(10) {
            0..6 => self.random.below(7),
            6..8 => 7 + self.random.below(24),
            _ => 70 + self.random.below(130),
        };
        (0..depth).map(|_| self.random.below(NAMES.len()) as u8).collect()
    }

    /// What to do next, to the value of which slot, and where a copy goes.
    fn action(&mut self) -> (Action, usize, usize) {
        let slot = self.random.below(self.program.slots);
        let Some(known) = &self.known[slot] else {
            let action = if self.random.below(5) == 0 { self.make_briefly() } else { self.make() };
            return (action, slot, slot);
        };
        let actions = known.actions();
        let chosen = self.random.below(actions.len() + 2);
        let action = match actions.get(chosen) {
            Some(action) => action(self.random.below(20)),
            None => Action::Free,
        };
        if !matches!(action, Action::Copy) {
            return (action, slot, slot);
        }
        match self.known.iter().position(Option::is_none) {
            Some(other) => (action, slot, other),
            None => (Action::Free, slot, slot),
        }
    }

    fn make_briefly(&mut self) -> Action {
        let (kind, element) = match self.random.below(4) {
            0 => (Kind::Text, ElementId::Word),
            1 => (Kind::Counted, ElementId::Line),
            2 => (Kind::Counted, ElementId::Blob),
            _ => (Kind::Counted, ElementId::Word),
        };
        Action::MakeBriefly { kind, element }
    }

    fn make(&mut self) -> Action {
        const KINDS: [Kind; 13] = [
            Kind::Boxed,
            Kind::Dynamic,
            Kind::List,
            Kind::Collected,
            Kind::Deque,
            Kind::Shared,
            Kind::Tree,
            Kind::Map,
            Kind::Chain,
            Kind::Text,
            Kind::SharedText,
            Kind::Texts,
            Kind::Numbers,
        ];
        let kind = KINDS[self.random.below(KINDS.len())];
        let element = match ElementId::ALL[self.random.below(ElementId::ALL.len())] {
            // Such a node is two null pointers, for which the compiler asks as zeroed memory where it likes.
            ElementId::Nothing if kind == Kind::Chain => ElementId::Word,
            element => element,
        };
        let capacity = self.capacity(element.facts().size);
        let most = match kind {
            Kind::Tree => MOST_IN_TREE,
            Kind::Chain => 6,
            Kind::Texts => capacity.min(6),
            Kind::Text => capacity.min(MOST_LETTERS),
            Kind::SharedText => MOST_LETTERS,
            _ => capacity.min(40),
        };
        let length = self.random.below(most + 1);
        Action::Make { kind, element, capacity, length }
    }

    /// Mostly small, at times more than threads may keep to themselves.
    fn capacity(&mut self, size: usize) -> usize {
        match self.random.below(20) {
            0..10 => self.random.below(6),
            10..19 => self.random.below(60),
            _ => self.random.below(400_000) / size.max(1),
        }
    }
}
