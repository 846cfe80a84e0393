//! The thread that writes a recording, and those that ask it.

use std::io::ErrorKind;

use super::heap::allocate;
use super::{explore, spawn};
use crate::recorder::window::WindowError;
use crate::recorder::writer;
use crate::recorder::{Recording, RecordingError};

/// No file can be written there: that is the answer that everybody has to get.
const NOWHERE: &str = "/no/such/folder/of.alloclab";

/// Whoever asks the writer is answered, whenever that is, and the recording goes on.
#[test]
fn who_asks_the_writer_is_answered() {
    explore(2, || {
        let recording = Recording::start(NOWHERE).unwrap();
        allocate(8);
        assert_eq!(recording.write().unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(recording.finish().unwrap().totals.allocated_bytes, 8);
    });
}

/// Each of several who ask at once is answered.
#[test]
fn all_who_ask_the_writer_are_answered() {
    explore(0, || {
        let recording = Recording::start(NOWHERE).unwrap();
        let other = spawn(|| writer::write().unwrap_err().kind());
        assert_eq!(recording.write().unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(other.join().unwrap(), ErrorKind::NotFound);
        assert_eq!(recording.finish().unwrap().totals.allocations, 0);
    });
}

/// The writer ends once, for whoever comes first: the end of the program or who finishes the recording.
#[test]
fn a_recording_ends_once() {
    explore(1, || {
        let recording = Recording::start(NOWHERE).unwrap();
        let exit = spawn(|| writer::at_exit());
        match recording.finish() {
            Ok(snapshot) => assert_eq!(snapshot.totals.allocations, 0),
            Err(error) => assert_eq!(error, RecordingError::Elsewhere),
        }
        exit.join().unwrap();
        assert!(!writer::goes_on());
    });
}

/// Of threads that start a recording at the same time, one has it.
#[test]
fn one_recording_is_started() {
    explore(1, || {
        let start = || Recording::start(NOWHERE);
        let other = spawn(start);
        let started = [start(), other.join().unwrap()];
        let refused: Vec<_> = started.iter().filter_map(|one| one.as_ref().err()).collect();
        assert_eq!(refused, [&RecordingError::Window(WindowError::OtherWindow)]);
        for one in started.into_iter().flatten() {
            one.finish().unwrap();
        }
    });
}
