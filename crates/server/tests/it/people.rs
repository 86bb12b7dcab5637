//! Who said, asked for and decided what, as people see it.

use crate::{
    call::TestRequest,
    test_server::{Person, TestServer},
};
use serde_json::{Value, json};
use wiiiv_store::Role;

/// Every plain write needs the yes of somebody else.
async fn ask_another_person(test: &TestServer) {
    let path = format!("/projects/{}/policy", test.project);
    let current = test.get(&test.owner, &path).await;
    let mut policy = current.body["policy"].clone();
    policy["approval"]["normal"]["by"] = json!("another_person");
    let put = TestRequest::new("PUT", &path).by(&test.owner.token);
    let put = put.header("if-match", current.header("etag"));
    let put = test.send(put.json(&json!({"policy": policy, "reason": "four eyes"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);
}

async fn accepted(test: &TestServer, who: &Person, session: &str) -> Vec<Value> {
    let history = test.get(who, &format!("/sessions/{session}/history")).await;
    let items = history.body["items"].as_array().expect("items").clone();
    items.into_iter().filter(|item| item["event"] == "accepted").collect()
}

const REASON: &str = "show me the file salaries.txt first";

#[tokio::test(flavor = "multi_thread")]
async fn an_approvers_reason_is_the_approvers_and_never_the_requesters_message() {
    let test = TestServer::new().await;
    ask_another_person(&test).await;
    let lee = test.member("lee", Role::Editor).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "e.txt").await;
    let reject = json!({"digest": digest, "reason": REASON});
    let path = format!("/approvals/{asked}");
    let rejected = test.post(&test.owner, &format!("{path}/reject"), reject).await;
    assert_eq!(rejected.status, 200, "{}", rejected.text);

    let begun = accepted(&test, &lee, &session).await;
    let [message, decision] = begun.as_slice() else { panic!("{begun:#?}") };
    let person = |who: &Person, role: &str, name: &str| json!({"role": role, "user": who.user, "name": name});
    assert_eq!(message["author"], person(&lee, "user", "lee"));
    assert_eq!(message["decision"], Value::Null);
    assert_eq!(decision["author"], person(&test.owner, "approver", "owner"));
    assert_eq!(decision["text"], "", "no message of the requester");
    let subject = json!({"ko": "e.txt 쓰기", "en": "Write e.txt"});
    let due =
        json!({"approval": asked, "answer": "rejected", "subject": subject, "reason": REASON});
    assert_eq!(decision["decision"], due);
    let detail = test.get(&lee, &path).await;
    assert_eq!(
        (&detail.body["decided_by_name"], &detail.body["reason"]),
        (&json!("owner"), &json!(REASON))
    );
    // It is searched for and quoted as nobody's message, and the built-in model was not told it.
    let found = test.get(&lee, &format!("/projects/{}/sessions?q=salaries", test.project)).await;
    assert_eq!(found.body["items"], json!([]), "{}", found.text);
    let asked = test.say(&lee, &session, "what did I ask you for last?").await;
    let told = asked.iter().find(|(name, _)| name == "reply").expect("a reply");
    let text = told.1["text"].as_str().expect("text");
    assert!(text.contains("e.txt") && !text.contains("salaries"), "{text}");
    assert_eq!(told.1["author"]["role"], "assistant");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_typed_is_no_title_for_those_who_only_look() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let viewer = test.member("viewer", Role::Viewer).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "e.txt").await;
    assert_eq!(test.approve(&lee, &asked, &digest).await.status, 200);
    let run = test.executed(&lee).await;
    let one = format!("/executions/{}", run["id"].as_str().unwrap());
    let list = format!("/projects/{}/executions", test.project);
    for (who, is_told) in [(&lee, true), (&test.owner, true), (&viewer, false)] {
        for found in [test.get(who, &one).await, test.get(who, &list).await] {
            assert_eq!(found.text.contains("write 'hello'"), is_told, "{}", found.text);
            assert!(found.text.contains("e.txt"), "what the plan does is seen: {}", found.text);
        }
        let searched = test.get(who, &format!("{list}?q=hello")).await;
        let rows = searched.body["items"].as_array().map(Vec::len);
        assert_eq!(rows, Some(usize::from(is_told)), "{}", searched.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requester_and_approver_are_named_wherever_people_look() {
    let test = TestServer::new().await;
    ask_another_person(&test).await;
    let lee = test.member("lee", Role::Editor).await;
    let session = test.session(&lee, test.project).await;
    let (asked, digest) = test.question(&lee, &session, "e.txt").await;
    let approved = test.approve(&test.owner, &asked, &digest).await;
    assert_eq!(approved.status, 200, "{}", approved.text);
    let run = test.executed(&lee).await;
    let named = |of: &Value, fields: [&str; 2]| fields.map(|field| of[field].clone());
    let both = [json!("lee"), json!("owner")];
    assert_eq!(named(&run, ["requester_name", "approved_by_name"]), both);
    let execution = run["id"].as_str().unwrap().to_owned();
    let one = test.get(&lee, &format!("/executions/{execution}")).await;
    assert_eq!(named(&one.body, ["requester_name", "approved_by_name"]), both);
    let asked_for = test.get(&lee, &format!("/approvals/{asked}")).await;
    assert_eq!(named(&asked_for.body, ["requester_name", "decided_by_name"]), both);
    let listed = test.get(&test.owner, "/approvals").await;
    assert_eq!(named(&listed.body["items"][0], ["requester_name", "decided_by_name"]), both);
    let plan = run["blueprint"].as_str().unwrap();
    let why = test.get(&lee, &format!("/blueprints/{plan}/why")).await;
    assert_eq!(why.body["requester_name"], "lee");
    assert_eq!(why.body["approvals"][0]["decided_by_name"], "owner");
    let begun = accepted(&test, &lee, &session).await;
    assert_eq!(begun[1]["author"]["name"], "owner");
    assert_eq!(begun[1]["decision"]["answer"], "approved");

    let audit = format!("/projects/{}/audit?kind=approval.given", test.project);
    let given = test.get(&test.owner, &audit).await;
    let record = &given.body["items"][0];
    let ids = [lee.user, test.owner.user].map(|user| user.to_string());
    assert_eq!(record["people"], json!({&ids[0]: "lee", &ids[1]: "owner"}));
    assert!(!record["body"].to_string().contains("\"lee\""), "the record itself holds ids");
    let receipt = test.get(&test.owner, &format!("/executions/{execution}/receipt")).await;
    let receipt = &receipt.body["receipt"];
    assert_eq!(receipt["requester"], json!(ids[0]), "ids, no names");
    assert_eq!(receipt["approvals"][0]["approver"], json!(ids[1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_answers_second_is_told_who_answered_and_when() {
    let test = TestServer::new().await;
    let min = test.member("min", Role::Approver).await;
    let session = test.session(&test.owner, test.project).await;
    let (asked, digest) = test.question(&test.owner, &session, "once.txt").await;
    assert_eq!(test.approve(&test.owner, &asked, &digest).await.status, 200);
    test.executed(&test.owner).await;
    let reject = json!({"digest": digest, "reason": ""});
    let late = test.post(&min, &format!("/approvals/{asked}/reject"), reject).await;
    assert_eq!((late.status, late.code()), (409, "APPROVAL_DECIDED"), "{}", late.text);
    let params = &late.body["params"];
    assert_eq!(params["decided_by_name"], "owner");
    let at = params["decided_at"].as_str().expect("a time");
    let told = late.body["suggestion"].as_str().expect("text");
    // They wanted the opposite: that is not all that there is to say.
    let due = format!("`owner` approved it at {at}, before your answer, so it goes ahead");
    assert!(told.starts_with(&due) && !told.contains("Nothing more"), "{told}");
}

/// What was approved is shown as it was approved, whatever its files hold by now.
#[tokio::test(flavor = "multi_thread")]
async fn a_past_approval_is_shown_as_it_was_and_not_against_todays_files() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (first, digest) = test.question(&test.owner, &session, "day.txt").await;
    let path = format!("/approvals/{first}");
    let asked = test.get(&test.owner, &path).await;
    assert_eq!(asked.body["preview_state"], "current");
    assert_eq!(asked.body["preview"]["steps"][0]["change"]["kind"], "created");
    assert_eq!(test.approve(&test.owner, &first, &digest).await.status, 200);
    test.executed(&test.owner).await;
    // The file is there now, and holds what was written: drawn again nothing would change.
    let past = test.get(&test.owner, &path).await;
    assert_eq!(past.body["preview_state"], "recorded");
    assert_eq!(past.body["preview"], asked.body["preview"]);
}
