//! A data folder that an earlier commit wrote: one file written after a yes, one rejected with a reason,
//! one read, one refused. It opens, verifies, and shows what was approved and what ran.

use crate::doctor::{check, doctor};
use crate::program::{Home, Server, eventually};
use crate::server::{serve, with_key};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Whole databases as SQL: of the commit before the seals, and of a build whose newest schema step was
/// 0015, which kept no previews.
const UNSEALED: [&str; 2] =
    [include_str!("../fixtures/data-d3fcb535.sql"), include_str!("../fixtures/data-0015.sql")];
/// Of a build that sealed each record, killed in the middle of a model's call, and with a run in doubt.
const SEALED: &str = include_str!("../fixtures/data-ba4bf463.sql");
const PASSWORD: &str = "a long fixture password";

fn field<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name].as_str().unwrap_or_default()
}

#[test]
fn data_of_an_earlier_commit_opens_verifies_and_shows_what_was_approved() {
    UNSEALED.into_iter().for_each(is_sealed_once);
}

fn is_sealed_once(kept: &str) {
    let (home, server, log) = opened(kept);
    assert_eq!(log.matches("THE AUDIT IS SEALED NOW, ONCE").count(), 1, "{log}");
    assert_eq!(shows_and_verifies(&home, 1), [""; 0]);
    assert_eq!(server.stop(), 0);
    assert_eq!(check(&doctor(&home, "key"), "audit"), ("ok".to_owned(), "verified".to_owned()));

    // Said aloud that once, and not again.
    let (server, log) = logged(&home);
    assert!(!log.contains("SEALED"), "{log}");
    assert_eq!(server.stop(), 0);
    put_back_the_key(&home, kept);
    let (health, found) = check(&doctor(&home, "key"), "audit");
    assert!(health == "fail" && found.contains("its key is one from before that"), "{found}");
    let (server, log) = logged(&home);
    assert!(log.contains("READ ONLY"), "{log}");
    assert_eq!(server.stop(), 0);
}

#[test]
fn data_that_was_sealed_opens_as_it_is_and_what_was_cut_off_ends() {
    let (home, server, log) = opened(SEALED);
    assert!(!log.contains("SEALED") && !log.contains("READ ONLY"), "{log}");
    assert_eq!(shows_and_verifies(&home, 0), ["consumed"]);
    // The call that no answer came to counts as held: 39,946 beside the 912 of one that was answered.
    let used = ["usage", "--from", "2026-11-27", "--until", "2026-11-27", "--json"];
    let total = home.run(&used).ended(0).json()["usage"]["total"].clone();
    assert_eq!(
        (&total["calls"], &total["open"], &total["tokens"]),
        (&9.into(), &0.into(), &40_858.into())
    );
    let doubtful = || home.run(&["executions", "list", "--json"]).ended(0).json()[0].clone();
    let run = doubtful();
    assert_eq!(field(&run, "state"), "indeterminate");
    let resolve = ["executions", "resolve", "--as", "happened", field(&run, "id"), "call"];
    home.run(&resolve).ended(0);
    eventually(|| (field(&doubtful(), "state") != "indeterminate").then_some(()));
    assert_eq!(server.stop(), 0);
    assert_eq!(check(&doctor(&home, "key"), "audit"), ("ok".to_owned(), "verified".to_owned()));
}

/// Of every build whose data is kept from the seals on, `.ci/data-folder` writes one.
#[test]
fn every_sealed_folder_that_is_kept_opens_and_shows_what_was_approved_and_what_ran() {
    let (mut seen, mut with_documents) = (0, 0);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kept = fs::read_to_string(&path).unwrap();
        if !kept.contains("VALUES('0023_record_seals'") {
            continue;
        }
        seen += 1;
        println!("{}", path.display());
        let (home, server, log) = opened(&kept);
        assert!(!log.contains("SEALED") && !log.contains("READ ONLY"), "{log}");
        let later = shows_and_verifies(&home, 0);
        let over = |state: &String| ["consumed", "rejected", "expired"].contains(&state.as_str());
        assert!(later.iter().all(over), "{later:?}");
        if kept.contains(r#"INSERT INTO "document" VALUES"#) {
            with_documents += 1;
            shows_what_is_known(&home);
        }
        assert_eq!(server.stop(), 0);
        let audit = check(&doctor(&home, "key"), "audit");
        assert_eq!(audit, ("ok".to_owned(), "verified".to_owned()), "{}", path.display());
    }
    assert!(seen > 0 && with_documents > 0);
}

