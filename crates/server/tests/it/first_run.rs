//! The demo's own sign-in, and what a first run can choose from.

use crate::{
    call::TestRequest,
    test_server::{Person, TestServer, now},
};
use axum::{Json, Router, routing::get};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wiiiv_net::Origin;
use wiiiv_server::{LocalPlaces, ModelPlaces, ServerConfig};

fn entry(link: &str) -> TestRequest {
    TestRequest::new("POST", "/auth/demo").json(&json!({"link": link}))
}

/// The attack: any other user of the machine opens the demo's address.
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_signs_in_whoever_opens_its_link_once_and_from_its_own_pages_alone() {
    let (test, links) = TestServer::demo().await;
    let info = test.send(TestRequest::new("GET", "/info")).await;
    assert_eq!(info.body["demo"], json!({"project": test.project.to_string()}));
    let link = links.renew().unwrap();
    let link = link.expose_secret();
    let elsewhere = [
        entry(link),
        entry(link).header("host", "127.0.0.1:7717"),
        entry(link).here().header("origin", "http://evil.example"),
        entry(link).here().header("sec-fetch-site", "cross-site"),
    ];
    for asked in elsewhere {
        let refused = test.send(asked).await;
        assert_eq!((refused.status, refused.code()), (404, "NOT_FOUND"));
        assert!(refused.header("set-cookie").is_empty());
    }
    for guess in ["", "0000", &"0".repeat(64)] {
        let refused = test.send(entry(guess).here()).await;
        assert_eq!((refused.status, refused.code()), (401, "DEMO_LINK_VOID"), "{}", refused.text);
        assert!(refused.header("set-cookie").is_empty());
    }
    assert_eq!(test.send(TestRequest::new("POST", "/auth/demo").here()).await.status, 415);

    let login = test.send(entry(link).here()).await;
    assert_eq!((login.status, &login.body["name"]), (200, &json!("owner")), "{}", login.text);
    assert!(login.body["token"].is_null());
    let set = login.header("set-cookie").to_owned();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict"), "{set}");
    let cookie = set.split(';').next().unwrap();
    let page = (cookie, login.body["page_key"].as_str().unwrap());
    assert_eq!(test.send(TestRequest::new("GET", "/auth/me").here().page(page)).await.status, 200);
    let again = test.send(entry(link).here()).await;
    assert_eq!(again.code(), "DEMO_LINK_VOID", "a link opens once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fresh_link_is_the_demos_own_users_to_make() {
    let (test, links) = TestServer::demo().await;
    let old = links.renew().unwrap();
    let fresh = test.post(&test.owner, "/auth/demo/link", json!({})).await;
    assert_eq!(fresh.status, 200, "{}", fresh.text);
    let fresh = fresh.body["link"].as_str().unwrap();
    assert_eq!(test.send(entry(old.expose_secret()).here()).await.code(), "DEMO_LINK_VOID");
    assert_eq!(test.send(entry(fresh).here()).await.status, 200);
    let other = test.post(&test.admin, "/auth/demo/link", json!({})).await;
    assert_eq!((other.status, other.code()), (404, "NOT_FOUND"));
    let test = TestServer::new().await;
    let info = test.send(TestRequest::new("GET", "/info")).await;
    assert_eq!(info.body["demo"], Value::Null);
    assert_eq!(test.post(&test.owner, "/auth/demo/link", json!({})).await.status, 404);
    assert_eq!(test.send(entry("0").here()).await.status, 404, "no other server has that door");
}

async fn fake_ollama(answer: Value) -> std::net::SocketAddr {
    let app = Router::new().route("/api/tags", get(move || async move { Json(answer) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

fn alone(ollama: std::net::SocketAddr) -> LocalPlaces {
    let nobody = "127.0.0.1:9".parse().unwrap();
    LocalPlaces { ollama, lm_studio: nobody, vllm: nobody }
}

async fn choices(places: ModelPlaces) -> Vec<Value> {
    let test = TestServer::with(|config| ServerConfig { models: places, ..config }).await;
    let answer = test.get(&test.admin, "/setup/providers").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body["items"].as_array().unwrap().clone()
}

fn named<'a>(items: &'a [Value], name: &str) -> &'a Value {
    items.iter().find(|item| item["name"] == name).unwrap_or(&Value::Null)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_at_hand_is_found_and_what_is_approved_is_told_apart() {
    let hostile = json!({"models": [{"name": "llama3.2:3b"}, {"name": "<b>\u{202e}"}]});
    let ollama = fake_ollama(hostile).await;
    let approved = Origin::parse("https://models.example").unwrap();
    let keys = BTreeSet::from(["OPENAI_API_KEY", "GOOGLE_API_KEY"]);
    let items = choices(ModelPlaces { approved: vec![approved], keys, local: alone(ollama) }).await;
    assert_eq!((&items[0]["id"], &items[0]["state"]), (&json!("offline"), &json!("ready")));
    let local = named(&items, "Ollama");
    assert_eq!(local["state"], "not_approved");
    assert_eq!(local["models"], json!(["llama3.2:3b"]), "only what a policy could name");
    // What a policy asks that names no base URL, and not another name of the same place.
    let asked = format!("http://localhost:{}", ollama.port());
    assert_eq!(local["origin"], asked);
    assert!(local["hint"]["en"].as_str().unwrap().contains(&asked));
    assert_eq!(named(&items, "https://models.example")["state"], "ready");
    let key = named(&items, "OpenAI");
    assert_eq!((&key["state"], &key["env"]), (&json!("not_approved"), &json!("OPENAI_API_KEY")));
    assert_eq!(named(&items, "Google Gemini")["env"], "GOOGLE_API_KEY", "under either name");
    let none = named(&items, "Anthropic");
    assert_eq!((&none["state"], &none["env"]), (&json!("not_found"), &Value::Null));

    for by in [format!("http://{ollama}"), asked] {
        let approved = Origin::parse(&by).unwrap();
        let places =
            ModelPlaces { approved: vec![approved], keys: BTreeSet::new(), local: alone(ollama) };
        let items = choices(places).await;
        let local = named(&items, "Ollama");
        assert_eq!((&local["state"], &local["origin"]), (&json!("found"), &json!(by)));
        let ids: Vec<&Value> = items.iter().map(|item| &item["id"]).collect();
        let each = ["offline", "ollama", "openai", "anthropic", "google", "custom"];
        assert_eq!(ids, each, "none twice");
    }
}

#[test]
fn the_usual_place_of_ollama_is_where_a_policy_asks_it() {
    let usual = format!("http://localhost:{}/v1", LocalPlaces::USUAL.ollama.port());
    assert_eq!(wiiiv_llm::own_base_url(wiiiv_domain::ProviderName::Ollama), Some(usual.as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_is_silent_holds_nobody_up() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let ollama = silent.local_addr().unwrap();
    let begun = now();
    let places = ModelPlaces { approved: Vec::new(), keys: BTreeSet::new(), local: alone(ollama) };
    let items = choices(places).await;
    assert_eq!(named(&items, "Ollama")["state"], "not_found");
    assert!(now().since_ms(begun) < 10_000);
    let other = fake_ollama(json!({"status": "something else"})).await;
    let places = ModelPlaces { approved: Vec::new(), keys: BTreeSet::new(), local: alone(other) };
    assert_eq!(named(&choices(places).await, "Ollama")["state"], "not_found");
}

/// LM Studio and vLLM speak as OpenAI does; at the port of the latter many others stand too.
#[tokio::test(flavor = "multi_thread")]
async fn other_servers_of_this_machine_are_shown_where_they_answer() {
    let serve = async |answer: Value| {
        let app = Router::new().route("/v1/models", get(move || async move { Json(answer) }));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        address
    };
    let list = |id: &str, owner: &str| json!({"object": "list", "data": [{"id": id, "object": "model", "owned_by": owner}]});
    let studio = serve(list("qwen/qwen3-4b", "organization_owner")).await;
    let vllm = serve(list("meta-llama/Llama-3.1-8B-Instruct", "vllm")).await;
    let stranger = serve(list("x", "somebody")).await;
    let nobody = "127.0.0.1:9".parse().unwrap();
    let local = LocalPlaces { ollama: nobody, lm_studio: studio, vllm };
    let approved = vec![Origin::parse(&format!("http://{studio}")).unwrap()];
    let items = choices(ModelPlaces { approved, keys: BTreeSet::new(), local }).await;
    let found = named(&items, "LM Studio");
    assert_eq!((&found["id"], &found["state"]), (&json!("custom"), &json!("found")), "{items:?}");
    assert_eq!(found["models"], json!(["qwen/qwen3-4b"]));
    assert_eq!(found["origin"], format!("http://{studio}"));
    assert_eq!(named(&items, "vLLM")["state"], "not_approved");
    assert_eq!(named(&items, &format!("http://{studio}")), &Value::Null, "none twice");
    let local = LocalPlaces { vllm: stranger, ..alone(nobody) };
    let items = choices(ModelPlaces { approved: Vec::new(), keys: BTreeSet::new(), local }).await;
    assert_eq!(named(&items, "vLLM"), &Value::Null);
    assert_eq!(named(&items, "LM Studio"), &Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_an_administrator_looks_around() {
    let test = TestServer::new().await;
    let owner: &Person = &test.owner;
    let refused = test.get(owner, "/setup/providers").await;
    assert_eq!((refused.status, refused.code()), (403, "FORBIDDEN"));
}
