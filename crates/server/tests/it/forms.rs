//! A request that lacks what its operation's schema requires: one form, and no plan before it.

use crate::{call::TestRequest, test_server::TestServer};
use serde_json::{Value, json};

type Events = [(String, Value)];

fn named<'a>(events: &'a Events, name: &str) -> Option<&'a Value> {
    events.iter().find(|(event, _)| event == name).map(|(_, data)| data)
}

fn told(events: &Events) -> String {
    let texts = events.iter().filter_map(|(_, data)| data["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

/// A personnel system at the shop's address, out of an OpenAPI document with references.
async fn with_hr() -> (TestServer, String) {
    let test = TestServer::new().await;
    let employee = json!({
        "type": "object", "required": ["id", "name", "team"], "additionalProperties": false,
        "properties": {
            "id": {"type": "string", "readOnly": true},
            "name": {"type": "string", "minLength": 1, "title": "Full name"},
            "team": {"$ref": "#/components/schemas/Team"},
            "age": {"type": "integer", "nullable": true},
        },
    });
    let document = json!({"openapi": "3.0.3", "paths": {"/orders": {"post": {
        "operationId": "createEmployee", "summary": "Create an employee",
        "requestBody": {"required": true, "content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/Employee"}}}},
    }}}, "components": {"schemas": {
        "Employee": employee, "Team": {"type": "string", "enum": ["Ops", "Sales"]},
    }}});
    let path = format!("/projects/{}/systems/hr", test.project);
    let body = json!({"baseUrl": format!("http://{}", test.shop.address()), "openapi": document});
    let asked = TestRequest::new("PUT", &path).by(&test.owner.token).json(&body);
    let made = test.send(asked).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let taken = &made.body["system"]["operations"][0]["body"];
    assert_eq!(taken["required"], true);
    assert_eq!(taken["schema"]["required"], json!(["name", "team"]), "what it answers is not sent");
    assert_eq!(taken["schema"]["properties"]["team"]["enum"], json!(["Ops", "Sales"]));
    assert_eq!(taken["schema"]["properties"]["age"]["type"], json!(["integer", "null"]));
    let session = test.session(&test.owner, test.project).await;
    (test, session)
}

const WANTED: &str = "Create an employee in hr named Choi in team Ops";

