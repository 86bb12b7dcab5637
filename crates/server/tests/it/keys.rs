//! Keys of model providers over HTTP: sealed, masked, resolved, and sent to their own origin alone.

mod elsewhere;

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer},
};
use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};
use wiiiv_domain::KeySource;
use wiiiv_governor::Payer;
use wiiiv_net::Origin;
use wiiiv_store::{AuditFilter, Chain, Role};

const MINE: &str = "sk-CANARY-mine-000000001";
const OURS: &str = "sk-CANARY-ours-000000002";
const SERVERS: &str = "sk-CANARY-server-00000003";

/// A provider that takes one of our keys, and keeps what it was sent.
#[derive(Clone, Default)]
struct Gateway {
    sent: Arc<Mutex<Vec<Option<String>>>>,
    broken: Arc<AtomicBool>,
}

impl Gateway {
    async fn open() -> (Self, Origin) {
        let gateway = Self::default();
        let app = Router::new()
            .route("/v1/models", get(models))
            .route("/v1/chat/completions", post(chat))
            .route("/v1/embeddings", post(embeddings))
            .with_state(gateway.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (gateway, Origin::parse(&origin).unwrap())
    }
    fn heard(&self, headers: &HeaderMap) -> bool {
        let sent = headers.get("authorization").map(|value| value.to_str().unwrap().to_owned());
        let known = [MINE, OURS, SERVERS].map(|key| format!("Bearer {key}"));
        let is_known = sent.as_ref().is_some_and(|sent| known.contains(sent));
        self.sent.lock().unwrap().push(sent);
        is_known
    }
    /// Since the last look; asked twice with the same is once.
    fn sent(&self) -> Vec<Option<String>> {
        let mut sent: Vec<_> = self.sent.lock().unwrap().drain(..).collect();
        sent.dedup();
        sent
    }
}

async fn models(State(gateway): State<Gateway>, headers: HeaderMap) -> Response {
    if !gateway.heard(&headers) {
        let told = json!({"error": {"message": "bad key", "code": "invalid_api_key"}});
        return (StatusCode::UNAUTHORIZED, Json(told)).into_response();
    }
    Json(json!({"object": "list", "data": [{"id": "small"}, {"id": "large"}]})).into_response()
}

async fn chat(State(gateway): State<Gateway>, headers: HeaderMap) -> Response {
    gateway.heard(&headers);
    if gateway.broken.load(Ordering::SeqCst) {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let proposal = json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "hello",
        "slots": {}});
    let choice = json!({"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": proposal.to_string()}});
    Json(json!({"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 9}}))
        .into_response()
}

async fn embeddings(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
    Json(asked): Json<Value>,
) -> Response {
    gateway.heard(&headers);
    let texts = asked["input"].as_array().map_or(0, Vec::len);
    let vector = |nth| json!({"object": "embedding", "index": nth, "embedding": [0.25, 0.5]});
    let data: Vec<Value> = (0..texts).map(vector).collect();
    Json(json!({"object": "list", "data": data, "usage": {"prompt_tokens": 9, "total_tokens": 9}}))
        .into_response()
}

struct TwoGateways {
    test: TestServer,
    gateway: Gateway,
    other: Gateway,
    here: Origin,
    elsewhere: Origin,
}

impl TwoGateways {
    async fn open() -> Self {
        let (gateway, here) = Gateway::open().await;
        let (other, elsewhere) = Gateway::open().await;
        let openai = Origin::parse("https://api.openai.com").unwrap();
        let test = TestServer::approving(&[here.clone(), elsewhere.clone(), openai]).await;
        // What everybody pays for is opened by an administrator who is an owner.
        let (owner, admin) = (test.owner.user, test.admin.user);
        let roles = BTreeSet::from([Role::Owner]);
        test.store().set_roles(test.project, admin, roles, owner).await.unwrap();
        let desk = Self { test, gateway, other, here, elsewhere };
        desk.policy(|_| {}).await;
        desk
    }
    async fn policy(&self, change: impl FnOnce(&mut Value)) {
        let answer = self.put_policy(&self.test.admin, change).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
    }
    async fn put_policy(&self, who: &Person, change: impl FnOnce(&mut Value)) -> Answer {
        let at = format!("/projects/{}/policy", self.test.project);
        let now = self.test.get(&self.test.owner, &at).await;
        let mut policy = now.body["policy"].clone();
        policy["llmProvider"] = json!("CUSTOM");
        policy["llmBaseUrl"] = json!(format!("{}/v1", self.here));
        policy["governorModel"] = json!("small");
        change(&mut policy);
        let body = json!({"policy": policy, "reason": "test"});
        let put = TestRequest::new("PUT", &at).by(&who.token);
        self.test.send(put.header("if-match", now.header("etag")).json(&body)).await
    }
    fn project(&self) -> String {
        format!("/projects/{}/keys", self.test.project)
    }
    async fn put(&self, who: &Person, at: &str, secret: &str, tag: Option<&str>) -> Answer {
        let body = json!({"secret": secret, "origin": self.here.to_string()});
        let asked = TestRequest::new("PUT", &format!("{at}/custom")).by(&who.token).json(&body);
        let asked = tag.into_iter().fold(asked, |asked, tag| asked.header("if-match", tag));
        let answer = self.test.send(asked).await;
        assert!(!answer.text.contains("CANARY"), "{}", answer.text);
        answer
    }
    async fn verify(&self, who: &Person, at: &str) -> Value {
        let answer = self.test.post(who, &format!("{at}/custom/verify"), json!({})).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body
    }
    /// The sources in order, each with what became of it, and the one that is used.
    async fn resolved(&self, who: &Person) -> (Vec<String>, Value) {
        let answer = self.test.get(who, &format!("{}/resolve", self.project())).await;
        assert!(answer.status == 200 && !answer.text.contains("CANARY"), "{}", answer.text);
        let considered = answer.body["considered"].as_array().unwrap().iter();
        let state = |one: &Value| one["state"].as_str().unwrap().to_owned();
        (considered.map(state).collect(), answer.body["source"].clone())
    }
    /// What a turn sends as its key, to each of the two.
    async fn turn(&self, who: &Person) -> [Vec<Option<String>>; 2] {
        let session = self.test.session(who, self.test.project).await;
        let events = self.test.say(who, &session, "hello there").await;
        assert!(!format!("{events:?}").contains("CANARY"));
        [self.gateway.sent(), self.other.sent()]
    }
}

fn bearer(key: &str) -> Vec<Option<String>> {
    vec![Some(format!("Bearer {key}"))]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_sealed_masked_checked_and_removed_by_revision() {
    let desk = TwoGateways::open().await;
    let (test, at) = (&desk.test, desk.project());
    let owner = &test.owner;
    let none = test.post(owner, &format!("{at}/custom/verify"), json!({})).await;
    assert_eq!((none.status, none.code()), (404, "NOT_FOUND"));
    let wrong = desk.put(owner, &at, "sk-CANARY-wrong-00000000", None).await;
    assert_eq!(wrong.status, 201, "{}", wrong.text);
    let masked = (&wrong.body["masked"], &wrong.body["origin"], &wrong.body["approved"]);
    assert_eq!(masked, (&json!("sk-****0000"), &json!(desk.here.to_string()), &json!(true)));
    assert_eq!(wrong.body["checked"], Value::Null);
    assert_eq!(desk.verify(owner, &at).await, json!({"verdict": "REFUSED", "models": []}));

    let blind = desk.put(owner, &at, OURS, None).await;
    assert_eq!((blind.status, blind.code()), (428, "PRECONDITION_REQUIRED"));
    let set = desk.put(owner, &at, OURS, Some(wrong.header("etag"))).await;
    assert_eq!(set.status, 200, "{}", set.text);
    let late = desk.put(owner, &at, MINE, Some(wrong.header("etag"))).await;
    assert_eq!((late.status, late.code()), (412, "VERSION_CHANGED"));
    let found = desk.verify(owner, &at).await;
    assert_eq!(found, json!({"verdict": "ACCEPTED", "models": ["small", "large"]}));
    let listed = test.get(owner, &at).await;
    assert_eq!(listed.body["items"][0]["checked"]["verdict"], "ACCEPTED");
    assert!(!listed.text.contains("CANARY"));
    assert_eq!(desk.gateway.sent().last(), bearer(OURS).last());

    let delete = |tag: &str| {
        let asked = TestRequest::new("DELETE", &format!("{at}/custom")).by(&owner.token);
        test.send(asked.header("if-match", tag))
    };
    assert_eq!(delete(wrong.header("etag")).await.status, 412);
    assert_eq!(delete(set.header("etag")).await.status, 204);
    assert_eq!(delete(set.header("etag")).await.status, 404);
    let chain = Chain::Project(test.project);
    let rows = test.store().audit_search(chain, &AuditFilter::default()).await.unwrap();
    let kinds: Vec<&str> = rows.iter().rev().map(|row| row.kind.as_str()).collect();
    let kinds: Vec<&&str> = kinds.iter().filter(|kind| kind.starts_with("model_key.")).collect();
    let (set, checked, removed) = ("model_key.set", "model_key.checked", "model_key.removed");
    assert_eq!(kinds, [&set, &checked, &checked, &set, &checked, &checked, &removed]);
    assert!(rows.iter().all(|row| !row.body.to_string().contains("CANARY")));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_key_or_goes_nowhere_is_refused_by_its_field() {
    let desk = TwoGateways::open().await;
    let (test, owner) = (&desk.test, &desk.test.owner);
    let put = async |provider: &str, body: Value| {
        let asked = TestRequest::new("PUT", &format!("/keys/{provider}")).by(&owner.token);
        test.send(asked.json(&body)).await
    };
    for (provider, body, field) in [
        ("openai", json!({"secret": "short"}), "secret"),
        ("openai", json!({"secret": "two words of a key"}), "secret"),
        ("openai", json!({"secret": MINE, "origin": "not an origin"}), "origin"),
        ("openai", json!({"secret": MINE, "origin": "http://api.openai.com"}), "origin"),
        ("custom", json!({"secret": MINE}), "origin"),
        ("custom", json!({"secret": MINE, "origin": "http://gateway.example"}), "origin"),
        ("custom", json!({"secret": MINE, "origin": "https://*.gateway.example"}), "origin"),
    ] {
        let refused = put(provider, body).await;
        let told = (refused.status, refused.body["params"]["field"].as_str());
        assert_eq!(told, (422, Some(field)), "{provider}: {}", refused.text);
        assert!(!refused.text.contains("CANARY"));
    }
    for provider in ["offline", "OPENAI", "nobody"] {
        assert_eq!(put(provider, json!({"secret": MINE})).await.status, 404, "{provider}");
    }
    // Kept all the same, and said so: an administrator may approve it later.
    let kept = put("anthropic", json!({"secret": MINE})).await;
    assert_eq!((kept.status, &kept.body["approved"]), (201, &json!(false)), "{}", kept.text);
    let told = test.post(owner, "/keys/anthropic/verify", json!({})).await;
    assert_eq!(told.body, json!({"verdict": "NOT_APPROVED", "models": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_nearest_key_that_policy_names_is_used() {
    let desk = TwoGateways::open().await;
    let (test, at) = (&desk.test, desk.project());
    let member = test.member("member", Role::Editor).await;
    assert_eq!(
        desk.resolved(&member).await,
        (["none", "none", "not_named", "not_named"].map(str::to_owned).into(), Value::Null)
    );
    assert_eq!(desk.turn(&member).await, [vec![None], vec![]]);

    assert_eq!(desk.put(&test.admin, "/server/keys", SERVERS, None).await.status, 201);
    assert_eq!(desk.turn(&member).await, [vec![None], vec![]], "the policy does not name it");
    desk.policy(|policy| policy["keySources"] = json!(["USER", "PROJECT", "SERVER"])).await;
    assert_eq!(desk.turn(&member).await, [bearer(SERVERS), vec![]]);
    assert_eq!(desk.put(&test.owner, &at, OURS, None).await.status, 201);
    assert_eq!(desk.turn(&member).await, [bearer(OURS), vec![]]);
    assert_eq!(desk.put(&member, "/keys", MINE, None).await.status, 201);
    assert_eq!(desk.turn(&member).await, [bearer(MINE), vec![]]);
    let (states, source) = desk.resolved(&member).await;
    assert_eq!(
        (states, source.as_str()),
        (["used", "behind", "behind", "not_named"].map(str::to_owned).into(), Some("USER"))
    );
    // A person's key pays for that person's turns only.
    assert_eq!(desk.turn(&test.owner).await, [bearer(OURS), vec![]]);
    desk.policy(|policy| policy["keySources"] = json!([])).await;
    assert_eq!(desk.turn(&member).await, [vec![None], vec![]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_base_url_gets_nobodys_key() {
    let desk = TwoGateways::open().await;
    let test = &desk.test;
    let member = test.member("member", Role::Editor).await;
    let all = json!(["USER", "PROJECT", "SERVER", "ENVIRONMENT"]);
    for (who, at) in
        [(&member, "/keys"), (&test.owner, desk.project().as_str()), (&test.admin, "/server/keys")]
    {
        assert_eq!(desk.put(who, at, MINE, None).await.status, 201);
    }
    let base = format!("{}/v1", desk.elsewhere);
    desk.policy(|policy| {
        policy["keySources"] = all.clone();
        policy["llmBaseUrl"] = json!(base);
    })
    .await;
    let (states, source) = desk.resolved(&member).await;
    assert_eq!(states, ["elsewhere", "elsewhere", "elsewhere", "none"]);
    assert_eq!(source, Value::Null);
    assert_eq!(desk.turn(&member).await, [vec![], vec![None]], "asked, and without a key");
    let available = format!("/projects/{}/models/available", test.project);
    let listed = test.get(&member, &available).await;
    assert_eq!(listed.body["verdict"], "REFUSED", "{}", listed.text);
    assert_eq!(desk.other.sent(), [None]);

    // The environment's is for the provider's own origin, whatever base URL a policy names.
    desk.policy(|policy| {
        policy["keySources"] = all;
        policy["llmProvider"] = json!("OPENAI");
        policy["llmBaseUrl"] = json!(base);
    })
    .await;
    let (states, _) = desk.resolved(&member).await;
    assert_eq!(states, ["none", "none", "none", "elsewhere"]);
    let [here, there] = desk.turn(&member).await;
    assert!(here.is_empty() && there.is_empty(), "OPENAI is asked with a key or not at all");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_turn_would_use_is_told_with_where_it_comes_from() {
    let desk = TwoGateways::open().await;
    let (test, owner) = (&desk.test, &desk.test.owner);
    let at = format!("/projects/{}/models/effective", test.project);
    let view = test.get(owner, &at).await.body;
    assert_eq!(view["provider"], json!({"value": "CUSTOM", "from": "policy"}));
    assert_eq!(view["model"], json!({"value": "small", "from": "policy"}));
    let origin = json!({"value": desk.here.to_string(), "from": "policy", "approved": true});
    assert_eq!((&view["origin"], &view["price"]), (&origin, &json!("unpriced")));
    // Nothing is known of it, and nothing is made up.
    let estimated = json!({"tokenizer": "general", "exact": false, "within_percent": 25});
    assert_eq!((&view["facts"], &view["counting"]), (&Value::Null, &estimated));
    let offline = TestServer::new().await;
    let at = format!("/projects/{}/models/effective", offline.project);
    let view = offline.get(&offline.owner, &at).await.body;
    assert_eq!((&view["price"], &view["model"]["from"]), (&json!("free"), &json!("built_in")));
    assert_eq!(view["key"]["considered"], json!([]));

    let known = test.get(owner, "/models").await.body;
    let rows = known["items"].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    let openai = rows.iter().find(|row| row["provider"] == "OPENAI").unwrap();
    assert_eq!((&openai["needs_key"], &openai["approved"]), (&json!(true), &json!(true)));
    let approved = rows.iter().filter(|row| row["approved"] == true).count();
    assert_eq!(approved, 4, "and those that have no place of their own");
    let value = &openai["recommended"]["value"];
    let model = openai["models"].as_array().unwrap().iter().find(|row| row["name"] == *value);
    let model = model.unwrap();
    assert_eq!(model["input_micros_per_million"], Value::Null, "unpriced, not 0");
    assert_eq!(
        (&model["facts"]["window"], &model["facts"]["tools"]),
        (&json!(128_000), &json!(true))
    );
    let exact = json!({"tokenizer": "o200k_base", "exact": true, "within_percent": null});
    assert_eq!(model["counting"], exact);
    assert_eq!(openai["embedding"], "text-embedding-3-small");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_everybody_pays_for_is_opened_by_an_administrator_alone() {
    let desk = TwoGateways::open().await;
    let (test, owner) = (&desk.test, &desk.test.owner);
    for source in ["SERVER", "ENVIRONMENT"] {
        let adds = |policy: &mut Value| policy["keySources"] = json!(["USER", source]);
        let refused = desk.put_policy(owner, adds).await;
        let told = (refused.status, refused.body["params"]["field"].as_str());
        assert_eq!(told, (422, Some("policy")), "{}", refused.text);
        assert!(refused.text.contains(source), "{}", refused.text);
    }
    desk.policy(|policy| {
        policy["keySources"] = json!(["ENVIRONMENT"]);
        policy["llmProvider"] = json!("OPENAI");
        policy["llmBaseUrl"] = Value::Null;
    })
    .await;
    let (states, source) = desk.resolved(owner).await;
    assert_eq!(states, ["not_named", "not_named", "not_named", "used"]);
    assert_eq!(source, "ENVIRONMENT");
    // An owner keeps what was opened, and takes it back.
    let kept = desk.put_policy(owner, |policy| policy["keySources"] = json!(["ENVIRONMENT"])).await;
    assert_eq!(kept.status, 201, "{}", kept.text);
    let closed = desk.put_policy(owner, |policy| policy["keySources"] = json!(["USER"])).await;
    assert_eq!(closed.status, 201, "{}", closed.text);
    let again = desk.put_policy(owner, |policy| policy["keySources"] = json!(["SERVER"])).await;
    assert_eq!(again.status, 422, "{}", again.text);
    assert_eq!(test.get(owner, &desk.project()).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_no_member_any_more_pays_for_nothing_there() {
    let desk = TwoGateways::open().await;
    let test = &desk.test;
    let source = async |person: &Person| {
        let payer = Payer { user: person.user, project: test.project };
        let recorded = test.store().policy(test.project).await.unwrap();
        let policy = recorded.body().document().policy.clone();
        test.governor.keys().resolve(payer, &policy).await.unwrap().source()
    };
    let [left, closed] = [test.member("left", Role::Editor), test.member("closed", Role::Editor)];
    let (left, closed) = (left.await, closed.await);
    for person in [&left, &closed] {
        assert_eq!(desk.put(person, "/keys", MINE, None).await.status, 201);
        assert_eq!(source(person).await, Some(KeySource::User));
    }
    let by = test.owner.user;
    test.store().set_roles(test.project, left.user, BTreeSet::new(), by).await.unwrap();
    test.store().disable_user(closed.user, by).await.unwrap();
    for person in [&left, &closed] {
        assert_eq!(source(person).await, None);
    }
}
