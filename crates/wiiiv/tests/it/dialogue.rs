//! A yes belongs to what was shown: which conversation is gone on with, which question is answered,
//! and what became of it.

use crate::program::{Home, Server, eventually};
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::fs;

fn change_policy(home: &Home, change: impl FnOnce(&mut Value)) {
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    change(&mut version["policy"]);
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "a test"]).ended(0);
}

#[test]
fn a_conversation_that_is_gone_on_with_is_named() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    home.run(&["chat", "hello there"]).ended(0);
    let on = home.run(&["chat", "--continue", "thanks", "--language", "en"]).ended(0);
    assert!(on.err.contains("hello there") && on.err.contains("project demo"), "{on:?}");
    let on = home.run(&["chat", "--continue", "thanks", "--json"]).ended(0);
    let named = &on.events()[0];
    assert_eq!((&named["event"], &named["title"]), (&"continues".into(), &"hello there".into()));
    let list = home.run(&["sessions", "list", "--language", "en"]).ended(0);
    assert!(list.out.contains("hello there"), "{list:?}");
}

#[test]
fn a_bare_yes_to_an_older_question_shows_it_first_and_binds_to_it() {
    let home = Home::new();
    let demo = Server::demo(&home);
    home.run(&["chat", "Write 'meeting at 3' to notes/today.md"]).ended(7);
    let file = demo.workspace().join("notes/today.md");
    for refused in [&["chat", "--continue", "yes"][..], &["chat", "--continue", "네", "--json"]] {
        let said = home.run(refused).ended(7);
        assert!(said.err.contains("approvals approve"), "{said:?}");
    }
    let piped = home.run_with_input(&["chat", "--continue"], "yes\n").ended(7);
    assert!(piped.err.contains("--digest"), "{piped:?}");
    assert!(!file.exists());

    let mut sitting = Terminal::start(home.command(&["chat", "--continue", "yes"]));
    let shown = sitting.wait_for("[y/n]");
    assert!(shown.contains("project demo") && shown.contains("+ meeting at 3"), "{shown}");
    assert!(!file.exists());
    sitting.type_line("y");
    let (code, screen) = sitting.end();
    assert_eq!(code, 0, "{screen}");
    assert_eq!(fs::read_to_string(file).unwrap(), "meeting at 3");
}

#[test]
fn a_conversation_on_a_terminal_begins_with_what_waits_in_it() {
    let home = Home::new();
    let demo = Server::demo(&home);
    home.run(&["chat", "notes/a.md 에 '회의 3시' 라고 써줘"]).ended(7);
    let mut sitting = Terminal::start(home.command(&["chat", "--continue"]));
    let shown = sitting.wait_for("[y/n]");
    assert!(shown.contains("+ 회의 3시"), "{shown}");
    sitting.type_line("n");
    sitting.wait_for("›");
    let rows = home.run(&["approvals", "list", "--json"]).ended(0).json();
    assert_eq!(rows[0]["state"], "rejected");
    sitting.type_line("notes/a.md 에 '회의 4시' 라고 써줘");
    sitting.wait_for("[y/n]");
    sitting.type_line("y");
    sitting.wait_for("저장했습니다");
    sitting.type_line("\u{4}");
    let text = eventually(|| fs::read_to_string(demo.workspace().join("notes/a.md")).ok());
    assert_eq!(text, "회의 4시");
}

#[test]
fn what_is_said_beside_a_question_leaves_it_shown() {
    let home = Home::new();
    let demo = Server::demo(&home);
    let talk = "notes/a.md 에 '회의 3시' 라고 써줘\n고마워\n응\n";
    let said = home.run_with_input(&["chat"], talk).ended(0);
    assert_eq!(fs::read_to_string(demo.workspace().join("notes/a.md")).unwrap(), "회의 3시");
    // It is asked twice, in the language of the conversation.
    assert_eq!(said.err.matches("이 계획을 실행할까요? [y/n]").count(), 2, "{said:?}");
    // What a yes means is shown again, and the yes counts.
    assert_eq!(said.out.matches("+ 회의 3시").count(), 2, "{said:?}");
    // Also where it may have been meant to change it, and did not.
    let talk = "notes/b.md 에 '우유, 빵' 이라고 써줘\n뾰로롱 빵은 어쩌고\n응\n";
    let said = home.run_with_input(&["chat"], talk).ended(0);
    assert!(said.out.contains("그대로 두었습니다"), "{said:?}");
    let shown = said.out.matches("+ 우유, 빵").count();
    assert_eq!(shown, 2, "{said:?}");
    assert_eq!(fs::read_to_string(demo.workspace().join("notes/b.md")).unwrap(), "우유, 빵");
    let cancelled = home.run_with_input(&["chat"], "notes/a.md 지워줘\n취소\n").ended(0);
    assert_eq!(format!("{}{}", cancelled.out, cancelled.err).matches("취소했습니다").count(), 1);
    assert!(!cancelled.err.contains("Cancelled."), "{cancelled:?}");
}

