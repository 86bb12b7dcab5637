//! What people are shown: explanations and previews.

use crate::test_plans::{blueprint, earlier, policy, slots, spec, systems};
use expect_test::{Expect, expect};
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{
    Authentication, Blueprint, Envelope, Salt, Spec, System, SystemName, SystemStanding, TaskType,
};
use wiiiv_hlx::{
    CredentialKind, DIFF_LINES_MAX, DrawFacts, FileChange, Lang, PathContent, PreImages,
    PreviewCredential, TEXT_LINES_MAX, draw, explain, preview, registered,
};

fn plan(task: TaskType, slots: &[(&str, &str)]) -> Blueprint {
    drawn(spec(task, slots))
}

/// Whatever path a system is called at: what is refused is for others to test.
fn drawn(spec: Spec) -> Blueprint {
    let (policy, earlier, own) = (policy(), earlier(), BTreeSet::new());
    let mut systems = systems();
    systems.iter_mut().for_each(|system| system.any_path = true);
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
    let held = bytes.map_or(PathContent::Nothing, |bytes| PathContent::Content(bytes.to_vec()));
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
        3 steps, including write
        Purpose: 싼 물건⟨U+202E⟩
        1. Sends a GET request to `https://a.test/items/a%20b?q=%EA%B0%80`.
        2. Applies the jq expression `.items` to the output of step 1 (JSON, at most 4 MB). (after step 1)
        3. Writes the output of step 2 (JSON, at most 1 MB) to the file `out/cheap.json`. (after step 2)
    "#]].assert_eq(&explain(&call(), Lang::En));
    expect![[r#"
        쓰기 포함 3단계
        목적: 싼 물건⟨U+202E⟩
        1. `https://a.test/items/a%20b?q=%EA%B0%80` 주소로 GET 요청을 보냅니다.
        2. 1단계의 결과(JSON, 최대 4MB)에 jq 식을 적용합니다: `.items`. (1단계 뒤)
        3. `out/cheap.json` 파일에 2단계의 결과(JSON, 최대 1MB)를 씁니다. (2단계 뒤)
    "#]]
    .assert_eq(&explain(&call(), Lang::Ko));
    let order = [("domain", "a.test"), ("method", "POST"), ("sourceRun", "last")];
    expect![[r#"
        1 step, including write
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
            {"number":2,"id":"filter","type":"TRANSFORM","effect":"READ","idempotent":true,"dependsOn":["call"],"sentence":{"ko":"1단계의 결과(JSON, 최대 4MB)에 jq 식을 적용합니다: `.items`.","en":"Applies the jq expression `.items` to the output of step 1 (JSON, at most 4 MB)."},"path":null,"request":null,"expr":".items","value":{"kind":"bound","from":{"ko":"1단계의 결과(JSON, 최대 4MB)","en":"the output of step 1 (JSON, at most 4 MB)"}},"change":null}
            {"number":3,"id":"save","type":"FILE_WRITE","effect":"WRITE","idempotent":true,"dependsOn":["filter"],"sentence":{"ko":"`out/cheap.json` 파일에 2단계의 결과(JSON, 최대 1MB)를 씁니다.","en":"Writes the output of step 2 (JSON, at most 1 MB) to the file `out/cheap.json`."},"path":"out/cheap.json","request":null,"expr":null,"value":{"kind":"bound","from":{"ko":"2단계의 결과(JSON, 최대 1MB)","en":"the output of step 2 (JSON, at most 1 MB)"}},"change":null}"#]],
    );
}

/// A call of `system`, drawn at revision 7, and what its preview says of the credential: kind, then
/// the sentence.
fn credential(system: &str, known: &[System], stored: &[&str]) -> Option<(CredentialKind, String)> {
    called(system, "GET /inventory/", known, (7, stored)).map(|told| (told.kind, told.text.en))
}

fn called(
    system: &str,
    operation: &str,
    known: &[System],
    (revision, stored): (u64, &[&str]),
) -> Option<PreviewCredential> {
    let mut slots = slots(&[("domain", system), ("operation", operation)]);
    let found = registered(&slots, &systems(), &policy()).expect("a registered system");
    slots.set("system", found.names).expect("a slot that fits");
    let envelope = Envelope { hosts: found.hosts, effects: found.effects, ..Envelope::default() };
    let salt = Salt::from_bytes([7; 16]);
    let mut plan = drawn(Spec::new(salt, TaskType::ApiWorkflow, slots, &envelope));
    plan.systems = BTreeMap::from([(SystemName::parse(system).expect("a name"), 7)]);
    let standing = |system: &System| {
        let has_credential = stored.contains(&system.name.as_str());
        (system.name.clone(), SystemStanding { revision, has_credential })
    };
    let standings = known.iter().map(standing).collect();
    let shown = preview(&plan, &PreImages::new()).with_credentials(&plan, known, &standings);
    let text = shown.to_text(Lang::En);
    let request = shown.steps.into_iter().next().and_then(|step| step.request);
    let told = request.expect("a request").credential?;
    assert!(text.contains(&told.text.en), "a chat shows it too: {text}");
    Some(told)
}

fn with(authentication: Authentication) -> Vec<System> {
    let mut known = systems();
    known.iter_mut().for_each(|system| system.authentication = authentication.clone());
    known
}

#[test]
fn a_preview_says_of_each_system_whether_its_credential_is_sent() {
    let log_in = Authentication::LogIn {
        path: "/login".to_owned(),
        username_field: "u".to_owned(),
        password_field: "p".to_owned(),
        token_pointer: "/t".to_owned(),
    };
    let api_key = Authentication::ApiKey { header: "X-Key\u{202e}".to_owned() };
    let all =
        [Authentication::None, Authentication::Bearer, Authentication::Basic, api_key, log_in];
    let mut told = String::new();
    for authentication in all {
        let known = with(authentication);
        for stored in [&[][..], &["stock"]] {
            let (kind, text) = credential("stock", &known, stored).expect("a system is named");
            told.push_str(&format!("{kind:?} {}: {text}\n", stored.len()));
        }
    }
    expect![[r#"
        None 0: No credential is sent: `stock` is registered without authentication.
        None 1: No credential is sent: `stock` is registered without authentication.
        Missing 0: `stock` needs a credential and none is stored: this request will not be sent.
        Header 1: The server adds the credential stored for `stock` as the header `Authorization: Bearer`. The plan and the records never hold it.
        Missing 0: `stock` needs a credential and none is stored: this request will not be sent.
        Header 1: The server adds the credential stored for `stock` as the header `Authorization: Basic`. The plan and the records never hold it.
        Missing 0: `stock` needs a credential and none is stored: this request will not be sent.
        Header 1: The server adds the credential stored for `stock` as the header `X-Key⟨U+202E⟩`. The plan and the records never hold it.
        Missing 0: `stock` needs a credential and none is stored: this request will not be sent.
        LogIn 1: The server first logs in to `stock` at `/login` with the stored credential and adds the token it gets. The plan and the records never hold either.
    "#]]
    .assert_eq(&told);
}

#[test]
fn a_credential_of_another_system_or_address_is_none() {
    let bearer = with(Authentication::Bearer);
    let missing = credential("stock", &bearer, &["mall"]).map(|(kind, _)| kind);
    assert_eq!(missing, Some(CredentialKind::Missing));
    let changed = Some(CredentialKind::SystemChanged);
    assert_eq!(credential("stock", &[], &["stock"]).map(|(kind, _)| kind), changed);
    let mut moved = bearer;
    moved.iter_mut().for_each(|system| system.base_url.port = Some(9));
    assert_eq!(credential("stock", &moved, &["stock"]).map(|(kind, _)| kind), changed);
    let plain = preview(&call(), &PreImages::new());
    let plain = plain.with_credentials(&call(), &moved, &BTreeMap::new());
    assert_eq!(
        plain.steps[0].request.as_ref().and_then(|request| request.credential.clone()),
        None
    );
}

/// A yes is a yes to what was registered when the plan was drawn.
#[test]
fn a_registration_of_another_revision_is_told_as_changed() {
    let known = with(Authentication::Bearer);
    let told = |revision| called("stock", "GET /inventory/", &known, (revision, &["stock"]));
    assert_eq!(told(7).map(|told| told.kind), Some(CredentialKind::Header));
    for revision in [6, 8] {
        assert_eq!(told(revision).map(|told| told.kind), Some(CredentialKind::SystemChanged));
    }
    let text = told(8).expect("a system is named").text;
    expect![[r#"
        계획을 만든 뒤에 `stock` 시스템의 등록이나 인증 정보가 바뀌었습니다. 이 요청은 전송되지 않습니다. 다시 요청해 주세요.
        The registration or the credential of `stock` has changed since the plan was made: this request will not be sent. Ask again.
    "#]]
    .assert_eq(&format!("{}\n{}\n", text.ko, text.en));
}

#[test]
fn a_path_that_is_no_operation_is_told_with_what_lets_the_credential_go_there() {
    let mut known = with(Authentication::Bearer);
    let asked = |known: &[System], operation: &str| {
        let told = called("stock", operation, known, (7, &["stock"]));
        told.expect("a system is named")
    };
    let refused = asked(&known, "GET /secret");
    assert_eq!((refused.kind, refused.any_path), (CredentialKind::NotRegistered, false));
    known.iter_mut().for_each(|system| system.any_path = true);
    let (free, own) = (asked(&known, "GET /secret"), asked(&known, "GET /inventory/"));
    assert_eq!((free.kind, free.any_path), (CredentialKind::Header, true));
    assert_eq!((own.kind, own.any_path), (CredentialKind::Header, false));
    expect![[r#"
        `stock` 시스템에 등록된 작업이 아니므로 인증 정보를 보내지 않습니다. 이 요청은 전송되지 않습니다.
        The credential of `stock` goes to its registered operations alone, and this is none: this request will not be sent.
        서버가 `stock` 시스템에 저장된 인증 정보를 `Authorization: Bearer` 헤더로 붙입니다. 계획과 기록에는 남지 않습니다. 이 요청은 등록된 작업이 아닙니다. `stock` 시스템은 인증 정보를 모든 경로로 보내도록 등록되어 있습니다.
        The server adds the credential stored for `stock` as the header `Authorization: Bearer`. The plan and the records never hold it. This request is no registered operation: `stock` is registered so that its credential may go to any path.
    "#]]
    .assert_eq(&[refused, free].map(|told| format!("{}\n{}\n", told.text.ko, told.text.en)).concat());
    let open = with(Authentication::None);
    assert_eq!(asked(&open, "GET /secret").kind, CredentialKind::None, "there is none to keep");
}

#[test]
fn a_write_is_shown_line_by_line() {
    let slots = [("targetPath", "notes/a.md"), ("content", "one\n2\u{1b}[2J\nthree\n")];
    let write = plan(TaskType::FileWrite, &slots);
    json(
        &write,
        &held("notes/a.md", Some(b"one\ntwo\nthree\n")),
        expect![[
            r#"{"number":1,"id":"write","type":"FILE_WRITE","effect":"WRITE","idempotent":true,"dependsOn":[],"sentence":{"ko":"`notes/a.md` 파일에 16자 텍스트를 씁니다.","en":"Writes 16 characters of text to the file `notes/a.md`."},"path":"notes/a.md","request":null,"expr":null,"value":{"kind":"text","text":"one\n2⟨U+001B⟩[2J\nthree\n"},"change":{"kind":"changed","lines":[{"change":"kept","text":"one"},{"change":"removed","text":"two"},{"change":"added","text":"2⟨U+001B⟩[2J"},{"change":"kept","text":"three"}],"linesLeftOut":0}}"#
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
        let now = PreImages::from([("a.md".to_owned(), PathContent::Unshown { bytes })]);
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
    let unshown =
        PreImages::from([("a.md".to_owned(), PathContent::Unshown { bytes: Some(262_145) })]);
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
