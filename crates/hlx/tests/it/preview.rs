//! What people are shown: explanations and previews.

use crate::fixture::{blueprint, earlier, policy, spec};
use expect_test::{Expect, expect};
use std::collections::BTreeSet;
use wiiiv_domain::{Blueprint, TaskType};
use wiiiv_hlx::{DIFF_LINES_MAX, DrawFacts, FileChange, Lang, PreImages, draw, explain, preview};

fn plan(task: TaskType, slots: &[(&str, &str)]) -> Blueprint {
    let spec = spec(task, slots);
    let (policy, earlier, own) = (policy(), earlier(), BTreeSet::new());
    let facts = DrawFacts { policy: &policy, earlier: &earlier, own_directories: &own };
    let nodes = draw(&spec, &facts).expect("a plan");
    blueprint(spec, nodes)
}

fn call() -> Blueprint {
    plan(
        TaskType::ApiWorkflow,
        &[
            ("intent", "싼 물건\u{202e}"),
            ("domain", "https://a.test/items/a b?q=가"),
            ("select", ".items"),
            ("targetPath", "out/cheap.json"),
        ],
    )
}

fn held(path: &str, bytes: Option<&[u8]>) -> PreImages {
    PreImages::from([(path.to_owned(), bytes.map(<[u8]>::to_vec))])
}

