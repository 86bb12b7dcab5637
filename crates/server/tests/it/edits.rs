//! An approver changes a value of the plan that waits: what each person is shown, and what is refused.

use crate::test_server::{Person, TestServer};
use serde_json::{Value, json};
use wiiiv_store::Role;

async fn four_eyes(test: &TestServer) {
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    policy["approval"]["normal"]["by"] = json!("another_person");
    let put = crate::call::TestRequest::new("PUT", &path).by(&test.owner.token);
    let put = put.header("if-match", current.header("etag"));
    let put = test.send(put.json(&json!({"policy": policy, "reason": "four eyes"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);
}

async fn edit(
    test: &TestServer,
    who: &Person,
    (approval, digest): (&str, &str),
    changes: Value,
) -> crate::call::Answer {
    let body = json!({"digest": digest, "changes": changes, "note": "as agreed"});
    test.post(who, &format!("/approvals/{approval}/edit"), body).await
}

/// The question that was put after another one was answered.
pub async fn next_question(test: &TestServer, who: &Person) -> Value {
    for _ in 0..400 {
        let listed = test.get(who, "/approvals?state=pending").await;
        if let Some(row) = listed.body["items"].as_array().and_then(|rows| rows.first()) {
            return row.clone();
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the edited plan is to be asked about")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_is_shown_with_what_was_proposed_and_what_takes_effect() {
    let test = TestServer::new().await;
    four_eyes(&test).await;
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let session = test.session(&lee, test.project).await;
    let (old, digest) = test.question(&lee, &session, "q.txt").await;
    let seen = test.get(&min, &format!("/approvals/{old}")).await;
    assert_eq!(seen.body["may_edit"], true, "{}", seen.text);
    let values = seen.body["values"].as_array().unwrap();
    let slots: Vec<_> = values.iter().map(|value| value["slot"].clone()).collect();
    assert_eq!(slots, ["content", "targetPath"]);
    assert_eq!(values[0]["value"], "hello");
    assert_eq!(values[0]["label"]["ko"], "내용");

    let done = edit(&test, &min, (&old, &digest), json!({"content": "bye"})).await;
    assert_eq!((done.status, &done.body["state"]), (200, &json!("edited")), "{}", done.text);
    let next = next_question(&test, &test.owner).await;
    let (new, new_digest) = (next["id"].as_str().unwrap(), next["digest"].as_str().unwrap());
    assert_ne!(new_digest, digest);
    assert_eq!(next["editors"], json!([min.user]), "{next}");
    for (who, may) in [(&min, false), (&lee, false), (&test.owner, true)] {
        let seen = test.get(who, &format!("/approvals/{new}")).await;
        assert_eq!(seen.body["may_approve"], may, "{}", seen.text);
        let told = &seen.body["edits"][0];
        assert_eq!((&told["by_name"], &told["note"]), (&json!("min"), &json!("as agreed")));
        assert_eq!(told["changes"][0]["from"], "hello", "{}", seen.text);
        assert_eq!(told["changes"][0]["to"], "bye");
        assert_eq!((&told["digest"], &told["made"]), (&json!(digest), &next["blueprint"]));
        assert_eq!(seen.body["preview"]["edits"][0]["slot"], "content");
    }
    assert_eq!(test.approve(&min, new, new_digest).await.status, 403);
    let late = test.approve(&test.owner, &old, &digest).await;
    assert_eq!((late.status, late.code()), (409, "APPROVAL_DECIDED"), "{}", late.text);
    assert_eq!(late.body["params"]["state"], "edited");
    assert!(late.body["suggestion"].as_str().unwrap().contains("min"), "{}", late.text);
    let again = edit(&test, &test.owner, (&old, &digest), json!({"content": "x"})).await;
    assert_eq!((again.status, again.code()), (409, "APPROVAL_DECIDED"), "{}", again.text);

    assert_eq!(test.approve(&test.owner, new, new_digest).await.status, 200);
    test.executed(&lee).await;
    assert_eq!(test.file("q.txt").as_deref(), Some("bye"));
    let listed = test.get(&test.owner, "/approvals?state=edited").await;
    assert_eq!(listed.body["items"][0]["id"], json!(old), "{}", listed.text);
    assert_eq!(listed.body["items"][0]["decided_by_name"], "min");
    let none = test.get(&test.owner, "/approvals?state=rejected").await;
    assert_eq!(none.body["items"], json!([]), "an edit is no rejection");
    told_in_the_conversation(&test, &lee, &session).await;
    let blueprint = next["blueprint"].as_str().unwrap();
    let why = test.get(&lee, &format!("/blueprints/{blueprint}/why")).await;
    assert_eq!(why.body["edits"][0]["to"], why.body["spec"], "{}", why.text);
}

async fn told_in_the_conversation(test: &TestServer, lee: &Person, session: &str) {
    let history = test.get(lee, &format!("/sessions/{session}/history")).await;
    let items = history.body["items"].as_array().unwrap();
    let made = items.iter().find(|item| item["decision"]["answer"] == "edited").unwrap();
    assert_eq!(
        (&made["author"]["role"], &made["author"]["name"]),
        (&json!("approver"), &json!("min"))
    );
    assert_eq!(made["decision"]["changes"][0]["to"], "bye", "{made}");
    let told = items.iter().find(|item| item["reply"] == "edited").unwrap();
    let text = told["text"].as_str().unwrap();
    assert!(text.contains("min") && text.contains("`hello` → `bye`"), "{text}");
}

/// The owner alone approves here: after an edit of theirs nobody would.
#[tokio::test(flavor = "multi_thread")]
async fn an_edit_that_leaves_nobody_to_approve_is_refused_in_both_languages() {
    let test = TestServer::new().await;
    four_eyes(&test).await;
    let lee = test.member("lee", Role::Editor).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "q.txt").await;
    let path = format!("/approvals/{asked}/edit");
    for (language, told) in [("en", "too few people are left"), ("ko", "사람이 모자랍니다")]
    {
        let body = json!({"digest": digest, "changes": {"content": "bye"}, "note": "as agreed"});
        let edit = crate::call::TestRequest::new("POST", &path).by(&test.owner.token);
        let refused = test.send(edit.header("accept-language", language).json(&body)).await;
        assert_eq!((refused.status, refused.code()), (422, "INVALID_FIELD"), "{}", refused.text);
        assert_eq!(refused.body["params"]["field"], "changes");
        let reason = refused.body["params"]["reason"].as_str().unwrap();
        assert!(reason.contains(told), "{reason}");
    }
    // A no with a note, and a yes, are still taken.
    let done = test.approve(&test.owner, &asked, &digest).await;
    assert_eq!(done.status, 200, "{}", done.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_changed_is_named_with_what_can() {
    let test = TestServer::new().await;
    four_eyes(&test).await;
    let lee = test.member("lee", Role::Editor).await;
    let min = test.member("min", Role::Approver).await;
    let viewer = test.member("vi", Role::Viewer).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "q.txt").await;
    let of = (asked.as_str(), digest.as_str());
    for (changes, field, said) in [
        (json!({"append": "true"}), "changes.append", "choose from `content, targetPath`"),
        (json!({"content": ""}), "changes.content", "not empty"),
        (json!({"content": "x".repeat(70_000)}), "changes.content", "1 to `65536` characters"),
        (json!({"content": "hello"}), "changes", "nothing is changed"),
        (json!({}), "changes", "nothing is changed"),
        (json!({"targetPath": "../q.txt"}), "changes.targetPath", "no plan can be made with it"),
        (json!({"a b": "x"}), "changes", "no values of this plan"),
    ] {
        let refused = edit(&test, &min, of, changes).await;
        assert_eq!((refused.status, refused.code()), (422, "INVALID_FIELD"), "{}", refused.text);
        assert_eq!(refused.body["params"]["field"], field, "{}", refused.text);
        let reason = refused.body["params"]["reason"].as_str().unwrap();
        assert!(reason.contains(said), "{reason}");
    }
    let stale = edit(&test, &min, (&asked, &"0".repeat(64)), json!({"content": "x"})).await;
    assert_eq!((stale.status, stale.code()), (409, "APPROVAL_STALE"), "{}", stale.text);
    let body = json!({"digest": digest, "changes": {"content": "x"}, "steps": []});
    let unknown = test.post(&min, &format!("/approvals/{asked}/edit"), body).await;
    assert_eq!(unknown.status, 422, "{}", unknown.text);
    // Whoever does not see the question does not see that there is one.
    let hidden = edit(&test, &viewer, of, json!({"content": "x"})).await;
    assert_eq!(hidden.status, 404, "{}", hidden.text);
    let seen = test.get(&test.owner, &format!("/approvals/{asked}")).await;
    assert_eq!(seen.body["state"], "pending", "{}", seen.text);
    let audit = format!("/projects/{}/audit?kind=approval.edited", test.project);
    let records = test.get(&test.owner, &audit).await;
    assert_eq!(records.body["items"], json!([]), "{}", records.text);
}
