//! What the program `hard` must count, around whichever allocator; `super::hard` runs it.

use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The output of a program that must not hang.
pub(super) fn output_of(command: &mut Command) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("the program hangs: {:?}", child.wait_with_output());
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// The lines that a program prints, and its exit code.
pub(super) fn lines_of(command: &mut Command) -> (Vec<String>, Option<i32>) {
    let output = output_of(command);
    (text(&output.stdout).lines().map(str::to_owned).collect(), output.status.code())
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn hard(argument: &str) -> (Vec<String>, Option<i32>) {
    lines_of(super::hard().arg(argument))
}

#[test]
fn blocks_that_threads_hand_to_one_another_are_counted() {
    assert_eq!(hard("threads"), (vec!["400 large blocks, 3 alive".to_owned()], Some(0)));
}

#[test]
fn parent_and_child_of_a_fork_count_for_themselves() {
    let expected = [
        "2 large blocks, 1 alive",
        "2 large blocks, 2 alive",
        "the child ended with 0",
        "2 large blocks, 2 alive",
    ];
    let (lines, code) = hard("fork");
    assert_eq!(code, Some(0));
    assert_eq!(lines, [expected, expected].concat(), "over a thread, and over the process");
}

#[test]
fn a_program_exits_in_a_window_while_others_allocate() {
    let (lines, code) = hard("exit");
    assert_eq!(code, Some(7));
    assert!(lines[0].starts_with("exiting in Window"), "{lines:?}");
}

#[test]
fn a_panic_in_a_window_closes_it() {
    let (lines, code) = hard("panics");
    let expected = ["panicked: true", "panicked: true", "1 large blocks, 1 alive", "1 large blocks, 1 alive"];
    assert_eq!((lines.as_slice(), code), (expected.map(str::to_owned).as_slice(), Some(101)));
}

#[test]
fn what_a_thread_s_locals_free_and_allocate_as_it_ends_is_counted() {
    let expected = ["30 large blocks, 0 alive", "all freed: true"].map(str::to_owned);
    assert_eq!(hard("thread-locals"), (expected.to_vec(), Some(0)));
}
