//! Files that are written whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};

/// Lets `make` write a file beside its place, and moves it there when it is complete.
///
/// The name that `make` gets ends as the file's own does. A link stays and its target is written; what is no regular file,
/// such as a device, gets the complete contents.
///
/// # Errors
/// [`ErrorKind::Io`], with the file's path, if `make` fails or the file cannot be moved to its place; nothing is left beside
/// it then.
pub fn write_whole(path: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> Result<()> {
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_special = fs::metadata(&place).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    let unfinished = if is_special { in_temporary_folder(&place) } else { beside(&place) };
    let written = make(&unfinished).and_then(|()| {
        if is_special {
            let mut device = fs::OpenOptions::new().write(true).open(&place)?;
            io::copy(&mut fs::File::open(&unfinished)?, &mut device)?;
            fs::remove_file(&unfinished)
        } else {
            fs::rename(&unfinished, &place)
        }
    });
    written.map_err(|source| {
        // Nothing may be left: a file that was never made cannot be removed, and that is fine.
        let _ = fs::remove_file(&unfinished);
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

/// A name in the same folder, for a rename does not cross file systems.
fn beside(path: &Path) -> PathBuf {
    path.with_file_name(unfinished_name(path))
}

fn in_temporary_folder(path: &Path) -> PathBuf {
    std::env::temp_dir().join(unfinished_name(path))
}

fn unfinished_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(".unfinished-{}-{name}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_a_device_gets_the_contents() {
        let folder = tempfile::TempDir::new().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        write_whole(&link, |place| fs::write(place, "new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        write_whole(Path::new("/dev/null"), |place| fs::write(place, "gone")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
