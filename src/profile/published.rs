//! The table of a write-up: a CSV file with a row for each published case.

use std::collections::HashMap;
use std::fmt::Display;

use crate::error::{Error, ErrorKind, Result};
use crate::plan::{CaseKey, PublishedRow, ReferenceType};

/// The rows of a table.
pub(super) type PublishedTable = HashMap<CaseKey, PublishedRow>;

/// A column of figures: its name, what its unit is worth, and where the figure goes.
type Figure = (&'static str, f64, fn(&mut PublishedRow) -> &mut Option<f64>);

const FIGURES: &[Figure] = &[
    ("mean_ns", 1.0, |row| &mut row.mean_ns),
    ("mean_ms", 1e6, |row| &mut row.mean_ns),
    ("elapsed_ms", 1e6, |row| &mut row.mean_ns),
    ("p95_ns", 1.0, |row| &mut row.p95_ns),
    ("ratio", 1.0, |row| &mut row.ratio),
    ("allocated_bytes", 1.0, |row| &mut row.allocated_bytes),
    ("allocated_kib", 1024.0, |row| &mut row.allocated_bytes),
    ("allocated_mib", 1_048_576.0, |row| &mut row.allocated_bytes),
    ("alloc_ratio", 1.0, |row| &mut row.alloc_ratio),
    ("retained_bytes", 1.0, |row| &mut row.retained_bytes),
    ("size_kib", 1024.0, |row| &mut row.encoded_bytes),
];

/// What a figure is at most, in its column's unit.
const LARGEST_FIGURE: f64 = 1e12;

/// Reads a table.
///
/// Its first line names the columns, in any order: `codec`, `model`, `operation` and `variant` have to be there; `batch`
/// and `threads` are 1 where they are not; of the figures, those of [`FIGURES`] are taken. With a column `run` the rows of
/// a case are averaged. With a column `type` they are the types of what it allocates: `allocations_per_op` and
/// `bytes_per_op`, or `exclusive_allocations` and `exclusive_bytes` of so many `operations`. Fields have no quotes; the
/// last may hold commas.
pub(super) fn read(file: &str, text: &str, operations: u64) -> Result<PublishedTable> {
    let mut lines = text.lines().enumerate();
    let (_, header) =
        lines.next().ok_or_else(|| malformed(file, 0, "the first line has to name the columns"))?;
    let columns: Vec<_> = header.trim_start_matches('\u{feff}').split(',').map(str::trim).collect();
    if !columns.iter().any(|column| *column == "type" || FIGURES.iter().any(|(name, ..)| name == column)) {
        let known: Vec<_> = FIGURES.iter().map(|(name, ..)| *name).collect();
        let message =
            format!("no column is a figure; figures are `{}` and those of a `type`", known.join("`, `"));
        return Err(malformed(file, 0, message));
    }
    let mut runs: HashMap<CaseKey, Vec<PublishedRow>> = HashMap::new();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let row = Row { file, index, columns: &columns, fields: line.splitn(columns.len(), ',').collect() };
        let (key, figures) = row.read(operations)?;
        let rows = runs.entry(key).or_default();
        if row.repeats(rows, &figures) {
            return Err(row.malformed("this case, or this type of it, has a row above already".to_owned()));
        }
        rows.push(figures);
    }
    Ok(runs.into_iter().map(|(key, rows)| (key, PublishedRow::of_runs(rows))).collect())
}

impl PublishedRow {
    /// The mean of each figure, and of each type's figures over the rows that have it.
    fn of_runs(mut rows: Vec<Self>) -> Self {
        let mut mean = Self::default();
        let mut types: Vec<(ReferenceType, f64)> = Vec::new();
        for (_, _, figure) in FIGURES {
            let known: Vec<f64> = rows.iter_mut().filter_map(|row| *figure(row)).collect();
            *figure(&mut mean) = (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64);
        }
        for row in rows.iter_mut().flat_map(|row| row.types.drain(..)) {
            match types.iter_mut().find(|(known, _)| known.name == row.name) {
                Some((sum, runs)) => {
                    sum.allocations_per_op += row.allocations_per_op;
                    sum.bytes_per_op += row.bytes_per_op;
                    *runs += 1.0;
                }
                None => types.push((row, 1.0)),
            }
        }
        mean.types = types
            .into_iter()
            .map(|(sum, runs)| ReferenceType {
                allocations_per_op: sum.allocations_per_op / runs,
                bytes_per_op: sum.bytes_per_op / runs,
                ..sum
            })
            .collect();
        mean
    }
}

