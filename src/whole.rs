//! Files that are written whole or not at all.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, io};

/// Lets `make` write a file beside its place, and moves it there when it is complete.
///
/// The name that `make` gets ends as the file's own does. A link stays and what it leads to is written; what is no regular
/// file, such as a device, gets the complete contents. If anything fails, nothing is left beside the place.
pub(crate) fn write(path: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return write_through(path, make);
    }
    let place = followed(path);
    // In the same folder, for a rename does not cross file systems.
    let unfinished = place.with_file_name(unfinished_name(&place));
    let written = make(&unfinished).and_then(|()| fs::rename(&unfinished, &place));
    written.inspect_err(|_| discard(&unfinished))
}

/// Nothing is renamed to a device's place: it gets what was written elsewhere.
fn write_through(path: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let unfinished = env::temp_dir().join(unfinished_name(path));
    let written = make(&unfinished).and_then(|()| {
        let mut device = fs::OpenOptions::new().write(true).open(path)?;
        io::copy(&mut fs::File::open(&unfinished)?, &mut device)
    });
    discard(&unfinished);
    written.map(drop)
}

/// Whatever is there is of no use: a file that was never made cannot be removed, and that is fine.
fn discard(unfinished: &Path) {
    let _ = fs::remove_file(unfinished);
}

/// Links that are followed to a file that is not there yet: as many as Linux follows.
const MOST_LINKS: usize = 40;

/// Where the links of a path lead, to a file that is there or not.
fn followed(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&place) else { break };
        place = place.with_file_name(target);
    }
    place
}

/// A name that no other call has, in this process or another.
fn unfinished_name(path: &Path) -> OsString {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(format!(".unfinished-{}-{call}-", std::process::id()));
    name.push(path.file_name().unwrap_or_default());
    name
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::thread;

    use super::*;

    /// A folder of a test's own, empty.
    fn folder(test: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("alloclab-whole-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_link_stays_and_what_it_leads_to_is_written() {
        let folder = folder("link");
        let (target, link, dangling) = (folder.join("target"), folder.join("link"), folder.join("dangling"));
        fs::write(&target, "old").unwrap();
        symlink(&target, &link).unwrap();
        symlink("not there yet", &dangling).unwrap();
        for place in [&link, &dangling] {
            write(place, |unfinished| fs::write(unfinished, "new")).unwrap();
            assert!(fs::symlink_metadata(place).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(place).unwrap(), "new");
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 4);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_device_stays_and_gets_the_contents() {
        let mut made = PathBuf::new();
        write(Path::new("/dev/null"), |unfinished| {
            made = unfinished.to_owned();
            fs::write(unfinished, "gone")
        })
        .unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert!(!made.exists());
    }

    #[test]
    fn threads_that_write_one_file_leave_that_of_one_of_them() {
        let folder = folder("threads");
        let place = folder.join("file");
        let texts = ["a", "b", "c", "d"].map(|letter| letter.repeat(10_000));
        thread::scope(|scope| {
            for text in &texts {
                let place = &place;
                scope.spawn(move || {
                    for _ in 0..50 {
                        write(place, |unfinished| fs::write(unfinished, text)).unwrap();
                        assert!(is_one_letter(place, text.len()));
                    }
                });
            }
        });
        assert!(texts.contains(&fs::read_to_string(&place).unwrap()));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    /// Whether a file is one letter so many times.
    fn is_one_letter(place: &Path, length: usize) -> bool {
        let text = fs::read_to_string(place).unwrap();
        text.len() == length && text.chars().all(|letter| text.starts_with(letter))
    }

    #[test]
    fn what_fails_leaves_nothing() {
        let folder = folder("fails");
        let place = folder.join("file");
        fs::create_dir(&place).unwrap();
        write(&place, |unfinished| fs::write(unfinished, "a folder stands there")).unwrap_err();
        write(&folder.join("other"), |unfinished| {
            fs::write(unfinished, "half")?;
            Err(io::ErrorKind::StorageFull.into())
        })
        .unwrap_err();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }
}
