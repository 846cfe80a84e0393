//! The table of a write-up: a CSV file with a row for each published case.

use std::collections::HashMap;
use std::fmt::Display;

use crate::error::{Error, ErrorKind, Result};

use super::PublishedRow;

/// What tells one row of a table from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RowKey<'a> {
    pub(super) codec: &'a str,
    pub(super) model: &'a str,
    pub(super) operation: &'a str,
    pub(super) variant: &'a str,
    pub(super) batch: u32,
    pub(super) threads: u32,
}

/// The rows of a table.
pub(super) type PublishedTable<'a> = HashMap<RowKey<'a>, PublishedRow>;

/// Reads a table.
///
/// Its first line names the columns, in any order: `codec`, `model`, `operation` and `variant` have to be there; `batch`
/// and `threads` are 1 where they are not; of the figures, those of [`PublishedRow`] are taken. Fields have no quotes.
pub(super) fn read<'a>(file: &str, text: &'a str) -> Result<PublishedTable<'a>> {
    let mut lines = text.lines().enumerate();
    let (_, header) =
        lines.next().ok_or_else(|| malformed(file, 0, "the first line has to name the columns"))?;
    let columns: Vec<_> = header.split(',').collect();
    let mut table = HashMap::new();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let row = Row { file, index, columns: &columns, fields: line.split(',').collect() };
        let (key, figures) = row.read()?;
        if table.insert(key, figures).is_some() {
            return Err(malformed(file, index, "this case has a row above already"));
        }
    }
    Ok(table)
}

struct Row<'a, 'c> {
    file: &'c str,
    index: usize,
    columns: &'c [&'a str],
    fields: Vec<&'a str>,
}

impl<'a> Row<'a, '_> {
    fn read(&self) -> Result<(RowKey<'a>, PublishedRow)> {
        if self.fields.len() != self.columns.len() {
            let (fields, columns) = (self.fields.len(), self.columns.len());
            return Err(self.malformed(format!("{fields} fields stand under {columns} columns")));
        }
        let key = RowKey {
            codec: self.name("codec")?,
            model: self.name("model")?,
            operation: self.name("operation")?,
            variant: self.name("variant")?,
            batch: self.number("batch")?.unwrap_or(1),
            threads: self.number("threads")?.unwrap_or(1),
        };
        Ok((key, self.figures()?))
    }

    fn figures(&self) -> Result<PublishedRow> {
        Ok(PublishedRow {
            mean_ns: self.number("mean_ns")?,
            ratio: self.number("ratio")?,
            allocated_bytes: self.number("allocated_bytes")?,
            alloc_ratio: self.number("alloc_ratio")?,
        })
    }

    fn field(&self, column: &str) -> Option<&'a str> {
        let index = self.columns.iter().position(|&name| name == column)?;
        Some(self.fields[index].trim()).filter(|field| !field.is_empty())
    }

    fn name(&self, column: &str) -> Result<&'a str> {
        self.field(column).ok_or_else(|| self.malformed(format!("column `{column}` is missing or empty")))
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
        .with_help("fixtures/published/span-vs-binary.csv shows the columns")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_batch_and_threads_is_one_value_on_one_thread() {
        let table = read("t.csv", "mean_ns,codec,model,operation,variant\n2.5,a,b,c,d\n").unwrap();
        let key = RowKey { codec: "a", model: "b", operation: "c", variant: "d", batch: 1, threads: 1 };
        assert_eq!(table[&key].mean_ns, Some(2.5));
        assert_eq!(table[&key].allocated_bytes, None);
    }

    #[test]
    fn a_bad_row_is_named_by_its_line_and_column() {
        for (text, message) in [
            ("", "t.csv, line 1: the first line has to name the columns"),
            ("codec,model\na\n", "t.csv, line 2: 1 fields stand under 2 columns"),
            ("codec,model\na,b\n", "t.csv, line 2: column `operation` is missing or empty"),
            (
                "codec,model,operation,variant,batch\na,b,c,d,many\n",
                "t.csv, line 2: column `batch`, `many`: invalid digit found in string",
            ),
            (
                "codec,model,operation,variant\na,b,c,d\na,b,c,d\n",
                "t.csv, line 3: this case has a row above already",
            ),
        ] {
            assert_eq!(read("t.csv", text).unwrap_err().to_string(), message);
        }
    }
}
