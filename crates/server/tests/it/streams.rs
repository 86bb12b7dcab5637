//! Event streams: nothing is missed, nothing comes twice, and rights end them.

use crate::{
    call::TestRequest,
    test_server::{Person, TestServer},
};
use futures::StreamExt as _;
use serde_json::Value;
use std::{collections::BTreeSet, time::Duration};
use wiiiv_net::{ApiCall, ApiClient, EventStream, SseEvent};
use wiiiv_store::Role;

const PATIENCE: Duration = Duration::from_secs(30);

async fn until(stream: &mut EventStream, name: &str) -> Vec<SseEvent> {
    let mut events = Vec::new();
    let read = async {
        while let Some(event) = stream.next().await {
            let event = event.unwrap();
            let last = event.event == name;
            events.push(event);
            if last {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, read).await.expect("the event must come");
    events
}

fn seqs(events: &[SseEvent]) -> Vec<u64> {
    let journalled = events.iter().filter(|event| event.event != "delta");
    journalled.map(|event| event.id.rsplit(':').next().unwrap().parse().unwrap()).collect()
}

async fn open(api: &ApiClient, session: &str, after: &str, last: Option<&str>) -> EventStream {
    let call = ApiCall::get(format!("/sessions/{session}/events{after}"));
    api.events(call, last).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reconnect_brings_what_was_missed_and_nothing_twice() {
    let test = TestServer::new().await;
    let (address, _stop) = test.listen().await;
    let api = TestServer::client(&address, &test.owner);
    let session = test.session(&test.owner, test.project).await;
    let mut live = open(&api, &session, "", None).await;
    test.question(&test.owner, &session, "f.txt").await;
    let first = until(&mut live, "pending").await;
    assert_eq!(seqs(&first).first(), Some(&1));
    let middle = &first[1];
    drop(live);
    test.say(&test.owner, &session, "yes").await;

    let mut again = open(&api, &session, "", Some(&middle.id)).await;
    let rest = until(&mut again, "done").await;
    let all = seqs(&rest);
    let expected: Vec<u64> = (3..3 + all.len() as u64).collect();
    assert_eq!(all, expected, "without a gap");
    let mut whole = open(&api, &session, "?after=0", None).await;
    let whole = until(&mut whole, "done").await;
    assert_eq!(seqs(&whole).len(), all.len() + 2);
    assert_eq!(test.file("f.txt").as_deref(), Some("hello"));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_readers_see_the_same() {
    let test = TestServer::new().await;
    let (address, _stop) = test.listen().await;
    let api = TestServer::client(&address, &test.owner);
    let session = test.session(&test.owner, test.project).await;
    let mut one = open(&api, &session, "", None).await;
    let mut two = open(&api, &session, "?after=0", None).await;
    test.question(&test.owner, &session, "g.txt").await;
    let (one, two) = (until(&mut one, "pending").await, until(&mut two, "pending").await);
    assert_eq!(seqs(&one), seqs(&two));
    let strip: Vec<Value> =
        one.iter().map(|event| serde_json::from_str(&event.data).unwrap()).collect();
    let flow: Vec<_> = strip.iter().filter(|event| event["event"] == "flow").collect();
    assert_eq!(flow[1]["outcome"], "execute", "{flow:#?}");
    assert!(flow.iter().any(|step| step["input"] == "drawn" && step["outcome"] == "requester"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_server_ends_its_streams_with_a_reason() {
    let test = TestServer::new().await;
    let (address, stop) = test.listen().await;
    let api = TestServer::client(&address, &test.owner);
    let session = test.session(&test.owner, test.project).await;
    let mut live = open(&api, &session, "", None).await;
    stop.send(()).unwrap();
    let last = until(&mut live, "error").await;
    assert!(last[0].data.contains("UNAVAILABLE"), "{last:?}");
    assert!(live.next().await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_last_event_is_refused() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let asked =
        TestRequest::new("GET", &format!("/sessions/{session}/events")).by(&test.owner.token);
    let refused = test.send(asked.header("last-event-id", "seven")).await;
    assert_eq!((refused.status, refused.code()), (400, "INVALID_HEADER"));
}

/// What comes after this stream was opened, as it stands on the wire, up to this text.
async fn wire(test: &TestServer, address: &str, who: &Person, session: &str, end: &str) -> String {
    let call = ApiCall::get(format!("/sessions/{session}/events"));
    let mut bytes = TestServer::client(address, who).download(call).await.unwrap();
    let roles = BTreeSet::new();
    if who.user != test.owner.user {
        let store = test.store();
        store.set_roles(test.project, who.user, roles, test.owner.user).await.unwrap();
    }
    let mut text = String::new();
    let read = async {
        while !text.contains(end) {
            text.push_str(&String::from_utf8_lossy(&bytes.next().await.unwrap().unwrap()));
        }
    };
    tokio::time::timeout(PATIENCE, read).await.expect("one heartbeat");
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_heartbeat_keeps_a_stream_open_and_ends_one_whose_rights_are_gone() {
    let test = TestServer::new().await;
    let (address, _stop) = test.listen().await;
    let editor = test.member("editor", Role::Editor).await;
    let theirs = test.session(&editor, test.project).await;
    let own = test.session(&test.owner, test.project).await;
    let (kept, ended) = tokio::join!(
        wire(&test, &address, &test.owner, &own, ":"),
        wire(&test, &address, &editor, &theirs, "\n\n"),
    );
    assert_eq!(kept.trim(), ":");
    assert!(ended.contains("event: error") && ended.contains("NOT_FOUND"), "{ended}");
}
