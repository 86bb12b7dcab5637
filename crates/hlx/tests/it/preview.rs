//! What people are shown: explanations and previews.

use crate::fixture::{blueprint, earlier, policy, spec, systems};
use expect_test::{Expect, expect};
use std::collections::BTreeSet;
use wiiiv_domain::{Blueprint, TaskType};
use wiiiv_hlx::{
    DIFF_LINES_MAX, DrawFacts, FileChange, Held, Lang, PreImages, TEXT_LINES_MAX, draw, explain,
    preview,
};

fn plan(task: TaskType, slots: &[(&str, &str)]) -> Blueprint {
    let spec = spec(task, slots);
    let (policy, earlier, own) = (policy(), earlier(), BTreeSet::new());
    let systems = systems();
    let facts = DrawFacts {
        policy: &policy,
        earlier: &earlier,
        systems: &systems,
        own_directories: &own,
        held: None,
    };
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
    let held = bytes.map_or(Held::Nothing, |bytes| Held::Content(bytes.to_vec()));
    PreImages::from([(path.to_owned(), held)])
}

fn json(blueprint: &Blueprint, now: &PreImages, expected: Expect) {
    let shown = preview(blueprint, now);
    let steps = shown.steps.iter().map(|step| serde_json::to_string(step).expect("JSON"));
    expected.assert_eq(&steps.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_plan_is_explained_in_both_languages() {
    expect![[r#"
        A plan of 3 steps, greatest effect write
        Purpose: 싼 물건⟨U+202E⟩
        1. Sends a GET request to `https://a.test/items/a%20b?q=%EA%B0%80`.
        2. Applies the jq expression `.items` to the output of step 1 (JSON, at most 4 MB). (after step 1)
        3. Writes the output of step 2 (text, at most 1 MB) to the file `out/cheap.json`. (after step 2)
    "#]].assert_eq(&explain(&call(), Lang::En));
    expect![[r#"
        3단계 계획, 가장 큰 영향은 쓰기
        목적: 싼 물건⟨U+202E⟩
        1. `https://a.test/items/a%20b?q=%EA%B0%80` 주소로 GET 요청을 보냅니다.
        2. 1단계의 결과(JSON, 최대 4 MB)에 jq 식 `.items` 을 적용합니다. (1단계 뒤)
        3. `out/cheap.json` 파일에 2단계의 결과(글, 최대 1 MB)를 씁니다. (2단계 뒤)
    "#]]
    .assert_eq(&explain(&call(), Lang::Ko));
    let order = [("domain", "a.test"), ("method", "POST"), ("sourceRun", "last")];
    expect![[r#"
        A plan of 1 step, greatest effect write
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
            {"number":2,"id":"filter","type":"TRANSFORM","effect":"READ","idempotent":true,"dependsOn":["call"],"sentence":{"ko":"1단계의 결과(JSON, 최대 4 MB)에 jq 식 `.items` 을 적용합니다.","en":"Applies the jq expression `.items` to the output of step 1 (JSON, at most 4 MB)."},"path":null,"request":null,"expr":".items","value":{"kind":"bound","from":{"ko":"1단계의 결과(JSON, 최대 4 MB)","en":"the output of step 1 (JSON, at most 4 MB)"}},"change":null}
            {"number":3,"id":"save","type":"FILE_WRITE","effect":"WRITE","idempotent":true,"dependsOn":["filter"],"sentence":{"ko":"`out/cheap.json` 파일에 2단계의 결과(글, 최대 1 MB)를 씁니다.","en":"Writes the output of step 2 (text, at most 1 MB) to the file `out/cheap.json`."},"path":"out/cheap.json","request":null,"expr":null,"value":{"kind":"bound","from":{"ko":"2단계의 결과(글, 최대 1 MB)","en":"the output of step 2 (text, at most 1 MB)"}},"change":null}"#]],
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
            r#"{"number":1,"id":"write","type":"FILE_WRITE","effect":"WRITE","idempotent":true,"dependsOn":[],"sentence":{"ko":"`notes/a.md` 파일에 16자의 글을 씁니다.","en":"Writes 16 characters of text to the file `notes/a.md`."},"path":"notes/a.md","request":null,"expr":null,"value":{"kind":"text","text":"one\n2⟨U+001B⟩[2J\nthree\n"},"change":{"kind":"changed","lines":[{"change":"kept","text":"one"},{"change":"removed","text":"two"},{"change":"added","text":"2⟨U+001B⟩[2J"},{"change":"kept","text":"three"}],"linesLeftOut":0}}"#
        ]],
    );
    let change = |old: Option<&[u8]>| {
        let shown = preview(&write, &held("notes/a.md", old));
        shown.steps.into_iter().next().and_then(|step| step.change).expect("a change")
    };
    assert!(matches!(change(None), FileChange::Created { lines, .. } if lines.len() == 3));
    assert_eq!(change(Some("one\n2\u{1b}[2J\nthree\n".as_bytes())), FileChange::Nothing);
    let binary = FileChange::Replaced { old_bytes: Some(2), new_bytes: Some(16) };
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

#[test]
fn what_cannot_be_shown_is_never_taken_for_nothing() {
    let slots = [("targetPath", "a.md"), ("content", "new")];
    let write = plan(TaskType::FileWrite, &slots);
    let delete = plan(TaskType::FileDelete, &slots[..1]);
    for bytes in [Some(262_145), None] {
        let now = PreImages::from([("a.md".to_owned(), Held::Unshown { bytes })]);
        let replaced = FileChange::Replaced { old_bytes: bytes, new_bytes: Some(3) };
        assert_eq!(preview(&write, &now).steps[0].change, Some(replaced));
        let deleted = FileChange::DeletedUnshown { old_bytes: bytes };
        assert_eq!(preview(&delete, &now).steps[0].change, Some(deleted));
    }
    let binary = held("a.md", Some(&[0xff, 0xfe]));
    let deleted = FileChange::DeletedUnshown { old_bytes: Some(2) };
    assert_eq!(preview(&delete, &binary).steps[0].change, Some(deleted));
}

#[test]
fn a_value_that_is_not_known_yet_still_says_what_it_replaces() {
    let shown = preview(&call(), &held("out/cheap.json", Some(b"old")));
    let replaced = FileChange::Replaced { old_bytes: Some(3), new_bytes: None };
    assert_eq!(shown.steps[2].change, Some(replaced));
    let fresh = preview(&call(), &held("out/cheap.json", None));
    assert_eq!(fresh.steps[2].change, None);
}

#[test]
fn the_text_of_a_preview_shows_the_exact_effect() {
    let slots = [("targetPath", "a.md"), ("content", "회의 3시\u{202e}")];
    let write = plan(TaskType::FileWrite, &slots);
    let text = |plan: &Blueprint, now: &PreImages, lang| preview(plan, now).to_text(lang);
    expect![[r#"
        [1] a.md: a new file
        + 회의 3시⟨U+202E⟩
    "#]]
    .assert_eq(&text(&write, &held("a.md", None), Lang::En));
    expect![[r#"
        [1] a.md: 바뀌는 파일
        - one
        + 회의 3시⟨U+202E⟩
    "#]]
    .assert_eq(&text(&write, &held("a.md", Some(b"one")), Lang::Ko));
    let unshown = PreImages::from([("a.md".to_owned(), Held::Unshown { bytes: Some(262_145) })]);
    expect![[r#"
        [1] a.md: a file replaced whole (262145 bytes → 14 bytes), its content is not shown
        + 회의 3시⟨U+202E⟩
    "#]]
    .assert_eq(&text(&write, &unshown, Lang::En));
    let delete = plan(TaskType::FileDelete, &slots[..1]);
    expect![[r#"
        [1] a.md: a deleted file (262145 bytes), its content is not shown
    "#]]
    .assert_eq(&text(&delete, &unshown, Lang::En));
    let order = [("domain", "a.test/orders"), ("method", "POST"), ("body", "{\"sku\":\"A1\"}")];
    expect![[r#"
        [1] POST https://a.test/orders
        Content-Type: application/json
        > {"sku":"A1"}
    "#]]
    .assert_eq(&text(&plan(TaskType::ApiWorkflow, &order), &PreImages::new(), Lang::En));
}

#[test]
fn the_text_of_a_preview_counts_what_it_cuts_off() {
    let content = format!("{}\n{}", "x".repeat(1_000), "y\n".repeat(TEXT_LINES_MAX));
    let slots = [("targetPath", "a.md"), ("content", content.as_str())];
    let shown = preview(&plan(TaskType::FileWrite, &slots), &held("a.md", None));
    let text = shown.to_text(Lang::En);
    assert!(text.contains("… (702 more characters)"), "{text}");
    assert!(text.contains("… 1 more lines: see the approval's preview"), "{text}");
    assert_eq!(text.lines().count(), TEXT_LINES_MAX + 2);
}
