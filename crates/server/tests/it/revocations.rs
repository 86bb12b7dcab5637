//! A yes is taken back over HTTP: who may, what everybody concerned is told, and what is refused.

use crate::{
    call::Answer,
    quorum::set_rule,
    test_server::{Person, TestServer, token},
};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_fakes::ShopMode;
use wiiiv_store::{Role, TokenScope};

const WHY: &str = "wrong folder";

async fn others(approvers: u8) -> TestServer {
    let test = TestServer::new().await;
    let rule = match approvers {
        1 => json!({"by": "another_person", "ttlSeconds": 600}),
        more => json!({"by": "another_person", "approvers": more, "ttlSeconds": 600}),
    };
    let put = set_rule(&test, rule).await;
    assert_eq!(put.status, 201, "{}", put.text);
    test
}

async fn revoke(test: &TestServer, who: &Person, approval: &str) -> Answer {
    test.post(who, &format!("/approvals/{approval}/revoke"), json!({ "reason": WHY })).await
}

async fn told(test: &TestServer, who: &Person, session: &str) -> Value {
    let history = test.get(who, &format!("/sessions/{session}/history")).await;
    let items = history.body["items"].as_array().unwrap();
    let told = items.iter().find(|item| item["event"] == "approval_revoked");
    told.unwrap_or_else(|| panic!("{}", history.text)).clone()
}

/// The shop's items, saved: a conversation and its question.
async fn two_steps(test: &TestServer, who: &Person) -> (String, String, String) {
    let session = test.session(who, test.project).await;
    let words = format!("get {}/items and save it to r.json", test.shop.url());
    let events = test.say(who, &session, &words).await;
    let preview = events.iter().find(|(name, _)| name == "preview");
    let (_, preview) = preview.unwrap_or_else(|| panic!("{events:#?}"));
    let of = |name: &str| preview[name].as_str().unwrap().to_owned();
    let (asked, digest) = (of("approval"), of("digest"));
    (session, asked, digest)
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_said_a_yes_takes_it_back_and_nobody_else() {
    let test = others(2).await;
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let han = test.member("han", Role::Approver).await;
    let outsider = test.person("outsider").await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "q.txt").await;
    assert_eq!(test.approve(&min, &asked, &digest).await.status, 200);
    let path = format!("/approvals/{asked}");
    for body in [json!({}), json!({ "reason": "  " }), json!({ "reason": "x".repeat(2_001) })] {
        let refused = test.post(&min, &format!("{path}/revoke"), body).await;
        assert_eq!(refused.status, 422, "{}", refused.text);
    }
    for (who, may) in [(&min, true), (&han, false), (&lee, false)] {
        let seen = test.get(who, &path).await;
        assert_eq!(seen.body["may_revoke"], may, "{}", seen.text);
    }
    for (who, status, code) in [
        (&han, 403, "NO_YES_OF_YOURS"),
        (&lee, 403, "NO_YES_OF_YOURS"),
        (&outsider, 404, "NOT_FOUND"),
    ] {
        let refused = revoke(&test, who, &asked).await;
        assert_eq!((refused.status, refused.code()), (status, code), "{}", refused.text);
    }

    let back = revoke(&test, &min, &asked).await;
    assert_eq!((back.status, &back.body["state"]), (200, &json!("pending")), "{}", back.text);
    assert_eq!((&back.body["given"], &back.body["approvers"]), (&json!(0), &json!(2)));
    let seen = test.get(&min, &path).await.body;
    assert_eq!((&seen["approved_by"], &seen["given"]), (&json!([]), &json!(0)), "{seen:#}");
    let may = (&seen["may_revoke"], &seen["may_approve"]);
    assert_eq!(may, (&json!(false), &json!(true)), "{seen:#}");
    let told = told(&test, &lee, &session).await;
    assert_eq!((&told["by_name"], &told["reason"]), (&json!("min"), &json!(WHY)), "{told:#}");
    assert_eq!((&told["approval"], &told["execution"]), (&json!(asked), &Value::Null));
    let audit = format!("/projects/{}/audit?kind=approval.revoked", test.project);
    let records = test.get(&test.owner, &audit).await;
    assert_eq!(records.body["items"].as_array().map(Vec::len), Some(1), "{}", records.text);
    assert!(!records.text.contains(WHY), "no word of anybody is in the audit");
    assert_eq!(revoke(&test, &min, &asked).await.code(), "NO_YES_OF_YOURS");
    // They may answer again, and a question that is over has nothing to take back.
    assert_eq!(test.approve(&min, &asked, &digest).await.body["state"], "pending");
    let no = json!({ "digest": digest, "reason": "no" });
    assert_eq!(test.post(&han, &format!("{path}/reject"), no).await.status, 200);
    let over = revoke(&test, &min, &asked).await;
    assert_eq!((over.status, over.code()), (409, "NOTHING_TO_REVOKE"), "{}", over.text);
}

