//! Who stands in for whom: over HTTP, with what each of them sees and may.

use crate::{
    call::{Answer, TestRequest},
    edits::next_question,
    test_server::{Person, TestServer, now, token},
};
use serde_json::{Value, json};
use wiiiv_store::{Role, TokenScope};

/// Another person has to approve, so many of them.
async fn under(test: &TestServer, approvers: u8) {
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    policy["approval"]["normal"] =
        json!({"by": "another_person", "approvers": approvers, "ttlSeconds": 600});
    let put = TestRequest::new("PUT", &path).by(&test.owner.token);
    let put = put.header("if-match", current.header("etag"));
    let put = test.send(put.json(&json!({"policy": policy, "reason": "others decide"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);
}

fn at(test: &TestServer) -> String {
    format!("/projects/{}/approval-delegations", test.project)
}

fn body(to: &Person, seconds: i64) -> Value {
    json!({"to": to.user, "until": now().plus_seconds(seconds), "reason": "on leave"})
}

async fn lend(test: &TestServer, from: &Person, to: &Person) -> String {
    let given = test.post(from, &at(test), body(to, 600)).await;
    assert_eq!(given.status, 201, "{}", given.text);
    given.body["id"].as_str().unwrap().to_owned()
}

async fn end(test: &TestServer, who: &Person, id: &str) -> Answer {
    let path = format!("{}/{id}", at(test));
    test.send(TestRequest::new("DELETE", &path).by(&who.token)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delegate_sees_and_answers_and_everybody_is_told_for_whom() {
    let test = TestServer::new().await;
    under(&test, 1).await;
    let (lee, min) =
        (test.member("lee", Role::Editor).await, test.member("min", Role::Approver).await);
    let vic = test.member("vic", Role::Viewer).await;
    let session = test.session(&lee, test.project).await;
    let session2 = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "d.txt").await;
    let path = format!("/approvals/{asked}");
    assert_eq!(test.get(&vic, &path).await.status, 404, "before anything is lent");
    assert_eq!(test.approve(&vic, &asked, &digest).await.status, 404);

    let id = lend(&test, &min, &vic).await;
    let inbox = test.get(&vic, "/approvals?state=pending").await;
    assert_eq!(inbox.body["items"][0]["id"], json!(asked), "{}", inbox.text);
    let seen = test.get(&vic, &path).await;
    assert_eq!((seen.status, &seen.body["may_approve"]), (200, &json!(true)), "{}", seen.text);
    assert_eq!(seen.body["answers_for"]["delegator_name"], "min", "{}", seen.text);
    assert_eq!(seen.body["answers_for"]["delegation"], json!(id));
    // What is over is not lent: only what waits, and what they answered.
    let (rejected, other) = test.question(&lee, &session2, "e.txt").await;
    let no = format!("/approvals/{rejected}/reject");
    assert_eq!(test.post(&test.owner, &no, json!({"digest": other})).await.status, 200);
    not_there(&test, &vic, &rejected, &other).await;
    // A token that may only look sees and answers nothing.
    let looking = token(test.store(), vic.user, TokenScope::Read).await;
    let looking = Person { token: looking, ..vic.clone() };
    assert_eq!(test.get(&looking, &path).await.status, 404);
    assert_eq!(test.approve(&looking, &asked, &digest).await.status, 404);
    assert_eq!(end(&test, &looking, &id).await.status, 403);

    let done = test.approve(&vic, &asked, &digest).await;
    assert_eq!((done.status, &done.body["state"]), (200, &json!("approved")), "{}", done.text);
    assert_eq!(done.body["on_behalf_of"], json!(min.user), "{}", done.text);
    let run = test.executed(&lee).await;
    assert!(test.file("d.txt").is_some());
    assert_eq!(
        (&run["approved_by_name"], &run["on_behalf_of_name"]),
        (&json!("vic"), &json!("min")),
        "{run}"
    );
    for who in [&lee, &min, &vic] {
        let seen = test.get(who, &path).await;
        assert_eq!(seen.body["decided_by_name"], "vic", "{}", seen.text);
        assert_eq!(seen.body["on_behalf_of_name"], "min", "{}", seen.text);
        assert_eq!(seen.body["approved_by"][0]["on_behalf_of_name"], "min", "{}", seen.text);
    }
    let history = test.get(&lee, &format!("/sessions/{session}/history")).await;
    let items = history.body["items"].as_array().unwrap().iter();
    let decided: Vec<&Value> = items.filter(|item| item["decision"].is_object()).collect();
    assert_eq!(decided[0]["decision"]["on_behalf_of_name"], "min", "{}", history.text);
    let path = format!("/blueprints/{}/why", run["blueprint"].as_str().unwrap());
    let why = test.get(&test.owner, &path).await;
    assert_eq!(why.body["approvals"][0]["on_behalf_of_name"], "min", "{}", why.text);
    receipt_tells(&test, run["id"].as_str().unwrap(), (&min, &vic), &id).await;
    audit_names(&test, "approval.given", [&vic, &min]).await;
}

/// Neither to look at nor to answer: whoever tries is not told either what became of it.
async fn not_there(test: &TestServer, who: &Person, asked: &str, digest: &str) {
    let path = format!("/approvals/{asked}");
    assert_eq!(test.get(who, &path).await.status, 404);
    for verb in ["approve", "reject", "edit"] {
        let body = match verb {
            "edit" => json!({"digest": digest, "changes": {"content": "bye"}}),
            _ => json!({"digest": digest}),
        };
        let refused = test.post(who, &format!("{path}/{verb}"), body).await;
        assert_eq!(refused.status, 404, "{verb}: {}", refused.text);
    }
}

/// The newest record of that kind has the names of both, the first as who acted.
async fn audit_names(test: &TestServer, kind: &str, people: [&Person; 2]) {
    let path = format!("/projects/{}/audit?kind={kind}", test.project);
    let found = test.get(&test.owner, &path).await;
    let record = &found.body["items"][0];
    assert_eq!(record["person"], json!(people[0].user), "{}", found.text);
    for person in people {
        let named = record["people"][person.user.to_string()].is_string();
        assert!(named, "{}: {}", person.user, found.text);
    }
}

/// The receipt tells it, and the independent verifier takes the receipt.
async fn receipt_tells(
    test: &TestServer,
    execution: &str,
    (min, vic): (&Person, &Person),
    delegation: &str,
) {
    let receipt = test.get(&test.owner, &format!("/executions/{execution}/receipt")).await;
    let approval = &receipt.body["receipt"]["approvals"][0];
    assert_eq!(
        (&approval["approver"], &approval["onBehalfOf"]),
        (&json!(vic.user), &json!(min.user))
    );
    assert_eq!(approval["delegation"], json!(delegation), "{}", receipt.text);
    let keys = test.get(&test.owner, "/audit/keys").await;
    let key = keys.body["items"][0]["public_key"].as_str().unwrap();
    let key = wiiiv_verify::PublicKey::parse(key).unwrap();
    wiiiv_verify::verify_receipt(receipt.text.as_bytes(), Some(&key)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn delegations_are_listed_and_ended_by_whom_they_concern() {
    let test = TestServer::new().await;
    let (min, han) =
        (test.member("min", Role::Approver).await, test.member("han", Role::Approver).await);
    let vic = test.member("vic", Role::Viewer).await;
    let stranger = test.person("stranger").await;
    let wrong = [
        (json!({"to": vic.user, "until": "soon", "reason": "x"}), "until"),
        (json!({"to": vic.user, "until": "2020-01-01T00:00:00Z", "reason": "x"}), "30"),
        (json!({"to": vic.user, "until": now().plus_seconds(60), "reason": " "}), "reason"),
        (json!({"to": min.user, "until": now().plus_seconds(60), "reason": "x"}), "themselves"),
        (json!({"to": stranger.user, "until": now().plus_seconds(60), "reason": "x"}), "no member"),
    ];
    for (body, said) in wrong {
        let refused = test.post(&min, &at(&test), body).await;
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(refused.text.contains(said), "{said}: {}", refused.text);
    }
    assert_eq!(test.post(&vic, &at(&test), body(&min, 60)).await.status, 403);
    let id = lend(&test, &min, &vic).await;
    let again = test.post(&min, &at(&test), body(&vic, 60)).await;
    assert_eq!((again.status, again.code()), (409, "DELEGATION_OVERLAPS"), "{}", again.text);
    for (who, sees, may_end) in [
        (&min, 1, true),
        (&vic, 1, true),
        (&test.owner, 1, true),
        (&test.admin, 1, false),
        (&han, 0, false),
    ] {
        let listed = test.get(who, &at(&test)).await;
        let items = listed.body["items"].as_array().unwrap();
        assert_eq!(items.len(), sees, "{}", listed.text);
        if let Some(one) = items.first() {
            assert_eq!((&one["state"], &one["may_end"]), (&json!("in_force"), &json!(may_end)));
            assert_eq!(
                (&one["delegator_name"], &one["delegate_name"]),
                (&json!("min"), &json!("vic"))
            );
        }
    }
    assert_eq!(test.get(&stranger, &at(&test)).await.status, 404);
    for (who, status) in [(&han, 404), (&stranger, 404), (&test.admin, 404)] {
        assert_eq!(end(&test, who, &id).await.status, status);
    }
    let ended = end(&test, &vic, &id).await;
    assert_eq!((ended.status, &ended.body["state"]), (200, &json!("ended")), "{}", ended.text);
    assert_eq!(ended.body["ended_by_name"], "vic");
    let late = end(&test, &min, &id).await;
    assert_eq!((late.status, late.code()), (409, "DELEGATION_OVER"), "{}", late.text);
    for kind in ["approval.delegated", "approval.delegation_ended"] {
        let path = format!("/projects/{}/audit?kind={kind}", test.project);
        let found = test.get(&test.owner, &path).await;
        assert_eq!(found.body["items"].as_array().map(Vec::len), Some(1), "{}", found.text);
    }
    audit_names(&test, "approval.delegated", [&min, &vic]).await;
}

/// Their own yes they see again, also where others said the last one; of what others decided they learn nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_delegate_sees_again_what_they_joined_and_nothing_that_others_decided() {
    let test = TestServer::new().await;
    under(&test, 2).await;
    let (min, han) =
        (test.member("min", Role::Approver).await, test.member("han", Role::Approver).await);
    let lee = test.member("lee", Role::Editor).await;
    let vic = test.member("vic", Role::Viewer).await;
    let id = lend(&test, &min, &vic).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "d.txt").await;
    let path = format!("/approvals/{asked}");
    let first = test.approve(&vic, &asked, &digest).await;
    assert_eq!((first.status, &first.body["state"]), (200, &json!("pending")), "{}", first.text);
    // Of the two, who are one right, nobody is asked for a further yes.
    for who in [&vic, &min] {
        let seen = test.get(who, &path).await;
        assert_eq!(
            (&seen.body["said_yes"], &seen.body["may_approve"]),
            (&json!(true), &json!(false)),
            "{}",
            seen.text
        );
        assert_eq!(seen.body["answers_for"], Value::Null, "{}", seen.text);
    }
    let last = test.approve(&han, &asked, &digest).await;
    assert_eq!((last.status, &last.body["state"]), (200, &json!("approved")), "{}", last.text);
    test.executed(&lee).await;
    let seen = test.get(&vic, &path).await;
    assert_eq!((seen.status, &seen.body["decided_by_name"]), (200, &json!("han")), "{}", seen.text);
    assert_eq!(seen.body["approved_by"][0]["name"], "vic", "{}", seen.text);
    let inbox = test.get(&vic, "/approvals").await;
    assert_eq!(inbox.body["items"][0]["id"], json!(asked), "{}", inbox.text);
    let late = test.approve(&vic, &asked, &digest).await;
    assert_eq!((late.status, late.code()), (409, "APPROVAL_DECIDED"), "{}", late.text);

    let session = test.session(&lee, test.project).await;
    let (theirs, other) = test.question(&lee, &session, "e.txt").await;
    for who in [&min, &han] {
        assert_eq!(test.approve(who, &theirs, &other).await.status, 200);
    }
    not_there(&test, &vic, &theirs, &other).await;
    assert_eq!(end(&test, &min, &id).await.status, 200);
    not_there(&test, &vic, &asked, &digest).await;
}

/// The same request under one key comes to the same delegation, also where it was cut off in between.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_sent_again_lends_once() {
    let test = TestServer::new().await;
    let (min, vic) =
        (test.member("min", Role::Approver).await, test.member("vic", Role::Viewer).await);
    let body = body(&vic, 600);
    let send = async || {
        let post = TestRequest::new("POST", &at(&test)).by(&min.token);
        test.send(post.header("idempotency-key", "lend-1").json(&body)).await
    };
    let (first, second) = (send().await, send().await);
    assert_eq!((first.status, second.status), (201, 201), "{}", second.text);
    assert_eq!(first.body["id"], second.body["id"]);
}

/// What the owner proposes for an hour, over the policy that is current.
async fn proposed_override(test: &TestServer) -> String {
    let of = |what: &str| format!("/projects/{}/{what}", test.project);
    let current = test.get(&test.owner, &of("policy")).await;
    let mut policy = current.body["policy"].clone();
    policy["allowedPaths"] = json!(["", "etc"]);
    let body = json!({
        "policy": policy, "scope": "window", "ttl_seconds": 3600, "reason": "the night shift",
    });
    let post = TestRequest::new("POST", &of("overrides")).by(&test.owner.token);
    let made = test.send(post.header("if-match", current.header("etag")).json(&body)).await;
    assert_eq!(made.status, 201, "{}", made.text);
    made.body["id"].as_str().unwrap().to_owned()
}

/// What is lent is to say yes or no: no other values, no yes beforehand, no yes to an override. What the delegate
/// is refused, the delegator may.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_lent_is_to_say_yes_or_no() {
    let test = TestServer::new().await;
    under(&test, 1).await;
    let (lee, min) =
        (test.member("lee", Role::Editor).await, test.member("min", Role::Approver).await);
    let vic = test.member("vic", Role::Viewer).await;
    lend(&test, &min, &vic).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "d.txt").await;
    let path = format!("/approvals/{asked}");
    let seen = test.get(&vic, &path).await;
    assert_eq!(
        (&seen.body["may_approve"], &seen.body["may_edit"]),
        (&json!(true), &json!(false)),
        "{}",
        seen.text
    );
    let changed = json!({"digest": digest, "changes": {"content": "bye"}});
    let refused = test.post(&vic, &format!("{path}/edit"), changed).await;
    assert_eq!(refused.status, 403, "{}", refused.text);
    assert_eq!(test.approve(&vic, &asked, &digest).await.status, 200);
    test.executed(&lee).await;
    assert_eq!(test.get(&vic, &path).await.body["grantable"], Value::Null);
    assert!(test.get(&min, &path).await.body["grantable"].is_object());
    let grants = format!("/projects/{}/approval-grants", test.project);
    let body = json!({"approval": asked, "uses": 1, "seconds": 60});
    let refused = test.post(&vic, &grants, body).await;
    assert_eq!(refused.status, 403, "{}", refused.text);

    let overrides = format!("/projects/{}/overrides", test.project);
    let id = proposed_override(&test).await;
    let shown = test.get(&vic, &overrides).await;
    assert_eq!(shown.body["items"][0]["id"], json!(id), "everybody sees it: {}", shown.text);
    let approve = format!("{overrides}/{id}/approve");
    let refused = test.post(&vic, &approve, json!({})).await;
    assert_eq!((refused.status, refused.code()), (403, "FORBIDDEN"), "{}", refused.text);
    let done = test.post(&min, &approve, json!({})).await;
    assert_eq!((done.status, &done.body["state"]), (200, &json!("running")), "{}", done.text);
}

/// Neither of the two is somebody who wrote a value of the plan in the requester's place.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_says_yes_for_whoever_wrote_a_value() {
    let test = TestServer::new().await;
    under(&test, 1).await;
    let (min, han) =
        (test.member("min", Role::Approver).await, test.member("han", Role::Approver).await);
    let lee = test.member("lee", Role::Editor).await;
    let vic = test.member("vic", Role::Viewer).await;
    let of_min = lend(&test, &min, &vic).await;
    let session = test.session(&lee, test.project).await;
    let (old, digest) = test.question(&lee, &session, "d.txt").await;
    let changed = json!({"digest": digest, "changes": {"content": "bye"}});
    let edited = test.post(&min, &format!("/approvals/{old}/edit"), changed).await;
    assert_eq!(edited.status, 200, "{}", edited.text);
    let next = next_question(&test, &test.owner).await;
    let (new, digest) = (next["id"].as_str().unwrap(), next["digest"].as_str().unwrap());
    let seen = test.get(&vic, &format!("/approvals/{new}")).await;
    assert_eq!((seen.status, &seen.body["may_approve"]), (200, &json!(false)), "{}", seen.text);
    assert_eq!(seen.body["answers_for"], Value::Null, "{}", seen.text);
    assert_eq!(test.approve(&vic, new, digest).await.status, 403);
    let named = json!({"digest": digest, "delegation": of_min});
    let named = test.post(&vic, &format!("/approvals/{new}/approve"), named).await;
    assert_eq!((named.status, named.code()), (409, "DELEGATION_OVER"), "{}", named.text);
    lend(&test, &han, &vic).await;
    let done = test.approve(&vic, new, digest).await;
    assert_eq!((done.status, &done.body["on_behalf_of"]), (200, &json!(han.user)), "{}", done.text);
    test.executed(&lee).await;
    assert_eq!(test.file("d.txt").as_deref(), Some("bye"));
}
