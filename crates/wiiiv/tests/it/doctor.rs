//! `doctor` tries the key on the data, and leaves everything as it was.

use crate::program::{Home, Ran};
use crate::server::{PASSWORD, start, with_key};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;

pub fn doctor(home: &Home, key: &str) -> Ran {
    let data = home.path("data").display().to_string();
    home.run(&["doctor", "--json", "--data-dir", &data, "--master-key-file", key])
}

pub fn check(found: &Ran, subject: &str) -> (String, String) {
    let rows = found.json();
    let row = rows.as_array().unwrap().iter().find(|row| row["subject"] == subject);
    let text = |field: &str| row.unwrap()[field].as_str().unwrap().to_owned();
    (text("health"), text("found"))
}

/// Digests of what lies there. The index over SQLite's log is locks and no data: every reader has
/// its hand on it.
fn files(home: &Home) -> Vec<(String, String)> {
    let entries = fs::read_dir(home.path("data")).unwrap().map(Result::unwrap);
    let entries = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let read = |entry: fs::DirEntry| {
        let bytes = fs::read(entry.path()).unwrap();
        let digest = wiiiv_domain::ContentDigest::of_bytes(&bytes).to_string();
        (entry.file_name().into_string().unwrap(), digest)
    };
    let files = entries.map(read).filter(|(name, _)| !name.ends_with("-shm"));
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

#[test]
fn a_wrong_key_is_found_without_a_start() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    with_key(&home, "other", "cd");
    let first = doctor(&home, "key");
    assert_eq!(check(&first, "database").0, "ok", "nothing is there yet");
    assert_eq!(check(&first, "audit"), ("ok".to_owned(), "nothing is there yet".to_owned()));
    let server = start(&home, "key");
    assert_eq!(check(&doctor(&home, "key"), "master_key").0, "ok", "while a server runs");
    assert_eq!(server.stop(), 0);

    let before = files(&home);
    let right = doctor(&home, "key");
    let (health, found) = check(&right, "master_key");
    assert!(health == "ok" && found.contains("opens the data"), "{found}");
    assert_eq!(check(&right, "database").0, "ok");
    let wrong = doctor(&home, "other").ended(1);
    let (health, found) = check(&wrong, "master_key");
    assert!(health == "fail" && found.contains("right key"), "{found}");
    assert_eq!(files(&home), before, "it changes nothing");

    // Without the key nobody can say that nothing was changed.
    for key in ["other", "absent"] {
        let (health, found) = check(&doctor(&home, key), "audit");
        assert!(health == "warn" && found.starts_with("not checked: "), "{key}: {found}");
        assert!(found.contains("master key"), "{key}: {found}");
    }
    let text = home.run(&["doctor", "--language", "ko"]);
    assert!(text.out.contains("마스터 키"), "{text:?}");
    assert!(matches!(doctor(&home, "absent").json(), Value::Array(_)));
}

#[test]
fn sealed_keys_that_are_gone_are_missed() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let url = server.text("url").to_owned();
    let login = ["login", "ann", "--server", &url, "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    assert_eq!(server.stop(), 0);
    let database = Connection::open(home.path("data/wiiiv.db")).unwrap();
    database.execute("DELETE FROM secret", []).unwrap();
    drop(database);
    let (health, found) = check(&doctor(&home, "key").ended(1), "master_key");
    assert!(health == "fail" && found.contains("the sealed keys are gone"), "{found}");
    // That they are gone is seen without the master key, too.
    for key in ["key", "absent"] {
        let (health, found) = check(&doctor(&home, key).ended(1), "audit");
        assert!(health == "fail" && found.contains(" gone"), "{key}: {found}");
    }
}

/// An older copy of the folder would bring an older file with it.
#[test]
fn checkpoints_in_the_data_folder_are_warned_of() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let folder = home.path("config/wiiiv");
    fs::create_dir_all(&folder).unwrap();
    let named = |file: &str| {
        let file = home.path(file).display().to_string();
        let text = format!("[store]\ncheckpoints_file = \"{file}\"\n");
        fs::write(folder.join("config.toml"), text).unwrap();
    };
    named("outside.jsonl");
    assert_eq!(start(&home, "key").stop(), 0);
    assert_eq!(check(&doctor(&home, "key"), "audit"), ("ok".to_owned(), "verified".to_owned()));
    named("data/inside.jsonl");
    fs::rename(home.path("outside.jsonl"), home.path("data/inside.jsonl")).unwrap();
    let (health, found) = check(&doctor(&home, "key"), "audit");
    assert!(health == "warn" && found.contains("lies in the data folder"), "{found}");
}
