//! A record that was changed in the database itself: the server finds it and names it.

use crate::host::{Host, until};
use serde_json::json;
use std::fs;

const KIND: &[u8] = b"\"kind\":\"turn.accepted\"";
const FORGED: &[u8] = b"\"kind\":\"turn.accepteD\"";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_changed_in_the_database_is_found_and_numbered() {
    let mut host = Host::start(None).await;
    let client = host.client();
    let session = client.session().await.unwrap();
    for words in ["hello", "hello again"] {
        client.say(&session, words).await.unwrap();
    }
    let ended = async || client.records("turn.ended").await.ok().filter(|turns| turns.len() == 2);
    until("end of both turns", ended).await;
    let path = format!("/projects/{}/audit", client.project());
    let sound = client.get(&format!("{path}/verify")).await.unwrap();
    assert_eq!(sound["first_bad"], json!(null), "{sound}");
    let first = client.records("turn.accepted").await.unwrap().last().unwrap()["seq"].clone();

    host.stop().await;
    let file = host.data().join("wiiiv.db");
    let mut bytes = fs::read(&file).unwrap();
    let places = bytes.windows(KIND.len()).enumerate().filter(|(_, window)| *window == KIND);
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    assert!(!places.is_empty(), "the records lie in the main file after a stop");
    for at in places {
        bytes[at..at + KIND.len()].copy_from_slice(FORGED);
    }
    fs::write(&file, bytes).unwrap();

    let host = host.again().await;
    let client = host.client();
    let broken = client.get(&format!("{path}/verify")).await.unwrap();
    assert_eq!((&broken["state"], &broken["first_bad"]), (&json!("broken"), &first), "{broken}");
    assert!(broken["message"].as_str().unwrap().starts_with(&format!("record `{first}`")));
}
