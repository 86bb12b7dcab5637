//! A yes that is said beforehand: made from what was approved, used without a question, shown, revoked.

use crate::{
    call::TestRequest,
    test_server::{Person, TestServer, now},
};
use serde_json::{Value, json};
use wiiiv_store::Role;

fn path(test: &TestServer) -> String {
    format!("/projects/{}/approval-grants", test.project)
}

/// Asked for by that person, approved by the owner, and run.
async fn approved(test: &TestServer, who: &Person, file: &str) -> String {
    let session = test.session(who, test.project).await;
    let (asked, digest) = test.question(who, &session, file).await;
    let given = test.approve(&test.owner, &asked, &digest).await;
    assert_eq!(given.status, 200, "{}", given.text);
    test.executed(who).await;
    asked
}

async fn says(test: &TestServer, who: &Person, text: &str) -> Vec<(String, Value)> {
    let session = test.session(who, test.project).await;
    test.say(who, &session, text).await
}

fn is_asked(events: &[(String, Value)]) -> bool {
    events.iter().any(|(name, _)| name == "preview")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_times_are_not_asked_about_until_it_is_used_up() {
    let test = TestServer::new().await;
    let owner = test.owner.clone();
    let asked = approved(&test, &owner, "daily.txt").await;
    let shown = test.get(&owner, &format!("/approvals/{asked}")).await;
    let offered = &shown.body["grantable"];
    assert_eq!(offered["whole"]["refused"], Value::Null, "{}", shown.text);
    let step = &offered["steps"][0];
    assert_eq!(step["steps"][0]["target"]["text"], "daily.txt", "{}", shown.text);

    let body = json!({"approval": asked, "step": step["step"], "uses": 2, "seconds": 3600});
    let given = test.post(&owner, &path(&test), body).await;
    assert_eq!(given.status, 201, "{}", given.text);
    assert_eq!(given.body["steps"][0]["target"]["text"], "daily.txt");
    assert_eq!((&given.body["left"], &given.body["counts"]), (&json!(2), &json!(true)));

    for left in [1, 0] {
        let events = says(&test, &owner, "write 'again' to the file daily.txt").await;
        assert!(!is_asked(&events), "{events:#?}");
        let told = events.iter().any(|(_, data)| {
            data["text"].as_str().is_some_and(|text| text.contains(&format!("{left} of 2 left")))
        });
        assert!(told, "{events:#?}");
        assert_eq!(test.file("daily.txt").as_deref(), Some("again"));
    }
    assert!(is_asked(&says(&test, &owner, "write 'more' to the file daily.txt").await));
    assert!(is_asked(&says(&test, &owner, "write 'x' to the file other.txt").await));

    let listed = test.get(&owner, &path(&test)).await;
    let grant = &listed.body["items"][0];
    assert_eq!((&grant["used"], &grant["counts"]), (&json!(2), &json!(false)), "{}", listed.text);
    let uses = grant["used_by"].as_array().unwrap();
    assert_eq!(uses.len(), 2);
    let run = format!("/executions/{}", uses[0]["execution"].as_str().unwrap());
    let run = test.get(&owner, &run).await;
    assert_eq!(run.body["approved_by_name"], "owner", "{}", run.text);
    let why = format!("/blueprints/{}/why", uses[0]["blueprint"].as_str().unwrap());
    let why = test.get(&owner, &why).await;
    assert_eq!(why.body["grants"][0]["grant"], grant["id"], "{}", why.text);
    let receipt = format!("/executions/{}/receipt", uses[0]["execution"].as_str().unwrap());
    let receipt = test.get(&owner, &receipt).await;
    assert_eq!(receipt.body["receipt"]["grants"][0]["grant"], grant["id"], "{}", receipt.text);
    let audit = format!("/projects/{}/audit?kind=approval.grant_used", test.project);
    let records = test.get(&owner, &audit).await;
    assert_eq!(records.body["items"].as_array().map(Vec::len), Some(2), "{}", records.text);
    assert_eq!(records.body["items"][0]["body"]["digest"], uses[0]["digest"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_one_never_counts_and_only_its_giver_or_an_owner_revokes_it() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let asked = approved(&test, &lee, "lee.txt").await;
    let wanted = json!({"approval": asked, "uses": 5, "seconds": 600});
    let given = test.post(&min, &path(&test), wanted.clone()).await;
    assert_eq!(given.status, 201, "{}", given.text);
    assert_eq!(
        (&given.body["kind"], &given.body["holder_name"]),
        (&json!("workflow"), &json!("lee"))
    );
    let one = format!("{}/{}", path(&test), given.body["id"].as_str().unwrap());

    let same = "write 'hello' to the file lee.txt";
    assert!(!is_asked(&says(&test, &lee, same).await), "exactly these steps");
    assert!(is_asked(&says(&test, &lee, "write 'bye' to the file lee.txt").await));
    let seen = test.get(&lee, &path(&test)).await;
    assert_eq!(seen.body["items"][0]["may_revoke"], false, "{}", seen.text);

    let stranger = test.person("stranger").await;
    for (who, status) in [(&stranger, 404), (&lee, 404), (&min, 204), (&min, 204)] {
        let revoke = TestRequest::new("DELETE", &one).by(&who.token);
        assert_eq!(test.status(revoke).await, status);
    }
    assert!(is_asked(&says(&test, &lee, same).await), "it was revoked");
    let seen = test.get(&test.owner, &path(&test)).await;
    assert_eq!(seen.body["items"][0]["revoked_by_name"], "min", "{}", seen.text);

    // The owner ends what somebody else gave.
    let given = test.post(&min, &path(&test), wanted).await;
    let one = format!("{}/{}", path(&test), given.body["id"].as_str().unwrap());
    assert_eq!(test.status(TestRequest::new("DELETE", &one).by(&test.owner.token)).await, 204);
    assert!(is_asked(&says(&test, &lee, same).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_begins_later_covers_nothing_yet() {
    let test = TestServer::new().await;
    let owner = test.owner.clone();
    let asked = approved(&test, &owner, "later.txt").await;
    let of =
        |from: Value| json!({"approval": asked, "uses": 2, "seconds": 600, "not_before": from});
    let begins = now().plus_seconds(300).to_string();
    let given = test.post(&owner, &path(&test), of(json!(begins))).await;
    assert_eq!(given.status, 201, "{}", given.text);
    let shown =
        |grant: &Value| ["not_before", "has_begun", "counts"].map(|name| grant[name].clone());
    assert_eq!(shown(&given.body), [json!(begins), json!(false), json!(false)]);
    assert_eq!(given.body["may_revoke"], true, "{}", given.text);
    let same = "write 'hello' to the file later.txt";
    assert!(is_asked(&says(&test, &owner, same).await), "it has not begun");

    let records = format!("/projects/{}/audit?kind=approval.granted", test.project);
    let records = test.get(&owner, &records).await;
    assert_eq!(records.body["items"][0]["body"]["notBefore"], begins, "{}", records.text);
    let given = test.post(&owner, &path(&test), of(Value::Null)).await;
    assert_eq!(shown(&given.body), [Value::Null, json!(true), json!(true)], "{}", given.text);
    assert!(!is_asked(&says(&test, &owner, same).await));
}

/// Whoever could have approved it beforehand is shown why nobody can.
async fn is_offered_nothing(test: &TestServer, asked: &str, why: &str) {
    let shown = test.get(&test.owner, &format!("/approvals/{asked}")).await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    let offered = &shown.body["grantable"];
    assert_eq!(offered["whole"]["refused"], why, "{}", shown.text);
    assert_eq!(offered["steps"], json!([]), "{}", shown.text);
    let body = json!({"approval": asked, "uses": 2, "seconds": 60});
    let refused = test.post(&test.owner, &path(test), body).await;
    assert_eq!((refused.status, refused.code()), (409, "NOT_GRANTABLE"), "{}", refused.text);
    assert_eq!(refused.body["params"]["why"], why, "{}", refused.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_several_people_are_asked_nobody_grants_alone() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let asked = approved(&test, &lee, "two.txt").await;
    let at = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &at).await;
    let mut policy = current.body["policy"].clone();
    let rule = json!({"by": "another_person", "approvers": 2, "ttlSeconds": 600});
    policy["approval"]["normal"] = rule;
    let put = TestRequest::new("PUT", &at).by(&test.owner.token);
    let put = put.header("if-match", current.header("etag"));
    let put = test.send(put.json(&json!({"policy": policy, "reason": "two people"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);
    is_offered_nothing(&test, &asked, "several").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_whose_text_was_erased_is_not_granted() {
    let test = TestServer::new().await;
    let owner = test.owner.clone();
    let asked = approved(&test, &owner, "gone.txt").await;
    // A conversation is erased once its turn has ended.
    for _ in 0..400 {
        let body = json!({"project": test.project.to_string(), "reason": "asked for"});
        let erased = test.post(&test.admin, "/erasures", body).await;
        assert_eq!(erased.status, 200, "{}", erased.text);
        if erased.body["busy"] == 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    is_offered_nothing(&test, &asked, "erased").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_granted_is_refused_with_the_reason() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let han = test.member("han", Role::Editor).await;
    let session = test.session(&lee, test.project).await;
    let (waits, _) = test.question(&lee, &session, "waits.txt").await;
    let owner = &test.owner;
    let of = |approval: &str| json!({"approval": approval, "uses": 2, "seconds": 60});
    let not_yet = test.post(owner, &path(&test), of(&waits)).await;
    assert_eq!((not_yet.status, not_yet.code()), (409, "NOT_APPROVED"), "{}", not_yet.text);
    let asked = approved(&test, &lee, "done.txt").await;
    let with = |name: &str, value: Value| {
        let mut body = of(&asked);
        body[name] = value;
        body
    };
    for (body, field) in [
        (with("uses", json!(0)), "uses"),
        (with("uses", json!(101)), "uses"),
        (with("seconds", json!(0)), "seconds"),
        (with("seconds", json!(2_592_001)), "seconds"),
        (with("not_before", json!("tomorrow")), "not_before"),
        (with("not_before", json!("2026-01-01T00:00:00Z")), "not_before"),
        // The end is counted from now, whenever it begins.
        (with("not_before", json!(now().plus_seconds(120))), "not_before"),
        (with("step", json!("nowhere")), "step"),
        (with("holder", json!(test.person("elsewhere").await.user)), "holder"),
    ] {
        let refused = test.post(owner, &path(&test), body).await;
        assert_eq!(refused.status, 422, "{field}: {}", refused.text);
        assert!(refused.text.contains(field), "{field}: {}", refused.text);
    }
    // Somebody else's question is not there, and nobody grants what they could not approve.
    let theirs = test.post(&han, &path(&test), of(&asked)).await;
    assert_eq!(theirs.status, 404, "{}", theirs.text);
    let for_han = test.post(&lee, &path(&test), with("holder", json!(han.user))).await;
    assert_eq!(for_han.status, 403, "{}", for_han.text);
    assert_eq!(for_han.body["params"]["roles"], json!(["owner", "approver"]), "{}", for_han.text);
    let list = test.get(owner, &path(&test)).await;
    assert_eq!(list.body["items"], json!([]), "nothing was given: {}", list.text);
}
