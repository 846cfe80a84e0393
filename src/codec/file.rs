//! Users, written to a file and read back.

use std::fs::File;
use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;

use tempfile::TempDir;

use super::{Operation, Prepared, Request, Variant, Workload, model_objects};
use crate::error::{Error, ErrorKind, Result};
use crate::model::{ModelKind, USERS, User};

/// The case of a codec that writes all users to a file, or reads them from it; none for other models and variants.
///
/// The users are made beforehand ([`Variant::Ready`]) or in each measured call ([`Variant::Lazy`], to serialize only). The
/// file is in a folder of its own, which goes when the workload is dropped.
pub(in crate::codec) fn users(
    request: &Request,
    write: impl Fn(&[User], File) + Send + 'static,
    read: impl Fn(File) -> Vec<User> + Send + 'static,
) -> Option<Prepared> {
    if request.model != ModelKind::User || request.batch != 1 {
        return None;
    }
    let file = UserFile::new();
    write(&USERS, file.create());
    let encoded_bytes = file.len();
    let workload = match (request.operation, request.variant) {
        (Operation::Serialize, Variant::Ready) => {
            let users: &'static [User] = &USERS;
            Workload::serial(move || write(black_box(users), file.create()))
        }
        (Operation::Serialize, Variant::Lazy) => {
            Workload::serial(move || write(&black_box(User::list()), file.create()))
        }
        (Operation::Deserialize, Variant::Ready) => {
            Workload::serial(move || drop(black_box(read(file.open()))))
        }
        _ => return None,
    };
    Some(Prepared { encoded_bytes, workload, inline_objects: model_objects::inline_objects(request) })
}

/// Bytes that the largest of the files takes, and some more.
const ROOM: usize = 24 << 20;

/// Tries whether the system's folder for temporary files takes the files of the cases that go through one.
///
/// # Errors
/// It does not: then those cases cannot be prepared.
pub fn check_temporary_folder() -> Result<()> {
    let tried = TempDir::with_prefix("alloclab-").and_then(|folder| {
        let mut file = File::create(folder.path().join("users"))?;
        file.write_all(&vec![0; ROOM])
    });
    tried.map_err(|source| {
        Error::new(ErrorKind::Io, format!("{} MB of users cannot be written there: {source}", ROOM >> 20))
            .at(std::env::temp_dir().display().to_string())
            .with_help("name another folder for temporary files in the environment variable TMPDIR")
            .with_source(source)
    })
}

/// A file in a temporary folder, which goes with it.
struct UserFile {
    path: PathBuf,
    _folder: TempDir,
}

impl UserFile {
    /// # Panics
    /// If the system gives no folder: then nothing can be measured here.
    fn new() -> Self {
        let folder = TempDir::with_prefix("alloclab-").expect("a temporary folder can be made");
        Self { path: folder.path().join("users"), _folder: folder }
    }

    fn create(&self) -> File {
        File::create(&self.path).expect("a file can be made in a folder of our own")
    }

    fn open(&self) -> File {
        File::open(&self.path).expect("the file was written before")
    }

    fn len(&self) -> u64 {
        self.path.metadata().expect("the file was written before").len()
    }
}
