//! `profile`: what the user told of themselves is shown, changed, undone and exported, and its words are in no log, no
//! record and no file.

use crate::program::{Home, Ran, Server};
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

const EN: [&str; 2] = ["--language", "en"];
const KO: [&str; 2] = ["--language", "ko"];
const CANARY: &str = "CANARY of a cough";

fn run(home: &Home, words: &[&str], more: &[&str]) -> Ran {
    home.run(&[&["profile"][..], words, more].concat())
}

fn pipe(home: &Home, words: &[&str], input: &str) -> Ran {
    home.run_with_input(&[&["profile"][..], words].concat(), input)
}

fn switch_on(home: &Home) {
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    version["policy"]["profileSchema"] = json!("medical");
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "a test"]).ended(0);
}

fn values(view: &Value, slot: &str) -> Vec<String> {
    let slots = view["slots"].as_array().unwrap();
    let of = slots.iter().find(|of| of["name"] == slot).unwrap();
    let values = of["values"].as_array().unwrap().iter();
    values.map(|value| value["value"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn slots_are_set_shown_undone_and_listed_in_both_languages() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    for (language, off) in [(EN, "Schemas: medical\n"), (KO, "프로필을 쓰지 않는")] {
        let told = run(&home, &["show"], &language).ended(0).out;
        assert!(told.contains(off), "{told}");
    }
    let refused = run(&home, &["set", "age", "35"], &EN);
    assert!(refused.code != 0 && refused.err.contains("profileSchema"), "{refused:?}");
    switch_on(&home);
    let kept = run(&home, &["set", "age", "35"], &EN).ended(0).out;
    assert!(kept.contains("Kept. `wiiiv profile undo`"), "{kept}");
    let same = run(&home, &["set", "age", "35"], &KO).ended(0).out;
    assert!(same.contains("이미 같은 내용입니다"), "{same}");
    pipe(&home, &["set", "weight", "--day", "2026-01-02"], "70\n").ended(0);
    let shown = run(&home, &["show"], &EN).ended(0).out;
    assert!(shown.contains("Age (age)\n  - 35\n"), "{shown}");
    assert!(shown.contains("Weight (weight)\n  - 70, from 2026-01-02\n"), "{shown}");

    let asked = run(&home, &["set", "allergies", "penicillin"], &EN).ended(0).out;
    assert!(asked.contains("[1] Allergies: set penicillin"), "{asked}");
    assert!(asked.contains("wiiiv profile accept 1"), "{asked}");
    let waits = run(&home, &["show"], &KO).ended(0).out;
    assert!(waits.contains("확인 대기 [1] 알레르기"), "{waits}");
    // What waits is no value: those of version 2 are there already, and nothing is said to be brought back.
    for (language, due) in [(EN, "nothing was changed"), (KO, "바뀐 것이 없습니다")] {
        let same = run(&home, &["undo", "--to", "2"], &language).ended(0).out;
        assert!(same.contains(due), "{same}");
    }
    run(&home, &["accept", "1"], &EN).ended(0);
    let shown = run(&home, &["show"], &KO).ended(0).out;
    assert!(shown.contains("알레르기 (allergies) · 안전\n  - penicillin\n"), "{shown}");
    let against = run(&home, &["set", "allergies", "none"], &EN).ended(0).out;
    assert!(against.contains("this would replace: penicillin"), "{against}");
    run(&home, &["drop", "2"], &EN).ended(0);

    run(&home, &["set", "age", "--clear"], &EN).ended(0);
    run(&home, &["undo"], &EN).ended(0);
    let view = run(&home, &["show"], &["--json"]).ended(0).json();
    assert_eq!(
        (values(&view, "age"), values(&view, "allergies")),
        (vec!["35".to_owned()], vec!["penicillin".to_owned()])
    );
    let told = run(&home, &["history"], &EN).ended(0).out;
    assert!(told.contains("brought back") && told.contains("  + Age: 35"), "{told}");
    run(&home, &["export"], &["--output", "profile.json"]).ended(0);
    let exported: Value =
        serde_json::from_slice(&fs::read(home.path("profile.json")).unwrap()).unwrap();
    assert_eq!(values(&exported, "weight"), ["70"]);
}

#[test]
fn an_undo_of_what_concerns_safety_is_asked_about() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    switch_on(&home);
    run(&home, &["set", "age", "35"], &EN).ended(0);
    run(&home, &["set", "allergies", "nuts"], &EN).ended(0);
    run(&home, &["accept", "1"], &EN).ended(0);
    let told = run(&home, &["undo", "--to", "0"], &EN).ended(0).out;
    for due in [
        "Brought back.",
        "[2] Allergies: undo, back to nothing",
        "would take away: nuts",
        "wiiiv profile accept 2",
    ] {
        assert!(told.contains(due), "{due}: {told}");
    }
    let told = run(&home, &["undo", "--to", "0"], &KO).ended(0).out;
    assert!(told.contains("[2] 알레르기: 되돌리기: 값 없음"), "{told}");
    assert!(told.contains("없어지는 값: nuts") && !told.contains("되돌렸습니다"), "{told}");
    let of = |slot: &str| values(&run(&home, &["show"], &["--json"]).ended(0).json(), slot).len();
    assert_eq!((of("age"), of("allergies")), (0, 1));
    run(&home, &["accept", "2"], &EN).ended(0);
    assert_eq!(of("allergies"), 0);
}

/// In words for a person, who sends no `ETag` and has no `changes[0]`.
#[test]
fn what_is_refused_says_what_is_wrong_and_what_shows_it() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    switch_on(&home);
    let dated = ["set", "weight", "70", "--day", "yesterday"];
    for (words, language, said, show) in [
        (&dated[..], EN, "cannot be kept: a day is written", ": wiiiv profile show\n"),
        (&dated[..], KO, "저장할 수 없습니다: 날짜는", ": wiiiv profile show\n"),
        (&["set", "weight", "9000"], EN, "numbers from `0` to `700`", ": wiiiv profile show\n"),
        (&["accept", "9"], EN, "number `9` waits: none does", ": wiiiv profile show\n"),
        (&["drop", "9"], KO, "`9`: 확인을 기다리는 변경이 없습니다", ": wiiiv profile show\n"),
        (&["undo", "--to", "9"], KO, "찾을 수 없습니다", ": wiiiv profile history\n"),
        (&["drop", "9", "--project", "demo"], EN, "none does", "profile show --project demo\n"),
    ] {
        let told = run(&home, words, &language).ended(2).err;
        assert!(told.contains(said) && told.contains(show), "{told}");
        for odd in ["changes", "ETag", "If-Match", "address", "주소"] {
            assert!(!told.contains(odd), "{odd}: {told}");
        }
    }
    run(&home, &["set", "allergies", "nuts"], &EN).ended(0);
    for (language, said) in
        [(EN, "number `9` waits: there are `1`\n"), (KO, "기다리는 변경: `1`\n")]
    {
        let told = run(&home, &["accept", "9"], &language).ended(2).err;
        assert!(told.contains(said), "{told}");
    }
    let told = run(&home, &["drop", "9"], &["--json"]).ended(2).err;
    assert!(told.contains("NOT_FOUND"), "{told}");
}

