//! A record that was changed in the database itself: the server finds it and names it.

use crate::host::Host;
use serde_json::json;
use std::fs;

const KIND: &[u8] = b"\"kind\":\"turn.accepted\"";
const FORGED: &[u8] = b"\"kind\":\"turn.accepteD\"";

/// By then SQLite has moved the first records from its log into the main file, twice.
const BUTTONS_MAX: usize = 2_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_changed_in_the_database_is_found_and_numbered() {
    let mut host = Host::start(None).await;
    let client = host.client();
    let session = client.session().await.unwrap();
    let file = host.data().join("wiiiv.db");
    let mut moved = None;
    for pressed in 0.. {
        assert!(pressed < BUTTONS_MAX, "no record lies in the main file");
        let path = format!("/sessions/{session}/control");
        client.post(&path, json!({ "action": "cancel" })).await.unwrap();
        if pressed % 10 != 0 || places(&fs::read(&file).unwrap()).is_empty() {
            continue;
        }
        // The log still holds what was moved, and is read first, until it is begun anew: that is
        // before the next move.
        let at = fs::metadata(&file).unwrap().modified().unwrap();
        if *moved.get_or_insert(at) != at {
            break;
        }
    }
    let path = format!("/projects/{}/audit", client.project());
    let sound = client.get(&format!("{path}/verify")).await.unwrap();
    assert_eq!(sound["first_bad"], json!(null), "{sound}");
    let first = client.records("turn.accepted").await.unwrap().last().unwrap()["seq"].clone();

    host.stop().await;
    let mut bytes = fs::read(&file).unwrap();
    for at in places(&bytes) {
        bytes[at..at + KIND.len()].copy_from_slice(FORGED);
    }
    fs::write(&file, bytes).unwrap();

    let host = host.again().await;
    let broken = host.client().get(&format!("{path}/verify")).await.unwrap();
    assert_eq!((&broken["state"], &broken["first_bad"]), (&json!("broken"), &first), "{broken}");
    assert!(broken["message"].as_str().unwrap().starts_with(&format!("record `{first}`")));
}

fn places(bytes: &[u8]) -> Vec<usize> {
    let windows = bytes.windows(KIND.len()).enumerate();
    windows.filter(|(_, window)| *window == KIND).map(|(at, _)| at).collect()
}
