//! A model that the budget counts: the server ends while a call of it is held, and behind that.

use super::{
    case::{ask_and_approve, tasks},
    holds,
};
use crate::host::{Host, until};
use serde_json::json;
use wiiiv_fakes::{FakeModel, ModelMode};

const WORDS: &str = "put a note down in a.txt";
/// Of a prompt that reports on a run.
const REPORT_MARK: &str = " FACTS\\n";

/// With the calls whose use nobody knows. The first call is held by T0 and settled by T1; the one
/// that reads the facts of the run is held by S2.
pub const FAULTS: [(&str, usize); 4] =
    [("T0:after:1", 1), ("T1:before:1", 1), ("T1:after:1", 0), ("S2:after:1", 1)];

async fn model() -> FakeModel {
    let slots = json!({"targetPath": "a.txt", "content": "note"});
    let write = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "", "slots": slots,
    });
    let done = json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "ok", "slots": {}});
    let mode = ModelMode::OnMark {
        mark: REPORT_MARK.to_owned(),
        with: done.to_string(),
        without: write.to_string(),
    };
    FakeModel::spawn(mode).await.unwrap()
}

pub async fn cut(fault: &str, healed: usize) {
    let model = model().await;
    let mut host = Host::counted(fault, &model).await;
    let client = host.client();
    let session = client.session().await.unwrap();
    // Whether it was answered depends on where the process ends.
    let _cut = ask_and_approve(&client, &session, WORDS).await;
    host.aborted_at(fault).await;

    let mut host = host.again().await;
    let client = host.client();
    until("healed call", async || {
        let calls = client.records("call.healed").await.unwrap();
        (calls.len() >= healed).then_some(())
    })
    .await;
    // Of use again: another turn holds and settles.
    let session = client.session().await.unwrap();
    client.say(&session, WORDS).await.unwrap();
    client.asked(&session).await.unwrap();
    let calls = client.records("call.healed").await.unwrap();
    assert_eq!(calls.len(), healed, "{fault}: {calls:?}");
    let tasks = tasks(&client).await;
    host.stop().await;
    let data = host.data();
    holds::all_is_settled(fault, (data.as_path(), client.project(), tasks.as_slice())).await;
}
