//! `memory`: what is kept in mind is read, written and listed, and nothing that was typed is lost.

use crate::program::{Home, Ran, Server};
use crate::terminal::Terminal;
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

const TEXT: &str = "- 존댓말로 답하기\n- 표는 작게";
const EN: [&str; 2] = ["--language", "en"];
const KO: [&str; 2] = ["--language", "ko"];
/// One more than a memory has.
const CHARS: usize = 2_001;

fn run(home: &Home, words: &[&str], more: &[&str]) -> Ran {
    home.run(&[&["memory"][..], words, more].concat())
}

fn pipe(home: &Home, more: &[&str], input: &str) -> Ran {
    home.run_with_input(&[&["memory", "edit"][..], more].concat(), input)
}

#[test]
fn one_s_own_is_written_by_a_pipe_and_read_back() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    for (language, nothing) in
        [(EN, "Nothing is kept in mind"), (KO, "기억하고 있는 것이 없습니다")]
    {
        for words in ["show", "history"] {
            let told = run(&home, &[words], &language).ended(0).out;
            assert!(told.contains(nothing), "{told}");
        }
    }
    let kept = pipe(&home, &EN, &format!("{TEXT}\r\n\n")).ended(0).out;
    assert!(kept.contains("+ - 존댓말로 답하기") && kept.contains("+ - 표는 작게"), "{kept}");
    assert!(kept.contains("Kept as version 1: 18 of 2000 characters."), "{kept}");

    // The text alone on standard output, for whatever reads it there.
    let shown = run(&home, &["show"], &KO).ended(0);
    assert_eq!(shown.out, format!("{TEXT}\n"));
    assert!(shown.err.contains("2000자 중 18자, 버전 1, guest"), "{shown:?}");
    let view = run(&home, &["show"], &["--json"]).ended(0).json();
    let figures = [&view["version"], &view["chars"], &view["chars_max"], &view["others"]];
    assert_eq!(figures, [&json!(1), &json!(18), &json!(2_000), &json!(false)], "{view}");
    let same = pipe(&home, &KO, TEXT).ended(0).out;
    assert!(same.contains("이미 같은 내용입니다"), "{same}");

    let next = format!("{TEXT}\n- 금액은 원화로");
    fs::write(home.path("memory.md"), &next).unwrap();
    let kept = run(&home, &["edit"], &["--file", "memory.md", "--json"]).ended(0).json();
    assert_eq!((&kept["version"], &kept["text"]), (&json!(2), &json!(next)));
    for (language, edited) in [(EN, "characters · edited"), (KO, "자 · 편집")] {
        let told = run(&home, &["history"], &language).ended(0).out;
        let (newest, first) = told.split_once("  + - 금액은 원화로\n").unwrap();
        assert!(newest.contains(edited) && first.contains("  + - 표는 작게"), "{told}");
    }
    let rows = run(&home, &["history"], &["--json"]).ended(0).json();
    let line = json!([{"kind": "added", "line": "- 금액은 원화로"}]);
    assert_eq!((&rows[0]["version"], &rows[0]["changes"]), (&json!(2), &line), "{rows}");

    assert_eq!(run(&home, &["export"], &[]).ended(0).out, format!("{next}\n"));
    run(&home, &["export"], &["--output", "out.md"]).ended(0);
    assert_eq!(fs::read_to_string(home.path("out.md")).unwrap(), format!("{next}\n"));
}