/// The question's row has the last answer alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_stands_no_more_is_shown_with_what_became_of_it() {
    let test = others(2).await;
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let han = test.member("han", Role::Approver).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "q.txt").await;
    let path = format!("/approvals/{asked}");
    let told = async || {
        let listed = test.get(&lee, "/approvals").await.body["items"][0].clone();
        let seen = test.get(&lee, &path).await.body;
        assert_eq!(seen["overturned"], listed["overturned"], "{seen:#}");
        let answers = seen["overturned"].as_array().unwrap_or_else(|| panic!("{seen:#}")).iter();
        answers.map(|one| json!([one["answer"], one["by_name"]])).collect::<Vec<_>>()
    };
    assert_eq!(test.approve(&min, &asked, &digest).await.status, 200);
    assert_eq!(told().await, Vec::<Value>::new(), "it stands");
    assert_eq!(revoke(&test, &min, &asked).await.status, 200);
    let (yes, back) = (json!(["approved", "min"]), json!(["revoked", "min"]));
    assert_eq!(told().await, [yes.clone(), back.clone()]);
    assert_eq!(test.approve(&min, &asked, &digest).await.body["state"], "pending");
    let no = json!({ "digest": digest, "reason": "no" });
    assert_eq!(test.post(&han, &format!("{path}/reject"), no).await.status, 200);
    assert_eq!(told().await, [yes.clone(), back, yes, json!(["rejected", "han"])]);
}

