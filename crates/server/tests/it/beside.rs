//! Somebody answers while the requester's own turn runs: at once, and truly.

use crate::{
    call::Answer,
    quorum::set_rule,
    test_server::{Person, TestServer},
};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_fakes::ShopMode;
use wiiiv_store::Role;

/// A run that nobody waits for here.
const LONG: Duration = Duration::from_secs(20);

/// A question of lee's waits, and lee's next turn calls the shop.
struct AtWork {
    test: TestServer,
    lee: Person,
    min: Person,
    session: String,
    asked: String,
    digest: String,
    turn: Value,
}

async fn at_work() -> AtWork {
    let test = TestServer::new().await;
    let put = set_rule(&test, json!({"by": "another_person", "ttlSeconds": 600})).await;
    assert_eq!(put.status, 201, "{}", put.text);
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "q.txt").await;
    test.shop.set_mode(ShopMode::Slow(LONG));
    let seen = test.newest(&session).await;
    let words = json!({"text": format!("GET {}/items", test.shop.url()), "seen": seen});
    let sent = test.post(&lee, &format!("/sessions/{session}/messages"), words).await;
    assert_eq!(sent.status, 202, "{}", sent.text);
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let turn = sent.body["turn"].clone();
    AtWork { test, lee, min, session, asked, digest, turn }
}

impl AtWork {
    async fn post(&self, who: &Person, action: &str, body: Value) -> Answer {
        self.test.post(who, &format!("/approvals/{}/{action}", self.asked), body).await
    }

    /// The requester's button.
    async fn control(&self, action: &str) {
        let path = format!("/sessions/{}/control", self.session);
        let done = self.test.post(&self.lee, &path, json!({ "action": action })).await;
        assert!((200..300).contains(&done.status), "{}", done.text);
    }

    async fn state(&self) -> Value {
        let seen = self.test.get(&self.min, &format!("/approvals/{}", self.asked)).await;
        seen.body["state"].clone()
    }

    /// The decision is taken, and the turn that it was said beside still runs.
    async fn taken(&self, answer: &Answer, state: &str) {
        assert_eq!((answer.status, &answer.body["state"]), (200, &json!(state)), "{}", answer.text);
        assert_eq!(answer.body["waits_for"], self.turn, "{}", answer.text);
        assert_ne!(answer.body["turn"], self.turn);
        let history = format!("/sessions/{}/history", self.session);
        let history = self.test.get(&self.lee, &history).await;
        let events = history.body["items"].as_array().unwrap();
        let ended = |turn: &Value| {
            events.iter().any(|event| event["event"] == "ended" && event["turn"] == *turn)
        };
        let both = (ended(&answer.body["turn"]), ended(&self.turn));
        assert_eq!(both, (true, false), "{}", history.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_a_second_one_and_its_revocation_are_answered_while_the_turn_runs() {
    let at = at_work().await;
    let han = at.test.member("han", Role::Approver).await;
    let yes = json!({ "digest": at.digest });
    let given = at.post(&at.min, "approve", yes.clone()).await;
    at.taken(&given, "approved").await;
    for who in [&at.min, &han] {
        let again = at.post(who, "approve", yes.clone()).await;
        assert_eq!((again.status, again.code()), (409, "APPROVAL_DECIDED"), "{}", again.text);
        assert_eq!(again.body["params"]["decided_by_name"], "min", "{}", again.text);
    }
    let seen = at.test.get(&at.min, &format!("/approvals/{}", at.asked)).await.body;
    let told = (&seen["state"], &seen["may_revoke"]);
    assert_eq!(told, (&json!("approved"), &json!(true)), "{seen:#}");
    let back = at.post(&at.min, "revoke", json!({"reason": "wrong folder"})).await;
    at.taken(&back, "rejected").await;
    // Nor does whoever looks after a hold wait.
    let clear = format!("/sessions/{}/risk/clear", at.session);
    let clear = at.test.post(&at.min, &clear, json!({"reason": "looked at"})).await;
    assert_eq!((clear.status, clear.code()), (409, "NOT_HELD"), "{}", clear.text);
    assert_eq!(at.test.file("q.txt"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_is_answered_while_the_turn_runs_and_a_yes_is_over_with_a_reset() {
    let at = at_work().await;
    let no = json!({"digest": at.digest, "reason": "not today"});
    let refused = at.post(&at.min, "reject", no).await;
    at.taken(&refused, "rejected").await;

    let at = at_work().await;
    let given = at.post(&at.min, "approve", json!({ "digest": at.digest })).await;
    at.taken(&given, "approved").await;
    at.control("reset").await;
    assert_eq!(at.state().await, "withdrawn");
    assert_eq!(at.test.file("q.txt"), None);
}

/// It stops what runs, and names what was approved meanwhile: that begins behind the next message.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_stands_behind_a_cancel_and_is_named() {
    let at = at_work().await;
    let given = at.post(&at.min, "approve", json!({ "digest": at.digest })).await;
    at.taken(&given, "approved").await;
    at.control("cancel").await;
    let history = format!("/sessions/{}/history", at.session);
    let history = at.test.get(&at.lee, &history).await;
    assert!(history.text.contains("still_waits"), "{}", history.text);
    assert_eq!((at.state().await, at.test.file("q.txt")), (json!("approved"), None));
    let told = at.test.say(&at.lee, &at.session, "hello").await;
    assert_eq!(at.test.file("q.txt").as_deref(), Some("hello"), "{told:#?}");
    assert_eq!(at.state().await, "consumed");
}
