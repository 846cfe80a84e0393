//! Notes how the library is built, for `alloclab::flags` to say which flags were there.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    note("RUSTC", &rustc_version());
    note("TARGET", &variable("TARGET"));
    note("OPT_LEVEL", &variable("OPT_LEVEL"));
    note("DEBUG", &variable("DEBUG"));
    note("RUSTFLAGS", &variable("CARGO_ENCODED_RUSTFLAGS"));
}

fn note(name: &str, value: &str) {
    println!("cargo:rustc-env=ALLOCLAB_{name}={value}");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// The line that `rustc --version` prints.
fn rustc_version() -> String {
    let output = Command::new(variable("RUSTC")).arg("--version").output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    version.unwrap_or_default()
}
