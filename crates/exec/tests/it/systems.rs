//! Registered systems: whose credential goes where, and what of it is ever seen again.

use crate::{
    service::{Service, USER, by_log_in},
    test_steps::{Bench, bench, call, failure, output},
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

fn code_of(report: &StepReport) -> (FailureCategory, &str) {
    let failure = failure(report);
    assert!(!failure.effect_unknown, "nothing was sent, or it was answered: {failure:?}");
    (failure.category, &failure.code)
}

const REFUSED: (FailureCategory, &str) = (FailureCategory::PermissionDenied, "REDIRECT_REFUSED");

#[tokio::test]
async fn a_redirect_to_another_origin_is_not_followed_and_named() {
    let (mall, other) = (Service::open(SECRET).await, Service::open("x-2").await);
    let bench = bench(rules(&[&mall, &other]));
    mall.lead_away(format!("http://{}/echo/stolen?of={SECRET}", other.at));
    let kinds = [
        json!({ "kind": "none" }),
        json!({ "kind": "api_key", "header": "X-Api-Key" }),
        by_log_in(),
    ];
    for kind in kinds {
        let access = Some(mall.access("mall", kind));
        let report = run(&bench, of(&mall, "mall", HttpMethod::Get, "away"), access).await;
        assert_eq!(code_of(&report), REFUSED);
        let failure = failure(&report);
        assert_eq!(failure.redirected_to, Some(format!("http://{}", other.at)));
        assert!(!failure.message.contains("stolen") && !failure.message.contains(SECRET));
    }
    // A host that spells what was sent is not told.
    mall.lead_away(format!("http://{}.test/", SECRET.to_uppercase()));
    let access = Some(mall.access("mall", json!({ "kind": "bearer" })));
    mall.accept_any();
    let report = run(&bench, of(&mall, "mall", HttpMethod::Get, "away"), access).await;
    assert_eq!(code_of(&report), REFUSED);
    let told = format!("{:?}", failure(&report)).to_lowercase();
    assert!(failure(&report).redirected_to.is_none() && !told.contains(SECRET), "{told}");
    assert!(other.calls().is_empty() && other.log_ins() == 0);
}

#[tokio::test]
async fn a_log_in_is_not_sent_on() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let mut log_in = by_log_in();
    log_in["path"] = json!("/moved-login");
    let access = Some(mall.access("mall", log_in));
    let report = run(&bench, of(&mall, "mall", HttpMethod::Get, "echo/x"), access).await;
    assert!(matches!(&report.outcome, StepOutcome::Failure { failure } if !failure.effect_unknown));
    assert_eq!(mall.log_ins(), 0);
}

/// With `GET /echo/{id}` registered, a plan, an argument or the service itself names another path.
#[tokio::test]
async fn a_credential_goes_to_registered_operations_alone() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let kinds = [
        json!({ "kind": "bearer" }),
        json!({ "kind": "basic" }),
        json!({ "kind": "api_key", "header": "X-Api-Key" }),
        by_log_in(),
    ];
    let paths = [
        "secret",
        "secret/x",
        "/secret",
        "echo/x/",
        "/echo/x",
        "echo//x",
        "Echo/x",
        "echo",
        "echo/%2e%2e",
        "echo/..;",
        "echo/..%2fsecret",
        "echo/a%252fb",
        "%65cho/x",
    ];
    let refused = (FailureCategory::PermissionDenied, "OPERATION_NOT_REGISTERED");
    for kind in kinds {
        let access = || Some(mall.access("mall", kind.clone()));
        let denied = async |node: Node| {
            let report = run(&bench, node.clone(), access()).await;
            assert_eq!(code_of(&report), refused, "{node:?}");
        };
        for path in paths {
            denied(of(&mall, "mall", HttpMethod::Get, path)).await;
        }
        for method in [HttpMethod::Post, HttpMethod::Delete, HttpMethod::Head] {
            denied(of(&mall, "mall", method, "echo/x")).await;
        }
        let mut odd = of(&mall, "mall", HttpMethod::Get, "echo/x");
        let StepParams::ApiCall { url, .. } = &mut odd.params else { unreachable!() };
        url.query = vec![("admin".to_owned(), crate::test_steps::literal("1"))];
        denied(odd.clone()).await;
        let StepParams::ApiCall { url, .. } = &mut odd.params else { unreachable!() };
        url.query.clear();
        url.segments[1] = crate::test_steps::literal("x/../../secret");
        denied(odd).await;
        assert!(mall.calls().is_empty() && mall.log_ins() == 0, "{kind}");
    }
    // What carries none is bounded by the project's list of hosts, as any request is.
    let open = Some(mall.access("mall", json!({ "kind": "none" })));
    let report = run(&bench, of(&mall, "mall", HttpMethod::Get, "secret"), open).await;
    assert_eq!(output(&report).status, Some(200));
    assert_eq!(mall.calls(), [("/secret".to_owned(), None, None)]);
}

