//! Registered systems: whose credential goes where, and what of it is ever seen again.

use crate::{
    fixture::{Bench, bench, call, failure, output},
    service::{Service, USER, by_log_in},
};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{FailureCategory, HttpMethod, Node, StepOutcome, StepParams, SystemName};
use wiiiv_exec::{ConnectionReport, StepReport, SystemAccess};

const SECRET: &str = "canary-secret-1";

fn rules(services: &[&Service]) -> Value {
    let rule = |service: &&Service| json!({ "host": "127.0.0.1", "scheme": "http", "port": service.at.port(), "private": true });
    services.iter().map(rule).collect()
}

/// A step that names the system.
fn of(service: &Service, name: &str, method: HttpMethod, path: &str) -> Node {
    let mut node = call(service.at, method, path);
    if let StepParams::ApiCall { url, .. } = &mut node.params {
        url.system = Some(SystemName::parse(name).expect("a name"));
    }
    node
}

async fn run(bench: &Bench, node: Node, access: Option<SystemAccess>) -> StepReport {
    let permit = bench.gate.permit(node, &[], None);
    bench.executors.execute(permit, access, &CancellationToken::new()).await
}

fn json_of(report: &StepReport) -> Value {
    serde_json::from_slice(&report.bytes).expect("JSON")
}

#[tokio::test]
async fn a_token_is_got_once_and_used_again() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let access = || Some(mall.access("mall", by_log_in()));
    for _ in 0..3 {
        let report = run(&bench, of(&mall, "mall", HttpMethod::Get, "echo/x"), access()).await;
        assert_eq!(output(&report).status, Some(200));
    }
    assert_eq!((mall.log_ins(), mall.calls().len()), (1, 3));
    let bearer = |(_, authorization, _): &(String, Option<String>, Option<String>)| {
        authorization.as_deref() == Some("Bearer canary-token-15-1")
    };
    assert!(mall.calls().iter().all(bearer));
    let mut newer = mall.access("mall", by_log_in());
    newer.credential_revision = 2;
    run(&bench, of(&mall, "mall", HttpMethod::Get, "echo/x"), Some(newer)).await;
    assert_eq!(mall.log_ins(), 2, "another credential never meets a token of the older one");
}

#[tokio::test]
async fn steps_at_once_wait_for_one_log_in() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let one = || {
        let access = Some(mall.access("mall", by_log_in()));
        run(&bench, of(&mall, "mall", HttpMethod::Get, "echo/x"), access)
    };
    let reports = tokio::join!(one(), one(), one(), one());
    assert_eq!(output(&reports.3).status, Some(200));
    assert_eq!((mall.log_ins(), mall.calls().len()), (1, 4));
}

#[tokio::test]
async fn a_token_that_is_turned_away_is_asked_for_once_more() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let access = || Some(mall.access("mall", by_log_in()));
    run(&bench, of(&mall, "mall", HttpMethod::Get, "echo/x"), access()).await;
    mall.revoke(false);
    let posted = run(&bench, of(&mall, "mall", HttpMethod::Post, "echo/orders"), access()).await;
    assert_eq!(output(&posted).status, Some(200));
    assert_eq!(mall.log_ins(), 2);
    let calls = mall.calls();
    assert_eq!(calls.len(), 3, "the one that was turned away, and one retry");
    assert_eq!(calls[1].2, calls[2].2, "the same attempt has the same key");
    assert!(calls[1].1 != calls[2].1 && calls[2].2.is_some());
    mall.revoke(true);
    let refused = run(&bench, of(&mall, "mall", HttpMethod::Get, "echo/x"), access()).await;
    let failure = failure(&refused);
    assert_eq!(
        (failure.category, failure.code.as_str()),
        (FailureCategory::PermissionDenied, "HTTP_STATUS")
    );
    assert_eq!((mall.log_ins(), mall.calls().len()), (3, 5));
}

