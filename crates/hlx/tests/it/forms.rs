//! What a request to an operation with a schema has to carry, and the form that asks for it.

use crate::test_plans::{earlier, policy, slots};
use expect_test::expect;
use serde_json::json;
use std::collections::BTreeSet;
use wiiiv_domain::{Envelope, FormAnswer, NotDrawn, Salt, Slots, Spec, System, TaskId, TaskType};
use wiiiv_hlx::{DrawFacts, answer_text, draw, filled, form, registered};

/// `hr` takes an employee of whom a name and a team are needed, in a department of the path.
fn hr() -> System {
    let schema = json!({
        "type": "object", "required": ["name", "team"],
        "properties": {
            "name": {"type": "string"}, "team": {"enum": ["Ops", "Sales"]},
            "age": {"type": ["integer", "null"]}, "tags": {"type": "array"},
        },
    });
    let system = json!({
        "version": 1, "name": "hr", "baseUrl": {"scheme": "https", "host": "hr.test", "port": null},
        "operations": [{
            "id": "add", "method": "POST", "path": "/{dept}/employees",
            "parameters": [{"name": "dept", "in": "path", "required": true}],
            "body": {"required": true, "schema": schema},
        }],
        "authentication": {"kind": "none"}, "risk": "LOW",
    });
    serde_json::from_value(system).expect("a system")
}

fn asked(pairs: &[(&str, &str)]) -> Slots {
    slots(&[&[("domain", "hr"), ("system", "hr"), ("operation", "add")], pairs].concat())
}

fn code(pairs: &[(&str, &str)]) -> Option<String> {
    code_of(hr(), pairs)
}

fn code_of(system: System, pairs: &[(&str, &str)]) -> Option<String> {
    let (policy, earlier, own, systems) = (policy(), earlier(), BTreeSet::new(), [system]);
    let found = registered(&asked(pairs), &systems, &policy).expect("a registered system");
    let envelope = Envelope { hosts: found.hosts, effects: found.effects, ..Envelope::default() };
    let salt = Salt::from_bytes([7; 16]);
    let spec = Spec::new(salt, TaskType::ApiWorkflow, asked(pairs), &envelope);
    let facts = DrawFacts {
        policy: &policy,
        earlier: &earlier,
        systems: &systems,
        own_directories: &own,
        held: None,
    };
    match draw(&spec, &facts) {
        Ok(_) => None,
        Err(reasons) => match reasons.first() {
            Some(NotDrawn::Slot { code, .. }) => Some(code.clone()),
            other => panic!("{other:?}"),
        },
    }
}

