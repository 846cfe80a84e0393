//! A headless Chromium that does what a person would, and tells what its pages show.
//!
//! It is driven by the DevTools protocol. Whatever is not as expected panics, in the test that expected it.

mod connection;
mod key;
mod page;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use std::{env, thread};

pub(crate) use page::Page;

/// How long anything may take before it counts as not happening.
const DEADLINE: Duration = Duration::from_secs(30);

const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

const FLAGS: [&str; 14] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-breakpad",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // Pages of tests that run at once cover each other.
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--lang=en-US",
    "--remote-debugging-port=0",
];

/// A running browser, which all tests of a program share; it ends with the last of them.
pub(crate) struct Browser {
    _process: Process,
    /// Where its DevTools listen: a port of this machine, and a path.
    port: u16,
    path: String,
}

/// The browser's process and the folder that it keeps its files in.
struct Process {
    child: Child,
    folder: PathBuf,
}

/// The browser of the tests that run now.
static SHARED: Mutex<Weak<Browser>> = Mutex::new(Weak::new());

impl Browser {
    /// The browser; none where none is installed, which then stands on standard error.
    ///
    /// # Panics
    /// If one is required, or if it does not start.
    pub(crate) fn start() -> Option<Arc<Self>> {
        let Some(program) = find(&PROGRAMS) else {
            skip("there is no Chromium here (Debian: apt-get install chromium)");
            return None;
        };
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(browser) = shared.upgrade() {
            return Some(browser);
        }
        let browser = Arc::new(Self::launch(&program));
        *shared = Arc::downgrade(&browser);
        Some(browser)
    }

    /// An empty page, with no memory of others.
    pub(crate) fn page(self: &Arc<Self>) -> Page {
        Page::of(Arc::clone(self))
    }

    fn launch(program: &Path) -> Self {
        let mut process = Process::start(program);
        let (port, path) = process.address();
        Self { _process: process, port, path }
    }
}

impl Process {
    fn start(program: &Path) -> Self {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let name = format!("browser-{}-{}", std::process::id(), STARTED.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let messages = File::create(folder.join("messages.txt")).expect("a file in a new folder");
        let child = Command::new(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", folder.display()))
            // What it keeps for a person is none of the tests'.
            .env("HOME", &folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(messages)
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));
        Self { child, folder }
    }

    /// The port and the path that the browser writes down as soon as it listens.
    fn address(&mut self) -> (u16, String) {
        let file = self.folder.join("DevToolsActivePort");
        let end = Instant::now() + DEADLINE;
        loop {
            let text = fs::read_to_string(&file).unwrap_or_default();
            if let Some((port, path)) = text.split_once('\n').filter(|(_, path)| !path.is_empty()) {
                let port =
                    port.parse().unwrap_or_else(|_| panic!("expected a port in DevToolsActivePort: {text}"));
                return (port, path.trim_end().to_owned());
            }
            let status = self.child.try_wait().expect("its status");
            if status.is_some() || Instant::now() > end {
                let messages = fs::read_to_string(self.folder.join("messages.txt")).unwrap_or_default();
                panic!(
                    "expected the browser to listen within {DEADLINE:?}; its status is {status:?}:\n{messages}"
                );
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Removes the socket that it leaves in the folder for temporary files: its own folder's path may be too long for one.
    fn remove_socket(&self) {
        let Ok(socket) = fs::read_link(self.folder.join("SingletonSocket")) else { return };
        let Some(folder) = socket.parent() else { return };
        for file in [&socket, &folder.join("SingletonCookie")] {
            let _ = fs::remove_file(file);
        }
        let _ = fs::remove_dir(folder);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.remove_socket();
        // Its own processes end a moment later, and write until then.
        let end = Instant::now() + DEADLINE;
        while fs::remove_dir_all(&self.folder).is_err() && self.folder.exists() && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The first of some programs that is in `PATH`.
fn find(programs: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let places = programs.iter().flat_map(|program| folders.iter().map(move |folder| folder.join(program)));
    places.into_iter().find(|place| place.is_file())
}

/// Says on standard error that this test is skipped, and why.
///
/// # Panics
/// If `ALLOCLAB_BROWSER` is `required`.
pub(crate) fn skip(reason: &str) {
    let thread = thread::current();
    let name = thread.name().unwrap_or("test");
    assert!(
        env::var_os("ALLOCLAB_BROWSER").as_deref() != Some(OsStr::new("required")),
        "{name}: {reason}, and ALLOCLAB_BROWSER requires it"
    );
    // What is printed by a macro is not seen where the test passes.
    writeln!(io::stderr(), "{name}: skipped: {reason}").expect("standard error takes a line");
}