struct Row<'a, 'c> {
    file: &'c str,
    index: usize,
    columns: &'c [&'a str],
    fields: Vec<&'a str>,
}

impl<'a> Row<'a, '_> {
    fn read(&self, operations: u64) -> Result<(CaseKey, PublishedRow)> {
        if self.fields.iter().any(|field| field.contains(|letter: char| letter == '"' || letter.is_control()))
        {
            return Err(
                self.malformed("a field has quotes or control characters, which are not taken".to_owned())
            );
        }
        if self.fields.len() != self.columns.len() {
            let (fields, columns) = (self.fields.len(), self.columns.len());
            return Err(self.malformed(format!("{fields} fields stand under {columns} columns")));
        }
        let key = CaseKey {
            codec: self.name("codec")?,
            model: self.name("model")?,
            operation: self.name("operation")?,
            variant: self.name("variant")?,
            batch: self.number("batch")?.unwrap_or(1),
            threads: self.number("threads")?.unwrap_or(1),
        };
        Ok((key, self.figures(operations)?))
    }

    /// Whether a case may not have this row beside those above.
    fn repeats(&self, above: &[PublishedRow], row: &PublishedRow) -> bool {
        let has = |column: &str| self.columns.contains(&column);
        let same_type = |other: &PublishedRow| {
            std::iter::zip(&other.types, &row.types).any(|(other, own)| other.name == own.name)
        };
        !has("run") && if has("type") { above.iter().any(same_type) } else { !above.is_empty() }
    }

    fn figures(&self, operations: u64) -> Result<PublishedRow> {
        let mut row = PublishedRow::default();
        for &(column, unit, figure) in FIGURES {
            if let Some(number) = self.figure(column)? {
                *figure(&mut row) = Some(number * unit);
            }
        }
        if let Some(name) = self.field("type") {
            let whole = |column| Ok(self.figure(column)?.map(|count| count / operations as f64));
            let allocations = self.figure("allocations_per_op")?.or(whole("exclusive_allocations")?);
            let bytes = self.figure("bytes_per_op")?.or(whole("exclusive_bytes")?);
            row.types.push(ReferenceType {
                name: name.to_owned(),
                allocations_per_op: allocations.unwrap_or(0.0),
                bytes_per_op: bytes.unwrap_or(0.0),
            });
        }
        Ok(row)
    }

    fn field(&self, column: &str) -> Option<&'a str> {
        let index = self.columns.iter().position(|&name| name == column)?;
        Some(self.fields[index].trim()).filter(|field| !field.is_empty())
    }

    fn name(&self, column: &str) -> Result<String> {
        self.field(column)
            .map(str::to_owned)
            .ok_or_else(|| self.malformed(format!("column `{column}` is missing or empty")))
    }

    /// A figure that results can hold. What is retained may be less than nothing.
    fn figure(&self, column: &str) -> Result<Option<f64>> {
        let Some(number) = self.number::<f64>(column)? else { return Ok(None) };
        let least = if column == "retained_bytes" { -LARGEST_FIGURE } else { 0.0 };
        if (least..=LARGEST_FIGURE).contains(&number) {
            return Ok(Some(number));
        }
        Err(self
            .malformed(format!("column `{column}`, `{number}`: not between {least} and {LARGEST_FIGURE:e}")))
    }

    fn number<T: std::str::FromStr<Err: Display>>(&self, column: &str) -> Result<Option<T>> {
        let parse = |field: &str| {
            field.parse().map_err(|error| self.malformed(format!("column `{column}`, `{field}`: {error}")))
        };
        self.field(column).map(parse).transpose()
    }

    fn malformed(&self, message: String) -> Error {
        malformed(self.file, self.index, message)
    }
}

