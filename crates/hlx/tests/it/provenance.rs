//! Which written values of a plan are not the user's, and how a preview says so.

use crate::{
    draw::drawn,
    test_plans::{blueprint, execution, policy, slots, spec, systems},
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use uuid::Uuid;
use wiiiv_domain::{
    ArgPlace, Blueprint, DocumentId, Envelope, Salt, SlotName, SourceKind, Sources, Spec, StepId,
    TaskType, ValueSource, ValueSources,
};
use wiiiv_hlx::{
    DocumentName, DocumentNames, Lang, PreImages, UserWords, of_names, preview, provenance,
    registered,
};

/// A preview shows them, so later prompts hold them; of a content they do not.
#[test]
fn what_a_plan_is_for_has_sources_as_its_targets_have() {
    for (name, due) in [
        (SlotName::INTENT, read()),
        (SlotName::TARGET_PATH, read()),
        (SlotName::CONTENT, ValueSources::default()),
    ] {
        let mut sources = Sources::default();
        sources.set(SlotName::parse(name).unwrap(), read());
        assert_eq!(of_names(&sources), due, "{name}");
    }
}

fn read() -> ValueSources {
    let (execution, step) = (execution(1), StepId::parse("page").unwrap());
    ValueSources::from_iter([ValueSource::Step { execution, step, kind: SourceKind::Page }])
}

/// Every slot was written by a model that had read a page.
fn of_a_page(spec: Spec) -> Spec {
    behind(spec, &read())
}

/// Every slot was written by a model that had been shown these.
fn behind(spec: Spec, shown: &ValueSources) -> Spec {
    let mut sources = Sources::default();
    spec.slots.iter().for_each(|(name, _)| sources.set(name.clone(), shown.clone()));
    spec.with_sources(sources)
}

/// As a session does it: code adds what a registered system brings.
fn request(pairs: &[(&str, &str)]) -> Spec {
    let mut slots = slots(pairs);
    let mut envelope = Envelope::default();
    if let Some(found) = registered(&slots, &systems(), &policy()) {
        slots.set("system", found.names).expect("a slot that fits");
        envelope = Envelope { hosts: found.hosts, effects: found.effects, ..envelope };
    }
    Spec::new(Salt::from_bytes([7; 16]), TaskType::ApiWorkflow, slots, &envelope)
}

fn plan(spec: Spec, said: &[&str]) -> Blueprint {
    let nodes = drawn(&spec).expect("a plan");
    let words = UserWords::new(said.iter().copied());
    let sources = provenance(&nodes, &spec, &words, &systems());
    Blueprint { sources, ..blueprint(spec, nodes) }
}

fn places(plan: &Blueprint) -> BTreeSet<ArgPlace> {
    plan.sources.values().flat_map(|of| of.keys().copied()).collect()
}

#[track_caller]
fn check(spec: Spec, said: &str, due: &[ArgPlace]) {
    let found = places(&plan(of_a_page(spec), &[said]));
    assert_eq!(found, due.iter().copied().collect(), "{said}");
}

#[test]
fn a_file_that_the_user_named_is_theirs_whatever_is_written_there() {
    let write = || spec(TaskType::FileWrite, &[("targetPath", "a.md"), ("content", "from afar")]);
    check(write(), "읽고 a.md에 요약해줘", &[ArgPlace::Content]);
    check(write(), "read it and do as it says", &[ArgPlace::Path, ArgPlace::Content]);
    check(write(), "write it to a.md.bak", &[ArgPlace::Path, ArgPlace::Content]);
    let delete = || spec(TaskType::FileDelete, &[("targetPath", "notes/a.md")]);
    check(delete(), "delete notes/a.md", &[]);
    check(delete(), "delete a.md in notes", &[ArgPlace::Path]);
}

#[test]
fn of_an_address_each_part_counts() {
    let url = "https://a.test/items/7?q=tea";
    let get = || request(&[("intent", "x"), ("domain", "a.test"), ("url", url)]);
    check(get(), "get https://a.test/items/7?q=tea", &[]);
    check(get(), "a.test의 items 에서 7번 tea 로 q 검색", &[]);
    check(get(), "what does a.test have?", &[ArgPlace::Address]);
    check(get(), "items 7 q tea at a.test.evil", &[ArgPlace::Host]);
    check(get(), "get it", &[ArgPlace::Host, ArgPlace::Address]);
}

#[test]
fn a_body_is_content_and_its_recipient_is_not() {
    let body = r#"{"note": "three", "to": {"name": "kim", "email": "x@evil.test"}}"#;
    let pairs =
        [("intent", "x"), ("domain", "https://a.test/m"), ("method", "POST"), ("body", body)];
    check(request(&pairs), "post it to https://a.test/m", &[ArgPlace::Recipient, ArgPlace::Body]);
    let said = "kim x@evil.test 에게 https://a.test/m 로 보내줘";
    check(request(&pairs), said, &[ArgPlace::Body]);
    // A form is read as a service reads it; any other text names nobody.
    let sent = |body| {
        request(&[
            ("intent", "x"),
            ("domain", "https://a.test/m"),
            ("method", "POST"),
            ("body", body),
        ])
    };
    let form = "note=three&to=x%40evil.test";
    check(sent(form), "post it to https://a.test/m", &[ArgPlace::Recipient, ArgPlace::Body]);
    check(sent(form), "tell x@evil.test at https://a.test/m", &[ArgPlace::Body]);
    check(sent("kim wrote: 1 + 1 = 2"), "post it to https://a.test/m", &[ArgPlace::Body]);
}

#[test]
fn an_operation_that_acts_has_to_be_named() {
    let order = || request(&[("intent", "x"), ("domain", "mall"), ("operation", "order")]);
    check(order(), "스카이몰에 주문해줘", &[]);
    check(order(), "what is in the mall?", &[ArgPlace::Operation]);
    check(order(), "주문해줘", &[ArgPlace::Host]);
    let route = || request(&[("intent", "x"), ("domain", "mall"), ("operation", "POST /orders")]);
    check(route(), "what is in the mall?", &[ArgPlace::Operation]);
    // What only reads at a system that was named is no statement of its own; its values are.
    let product = || {
        let arguments = r#"{"id": "7"}"#;
        request(&[
            ("intent", "x"),
            ("domain", "mall"),
            ("operation", "product"),
            ("arguments", arguments),
        ])
    };
    check(product(), "mall 상품 7번 보여줘", &[]);
    check(product(), "mall 상품 보여줘", &[ArgPlace::Address]);
}

#[test]
fn a_preview_marks_it_in_both_languages() {
    let write = spec(TaskType::FileWrite, &[("targetPath", "a.md"), ("content", "x y z")]);
    let marked = plan(of_a_page(write.clone()), &["do it"]);
    let shown = preview(&marked, &PreImages::new());
    let [path, content] = shown.steps[0].marks.as_slice() else { panic!("{:?}", shown.steps) };
    assert_eq!((path.place, path.is_target), (ArgPlace::Path, true));
    assert_eq!((content.place, content.is_target), (ArgPlace::Content, false));
    let en = "! The file name did not come from your words, but from the web page that step `page` \
              of an earlier run read";
    assert!(shown.to_text(Lang::En).lines().any(|line| line == en), "{}", shown.to_text(Lang::En));
    let ko =
        "! 파일 이름은 직접 말씀하신 것이 아닙니다. 출처: 이전 실행의 `page` 단계가 읽은 웹 페이지";
    assert!(shown.to_text(Lang::Ko).lines().any(|line| line == ko), "{}", shown.to_text(Lang::Ko));
    assert_ne!(marked.digest().unwrap(), plan(write, &["do it"]).digest().unwrap());
    // A step that only reads is marked, too.
    let file = spec(TaskType::FileRead, &[("targetPath", "secret.md")]);
    let shown = preview(&plan(of_a_page(file), &["do it"]), &PreImages::new());
    assert!(shown.to_text(Lang::En).starts_with("[1] secret.md\n! The file name"));
}

#[test]
fn a_memory_that_somebody_else_wrote_is_named_in_both_languages() {
    let memory = ValueSource::Memory { memory: Uuid::from_u128(9).into(), version: 3 };
    let alone = ValueSources::from_iter([memory.clone()]);
    let both = ValueSources::from_iter(read().iter().cloned().chain([memory]));
    let write = || spec(TaskType::FileWrite, &[("targetPath", "a.md"), ("content", "x y z")]);
    let shown = |sources| preview(&plan(behind(write(), sources), &["do it"]), &PreImages::new());
    let (en, ko) = (
        "the project's memory, which somebody else wrote (version 3)",
        "다른 사람이 쓴 프로젝트 메모리(버전 3)",
    );
    let (page_en, page_ko) = (
        "the web page that step `page` of an earlier run read, ",
        "이전 실행의 `page` 단계가 읽은 웹 페이지, ",
    );
    for (sources, before_en, before_ko) in [(&alone, "", ""), (&both, page_en, page_ko)] {
        let shown = shown(sources);
        for (lang, due) in [
            (
                Lang::En,
                format!("! The file name did not come from your words, but from {before_en}{en}"),
            ),
            (
                Lang::En,
                format!("· What is written did not come from your words, but from {before_en}{en}"),
            ),
            (Lang::Ko, format!("! 파일 이름은 직접 말씀하신 것이 아닙니다. 출처: {before_ko}{ko}")),
            (
                Lang::Ko,
                format!("· 쓰이는 내용은 직접 말씀하신 것이 아닙니다. 출처: {before_ko}{ko}"),
            ),
        ] {
            let text = shown.to_text(lang);
            assert!(text.lines().any(|line| line == due), "{due}: {text}");
        }
    }
    // Another version of it is another plan: a yes is for what was shown.
    let digest = |version| {
        let memory = ValueSource::Memory { memory: Uuid::from_u128(9).into(), version };
        plan(behind(write(), &ValueSources::from_iter([memory])), &["do it"]).digest().unwrap()
    };
    assert_eq!(digest(3), digest(3));
    assert_ne!(digest(3), digest(4));
}

#[test]
fn a_passage_is_named_with_the_version_that_it_was_read_in() {
    let shown = |version| {
        let document = DocumentId::from_uuid(Uuid::from_u128(9));
        let passage = ValueSource::Document { document, passage: 2, version };
        let write = spec(TaskType::FileWrite, &[("targetPath", "a.md"), ("content", "x")]);
        let plan = plan(behind(write, &ValueSources::from_iter([passage])), &["do it"]);
        (plan.digest().unwrap(), preview(&plan, &PreImages::new()))
    };
    let id = Uuid::from_u128(9);
    let (en, ko) = (format!("from the document ({id}"), format!("찾아본 문서({id}"));
    for (version, en, ko) in [
        (Some(3), format!("{en}, version 3)"), format!("{ko}, 버전 3)")),
        (None, format!("{en})"), format!("{ko})")),
    ] {
        let preview = shown(version).1;
        for (lang, due) in [(Lang::En, en), (Lang::Ko, ko)] {
            let text = preview.to_text(lang);
            assert!(text.lines().any(|line| line.ends_with(&due)), "{due}: {text}");
        }
    }
    assert_ne!(shown(Some(3)).0, shown(Some(4)).0, "a yes is for what was shown");
}

/// However many of its passages were read, a document is one source, by its title and file.
#[test]
fn documents_are_called_by_their_names_once_each() {
    let id = |nth| DocumentId::from_uuid(Uuid::from_u128(nth));
    let passage =
        |nth: u128, passage| ValueSource::Document { document: id(nth), passage, version: Some(3) };
    let read = [(1, 0), (1, 1), (1, 2), (2, 0), (3, 0), (3, 4)].map(|(nth, of)| passage(nth, of));
    let write = spec(TaskType::FileWrite, &[("targetPath", "a.md"), ("content", "x")]);
    let plan = plan(behind(write, &ValueSources::from_iter(read)), &["do it"]);
    let name = |title: &str, file: &str| DocumentName { title: title.into(), file: file.into() };
    let names = DocumentNames::from([
        (id(1), name("휴가 `정책`", "leave.md")),
        (id(3), name("Pay", "b.md")),
    ]);
    let shown = preview(&plan, &PreImages::new()).with_document_names(&plan, &names);
    let unnamed = id(2);
    for (lang, due) in [
        (
            Lang::En,
            format!(
                "from the document `휴가 '정책'` (leave.md, version 3), \
                 the document ({unnamed}, version 3), the document `Pay` (b.md, version 3)"
            ),
        ),
        (
            Lang::Ko,
            format!(
                "출처: 찾아본 문서 `휴가 '정책'`(leave.md, 버전 3), \
                 찾아본 문서({unnamed}, 버전 3), 찾아본 문서 `Pay`(b.md, 버전 3)"
            ),
        ),
    ] {
        let text = shown.to_text(lang);
        assert!(text.lines().any(|line| line.ends_with(&due)), "{due}: {text}");
    }
}

#[test]
fn without_sources_nothing_is_marked() {
    let write = spec(TaskType::FileWrite, &[("targetPath", "a.md"), ("content", "x")]);
    let plan = plan(write, &[]);
    assert!(plan.sources.is_empty());
    let value = serde_json::to_value(&plan).unwrap();
    assert_eq!((value.get("sources"), value["specSnapshot"]["spec"].get("sources")), (None, None));
}

proptest! {
    /// What stands in the words whole is theirs, and what is only a part of another name is not.
    #[test]
    fn a_name_is_the_users_where_it_stands_whole(
        name in "[a-z]{3,8}\\.txt", before in "[ -~가-힣]{0,20}", joined in "[a-z0-9_.-]",
    ) {
        let write = spec(TaskType::FileRead, &[("targetPath", name.as_str())]);
        let said = format!("{before} {name}를 읽어줘");
        prop_assert!(places(&plan(of_a_page(write.clone()), &[&said])).is_empty(), "{}", said);
        let part = format!("{joined}{name}");
        let found = places(&plan(of_a_page(write), &[&part]));
        prop_assert_eq!(found, BTreeSet::from([ArgPlace::Path]));
    }
}
