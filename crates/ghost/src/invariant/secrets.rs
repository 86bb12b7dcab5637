//! The services' credentials and tokens stand nowhere: not in what was given out, not on disk.

use super::{
    evidence::Evidence,
    scanner::{Canary, Form, Scanner},
};
use crate::{
    player::{Ground, PlayError},
    verdict::Violated,
};
use serde_json::json;
use std::{collections::BTreeSet, fs, io::Write as _, path::Path};

pub(super) const SECRET_LEAK: &str = "secret_leak";

pub(super) fn leaked(evidence: &Evidence, ground: &Ground) -> Result<Option<Violated>, PlayError> {
    if let Some(leak) = in_given(evidence)? {
        return Ok(Some(leak));
    }
    on_disk(&proven(evidence)?, ground)
}

pub(super) fn in_given(evidence: &Evidence) -> Result<Option<Violated>, PlayError> {
    let scanner = proven(evidence)?;
    let mut given = evidence.given.iter();
    Ok(given.find_map(|(place, bytes)| told(&scanner, place, bytes)))
}

/// First a file with every secret in every form is made, and the search has to find them all.
fn proven(evidence: &Evidence) -> Result<Scanner, PlayError> {
    let scanner =
        Scanner::of(&evidence.canaries).map_err(|error| PlayError::Scenario(error.to_string()))?;
    prove(&scanner, &evidence.canaries)?;
    Ok(scanner)
}

fn told(scanner: &Scanner, place: &str, bytes: &[u8]) -> Option<Violated> {
    let (name, form) = scanner.find(bytes).into_iter().next()?;
    let seen = json!({ "secret": name, "form": format!("{form:?}"), "place": place });
    Some(Violated::new(SECRET_LEAK, "nowhere", seen))
}

fn prove(scanner: &Scanner, canaries: &[Canary]) -> Result<(), PlayError> {
    let mut file = tempfile::tempfile().map_err(PlayError::io("a temporary file"))?;
    let mut planted = BTreeSet::new();
    for canary in canaries {
        for form in Form::ALL {
            writeln!(file, "<{}>", form.of(&canary.secret))
                .map_err(PlayError::io("a temporary file"))?;
            planted.insert((canary.name.clone(), form));
        }
    }
    let bytes = read_back(file).map_err(PlayError::io("a temporary file"))?;
    let found = scanner.find(&bytes);
    let missed: Vec<_> = planted.difference(&found).collect();
    if missed.is_empty() {
        return Ok(());
    }
    Err(PlayError::Scenario(format!("the search for secrets misses {missed:?}")))
}

fn read_back(mut file: fs::File) -> std::io::Result<Vec<u8>> {
    use std::io::{Read as _, Seek as _};
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Database, its journal, workspaces, the log: every file of the server's home.
fn on_disk(scanner: &Scanner, ground: &Ground) -> Result<Option<Violated>, PlayError> {
    let mut folders = vec![ground.home().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(PlayError::path(&folder))? {
            let path = entry.map_err(PlayError::path(&folder))?.path();
            let kind = fs::symlink_metadata(&path).map_err(PlayError::path(&path))?;
            if kind.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = read_live(&path)?;
            let place = path.strip_prefix(ground.home()).unwrap_or(&path).display().to_string();
            if let Some(leak) = told(scanner, &place, &bytes) {
                return Ok(Some(leak));
            }
        }
    }
    Ok(None)
}

/// A journal of the database may go while it is looked for.
fn read_live(path: &Path) -> Result<Vec<u8>, PlayError> {
    match fs::read(path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(PlayError::path(path)(error)),
    }
}
