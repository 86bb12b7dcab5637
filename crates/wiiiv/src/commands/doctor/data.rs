//! Checks the data for the next start: tries the master key on it and compares its schema with this
//! build's. It does not open the database, because a running server may have it open.

use super::subject::Subject;
use crate::{
    commands::doctor::check::{Check, Health, check},
    config::Settings,
    master, start,
    start_error::StartError,
};
use std::{fs::File, io::Read as _, path::Path};
use wiiiv_store::{AuditFit, Inspection, KeyFit, Looking, inspect};
use wiiiv_vault::MasterKeys;

const DATABASE_FILE: &str = "wiiiv.db";
const UNREADABLE: &str = "the database cannot be read";
/// Every SQLite database begins with it.
const SQLITE_START: &[u8; 16] = b"SQLite format 3\0";

/// Of the master key, of the database, then of the audit in it. A machine that has only seen the demo needs no key yet.
pub async fn checks(settings: &Settings, folder: &Path) -> [Check; 3] {
    let file = folder.join(DATABASE_FILE);
    let (keys, error) = match master::given(settings) {
        Ok((keys, error)) => (Some(keys), error),
        Err(error) => (None, Some(error)),
    };
    let said = |fit: Option<&KeyFit>| match (&error, fit) {
        (Some(StartError::NoMasterKey), _) if !folder.exists() => {
            check(Subject::MasterKey, Health::Warn, "-")
        }
        (Some(error), None) => check(Subject::MasterKey, Health::Fail, error.to_string()),
        // Without the next one it may still be well, and then it is in nobody's way.
        (Some(error), Some(fit)) => {
            let found = key(settings, Some(fit));
            let health = if found.health == Health::Ok { Health::Warn } else { Health::Fail };
            check(Subject::MasterKey, health, format!("{}; {error}", found.found))
        }
        (None, fit) => key(settings, fit),
    };
    if let Some(refused) = no_database(&file) {
        let audit = match refused.health {
            Health::Ok => nothing_yet(),
            Health::Warn | Health::Fail => unchecked(UNREADABLE, Subject::Database),
        };
        return [said(None), refused, outside(audit, settings, folder)];
    }
    match looked(&file, settings, keys.as_ref()).await {
        Ok(found) => {
            let fit = keys.is_some().then_some(&found.key);
            let audit = outside(audit(&found), settings, folder);
            [said(fit), schema(&file, &found), audit]
        }
        Err(error) => {
            let shown = format!("`{}`: {error}", file.display());
            let audit = unchecked(UNREADABLE, Subject::Database);
            [said(None), check(Subject::Database, Health::Fail, shown), audit]
        }
    }
}

async fn looked(
    file: &Path,
    settings: &Settings,
    keys: Option<&MasterKeys>,
) -> Result<Inspection, String> {
    let registrar = crate::open::registrar().map_err(|error| error.to_string())?;
    let checkpoints = start::checkpoints(settings);
    let looking = Looking { keys, checkpoints, registrar: &registrar };
    inspect(file, looking).await.map_err(|error| error.to_string())
}

fn nothing_yet() -> Check {
    check(Subject::Audit, Health::Ok, "nothing is there yet")
}

/// `first`: the check to mend first, whose advice is shown.
fn unchecked(why: &str, first: Subject) -> Check {
    let found = format!("not checked: {why}");
    Check { advice: first.as_str(), ..check(Subject::Audit, Health::Warn, found) }
}

fn not_tried(found: &Inspection) -> Check {
    if found.key == KeyFit::NothingSealed {
        return nothing_yet();
    }
    if !found.unknown.is_empty() {
        return unchecked("a later build made the data", Subject::Database);
    }
    if !found.pending.is_empty() {
        return unchecked("the next start takes schema steps first", Subject::Database);
    }
    match &found.key {
        KeyFit::NotTried => unchecked("that takes the master key", Subject::MasterKey),
        KeyFit::Wrong(_) => {
            unchecked("the master key given does not open the data", Subject::MasterKey)
        }
        KeyFit::NothingSealed => nothing_yet(),
        KeyFit::Fits | KeyFit::NextWaits | KeyFit::Rotating { .. } | KeyFit::Outlived { .. } => {
            unchecked("the key that signs the audit is not there", Subject::Database)
        }
    }
}

fn audit(found: &Inspection) -> Check {
    match &found.audit {
        AuditFit::Whole => check(Subject::Audit, Health::Ok, "verified"),
        AuditFit::Unsealed => {
            let found =
                "verified; an earlier build left it unsealed, and the next start seals it, once";
            Check { advice: "audit_unsealed", ..check(Subject::Audit, Health::Warn, found) }
        }
        AuditFit::NoCheckpoints(what) => {
            Check { advice: "audit_checkpoints", ..check(Subject::Audit, Health::Fail, what) }
        }
        AuditFit::Changed(what) => check(Subject::Audit, Health::Fail, what),
        AuditFit::NotTried => not_tried(found),
    }
}

