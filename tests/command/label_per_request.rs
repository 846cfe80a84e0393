//! The example of a server whose requests are labeled by their routes says what each route allocates.
#![cfg(all(feature = "symbolize", feature = "tracing"))]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// What `cargo test` has built beside this test.
fn example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap();
    let example = folder.join("examples/label_per_request");
    assert!(
        example.exists(),
        "`cargo test --test` alone builds no example: build `--example label_per_request` with the same options"
    );
    example
}

/// Columns of figures before the name of a type. Of what stands below a type, names are indented further.
const FIGURES: usize = 44;

/// Allocations of each type under each label.
fn tables(text: &str) -> BTreeMap<&str, BTreeMap<&str, u64>> {
    let mut tables = BTreeMap::<_, BTreeMap<_, _>>::new();
    let mut label = "";
    for line in text.lines() {
        if !line.starts_with(' ') {
            label = line;
        } else if let Some((figures, name)) = line.split_at_checked(FIGURES)
            && !name.starts_with(' ')
            && let Some(Ok(allocations)) = figures.split_whitespace().next().map(str::parse)
        {
            tables.entry(label).or_default().insert(name, allocations);
        }
    }
    tables
}

#[test]
fn each_route_shows_its_types() {
    let output = Command::new(example()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let tables = tables(&text);
    let types = |label: &str, names: &[&str]| {
        let table = tables.get(label).unwrap_or_else(|| panic!("{label} is not in {text}"));
        names.iter().map(|name| table.get(name).copied().unwrap_or_default()).collect::<Vec<_>>()
    };
    let names = ["Box<User>", "Vec<String>", "in total"];
    // Two clients ask 25 times for a user, one for a report of 20; a user is a box, a name and a list of three strings, and
    // the text of an answer adds the list's join and the answer.
    assert_eq!(types("request{route=/users/{id}}", &names), [50, 50, 50 * (1 + 1 + 1 + 3 + 2)]);
    assert_eq!(types("request{route=/report}", &names[..2]), [500, 500]);
    assert_eq!(
        types("request{route=/report}", &["BTreeMap<u64, Box<User>>", "String"]),
        [100, 25 * (80 + 1)]
    );
    assert_eq!(types("request{route=(none)}", &["String", "in total"]), [25, 25]);
    assert!(types("(no label)", &["in total"])[0] > 100, "the server and its clients allocate, too: {text}");
}
