//! Other people's crates: outside of the workspace, with the recorder alone, built by cargo as anybody would.

// `tests/allocators` has them too, around other allocators.
#[path = "adopter/hard/checks.rs"]
mod checks;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, thread};

use alloclab::snapshot::Snapshot;
use checks::{lines_of, output_of, text};

/// A crate of `tests/adopter`, copied to where cargo may write beside it.
struct Adopter {
    folder: PathBuf,
}

impl Adopter {
    fn new(name: &str) -> Self {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let source = package.join("tests/adopter").join(name);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("adopter").join(name);
        fs::create_dir_all(folder.join("src")).unwrap();
        let read = |file: PathBuf| fs::read_to_string(file).unwrap();
        for file in fs::read_dir(source.join("src")).unwrap() {
            let file = file.unwrap();
            put(&folder.join("src").join(file.file_name()), &read(file.path()));
        }
        let path = format!("{:?}", package.to_str().unwrap());
        put(&folder.join("Cargo.toml"), &read(source.join("Cargo.toml")).replace("\"../../..\"", &path));
        // With the versions that are here already, nothing has to be fetched. From then on the file is cargo's.
        if !folder.join("Cargo.lock").exists() {
            put(&folder.join("Cargo.lock"), &read(package.join("Cargo.lock")));
        }
        Self { folder }
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(arguments).arg("--offline").current_dir(&self.folder);
        cargo.env("CARGO_TARGET_DIR", target_folder());
        cargo
    }

    /// Builds the crate's program.
    fn program(name: &str) -> Command {
        let build = Self::new(name).cargo(&["build", "--quiet"]).output().unwrap();
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
        Command::new(target_folder().join("debug").join(name))
    }
}

/// Writes a file in one step, if it is not there already: tests of other processes may be reading it.
fn put(path: &Path, content: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == content) {
        return;
    }
    let new = path.with_extension(format!("{}-{:?}", std::process::id(), thread::current().id()));
    fs::write(&new, content).unwrap();
    fs::rename(&new, path).unwrap();
}

/// One for all crates, so that what they share is built once.
fn target_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("adopter/target")
}

#[test]
fn an_adopter_has_the_recorder_and_libc_and_no_unsafe_code() {
    let (lines, code) = lines_of(&mut Adopter::program("plain"));
    assert_eq!((lines, code), (vec!["1 allocation, 5 bytes".to_owned(), "5 letters".to_owned()], Some(0)));
    let mut tree =
        Adopter::new("plain").cargo(&["tree", "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    let (lines, _) = lines_of(&mut tree);
    let names: Vec<_> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["plain", "alloclab", "libc"]);
}

#[test]
fn an_adopter_s_test_fails_at_its_line_and_leaves_a_file_that_the_command_line_names() {
    let adopter = Adopter::new("plain");
    let test = adopter.cargo(&["test"]).env("TMPDIR", &adopter.folder).output().unwrap();
    let output = text(&test.stdout);
    assert_eq!(test.status.code(), Some(101), "{}", text(&test.stderr));
    let source = fs::read_to_string(adopter.folder.join("src/main.rs")).unwrap();
    let line = source.lines().position(|line| line.contains("no_allocations(|| drop(")).unwrap() + 1;
    for part in [
        "test tests::a_length_needs_no_allocation ... ok",
        "test tests::a_copy_needs_one ... FAILED",
        &format!("panicked at src/main.rs:{line}:"),
        "allocations: at most 0 allowed, 1 seen",
    ] {
        assert!(output.contains(part), "{part:?} is not in:\n{output}");
    }
    let named = output.lines().find_map(|line| line.strip_prefix("for types and places: alloclab report "));
    let file = Path::new(named.unwrap());
    assert_eq!(Snapshot::read(file).unwrap().totals.allocated_bytes, 5);
    #[cfg(feature = "cli")]
    report_names(file, &["String", &format!("src/main.rs:{line}")]);
    fs::remove_file(file).unwrap();
}

/// The command line, where it is built, names what is in the file.
#[cfg(feature = "cli")]
fn report_names(file: &Path, parts: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_alloclab")).arg("report").arg(file).output().unwrap();
    let (shown, error) = (text(&output.stdout), text(&output.stderr));
    assert!(parts.iter().all(|part| shown.contains(part)), "{parts:?} are not in:\n{shown}{error}");
}

#[test]
fn a_forgotten_allocator_line_is_told_with_the_line() {
    let line = "#[global_allocator] static ALLOCATOR: alloclab::recorder::Recorder = alloclab::recorder::Recorder::system();";
    for (argument, place) in [("measure", "src/main.rs:10:"), ("assert", "src/main.rs:7:")] {
        let output = output_of(Adopter::program("forgotten").arg(argument));
        let error = text(&output.stderr);
        assert!(error.contains(line) && error.contains(place), "{error}");
        assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("", Some(101)));
    }
}

fn hard() -> Command {
    Adopter::program("hard")
}
