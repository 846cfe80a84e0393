//! `alloclab diff`: what one results file or recording allocates that another does not.

use std::fs;
use std::path::Path;

use crate::report::DifferenceView;
use crate::results::write_whole;

use super::args::DiffArgs;
use super::outcome::{Outcome, say};
use super::output::{is_colored, print, width};
use super::rows::{Binary, read_any};

pub(super) fn run(args: &DiffArgs) -> anyhow::Result<Outcome> {
    let old = read_any(&args.old, Binary::Option("--old-binary", args.old_binary.as_deref()))?;
    let new = read_any(&args.new, Binary::Option("--binary", args.binary.as_deref()))?;
    let beside = args.format.file_name().map(|name| args.new.with_file_name(name));
    let out = args.out.clone().or(beside).filter(|file| file != Path::new("-"));
    let view = DifferenceView {
        by: args.by,
        sort: args.sort,
        top: args.top.map(|top| usize::try_from(top).unwrap_or(usize::MAX)),
        width: width().unwrap_or(DifferenceView::default().width),
        color: out.is_none() && is_colored(),
    };
    let rendered = args.format.render(&old, &new, &view)?;
    match out {
        None => print(rendered)?,
        Some(file) => {
            write_whole(&file, |unfinished| fs::write(unfinished, rendered))?;
            say(format_args!("wrote {}", file.display()));
        }
    }
    Ok(Outcome::Fine)
}
