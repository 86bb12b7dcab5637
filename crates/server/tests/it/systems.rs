//! Systems over HTTP: registered, changed by revision, given a credential that nobody reads again.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer},
};
use serde_json::{Value, json};
use wiiiv_store::{AuditFilter, Chain, Role};

const SECRET: &str = "CANARY-0123456789-secret";
const USERNAME: &str = "canary-username-0123456789";

struct SystemRoutes {
    test: TestServer,
}

impl SystemRoutes {
    async fn new() -> Self {
        Self { test: TestServer::new().await }
    }
    fn at(&self, below: &str) -> String {
        format!("/projects/{}/systems{below}", self.test.project)
    }
    async fn ask(&self, who: &Person, asked: TestRequest, tag: Option<&str>) -> Answer {
        let asked = asked.by(&who.token);
        self.test
            .send(tag.into_iter().fold(asked, |asked, tag| asked.header("if-match", tag)))
            .await
    }
    async fn put(&self, below: &str, tag: Option<&str>, body: &Value) -> Answer {
        self.ask(&self.test.owner, TestRequest::new("PUT", &self.at(below)).json(body), tag).await
    }
    async fn delete(&self, below: &str, tag: Option<&str>) -> Answer {
        self.ask(&self.test.owner, TestRequest::new("DELETE", &self.at(below)), tag).await
    }
    async fn get(&self, below: &str) -> Answer {
        self.test.get(&self.test.owner, &self.at(below)).await
    }
}

fn shop(port: u16) -> Value {
    json!({
        "aliases": ["스카이몰", "mall"],
        "baseUrl": format!("http://127.0.0.1:{port}/api/"),
        "authentication": {"kind": "log_in", "path": "/login", "usernameField": "username",
            "passwordField": "password", "tokenPointer": "/token"},
        "operations": [
            {"id": "listProducts", "method": "GET", "path": "/products", "labels": ["상품 목록"]},
            {"id": "search", "method": "POST", "path": "/products/{id}/search", "reads": true},
        ],
    })
}

