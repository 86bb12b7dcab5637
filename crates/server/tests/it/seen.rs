//! Two screens, one conversation: a typed answer is about what its own screen showed.

use crate::{call::TestRequest, test_server::TestServer};
use serde_json::{Value, json};

type Events = Vec<(String, Value)>;

fn seq(events: &Events, name: &str) -> u64 {
    let event = events.iter().find(|(found, _)| found == name);
    let (_, event) = event.unwrap_or_else(|| panic!("no `{name}` in {events:#?}"));
    event["seq"].as_u64().expect("a number")
}

fn last(events: &Events) -> &str {
    events.last().map(|(name, _)| name.as_str()).expect("an event")
}

/// Shown whole once more, and nothing else came of it.
fn is_shown_again(events: &Events, content: &str) -> bool {
    let again = events.iter().any(|(name, event)| {
        let text = event["text"].as_str().unwrap_or_default();
        name == "reply" && event["reply"] == "waiting" && text.contains(content)
    });
    again && last(events) == "pending"
}

/// `a.txt` was asked for on the laptop; the telephone cancelled that and asked for `b.txt`. What the laptop
/// saw last, and the telephone.
async fn two_screens(test: &TestServer, session: &str) -> (u64, u64) {
    let who = &test.owner;
    let laptop = test.say(who, session, "write 'from the laptop' to the file a.txt").await;
    let cancelled = test.say(who, session, "cancel").await;
    assert_eq!(last(&cancelled), "cancelled", "{cancelled:#?}");
    let phone = test.say(who, session, "write 'from the phone' to the file b.txt").await;
    (seq(&laptop, "pending"), seq(&phone, "preview"))
}

async fn says(test: &TestServer, session: &str, text: &str, seen: Option<u64>) -> Events {
    let message = match seen {
        Some(seen) => json!({"text": text, "seen": seen}),
        None => json!({"text": text}),
    };
    test.post_words(&test.owner, session, message).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_of_another_screen_runs_nothing_and_shows_what_waits() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (laptop, phone) = two_screens(&test, &session).await;
    for (yes, seen) in [
        ("yes", Some(laptop)),
        ("yes", None),
        ("네", Some(0)),
        // The event before the question, and one that is not there yet.
        ("yes", Some(phone - 1)),
        ("yes", Some(u64::from(u32::MAX))),
        ("yes", Some(u64::MAX)),
    ] {
        let told = says(&test, &session, yes, seen).await;
        assert!(is_shown_again(&told, "from the phone"), "{yes} {seen:?}: {told:#?}");
        assert_eq!((test.file("a.txt"), test.file("b.txt")), (None, None), "{yes} {seen:?}");
    }
    let path = format!("/projects/{}/executions", test.project);
    assert_eq!(test.get(&test.owner, &path).await.body["items"], json!([]));
    // Its very number is enough; the end of the turn stands behind it.
    let again = says(&test, &session, "yes", None).await;
    let done = says(&test, &session, "yes", Some(seq(&again, "reply"))).await;
    assert_eq!(last(&done), "done", "{done:#?}");
    assert_eq!(test.file("b.txt").as_deref(), Some("from the phone"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_of_another_screen_declines_nothing_and_a_cancel_always_stops() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (laptop, _) = two_screens(&test, &session).await;
    for seen in [Some(laptop), None] {
        let told = says(&test, &session, "no", seen).await;
        assert!(is_shown_again(&told, "from the phone"), "{seen:?}: {told:#?}");
    }
    let told = says(&test, &session, "cancel", None).await;
    assert!(told.iter().any(|(_, event)| event["reply"] == "cancelled"), "{told:#?}");
    let state = test.get(&test.owner, &format!("/sessions/{session}/state")).await;
    assert_eq!(state.body["pending"], Value::Null, "{}", state.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn words_of_their_own_need_no_sight_of_anything() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    two_screens(&test, &session).await;
    let told = says(&test, &session, "no, write it to c.txt", None).await;
    let preview = told.iter().find(|(name, _)| name == "preview").map(|(_, event)| event);
    let preview = preview.unwrap_or_else(|| panic!("{told:#?}"));
    assert!(preview["text"].as_str().unwrap().contains("c.txt"), "{preview}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_is_none_is_refused() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let path = format!("/sessions/{session}/messages");
    for seen in [json!(-1), json!("7"), json!(1.5), json!([1])] {
        let refused = test.post(&test.owner, &path, json!({"text": "yes", "seen": seen})).await;
        assert!(matches!(refused.status, 400 | 422), "{seen}: {}", refused.text);
    }
    let asked = TestRequest::new("POST", &path).by(&test.owner.token);
    let form = json!({"form": {"task": "0190a000-0000-7000-8000-000000000001", "body": {}}});
    let refused = test.send(asked.json(&form)).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("seen"), "{}", refused.text);
}