/// A memory, a profile, and a document of the project.
fn shows_what_is_known(home: &Home) {
    let memory = home.run(&["memory", "show"]).ended(0).out;
    assert!(memory.contains("Meetings are on Tuesday."), "{memory}");
    let profile = home.run(&["profile", "show"]).ended(0).out;
    assert!(profile.contains("35"), "{profile}");
    let found = home.run(&["rag", "search", "annual leave"]).ended(0).out;
    assert!(found.contains("twenty days"), "{found}");
}

/// A server over this data, and what it has said.
fn opened(kept: &str) -> (Home, Server, String) {
    let home = Home::new();
    fs::create_dir(home.path("data")).unwrap();
    let database = Connection::open(home.path("data/wiiiv.db")).unwrap();
    // The tables stand in the order of their names.
    database.pragma_update(None, "foreign_keys", false).unwrap();
    database.execute_batch(kept).unwrap();
    drop(database);
    with_key(&home, "key", "11");
    let (server, log) = logged(&home);
    let login = ["login", "mina", "--server", server.text("url")];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    (home, server, log)
}

/// The states of the questions after those of the notes.
fn shows_and_verifies(home: &Home, sealed: usize) -> Vec<String> {
    let rows = home.run(&["approvals", "list", "--json"]).ended(0).json();
    let rows = rows.as_array().unwrap();
    let states: Vec<&str> = rows.iter().map(|row| field(row, "state")).collect();
    let (later, notes) = states.split_at(states.len() - 2);
    assert_eq!(notes, ["rejected", "consumed"]);
    for (row, content) in rows[later.len()..].iter().zip(["+ milk, eggs, tea", "+ milk, eggs\n"]) {
        assert_eq!(field(row, "decided_by_name"), "mina", "{row}");
        let shown = home.run(&["approvals", "show", field(row, "id"), "--language", "en"]);
        let shown = shown.ended(0).out;
        assert!(shown.contains(content) && shown.contains("notes/shopping.txt"), "{shown}");
    }
    let runs = home.run(&["executions", "list", "--json"]).ended(0).json();
    let titles: Vec<&str> =
        runs.as_array().unwrap().iter().map(|run| field(&run["title"], "en")).collect();
    let write = "write 'milk, eggs' to notes/shopping.txt · write";
    assert!(titles.ends_with(&["read notes/shopping.txt · read", write]), "{titles:?}");

    let project = field(&rows[0], "project").to_owned();
    fs::write(home.path("audit.pub"), home.run(&["audit", "key"]).ended(0).out).unwrap();
    home.run(&["audit", "export", "--project", &project, "--output", "chain.jsonl"]).ended(0);
    home.run(&["audit", "verify", "chain.jsonl", "--key", "audit.pub"]).ended(0);
    home.run(&["audit", "export", "--server-chain", "--output", "server.jsonl"]).ended(0);
    home.run(&["audit", "verify", "server.jsonl", "--key", "audit.pub"]).ended(0);
    let count =
        |file: &str| fs::read_to_string(home.path(file)).unwrap().matches("audit.sealed").count();
    assert_eq!(count("server.jsonl"), sealed);
    later.iter().map(|state| (*state).to_owned()).collect()
}

/// With what it has said until it stands.
fn logged(home: &Home) -> (Server, String) {
    let arguments = serve(home, "key");
    let mut command = home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let errors = home.path("errors");
    command.stderr(fs::File::create(&errors).unwrap());
    let server = Server::start(command);
    (server, fs::read_to_string(errors).unwrap())
}

/// The sealed key as it lay there before the day of the seals, as a backup of that time has it, and no
/// seal on any head.
fn put_back_the_key(home: &Home, kept: &str) {
    let row = kept.lines().find(|line| line.contains("'server','signing-key'")).unwrap();
    let database = Connection::open(home.path("data/wiiiv.db")).unwrap();
    database.execute("DELETE FROM secret WHERE purpose = 'signing-key'", []).unwrap();
    database.execute_batch(row).unwrap();
    database.execute("UPDATE audit_head SET seal = NULL", []).unwrap();
}
