//! The build flags by which allocations get their types and call sites: what each is for, and whether this build had it.
//!
//! The library counts exactly without any of them, and names what debug information still tells. Flags get lost: `RUSTFLAGS` in the environment replaces those of
//! `.cargo/config.toml`, a build from another folder does not see that file, and neither does `cargo install`. So the
//! build script notes what there was.

/// The compiler that built the library: what `rustc --version` prints.
pub const RUSTC: &str = env!("ALLOCLAB_RUSTC");

/// The target triple that the library was built for.
pub const TARGET: &str = env!("ALLOCLAB_TARGET");

/// The optimization level that the library was built at.
pub const OPT_LEVEL: &str = env!("ALLOCLAB_OPT_LEVEL");

/// The first compiler (1.x) whose symbol names keep type arguments by default.
const V0_BY_DEFAULT: u32 = 97;

/// A build flag that the library needs from the program that it is part of.
#[derive(Debug)]
pub struct Flag {
    /// The flag as it is written: for rustc, or for a profile of `Cargo.toml`.
    pub text: &'static str,
    /// Where it goes.
    pub home: Home,
    /// What it does, in a sentence.
    pub why: &'static str,
    /// What is lost without it, in a sentence.
    pub lost: &'static str,
    is_in: fn(&Build<'_>) -> bool,
}

/// Where a flag goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// `build.rustflags` of `.cargo/config.toml`.
    Rustflags,
    /// `profile.release` of `Cargo.toml`.
    ReleaseProfile,
}

const FLAGS: [Flag; 5] = [
    Flag {
        text: "-Cforce-frame-pointers=yes",
        home: Home::Rustflags,
        why: "every function keeps a frame pointer, by which call stacks are read in nanoseconds",
        lost: "call stacks are read by the unwinder, so that recording takes about a hundred times as long",
        is_in: |build| build.last("force-frame-pointers").is_some_and(|value| !is_no(value)),
    },
    Flag {
        text: "-Csymbol-mangling-version=v0",
        home: Home::Rustflags,
        why: "names of functions keep their type arguments (the default from rustc 1.97 on)",
        lost: "type arguments are read from debug information, and shown as `_` where it leaves them open",
        is_in: |build| build.keeps_type_arguments(),
    },
    Flag {
        text: "-Cllvm-args=-opt-disable=mergefunc",
        home: Home::Rustflags,
        why: "functions with the same machine code are not merged into one",
        lost: "types of the same layout may be reported as one another",
        is_in: |build| build.tells_llvm("-opt-disable=mergefunc"),
    },
    Flag {
        text: "-Cllvm-args=-enable-tail-merge=false",
        home: Home::Rustflags,
        why: "the ends of functions are not merged, and keep what was inlined into them",
        lost: "some allocations have no type",
        is_in: |build| build.tells_llvm("-enable-tail-merge=false"),
    },
    Flag {
        text: "debug = 1",
        home: Home::ReleaseProfile,
        why: "debug information names inlined functions in full, and the lines of calls",
        lost: "inlined functions have no name, so that most allocations have no type, and none has a line",
        is_in: |build| build.has_debug_information(),
    },
];

/// Every flag that the library needs.
pub fn all() -> &'static [Flag] {
    &FLAGS
}

/// The flags that this build lacks.
///
/// # Examples
/// ```
/// for flag in alloclab::flags::missing() {
///     eprintln!("built without {}: {}", flag.text, flag.lost);
/// }
/// ```
pub fn missing() -> impl Iterator<Item = &'static Flag> {
    FLAGS.iter().filter(|flag| !flag.is_present())
}

/// What brings back the flags that this build lacks, in a sentence; none if it lacks none.
///
/// The environment in which the program runs is taken for the one that it was built in: where `RUSTFLAGS` is set,
/// whatever is in `.cargo/config.toml` has no effect.
///
/// # Examples
/// ```
/// if let Some(remedy) = alloclab::flags::remedy() {
///     eprintln!("{remedy}");
/// }
/// ```
pub fn remedy() -> Option<&'static str> {
    let replaces = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"].map(std::env::var_os).iter().any(Option::is_some);
    remedy_for(missing(), replaces)
}

/// What an adopter runs to have the flags.
pub(crate) const COMMAND: &str = "to have all of this: run `alloclab flags --write` in your package (`cargo install alloclab` \
    installs the command), then build again";

const UNSET: &str = "to have all of this: unset RUSTFLAGS, which replaces the flags of .cargo/config.toml, or have its flags in \
    CARGO_BUILD_RUSTFLAGS, which adds to them; then build again";

fn remedy_for<'a>(missing: impl Iterator<Item = &'a Flag>, replaces: bool) -> Option<&'static str> {
    let homes: Vec<Home> = missing.map(|flag| flag.home).collect();
    homes.first()?;
    Some(if replaces && homes.contains(&Home::Rustflags) { UNSET } else { COMMAND })
}

impl Flag {
    /// Whether the library was built with it.
    ///
    /// Of `debug`, cargo tells only whether there is debug information at all.
    pub fn is_present(&self) -> bool {
        (self.is_in)(&Build::THIS)
    }

    /// Whether it is among arguments of rustc, for a flag of [`Home::Rustflags`]; what a compiler does by default does not
    /// count.
    ///
    /// # Examples
    /// ```
    /// let frame_pointers = &alloclab::flags::all()[0];
    /// assert!(frame_pointers.is_among(["-C", "force-frame-pointers"]));
    /// assert!(!frame_pointers.is_among(["-Cforce-frame-pointers=no"]));
    /// ```
    pub fn is_among<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> bool {
        let rustflags = arguments.into_iter().collect::<Vec<_>>().join("\x1f");
        (self.is_in)(&Build { rustc: "", debug: "", rustflags: &rustflags })
    }
}

