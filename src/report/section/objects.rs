//! The original's objects, one row each, beside what others found: the write-up's own table.

use super::figures::{NONE, shown};
use crate::report::grid::{Grid, Row};
use crate::report::number::figure;
use crate::results::{Case, ReferenceType, TypeRow};

/// Namespaces that are left out of names, the innermost first.
const NAMESPACES: &[&str] = &[
    "System.Runtime.Serialization.Formatters.Binary.",
    "System.Runtime.Serialization.",
    "System.Collections.Generic.",
    "System.Collections.",
    "System.Reflection.Emit.",
    "System.Reflection.",
    "System.Text.",
    "System.IO.",
    "System.",
    "ProtoBuf.Meta.",
    "ProtoBuf.",
];

/// A row for each object that the case makes or that a reference names; none where nobody else measured the case.
pub(super) fn grid(case: &Case) -> Option<Grid> {
    if case.references.is_empty() {
        return None;
    }
    let mut titles = vec!["Object".to_owned()];
    titles.extend(["per op", "B/op in Rust", ".NET model B"].map(str::to_owned));
    for reference in &case.references {
        titles.extend([format!("{}, per op", reference.source), "B".to_owned()]);
    }
    let names = names(case);
    let mut rows: Vec<Row> = names.iter().map(|name| Row::Cells(cells(case, name))).collect();
    rows.push(Row::Sum(sums(case, &names)));
    Some(Grid { titles, rows })
}

/// Names of objects: those that the case makes first, most bytes in .NET first.
fn names(case: &Case) -> Vec<&str> {
    let mut rows: Vec<(&str, f64)> = Vec::new();
    for row in &case.types {
        let (Some(name), Some(bytes)) = (row.dotnet.as_deref(), row.modelled_dotnet_bytes_per_op) else {
            continue;
        };
        match rows.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += bytes,
            None => rows.push((name, bytes)),
        }
    }
    rows.sort_by(|left, right| right.1.total_cmp(&left.1));
    let mut names: Vec<&str> = rows.into_iter().map(|(name, _)| name).collect();
    for row in case.references.iter().flat_map(|reference| &reference.types) {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    names
}

fn cells(case: &Case, name: &str) -> Vec<String> {
    let own: Vec<&TypeRow> = case.types.iter().filter(|row| row.dotnet.as_deref() == Some(name)).collect();
    let sum = |of: fn(&TypeRow) -> f64| {
        if own.is_empty() { NONE.to_owned() } else { figure(own.iter().map(|row| of(row)).sum()) }
    };
    let mut cells = vec![
        short(name).to_owned(),
        sum(|row| row.allocations_per_op),
        sum(|row| row.bytes_per_op),
        sum(|row| row.modelled_dotnet_bytes_per_op.unwrap_or(0.0)),
    ];
    for reference in &case.references {
        let found = reference.types.iter().find(|row| row.name == name);
        cells.extend(reference_cells(found));
    }
    cells
}

fn reference_cells(row: Option<&ReferenceType>) -> [String; 2] {
    [shown(row.map(|row| row.allocations_per_op), figure), shown(row.map(|row| row.bytes_per_op), figure)]
}

fn sums(case: &Case, names: &[&str]) -> Vec<String> {
    let own =
        || case.types.iter().filter(|row| row.dotnet.as_deref().is_some_and(|name| names.contains(&name)));
    let mut cells = vec![
        "Total".to_owned(),
        figure(own().map(|row| row.allocations_per_op).sum()),
        figure(own().map(|row| row.bytes_per_op).sum()),
        figure(own().filter_map(|row| row.modelled_dotnet_bytes_per_op).sum()),
    ];
    for reference in &case.references {
        cells.push(figure(reference.types.iter().map(|row| row.allocations_per_op).sum()));
        cells.push(figure(reference.types.iter().map(|row| row.bytes_per_op).sum()));
    }
    cells
}

/// A .NET name without its namespace.
fn short(name: &str) -> &str {
    NAMESPACES.iter().find_map(|namespace| name.strip_prefix(namespace)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Reference;

    fn own(dotnet: &str, allocations: f64, modelled: f64) -> TypeRow {
        TypeRow {
            name: format!("Box<{dotnet}>"),
            dotnet: Some(dotnet.to_owned()),
            allocations_per_op: allocations,
            bytes_per_op: 8.0 * allocations,
            modelled_dotnet_bytes_per_op: Some(modelled),
            ..TypeRow::default()
        }
    }

    fn found(name: &str, allocations_per_op: f64, bytes_per_op: f64) -> ReferenceType {
        ReferenceType { name: name.to_owned(), allocations_per_op, bytes_per_op }
    }

    #[test]
    fn objects_of_one_name_are_one_row_and_what_only_others_found_comes_last() {
        let types = vec![found("System.Byte[]", 2.0, 296.0), found("System.String", 1.0, 190.0)];
        let case = Case {
            types: vec![own("System.Byte[]", 1.0, 28.0), own("System.Byte[]", 1.0, 268.0)],
            references: vec![Reference { source: "published".to_owned(), types }],
            ..Case::default()
        };
        let grid = grid(&case).unwrap();
        let rows: Vec<_> = grid.rows.iter().filter_map(Row::cells).map(|cells| cells.join(" ")).collect();
        assert_eq!(rows, ["Byte[] 2 16 296 2 296", "String - - - 1 190", "Total 2 16 296 3 486"]);
        assert_eq!(grid.titles.len(), 6);
    }

    #[test]
    fn a_case_that_nobody_else_measured_has_no_such_table() {
        assert!(grid(&Case { types: vec![own("String", 1.0, 40.0)], ..Case::default() }).is_none());
    }
}
