//! Somebody writes into the database file itself, behind the server's back: what decisions rest on and
//! what the audit tells is found changed, and nothing that was forged is signed.

use crate::canaries::figures;
use crate::doctor::{check, doctor};
use crate::program::{Home, Server, eventually};
use crate::server::{PASSWORD, serve, start, with_key};
use rusqlite::{Connection, params, types::Value};
use std::{fs, process::Command};
use wiiiv_domain::ContentDigest;

const CHANGES: usize = 100;
const CHANGES_LONG: usize = 2_000;

/// All that the audit is, and all that decisions rest on. Opinions of models are looked for where the
/// built-in model does not have to give them: `opinions_are_those_that_were_recorded` of the store.
const TABLES: [&str; 11] = [
    "audit_record",
    "audit_head",
    "audit_checkpoint",
    "policy_version",
    "policy_head",
    "approval",
    "blueprint",
    "blueprint_text",
    "execution",
    "step_attempt",
    "step_output",
];

pub fn log_in(home: &Home, server: &Server) {
    let login = ["login", "ann", "--server", server.text("url")];
    let setup = ["--setup-token-file", "setup"];
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    home.run_with_input(&[&login[..], &setup].concat(), &format!("{PASSWORD}\n")).ended(0);
}

pub fn open_question(home: &Home, wish: &str) -> (String, String) {
    home.run(&["chat", wish, "--language", "en"]).ended(7);
    let rows = home.run(&["approvals", "list", "--state", "pending", "--json"]).ended(0).json();
    let text = |field: &str| rows[0][field].as_str().unwrap().to_owned();
    (text("id"), text("digest"))
}

/// A folder in which something was written after a yes, something rejected, something read, and
/// the policy changed.
fn worked(home: &Home) -> String {
    with_key(home, "key", "ab");
    let server = start(home, "key");
    log_in(home, &server);
    let (id, digest) = open_question(home, "Write 'milk' to shopping.txt");
    home.run(&["approvals", "approve", &id, "--digest", &digest]).ended(0);
    let (id, digest) = open_question(home, "Write 'tea' to other.txt");
    home.run(&["approvals", "reject", &id, "--digest", &digest, "--reason", "no"]).ended(0);
    home.run(&["chat", "Read shopping.txt", "--language", "en"]).ended(0);
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    version["policy"]["approval"]["normal"]["by"] = "another_person".into();
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "four eyes"]).ended(0);
    open_question(home, "Write 'rice' to third.txt");
    let url = server.text("url").to_owned();
    assert_eq!(server.stop(), 0);
    url
}

/// At the address that people are logged in at.
fn again(home: &Home, url: &str) -> Server {
    Server::start(at(home, url))
}

