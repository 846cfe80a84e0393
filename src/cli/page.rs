//! `alloclab page`: fills the figures of results files into a text.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::report::fill;
use crate::results::read;

use super::args::PageArgs;
use super::outcome::Outcome;
use super::output::{file_of, print, write_made};

pub(super) fn run(args: &PageArgs) -> anyhow::Result<Outcome> {
    let text = fs::read_to_string(&args.text).map_err(|source| cannot_be_read(&args.text, source))?;
    let runs = args.results.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let page = fill(&args.text.display().to_string(), &text, &runs)?;
    let sources: Vec<&Path> = args.results.iter().chain([&args.text]).map(PathBuf::as_path).collect();
    match file_of(args.out.as_deref()) {
        None => print(page)?,
        Some(file) => write_made(file, &sources, page.as_bytes())?,
    }
    Ok(Outcome::Fine)
}

fn cannot_be_read(file: &Path, source: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("the text cannot be read: {source}"))
        .at(file.display().to_string())
        .with_help(
            "name a text file in UTF-8, with places like `{{time of span: binary simple serialize stream}}`",
        )
        .with_source(source)
}
