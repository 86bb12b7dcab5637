//! The first minute: a question, a yes, a file, an answer from a service.

use crate::program::{Home, Ran, Server, eventually};
use serde_json::Value;
use std::fs;

fn preview(asked: &Ran) -> Value {
    let events = asked.events();
    let preview = events.iter().find(|event| event["event"] == "preview");
    preview.unwrap_or_else(|| panic!("no preview: {asked:#?}")).clone()
}

fn newest_session(home: &Home) -> String {
    let sessions = home.run(&["sessions", "list", "--json"]).ended(0).json();
    sessions[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_korean_request_is_asked_about_approved_and_done() {
    let home = Home::new();
    let demo = Server::demo(&home);
    let request = "노트 파일 notes/오늘.md 에 '회의 3시' 라고 써줘";
    let asked = home.run(&["chat", "--json", request]).ended(7);
    let preview = preview(&asked);
    let file = demo.workspace().join("notes/오늘.md");
    assert!(!file.exists());
    let (approval, digest) =
        (preview["approval"].as_str().unwrap(), preview["digest"].as_str().unwrap());

    let shown = home.run(&["approvals", "show", approval, "--language", "ko"]).ended(0).out;
    assert!(shown.contains("notes/오늘.md") && shown.contains("+ 회의 3시"), "{shown}");
    home.run(&["approvals", "approve", approval]).ended(2);
    home.run(&["approvals", "approve", approval, "--digest", "00000000"]).ended(2);
    home.run(&["approvals", "approve", approval, "--digest", &digest[..8]]).ended(0);
    let text = eventually(|| fs::read_to_string(&file).ok());
    assert_eq!(text, "회의 3시");
    eventually(|| {
        let runs = home.run(&["executions", "list", "--json"]).ended(0).json();
        (runs[0]["state"] == "succeeded").then_some(())
    });
    home.run(&["approvals", "approve", approval, "--digest", digest]).ended(7);
}

#[test]
fn an_english_request_is_answered_by_a_typed_yes() {
    let home = Home::new();
    let demo = Server::demo(&home);
    home.run(&["chat", "Write 'meeting at 3' to notes/today.md"]).ended(7);
    let session = newest_session(&home);
    home.run(&["chat", "--session", &session, "yes"]).ended(0);
    let text = fs::read_to_string(demo.workspace().join("notes/today.md")).unwrap();
    assert_eq!(text, "meeting at 3");
    let typed = home.run_with_input(&["chat", "--continue"], "Delete notes/today.md\nn\n");
    typed.ended(0);
    assert!(demo.workspace().join("notes/today.md").exists());
}

#[test]
fn a_service_is_asked_and_its_answer_filtered_and_saved() {
    let home = Home::new();
    let demo = Server::demo(&home);
    let shop = demo.text("shop");
    for (file, request) in [
        ("cheap.json", format!("GET {shop}/items where price < 10000 and save it to cheap.json")),
        (
            "싼것.json",
            format!("{shop}/items 조회해서 price가 10000 미만인 것만 싼것.json 에 저장해줘"),
        ),
    ] {
        let asked = home.run(&["chat", "--json", &request]).ended(7);
        preview(&asked);
        home.run(&["chat", "--continue", "yes"]).ended(0);
        let saved = fs::read_to_string(demo.workspace().join(file)).unwrap();
        let saved: Value = serde_json::from_str(&saved).unwrap();
        let names: Vec<&str> =
            saved.as_array().unwrap().iter().filter_map(|item| item["name"].as_str()).collect();
        assert_eq!(names, ["Tea"], "{request}");
    }
}

#[test]
fn a_place_that_policy_does_not_name_is_denied() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let denied = home.run(&["chat", "GET http://example.com/items and save it to x.json"]).ended(6);
    assert!(denied.out.contains("HOST_NOT_"), "{denied:?}");
}

#[test]
fn a_second_start_finds_everything_again() {
    let home = Home::new();
    let first = Server::demo(&home);
    home.run(&["chat", "Write 'a' to a.txt"]).ended(7);
    let (project, token) =
        (first.text("project").to_owned(), fs::read(first.text("token_file")).unwrap());
    let held = home.run(&["demo", "--json", "--port", "0"]).ended(3);
    assert!(held.err.contains("in use by"), "{held:?}");
    assert_eq!(first.stop(), 0);

    let second = Server::demo(&home);
    assert_eq!(second.text("project"), project);
    assert_eq!(fs::read(second.text("token_file")).unwrap(), token);
    home.run(&["chat", "--continue", "yes"]).ended(0);
    assert_eq!(fs::read_to_string(second.workspace().join("a.txt")).unwrap(), "a");
}

#[test]
fn what_was_written_for_one_owner_is_readable_by_no_other() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new();
    let demo = Server::demo(&home);
    let files = [home.path("state/wiiiv/demo/master.key"), home.path("state/wiiiv/credentials")];
    for file in files.iter().map(AsRef::as_ref).chain([demo.text("token_file").as_ref()]) {
        let file: &std::path::Path = file;
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
}
