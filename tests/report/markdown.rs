use alloclab::report::{By, View, find};
use alloclab::results::Results;

use crate::sample::{hostile, small, span_profile};

fn render(results: &Results, view: &View) -> String {
    String::from_utf8(find("markdown").unwrap().render(results, view).unwrap()).unwrap()
}

#[test]
fn a_small_profile_looks_as_it_should() {
    assert_eq!(render(&small(), &View::default()), include_str!("golden/small.md"));
}

fn cells(line: &str) -> Vec<String> {
    let cells = line.replace("\\|", "\u{1}");
    cells.trim_matches('|').split('|').map(|cell| cell.replace('\u{1}', "|").trim().to_owned()).collect()
}

fn number(cell: &str) -> f64 {
    cell.replace([',', '*'], "").parse().unwrap_or_else(|_| panic!("{cell} is no number"))
}

/// The rows of the table under a title.
fn table_under(text: &str, title: &str) -> Vec<Vec<String>> {
    let from = text.find(title).unwrap_or_else(|| panic!("no title {title}"));
    text[from..]
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .map(cells)
        .collect()
}

#[test]
fn the_type_table_equals_the_results() {
    let results = span_profile();
    let case = results.cases.iter().find(|case| case.codec == "binary").unwrap();
    let rows = table_under(&render(&results, &View::default()), "### binary serialize: `simple`");
    assert_eq!(rows.len(), case.types.len() + 3, "titles, their rule, the types and their sum");
    for (row, kind) in rows[2..].iter().zip(&case.types) {
        assert!(row[0].starts_with(&format!("`{}", kind.name)), "{} is no {}", row[0], kind.name);
        assert_eq!(number(&row[1]), kind.allocations as f64);
        assert_eq!(number(&row[2]), kind.bytes as f64);
        assert_eq!(number(&row[3]), kind.allocations_per_op);
        assert_eq!(number(&row[4]), kind.bytes_per_op);
        assert!((number(&row[5]) - kind.percent).abs() <= 0.005);
        assert_eq!(
            if row[6] == "-" { None } else { Some(number(&row[6])) },
            kind.modelled_dotnet_bytes_per_op
        );
    }
    let sum = rows.last().unwrap();
    assert_eq!(number(&sum[1]), case.totals.allocations as f64);
    assert_eq!(number(&sum[2]), case.totals.allocated_bytes as f64);
    assert_eq!(number(&sum[4]), case.bytes_per_op);
}

#[test]
fn rows_left_out_are_summed() {
    let results = span_profile();
    for by in [By::Type, By::Block, By::Site] {
        let view = View { top: Some(3), by, ..View::default() };
        let rows = table_under(&render(&results, &view), "### binary serialize: `simple`");
        let (shown, sum) = (&rows[2..rows.len() - 1], rows.last().unwrap());
        assert_eq!(shown.len(), 4);
        assert!(shown[3][0].starts_with("**… ") && shown[3][0].contains(" more "), "{}", shown[3][0]);
        for column in 1..=4 {
            let total: f64 = shown.iter().map(|row| number(&row[column])).sum();
            assert!(
                (total - number(&sum[column])).abs() < 0.01,
                "{by:?}, column {column}: {shown:?} {sum:?}"
            );
        }
    }
}

#[test]
fn a_row_has_as_many_cells_as_titles_whatever_the_names_hold() {
    for results in [span_profile(), hostile()] {
        for by in By::ALL {
            let text = render(&results, &View { all: true, by, ..View::default() });
            let mut columns = None;
            for line in text.lines() {
                if !line.starts_with('|') {
                    columns = None;
                    continue;
                }
                assert!(line.ends_with('|'), "{line}");
                assert_eq!(cells(line).len(), *columns.get_or_insert(cells(line).len()), "{line}");
            }
        }
    }
}