#[tokio::test]
async fn what_goes_to_one_system_never_goes_to_another() {
    let (mall, stock) = (Service::open(SECRET).await, Service::open("canary-2").await);
    let bench = bench(rules(&[&mall, &stock]));
    let of_mall = of(&mall, "mall", HttpMethod::Get, "echo/x");
    run(&bench, of_mall.clone(), Some(mall.access("mall", by_log_in()))).await;
    let of_stock = of(&stock, "stock", HttpMethod::Get, "echo/x");
    run(&bench, of_stock, Some(stock.access("stock", by_log_in()))).await;
    assert_eq!(stock.calls()[0].1.as_deref(), Some("Bearer canary-token-8-1"));
    // The same name at another place is another system.
    let as_mall = of(&stock, "mall", HttpMethod::Get, "echo/x");
    run(&bench, as_mall.clone(), Some(stock.access("mall", by_log_in()))).await;
    assert_eq!(stock.calls()[1].1.as_deref(), Some("Bearer canary-token-8-2"));
    let before = (mall.calls().len(), stock.calls().len(), stock.log_ins());
    let wrong = [
        (as_mall.clone(), Some(mall.access("mall", by_log_in()))),
        (as_mall.clone(), Some(stock.access("stock", by_log_in()))),
        (as_mall, None),
        (of_mall, Some(stock.access("mall", by_log_in()))),
    ];
    for (node, access) in wrong {
        let report = run(&bench, node, access).await;
        let failure = failure(&report);
        assert_eq!(failure.code, "SYSTEM_CHANGED");
        assert_eq!(failure.category, FailureCategory::ContractViolation);
        assert!(!failure.effect_unknown);
    }
    assert_eq!(before, (mall.calls().len(), stock.calls().len(), stock.log_ins()));
}

#[tokio::test]
async fn a_step_without_a_system_has_no_credential() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let plain = call(mall.at, HttpMethod::Get, "echo/x");
    run(&bench, plain, Some(mall.access("mall", json!({ "kind": "bearer" })))).await;
    assert_eq!(mall.calls()[0].1, None);
}

#[tokio::test]
async fn each_kind_of_proof_is_sent_as_it_is_meant() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let kinds = [
        json!({ "kind": "none" }),
        json!({ "kind": "bearer" }),
        json!({ "kind": "basic" }),
        json!({ "kind": "api_key", "header": "X-Api-Key" }),
    ];
    for kind in kinds {
        let access = Some(mall.access("mall", kind));
        let report = run(&bench, of(&mall, "mall", HttpMethod::Get, "echo/x"), access).await;
        assert_eq!(output(&report).status, Some(200));
    }
    let sent: Vec<_> =
        mall.calls().into_iter().map(|(_, authorization, _)| authorization).collect();
    let basic = "Basic Y2FuYXJ5LXVzZXI6Y2FuYXJ5LXNlY3JldC0x";
    assert_eq!(sent[0], None);
    assert_eq!(sent[1].as_deref(), Some("Bearer canary-secret-1"));
    assert_eq!(sent[2].as_deref(), Some(basic));
    assert_eq!(sent[3], None);
}

#[tokio::test]
async fn what_a_service_says_of_our_secrets_is_taken_out() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let kinds = [by_log_in(), json!({ "kind": "bearer" }), json!({ "kind": "basic" })];
    for kind in kinds {
        mall.revoke(false);
        let is_token = kind["kind"] == "log_in";
        if !is_token {
            // Any authorization is taken.
            mall.accept_any();
        }
        let access = Some(mall.access("mall", kind));
        let report = run(&bench, of(&mall, "mall", HttpMethod::Get, "echo/x"), access).await;
        let body = json_of(&report);
        let text = format!("{body} {}", output(&report).media_type);
        for canary in ["canary", USER, "Y2FuYXJ5", "2FuYXJ5", &hex::encode("canary")] {
            assert!(!text.contains(canary), "{canary}: {text}");
        }
        assert_eq!(body["secret"], "***");
        let digest = wiiiv_domain::ContentDigest::of_bytes(&report.bytes);
        assert_eq!(output(&report).digest, digest, "what is kept is what was redacted");
    }
}