/// It only restricts: the right that the yes was said in may be gone.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_is_taken_back_also_where_its_right_is_gone() {
    let test = others(2).await;
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "q.txt").await;
    assert_eq!(test.approve(&min, &asked, &digest).await.body["state"], "pending");
    let looking = token(test.store(), min.user, TokenScope::Read).await;
    let looking = Person { token: looking, ..min.clone() };
    let refused = revoke(&test, &looking, &asked).await;
    assert_eq!(refused.status, 403, "a token that may only look: {}", refused.text);
    let set = async |roles: &[Role]| {
        let (project, by) = (test.project, test.owner.user);
        let roles = roles.iter().copied().collect();
        test.store().set_roles(project, min.user, roles, by).await.unwrap();
    };
    set(&[]).await;
    assert_eq!(revoke(&test, &min, &asked).await.status, 404, "no member any more");
    set(&[Role::Viewer]).await;
    let back = revoke(&test, &min, &asked).await;
    assert_eq!((back.status, &back.body["state"]), (200, &json!("pending")), "{}", back.text);
    let seen = test.get(&test.owner, &format!("/approvals/{asked}")).await;
    assert_eq!(seen.body["approved_by"], json!([]), "{}", seen.text);
    assert_eq!(revoke(&test, &min, &asked).await.status, 404, "of theirs there is none");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_stopped_and_everybody_concerned_is_told_by_whom_and_why() {
    let test = others(1).await;
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let (session, asked, digest) = two_steps(&test, &lee).await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    assert_eq!(test.approve(&min, &asked, &digest).await.status, 200);
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let path = format!("/approvals/{asked}");
    assert_eq!(test.get(&min, &path).await.body["may_revoke"], true);
    let own = revoke(&test, &lee, &asked).await;
    assert_eq!(own.code(), "NO_YES_OF_YOURS", "who asked cancels: {}", own.text);
    let back = revoke(&test, &min, &asked).await;
    assert_eq!((back.status, &back.body["state"]), (200, &json!("consumed")), "{}", back.text);

    let run = test.executed(&lee).await;
    assert_eq!((&run["state"], &run["code"]), (&json!("failed"), &json!("APPROVAL_REVOKED")));
    assert_eq!(run["revoked"]["by_name"], "min", "{run:#}");
    assert_eq!(test.file("r.json"), None);
    let seen = test.get(&lee, &path).await.body;
    assert_eq!((&seen["state"], &seen["may_revoke"]), (&json!("consumed"), &json!(false)));
    let said = (&seen["revoked"]["by_name"], &seen["reason"]);
    assert_eq!(said, (&json!("min"), &json!(WHY)), "{seen:#}");
    assert_eq!(seen["overturned"][1]["answer"], "revoked", "{seen:#}");
    let told = told(&test, &lee, &session).await;
    assert_eq!((&told["execution"], &told["reason"]), (&run["id"], &json!(WHY)), "{told:#}");
    let why = format!("/blueprints/{}/why", run["blueprint"].as_str().unwrap());
    let why = test.get(&lee, &why).await.body;
    assert_eq!(why["approvals"][0]["revoked"]["by_name"], "min", "{why:#}");
    let receipt = format!("/executions/{}/receipt", run["id"].as_str().unwrap());
    let receipt = test.get(&test.owner, &receipt).await;
    let approval = &receipt.body["receipt"]["approvals"][0];
    assert_eq!(approval["revokedBy"], json!(min.user), "{}", receipt.text);
    let late = revoke(&test, &min, &asked).await;
    assert_eq!((late.status, late.code()), (409, "NOTHING_TO_REVOKE"), "{}", late.text);
}

async fn records(test: &TestServer) -> usize {
    let audit = format!("/projects/{}/audit?kind=approval.revoked", test.project);
    let told = test.get(&test.owner, &audit).await;
    told.body["items"].as_array().unwrap_or_else(|| panic!("{}", told.text)).len()
}

/// Who came first, and who did not.
fn sorted((one, other): (Answer, Answer)) -> (Answer, Answer) {
    if one.status == 200 { (one, other) } else { (other, one) }
}

/// The same yes from two windows, and the yeses of two people that one run rests on.
#[tokio::test(flavor = "multi_thread")]
async fn of_two_revocations_at_once_one_is_refused_with_what_it_is_by_then() {
    let test = others(2).await;
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let han = test.member("han", Role::Approver).await;
    let (_, asked, digest) = two_steps(&test, &lee).await;
    assert_eq!(test.approve(&min, &asked, &digest).await.body["state"], "pending");
    let at_once = tokio::join!(revoke(&test, &min, &asked), revoke(&test, &min, &asked));
    let (won, lost) = sorted(at_once);
    assert_eq!((won.status, &won.body["given"]), (200, &json!(0)), "{}", won.text);
    assert_eq!((lost.status, lost.code()), (403, "NO_YES_OF_YOURS"), "{}", lost.text);
    assert_eq!(records(&test).await, 1);

    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    for who in [&min, &han] {
        assert_eq!(test.approve(who, &asked, &digest).await.status, 200);
    }
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let at_once = tokio::join!(revoke(&test, &min, &asked), revoke(&test, &han, &asked));
    let first = if at_once.0.status == 200 { "min" } else { "han" };
    let (won, lost) = sorted(at_once);
    assert_eq!((won.status, &won.body["state"]), (200, &json!("consumed")), "{}", won.text);
    assert_eq!((lost.status, lost.code()), (409, "NOTHING_TO_REVOKE"), "{}", lost.text);
    let run = test.executed(&lee).await;
    assert_eq!(run["code"], "APPROVAL_REVOKED", "{run:#}");
    assert_eq!(run["revoked"]["by_name"], first, "{run:#}");
    assert_eq!((records(&test).await, test.file("r.json")), (2, None));
}
