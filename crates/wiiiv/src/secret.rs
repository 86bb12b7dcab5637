//! Reads secrets from a file or standard input, and writes them to files that only their owner
//! reads. Never from an argument: process lists and shell history show those.

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use secrecy::SecretString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A longer text is no secret of ours.
const SECRET_BYTES_MAX: u64 = 4096;
const OWNER_ONLY: u32 = 0o600;
const FOR_OTHERS: u32 = 0o077;
const FOR_STRANGERS: u32 = 0o007;
/// Where systemd puts what it hands over. It lets the service in by an access list, whose mask stands
/// in the bits of the group.
const CREDENTIALS_VARIABLE: &str = "CREDENTIALS_DIRECTORY";

#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    #[error("`{path}` can be read by others: run `chmod 600 {path}`", path = .path.display())]
    Exposed { path: PathBuf },
    #[error("`{path}` cannot be written: {reason}")]
    Unwritable { path: PathBuf, reason: String },
    #[error("standard input holds no secret: give it as a line there, or name a file")]
    Missing,
}

/// What is in memory is in no file of a crash: keys are open there while the server runs.
pub fn no_core_dumps() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    // Less is always allowed; where it is not known, there is nothing to forbid.
    let _unknown = setrlimit(Resource::Core, none);
}

/// The whole file without the white space around it.
pub fn from_file(path: &Path) -> Result<SecretString, SecretError> {
    let refuse = |reason: String| SecretError::Unreadable { path: path.to_owned(), reason };
    let file = File::open(path).map_err(|error| refuse(error.to_string()))?;
    let mut text = Zeroizing::new(String::new());
    let read = file.take(SECRET_BYTES_MAX + 1).read_to_string(&mut text);
    let read = read.map_err(|error| refuse(error.to_string()))?;
    if read as u64 > SECRET_BYTES_MAX {
        return Err(refuse(format!("it is longer than `{SECRET_BYTES_MAX}` bytes")));
    }
    Ok(SecretString::from(text.trim()))
}

/// As [`from_file`], where nobody but the owner may read it.
pub fn from_private_file(path: &Path) -> Result<SecretString, SecretError> {
    match is_private(path) {
        Ok(true) => from_file(path),
        Ok(false) => Err(SecretError::Exposed { path: path.to_owned() }),
        Err(error) => {
            Err(SecretError::Unreadable { path: path.to_owned(), reason: error.to_string() })
        }
    }
}

/// A file's text; `-` and no file mean standard input.
pub fn given(file: Option<&Path>, question: &str) -> Result<SecretString, SecretError> {
    match file.filter(|file| file.as_os_str() != "-") {
        Some(file) => from_file(file),
        None => from_input(question),
    }
}

fn is_private(path: &Path) -> io::Result<bool> {
    let folder = std::env::var_os(CREDENTIALS_VARIABLE).map(PathBuf::from);
    let handed_over = folder.is_some_and(|folder| path.starts_with(folder));
    let closed_to = if handed_over { FOR_STRANGERS } else { FOR_OTHERS };
    Ok(fs::metadata(path)?.permissions().mode() & closed_to == 0)
}

/// One line; on a terminal it is asked for and not shown.
pub fn from_input(question: &str) -> Result<SecretString, SecretError> {
    let stdin = io::stdin();
    let _silence = if stdin.is_terminal() { ask(question) } else { None };
    let mut line = Zeroizing::new(String::new());
    let read = stdin.lock().take(SECRET_BYTES_MAX).read_line(&mut line);
    match read {
        Ok(_) if !line.trim().is_empty() => {
            Ok(SecretString::from(line.trim_end_matches(['\r', '\n'])))
        }
        Ok(_) | Err(_) => Err(SecretError::Missing),
    }
}

fn ask(question: &str) -> Option<Silence> {
    let mut err = io::stderr().lock();
    // Without the question the terminal still waits for the line.
    let _unwritten = write!(err, "{question}: ").and_then(|()| err.flush());
    Silence::begin()
}

/// The terminal shows nothing of what is typed until this is dropped.
struct Silence(Termios);

impl Silence {
    fn begin() -> Option<Self> {
        let before = tcgetattr(io::stdin()).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent).ok()?;
        Some(Self(before))
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        // A terminal that has gone away needs no echo.
        let _gone = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
        let _unwritten = writeln!(io::stderr());
    }
}

/// Replaces the file as a whole, readable by its owner only.
pub fn write(path: &Path, text: &str) -> Result<(), SecretError> {
    let refuse = |error: io::Error| SecretError::Unwritable {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(refuse)?;
    }
    let fresh = path.with_extension("new");
    match fs::remove_file(&fresh) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(refuse(error)),
    }
    let mut options = OpenOptions::new();
    let file = options.write(true).create_new(true).mode(OWNER_ONLY).open(&fresh);
    let mut file = file.map_err(refuse)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(refuse)?;
    fs::rename(&fresh, path).map_err(refuse)
}

#[cfg(test)]
mod tests {
    use super::{SecretError, from_file, from_private_file, is_private, write};
    use secrecy::ExposeSecret as _;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_written_secret_is_its_owners_and_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/token");
        write(&path, "first\n").unwrap();
        write(&path, "second\n").unwrap();
        assert!(is_private(&path).unwrap());
        assert_eq!(from_private_file(&path).unwrap().expose_secret(), "second");
    }

    #[test]
    fn what_others_can_read_or_is_too_long_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, "x".repeat(5000)).unwrap();
        assert!(matches!(from_file(&path), Err(SecretError::Unreadable { .. })));
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(from_private_file(&path), Err(SecretError::Exposed { .. })));
    }
}
