//! `alloclab flags`: the build flags that names and types need, and their way into a package.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use crate::error::{Error, ErrorKind, Result};
use crate::flags::{self, Flag, Home};

use super::adopt;
use super::args::FlagsArgs;
use super::outcome::{Outcome, say};
use super::output::print;

/// How the flags look by hand.
const BY_HAND: &str = include_str!("../../.cargo/config.toml");

pub(super) fn run(args: &FlagsArgs) -> anyhow::Result<Outcome> {
    if args.write {
        put_in_place()?;
    } else {
        print(explanation())?;
    }
    Ok(Outcome::Fine)
}

fn explanation() -> String {
    let (rustc, target, level) = (flags::RUSTC, flags::TARGET, flags::OPT_LEVEL);
    let mut text = format!(
        "This program was built by {rustc} for {target}, optimization level {level}.\n\
         Other programs have flags of their own: their tables say what is missing.\n"
    );
    for flag in flags::all() {
        push_flag(&mut text, flag);
    }
    text.push_str(
        "\nThe -Cllvm-args are those of rustc 1.95's LLVM; one that does not know them refuses to run.\n\
         RUSTFLAGS in the environment replaces the flags of .cargo/config.toml, CARGO_BUILD_RUSTFLAGS adds\n\
         to them. A build from another folder (--manifest-path) does not read that file, and neither does\n\
         `cargo install` from a registry.\n",
    );
    let rustflags: String =
        BY_HAND.lines().filter(|line| !line.starts_with('#')).map(|line| format!("    {line}\n")).collect();
    let _ = write!(
        text,
        "\nTo have them in your package: `alloclab flags --write` in its folder, or by hand in\n.cargo/config.toml\n\n{rustflags}\
         \nand in Cargo.toml\n\n    [profile.release]\n    debug = 1\n"
    );
    text
}

fn push_flag(text: &mut String, flag: &Flag) {
    let state = if flag.is_present() { "alloclab itself has it" } else { "alloclab itself LACKS it" };
    let home = match flag.home {
        Home::Rustflags => "rustflags",
        Home::ReleaseProfile => "profile.release",
    };
    let (name, why, lost) = (flag.text, flag.why, flag.lost);
    let _ = write!(text, "\n{name} ({home}): {state}\n    with it     {why}\n    without it  {lost}\n");
}

fn put_in_place() -> anyhow::Result<()> {
    let edits = adopt::edits(&workspace_folder()?)?;
    let mut text = String::new();
    for edit in &edits {
        edit.write()?;
        for change in &edit.changes {
            let _ = writeln!(text, "{}: {change}", edit.file.display());
        }
    }
    text.push_str(match text.is_empty() {
        true => "All flags are in place already: nothing was changed.\n",
        false => "Build again, and tables have types and lines.\n",
    });
    warn_of_environment();
    print(text)
}

/// What is in the environment replaces what was just written.
fn warn_of_environment() {
    for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        if std::env::var_os(variable).is_some() {
            say(format_args!("warning: {variable} is set in the environment and replaces these flags"));
        }
    }
}

/// The folder of the workspace, or of the package, around the current folder: cargo knows.
fn workspace_folder() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["locate-project", "--workspace", "--message-format", "plain"];
    let output = Command::new(cargo).args(arguments).output().map_err(|error| {
        Error::new(ErrorKind::Io, "cargo, which knows the workspace, cannot be run").with_source(error)
    })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::new(ErrorKind::Unknown, "cargo cannot tell the package around this folder")
            .with_source(message)
            .with_help("run it in the folder of your package"));
    }
    let manifest = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    Ok(manifest.parent().map_or_else(PathBuf::new, PathBuf::from))
}
