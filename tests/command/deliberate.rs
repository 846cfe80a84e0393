//! A deliberate `format!` in one codec fails the check, which names the type and the line; taken away, it passes. On a copy.
//!
//! Dependencies come from the folder in which this test was built; the lab itself is built anew, twice, without optimization:
//! what the profile counts does not depend on it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// What a build needs.
const SOURCES: [&str; 12] = [
    ".cargo/config.toml",
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
    "benches",
    "build.rs",
    "derive",
    "examples",
    "fixtures",
    "profiles",
    "src",
    "tests",
];

/// The codec that gets a line more, and the line that it stands before.
const CODEC: &str = "src/codec/lite/scratch.rs";
const BEFORE: &str = "        Ok(buffer[..written].to_vec())\n";
const DELIBERATE: &str = "        std::hint::black_box(format!(\"{written} bytes\"));\n";

/// The copy, and where it is built; both stay there for the next run.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("deliberate")
}

/// The folder of this build: `target/debug`, say.
fn built() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_alloclab")).parent().unwrap()
}

#[test]
fn a_deliberate_format_fails_the_check_by_type_and_line_and_passes_when_it_is_gone() {
    let copy = folder().join("alloclab");
    for source in SOURCES {
        copy_changed(&Path::new(PACKAGE).join(source), &copy.join(source));
    }
    link_dependencies();
    let original = fs::read_to_string(copy.join(CODEC)).unwrap();
    assert_eq!(original.matches(BEFORE).count(), 1, "{CODEC} has another end");
    let line = original[..original.find(BEFORE).unwrap()].lines().count() + 1;

    fs::write(copy.join(CODEC), original.replace(BEFORE, &format!("{DELIBERATE}{BEFORE}"))).unwrap();
    let output = build_and_check(&copy);
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        told.starts_with("check failed: smoke: ") && told.contains("1 case allocates more than "),
        "{told}"
    );
    let case = "\nlite payload-16 serialize array allocates more\n    allocations_per_op    1 -> 2\n";
    let site = format!(
        "\n        codec::lite::scratch::ScratchBuffer::serialize  {CODEC}:{line}\n        < codec::lite::"
    );
    for said in [case, "\n    String: 0 -> 1 allocations, ", &site, "alloclab check smoke --update\n"] {
        assert!(told.contains(said), "{said} in {told}");
    }
    assert_eq!(told.matches(" allocations, ").count(), 1, "nothing else made the difference: {told}");
    let readme = fs::read_to_string(Path::new(PACKAGE).join("README.md")).unwrap();
    let shown = readme.split("\n```text\n").find(|text| text.starts_with("check failed: ")).unwrap();
    let (first, rest) = shown.split_once('\n').unwrap();
    assert!(
        told.lines().next().unwrap().ends_with(first.trim_start_matches("check failed: smoke: ")),
        "{told}"
    );
    assert_eq!(rest.split("```").next().unwrap(), told.split_once('\n').unwrap().1, "what README.md shows");

    fs::write(copy.join(CODEC), original).unwrap();
    let output = build_and_check(&copy);
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.contains("cases allocate what fixtures/baseline/smoke.toml accepts"), "{told}");
}

/// Builds the copy and checks it with the committed baseline.
fn build_and_check(copy: &Path) -> Output {
    let target = folder().join("target");
    let folder = built().file_name().unwrap().to_str().unwrap();
    let profile = if folder == "debug" { "dev" } else { folder };
    let built = Command::new(env!("CARGO"))
        .current_dir(copy)
        .args(["build", "--offline", "--bin", "alloclab", "--profile", profile])
        .args(["--config", &format!("profile.{profile}.package.alloclab.opt-level=0")])
        .env("CARGO_TARGET_DIR", &target)
        // The same flags, wherever they came from, or dependencies would be built anew.
        .env("CARGO_ENCODED_RUSTFLAGS", env!("ALLOCLAB_RUSTFLAGS"))
        // The second build differs by a line.
        .env("CARGO_INCREMENTAL", "1")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let program = target.join(folder).join("alloclab");
    Command::new(program).current_dir(copy).args(["check", "smoke"]).env_remove("RUSTFLAGS").output().unwrap()
}

/// Copies a file or a folder. Files that are the same stay untouched, so that cargo does not take them for new.
fn copy_changed(from: &Path, to: &Path) {
    if from.is_file() {
        let contents = fs::read(from).unwrap();
        if fs::read(to).ok().as_ref() != Some(&contents) {
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, contents).unwrap();
        }
        return;
    }
    fs::create_dir_all(to).unwrap();
    let names = names_in(from);
    for name in &names {
        copy_changed(&from.join(name), &to.join(name));
    }
    for gone in names_in(to).difference(&names).map(|name| to.join(name)) {
        if gone.is_dir() { fs::remove_dir_all(gone).unwrap() } else { fs::remove_file(gone).unwrap() }
    }
}

fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Links what cargo has built of other packages into the copy's own folder: it takes hold of them without building.
fn link_dependencies() {
    let target = folder().join("target").join(built().file_name().unwrap());
    for part in ["deps", "build", ".fingerprint"] {
        for name in names_in(&built().join(part)) {
            if !name.trim_start_matches("lib").starts_with("alloclab") {
                link(&built().join(part).join(&name), &target.join(part).join(name));
            }
        }
    }
}

/// Links a file or all files of a folder, where they are not there yet.
fn link(from: &Path, to: &Path) {
    if from.is_dir() {
        names_in(from).iter().for_each(|name| link(&from.join(name), &to.join(name)));
    } else if !to.exists() {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        // A file that went since it was listed is of no use to anybody.
        let _ = fs::hard_link(from, to);
    }
}
