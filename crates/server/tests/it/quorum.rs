//! Two people have to approve, or nobody answers: what each person and the lists are told.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer},
};
use serde_json::{Value, json};
use wiiiv_store::{Role, TokenScope};

pub async fn set_rule(test: &TestServer, rule: Value) -> Answer {
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    policy["approval"]["normal"] = rule;
    let put = TestRequest::new("PUT", &path).by(&test.owner.token);
    let put = put.header("if-match", current.header("etag"));
    test.send(put.json(&json!({"policy": policy, "reason": "two people"}))).await
}

async fn two_people(test: &TestServer) {
    let rule = json!({"by": "another_person", "approvers": 2, "ttlSeconds": 600});
    let put = set_rule(test, rule).await;
    assert_eq!(put.status, 201, "{}", put.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inbox_tells_how_many_have_and_who() {
    let test = TestServer::new().await;
    two_people(&test).await;
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "q.txt").await;
    let path = format!("/approvals/{asked}");
    let tally = |of: &Value| [of["given"].clone(), of["approvers"].clone()];
    let first = test.approve(&min, &asked, &digest).await;
    assert_eq!((first.status, &first.body["state"]), (200, &json!("pending")), "{}", first.text);
    assert_eq!(tally(&first.body), [json!(1), json!(2)]);

    let listed = test.get(&test.owner, "/approvals?state=pending").await;
    let row = &listed.body["items"][0];
    assert_eq!(tally(row), [json!(1), json!(2)], "{}", listed.text);
    assert_eq!(row["approved_by"][0]["name"], "min");
    assert_eq!(row["approved_by"][0]["counts"], true);
    for (who, may, said) in [(&min, false, true), (&test.owner, true, false), (&lee, false, false)]
    {
        let seen = test.get(who, &path).await;
        assert_eq!(seen.body["may_approve"], may, "{}", seen.text);
        assert_eq!(seen.body["said_yes"], said, "{}", seen.text);
    }
    // Again, and by another token of the same person.
    let token = wiiiv_testkit::token(test.store(), min.user, TokenScope::Full).await;
    let by_service = Person { token, ..min.clone() };
    for who in [&min, &by_service] {
        let again = test.approve(who, &asked, &digest).await;
        assert_eq!((again.status, again.code()), (409, "APPROVAL_ALREADY_GIVEN"), "{}", again.text);
        assert_eq!(tally(&again.body["params"]), [json!(1), json!(2)]);
    }
    assert_eq!(test.file("q.txt"), None);

    let last = test.approve(&test.owner, &asked, &digest).await;
    assert_eq!((last.status, &last.body["state"]), (200, &json!("approved")), "{}", last.text);
    assert_eq!(tally(&last.body), [json!(2), json!(2)]);
    let run = test.executed(&lee).await;
    assert!(test.file("q.txt").is_some());
    assert_eq!(run["approved_by_name"], "owner", "{run:#}");
    assert_eq!(run["also_approved_by"].as_array().map(Vec::len), Some(1), "{run:#}");
    assert_eq!(run["also_approved_by"][0]["name"], "min", "{run:#}");
    let seen = test.get(&lee, &path).await;
    let names = seen.body["approved_by"].as_array().unwrap().iter().map(|yes| yes["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["min", "owner"]);
    assert_eq!(why_of(&test, &run).await["approved_by"], seen.body["approved_by"]);
    let history = test.get(&lee, &format!("/sessions/{session}/history")).await;
    let decisions: Vec<&Value> = history.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["decision"].is_object())
        .map(|item| &item["decision"])
        .collect();
    assert_eq!(decisions.len(), 2, "{}", history.text);
    assert_eq!(tally(decisions[0]), [json!(1), json!(2)]);
    assert_eq!(tally(decisions[1]), [json!(2), json!(2)]);
    let execution = run["id"].as_str().unwrap();
    let receipt = test.get(&test.owner, &format!("/executions/{execution}/receipt")).await;
    let approval = &receipt.body["receipt"]["approvals"][0];
    assert_eq!(approval["approver"], json!(test.owner.user));
    assert_eq!(approval["others"][0]["approver"], json!(min.user), "{}", receipt.text);
}

/// The question about a run's plan, as `why` tells of it.
async fn why_of(test: &TestServer, run: &Value) -> Value {
    let path = format!("/blueprints/{}/why", run["blueprint"].as_str().unwrap());
    test.get(&test.owner, &path).await.body["approvals"][0].clone()
}

/// As the ruling had it: whoever had no right then is not counted, also when the right is back.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_the_ruling_did_not_count_is_shown_as_that() {
    let test = TestServer::new().await;
    two_people(&test).await;
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let han = test.member("han", Role::Approver).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "q.txt").await;
    let set = async |who: &Person, role: Role| {
        let (project, by) = (test.project, test.owner.user);
        test.store().set_roles(project, who.user, [role].into(), by).await.unwrap();
    };
    assert_eq!(test.approve(&min, &asked, &digest).await.body["state"], "pending");
    set(&min, Role::Viewer).await;
    assert_eq!(test.approve(&han, &asked, &digest).await.body["state"], "pending");
    assert_eq!(test.approve(&test.owner, &asked, &digest).await.body["state"], "approved");
    let run = test.executed(&lee).await;
    set(&min, Role::Approver).await;
    set(&han, Role::Viewer).await;
    let due = json!([["min", false], ["han", true], ["owner", true]]);
    let counted = |told: &Value| -> Value {
        let yeses = told["approved_by"].as_array().unwrap().iter();
        yeses.map(|yes| json!([yes["name"], yes["counts"]])).collect()
    };
    let seen = test.get(&test.owner, &format!("/approvals/{asked}")).await;
    assert_eq!(counted(&seen.body), due, "{}", seen.text);
    assert_eq!(counted(&why_of(&test, &run).await), due);
    let one = format!("/executions/{}", run["id"].as_str().unwrap());
    let shown = test.get(&test.owner, &one).await;
    assert_eq!(shown.body["approved_by_name"], "owner", "{}", shown.text);
    let also = shown.body["also_approved_by"].as_array().unwrap();
    assert_eq!(also.iter().map(|yes| &yes["name"]).collect::<Vec<_>>(), ["han"]);
    let receipt = test.get(&test.owner, &format!("{one}/receipt")).await;
    let others = receipt.body["receipt"]["approvals"][0]["others"].as_array().unwrap();
    let others: Vec<&Value> = others.iter().map(|yes| &yes["approver"]).collect();
    assert_eq!(others, [&json!(han.user)], "{}", receipt.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_cannot_be_met_is_refused_with_what_to_do() {
    let test = TestServer::new().await;
    for (rule, said) in [
        (json!({"by": "another_person", "approvers": 0, "ttlSeconds": 60}), "must be 1 to `8`"),
        (json!({"by": "another_person", "approvers": 9, "ttlSeconds": 60}), "must be 1 to `8`"),
        (json!({"by": "requester", "approvers": 2, "ttlSeconds": 60}), "`another_person`"),
    ] {
        let put = set_rule(&test, rule).await;
        assert_eq!(put.status, 422, "{}", put.text);
        assert!(put.text.contains(said), "{}", put.text);
    }
    let put = set_rule(&test, json!({"by": "requester", "approvers": 1, "ttlSeconds": 60})).await;
    assert_eq!(put.status, 201, "{}", put.text);
    let path = format!("/projects/{}/policy", test.project);
    let kept = test.get(&test.owner, &path).await;
    let rule = &kept.body["policy"]["approval"]["normal"];
    assert_eq!(*rule, json!({"by": "requester", "ttlSeconds": 60}), "one is left out");
}

/// Nobody answers: owners and administrators are told, and nothing is approved by it.
#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_answers_is_shown_to_administrators_who_look_and_answer_nothing() {
    let test = TestServer::new().await;
    let root = wiiiv_testkit::person(test.store(), "root", true, wiiiv_testkit::policy(&test.shop));
    let root = root.await;
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    policy["approval"]["normal"]["ttlSeconds"] = json!(100);
    policy["approval"]["escalation"] =
        json!({"afterPercent": 1, "to": "owners_and_administrators"});
    let put = TestRequest::new("PUT", &path).by(&test.owner.token);
    let put = put.header("if-match", current.header("etag"));
    let put = test.send(put.json(&json!({"policy": policy, "reason": "somebody looks"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);
    let session = test.session(&test.owner, test.project).await;
    let (asked, digest) = test.question(&test.owner, &session, "late.txt").await;
    let one = format!("/approvals/{asked}");
    assert_eq!(test.get(&root, &one).await.status, 404, "not before");
    let mut seen = test.get(&test.owner, &one).await;
    assert_eq!(seen.body["escalates_to"], "owners_and_administrators", "{}", seen.text);
    for _ in 0..400 {
        if !seen.body["escalated_at"].is_null() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        seen = test.get(&test.owner, &one).await;
    }
    assert!(seen.body["escalated_at"].is_string(), "{}", seen.text);
    assert_eq!(seen.body["state"], "pending", "nothing is approved by it");
    let told = test.get(&root, &one).await;
    assert_eq!((told.status, &told.body["may_approve"]), (200, &json!(false)), "{}", told.text);
    let listed = test.get(&root, "/approvals?state=pending").await;
    assert_eq!(listed.body["items"][0]["id"], json!(asked), "{}", listed.text);
    assert_eq!(test.approve(&root, &asked, &digest).await.status, 404);
    assert_eq!(test.file("late.txt"), None);
    let audit = format!("/projects/{}/audit?kind=approval.escalated", test.project);
    let records = test.get(&test.owner, &audit).await;
    assert_eq!(records.body["items"].as_array().map(Vec::len), Some(1), "{}", records.text);
    assert_eq!(test.approve(&test.owner, &asked, &digest).await.status, 200, "it still may be");
    test.executed(&test.owner).await;
    for wrong in [0, 100] {
        policy["approval"]["escalation"]["afterPercent"] = json!(wrong);
        let current = test.get(&test.owner, &path).await;
        let put = TestRequest::new("PUT", &path).by(&test.owner.token);
        let put = put.header("if-match", current.header("etag"));
        let put = test.send(put.json(&json!({"policy": policy, "reason": "no part"}))).await;
        assert_eq!(put.status, 422, "{}", put.text);
        assert!(put.text.contains("must be 1 to `99`"), "{}", put.text);
    }
}
