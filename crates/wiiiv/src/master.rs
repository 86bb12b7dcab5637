//! Files of the master keys: the current one and the next one.

use crate::config::{KeySettings, Settings};
use crate::secret;
use crate::start_error::StartError;
use secrecy::ExposeSecret as _;
use std::path::{Path, PathBuf};
use wiiiv_vault::{MasterKey, MasterKeys};

const MASTER_VARIABLE: &str = "WIIIV__KEYS__MASTER";
const NEXT_VARIABLE: &str = "WIIIV__KEYS__NEXT_MASTER";
/// Behind the name of the master key's file, where no other is named for the next one.
const NEXT_SUFFIX: &str = ".next";

/// From the environment, else from the file.
fn master_key(keys: &KeySettings) -> Result<MasterKey, StartError> {
    if let Some(text) = &keys.master {
        return of_variable(MASTER_VARIABLE, text);
    }
    if keys.master_file.as_os_str().is_empty() {
        return Err(StartError::NoMasterKey);
    }
    of_file(&keys.master_file)
}

/// The one to rotate to, if it is there: looked for each time anew.
pub fn next_key(keys: &KeySettings) -> Result<Option<MasterKey>, StartError> {
    if let Some(text) = &keys.next_master {
        return of_variable(NEXT_VARIABLE, text).map(Some);
    }
    match next_file(keys).filter(|file| file.exists()) {
        Some(file) => of_file(&file).map(Some),
        None => Ok(None),
    }
}

/// What a start is given, and why a next key that lies there cannot be used: most starts do not need
/// it, and where one does, the store says so.
pub fn given(settings: &Settings) -> Result<(MasterKeys, Option<StartError>), StartError> {
    let keys = MasterKeys::of(master_key(&settings.keys)?);
    Ok(match next_key(&settings.keys) {
        Ok(next) => (next.into_iter().fold(keys, MasterKeys::with_next), None),
        Err(error) => (keys, Some(error)),
    })
}

/// For people: where the one in use is read from.
pub fn place(keys: &KeySettings) -> String {
    match keys.master {
        Some(_) => format!("`{MASTER_VARIABLE}`"),
        None => format!("`{}`", keys.master_file.display()),
    }
}

/// For people: where the next one is looked for.
pub fn next_place(keys: &KeySettings) -> String {
    match (&keys.next_master, next_file(keys)) {
        (None, Some(file)) => format!("`{}`", file.display()),
        (Some(_), _) | (None, None) => format!("`{NEXT_VARIABLE}`"),
    }
}

fn next_file(keys: &KeySettings) -> Option<PathBuf> {
    let named = |path: &PathBuf| !path.as_os_str().is_empty();
    if named(&keys.next_master_file) {
        return Some(keys.next_master_file.clone());
    }
    let beside = keys.master.is_none() && named(&keys.master_file);
    beside.then(|| {
        let mut name = keys.master_file.clone().into_os_string();
        name.push(NEXT_SUFFIX);
        PathBuf::from(name)
    })
}

fn of_variable(name: &str, text: &str) -> Result<MasterKey, StartError> {
    let origin = format!("environment variable `{name}`");
    MasterKey::parse(text).map_err(|reason| StartError::MasterKey { origin, reason })
}

fn of_file(path: &Path) -> Result<MasterKey, StartError> {
    let text = secret::from_private_file(path)?;
    let origin = format!("`{}`", path.display());
    MasterKey::parse(text.expose_secret())
        .map_err(|reason| StartError::MasterKey { origin, reason })
}

#[cfg(test)]
mod tests {
    use super::{KeySettings, next_key, next_place, place};
    use crate::secret;
    use std::path::PathBuf;

    fn settings(master_file: PathBuf) -> KeySettings {
        KeySettings {
            master_file,
            next_master_file: PathBuf::new(),
            master: None,
            next_master: None,
        }
    }

    #[test]
    fn the_next_key_lies_beside_the_one_in_use_unless_a_place_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let mut keys = settings(folder.path().join("master.key"));
        assert!(next_key(&keys).unwrap().is_none());
        assert!(place(&keys).ends_with("master.key`"));
        assert!(next_place(&keys).ends_with("master.key.next`"));
        secret::write(&folder.path().join("master.key.next"), &"0b".repeat(32)).unwrap();
        let beside = next_key(&keys).unwrap().unwrap().id();
        keys.next_master_file = folder.path().join("other");
        assert!(next_key(&keys).unwrap().is_none(), "that place alone");
        secret::write(&keys.next_master_file, "no key at all").unwrap();
        let refused = next_key(&keys).unwrap_err().to_string();
        assert!(refused.contains("other") && !refused.contains("no key at all"), "{refused}");
        keys.next_master = Some("0b".repeat(32));
        assert_eq!(next_key(&keys).unwrap().unwrap().id(), beside);
        assert_eq!(next_place(&keys), "`WIIIV__KEYS__NEXT_MASTER`");
    }

    #[test]
    fn debug_shows_neither_key() {
        let mut keys = settings(PathBuf::new());
        keys.master = Some("ab".repeat(32));
        keys.next_master = Some("cd".repeat(32));
        let shown = format!("{keys:?}");
        assert!(!shown.contains("abab") && !shown.contains("cdcd"), "{shown}");
    }
}
