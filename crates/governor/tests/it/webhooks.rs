//! What waits for a person is told to a webhook: signed, without anybody's words, at least once, and also by
//! the next server.

use crate::test_governor::TestGovernor;
use sea_orm::ConnectionTrait as _;
use secrecy::ExposeSecret as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use wiiiv_domain::{EscalateTo, Escalation, HostRule};
use wiiiv_governor::WebhookError;
use wiiiv_store::{AuditFilter, Chain};

const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone)]
struct Delivered {
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

/// A service that is told things; it answers with this status.
struct Receiver {
    port: u16,
    heard: Arc<Mutex<Vec<Delivered>>>,
    status: Arc<Mutex<u16>>,
}

impl Receiver {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (heard, status) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(204)));
        let (all, now) = (heard.clone(), status.clone());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut bytes = Vec::new();
                let one = loop {
                    let mut some = [0; 4096];
                    let count = stream.read(&mut some).await.unwrap_or(0);
                    bytes.extend_from_slice(&some[..count]);
                    match whole(&bytes) {
                        Some(one) => break Some(one),
                        None if count == 0 => break None,
                        None => {}
                    }
                };
                let Some(one) = one else { continue };
                all.lock().unwrap().push(one);
                let status = *now.lock().unwrap();
                let answer = format!(
                    "HTTP/1.1 {status} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                );
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Self { port, heard, status }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook?team=a", self.port)
    }

    fn rule(&self) -> HostRule {
        let rule = serde_json::json!({
            "host": "127.0.0.1", "scheme": "http", "port": self.port, "private": true,
        });
        serde_json::from_value(rule).unwrap()
    }

    async fn heard(&self, count: usize) -> Vec<Delivered> {
        let all = async {
            loop {
                let heard = self.heard.lock().unwrap().clone();
                if heard.len() >= count {
                    return heard;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, all).await.expect("it is to be told")
    }
}

fn whole(bytes: &[u8]) -> Option<Delivered> {
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let headers: BTreeMap<String, String> = head
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length: usize = headers.get("content-length")?.parse().ok()?;
    let body = bytes.get(end + 4..end + 4 + length)?.to_vec();
    Some(Delivered { headers, body })
}

async fn told(receiver: &Receiver) -> (TestGovernor, String) {
    let test = TestGovernor::under(wiiiv_testkit::Setup::default(), |policy| {
        policy.allowed_hosts.push(receiver.rule());
        let (after_percent, to) = (1, EscalateTo::Owners);
        policy.approval.normal.ttl_seconds = 200;
        policy.approval.escalation = Some(Escalation { after_percent, to });
    })
    .await;
    let who = test.principal(&test.owner).await;
    let set = test.governor.webhooks().set(&who, test.project, receiver.url()).await;
    let (hook, secret) = set.unwrap();
    assert_eq!(hook.url, receiver.url());
    (test, secret.expose_secret().to_owned())
}

/// RFC 2104, written here once more: a receiver shares nothing with the server.
fn hmac(key: &[u8], text: &[u8]) -> String {
    let padded = |byte: u8| -> Vec<u8> {
        let mut block = key.to_vec();
        block.resize(64, 0);
        block.iter().map(|own| own ^ byte).collect()
    };
    let inner = Sha256::digest([padded(0x36), text.to_vec()].concat());
    let outer = Sha256::digest([padded(0x5c), inner.to_vec()].concat());
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_signed(heard: &Delivered, secret: &str) -> bool {
    let digits = |at| u8::from_str_radix(&secret[at..at + 2], 16).unwrap();
    let key: Vec<u8> = (0..secret.len()).step_by(2).map(digits).collect();
    let text = [heard.headers["wiiiv-timestamp"].as_bytes(), b".", &heard.body].concat();
    key.len() == 32 && heard.headers["wiiiv-signature"] == format!("v1={}", hmac(&key, &text))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_and_its_escalation_are_told_signed_and_without_words() {
    let receiver = Receiver::open().await;
    let (test, secret) = told(&receiver).await;
    let session = test.session().await;
    let asked = test.say(session, "write 'confidential' to salaries.txt").await;
    let (approval, digest) = asked.asked().unwrap();
    let heard = receiver.heard(2).await;
    for (one, event) in heard.iter().zip(["approval.asked", "approval.escalated"]) {
        assert!(is_signed(one, &secret), "{one:?}");
        let body: Value = serde_json::from_slice(&one.body).unwrap();
        assert_eq!(body["event"], event);
        assert_eq!(body["approval"], approval.to_string());
        assert_eq!(body["digest"], digest.to_string());
        let delivery = format!("{approval}/{event}");
        assert_eq!(
            (&one.headers["wiiiv-delivery"], &body["delivery"]),
            (&delivery, &Value::from(delivery.clone()))
        );
        assert_eq!(one.headers["idempotency-key"], delivery);
        let text = String::from_utf8_lossy(&one.body).into_owned();
        assert!(!text.contains("salaries") && !text.contains("confidential"), "{text}");
    }
    let who = test.principal(&test.owner).await;
    let shown = async {
        loop {
            let (hook, found) = test.governor.webhooks().show(&who, test.project).await.unwrap();
            if found.iter().filter(|one| one.state == "delivered").count() == 2 {
                return hook.unwrap();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let hook = tokio::time::timeout(PATIENCE, shown).await.unwrap();
    assert_eq!(hook.url, receiver.url());
    assert!(test.governor.webhooks().remove(&who, test.project).await.unwrap());
    assert!(!test.governor.webhooks().remove(&who, test.project).await.unwrap());
    assert_eq!(receiver.heard(2).await.len(), 2, "each once");
}

/// The receiver was out: what it was to be told stands in the store, and the next server tells it.
#[tokio::test(flavor = "multi_thread")]
async fn what_did_not_arrive_is_told_again_with_the_same_id_also_by_the_next_server() {
    let receiver = Receiver::open().await;
    *receiver.status.lock().unwrap() = 503;
    let (test, secret) = told(&receiver).await;
    let session = test.session().await;
    test.say(session, "write 'x' to a.txt").await;
    let first = receiver.heard(1).await;
    let who = test.principal(&test.owner).await;
    let tried = async {
        loop {
            let (_, all) = test.governor.webhooks().show(&who, test.project).await.unwrap();
            let asked = all.into_iter().find(|one| one.event == "approval.asked");
            if let Some(asked) = asked.filter(|one| one.code.is_some()) {
                return asked;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let tried = tokio::time::timeout(PATIENCE, tried).await.unwrap();
    assert_eq!((tried.state.as_str(), tried.code.as_deref()), ("waiting", Some("503")));
    let _test = test.restarted().await;
    *receiver.status.lock().unwrap() = 200;
    // Its first pause is ten seconds.
    let again = async {
        loop {
            let heard = receiver.heard.lock().unwrap().clone();
            let id = &first[0].headers["wiiiv-delivery"];
            let same: Vec<_> =
                heard.iter().filter(|one| one.headers["wiiiv-delivery"] == *id).collect();
            if same.len() > 1 {
                assert!(same.iter().all(|one| is_signed(one, &secret)));
                assert_eq!(same[0].body, same[1].body);
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, again).await.expect("it is to be told again");
}

/// Nothing signs it, and no later attempt would be another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_without_its_secret_is_given_up_and_says_why() {
    let receiver = Receiver::open().await;
    let (test, _) = told(&receiver).await;
    let gone = "DELETE FROM secret WHERE purpose = 'webhook'";
    test.intruder().await.execute_unprepared(gone).await.unwrap();
    let session = test.session().await;
    test.say(session, "write 'x' to a.txt").await;
    let who = test.principal(&test.owner).await;
    let given_up = async {
        loop {
            let (_, all) = test.governor.webhooks().show(&who, test.project).await.unwrap();
            if let Some(one) = all.into_iter().find(|one| one.state == "given_up") {
                return one;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let one = tokio::time::timeout(PATIENCE, given_up).await.unwrap();
    assert_eq!((one.attempts, one.code.as_deref()), (1, Some("WEBHOOK_SECRET_MISSING")));
    let kind = Some("webhook.given_up".to_owned());
    let filter = AuditFilter { kind, ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let records = test.governor.store().audit_search(chain, &filter).await.unwrap();
    assert_eq!(records[0].body["code"], "WEBHOOK_SECRET_MISSING", "{records:?}");
    assert!(receiver.heard.lock().unwrap().is_empty());
    // Set again, it is told of what is asked from then on.
    test.governor.webhooks().set(&who, test.project, receiver.url()).await.unwrap();
    let session = test.session().await;
    test.say(session, "write 'x' to b.txt").await;
    receiver.heard(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_at_a_host_that_the_policy_allows_and_of_who_may() {
    let receiver = Receiver::open().await;
    let test = TestGovernor::new().await;
    let who = test.principal(&test.owner).await;
    for url in [
        receiver.url(),
        "http://169.254.169.254/latest".to_owned(),
        "ftp://127.0.0.1/x".to_owned(),
        "http://user:pass@127.0.0.1/x".to_owned(),
        "no url".to_owned(),
    ] {
        let set = test.governor.webhooks().set(&who, test.project, url.clone()).await;
        assert!(matches!(set, Err(WebhookError::Address(_))), "{url}: {set:?}");
    }
    let (hook, waiting) = test.governor.webhooks().show(&who, test.project).await.unwrap();
    assert!(hook.is_none() && waiting.is_empty());
}

/// Listed, but not as a private address: the guard of every tool call holds here too.
#[tokio::test(flavor = "multi_thread")]
async fn a_private_address_is_not_told_where_the_rule_does_not_say_so() {
    let receiver = Receiver::open().await;
    let test = TestGovernor::under(wiiiv_testkit::Setup::default(), |policy| {
        policy.allowed_hosts.push(HostRule { private: false, ..receiver.rule() });
    })
    .await;
    let who = test.principal(&test.owner).await;
    test.governor.webhooks().set(&who, test.project, receiver.url()).await.unwrap();
    let session = test.session().await;
    test.say(session, "write 'x' to a.txt").await;
    let refused = async {
        loop {
            let (_, found) = test.governor.webhooks().show(&who, test.project).await.unwrap();
            if let Some(code) = found.first().and_then(|one| one.code.clone()) {
                return code;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let code = tokio::time::timeout(PATIENCE, refused).await.unwrap();
    assert_eq!(code, "ADDRESS_NOT_ALLOWED");
    assert!(receiver.heard.lock().unwrap().is_empty());
}
