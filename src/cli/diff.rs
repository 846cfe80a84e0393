//! `alloclab diff`: what one results file or recording allocates that another does not.

use crate::report::DifferenceView;

use super::args::DiffArgs;
use super::outcome::Outcome;
use super::output::{file_of, is_colored, print, width, write_made};
use super::rows::{Binary, read_any};

pub(super) fn run(args: &DiffArgs) -> anyhow::Result<Outcome> {
    let old = read_any(&args.old, Binary::Option("--old-binary", args.old_binary.as_deref()))?;
    let new = read_any(&args.new, Binary::Option("--binary", args.binary.as_deref()))?;
    let beside = args.format.file_name().map(|name| args.new.with_file_name(name));
    let out = file_of(args.out.as_deref().or(beside.as_deref()));
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
        Some(file) => write_made(file, &[&args.old, &args.new], rendered.as_ref())?,
    }
    Ok(Outcome::Fine)
}
