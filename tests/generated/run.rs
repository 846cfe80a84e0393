//! Runs a generated program in its windows.

use std::hint::black_box;
use std::sync::{Barrier, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use alloclab::recorder::{Window, WindowOptions};
use alloclab::snapshot::Snapshot;

use crate::action::Held;
use crate::ledger::{Call, Whose};
use crate::program::{Program, Scope, Step};
use crate::reference;
use crate::value;
use crate::way;
use crate::witness::Witness;

/// What a window saw.
pub(crate) struct Seen {
    pub(crate) whose: Whose,
    /// The thread whose events it has.
    pub(crate) listened: u32,
    pub(crate) snapshot: Snapshot,
}

/// What all windows of a program saw, and what the reference did.
pub(crate) struct Outcome {
    pub(crate) seen: Vec<Seen>,
    pub(crate) calls: Vec<Call<()>>,
}

/// Events that are kept, where any are.
const EVENTS: usize = 1 << 14;

/// The program's values and whose turn it is: all made before the window opens, so that nothing here asks for memory in it.
struct Stage<'a> {
    program: &'a Program,
    slots: Vec<Mutex<Held>>,
    /// How far each turn has come, and that one has come further.
    turns: Mutex<Vec<usize>>,
    next: Condvar,
    gathering: Barrier,
}

/// Runs the program once.
pub(crate) fn run(program: &Program) -> Outcome {
    reference::make_room(2 * program.calls.len() + 1000);
    let stage = Stage {
        program,
        slots: (0..program.slots).map(|_| Mutex::default()).collect(),
        turns: Mutex::new(vec![0; program.slots]),
        next: Condvar::new(),
        gathering: Barrier::new(program.threads as usize),
    };
    let seen = thread::scope(|scope| {
        let stage = &stage;
        let others = (1..program.threads).map(|thread| scope.spawn(move || stage.enter(thread)));
        let others: Vec<_> = others.collect();
        let first = stage.enter(0);
        let others = others.into_iter().filter_map(|thread| thread.join().expect("no step panics"));
        first.into_iter().chain(others).collect()
    });
    Outcome { seen, calls: reference::take() }
}

impl Stage<'_> {
    /// A thread of the program. The first opens the window over all, if there is one.
    fn enter(&self, thread: u32) -> Option<Seen> {
        reference::name_thread(thread);
        let program = self.program;
        let _witness = Witness::of(program.seed);
        // All threads are there, and have their stacks and whatever std gives them.
        self.gathering.wait();
        let has_window = program.scope == Scope::EachThread;
        let others_window = (thread != 0 && has_window).then(|| self.open());
        self.gathering.wait();
        let window = others_window.or_else(|| (thread == 0).then(|| self.open_after_first_steps()));
        self.gathering.wait();
        if thread == 0 {
            reference::listen(true);
        }
        self.gathering.wait();
        let steps = &program.steps[program.steps_before..];
        for step in steps.iter().filter(|step| step.thread == thread) {
            self.perform_in_turn(step);
        }
        self.gathering.wait();
        if thread == 0 {
            reference::listen(false);
        }
        self.gathering.wait();
        let snapshot = window.map(Window::close);
        // The threads stay until the window is closed: what their ends free is not the program's.
        self.gathering.wait();
        let whose = if program.scope == Scope::Process { Whose::All } else { Whose::Thread(thread) };
        snapshot.map(|snapshot| Seen { whose, listened: thread, snapshot })
    }

    /// Does what is done before the window opens. Where each thread has one, it is done in an earlier window, whose blocks are
    /// not the later one's although the others stay open in between.
    fn open_after_first_steps(&self) -> Window {
        let earlier = (self.program.scope == Scope::EachThread).then(|| self.open());
        self.program.steps[..self.program.steps_before].iter().for_each(|step| self.perform(step));
        drop(earlier);
        self.open()
    }

    fn open(&self) -> Window {
        let Program { keeps_events, exact_peak, scope, .. } = self.program;
        let mut options = WindowOptions::new().events(if *keeps_events { EVENTS } else { 0 });
        if *exact_peak {
            options = options.exact_peak();
        }
        let window = match scope {
            Scope::Process => options.open_over_process(),
            Scope::Thread | Scope::EachThread => options.open_over_thread(),
        };
        window.expect("no other window is open")
    }

    fn perform_in_turn(&self, step: &Step) {
        let is_early =
            |turns: &mut Vec<usize>| step.turns.iter().any(|(turn, number)| turns[*turn] != *number);
        let turns = self.turns.lock().expect("no step panics");
        drop(self.next.wait_while(turns, is_early).expect("no step panics"));
        self.perform(step);
        let mut turns = self.turns.lock().expect("no step panics");
        step.turns.iter().for_each(|(turn, _)| turns[*turn] += 1);
        drop(turns);
        self.next.notify_all();
    }

    #[inline(never)]
    fn perform(&self, step: &Step) {
        let mut none = Held::None;
        let mut slot = self.slot(step.slot);
        let mut other = (step.other != step.slot).then(|| self.slot(step.other));
        let hops = way::go(&step.way, &mut || {
            value::perform(&step.action, &mut slot, other.as_deref_mut().unwrap_or(&mut none));
        });
        assert_eq!(black_box(hops), step.way.len());
    }

    fn slot(&self, slot: usize) -> MutexGuard<'_, Held> {
        self.slots[slot].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