fn at(home: &Home, url: &str) -> Command {
    let mut arguments = serve(home, "key");
    let address = url.trim_start_matches("http://");
    for argument in &mut arguments {
        if argument == "127.0.0.1:0" {
            address.clone_into(argument);
        }
    }
    home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// As somebody does who owns the machine: without the triggers that keep records, which stand there
/// again when it is over, since the schema alone would give it away.
struct Hand {
    database: Connection,
    triggers: Vec<String>,
}

impl std::ops::Deref for Hand {
    type Target = Connection;
    fn deref(&self) -> &Connection {
        &self.database
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.database.execute_batch(&self.triggers.join(";\n")).unwrap();
    }
}

fn database(home: &Home) -> Hand {
    let database = Connection::open(home.path("data/wiiiv.db")).unwrap();
    database.pragma_update(None, "foreign_keys", false).unwrap();
    database.pragma_update(None, "journal_mode", "delete").unwrap();
    let texts = |sql: &str| -> Vec<String> {
        let mut rows = database.prepare(sql).unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let triggers = texts("SELECT sql FROM sqlite_master WHERE type = 'trigger'");
    for name in texts("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
        database.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    Hand { database, triggers }
}

fn audit(home: &Home) -> (String, String) {
    check(&doctor(home, "key"), "audit")
}

fn digest(parts: &[&[u8]]) -> [u8; 32] {
    *ContentDigest::of_bytes(&parts.concat()).bytes()
}

/// The chain of one project as somebody without a key hashes it anew: its last record is gone.
fn rewrite(database: &Connection) {
    let (chain, last): (String, i64) = database
        .query_row("SELECT chain, MAX(seq) FROM audit_record WHERE chain != 'server' GROUP BY chain ORDER BY 2 DESC", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    database
        .execute("DELETE FROM audit_record WHERE chain = ?1 AND seq = ?2", params![chain, last])
        .unwrap();
    database.execute("DELETE FROM audit_checkpoint WHERE chain = ?1", params![chain]).unwrap();
    let mut hashes: Vec<[u8; 32]> = Vec::new();
    let mut rows =
        database.prepare("SELECT hash FROM audit_record WHERE chain = ?1 ORDER BY seq").unwrap();
    for hash in rows.query_map(params![chain], |row| row.get::<_, Vec<u8>>(0)).unwrap() {
        hashes.push(hash.unwrap().try_into().unwrap());
    }
    let mut peaks: Vec<[u8; 32]> = Vec::new();
    for (size, hash) in hashes.iter().enumerate() {
        let mut node = digest(&[&[0], hash]);
        for _ in 0..size.trailing_ones() {
            let left = peaks.pop().unwrap();
            node = digest(&[&[1], &left, &node]);
        }
        peaks.push(node);
    }
    let size = i64::try_from(hashes.len()).unwrap();
    database
        .execute(
            "UPDATE audit_head SET size = ?2, hash = ?3, peaks = ?4, checkpoint = 0 WHERE chain = ?1",
            params![chain, size, hashes.last().unwrap().to_vec(), peaks.concat()],
        )
        .unwrap();
}

/// Issue: "with write access to the database file ... the server's check and `audit verify --key` both
/// say verified".
#[test]
fn a_history_that_was_rewritten_without_the_key_is_not_signed() {
    let home = Home::new();
    let url = worked(&home);
    assert_eq!(audit(&home), ("ok".to_owned(), "verified".to_owned()));
    rewrite(&database(&home));
    let (health, found) = audit(&home);
    assert!(health == "fail" && found.contains("has not the seal of this server"), "{found}");

    let server = again(&home, &url);
    let export = home.run(&["audit", "export", "--output", "chain.jsonl", "--language", "en"]);
    assert_ne!(export.code, 0, "{export:?}");
    let written = home.run(&["projects", "create", "another"]);
    assert_ne!(written.code, 0, "read-only: {written:?}");
    let shown = home.run(&["audit", "list", "--json"]);
    assert_eq!(shown.code, 0, "what is there can be read: {shown:?}");
    server.stop();
}

/// Issue: a changed folder was told to users as a busy server, "try again", and each conversation that waited
/// logged an error of its own.
#[test]
fn a_changed_audit_is_told_as_what_it_is_and_logged_as_one_error() {
    let home = Home::new();
    let url = worked(&home);
    rewrite(&database(&home));
    let (mut command, errors) = (at(&home, &url), home.path("errors"));
    command.stderr(fs::File::create(&errors).unwrap());
    let server = Server::start(command);
    let rows = home.run(&["approvals", "list", "--json"]).ended(0).json();
    let waits = rows.as_array().unwrap().iter().find(|row| row["state"] == "pending").unwrap();
    let text = |field: &str| waits[field].as_str().unwrap();
    for (language, told) in [
        ("en", ["The audit does not verify", "until an administrator has looked"]),
        ("ko", ["감사 기록이 검증되지 않아", "관리자가 확인할 때까지"]),
    ] {
        for said in [
            &["chat", "hello"][..],
            &["chat", "yes", "--session", text("session")],
            &["approvals", "approve", text("id"), "--digest", text("digest")],
            &["projects", "create", "another"],
        ] {
            let ran = home.run(&[said, &["--language", language]].concat());
            assert!(![0, 7, 9].contains(&ran.code), "{ran:?}");
            assert!(told.iter().all(|told| ran.err.contains(told)), "{ran:?}");
        }
    }
    server.stop();
    let log = fs::read_to_string(errors).unwrap();
    assert!(log.contains("READ ONLY") && log.matches("ERROR").count() == 1, "{log}");
}

/// Issue: "an edited `policy_version.evidence` let the server reach an unlisted host and write without
/// asking, while `audit/verify` found no fault".
#[test]
fn a_policy_that_was_edited_in_the_database_rules_nothing() {
    let home = Home::new();
    let url = worked(&home);
    let changed = database(&home)
        .execute(
            "UPDATE policy_version SET evidence = CAST(replace(CAST(evidence AS TEXT), \
             'another_person', 'requester') AS BLOB) WHERE number = 2",
            [],
        )
        .unwrap();
    assert_eq!(changed, 1);
    let (health, found) = audit(&home);
    assert!(health == "fail" && found.contains("that is not the one that record"), "{found}");
    let server = again(&home, &url);
    let asked = home.run(&["chat", "Write 'x' to x.txt", "--language", "en"]);
    assert!(![0, 7, 9].contains(&asked.code), "{asked:?}");
    assert!(!home.path("data/workspaces").join("x.txt").exists());
    server.stop();
}

/// The card of the conversation says another thing than its plan does; a typed yes would be to the card.
#[test]
fn a_typed_yes_is_not_to_words_that_somebody_forged() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    log_in(&home, &server);
    let (id, digest) = open_question(&home, "Write 'milk' to shopping.txt");
    let shown = home.run(&["approvals", "show", &id, "--json"]).ended(0).json();
    let session = shown["session"].as_str().unwrap().to_owned();
    let url = server.text("url").to_owned();
    assert_eq!(server.stop(), 0);
    // Behind the look of the start, and while the conversation rests: a start wakes the one that waits
    // for an answer, and one that is awake reads nothing again.
    let folder = home.path("config/wiiiv");
    fs::create_dir_all(&folder).unwrap();
    let rests = "[session]\nidle_seconds = 1\n[telemetry]\nmetrics_open = true\n";
    fs::write(folder.join("config.toml"), rests).unwrap();
    let server = again(&home, &url);
    eventually(|| {
        let figures = String::from_utf8(figures(&server)).unwrap();
        figures.lines().any(|line| line == "wiiiv_sessions_awake 0").then_some(())
    });
    let hand = Connection::open(home.path("data/wiiiv.db")).unwrap();
    let kept =
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'session_event'";
    let kept: Vec<String> = {
        let mut rows = hand.prepare(kept).unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    for trigger in kept {
        hand.execute_batch(&format!("DROP TRIGGER {trigger}")).unwrap();
    }
    let forged = "UPDATE session_event SET body = replace(body, 'shopping.txt', 'nothing.txt') \
                  WHERE body LIKE '%\"previewed\"%'";
    assert_eq!(hand.execute(forged, []).unwrap(), 1);
    drop(hand);
    home.run(&["projects", "create", "another"]).ended(0);
    for said in [
        &["chat", "yes", "--session", &session, "--language", "en"][..],
        &["approvals", "approve", &id, "--digest", &digest],
    ] {
        let ran = home.run(said);
        assert!(![0, 7, 9].contains(&ran.code), "{ran:?}");
    }
    let written = fs::read_dir(home.path("data/workspaces")).unwrap().flatten();
    let written = written.filter(|folder| folder.path().join("shopping.txt").exists());
    assert_eq!(written.count(), 0);
    server.stop();
}

/// An older copy of the whole folder, seals and all, is found by what was kept elsewhere.
#[test]
fn an_older_copy_is_found_by_the_checkpoints_that_were_kept_outside() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let outside = home.path("outside.jsonl").display().to_string();
    let folder = home.path("config/wiiiv");
    fs::create_dir_all(&folder).unwrap();
    let settings = folder.join("config.toml");
    fs::write(&settings, format!("[store]\ncheckpoints_file = \"{outside}\"\n")).unwrap();
    let server = start(&home, "key");
    log_in(&home, &server);
    let url = server.text("url").to_owned();
    assert_eq!(server.stop(), 0);
    let aside = Connection::open(home.path("data/wiiiv.db")).unwrap();
    aside.pragma_update(None, "wal_checkpoint", "truncate").unwrap();
    drop(aside);
    let older = fs::read(home.path("data/wiiiv.db")).unwrap();
    let server = again(&home, &url);
    home.run(&["projects", "create", "warehouse"]).ended(0);
    fs::write(home.path("audit.pub"), home.run(&["audit", "key"]).ended(0).out).unwrap();
    let export = |file| home.run(&["audit", "export", "--server-chain", "--output", file]).ended(0);
    export("earlier.jsonl");
    home.run_with_input(&["login", "ann", "--server", &url], &format!("{PASSWORD}\n")).ended(0);
    export("later.jsonl");
    assert_eq!(server.stop(), 0);
    let verify = |file: &str, checkpoints: &str| {
        let anchored = ["--key", "audit.pub", "--checkpoint", checkpoints];
        home.run(&[&["audit", "verify", file][..], &anchored].concat())
    };
    verify("later.jsonl", "outside.jsonl").ended(0);
    verify("earlier.jsonl", "outside.jsonl").ended(8);
    // However long the file has grown.
    let lines = fs::read_to_string(home.path("outside.jsonl")).unwrap();
    let first = lines.lines().next().unwrap();
    let long = format!("{}{lines}", format!("{first}\n").repeat(5 * 1024 * 1024 / first.len()));
    fs::write(home.path("long.jsonl"), long).unwrap();
    verify("later.jsonl", "long.jsonl").ended(0);
    verify("earlier.jsonl", "long.jsonl").ended(8);

    // Nothing is left behind of the newer one.
    for beside in ["data/wiiiv.db-wal", "data/wiiiv.db-shm"] {
        let _absent = fs::remove_file(home.path(beside));
    }
    fs::write(home.path("data/wiiiv.db"), older).unwrap();
    let (health, found) = audit(&home);
    assert!(health == "fail" && found.contains("older copy"), "{found}");
    let server = again(&home, &url);
    assert_ne!(home.run(&["projects", "create", "another"]).code, 0);
    server.stop();
    // Without the file nobody could tell.
    fs::remove_file(settings).unwrap();
    assert_eq!(audit(&home).0, "ok");
}

/// Small and repeatable: the test says its seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

/// Of all tables: table, column, and the kind of its values.
fn columns(database: &Connection) -> Vec<(&'static str, String, String)> {
    let of = |table: &'static str| {
        let sql = format!("SELECT name, type FROM pragma_table_info('{table}')");
        let mut columns = database.prepare(&sql).unwrap();
        let columns = columns.query_map([], |row| Ok((table, row.get(0)?, row.get(1)?))).unwrap();
        columns.map(Result::unwrap).collect::<Vec<_>>()
    };
    TABLES.into_iter().flat_map(of).collect()
}

/// As ids are written.
fn id(bytes: [u8; 16]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [0..4, 4..6, 6..8, 8..10, 10..16].map(|part| digits[part].concat()).join("-")
}

/// What a person can find a row by: its ids and, of the audit, its chain and its numbers.
fn names(database: &Connection, table: &str, row: i64) -> Vec<String> {
    let mut found = database.prepare(&format!("SELECT * FROM {table} WHERE rowid = ?1")).unwrap();
    let columns = found.column_count();
    let read = |row: &rusqlite::Row<'_>| (0..columns).map(|at| row.get(at)).collect();
    let values: Vec<Value> = found.query_row([row], read).unwrap();
    // A version of a policy is named by its record.
    let of_audit = table.starts_with("audit_") || table == "policy_version";
    let name = |value: Value| match value {
        Value::Integer(number) if of_audit => Some(format!("`{number}`")),
        Value::Text(text) if of_audit && (5..40).contains(&text.len()) => Some(text),
        Value::Blob(bytes) => <[u8; 16]>::try_from(bytes).ok().map(id),
        Value::Null | Value::Integer(_) | Value::Real(_) | Value::Text(_) => None,
    };
    values.into_iter().filter_map(name).collect()
}

fn values(database: &Connection, table: &str, column: &str) -> Vec<(i64, Value)> {
    let mut rows = database.prepare(&format!("SELECT rowid, {column} FROM {table}")).unwrap();
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

/// One byte more or less, of whatever kind the value is, or a value where there was none; `None`: there
/// is nothing to change.
fn other(value: Value, kind: &str, draw: &mut Draw) -> Option<Value> {
    match value {
        Value::Null if ["bigint", "integer", "boolean"].contains(&kind) => Some(Value::Integer(1)),
        Value::Null if ["uuid", "bytea", "blob"].contains(&kind) => Some(Value::Blob(vec![7; 16])),
        Value::Null => Some(Value::Text("a".to_owned())),
        Value::Integer(number) => Some(Value::Integer(number ^ (1 << draw.below(3)))),
        Value::Real(number) => Some(Value::Real(number + 1.0)),
        Value::Text(text) => {
            let mut bytes = text.into_bytes();
            let ascii: Vec<usize> =
                (0..bytes.len()).filter(|at| bytes[*at].is_ascii_alphanumeric()).collect();
            let at = *ascii.get(draw.below(ascii.len().max(1)))?;
            bytes[at] = if bytes[at] == b'a' { b'b' } else { b'a' };
            Some(Value::Text(String::from_utf8(bytes).unwrap()))
        }
        Value::Blob(mut bytes) => {
            let at = draw.below(bytes.len().max(1));
            *bytes.get_mut(at)? ^= 1;
            Some(Value::Blob(bytes))
        }
    }
}

fn found_changed(changes: usize, seed: u64) {
    let home = Home::new();
    worked(&home);
    assert_eq!(audit(&home), ("ok".to_owned(), "verified".to_owned()));
    drop(database(&home));
    let whole = fs::read(home.path("data/wiiiv.db")).unwrap();
    let mut draw = Draw(seed);
    let (mut done, mut missed) = (0, Vec::new());
    // Each column in turn, so that none is left out by chance.
    for at in 0.. {
        if done == changes {
            break;
        }
        let database = database(&home);
        let every = columns(&database);
        let (table, column, kind) = &every[at % every.len()];
        let rows = values(&database, table, column);
        assert!(!rows.is_empty(), "nothing was written into {table}");
        let (row, value) = rows[draw.below(rows.len())].clone();
        let mut named = names(&database, table, row);
        let Some(changed) = other(value, kind, &mut draw) else { continue };
        let update = format!("UPDATE OR IGNORE {table} SET {column} = ?1 WHERE rowid = ?2");
        // A value that the column's own rule refuses is none that anybody could write.
        let updated = database.execute(&update, params![changed, row]).unwrap_or_default();
        if updated == 1 {
            named.extend(names(&database, table, row));
        }
        drop(database);
        if updated == 1 {
            done += 1;
            let ran = doctor(&home, "key");
            let found = [check(&ran, "audit"), check(&ran, "database")];
            let mut failed = found.iter().filter(|(health, _)| health == "fail");
            if !failed.any(|(_, what)| named.iter().any(|name| what.contains(name))) {
                missed.push(format!("{table}.{column} of row {row} ({named:?}): {found:?}"));
            }
            fs::write(home.path("data/wiiiv.db"), &whole).unwrap();
        }
    }
    assert_eq!(missed, Vec::<String>::new(), "seed {seed}");
}

#[test]
fn a_changed_byte_of_evidence_or_audit_is_found() {
    found_changed(CHANGES, 0x5eed);
}

#[test]
#[ignore = "long: two thousand changes, each looked for by the whole program"]
fn two_thousand_changed_bytes_of_evidence_or_audit_are_found() {
    found_changed(CHANGES_LONG, 0xace1);
}
