//! Commands of a person, one commit each, until the process ends at one: each is on record as a whole or not
//! at all, and what was answered is.

use crate::host::{Client, Host};
use serde_json::json;

/// Behind all that a start, a first log-in and a session commit. The two that follow each other are a halt and
/// a resume.
pub const FAULTS: [&str; 4] = ["P:before:40", "P:after:40", "P:before:41", "P:after:41"];
/// The process has ended long before.
const COMMANDS_MAX: usize = 200;

pub async fn cut(fault: &str) {
    let mut host = Host::start(Some(fault)).await;
    let client = host.client();
    let session = client.session().await.unwrap();
    let mut answered = [0; 2];
    for nth in 0..COMMANDS_MAX {
        let verb = ["halt", "resume"][nth % 2];
        let path = format!("/sessions/{session}/{verb}");
        if client.post(&path, json!({ "reason": "a drill" })).await.is_err() {
            break;
        }
        answered[nth % 2] += 1;
    }
    host.aborted_at(fault).await;

    let mut host = host.again().await;
    let client = host.client();
    let count = async |kind: &'static str| client.records(kind).await.unwrap().len();
    let recorded = [count("session.halted").await, count("session.resumed").await];
    let more: Vec<usize> = recorded.iter().zip(answered).map(|(has, told)| has - told).collect();
    assert!(more.iter().sum::<usize>() <= 1, "{fault}: {recorded:?} of {answered:?}");
    let in_force = recorded[0] - recorded[1];
    assert_eq!(halts(&client).await, in_force, "{fault}: rows and records are one commit");
    // Whoever asks again finds it as they wanted it.
    let last = if in_force == 1 { "resume" } else { "halt" };
    let path = format!("/sessions/{session}/{last}");
    client.post(&path, json!({ "reason": "a drill" })).await.unwrap();
    assert_eq!(halts(&client).await, 1 - in_force, "{fault}");
    client.verified().await;
    host.stop().await;
    super::holds::audit_is_whole(fault, &host.data()).await;
}

async fn halts(client: &Client) -> usize {
    client.get("/halts").await.unwrap()["items"].as_array().unwrap().len()
}