#[test]
fn slots_without_a_value_are_listed_so_that_they_can_be_set() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    switch_on(&home);
    for (language, nothing, allergies) in [
        (EN, "Nothing was told yet.\nSlots without", "\n  Allergies (allergies) · safety\n"),
        (KO, "내용이 없습니다.\n비어 있는 항목", "\n  알레르기 (allergies) · 안전\n"),
    ] {
        let told = run(&home, &["show"], &language).ended(0).out;
        let lines = [nothing, "wiiiv profile set", allergies, "(age)\n"];
        assert!(lines.iter().all(|line| told.contains(line)), "{told}");
    }
    let refused = run(&home, &["set", "age", "-3"], &EN);
    assert!(refused.code != 0 && refused.err.contains("from `0` to `150`"), "{refused:?}");
    run(&home, &["set", "age", "35"], &EN).ended(0);
    let told = run(&home, &["show"], &EN).ended(0).out;
    assert!(told.starts_with("Age (age)\n  - 35\nSlots without"), "{told}");
    assert!(told.contains("  Allergies (allergies)") && !told.contains("  Age"), "{told}");
}

#[test]
fn on_a_terminal_what_concerns_safety_is_asked_about_at_once() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    switch_on(&home);
    let sit = |value: &str| {
        let words = ["profile", "set", "allergies", value, "--language", "en"];
        Terminal::start(home.command(&words))
    };
    for (value, answer, left) in [("nuts", "n", 0), ("milk", "y", 1)] {
        let mut sitting = sit(value);
        sitting.wait_for("[y/n]");
        sitting.type_line(answer);
        let (code, screen) = sitting.end();
        assert_eq!(code, 0, "{screen}");
        let view = run(&home, &["show"], &["--json"]).ended(0).json();
        assert_eq!(values(&view, "allergies").len(), left, "{screen}");
    }
}

