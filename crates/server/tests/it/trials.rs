//! Models are tried over HTTP: by whom, and what comes back.

use crate::{call::TestRequest, test_server::TestServer};
use serde_json::{Value, json};
use wiiiv_fakes::FakeProvider;
use wiiiv_net::Origin;

async fn desk(provider: &FakeProvider) -> TestServer {
    let origin = Origin::parse(&provider.url()).unwrap();
    let openai = Origin::parse("https://api.openai.com").unwrap();
    let test = TestServer::approving(&[origin, openai]).await;
    let base = format!("{}/desk/good/local/v1", provider.url());
    let put = change(&test, |policy| {
        policy["llmProvider"] = json!("CUSTOM");
        policy["llmBaseUrl"] = json!(base);
        policy["governorModel"] = json!("m");
    });
    assert_eq!(put.await.0, 201);
    test
}

/// Its status, and the answer.
async fn change(test: &TestServer, change: impl FnOnce(&mut Value)) -> (u16, String) {
    let at = format!("/projects/{}/policy", test.project);
    let now = test.get(&test.owner, &at).await;
    let mut policy = now.body["policy"].clone();
    change(&mut policy);
    let put =
        TestRequest::new("PUT", &at).by(&test.owner.token).header("if-match", now.header("etag"));
    let answer = test.send(put.json(&json!({"policy": policy, "reason": "test"}))).await;
    (answer.status, answer.text)
}

async fn slots(test: &TestServer) -> Vec<Value> {
    let at = format!("/projects/{}/models/effective", test.project);
    test.get(&test.owner, &at).await.body["slots"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slot_says_where_its_model_comes_from() {
    let provider = FakeProvider::open(0).await.unwrap();
    let test = desk(&provider).await;
    let [generator, embedding] = slots(&test).await.try_into().unwrap();
    assert_eq!((&generator["slot"], &generator["from"]), (&json!("generator"), &json!("governor")));
    assert_eq!(generator["model"]["model"], "m");
    assert_eq!((&embedding["from"], &embedding["model"]), (&json!("none"), &Value::Null));

    let named = |policy: &mut Value| {
        policy["generatorModel"] = json!("g");
        policy["embeddingModel"] = json!("openai:text-embedding-3-small");
    };
    assert_eq!(change(&test, named).await.0, 201);
    let [generator, embedding] = slots(&test).await.try_into().unwrap();
    assert_eq!((&generator["from"], &generator["model"]["model"]), (&json!("policy"), &json!("g")));
    assert_eq!(generator["model"]["price"], "unpriced");
    let model = &embedding["model"];
    assert_eq!((&model["provider"], &model["price"]), (&json!("OPENAI"), &json!("unpriced")));
    // The policy's address is of its own provider, and of no other.
    assert_eq!(
        (&model["origin"], &model["approved"]),
        (&json!("https://api.openai.com"), &json!(true))
    );

    for (embedding, told) in [
        ("anthropic:claude-sonnet-4-6", "has no embeddings"),
        ("offline:x", "OFFLINE has one model"),
        ("offline:offline", "has no embeddings"),
        ("openai:", "names no model"),
        (" ", "names no model"),
        ("google:gemini-embedding-001", "is not approved"),
    ] {
        let refused = change(&test, |policy| policy["embeddingModel"] = json!(embedding)).await;
        assert!(refused.0 == 422 && refused.1.contains(told), "{refused:?}");
        assert!(refused.1.contains("`embeddingModel`"), "{refused:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn trying_answers_with_what_it_took_and_leaves_one_session() {
    let provider = FakeProvider::open(0).await.unwrap();
    let test = desk(&provider).await;
    let at = format!("/projects/{}/models/try", test.project);
    let empty = test.post(&test.owner, &at, json!({"slot": "embedding"})).await;
    assert_eq!(
        (empty.status, &empty.body["params"]["field"]),
        (422, &json!("slot")),
        "{}",
        empty.text
    );
    let unknown = test.post(&test.owner, &at, json!({"slot": "image"})).await;
    assert!((400..=422).contains(&unknown.status), "{}", unknown.text);

    assert_eq!(change(&test, |policy| policy["embeddingModel"] = json!("e")).await.0, 201);
    let mut sessions = Vec::new();
    for (slot, dimensions) in [("governor", Value::Null), ("embedding", json!(8))] {
        let trial = test.post(&test.owner, &at, json!({"slot": slot})).await;
        assert_eq!(trial.status, 200, "{}", trial.text);
        let told = (&trial.body["answered"], &trial.body["dimensions"], &trial.body["cost_micros"]);
        assert_eq!(told, (&json!(true), &dimensions, &Value::Null), "{}", trial.text);
        sessions.push(trial.body["session"].clone());
    }
    assert_eq!(sessions[0], sessions[1], "however often is tried");
    let shown = test.post(&test.owner, &at, json!({"slot": "governor", "picture": true})).await;
    assert_eq!((shown.status, &shown.body["saw"]), (200, &json!(false)), "{}", shown.text);
    let none = test.post(&test.owner, &at, json!({"slot": "embedding", "picture": true})).await;
    assert_eq!((none.status, &none.body["params"]["field"]), (422, &json!("picture")));
}
