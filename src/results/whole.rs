//! Files that are written whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};

/// Lets `make` write a file beside its place, and moves it there when it is complete.
///
/// The name that `make` gets ends as the file's own does.
///
/// # Errors
/// [`ErrorKind::Io`], with the file's path, if `make` fails or the file cannot be moved to its place; nothing is left beside
/// it then.
pub fn write_whole(path: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> Result<()> {
    let unfinished = unfinished_name(path);
    let written = make(&unfinished).and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|source| {
        // Nothing may be left: a file that was never made cannot be removed, and that is fine.
        let _ = fs::remove_file(&unfinished);
        Error::new(ErrorKind::Io, format!("the file cannot be written: {source}"))
            .at(path.display().to_string())
            .with_help("name a folder that exists and that you may write to")
            .with_source(source)
    })
}

/// A name in the same folder, for a rename does not cross file systems.
fn unfinished_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".unfinished-{}-{name}", std::process::id()))
}