#[test]
fn a_profile_is_erased_with_its_history_once_that_was_agreed_to() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    switch_on(&home);
    run(&home, &["set", "age", "35"], &EN).ended(0);
    let ages = || values(&run(&home, &["show"], &["--json"]).ended(0).json(), "age").len();
    for (answer, due, left) in [("n", 1, 1), ("y", 0, 0)] {
        let mut sitting = Terminal::start(home.command(&["profile", "erase", "--language", "en"]));
        sitting.wait_for("`wiiiv profile export` keeps a copy.");
        sitting.wait_for("with its history? [y/n]");
        sitting.type_line(answer);
        let (code, screen) = sitting.end();
        assert_eq!((code, ages()), (due, left), "{screen}");
    }
    // Where nobody can answer it was said beforehand, or nothing is erased.
    run(&home, &["set", "age", "36"], &EN).ended(0);
    for more in [&EN[..], &["--json"]] {
        let refused = run(&home, &["erase"], more).ended(2).err;
        assert!(refused.contains("--yes") && ages() == 1, "{refused}");
    }
    let erased = run(&home, &["erase", "--yes"], &KO).ended(0).out;
    assert!(erased.contains("기록까지 모두 삭제했습니다"), "{erased}");
    let told = run(&home, &["history"], &EN).ended(0).out;
    assert!(told.contains("erased") && !told.contains("Age"), "{told}");
}

/// Every file below this folder that holds these words.
fn holding(folder: &Path, words: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            holding(&path, words, found);
        } else if let Ok(bytes) = fs::read(&path)
            && bytes.windows(words.len()).any(|part| part == words.as_bytes())
        {
            found.push(path.display().to_string());
        }
    }
}

/// As the page does: with a key, under which the answer is kept.
fn post(server: &Server, (below, version): (&str, u64), body: &str) -> String {
    let address = server.text("url").strip_prefix("http://").unwrap();
    let token = fs::read_to_string(server.text("token_file")).unwrap();
    let (token, project, length) = (token.trim(), server.text("project"), body.len());
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST /api/v2/projects/{project}/profile/{below} HTTP/1.0\r\nhost: {address}\r\n\
         authorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         if-match: \"{version}\"\r\nidempotency-key: {below}\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 200 "), "{answer}");
    answer
}

#[test]
fn no_word_of_it_is_in_a_log_a_record_or_a_file() {
    let home = Home::new();
    let mut command = home.command(&["demo", "--json", "--port", "0", "--log-level", "trace"]);
    command.stderr(File::create(home.path("log")).unwrap());
    let server = Server::start(command);
    switch_on(&home);
    for slot in ["symptoms", "allergies", "diagnoses", "medications"] {
        pipe(&home, &["set", slot], CANARY).ended(0);
    }
    run(&home, &["accept", "1"], &EN).ended(0);
    run(&home, &["undo"], &EN).ended(0);
    let steps = [("pending/2/accept", ""), ("pending/3/drop", ""), ("undo", "{\"to\":1}")];
    for ((below, body), version) in steps.into_iter().zip(6..) {
        let answer = post(&server, (below, version), body);
        assert!(answer.contains(CANARY), "{answer}");
    }
    // It fits no slot, and the refusal does not repeat it.
    let refused = pipe(&home, &["set", "age"], CANARY);
    assert!(refused.code != 0 && !refused.err.contains("CANARY"), "{refused:?}");
    home.run(&["audit", "export", "--output", "chain.jsonl"]).ended(0);
    let shown = run(&home, &["show"], &[]).ended(0).out;
    assert!(shown.contains(CANARY), "{shown}");
    let records = fs::read_to_string(home.path("chain.jsonl")).unwrap();
    assert!(records.contains("profile.changed"), "{records}");
    assert_eq!(server.stop(), 0);
    let mut found = Vec::new();
    holding(&home.path("."), "CANARY", &mut found);
    assert_eq!(found, [""; 0]);
}
