//! valgrind's DHAT: the program on a processor of its own making, with every block in a table.
//!
//! Its file holds a record for each point of the program: `tb` and `tbk` are the bytes and blocks that were allocated there,
//! `eb` and `ebk` those that were alive at the end (`dhat/dh_main.c`, "JSON output"). A reallocation counts as a block more,
//! of its new size, whether it grows, shrinks or keeps the size (`renew_block` there); the block itself is none more at the
//! end. Sizes are those asked for. Peaks are those of the whole process, so that they have no difference.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use super::tool::{Child, Tool, output};
use crate::error::{Error, ErrorKind, Result};
use crate::snapshot::Counts;

pub(super) struct Valgrind;

impl Tool for Valgrind {
    fn name(&self) -> &'static str {
        "valgrind's DHAT"
    }

    fn program(&self) -> &'static str {
        "valgrind"
    }

    fn count(&self, child: &Child, rounds: u8, folder: &Path) -> Result<Vec<i64>> {
        let file = folder.join(format!("dhat-{rounds}.json"));
        let mut command = Command::new(self.program());
        // A `%` in a file's name has a meaning of its own there.
        let name = file.to_string_lossy().replace('%', "%%");
        command.env_remove("VALGRIND_OPTS").arg("--tool=dhat").arg(format!("--dhat-out-file={name}"));
        output(child.append_to(&mut command, rounds))?;
        let text = fs::read(&file).map_err(|error| {
            Error::new(ErrorKind::Io, "the file that valgrind was to write cannot be read")
                .at(file.display().to_string())
                .with_source(error)
        })?;
        totals(&text)
    }

    fn definitions(&self, counts: &Counts) -> Vec<(&'static str, i64)> {
        let asked = counts.requested_bytes() as i64;
        let given_back = (counts.freed_bytes + counts.shrunk_bytes) as i64;
        vec![
            ("total blocks", counts.requests() as i64),
            ("total bytes", counts.new_size_bytes() as i64),
            ("blocks at the end", counts.allocations as i64 - counts.deallocations as i64),
            ("bytes at the end", asked - given_back),
        ]
    }
}

/// As much of DHAT's file as is looked at.
#[derive(Deserialize)]
struct File {
    #[serde(rename = "dhatFileVersion")]
    version: u32,
    mode: String,
    #[serde(rename = "pps")]
    points: Vec<Point>,
}

/// A point of the program.
#[derive(Deserialize)]
struct Point {
    #[serde(rename = "tbk")]
    blocks: i64,
    #[serde(rename = "tb")]
    bytes: i64,
    #[serde(rename = "ebk")]
    end_blocks: i64,
    #[serde(rename = "eb")]
    end_bytes: i64,
}

/// The sums over all points.
fn totals(text: &[u8]) -> Result<Vec<i64>> {
    let malformed = |what: String| Error::new(ErrorKind::Malformed, format!("valgrind's DHAT wrote {what}"));
    let file: File = serde_json::from_slice(text).map_err(|error| {
        malformed("something else than points with `tb`, `tbk`, `eb` and `ebk`".to_owned()).with_source(error)
    })?;
    if file.version != 2 || file.mode != "heap" {
        let (version, mode) = (file.version, file.mode);
        return Err(malformed(format!(
            "version {version}, mode `{mode}`: version 2, mode `heap` was expected"
        )));
    }
    let sum = |figure: fn(&Point) -> i64| {
        let sum = file.points.iter().map(figure).try_fold(0_i64, i64::checked_add);
        sum.ok_or_else(|| malformed("sums beyond 64 bits".to_owned()))
    };
    Ok(vec![
        sum(|point| point.blocks)?,
        sum(|point| point.bytes)?,
        sum(|point| point.end_blocks)?,
        sum(|point| point.end_bytes)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_the_sums_over_all_points() {
        let text = br#"{"dhatFileVersion":2,"mode":"heap","pps":[
            {"tb":51100,"tbk":30,"eb":0,"ebk":0,"fs":[1]},{"tb":70,"tbk":10,"eb":70,"ebk":10,"fs":[2]}]}"#;
        assert_eq!(totals(text).unwrap(), [40, 51_170, 10, 70]);
    }

    #[test]
    fn what_is_written_otherwise_is_an_error_that_says_what_was_expected() {
        let other = br#"{"dhatFileVersion":3,"mode":"heap","pps":[]}"#;
        let expected = "valgrind's DHAT wrote version 3, mode `heap`: version 2, mode `heap` was expected";
        assert_eq!(totals(other).unwrap_err().to_string(), expected);
        let lacking = br#"{"dhatFileVersion":2,"mode":"heap","pps":[{"tb":1,"tbk":1,"eb":0}]}"#;
        let expected = "valgrind's DHAT wrote something else than points with `tb`, `tbk`, `eb` and `ebk`";
        assert_eq!(totals(lacking).unwrap_err().to_string(), expected);
    }
}