/// Under one conversation, each told as any other turn is.
#[test]
fn what_was_done_is_asked_about_by_words_of_the_command_line() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let talk = "Read milk.txt\n/why\nWrite 'two litres' to milk.txt\n/why\nyes\n/saved\n/files\n/nothing\n";
    let said = home.run_with_input(&["chat", "--language", "en"], talk).ended(0);
    assert!(said.out.contains("This is what the last request came to:"), "{said:?}");
    assert!(said.out.contains("policy asks for your yes"), "{said:?}");
    assert!(said.out.contains("two litres"), "{said:?}");
    assert!(said.out.contains("files and folders:") && said.out.contains("milk.txt"), "{said:?}");
    let again =
        home.run_with_input(&["chat", "--language", "en"], "Read milk.txt\n/again\n").ended(0);
    assert_eq!(again.out.matches("two litres").count(), 2, "{again:?}");
}

#[test]
fn an_approval_tells_what_became_of_it() {
    let home = Home::new();
    let demo = Server::demo(&home);
    home.run(&["chat", "Write 'x' to a.txt"]).ended(7);
    let list = home.run(&["approvals", "list", "--language", "en"]).ended(0);
    assert!(list.out.contains("a.txt") || list.out.contains("Write a file"), "{list:?}");
    let done = home.approve().ended(0);
    assert!(done.out.contains("a.txt"), "{done:?}");
    let runs = home.run(&["executions", "list", "--language", "en"]).ended(0);
    assert!(runs.out.contains("a.txt") || runs.out.contains("Write a file"), "{runs:?}");

    home.run(&["chat", "Delete a.txt"]).ended(7);
    change_policy(&home, |policy| {
        let types = policy["allowedStepTypes"].as_array_mut().unwrap();
        types.retain(|kind| kind != "FILE_DELETE");
    });
    let denied = home.approve().ended(6);
    assert!(denied.out.contains("STEP_TYPE_NOT_ALLOWED"), "{denied:?}");
    assert!(demo.workspace().join("a.txt").exists());

    home.run(&["chat", "Write 'z' to b.txt"]).ended(7);
    let rows = home.run(&["approvals", "list", "--state", "pending", "--json"]).ended(0).json();
    let text = |field: &str| rows[0][field].as_str().unwrap().to_owned();
    let (id, digest) = (text("id"), text("digest"));
    let approve = ["approvals", "approve", &id, "--digest", &digest, "--no-wait", "--json"];
    assert_eq!(home.run(&approve).ended(0).json()["state"], "approved");
    eventually(|| demo.workspace().join("b.txt").exists().then_some(()));
}