fn malformed(file: &str, index: usize, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Malformed, message)
        .at(format!("{file}, line {}", index + 1))
        .with_help("span-vs-binary.csv in fixtures/published shows the columns, users-60k.csv there a `run`, binaryformatter-churn.csv a `type`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_batch_and_threads_is_one_value_on_one_thread() {
        let table = read("t.csv", "mean_ns,codec,model,operation,variant\n2.5,a,b,c,d\n", 1).unwrap();
        assert_eq!(table[&key()].mean_ns, Some(2.5));
        assert_eq!(table[&key()].allocated_bytes, None);
    }

    fn key() -> CaseKey {
        let [codec, model, operation, variant] = ["a", "b", "c", "d"].map(str::to_owned);
        CaseKey { codec, model, operation, variant, batch: 1, threads: 1 }
    }

    #[test]
    fn runs_are_averaged_and_units_are_nanoseconds_and_bytes() {
        let text =
            "codec,model,operation,variant,run,elapsed_ms,allocated_kib\na,b,c,d,1,2,1\na,b,c,d,2,4,2\n";
        let row = &read("t.csv", text, 1).unwrap()[&key()];
        assert_eq!((row.mean_ns, row.allocated_bytes), (Some(3e6), Some(1536.0)));
    }

    #[test]
    fn types_are_told_per_operation() {
        let text = "codec,model,operation,variant,type,exclusive_allocations,exclusive_bytes\n\
                    a,b,c,d,Byte[],20,300\na,b,c,d,String,10,190\n";
        let row = &read("t.csv", text, 10).unwrap()[&key()];
        let types: Vec<_> =
            row.types.iter().map(|row| (&*row.name, row.allocations_per_op, row.bytes_per_op)).collect();
        assert_eq!(types, [("Byte[]", 2.0, 30.0), ("String", 1.0, 19.0)]);
    }

    #[test]
    fn types_of_several_runs_are_averaged() {
        let text = "codec,model,operation,variant,run,type,allocations_per_op,bytes_per_op\n\
                    a,b,c,d,1,Byte[],2,30\na,b,c,d,2,Byte[],4,50\n";
        let row = &read("t.csv", text, 1).unwrap()[&key()];
        let types: Vec<_> =
            row.types.iter().map(|row| (&*row.name, row.allocations_per_op, row.bytes_per_op)).collect();
        assert_eq!(types, [("Byte[]", 3.0, 40.0)]);
    }

    #[test]
    fn a_bad_row_is_named_by_its_line_and_column() {
        let head = "codec,model,operation,variant,mean_ns";
        for (text, message) in [
            (String::new(), "line 1: the first line has to name the columns"),
            (format!("{head}\na\n"), "line 2: 1 fields stand under 5 columns"),
            ("codec,model,mean_ns\na,b,1\n".to_owned(), "line 2: column `operation` is missing or empty"),
            (
                format!("{head},batch\na,b,c,d,1,many\n"),
                "line 2: column `batch`, `many`: invalid digit found in string",
            ),
            (
                format!("{head}\na,b,c,d,1\na,b,c,d,1\n"),
                "line 3: this case, or this type of it, has a row above already",
            ),
            (
                format!("{head},type,bytes_per_op\na,b,c,d,1,Byte[],1\na,b,c,d,1,Byte[],1\n"),
                "line 3: this case, or this type of it, has a row above already",
            ),
            (format!("{head}\na,b,c,d,-1\n"), "line 2: column `mean_ns`, `-1`: not between 0 and 1e12"),
            (format!("{head}\na,b,c,d,nan\n"), "line 2: column `mean_ns`, `NaN`: not between 0 and 1e12"),
            (
                format!("{head}\n\"a\",b,c,d,1\n"),
                "line 2: a field has quotes or control characters, which are not taken",
            ),
            (
                "codec,model,operation,variant,mean_us\na,b,c,d,1\n".to_owned(),
                "line 1: no column is a figure; figures are `mean_ns`, `mean_ms`, `elapsed_ms`, `p95_ns`, `ratio`, \
                 `allocated_bytes`, `allocated_kib`, `allocated_mib`, `alloc_ratio`, `retained_bytes`, `size_kib` and those of \
                 a `type`",
            ),
        ] {
            assert_eq!(read("t.csv", &text, 1).unwrap_err().to_string(), format!("t.csv, {message}"));
        }
    }
}