#[tokio::test]
async fn a_redirect_leaves_the_credential_behind() {
    let (mall, other) = (Service::open(SECRET).await, Service::open("x-2").await);
    let bench = bench(rules(&[&mall, &other]));
    mall.lead_away(format!("http://{}/echo/stolen", other.at));
    let access = || Some(mall.access("mall", json!({ "kind": "api_key", "header": "X-Api-Key" })));
    let report = run(&bench, of(&mall, "mall", HttpMethod::Get, "away"), access()).await;
    assert_eq!(json_of(&report)["key"], Value::Null);
    assert_eq!(other.calls(), [("/echo/stolen".to_owned(), None, None)]);
    let mut log_in = by_log_in();
    log_in["path"] = json!("/moved-login");
    let access = Some(mall.access("mall", log_in));
    let report = run(&bench, of(&mall, "mall", HttpMethod::Get, "echo/x"), access).await;
    assert!(matches!(&report.outcome, StepOutcome::Failure { failure } if !failure.effect_unknown));
    assert_eq!(mall.log_ins(), 0, "a log-in is not sent on");
}

#[tokio::test]
async fn a_log_in_that_fails_has_done_nothing() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let post = || of(&mall, "mall", HttpMethod::Post, "echo/orders");
    let failed = async |bench: &Bench, access: SystemAccess| {
        let report = run(bench, post(), Some(access)).await;
        let failure = failure(&report).clone();
        assert!(!failure.effect_unknown && !failure.message.contains("canary"), "{failure:?}");
        (failure.category, failure.code)
    };
    let denied = FailureCategory::PermissionDenied;
    let known = || mall.access("mall", by_log_in());
    let mut wrong = known();
    wrong.credential = wiiiv_vault::Credential::new(USER.into(), "wrong".into()).ok();
    assert_eq!(failed(&bench, wrong).await, (denied, "LOGIN_REFUSED".to_owned()));
    let none = SystemAccess { credential: None, ..known() };
    assert_eq!(failed(&bench, none).await, (denied, "CREDENTIAL_MISSING".to_owned()));
    let bare = mall.access("mall", json!({ "kind": "basic" }));
    let none = SystemAccess { credential: None, ..bare };
    assert_eq!(failed(&bench, none).await, (denied, "CREDENTIAL_MISSING".to_owned()));
    let mut log_in = by_log_in();
    log_in["tokenPointer"] = json!("/token");
    let contract = FailureCategory::ContractViolation;
    let elsewhere = mall.access("mall", log_in);
    assert_eq!(failed(&bench, elsewhere).await, (contract, "LOGIN_NO_TOKEN".to_owned()));
    assert!(mall.calls().is_empty());
}

#[tokio::test]
async fn a_connection_is_tried_without_a_trace() {
    let mall = Service::open(SECRET).await;
    let bench = bench(json!([]));
    let rules: Vec<wiiiv_domain::HostRule> =
        serde_json::from_value(rules(&[&mall])).expect("rules");
    let tried = async |access: SystemAccess, rules: &[wiiiv_domain::HostRule]| {
        bench.executors.test_connection(&access, rules).await
    };
    let report = |ok, code: &str, status, logged_in| ConnectionReport {
        ok,
        code: code.to_owned(),
        status,
        logged_in,
    };
    let known = || mall.access("mall", by_log_in());
    assert_eq!(tried(known(), &rules).await, report(true, "OK", Some(200), true));
    assert_eq!(mall.calls()[0].0, "/echo/all", "an operation that needs nothing");
    let bare =
        Arc::new(wiiiv_domain::System { operations: Vec::new(), ..(*known().system).clone() });
    let bare = SystemAccess { system: bare, ..known() };
    assert_eq!(tried(bare, &rules).await, report(true, "OK", Some(404), true));
    mall.revoke(true);
    assert_eq!(tried(known(), &rules).await, report(false, "HTTP_STATUS", Some(401), true));
    let bearer = mall.access("mall", json!({ "kind": "bearer" }));
    assert_eq!(tried(bearer, &rules).await, report(false, "HTTP_STATUS", Some(401), false));
    let none = SystemAccess { credential: None, ..known() };
    assert_eq!(tried(none, &rules).await, report(false, "CREDENTIAL_MISSING", None, false));
    let before = mall.log_ins();
    assert_eq!(tried(known(), &[]).await, report(false, "HOST_NOT_ALLOWED", None, false));
    assert_eq!(mall.log_ins(), before);
}