/// In place of an answer: another question, about what was changed.
#[test]
fn a_plan_is_edited_and_asked_about_anew() {
    let home = Home::new();
    let demo = Server::demo(&home);
    let asked = || {
        let list = ["approvals", "list", "--state", "pending", "--json"];
        let rows = home.run(&list).ended(0).json();
        let text = |field: &str| rows[0][field].as_str().map(str::to_owned);
        text("id").zip(text("digest"))
    };
    home.run(&["chat", "Write 'x' to a.txt"]).ended(7);
    let (id, digest) = asked().unwrap();
    let shown = home.run(&["approvals", "show", &id, "--language", "en"]).ended(0).out;
    assert!(shown.contains("Can be changed") && shown.contains("content ("), "{shown}");
    std::fs::write(home.path("new.txt"), "one\ntwo\n").unwrap();
    let with = |values: &[&'static str]| {
        let edit = ["approvals", "edit", &id, "--digest", &digest, "--language", "en"];
        home.run(&[&edit[..], values].concat())
    };
    let unknown = with(&["--set", "nothing=y"]).ended(2);
    assert!(unknown.err.contains("nothing"), "{unknown:?}");
    with(&[]).ended(2);
    home.run(&["approvals", "edit", &id, "--set", "content=y"]).ended(2);
    let done = with(&["--set-file", "content=new.txt", "--note", "two lines"]).ended(0);
    assert!(done.out.contains("asked about anew"), "{done:?}");
    let (new, other) = eventually(|| asked().filter(|(_, found)| *found != digest));
    with(&["--set", "content=z"]).ended(9);
    let shown = home.run(&["approvals", "show", &new, "--language", "en"]).ended(0).out;
    assert!(shown.contains("x → one⟨U+000A⟩two") && shown.contains("note: two lines"), "{shown}");
    let edited = home.run(&["approvals", "list", "--state", "edited", "--json"]).ended(0).json();
    assert_eq!(edited[0]["id"], id.as_str());
    let why = home.run(&["why", &new, "--language", "en"]).ended(0).out;
    assert!(why.contains("changed by"), "{why}");
    // The model that was asked, though the plan was drawn in another turn than the one that asked it.
    assert!(why.contains("Call       OFFLINE:"), "{why}");
    // What it was shown, part by part.
    assert!(why.contains("of 32000 tokens (estimated, within 25 %)"), "{why}");
    assert!(why.contains("    rules ") && why.contains("    message "), "{why}");
    home.run(&["approvals", "approve", &new, "--digest", &other]).ended(0);
    let text = std::fs::read_to_string(demo.workspace().join("a.txt")).unwrap();
    assert_eq!(text, "one\ntwo\n");
}

#[test]
fn a_run_that_fails_is_told_with_its_code() {
    let home = Home::new();
    let demo = Server::demo(&home);
    change_policy(&home, |policy| {
        let rule = json!({"host": "127.0.0.1", "port": 1, "private": true});
        policy["allowedHosts"].as_array_mut().unwrap().push(rule);
    });
    home.run(&["chat", "GET http://127.0.0.1:1/x and save it to x.json"]).ended(7);
    let list = ["approvals", "list", "--state", "pending", "--json"];
    let rows = home.run(&list).ended(0).json();
    let text = |field: &str| rows[0][field].as_str().unwrap();
    let approve = ["approvals", "approve", text("id"), "--digest", text("digest"), "--json"];
    let failed = home.run(&approve).ended(1).json();
    assert_eq!((&failed["state"], &failed["code"]), (&"failed".into(), &"UNREACHABLE".into()));
    assert!(!demo.workspace().join("x.json").exists());
}

#[test]
fn an_answer_that_comes_too_late_says_so() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    change_policy(&home, |policy| policy["approval"]["normal"]["ttlSeconds"] = 1.into());
    home.run(&["chat", "Write 'x' to a.txt"]).ended(7);
    eventually(|| {
        let rows = home.run(&["approvals", "list", "--json"]).ended(0).json();
        (rows[0]["state"] == "expired").then_some(())
    });
    let late = home.run(&["chat", "--continue", "yes"]).ended(9);
    assert!(late.out.contains("expired") && late.out.contains("Ask again"), "{late:?}");
}

/// `--language` holds for all that is printed: what the server answers, too.
#[test]
fn the_language_of_the_command_line_holds_for_all_it_prints() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let talk = "notes/a.md 에 'x' 라고 써줘\n고마워\n응\n";
    let said = home.run_with_input(&["chat", "--language", "en"], talk).ended(0);
    assert_eq!(said.err.matches("Run this plan? [y/n]").count(), 2, "{said:?}");
    let printed = format!("{}{}", said.out, said.err);
    let hangul = printed.chars().filter(|c| matches!(c, '가'..='힣')).count();
    assert_eq!(hangul, 0, "{printed}");
    let asked = home.run(&["chat", "Write 'y' to b.md", "--language", "ko"]).ended(7);
    assert!(asked.out.contains("이 계획을 실행할까요?"), "{asked:?}");
}

/// Of a conversation that nobody has set a language for, the first clear one stays.
#[test]
fn a_word_of_another_language_does_not_change_the_conversations() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    home.run(&["chat", "안녕하세요"]).ended(0);
    let said = home.run(&["chat", "--continue", "what can you do?"]).ended(0);
    assert!(said.out.chars().any(|c| matches!(c, '가'..='힣')), "{said:?}");
    home.run(&["chat", "what can you do?"]).ended(0);
    let said = home.run(&["chat", "--continue", "뭐 할 수 있어?"]).ended(0);
    assert!(!said.out.chars().any(|c| matches!(c, '가'..='힣')), "{said:?}");
}