fn credential() -> Value {
    json!({"username": USERNAME, "secret": SECRET})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_system_is_registered_changed_and_removed_by_revision() {
    let desk = SystemRoutes::new().await;
    assert_eq!(desk.get("").await.body, json!({"items": [], "next_cursor": null}));
    let blind = desk.put("/skymall", Some("\"7\""), &shop(8081)).await;
    assert_eq!((blind.status, blind.code()), (404, "NOT_FOUND"), "there is none to replace");
    let made = desk.put("/skymall", None, &shop(8081)).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let tag = made.header("etag").to_owned();
    assert_eq!(tag, format!("\"{}\"", made.body["revision"]));
    let system = &made.body["system"];
    assert_eq!(
        system["baseUrl"],
        json!({"scheme": "http", "host": "127.0.0.1", "port": 8081, "segments": ["api"]})
    );
    let id = json!([{"name": "id", "in": "path", "required": true}]);
    assert_eq!(system["operations"][1]["parameters"], id, "what stands in braces is one");
    assert_eq!(
        (made.body["origin"].as_str(), system["risk"].as_str()),
        (Some("http://127.0.0.1:8081"), Some("MEDIUM"))
    );
    assert_eq!(made.body["has_credential"], false);

    let unseen = desk.put("/skymall", None, &shop(8082)).await;
    assert_eq!((unseen.status, unseen.code()), (428, "PRECONDITION_REQUIRED"));
    let again = desk.put("/skymall", Some(&tag), system).await;
    assert_eq!(again.status, 200, "what is read can be written: {}", again.text);
    assert_eq!(&again.body["system"], system);
    let late = desk.put("/skymall", Some(&tag), &shop(8082)).await;
    assert_eq!((late.status, late.code()), (412, "VERSION_CHANGED"), "{}", late.text);
    assert_eq!(
        late.body["params"]["current"].as_str(),
        Some(again.body["revision"].to_string().as_str())
    );

    let read = desk.get("/skymall").await;
    assert_eq!(read.header("etag"), again.header("etag"));
    assert_eq!(desk.get("").await.body["items"], json!([read.body]));
    assert_eq!(desk.delete("/skymall", None).await.status, 428);
    assert_eq!(desk.delete("/skymall", Some(&tag)).await.status, 412);
    let tag = read.header("etag").to_owned();
    assert_eq!(desk.delete("/skymall", Some(&tag)).await.status, 204);
    assert_eq!(desk.get("/skymall").await.status, 404);
    assert_eq!(desk.get("/No-Such").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_goes_in_and_never_out() {
    let desk = SystemRoutes::new().await;
    let made = desk.put("/skymall", None, &shop(8081)).await;
    let tag = made.header("etag").to_owned();
    assert_eq!(desk.put("/skymall/credential", None, &credential()).await.status, 428);
    let given = desk.put("/skymall/credential", Some(&tag), &credential()).await;
    assert_eq!(given.status, 200, "{}", given.text);
    assert_eq!(given.body["username"], "can****6789");
    assert_eq!(given.body["origin"], "http://127.0.0.1:8081");
    let late = desk.put("/skymall/credential", Some(&tag), &credential()).await;
    assert_eq!(late.status, 412, "what was seen before may have stood elsewhere");
    let tag = given.header("etag").to_owned();
    let read = desk.get("/skymall").await;
    assert_eq!((read.header("etag"), &read.body["has_credential"]), (tag.as_str(), &json!(true)));
    for path in ["/skymall/credential", "/skymall"] {
        let text = desk.get(path).await.text;
        assert!(!text.contains("CANARY") && !text.contains(USERNAME), "{text}");
    }
    assert_eq!(desk.get("/skymall/credential").await.status, 405);

    let taken = desk.delete("/skymall/credential", Some(&tag)).await;
    assert_eq!(taken.status, 204, "{}", taken.text);
    let tag = taken.header("etag").to_owned();
    assert_eq!(desk.get("/skymall").await.body["has_credential"], false);
    assert_eq!(desk.delete("/skymall/credential", Some(&tag)).await.status, 404);

    let given = desk.put("/skymall/credential", Some(&tag), &credential()).await;
    let tag = given.header("etag").to_owned();
    let moved = desk.put("/skymall", Some(&tag), &shop(9999)).await;
    assert_eq!((moved.status, &moved.body["has_credential"]), (200, &json!(false)));
    let (store, project) = (desk.test.store(), desk.test.project);
    let name = wiiiv_domain::SystemName::parse("skymall").unwrap();
    assert!(store.credential(project, &name).await.unwrap().is_none());
    let rows = store.audit_search(Chain::Project(project), &AuditFilter::default()).await.unwrap();
    let told: String = rows.iter().map(|row| row.body.to_string()).collect();
    assert!(!told.contains("CANARY") && !told.contains(USERNAME));
    let removed = rows.iter().filter(|row| row.kind == "system.credential_removed");
    let codes: Vec<_> = removed.map(|row| row.body["code"].clone()).collect();
    assert_eq!(codes, [json!("ORIGIN_CHANGED"), json!("ASKED")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_is_refused_by_field_and_without_its_value() {
    let desk = SystemRoutes::new().await;
    let with = |field: &str, value: Value| {
        let mut body = shop(8081);
        body[field] = value;
        body
    };
    for (field, body) in [
        ("baseUrl", with("baseUrl", json!("http://user:hunter2@shop.example"))),
        ("baseUrl", with("baseUrl", json!("ftp://shop.example"))),
        ("baseUrl", with("baseUrl", json!({"scheme": "http", "host": "a b", "port": null}))),
        ("baseUrl", with("baseUrl", json!(7))),
        ("aliases", with("aliases", json!(["a,b"]))),
        ("aliases", with("aliases", json!(["SkyMall"]))),
        ("operations", with("operations", json!([{"id": "x", "method": "GET", "path": "a"}]))),
        (
            "operations",
            with(
                "operations",
                json!([{"id": "x", "method": "DELETE", "path": "/a", "reads": true}]),
            ),
        ),
        (
            "operations",
            with("operations", json!([{"id": "x", "method": "GET", "path": "/{a}.json"}])),
        ),
        ("authentication", with("authentication", json!({"kind": "api_key", "header": "Host"}))),
        ("authentication", with("authentication", json!({"kind": "bearer", "secret": "hunter2"}))),
        ("name", with("name", json!("other"))),
        ("version", with("version", json!(2))),
        ("openapi", with("openapi", json!({"openapi": "3.0.0", "paths": {}}))),
        ("risk", with("risk", json!("hunter2"))),
        ("token", with("token", json!("hunter2"))),
    ] {
        let refused = desk.put("/skymall", None, &body).await;
        assert_eq!((refused.status, refused.code()), (422, "INVALID_FIELD"), "{}", refused.text);
        let named = refused.body["params"]["field"].as_str().unwrap();
        assert!(named == field || named.starts_with(&format!("{field}.")), "{}", refused.text);
        assert!(!refused.text.contains("hunter2"), "{}", refused.text);
    }
    assert_eq!(desk.put("/skymall", None, &shop(8081)).await.status, 201);
    let twin = desk.put("/other", None, &shop(8082)).await;
    assert_eq!((twin.status, twin.code()), (409, "NAME_TAKEN"), "{}", twin.text);
    assert!(twin.body["params"]["reason"].as_str().unwrap().contains("`skymall`"));

    let tag = desk.get("/skymall").await.header("etag").to_owned();
    for (field, body) in [
        ("username", json!({"secret": SECRET})),
        ("secret", json!({"username": USERNAME, "secret": ""})),
        ("secret", json!({"username": USERNAME, "secret": format!("{SECRET}\r\nx: y")})),
        ("secret", json!({"username": USERNAME})),
        ("password", json!({"username": USERNAME, "secret": SECRET, "password": SECRET})),
    ] {
        let refused = desk.put("/skymall/credential", Some(&tag), &body).await;
        assert_eq!(
            (refused.status, refused.body["params"]["field"].as_str()),
            (422, Some(field)),
            "{}",
            refused.text
        );
        assert!(!refused.text.contains("CANARY"), "{}", refused.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_openapi_document_becomes_operations_in_both_languages() {
    let desk = SystemRoutes::new().await;
    let document = json!({"openapi": "3.0.3", "paths": {
        "/inventory": {"get": {
            "operationId": "listInventory",
            "x-labels": ["재고 목록", "inventory"],
            "parameters": [{"name": "below", "in": "query", "schema": {"type": "integer"}}],
        }},
        "/inventory/{id}": {"get": {"operationId": "getInventory", "summary": "재고 하나, 번호로"}},
    }});
    let body = json!({"aliases": ["재고 시스템"], "baseUrl": "https://stock.example", "openapi": document});
    let made = desk.put("/skystock", None, &body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    // The switch is the registration's: no document sets it.
    assert_eq!(made.body["system"]["anyPath"], Value::Null);
    let mut any = body.clone();
    any["anyPath"] = json!("yes");
    assert_eq!(desk.put("/anywhere", None, &any).await.status, 422);
    (any["anyPath"], any["aliases"]) = (json!(true), json!([]));
    let anywhere = desk.put("/anywhere", None, &any).await;
    assert_eq!(anywhere.body["system"]["anyPath"], true, "{}", anywhere.text);
    let operations = &made.body["system"]["operations"];
    assert_eq!(operations[0]["labels"], json!(["재고 목록", "inventory"]));
    assert_eq!(
        operations[0]["parameters"],
        json!([{"name": "below", "in": "query", "required": false}])
    );
    assert_eq!(operations[1]["labels"], json!(["재고 하나 번호로"]));
    assert_eq!(made.body["system"]["authentication"], json!({"kind": "none"}));
    let mut odd = body.clone();
    odd["openapi"] = json!({"swagger": "2.0", "paths": {}});
    let refused = desk.put("/older", None, &odd).await;
    assert_eq!((refused.status, &refused.body["params"]["field"]), (422, &json!("openapi")));
    let credential =
        desk.put("/skystock/credential", Some(made.header("etag")), &credential()).await;
    assert_eq!(credential.status, 422, "it is registered without authentication");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proposed_line_is_what_the_policy_takes_over() {
    let desk = SystemRoutes::new().await;
    let made = desk.put("/skymall", None, &shop(8081)).await;
    let proposed = &made.body["proposed_rule"];
    assert_eq!(
        proposed,
        &json!({
            "host": "127.0.0.1", "scheme": "http", "port": 8081, "private": true,
            "idempotentMethods": [], "readOperations": ["POST /api/products/{}/search"],
        })
    );
    assert_eq!(made.body["allowed"], false);
    let path = format!("/projects/{}/policy", desk.test.project);
    for (line, allowed) in [
        (json!({"host": "127.0.0.1", "scheme": "http", "port": 8081, "private": true}), false),
        (proposed.clone(), true),
    ] {
        let current = desk.test.get(&desk.test.owner, &path).await;
        let mut policy = current.body["policy"].clone();
        policy["allowedHosts"] = json!([line]);
        let body = json!({"policy": policy, "reason": "the mall"});
        let asked = TestRequest::new("PUT", &path).json(&body);
        let taken = desk.ask(&desk.test.owner, asked, Some(current.header("etag"))).await;
        assert_eq!(taken.status, 201, "{}", taken.text);
        assert_eq!(desk.get("/skymall").await.body["allowed"], allowed);
    }
}

/// A policy that promises the whole method promises each of its operations, and a label with `{}`
/// speaks of a written segment too.
#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_says_more_than_is_proposed_is_enough() {
    let desk = SystemRoutes::new().await;
    let system = json!({"baseUrl": "http://127.0.0.1:8081", "operations": [
        {"id": "add", "method": "POST", "path": "/carts/{id}/items", "idempotent": true},
        {"id": "find", "method": "POST", "path": "/products/search", "reads": true},
    ]});
    let made = desk.put("/carts", None, &system).await;
    let proposed = &made.body["proposed_rule"];
    assert_eq!(proposed["idempotentOperations"], json!(["POST /carts/{}/items"]), "{}", made.text);
    let place = json!({"host": "127.0.0.1", "scheme": "http", "port": 8081, "private": true});
    let path = format!("/projects/{}/policy", desk.test.project);
    for (methods, labels, allowed) in [
        (json!([]), json!(["POST /products/{}"]), false),
        (json!(["PUT"]), json!(["POST /products/{}"]), false),
        (json!(["POST"]), json!(["GET /products/search"]), false),
        (json!(["POST"]), json!(["POST /products/{}"]), true),
    ] {
        let mut line = place.clone();
        line["idempotentMethods"] = methods;
        line["readOperations"] = labels;
        let current = desk.test.get(&desk.test.owner, &path).await;
        let mut policy = current.body["policy"].clone();
        policy["allowedHosts"] = json!([line]);
        let body = json!({"policy": policy, "reason": "the carts"});
        let asked = TestRequest::new("PUT", &path).json(&body);
        let taken = desk.ask(&desk.test.owner, asked, Some(current.header("etag"))).await;
        assert_eq!(taken.status, 201, "{}", taken.text);
        assert_eq!(desk.get("/carts").await.body["allowed"], allowed, "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn members_look_and_owners_change() {
    let desk = SystemRoutes::new().await;
    let made = desk.put("/skymall", None, &shop(8081)).await;
    let tag = made.header("etag");
    let editor = desk.test.member("editor", Role::Editor).await;
    let stranger = desk.test.person("stranger").await;
    for (who, sees, changes) in [(&editor, 200, 403), (&stranger, 404, 404)] {
        for below in ["", "/skymall"] {
            assert_eq!(desk.test.get(who, &desk.at(below)).await.status, sees);
        }
        for (below, body) in [("/skymall", shop(6666)), ("/skymall/credential", credential())] {
            let asked = TestRequest::new("PUT", &desk.at(below)).json(&body);
            assert_eq!(desk.ask(who, asked, Some(tag)).await.status, changes);
            let asked = TestRequest::new("DELETE", &desk.at(below));
            assert_eq!(desk.ask(who, asked, Some(tag)).await.status, changes);
        }
    }
    assert_eq!(desk.get("/skymall").await.body, made.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_try_of_the_connection_tells_what_it_found() {
    let desk = SystemRoutes::new().await;
    let shop = desk.test.shop.address();
    let closed = json!({"baseUrl": "http://127.0.0.1:9"});
    let open = json!({"baseUrl": format!("http://{shop}"), "operations": [
        {"id": "items", "method": "GET", "path": "/items"},
    ]});
    assert_eq!(desk.put("/closed", None, &closed).await.status, 201);
    assert_eq!(desk.put("/shop", None, &open).await.status, 201);
    assert_eq!(desk.get("/shop").await.body["allowed"], true, "the test's policy lists it");
    let tried = |name: &'static str| {
        let path = desk.at(&format!("/{name}/test"));
        let test = &desk.test;
        async move { test.post(&test.owner, &path, json!({})).await }
    };
    let found = tried("shop").await;
    assert_eq!((found.status, &found.body["ok"]), (200, &json!(true)), "{}", found.text);
    let refused = tried("closed").await;
    assert_eq!((refused.status, &refused.body["ok"]), (200, &json!(false)), "{}", refused.text);
    assert_ne!(refused.body["code"], "OK");
    assert_eq!(tried("nothing").await.status, 404);
}

/// The credential of the request in the preview that waits: its kind and the English sentence.
async fn told(desk: &SystemRoutes, text: &str) -> (String, String) {
    let (test, owner) = (&desk.test, &desk.test.owner);
    let session = test.session(owner, test.project).await;
    let events = test.say(owner, &session, text).await;
    let preview = events.iter().find(|(name, _)| name == "preview");
    let (_, preview) = preview.unwrap_or_else(|| panic!("no preview in {events:#?}"));
    let shown = preview["text"].as_str().expect("text").to_owned();
    let path = format!("/approvals/{}", preview["approval"].as_str().expect("an id"));
    let answer = test.get(owner, &path).await;
    let credential = &answer.body["preview"]["steps"][0]["request"]["credential"];
    let of = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let sentence = of(&credential["text"]["en"]);
    assert!(shown.contains(&sentence), "{shown}");
    (of(&credential["kind"]), sentence)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_says_for_that_very_system_whether_a_credential_is_sent() {
    let desk = SystemRoutes::new().await;
    let address = desk.test.shop.address();
    let bearer = json!({"kind": "bearer"});
    for (name, authentication) in [("hr", json!({"kind": "none"})), ("crm", bearer.clone())] {
        let made = desk
            .put(
                &format!("/{name}"),
                None,
                &json!({
                    "baseUrl": format!("http://{address}"), "authentication": authentication,
                    "operations": [{"id": "create_order", "method": "POST", "path": "/orders"}],
                }),
            )
            .await;
        assert_eq!(made.status, 201, "{}", made.text);
    }
    let none = told(&desk, "POST '{\"a\":1}' to hr create_order").await;
    assert_eq!(none.0, "none");
    assert!(none.1.contains("`hr` is registered without authentication"), "{}", none.1);
    let missing = told(&desk, "POST '{\"a\":1}' to crm create_order").await;
    assert_eq!(missing.0, "missing");
    let tag = desk.get("/crm").await.header("etag").to_owned();
    let given = json!({"secret": SECRET});
    assert_eq!(desk.put("/crm/credential", Some(&tag), &given).await.status, 200);
    let header = told(&desk, "POST '{\"a\":1}' to crm create_order").await;
    assert_eq!(header.0, "header");
    assert!(header.1.contains("`Authorization: Bearer`") && !header.1.contains(SECRET));
}
