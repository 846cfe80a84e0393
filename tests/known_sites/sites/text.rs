//! Text, and names of the system.

use super::*;

pub(super) fn text() -> Vec<Site> {
    const BOXING: &[&str] = &["Box<Apple>", "String"];
    const BOXING_BLOCKS: &[&str] = &["Box<Apple>", "Vec<u8>"];
    vec![
        from_abc("text from a literal", |s| String::from(s)),
        from_abc("to_string", |s| s.to_string()),
        from_abc("to_owned", |s| s.to_owned()),
        from_abc("into", |s| s.into()),
        from_abc("pushed text", |s| {
            let mut string = String::new();
            (0..9).for_each(|_| string.push_str(s));
            string
        }),
        from_abc("upper case", str::to_uppercase),
        from_abc("lower case", str::to_lowercase),
        from_abc("ASCII upper case", |s| s.to_ascii_uppercase()),
        from_abc("replaced", |s| s.replace('b', "xyz")),
        from_abc("repeated", |s| s.repeat(4)),
        from_abc("characters collected", |s| s.chars().rev().collect()),
        site("text with room", STRING, BYTES, length, String::with_capacity),
        site(
            "a pushed character",
            STRING,
            BYTES,
            || 'a',
            |c| {
                let mut string = String::new();
                (0..30).for_each(|_| string.push(c));
                string
            },
        ),
        site("text added", STRING, BYTES, || String::from("a"), |s| s + "bcdefghijklmnopqrstuvwxyz"),
        site("text cloned", STRING, BYTES, || String::from("a"), |s| (s.clone(), s)),
        site("formatted", STRING, BYTES, number, |n| format!("n={n} {:>5}", "q")),
        site("formatted by own code", BOXING, BOXING_BLOCKS, || Boxing(5), |b| format!("b={b}")),
        site("an own value to text", BOXING, BOXING_BLOCKS, || Boxing(5), |b| b.to_string()),
        site("a number to text", STRING, BYTES, || 5_u32, |n| n.to_string()),
        site("a float to text", STRING, BYTES, || 5.5_f64, |n| n.to_string()),
        site("a character to text", STRING, BYTES, || 'c', |c| c.to_string()),
        // What a table writes of itself is not the table's.
        site(
            "a map formatted",
            STRING,
            BYTES,
            || indexmap::IndexMap::from([(1_u64, apple(1))]),
            |map| format!("{map:?}"),
        ),
        site("written", STRING, BYTES, number, |n| {
            let mut string = String::new();
            write!(string, "{n} {n:?}").expect("a string takes all");
            string
        }),
        site("texts joined", STRING, BYTES, || vec!["a", "b"], |v| v.join(",")),
        site(
            "texts strung together",
            STRING,
            BYTES,
            || vec![String::from("a"), "b".into()],
            |v| (v.concat(), v),
        ),
        site("repaired text", STRING, BYTES, || &b"a\xffb"[..], |b| String::from_utf8_lossy(b).into_owned()),
        site(
            "borrowed text made owned",
            STRING,
            BYTES,
            || Cow::Borrowed("x"),
            |c: Cow<'_, str>| c.into_owned(),
        ),
        site(
            "borrowed text made changeable",
            STRING,
            BYTES,
            || Cow::Borrowed("x"),
            |mut c: Cow<'_, str>| {
                c.to_mut();
                c
            },
        ),
        site("text boxed", STRING, BYTES, || String::with_capacity(50) + "a", String::into_boxed_str),
    ]
}

/// Text made from `abc`.
fn from_abc(name: &'static str, work: impl Fn(&'static str) -> String + 'static) -> Site {
    site(name, STRING, BYTES, abc, work)
}

pub(super) fn system_text() -> Vec<Site> {
    const PATH: &[&str] = &["PathBuf"];
    const OS: &[&str] = &["OsString"];
    const ARGUMENTS: &[&str] = &["Vec<String>", "Vec<OsString>", "OsString"];
    const LONG: &str = "a name that is longer";
    let path = || Path::new("x");
    vec![
        site("C text", &["CString"], BYTES, abc, |s| CString::new(s).expect("no zero inside")),
        site("borrowed C text made owned", &["CString"], &["CString"], || c"abc", CStr::to_owned),
        site("system text", OS, BYTES, abc, |s| OsString::from(s)),
        site("system text made owned", OS, BYTES, || OsStr::new("x"), OsStr::to_os_string),
        site("a path", PATH, BYTES, abc, |s| PathBuf::from(s)),
        site("a path made owned", PATH, BYTES, path, Path::to_path_buf),
        site("a path joined", PATH, BYTES, path, |p| p.join(LONG)),
        site("a path with another extension", PATH, BYTES, path, |p| p.with_extension(LONG)),
        site(
            "a path pushed",
            PATH,
            BYTES,
            || PathBuf::from("x"),
            |mut p| {
                p.push(LONG);
                p
            },
        ),
        site("a variable", STRING, BYTES, nothing, |()| std::env::var("PATH")),
        site("a system variable", OS, BYTES, nothing, |()| std::env::var_os("PATH")),
        site("the folder", PATH, BYTES, nothing, |()| std::env::current_dir()),
        site("the arguments", ARGUMENTS, &["Vec<String>", "Vec<OsString>", "Vec<u8>"], nothing, |()| {
            std::env::args().collect::<Vec<_>>()
        }),
    ]
}
