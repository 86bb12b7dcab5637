//! Memories over HTTP: one's own and a project's, whole or not at all.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer, now, token},
};
use serde_json::{Value, json};
use wiiiv_domain::{MEMORY_CHARS_MAX, MemoryScope, TurnId};
use wiiiv_store::{RememberCommand, Role, TokenScope};

/// Of three jamo each: nine bytes that NFC makes one character of.
const DECOMPOSED: &str = "\u{1112}\u{1161}\u{11ab}";

fn own(who: &Person) -> String {
    format!("/users/{}/memory", who.user)
}

fn of_project(test: &TestServer) -> String {
    format!("/projects/{}/memory", test.project)
}

async fn put(
    test: &TestServer,
    (who, path): (&Person, &str),
    version: Option<u64>,
    text: &str,
) -> Answer {
    let asked = TestRequest::new("PUT", path).by(&who.token).json(&json!({"text": text}));
    let tag = version.map(|version| format!("\"{version}\""));
    test.send(tag.iter().fold(asked, |asked, tag| asked.header("if-match", tag))).await
}

fn line(kind: &str, line: &str) -> Value {
    json!({"kind": kind, "line": line})
}

#[tokio::test(flavor = "multi_thread")]
async fn one_s_own_is_replaced_whole_by_the_version_that_was_seen() {
    let test = TestServer::new().await;
    let (who, path) = (&test.owner, own(&test.owner));
    let none = test.get(who, &path).await;
    assert_eq!((none.status, none.header("etag")), (200, "\"0\""), "{}", none.text);
    let due = json!({
        "scope": "user", "text": "", "version": 0, "chars": 0, "chars_max": MEMORY_CHARS_MAX,
        "author": null, "author_name": null, "at": null, "turn": null, "others": false,
    });
    assert_eq!(none.body, due);

    let blind = put(&test, (who, &path), None, "- 반말").await;
    assert_eq!((blind.status, blind.code()), (428, "PRECONDITION_REQUIRED"));
    let first = put(&test, (who, &path), Some(0), "- 존댓말로 답하기\r\n- 표는 작게  \n").await;
    assert_eq!((first.status, first.header("etag")), (200, "\"1\""), "{}", first.text);
    let text = "- 존댓말로 답하기\n- 표는 작게";
    assert_eq!((&first.body["text"], &first.body["version"]), (&json!(text), &json!(1)));
    assert_eq!(first.body["chars"], text.chars().count());
    assert_eq!(first.body["author"], who.user.to_string());
    assert_eq!(
        (&first.body["author_name"], &first.body["others"]),
        (&json!("owner"), &json!(false))
    );
    assert_eq!(test.get(who, &path).await.body, first.body);

    let same = put(&test, (who, &path), Some(1), "- 존댓말로 답하기\n- 표는 작게\n\n").await;
    assert_eq!((same.status, &same.body), (200, &first.body), "no new version: {}", same.text);
    let late = put(&test, (who, &path), Some(0), "- 다른 것").await;
    assert_eq!((late.status, late.code()), (412, "VERSION_CHANGED"), "{}", late.text);
    assert_eq!(late.body["params"]["current"], "1");
    let emptied = put(&test, (who, &path), Some(1), "").await;
    let empty = [&emptied.body["text"], &emptied.body["version"], &emptied.body["chars"]];
    assert_eq!(empty, [&json!(""), &json!(2), &json!(0)], "{}", emptied.text);
}