/// How a library was built.
#[derive(Clone, Copy)]
struct Build<'a> {
    rustc: &'a str,
    debug: &'a str,
    /// Flags of rustc, one after the other, with the separator that cargo uses.
    rustflags: &'a str,
}

impl<'a> Build<'a> {
    const THIS: Build<'static> =
        Build { rustc: RUSTC, debug: env!("ALLOCLAB_DEBUG"), rustflags: env!("ALLOCLAB_RUSTFLAGS") };

    fn keeps_type_arguments(&self) -> bool {
        match self.last("symbol-mangling-version") {
            Some(version) => version == "v0",
            None => minor_version(self.rustc).is_some_and(|minor| minor >= V0_BY_DEFAULT),
        }
    }

    fn tells_llvm(&self, argument: &str) -> bool {
        self.values("llvm-args").flat_map(str::split_whitespace).any(|value| value == argument)
    }

    fn has_debug_information(&self) -> bool {
        self.last("debuginfo").map_or(self.debug == "true", |level| !matches!(level, "0" | "none"))
    }

    /// The value of a codegen option; a later one replaces an earlier.
    fn last(&self, option: &str) -> Option<&'a str> {
        self.values(option).last()
    }

    /// All values of a codegen option, written as `-Coption=value`, `-C option=value` or with `--codegen`.
    fn values(&self, option: &str) -> impl Iterator<Item = &'a str> {
        let mut arguments = self.rustflags.split('\x1f');
        let typed = std::iter::from_fn(move || {
            let argument = arguments.next()?;
            let joined = argument.strip_prefix("-C").or_else(|| argument.strip_prefix("--codegen="));
            Some(match (argument, joined) {
                ("-C" | "--codegen", _) => arguments.next().unwrap_or_default(),
                (_, joined) => joined.unwrap_or_default(),
            })
        });
        typed.filter_map(move |typed| {
            let (key, value) = typed.split_once('=').unwrap_or((typed, "yes"));
            (key == option).then_some(value)
        })
    }
}

fn is_no(value: &str) -> bool {
    matches!(value, "no" | "n" | "off" | "false")
}

/// The `95` of `rustc 1.95.0 (...)`.
fn minor_version(rustc: &str) -> Option<u32> {
    rustc.strip_prefix("rustc 1.")?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: Build<'static> =
        Build { rustc: "rustc 1.95.0 (59807616e 2026-04-14)", debug: "false", rustflags: "" };

    fn missing_in(build: Build<'_>) -> Vec<&'static str> {
        FLAGS.iter().filter(|flag| !(flag.is_in)(&build)).map(|flag| flag.text).collect()
    }

    #[test]
    fn a_bare_build_lacks_every_flag() {
        assert_eq!(missing_in(BARE), FLAGS.map(|flag| flag.text));
    }

    #[test]
    fn a_newer_compiler_keeps_type_arguments_by_itself_unless_it_is_told_not_to() {
        let newer = Build { rustc: "rustc 1.97.0-nightly (0 2026-06-01)", ..BARE };
        assert!(newer.keeps_type_arguments());
        assert!(!Build { rustflags: "-Csymbol-mangling-version=legacy", ..newer }.keeps_type_arguments());
    }

    #[test]
    fn a_build_that_lacks_flags_is_told_one_command_unless_the_environment_takes_them_away() {
        assert_eq!(remedy_for([].into_iter(), true), None);
        assert_eq!(remedy_for(FLAGS.iter(), false), Some(COMMAND));
        assert_eq!(remedy_for(FLAGS.iter(), true), Some(UNSET));
        let of_profile = FLAGS.iter().filter(|flag| flag.home == Home::ReleaseProfile);
        assert_eq!(remedy_for(of_profile, true), Some(COMMAND));
    }

    #[test]
    fn flags_are_known_in_each_way_to_write_them() {
        for rustflags in [
            "-Cforce-frame-pointers=yes\x1f-Csymbol-mangling-version=v0\x1f-Cllvm-args=-opt-disable=mergefunc\x1f-Cllvm-args=-enable-tail-merge=false\x1f-Cdebuginfo=1",
            "-C\x1fforce-frame-pointers\x1f--codegen\x1fsymbol-mangling-version=v0\x1f--codegen=llvm-args=-opt-disable=mergefunc -enable-tail-merge=false\x1f-Cdebuginfo=limited",
        ] {
            assert_eq!(missing_in(Build { rustflags, ..BARE }), Vec::<&str>::new());
        }
    }

    #[test]
    fn a_later_flag_replaces_an_earlier_one() {
        let rustflags = "-Cforce-frame-pointers=yes\x1f-Cforce-frame-pointers=no\x1f-Cdebuginfo=0";
        let missing = missing_in(Build { rustflags, debug: "true", ..BARE });
        assert!(missing.contains(&"-Cforce-frame-pointers=yes") && missing.contains(&"debug = 1"));
    }

    #[test]
    fn this_build_has_every_flag_that_the_package_carries() {
        assert_eq!(missing_in(Build::THIS), Vec::<&str>::new());
        assert!(RUSTC.starts_with("rustc 1.") && !TARGET.is_empty());
    }
}
