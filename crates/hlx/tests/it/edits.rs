//! What an edit may change: values, and nothing that makes another plan.

use crate::{
    draw::drawn,
    test_plans::{blueprint, policy, slots, spec, systems},
};
use uuid::Uuid;
use wiiiv_domain::{Envelope, PlanEdit, Salt, Slots, Spec, TaskType, UserId};
use wiiiv_hlx::{Lang, PreImages, editable, is_same_but_for_values, preview, registered};

fn names(slots: &Slots) -> Vec<String> {
    editable(slots).into_iter().map(|(name, _)| name.to_string()).collect()
}

fn edit(pairs: &[(&str, &str)]) -> PlanEdit {
    PlanEdit { by: Some(UserId::from_uuid(Uuid::from_u128(5))), slots: slots(pairs) }
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

/// `Err`: the step that would be another.
fn check(spec: &Spec, pairs: &[(&str, &str)]) -> Result<(), String> {
    let old = drawn(spec).expect("a plan");
    let new = drawn(&spec.edited(&edit(pairs)).unwrap()).map_err(|why| format!("{why:?}"))?;
    is_same_but_for_values(&old, &new, &systems()).map_err(|step| step.to_string())
}

#[test]
fn arguments_can_be_changed_and_what_is_done_cannot() {
    let write = slots(&[("targetPath", "a.md"), ("content", "x"), ("append", "true")]);
    assert_eq!(names(&write), ["content", "targetPath"]);
    let mut call = slots(&[
        ("intent", "x"),
        ("domain", "mall"),
        ("system", "mall"),
        ("operation", "product"),
        ("arguments", "{}"),
        ("select", "."),
    ]);
    assert_eq!(names(&call), ["arguments"]);
    call.set("operation", "GET /products/7").unwrap();
    assert_eq!(names(&call), ["arguments", "operation"]);
    let plain = slots(&[("domain", "a.test"), ("url", "http://a.test/x?q=1"), ("method", "POST")]);
    assert_eq!(names(&plain), ["url"]);
    assert_eq!(names(&slots(&[("domain", "http://a.test/x?q=1")])), ["domain"]);
}

#[test]
fn a_files_name_and_content_are_values() {
    let write = spec(TaskType::FileWrite, &[("targetPath", "a.md"), ("content", "x")]);
    assert_eq!(check(&write, &[("content", "y")]), Ok(()));
    assert_eq!(check(&write, &[("targetPath", "notes/b.md")]), Ok(()));
    let refused = check(&write, &[("targetPath", "/etc/passwd")]).unwrap_err();
    assert!(refused.contains("PathNotAllowed"), "{refused}");
    // To list a folder is another step than to read a file.
    let read = spec(TaskType::FileRead, &[("targetPath", "a.md")]);
    assert_eq!(check(&read, &[("targetPath", "b.md")]), Ok(()));
    assert_eq!(check(&read, &[("targetPath", "/")]), Err("list".to_owned()));
}

#[test]
fn a_request_goes_to_the_same_place_for_the_same_thing() {
    let url = "http://a.test/items/7?q=tea&n=3";
    let pairs =
        [("intent", "x"), ("domain", "a.test"), ("url", url), ("method", "POST"), ("body", "{}")];
    let post = request(&pairs);
    assert_eq!(check(&post, &[("body", r#"{"a": 1}"#)]), Ok(()));
    assert_eq!(check(&post, &[("url", "http://a.test/items/7?q=coffee&n=4")]), Ok(()));
    for other in [
        "http://b.test/items/7?q=tea&n=3",
        "https://a.test/items/7?q=tea&n=3",
        "http://a.test:81/items/7?q=tea&n=3",
        "http://a.test/items/8?q=tea&n=3",
        "http://a.test/items/7?q=tea",
        "http://a.test/items/7?q=tea&m=3",
    ] {
        assert!(check(&post, &[("url", other)]).is_err(), "{other}");
    }
    // Of another form is another request.
    assert_eq!(check(&post, &[("body", "plain")]), Err("call".to_owned()));
}

#[test]
fn of_a_registered_operation_the_arguments_are_values() {
    let of = |operation, arguments| {
        let pairs = [
            ("intent", "x"),
            ("domain", "mall"),
            ("operation", operation),
            ("arguments", arguments),
        ];
        request(&pairs)
    };
    assert_eq!(check(&of("product", r#"{"id": "7"}"#), &[("arguments", r#"{"id": "8"}"#)]), Ok(()));
    let written = of("GET /products/7", "{}");
    assert_eq!(check(&written, &[("operation", "GET /products/8")]), Ok(()));
    assert_eq!(check(&written, &[("operation", "GET /products")]), Err("call".to_owned()));
    let listed = of("products", r#"{"category": "tea"}"#);
    assert_eq!(check(&listed, &[("arguments", r#"{"category": "coffee"}"#)]), Ok(()));
    // What is left out or added is no other value of what was there.
    assert!(check(&listed, &[("arguments", "{}")]).is_err());
    assert!(check(&listed, &[("arguments", r#"{"category": "tea", "page": 2}"#)]).is_err());
}

#[test]
fn a_preview_names_who_wrote_a_value() {
    let write = spec(TaskType::FileWrite, &[("targetPath", "a.md"), ("content", "x")]);
    let of = |spec: Spec| {
        let nodes = drawn(&spec).expect("a plan");
        blueprint(spec, nodes)
    };
    let (own, edited) = (of(write.clone()), of(write.edited(&edit(&[("content", "y")])).unwrap()));
    assert_ne!(own.digest().unwrap(), edited.digest().unwrap());
    assert!(preview(&own, &PreImages::new()).edits.is_empty());
    let shown = preview(&edited, &PreImages::new());
    let [one] = shown.edits.as_slice() else { panic!("{:?}", shown.edits) };
    assert_eq!((one.slot.as_str(), Some(one.by)), ("content", edit(&[]).by));
    let line = "± Changed by an approver, not the requester's own: `content`";
    assert!(shown.to_text(Lang::En).lines().any(|shown| shown == line));
    let line = "± 요청자가 아니라 승인하는 사람이 고친 값: `content`";
    assert!(shown.to_text(Lang::Ko).lines().any(|shown| shown == line));
    let named = shown.with_slot_names(|lang, slot| format!("<{}:{slot}>", lang.as_str()));
    let line = "± 요청자가 아니라 승인하는 사람이 고친 값: <ko:content>";
    assert!(named.to_text(Lang::Ko).lines().any(|shown| shown == line));
    let line = "± Changed by an approver, not the requester's own: <en:content>";
    assert!(named.to_text(Lang::En).lines().any(|shown| shown == line));
}