#[tokio::test]
async fn the_switch_for_any_path_lets_it_go_everywhere_below_the_base() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let mut access = mall.access("mall", by_log_in());
    let system = Arc::make_mut(&mut access.system);
    (system.any_path, system.base_url.segments) = (true, vec!["secret".to_owned()]);
    // The log-in stands below the base too: its own path is not what is asked here.
    let StepOutcome::Failure { failure } =
        run(&bench, of(&mall, "mall", HttpMethod::Get, "echo/x"), Some(access.clone()))
            .await
            .outcome
    else {
        panic!("another path than those below the base")
    };
    assert_eq!(failure.code, "OPERATION_NOT_REGISTERED");
    let system = Arc::make_mut(&mut access.system);
    system.base_url.segments.clear();
    for path in ["secret", "secret/a/b", "echo/anything"] {
        let node = of(&mall, "mall", HttpMethod::Delete, path);
        let report = run(&bench, node, Some(access.clone())).await;
        assert_eq!(output(&report).status, Some(200), "{path}");
    }
    assert!(mall.calls().iter().all(|(_, proof, _)| proof.is_some()));
}

/// The service is asked for what is registered and points to what is not.
#[tokio::test]
async fn a_redirect_takes_the_credential_to_registered_operations_alone() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    let away = async |to: &str, kind: Value| {
        mall.lead_away(to.to_owned());
        let access = Some(mall.access("mall", kind));
        run(&bench, of(&mall, "mall", HttpMethod::Get, "away"), access).await
    };
    for to in ["/secret", "/echo/%2e%2e/secret", "/echo/..%2fsecret", "/echo/x?admin=1", "/echo//x"]
    {
        let report = away(to, by_log_in()).await;
        assert_eq!(code_of(&report), REFUSED, "{to}");
        let failure = failure(&report);
        assert!(failure.redirected_to.is_none() && !failure.message.contains("secret"));
    }
    assert!(mall.calls().iter().all(|(path, _, _)| path == "/away"), "{:?}", mall.calls());
    let there = away("/echo/there", by_log_in()).await;
    assert_eq!(output(&there).status, Some(200));
    let (path, proof, _) = mall.calls().pop().expect("a call");
    assert!(path == "/echo/there" && proof.is_some_and(|proof| proof.starts_with("Bearer ")));
    mall.accept_any();
    let open = away("/secret", json!({ "kind": "none" })).await;
    assert_eq!(output(&open).status, Some(200), "nothing goes along");
}

/// A plan is drawn, and said yes to, by one revision of a registration and its credential.
#[tokio::test]
async fn another_revision_than_that_of_the_plan_is_refused() {
    let mall = Service::open(SECRET).await;
    let bench = bench(rules(&[&mall]));
    for kind in [by_log_in(), json!({ "kind": "none" })] {
        let mut access = mall.access("mall", kind);
        access.revision += 1;
        let node = of(&mall, "mall", HttpMethod::Get, "echo/x");
        assert_eq!(failure(&run(&bench, node, Some(access)).await).code, "SYSTEM_CHANGED");
    }
    assert!(mall.calls().is_empty() && mall.log_ins() == 0);
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
        redirected_to: None,
        logged_in,
    };
    let known = || mall.access("mall", by_log_in());
    assert_eq!(tried(known(), &rules).await, report(true, "OK", Some(200), true));
    assert_eq!(mall.calls()[0].0, "/echo/all", "an operation that needs nothing");
    let bare =
        Arc::new(wiiiv_domain::System { operations: Vec::new(), ..(*known().system).clone() });
    let bare = SystemAccess { system: bare, ..known() };
    assert_eq!(tried(bare.clone(), &rules).await, report(true, "OK", Some(404), true));
    // Nothing is registered that it could be tried on: it goes nowhere, the log-in aside.
    let mut other = mall.access("mall", json!({ "kind": "bearer" }));
    other.system =
        Arc::new(wiiiv_domain::System { operations: Vec::new(), ..(*other.system).clone() });
    let calls = mall.calls().len();
    assert_eq!(tried(other, &rules).await, report(false, "NO_OPERATION_TO_TRY", None, false));
    assert_eq!(mall.calls().len(), calls);
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
