//! Standard output, and the folder of results.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::results::write_whole;

use super::outcome::say;

/// Prints to standard output. Whoever closed it has seen enough: see [`super::outcome::exit_code`].
pub(super) fn print(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    let printed = stdout.write_all(text.as_ref()).and_then(|()| stdout.flush());
    printed.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => error.into(),
        _ => Error::new(ErrorKind::Io, "the output cannot be written")
            .at("standard output")
            .with_help("send it somewhere else")
            .with_source(error)
            .into(),
    })
}

/// The file that an option names; none for standard output, whose own name must not be written to as a file's: what it was
/// sent to before would be gone.
pub(super) fn file_of(out: Option<&Path>) -> Option<&Path> {
    out.filter(|&file| file != Path::new("-") && file != Path::new("/dev/stdout"))
}

/// Writes a file that was made of others, whole, and tells of it. None of those may be it.
pub(super) fn write_made(file: &Path, sources: &[&Path], made: &[u8]) -> Result<()> {
    let place = file.canonicalize();
    if let Ok(place) = place
        && sources.iter().any(|source| source.canonicalize().is_ok_and(|source| source == place))
    {
        return Err(Error::new(ErrorKind::Unsupported, "the file to write is the one that is read")
            .at(file.display().to_string())
            .with_help("name another one with --out FILE"));
    }
    write_whole(file, |unfinished| fs::write(unfinished, made))?;
    say_written(&[file]);
    Ok(())
}

/// Tells of files that were written.
pub(super) fn say_written(files: &[impl AsRef<Path>]) {
    for file in files {
        say(format_args!("wrote {}", file.as_ref().display()));
    }
}

/// Opens a file in the program that the system has for it.
pub(super) fn open(file: &Path) -> Result<()> {
    open::that_detached(file).map_err(|error| {
        Error::new(ErrorKind::Io, "no program was found that opens the file")
            .at(file.display().to_string())
            .with_help("it is written: open it yourself")
            .with_source(error)
    })
}

/// Whether standard output shows colors.
pub(super) fn is_colored() -> bool {
    io::stdout().is_terminal() && !is_color_refused()
}

/// Columns of the terminal that standard output is, else those that the environment names.
pub(super) fn width() -> Option<usize> {
    let of_terminal = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into());
    of_terminal.or_else(|| std::env::var("COLUMNS").ok()?.parse().ok())
}

/// Whether the user wants no colors anywhere: see <https://no-color.org>.
pub(super) fn is_color_refused() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}

/// Makes a folder and tries whether a file can be written in it, so that nothing is measured in vain.
pub(super) fn writable_folder(folder: PathBuf) -> Result<PathBuf> {
    let probe = folder.join(format!(".alloclab-{}", std::process::id()));
    let tried =
        fs::create_dir_all(&folder).and_then(|()| File::create(&probe)).and_then(|_| fs::remove_file(&probe));
    tried.map_err(|error| cannot_be_written(&folder, error))?;
    Ok(folder)
}

fn cannot_be_written(folder: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Io, "the output folder cannot be written")
        .at(folder.display().to_string())
        .with_help("name another one with --out DIR")
        .with_source(error)
}