async fn answer(
    test: &TestServer,
    session: &str,
    form: &Value,
    body: Value,
) -> Vec<(String, Value)> {
    let seen = test.newest(session).await;
    let message = json!({"form": {"task": form["task"], "body": body}, "seen": seen});
    test.post_words(&test.owner, session, message).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_schema_requires_is_asked_for_and_sent_as_it_was_shown() {
    let (test, session) = with_hr().await;
    let events = test.say(&test.owner, &session, WANTED).await;
    assert!(named(&events, "preview").is_none(), "no plan without its body: {events:#?}");
    let form = &named(&events, "ask").expect("a question")["form"];
    assert_eq!((&form["system"], &form["operation"]), (&json!("hr"), &json!("createEmployee")));
    let fields: Vec<_> = form["fields"]
        .as_array()
        .expect("fields")
        .iter()
        .map(|field| {
            (
                field["name"].as_str().unwrap_or_default(),
                field["kind"].as_str().unwrap_or_default(),
                field["required"].as_bool().unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(fields, [("name", "text", true), ("team", "text", true), ("age", "integer", false)]);
    assert_eq!(form["fields"][0]["label"], "Full name");
    assert_eq!(form["fields"][1]["choices"], json!(["Ops", "Sales"]));
    assert!(told(&events).contains("- team · required"), "{}", told(&events));
    let state = test.get(&test.owner, &format!("/sessions/{session}/state")).await;
    assert_eq!(&state.body["form"], form);
    assert_eq!(test.shop.count("POST", "/orders"), 0);

    let sent = json!({"name": "Choi", "team": "Ops"});
    let asked = answer(&test, &session, form, sent.clone()).await;
    let accepted = named(&asked, "accepted").expect("a message")["text"].clone();
    assert_eq!(accepted, "name: Choi, team: Ops");
    let preview = named(&asked, "preview").unwrap_or_else(|| panic!("{asked:#?}"));
    let of = |name: &str| preview[name].as_str().expect("text").to_owned();
    let shown = test.get(&test.owner, &format!("/approvals/{}", of("approval"))).await;
    let request = &shown.body["preview"]["steps"][0]["request"];
    let body: Value =
        serde_json::from_str(request["body"]["text"].as_str().expect("a body")).unwrap();
    assert_eq!(body, sent);
    assert_eq!(test.approve(&test.owner, &of("approval"), &of("digest")).await.status, 200);
    test.executed(&test.owner).await;
    assert_eq!(test.shop.orders(), [sent], "what was shown is what was sent");
    let said = test.get(&test.owner, &format!("/sessions/{session}/history")).await;
    assert!(said.text.contains("HTTP 201"), "the answer's status is told: {}", said.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_the_schema_does_not_take_is_no_plan() {
    let (test, session) = with_hr().await;
    for body in [
        json!({"name": "Choi"}),
        json!({"name": "Choi", "team": "Kitchen"}),
        json!({"name": "", "team": "Ops"}),
        json!({"name": "Choi", "team": "Ops", "age": "old"}),
        json!({"name": "Choi", "team": "Ops", "salary": 1}),
    ] {
        let events = test.say(&test.owner, &session, WANTED).await;
        let form = named(&events, "ask").unwrap_or_else(|| panic!("{events:#?}"))["form"].clone();
        let asked = answer(&test, &session, &form, body.clone()).await;
        assert!(named(&asked, "preview").is_none(), "{body}: {asked:#?}");
        let again = &named(&asked, "ask").unwrap_or_else(|| panic!("{asked:#?}"))["form"];
        assert_eq!(again["fields"][0]["value"], body["name"], "what is known stays: {asked:#?}");
        test.say(&test.owner, &session, "cancel").await;
    }
    assert_eq!(test.shop.count("POST", "/orders"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_is_not_asked_for_any_more_is_refused() {
    let (test, session) = with_hr().await;
    let events = test.say(&test.owner, &session, WANTED).await;
    let form = named(&events, "ask").expect("a question")["form"].clone();
    test.say(&test.owner, &session, "cancel").await;
    let path = format!("/sessions/{session}/messages");
    let seen = test.newest(&session).await;
    let body = json!({"name": "Choi", "team": "Ops"});
    let late = json!({"form": {"task": form["task"], "body": body}, "seen": seen});
    let refused = test.post(&test.owner, &path, late).await;
    assert_eq!((refused.status, refused.code()), (409, "FORM_CLOSED"), "{}", refused.text);
    let both = json!({"text": "yes", "form": {"task": form["task"], "body": {}}});
    assert_eq!(test.post(&test.owner, &path, both).await.status, 422);
    assert_eq!(test.shop.count("POST", "/orders"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_another_screen_has_moved_on_from_is_not_filled_in() {
    let (test, session) = with_hr().await;
    let events = test.say(&test.owner, &session, WANTED).await;
    let form = named(&events, "ask").expect("a question")["form"].clone();
    let seen = named(&events, "ask").expect("a question")["seq"].clone();
    test.say(&test.owner, &session, "thanks").await;
    let path = format!("/sessions/{session}/messages");
    let body = json!({"name": "Choi", "team": "Ops"});
    let old = json!({"form": {"task": form["task"], "body": body}, "seen": seen});
    let refused = test.post(&test.owner, &path, old).await;
    assert_eq!((refused.status, refused.code()), (409, "FORM_CLOSED"), "{}", refused.text);
    let asked = answer(&test, &session, &form, body).await;
    assert!(named(&asked, "preview").is_some(), "{asked:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_cannot_make_a_schema_without_end() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/systems/deep", test.project);
    // Each of ten schemas refers ten times to the next, and the last to the first.
    let schema = |n: usize| {
        let next = json!({"$ref": format!("#/components/schemas/S{}", (n + 1) % 10)});
        let members: serde_json::Map<String, Value> =
            (0..10).map(|m| (format!("m{m}"), next.clone())).collect();
        (format!("S{n}"), json!({"type": "object", "properties": members}))
    };
    let schemas: serde_json::Map<String, Value> = (0..10).map(schema).collect();
    let body =
        json!({"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}});
    let document = json!({"openapi": "3.1.0", "components": {"schemas": schemas},
        "paths": {"/a": {"post": {"operationId": "a", "requestBody": body}}}});
    let put = json!({"baseUrl": "http://deep.example", "openapi": document});
    let made = test.send(TestRequest::new("PUT", &path).by(&test.owner.token).json(&put)).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let schema = made.body["system"]["operations"][0]["body"]["schema"].to_string();
    assert!(schema.len() <= 16 * 1024 && schema.contains("\"m9\""), "{}", schema.len());
}

/// What is written into a form is a value of the request, whatever it says.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_form_says_is_not_kept_in_mind() {
    let (test, session) = with_hr().await;
    let events = test.say(&test.owner, &session, WANTED).await;
    let form = named(&events, "ask").expect("a question")["form"].clone();
    let body = json!({"name": "remember that I like tea", "team": "Ops"});
    let asked = answer(&test, &session, &form, body).await;
    assert!(named(&asked, "preview").is_some(), "{asked:#?}");
    let own = format!("/users/{}/memory", test.owner.user);
    for path in [own, format!("/projects/{}/memory", test.project)] {
        assert_eq!(test.get(&test.owner, &path).await.body["version"], 0, "{path}");
    }
}