#[test]
fn no_plan_carries_a_body_that_the_schema_does_not_take() {
    let at = ("arguments", r#"{"dept":"eu"}"#);
    for (body, expected) in [
        (None, Some("BODY_MISSING")),
        (Some("Choi"), Some("BODY_NOT_JSON")),
        (Some(r#"{"name":"Choi"}"#), Some("BODY_INCOMPLETE")),
        (Some(r#"{"name":"Choi","team":"Kitchen"}"#), Some("BODY_UNFIT")),
        (Some(r#"{"name":"Choi","team":"Ops"}"#), None),
    ] {
        let pairs: Vec<_> = [at].into_iter().chain(body.map(|body| ("body", body))).collect();
        assert_eq!(code(&pairs).as_deref(), expected, "{body:?}");
    }
    let fits = ("body", r#"{"name":"Choi","team":"Ops"}"#);
    assert_eq!(code(&[fits]).as_deref(), Some("ARGUMENT_MISSING"));
    let two = ("sourceRun", "last,last-1");
    assert_eq!(code(&[at, two]).as_deref(), Some("ONE_SOURCE_ONLY"));
    // What an earlier run put out is looked at by whoever can read it.
    assert_eq!(code(&[at, ("sourceRun", "last")]), None);
}

#[test]
fn an_earlier_result_is_no_body_of_another_format() {
    let pairs = [("arguments", r#"{"dept":"eu"}"#), ("sourceRun", "last")];
    for required in [true, false] {
        let mut system = hr();
        let body = system.operations[0].body.as_mut().expect("a body");
        (body.required, body.media_type) = (required, "text/csv".to_owned());
        assert_eq!(code_of(system, &pairs).as_deref(), Some("BODY_MEDIA_TYPE"), "{required}");
    }
}

#[test]
fn one_form_asks_for_all_that_a_request_lacks() {
    let task = TaskId::from_uuid(uuid::Uuid::from_u128(9));
    let of = |pairs: &[(&str, &str)]| form(task, &asked(pairs), &[hr()]);
    let whole = of(&[]).expect("a form");
    let fields: String = whole
        .fields
        .iter()
        .map(|field| {
            let need = if field.required { "*" } else { "" };
            format!("{:?} {}{need} {:?} {:?}\n", field.place, field.name, field.kind, field.choices)
        })
        .collect();
    expect![[r#"
        Path dept* Text []
        Body name* Text []
        Body team* Json [String("Ops"), String("Sales")]
        Body age Integer []
        Body tags Json []
    "#]]
    .assert_eq(&fields);
    let known = of(&[("body", r#"{"team":"Ops"}"#)]).expect("a form");
    let values: Vec<_> = known.fields.iter().filter_map(|field| field.value.clone()).collect();
    assert_eq!(values, [json!("Ops")]);
    let both = [("arguments", r#"{"dept":"eu"}"#), ("body", r#"{"name":"Choi","team":"Ops"}"#)];
    assert_eq!(of(&both), None);
    let answer = FormAnswer {
        task,
        path: serde_json::from_value(json!({"dept": "eu"})).unwrap(),
        query: serde_json::Map::new(),
        body: Some(json!({"name": "Choi", "age": null})),
    };
    let slots = asked(&[("body", r#"{"team":"Ops"}"#)]);
    let filled = filled(&slots, &known, &answer).expect("slots");
    assert_eq!(filled.get("arguments"), Some(r#"{"dept":"eu"}"#));
    assert_eq!(filled.get("body"), Some(r#"{"name":"Choi","team":"Ops"}"#));
    assert_eq!(answer_text(&answer), "dept: eu, name: Choi, age: null");
}

#[test]
fn a_number_that_came_as_its_text_is_that_very_number() {
    let task = TaskId::from_uuid(uuid::Uuid::from_u128(9));
    let form = form(task, &asked(&[]), &[hr()]).expect("a form");
    let body = |age: &str| {
        let body = Some(json!({"name": "42", "age": age}));
        let (path, query) = (serde_json::Map::new(), serde_json::Map::new());
        let answer = FormAnswer { task, path, query, body };
        let filled = filled(&asked(&[]), &form, &answer).expect("slots");
        filled.get("body").expect("a body").to_owned()
    };
    assert_eq!(body("9007199254740993"), r#"{"age":9007199254740993,"name":"42"}"#);
    let longer = "123456789012345678901234567890";
    assert_eq!(body(longer), format!(r#"{{"age":"{longer}","name":"42"}}"#), "never another one");
    assert_eq!(body("old"), r#"{"age":"old","name":"42"}"#);
}

/// A path with its values says what would be asked for otherwise.
#[test]
fn a_path_that_is_written_out_fills_in_its_parameters() {
    let task = TaskId::from_uuid(uuid::Uuid::from_u128(1));
    let slots = asked(&[("operation", "POST /eu/employees")]);
    let form = form(task, &slots, &[hr()]).expect("the body is lacking");
    let known: Vec<_> = form.fields.iter().filter_map(|field| field.value.clone()).collect();
    assert_eq!((known, form.operation.as_str()), (vec![json!("eu")], "add"));
    let fits = ("body", r#"{"name":"Choi","team":"Ops"}"#);
    assert_eq!(code(&[("operation", "POST /eu/employees"), fits]), None);
}
