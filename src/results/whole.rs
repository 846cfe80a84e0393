//! Files that are written whole or not at all.

use std::io;
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};
use crate::whole;

/// Lets `make` write a file beside its place, and moves it there when it is complete.
///
/// The name that `make` gets ends as the file's own does. A link stays and its target is written; what is no regular file,
/// such as a device, gets the complete contents.
///
/// # Errors
/// [`ErrorKind::Io`], with the file's path, if `make` fails or the file cannot be moved to its place; nothing is left beside
/// it then.
pub fn write_whole(path: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> Result<()> {
    whole::write(path, make).map_err(|source| {
        Error::new(ErrorKind::Io, "the file cannot be written")
            .at(path.display().to_string())
            .with_help(help(&source))
            .with_source(source)
    })
}

fn help(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room there, or name another folder"
        }
        io::ErrorKind::IsADirectory => "there is a folder of that name: name a file",
        _ => "name a folder that exists and that you may write to",
    }
}
