//! A policy that names no model gets the one that its provider is recommended with, written down.

use crate::{
    call::{Answer, TestRequest},
    test_server::TestServer,
};
use axum::{Json, Router, routing::get};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_net::Origin;

/// What `config/models.toml` recommends of OLLAMA.
const RECOMMENDED: &str = "llama3.1:8b";

/// An Ollama that has these models.
async fn ollama(models: &[&str]) -> Origin {
    let data: Vec<Value> = models.iter().map(|name| json!({"id": name})).collect();
    let list = json!({"object": "list", "data": data});
    let app = Router::new().route("/v1/models", get(move || async move { Json(list) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    Origin::parse(&origin).unwrap()
}

/// One that takes a request for its list, and never answers it.
async fn silent() -> Origin {
    let app = Router::new().route("/v1/models", get(std::future::pending::<&'static str>));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    Origin::parse(&origin).unwrap()
}

async fn put(test: &TestServer, at: &Origin) -> Answer {
    put_with(test, at, json!({"llmProvider": "OLLAMA"})).await
}

async fn put_with(test: &TestServer, at: &Origin, named: Value) -> Answer {
    let path = format!("/projects/{}/policy", test.project);
    let now = test.get(&test.owner, &path).await;
    let mut policy = now.body["policy"].clone();
    policy["llmBaseUrl"] = json!(format!("{at}/v1"));
    policy["governorModel"] = Value::Null;
    policy.as_object_mut().unwrap().extend(named.as_object().unwrap().clone());
    let body = json!({"policy": policy, "reason": "test"});
    let put = TestRequest::new("PUT", &path).by(&test.owner.token);
    test.send(put.header("if-match", now.header("etag")).json(&body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_written_into_the_version_that_is_put_in_force() {
    let here = ollama(&["phi4", RECOMMENDED]).await;
    let nobody = Origin::parse("http://127.0.0.1:1").unwrap();
    let test = TestServer::approving(&[here.clone(), nobody.clone()]).await;
    for at in [&here, &nobody] {
        let put = put(&test, at).await;
        assert_eq!(put.status, 201, "{}", put.text);
        assert_eq!(put.body["policy"]["governorModel"], RECOMMENDED);
    }
    let at = format!("/projects/{}/models/effective", test.project);
    let view = test.get(&test.owner, &at).await.body;
    assert_eq!(view["model"], json!({"value": RECOMMENDED, "from": "policy"}));
}

/// Seed 003, section 2: without a name the embeddings are of the provider's own model.
#[tokio::test(flavor = "multi_thread")]
async fn embeddings_are_of_the_providers_own_model_or_of_none() {
    let nobody = Origin::parse("http://127.0.0.1:1").unwrap();
    let test = TestServer::approving(std::slice::from_ref(&nobody)).await;
    let at = format!("/projects/{}/models/effective", test.project);
    let own = json!("text-embedding-3-small");
    for (named, written, from) in [
        (json!({"llmProvider": "OPENAI"}), own, "policy"),
        (json!({"llmProvider": "OPENAI", "embeddingModel": "none"}), json!("none"), "none"),
        (json!({"llmProvider": "OPENAI", "embeddingModel": "e-3"}), json!("e-3"), "policy"),
        (json!({"llmProvider": "ANTHROPIC", "embeddingModel": null}), Value::Null, "none"),
    ] {
        let put = put_with(&test, &nobody, named.clone()).await;
        assert_eq!(put.status, 201, "{}", put.text);
        assert_eq!(put.body["policy"]["embeddingModel"], written, "{named}");
        let view = test.get(&test.owner, &at).await.body;
        let slot = view["slots"].as_array().unwrap().iter().find(|one| one["slot"] == "embedding");
        let slot = slot.unwrap();
        assert_eq!(slot["from"], from, "{named}: {slot}");
        let model = if from == "policy" { written } else { Value::Null };
        assert_eq!(slot["model"]["model"], model, "{named}: {slot}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_the_provider_does_not_list_is_not_chosen() {
    let here = ollama(&["phi4"]).await;
    let test = TestServer::approving(std::slice::from_ref(&here)).await;
    let put = put(&test, &here).await;
    assert_eq!(put.status, 422, "{}", put.text);
    assert!(put.text.contains(RECOMMENDED) && put.text.contains("governorModel"), "{}", put.text);
}

/// Nor is a policy lost because a provider keeps silent: its list is waited for a while, no longer.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_does_not_come_is_not_waited_for() {
    let here = silent().await;
    let test = TestServer::approving(std::slice::from_ref(&here)).await;
    let put = tokio::time::timeout(Duration::from_secs(60), put(&test, &here)).await.unwrap();
    assert_eq!(put.status, 201, "{}", put.text);
    assert_eq!(put.body["policy"]["governorModel"], RECOMMENDED);
}
