//! Invariant: the services' credentials and tokens are neither in what the server sent out nor on disk.

use super::evidence::Evidence;
use crate::{
    harness::{PlayError, ServerHome, files_below, relative_name},
    scanner::{Canary, Form, Scanner},
    verdict::Violated,
};
use serde_json::json;
use std::{collections::BTreeSet, fs, io::Write as _, path::Path};

pub(super) const SECRET_LEAK: &str = "secret_leak";

pub(super) fn leaked(
    evidence: &Evidence,
    home: &ServerHome,
) -> Result<Option<Violated>, PlayError> {
    if let Some(leak) = in_sent(evidence)? {
        return Ok(Some(leak));
    }
    on_disk(&proven_scanner(evidence)?, home)
}

pub(super) fn in_sent(evidence: &Evidence) -> Result<Option<Violated>, PlayError> {
    let scanner = proven_scanner(evidence)?;
    let mut sent = evidence.sent.iter();
    Ok(sent.find_map(|(source, bytes)| leak(&scanner, source, bytes)))
}

/// A scanner that has found every secret in every encoding in a test file.
fn proven_scanner(evidence: &Evidence) -> Result<Scanner, PlayError> {
    let scanner =
        Scanner::of(&evidence.canaries).map_err(|error| PlayError::Scenario(error.to_string()))?;
    prove(&scanner, &evidence.canaries)?;
    Ok(scanner)
}

fn leak(scanner: &Scanner, source: &str, bytes: &[u8]) -> Option<Violated> {
    let (name, form) = scanner.find(bytes).into_iter().next()?;
    let seen = json!({ "secret": name, "form": format!("{form:?}"), "place": source });
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

/// Searches every file of the server's home: the database and its journal, the workspaces, the log.
fn on_disk(scanner: &Scanner, home: &ServerHome) -> Result<Option<Violated>, PlayError> {
    for path in files_below(home.path(), |_| false)? {
        let source = relative_name(home.path(), &path);
        if let Some(leak) = leak(scanner, &source, &read_live(&path)?) {
            return Ok(Some(leak));
        }
    }
    Ok(None)
}

/// The database's journal may disappear during the search.
fn read_live(path: &Path) -> Result<Vec<u8>, PlayError> {
    match fs::read(path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(PlayError::path(path)(error)),
    }
}