/// The attack: an administrator, or whoever knows the id, reads what somebody asked to be kept in mind.
#[tokio::test(flavor = "multi_thread")]
async fn somebody_else_s_is_not_there_for_an_administrator_either() {
    let test = TestServer::new().await;
    let path = own(&test.owner);
    let secret = "the merger is in June";
    assert_eq!(put(&test, (&test.owner, &path), Some(0), secret).await.status, 200);
    let colleague = test.member("colleague", Role::Owner).await;
    let missing = format!("/users/{}/memory", uuid::Uuid::now_v7());
    for who in [&test.admin, &colleague] {
        for below in ["", "/versions", "/export"] {
            let there = test.get(who, &format!("{path}{below}")).await;
            let absent = test.get(who, &format!("{missing}{below}")).await;
            assert_eq!((there.status, there.told()), (404, absent.told()), "{below}");
        }
        let written = put(&test, (who, &path), Some(1), "x").await;
        assert_eq!((written.status, written.code()), (404, "NOT_FOUND"), "{}", written.text);
    }
    let looks = token(test.store(), test.owner.user, TokenScope::Read).await;
    let looking = Person { token: looks, ..test.owner.clone() };
    let written = put(&test, (&looking, &path), Some(1), "x").await;
    assert_eq!((written.status, written.code()), (403, "FORBIDDEN"), "{}", written.text);
    assert_eq!(test.get(&looking, &path).await.body["text"], secret);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_s_is_written_by_its_editors_and_read_by_its_members() {
    let test = TestServer::new().await;
    let path = of_project(&test);
    let [viewer, approver, editor] =
        [("viewer", Role::Viewer), ("approver", Role::Approver), ("editor", Role::Editor)]
            .map(|(name, role)| test.member(name, role));
    let (viewer, approver, editor) = (viewer.await, approver.await, editor.await);
    for who in [&viewer, &approver] {
        let refused = put(&test, (who, &path), Some(0), "- x").await;
        assert_eq!((refused.status, refused.code()), (403, "FORBIDDEN"), "{}", refused.text);
        assert_eq!(refused.body["params"]["roles"], json!(["owner", "editor"]));
    }
    let stranger = test.person("stranger").await;
    for who in [&stranger, &test.admin] {
        assert_eq!(test.get(who, &path).await.status, 404);
        assert_eq!(put(&test, (who, &path), Some(0), "- x").await.status, 404);
    }
    let written = put(&test, (&editor, &path), Some(0), "- 금액은 원화로").await;
    assert_eq!((written.status, &written.body["scope"]), (200, &json!("project")));
    assert_eq!(written.body["others"], json!(false), "all of it is the editor's own");
    for (who, others) in [(&editor, false), (&test.owner, true), (&viewer, true)] {
        let shown = test.get(who, &path).await;
        assert_eq!(shown.body["text"], "- 금액은 원화로", "{}", shown.text);
        assert_eq!(
            (&shown.body["author_name"], &shown.body["others"]),
            (&json!("editor"), &json!(others))
        );
    }
    let both = put(&test, (&test.owner, &path), Some(1), "- 금액은 원화로\n- 배포는 금요일").await;
    assert_eq!((both.status, &both.body["version"]), (200, &json!(2)), "{}", both.text);
    assert_eq!(test.get(&editor, &path).await.body["others"], json!(true));
    // Emptied, nobody's words are in it.
    assert_eq!(put(&test, (&test.owner, &path), Some(2), "").await.status, 200);
    assert_eq!(test.get(&editor, &path).await.body["others"], json!(false));
    // One's own is another text.
    assert_eq!(test.get(&editor, &own(&editor)).await.body["version"], json!(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn over_the_cap_it_says_its_size_and_keeps_nothing() {
    let test = TestServer::new().await;
    let (who, path) = (&test.owner, own(&test.owner));
    let long = "가".repeat(MEMORY_CHARS_MAX + 13);
    for (language, words) in [
        ("ko", ["줄이세요", "자동으로 줄이지 않습니다"]),
        ("en", ["take out at least", "Nothing is shortened"]),
    ] {
        let asked = TestRequest::new("PUT", &path).by(&who.token).header("if-match", "\"0\"");
        let asked = asked.header("accept-language", language).json(&json!({"text": long}));
        let refused = test.send(asked).await;
        assert_eq!((refused.status, refused.code()), (422, "MEMORY_TOO_LONG"), "{}", refused.text);
        let due = json!({"chars": MEMORY_CHARS_MAX + 13, "max": MEMORY_CHARS_MAX});
        assert_eq!(refused.body["params"], due);
        let advice = refused.body["suggestion"].as_str().unwrap();
        for word in words.into_iter().chain(["`2013`", "`2000`", "`13`"]) {
            assert!(advice.contains(word), "{word}: {advice}");
        }
        assert!(!refused.text.contains("가가"), "its words are in no refusal");
    }
    assert_eq!(test.get(who, &path).await.body["version"], json!(0));
    // Characters are counted, not bytes and not jamo.
    let most = put(&test, (who, &path), Some(0), &DECOMPOSED.repeat(MEMORY_CHARS_MAX)).await;
    assert_eq!(
        (most.status, &most.body["chars"]),
        (200, &json!(MEMORY_CHARS_MAX)),
        "{}",
        most.text
    );
    assert_eq!(most.body["text"], json!("한".repeat(MEMORY_CHARS_MAX)));
    let more = put(&test, (who, &path), Some(1), &DECOMPOSED.repeat(MEMORY_CHARS_MAX + 1)).await;
    assert_eq!((more.status, &more.body["params"]["chars"]), (422, &json!(MEMORY_CHARS_MAX + 1)));
}

/// The attack: a key is put where every model reads it, and whoever reads the project's.
#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_holds_a_key_is_refused_and_says_where_keys_belong() {
    let test = TestServer::new().await;
    let key = concat!("sk-proj-", "abcdefghijklmnopqrstuvwx0123");
    for path in [own(&test.owner), of_project(&test)] {
        for (language, title, place) in [
            ("ko", "키나 비밀번호가 들어 있습니다", "`모델과 키` 화면이나 `wiiiv keys set`"),
            ("en", "holds a key or a password", "`Models and keys` or in `wiiiv keys set`"),
        ] {
            let asked = TestRequest::new("PUT", &path).by(&test.owner.token);
            let asked = asked.header("if-match", "\"0\"").header("accept-language", language);
            let text = format!("- short answers\n- my key is {key}");
            let refused = test.send(asked.json(&json!({"text": text}))).await;
            assert_eq!(
                (refused.status, refused.code()),
                (422, "MEMORY_SECRET"),
                "{}",
                refused.text
            );
            assert!(refused.body["title"].as_str().unwrap().contains(title), "{}", refused.text);
            let advice = refused.body["suggestion"].as_str().unwrap();
            assert!(advice.contains(place), "{advice}");
            assert!(!refused.text.contains(key), "{}", refused.text);
        }
        assert_eq!(test.get(&test.owner, &path).await.body["version"], json!(0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_control_character_is_named_by_its_place() {
    let test = TestServer::new().await;
    let (who, path) = (&test.owner, own(&test.owner));
    for odd in ["가\u{1b}[2J", "가\u{0}", "가\u{9b}"] {
        let refused = put(&test, (who, &path), Some(0), odd).await;
        assert_eq!((refused.status, refused.code()), (422, "MEMORY_CONTROL_CHARACTER"), "{odd:?}");
        assert_eq!(refused.body["params"], json!({"at": 2}));
    }
    let taken = put(&test, (who, &path), Some(0), "- a\tb\n- c").await;
    assert_eq!((taken.status, &taken.body["text"]), (200, &json!("- a\tb\n- c")), "{}", taken.text);
    let odd = TestRequest::new("PUT", &path).by(&who.token).header("if-match", "\"1\"");
    let odd = test.send(odd.json(&json!({"text": "x", "scope": "project"}))).await;
    assert_eq!((odd.status, &odd.body["params"]["field"]), (422, &json!("scope")));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_version_says_who_changed_what_and_when() {
    let test = TestServer::new().await;
    let path = of_project(&test);
    let editor = test.member("editor", Role::Editor).await;
    let texts = [(&test.owner, "- a\n- b"), (&editor, "- a\n- c"), (&test.owner, "- a\n- c\n- d")];
    for (seen, (who, text)) in texts.into_iter().enumerate() {
        let written = put(&test, (who, &path), Some(seen as u64), text).await;
        assert_eq!(written.status, 200, "{}", written.text);
    }
    let versions = format!("{path}/versions");
    let all = test.get(&editor, &versions).await;
    let rows = all.body["items"].as_array().unwrap();
    let numbers: Vec<&Value> = rows.iter().map(|row| &row["version"]).collect();
    assert_eq!(numbers, [&json!(3), &json!(2), &json!(1)], "{}", all.text);
    let changes: Vec<&Value> = rows.iter().map(|row| &row["changes"]).collect();
    let first = json!([line("added", "- a"), line("added", "- b")]);
    let second = json!([line("removed", "- b"), line("added", "- c")]);
    assert_eq!(changes, [&json!([line("added", "- d")]), &second, &first]);
    let names: Vec<&Value> = rows.iter().map(|row| &row["author_name"]).collect();
    assert_eq!(names, [&json!("owner"), &json!("editor"), &json!("owner")]);
    assert!(rows.iter().all(|row| row["at"].is_string() && row["turn"].is_null()), "{}", all.text);
    assert!(rows.iter().all(|row| row["before_kept"] == true), "{}", all.text);
    assert_eq!(rows[1]["chars"], "- a\n- c".chars().count());

    // Also where the version before it is on the next page.
    let page = test.get(&editor, &format!("{versions}?limit=2")).await;
    assert_eq!(page.body["items"], json!(rows[..2]), "{}", page.text);
    assert!(page.header("link").contains("cursor=2"), "{}", page.header("link"));
    let rest = test.get(&editor, &format!("{versions}?limit=2&cursor=2")).await;
    assert_eq!((&rest.body["items"], &rest.body["next_cursor"]), (&json!(rows[2..]), &Value::Null));
    let none = test.get(&editor, &format!("{}/versions", own(&editor))).await;
    assert_eq!(none.body["items"], json!([]), "{}", none.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_for_in_a_turn_names_it() {
    let test = TestServer::new().await;
    let shown = test.owner.token.as_str();
    let who = test.store().authenticate(shown, Some(test.project), now()).await.unwrap();
    let turn = TurnId::from(uuid::Uuid::now_v7());
    let (scope, line) = (MemoryScope::User, "존댓말로 답하기");
    let command = RememberCommand::new(&who, turn, test.project, scope, line);
    test.store().remember(command).await.unwrap();
    let shown = test.get(&test.owner, &own(&test.owner)).await;
    assert_eq!(shown.body["text"], "- 존댓말로 답하기", "{}", shown.text);
    assert_eq!(shown.body["turn"], turn.to_string());
    let versions = test.get(&test.owner, &format!("{}/versions", own(&test.owner))).await;
    assert_eq!(versions.body["items"][0]["turn"], turn.to_string(), "{}", versions.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_the_text_as_a_file() {
    let test = TestServer::new().await;
    let path = of_project(&test);
    let viewer = test.member("viewer", Role::Viewer).await;
    let none = test.get(&viewer, &format!("{path}/export")).await;
    assert_eq!((none.status, none.text.as_str()), (200, ""));
    let text = "# 규칙\n\n- 금액은 원화로";
    assert_eq!(put(&test, (&test.owner, &path), Some(0), text).await.status, 200);
    let export = test.get(&viewer, &format!("{path}/export")).await;
    assert_eq!(export.text, format!("{text}\n"));
    assert_eq!(export.header("content-type"), "text/markdown; charset=utf-8");
    let name = format!("attachment; filename=\"memory-{}.md\"", test.project);
    assert_eq!(export.header("content-disposition"), name);
}

/// The attack: what was erased is read back out of the history.
#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_takes_the_text_with_its_history_and_no_version_is_used_twice() {
    let test = TestServer::new().await;
    let path = of_project(&test);
    for (seen, text) in ["- a", "- a\n- the merger"].into_iter().enumerate() {
        let written = put(&test, (&test.owner, &path), Some(seen as u64), text).await;
        assert_eq!(written.status, 200, "{}", written.text);
    }
    let own_path = own(&test.owner);
    assert_eq!(put(&test, (&test.owner, &own_path), Some(0), "- mine").await.status, 200);
    let body = json!({"project": test.project.to_string(), "reason": "asked for"});
    let erased = test.post(&test.admin, "/erasures", body).await;
    assert_eq!(erased.status, 200, "{}", erased.text);
    let listed = test.get(&test.admin, "/erasures").await.body["items"][0].clone();
    for told in [&erased.body, &listed] {
        assert_eq!((&told["memories"], &told["memory_versions"]), (&json!(1), &json!(2)), "{told}");
    }

    let shown = test.get(&test.owner, &path).await;
    assert_eq!((&shown.body["text"], &shown.body["version"]), (&json!(""), &json!(3)));
    assert_eq!(shown.body["others"], json!(false), "{}", shown.text);
    let versions = test.get(&test.owner, &format!("{path}/versions")).await;
    let rows = versions.body["items"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{}", versions.text);
    let untold = [&rows[0]["version"], &rows[0]["before_kept"], &rows[0]["changes"]];
    assert_eq!(untold, [&json!(3), &json!(false), &json!([])], "{}", versions.text);
    let late = put(&test, (&test.owner, &path), Some(2), "- a\n- the merger").await;
    assert_eq!((late.status, late.code()), (412, "VERSION_CHANGED"), "{}", late.text);
    assert_eq!(test.get(&test.owner, &own_path).await.body["text"], "- mine");
}