#[test]
fn what_is_no_memory_is_bad_input_and_changes_nothing() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    pipe(&home, &[], TEXT).ended(0);
    let long = "가".repeat(CHARS);
    let told = pipe(&home, &EN, &long).ended(2).err;
    for words in ["too long", "`2001`", "`2000`", "take out at least `1`"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let told = pipe(&home, &KO, &long).ended(2).err;
    assert!(told.contains("너무 깁니다") && told.contains("`1`자 이상 줄이세요"), "{told}");
    let told = pipe(&home, &["--json"], &long).ended(2).err;
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["code"], &told["exit"]), (&json!("MEMORY_TOO_LONG"), &json!(2)));
    assert_eq!(told["params"], json!({"chars": CHARS, "max": 2_000}));
    let told = pipe(&home, &EN, "a\u{1b}[2J").ended(2).err;
    assert!(told.contains("control character") && told.contains("`2`"), "{told}");

    // A key is not shown either, where somebody looks over a shoulder.
    let key = concat!("sk-proj-", "abcdefghijklmnopqrstuvwx0123");
    for (language, said) in [(EN, "holds a key or a password"), (KO, "키나 비밀번호가 들어")]
    {
        let told = pipe(&home, &language, &format!("- my key is {key}")).ended(2);
        assert!(told.err.contains(said) && told.err.contains("`wiiiv keys set`"), "{told:?}");
        assert!(!told.err.contains(key) && !told.out.contains(key), "{told:?}");
    }

    // An input that came to nothing, and a file that is not there.
    for (language, said) in [(EN, "standard input is empty"), (KO, "표준 입력이 비어 있어")]
    {
        let told = pipe(&home, &language, "\n").ended(2).err;
        assert!(told.contains(said) && told.contains("--file /dev/null"), "{told}");
    }
    run(&home, &["edit"], &[]).ended(2);
    run(&home, &["edit"], &["--file", "-"]).ended(2);
    run(&home, &["edit"], &["--file", "absent"]).ended(2);
    // Somebody was faster.
    fs::write(home.path("memory.md"), "- 늦은 것").unwrap();
    let late = ["--file", "memory.md", "--expected", "0"];
    for (language, said) in [(EN, "changed meanwhile"), (KO, "그 사이에 변경되었습니다")]
    {
        let told = run(&home, &["edit"], &[&late[..], &language].concat()).ended(1).err;
        assert!(told.contains(said) && told.contains(": wiiiv memory show\n"), "{told}");
        assert!(!told.contains("ETag") && !told.contains("If-Match"), "{told}");
    }
    assert_eq!(run(&home, &["show"], &[]).ended(0).out, format!("{TEXT}\n"));
    // Said outright, it is emptied.
    let told = run(&home, &["edit"], &["--file", "/dev/null", "--language", "en"]).ended(0).out;
    assert!(told.contains("- - 표는 작게") && told.contains("0 of 2000"), "{told}");
    let told = run(&home, &["show"], &EN).ended(0);
    assert!(
        told.out.contains("Nothing is kept in mind") && told.err.contains("version 2"),
        "{told:?}"
    );
}

#[test]
fn a_project_s_is_another_text() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let of = ["--project", "demo"];
    let kept = pipe(&home, &[&of[..], &KO].concat(), "- 배포는 금요일").ended(0).out;
    assert!(kept.contains("버전 1: 저장했습니다(9자, 최대 2000자)."), "{kept}");
    assert_eq!(run(&home, &["show"], &of).ended(0).out, "- 배포는 금요일\n");
    let view = run(&home, &["show"], &["--project", "demo", "--json"]).ended(0).json();
    assert_eq!(view["scope"], "project");
    let own = run(&home, &["show"], &EN).ended(0).out;
    assert!(own.contains("Nothing is kept in mind"), "{own}");
    assert_eq!(run(&home, &["export"], &of).ended(0).out, "- 배포는 금요일\n");
    let unknown = run(&home, &["show"], &["--project", "nowhere", "--language", "en"]).ended(2);
    assert!(unknown.err.contains("no project named `nowhere`"), "{unknown:?}");
}

/// Of an editor that adds this line.
fn editor(home: &Home, line: &str) -> String {
    let script = home.path("editor.sh");
    fs::write(&script, format!("printf '%s\\n' '{line}' >> \"$1\"\n")).unwrap();
    format!("/bin/sh '{}'", script.display())
}

/// What was written, in files that wait to be gone on with.
fn drafts(home: &Home) -> Vec<(String, u32)> {
    let files = fs::read_dir(home.path("state/wiiiv")).unwrap().flatten();
    let drafts = files.filter(|file| file.file_name().to_string_lossy().starts_with("memory-"));
    let read = |file: fs::DirEntry| {
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        (fs::read_to_string(file.path()).unwrap(), mode)
    };
    drafts.map(read).collect()
}

#[test]
fn on_a_terminal_it_is_written_in_an_editor_shown_and_asked_about() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let sit = |line: &str| {
        let mut command = home.command(&["memory", "edit", "--language", "en"]);
        command.env("EDITOR", editor(&home, line));
        Terminal::start(command)
    };
    let mut sitting = sit("- tea");
    let shown = sitting.wait_for("[y/n]");
    assert!(shown.contains("+ - tea"), "{shown}");
    assert_eq!(drafts(&home), [("- tea\n".to_owned(), 0o600)], "nobody else reads it");
    sitting.type_line("y");
    let (code, screen) = sitting.end();
    assert!(code == 0 && screen.contains("Kept as version 1"), "{screen}");
    assert!(drafts(&home).is_empty(), "what is kept needs no second copy");

    // A no changes nothing, and what was typed stays.
    let mut sitting = sit("- milk");
    sitting.wait_for("[y/n]");
    sitting.type_line("n");
    let (code, screen) = sitting.end();
    assert!(code == 1 && screen.contains("Left unchanged"), "{screen}");
    assert!(screen.contains("wiiiv memory edit --file"), "{screen}");
    assert_eq!(run(&home, &["show"], &[]).ended(0).out, "- tea\n");
    let typed = ("- tea\n- milk\n".to_owned(), 0o600);
    assert_eq!(drafts(&home), [typed]);

    // So does what is too long.
    let sitting = sit(&"x".repeat(CHARS));
    let (code, screen) = sitting.end();
    assert!(code == 2 && screen.contains("too long"), "{screen}");
    assert_eq!(drafts(&home).len(), 2);
}