/// A file of checkpoints in the data folder goes with an older copy of that, and shows nothing.
fn outside(found: Check, settings: &Settings, folder: &Path) -> Check {
    let file = start::checkpoints(settings).filter(|file| start::is_inside(folder, file));
    match (file, found.health) {
        (Some(file), Health::Ok) => {
            let (file, found) = (file.display(), &found.found);
            let told = format!("`{file}` lies in the data folder and shows nothing ({found})");
            Check {
                advice: "audit_checkpoints_inside",
                ..check(Subject::Audit, Health::Warn, told)
            }
        }
        (Some(_) | None, Health::Ok | Health::Warn | Health::Fail) => found,
    }
}

fn key(settings: &Settings, fit: Option<&KeyFit>) -> Check {
    let keys = &settings.keys;
    let (place, next) = (master::place(keys), master::next_place(keys));
    let (health, found) = match fit {
        Some(KeyFit::Wrong(why)) => (Health::Fail, format!("{place}: {why}")),
        Some(KeyFit::Fits) => (Health::Ok, format!("{place} opens the data")),
        Some(KeyFit::NextWaits) => {
            (Health::Ok, format!("{place} opens the data; {next} waits for `wiiiv keys rotate`"))
        }
        Some(KeyFit::Rotating { from, to, left }) => (
            Health::Warn,
            format!(
                "{place} and {next} open the data: `{left}` rows wait to be moved from version \
                 `{from}` to `{to}`, which goes on while the server runs; keep both keys until \
                 `wiiiv keys rotation` shows the certificate"
            ),
        ),
        Some(KeyFit::Outlived { version }) => (
            Health::Warn,
            format!(
                "the data is sealed under the newer key; version `{version}` lies there too and \
                 opens nothing any more: put {next} in the place of {place}"
            ),
        ),
        Some(KeyFit::NothingSealed | KeyFit::NotTried) | None => (Health::Ok, place),
    };
    Check { advice: advice(fit), ..check(Subject::MasterKey, health, found) }
}

/// Of a rotation it is not another key file that is wanted.
const fn advice(fit: Option<&KeyFit>) -> &'static str {
    match fit {
        Some(KeyFit::Rotating { .. }) => "master_key_rotating",
        Some(KeyFit::Outlived { .. }) => "master_key_rotated",
        Some(
            KeyFit::Wrong(_)
            | KeyFit::Fits
            | KeyFit::NextWaits
            | KeyFit::NothingSealed
            | KeyFit::NotTried,
        )
        | None => Subject::MasterKey.as_str(),
    }
}

/// `Some`: there is nothing to look into.
fn no_database(file: &Path) -> Option<Check> {
    let shown = file.display();
    // A start that was cut off leaves it empty.
    if std::fs::metadata(file).map_or(true, |there| there.len() == 0) {
        return Some(check(Subject::Database, Health::Ok, format!("`{shown}` is not there yet")));
    }
    let mut start = [0; SQLITE_START.len()];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    match read {
        Ok(()) if start == *SQLITE_START => None,
        Ok(()) => Some(check(Subject::Database, Health::Fail, format!("`{shown}` is no database"))),
        Err(error) => Some(check(Subject::Database, Health::Fail, format!("`{shown}`: {error}"))),
    }
}

fn schema(file: &Path, found: &Inspection) -> Check {
    let shown = file.display();
    if !found.unknown.is_empty() {
        let steps = found.unknown.join("`, `");
        let why = format!("`{shown}` was made by a later build: it has the steps `{steps}`");
        return check(Subject::Database, Health::Fail, why);
    }
    if !found.pending.is_empty() {
        let steps = found.pending.join("`, `");
        let why = format!("`{shown}`: the next start takes the steps `{steps}`");
        return check(Subject::Database, Health::Warn, why);
    }
    check(Subject::Database, Health::Ok, format!("`{shown}`"))
}

#[cfg(test)]
mod tests {
    use super::{no_database, schema};
    use crate::commands::doctor::check::Health;
    use std::fs;
    use wiiiv_store::{AuditFit, Inspection, KeyFit};

    #[test]
    fn a_file_that_is_no_database_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("wiiiv.db");
        assert_eq!(no_database(&file).unwrap().health, Health::Ok);
        fs::write(&file, "SQLite format 3\0 and more").unwrap();
        assert!(no_database(&file).is_none());
        fs::write(&file, "nothing of the kind").unwrap();
        assert_eq!(no_database(&file).unwrap().health, Health::Fail);
    }

    #[test]
    fn steps_that_wait_are_a_warning_and_those_of_a_later_build_a_failure() {
        let found = |pending: &[&str], unknown: &[&str]| {
            let owned = |steps: &[&str]| steps.iter().map(|step| (*step).to_owned()).collect();
            let (pending, unknown) = (owned(pending), owned(unknown));
            let audit = AuditFit::NotTried;
            let found = Inspection { key: KeyFit::Fits, audit, pending, unknown };
            schema("wiiiv.db".as_ref(), &found)
        };
        assert_eq!(found(&[], &[]).health, Health::Ok);
        let waits = found(&["0010_activity"], &[]);
        assert!(waits.health == Health::Warn && waits.found.contains("0010_activity"));
        assert_eq!(found(&["0010_activity"], &["9999_newer"]).health, Health::Fail);
    }
}
