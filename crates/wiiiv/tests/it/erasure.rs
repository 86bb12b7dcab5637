//! Erased words are on no page of the database, and nothing that checks it misses them.

use crate::doctor::{check, doctor};
use crate::program::Home;
use crate::server::{PASSWORD, start, with_key};
use rusqlite::Connection;
use std::fs;

const WORDS: &str = "CANARY-words-of-a-person";

/// Whether any file of the data folder's database holds the words.
fn holds_words(home: &Home) -> bool {
    let entries = fs::read_dir(home.path("data")).unwrap().map(Result::unwrap);
    let mut files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    files.any(|entry| {
        let bytes = fs::read(entry.path()).unwrap();
        bytes.windows(WORDS.len()).any(|part| part == WORDS.as_bytes())
    })
}

#[test]
fn erased_words_are_on_no_page_and_doctor_and_verify_miss_nothing() {
    let home = Home::new();
    with_key(&home, "master.key", "ab");
    let server = start(&home, "master.key");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", server.text("url"), "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    home.run(&["chat", &format!("Write '{WORDS}' to a.txt")]).ended(7);
    home.approve().ended(0);
    home.run_with_input(&["memory", "edit"], WORDS).ended(0);
    home.run(&["audit", "key", "--output", "audit.pub"]).ended(0);
    home.run(&["audit", "export", "--output", "before.jsonl"]).ended(0);
    let run = home.run(&["executions", "list", "--json"]).ended(0).json();
    let run = run[0]["id"].as_str().unwrap().to_owned();
    let told = home.run(&["why", &run]).ended(0);
    assert!(told.out.contains("HMAC") || told.out.contains("keyed hash"), "{told:?}");

    let erased = home.run(&["audit", "erase", "--reason", "asked for by its author"]).ended(0);
    assert!(erased.out.contains("1 plans, and 0 memories with 0 versions"), "{erased:?}");
    let own = ["audit", "erase", "--user", "ann", "--reason", "she has left"];
    let erased = home.run(&own).ended(0);
    assert!(
        erased.out.contains("1 memories with 1 versions, and 0 profiles with 0 versions"),
        "{erased:?}"
    );
    let told = home.run(&["why", &run]).ended(0);
    assert!(told.out.contains("no longer kept") && told.out.contains("allowed"), "{told:?}");
    let listed = home.run(&["audit", "erasures"]).ended(0);
    assert!(listed.out.contains("asked for by its author"), "{listed:?}");
    assert!(listed.out.contains("memory versions"), "{listed:?}");
    assert!(listed.out.contains("profile versions"), "{listed:?}");
    // What was signed before is still a beginning of what is signed now.
    home.run(&["audit", "export", "--output", "after.jsonl"]).ended(0);
    let [before, after] =
        ["before.jsonl", "after.jsonl"].map(|file| fs::read_to_string(home.path(file)).unwrap());
    let lines = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert!(lines(&after).starts_with(&lines(&before)));
    home.run(&["audit", "verify", "after.jsonl", "--key", "audit.pub"]).ended(0);
    assert_eq!(server.stop(), 0);
    assert!(!holds_words(&home), "the words are still on a page");
    let audit = check(&doctor(&home, "master.key"), "audit");
    assert_eq!(audit.0, "ok", "{audit:?}");
    // It starts again, and what is taken away without a record is found as ever.
    assert_eq!(start(&home, "master.key").stop(), 0);
    let database = Connection::open(home.path("data/wiiiv.db")).unwrap();
    let changed = database.execute("UPDATE erasure SET reason = 'another'", []).unwrap();
    assert_eq!(changed, 2);
    drop(database);
    assert_eq!(check(&doctor(&home, "master.key"), "audit").0, "fail");
}

#[test]
fn a_plan_s_text_that_is_taken_away_without_an_erasure_is_missed() {
    let home = Home::new();
    with_key(&home, "master.key", "ab");
    let server = start(&home, "master.key");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", server.text("url"), "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    home.run(&["chat", "Write 'x' to a.txt"]).ended(7);
    home.approve().ended(0);
    assert_eq!(server.stop(), 0);
    assert_eq!(check(&doctor(&home, "master.key"), "audit").0, "ok");
    let database = Connection::open(home.path("data/wiiiv.db")).unwrap();
    database.execute("UPDATE session SET erased_at = 1", []).unwrap();
    database.execute("DELETE FROM blueprint_text", []).unwrap();
    drop(database);
    assert_eq!(check(&doctor(&home, "master.key"), "audit").0, "fail");
}
