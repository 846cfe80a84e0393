//! Renderings of a results file: what they say, and that they say what the results hold.

mod sample;

use alloclab::report::{By, View, find};

#[test]
fn show() {
    let results = sample::span_profile();
    for by in By::ALL {
        println!(
            "=== {by}\n{}",
            find("table").unwrap().render(&results, &View { by, ..View::default() }).unwrap()
        );
    }
    println!(
        "=== all\n{}",
        find("table")
            .unwrap()
            .render(&results, &View { all: true, top: Some(3), width: 120, ..View::default() })
            .unwrap()
    );
    println!(
        "=== md\n{}",
        find("markdown").unwrap().render(&results, &View { top: Some(3), ..View::default() }).unwrap()
    );
    println!("{}", find("csv").unwrap().render(&results, &View::default()).unwrap());
    alloclab::report::chart::draw_all(&results, "/tmp/charts").unwrap();
    std::fs::write("/tmp/sample.json", find("json").unwrap().render(&results, &View::default()).unwrap())
        .unwrap();
}