fn json(blueprint: &Blueprint, now: &PreImages, expected: Expect) {
    let shown = preview(blueprint, now);
    let steps = shown.steps.iter().map(|step| serde_json::to_string(step).expect("JSON"));
    expected.assert_eq(&steps.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_plan_is_explained_in_both_languages() {
    expect![[r#"
        API_WORKFLOW: a plan of 3 steps, greatest effect write
        Purpose: 싼 물건⟨U+202E⟩
        1. Sends a GET request to `https://a.test/items/a%20b?q=%EA%B0%80`.
        2. Applies the jq expression `.items` to the output of step 1 (JSON, at most 4 MB). (after step 1)
        3. Writes the output of step 2 (text, at most 1 MB) to the file `out/cheap.json`. (after step 2)
    "#]].assert_eq(&explain(&call(), Lang::En));
    expect![[r#"
        API_WORKFLOW: 3단계 계획, 가장 큰 영향은 쓰기
        목적: 싼 물건⟨U+202E⟩
        1. `https://a.test/items/a%20b?q=%EA%B0%80` 주소로 GET 요청을 보냅니다.
        2. 1단계의 결과(JSON, 최대 4 MB)에 jq 식 `.items` 을(를) 적용합니다. (1단계 뒤)
        3. `out/cheap.json` 파일에 2단계의 결과(글, 최대 1 MB)을(를) 씁니다. (2단계 뒤)
    "#]]
    .assert_eq(&explain(&call(), Lang::Ko));
    let order = [("domain", "a.test"), ("method", "POST"), ("sourceRun", "last")];
    expect![[r#"
        API_WORKFLOW: a plan of 1 step, greatest effect write
        1. Sends a POST request to `https://a.test/`, carrying the output of step `filter` of the earlier run 00000000-0000-0000-0000-000000000002 (JSON, at most 1 MB). If its outcome is lost it is not repeated: a person is asked.
    "#]].assert_eq(&explain(&plan(TaskType::ApiWorkflow, &order), Lang::En));
}

#[test]
fn a_preview_shows_methods_hosts_paths_and_where_values_come_from() {
    json(
        &call(),
        &PreImages::new(),
        expect![[r#"
        {"number":1,"id":"call","type":"API_CALL","effect":"READ","idempotent":true,"dependsOn":[],"sentence":{"ko":"`https://a.test/items/a%20b?q=%EA%B0%80` 주소로 GET 요청을 보냅니다.","en":"Sends a GET request to `https://a.test/items/a%20b?q=%EA%B0%80`."},"path":null,"request":{"method":"GET","url":"https://a.test/items/a%20b?q=%EA%B0%80","contentType":null,"body":null},"expr":null,"value":null,"change":null}
        {"number":2,"id":"filter","type":"TRANSFORM","effect":"READ","idempotent":true,"dependsOn":["call"],"sentence":{"ko":"1단계의 결과(JSON, 최대 4 MB)에 jq 식 `.items` 을(를) 적용합니다.","en":"Applies the jq expression `.items` to the output of step 1 (JSON, at most 4 MB)."},"path":null,"request":null,"expr":".items","value":{"kind":"bound","from":{"ko":"1단계의 결과(JSON, 최대 4 MB)","en":"the output of step 1 (JSON, at most 4 MB)"}},"change":null}
        {"number":3,"id":"save","type":"FILE_WRITE","effect":"WRITE","idempotent":true,"dependsOn":["filter"],"sentence":{"ko":"`out/cheap.json` 파일에 2단계의 결과(글, 최대 1 MB)을(를) 씁니다.","en":"Writes the output of step 2 (text, at most 1 MB) to the file `out/cheap.json`."},"path":"out/cheap.json","request":null,"expr":null,"value":{"kind":"bound","from":{"ko":"2단계의 결과(글, 최대 1 MB)","en":"the output of step 2 (text, at most 1 MB)"}},"change":null}"#]],
    );
}

#[test]
fn a_write_is_shown_line_by_line() {
    let slots = [("targetPath", "notes/a.md"), ("content", "one\n2\u{1b}[2J\nthree\n")];
    let write = plan(TaskType::FileWrite, &slots);
    json(
        &write,
        &held("notes/a.md", Some(b"one\ntwo\nthree\n")),
        expect![[
            r#"{"number":1,"id":"write","type":"FILE_WRITE","effect":"WRITE","idempotent":true,"dependsOn":[],"sentence":{"ko":"`notes/a.md` 파일에 16자의 글을(를) 씁니다.","en":"Writes 16 characters of text to the file `notes/a.md`."},"path":"notes/a.md","request":null,"expr":null,"value":{"kind":"text","text":"one\n2⟨U+001B⟩[2J\nthree\n"},"change":{"kind":"changed","lines":[{"change":"kept","text":"one"},{"change":"removed","text":"two"},{"change":"added","text":"2⟨U+001B⟩[2J"},{"change":"kept","text":"three"}],"linesLeftOut":0}}"#
        ]],
    );
    let change = |old: Option<&[u8]>| {
        let shown = preview(&write, &held("notes/a.md", old));
        shown.steps.into_iter().next().and_then(|step| step.change).expect("a change")
    };
    assert!(matches!(change(None), FileChange::Created { lines, .. } if lines.len() == 3));
    assert_eq!(change(Some("one\n2\u{1b}[2J\nthree\n".as_bytes())), FileChange::Nothing);
    let binary = FileChange::Replaced { old_bytes: 2, new_bytes: 16 };
    assert_eq!(change(Some(&[0xff, 0xfe])), binary);
}

#[test]
fn a_long_change_says_what_it_leaves_out() {
    let text = "x\n".repeat(DIFF_LINES_MAX + 5);
    let slots = [("targetPath", "a.md"), ("content", text.as_str())];
    let shown = preview(&plan(TaskType::FileWrite, &slots), &held("a.md", None));
    let change = shown.steps[0].change.clone();
    let Some(FileChange::Created { lines, lines_left_out }) = change else {
        panic!("not a creation: {change:?}")
    };
    assert_eq!((lines.len(), lines_left_out), (DIFF_LINES_MAX, 5));
}

#[test]
fn a_deletion_shows_what_goes() {
    let delete = plan(TaskType::FileDelete, &[("targetPath", "a.md")]);
    let shown = preview(&delete, &held("a.md", Some(b"one\ntwo")));
    let change = shown.steps[0].change.clone();
    assert!(matches!(change, Some(FileChange::Deleted { lines, .. }) if lines.len() == 2));
    let gone = preview(&delete, &held("a.md", None));
    assert_eq!(gone.steps[0].change, Some(FileChange::Nothing));
}
