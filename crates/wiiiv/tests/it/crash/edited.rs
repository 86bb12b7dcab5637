//! An approver's edit when the process ends: it is on record as a whole or not at all, what takes the place of
//! the plan is asked about once, and nothing runs that nobody was asked about.

use super::holds;
use crate::host::{Client, Host, text, until};
use serde_json::{Value, json};
use wiiiv_net::ApiError;

/// E by E: the two policies, the edit, the yes. T1 by T1: the question, the one about what was changed.
/// Then whether the next process finds the edit.
pub const FAULTS: [(&str, bool); 5] = [
    ("E:before:3", false),
    ("E:after:3", true),
    ("T1:before:2", true),
    ("T1:after:2", true),
    ("E:before:4", true),
];

pub async fn edit(editor: &Client, asked: &Value) -> Result<Value, ApiError> {
    let path = format!("/approvals/{}/edit", text(asked, "id"));
    let changes = json!({ "content": "y" });
    editor.post(&path, json!({ "digest": asked["digest"], "changes": changes, "note": "y!" })).await
}

pub async fn cut((fault, is_found): (&str, bool)) {
    let mut host = Host::start(Some(fault)).await;
    let client = host.client();
    client
        .change_policy(|policy| {
            let rule = json!({ "by": "another_person", "approvers": 1, "ttlSeconds": 600 });
            policy["approval"]["normal"] = rule;
        })
        .await;
    let min = client.member("min", "approver").await;
    let han = client.member("han", "approver").await;
    let session = client.session().await.unwrap();
    client.say(&session, "write 'x' to e.txt").await.unwrap();
    let old = client.asked(&session).await.unwrap();
    // Whether they are answered depends on where the process ends.
    let _cut = changed_and_approved(&client, (&min, &han), &session, &old).await;
    host.aborted_at(fault).await;
    host = host.again().await;

    let (client, min, han) = (host.client(), host.client_of(&min), host.client_of(&han));
    assert_eq!(host.file("e.txt"), None, "{fault}");
    let closed = client.get(&format!("/approvals/{}", text(&old, "id"))).await.unwrap();
    let due = if is_found { "edited" } else { "pending" };
    assert_eq!(text(&closed, "state"), due, "{fault}: {closed}");
    // Once more: taken where it was lost, and refused where it was not.
    assert_eq!(edit(&min, &old).await.is_err(), is_found, "{fault}");
    let new = other(&client, &session, &old).await.unwrap();
    for nobody in [&client, &min] {
        assert!(nobody.approve(&new).await.is_err(), "{fault}: {new}");
    }
    assert!(han.approve(&old).await.is_err(), "{fault}: {old}");
    han.approve(&new).await.unwrap();
    let run = client.over(&session).await.unwrap();
    assert_eq!(run["state"], "succeeded", "{fault}: {run}");
    assert_eq!(host.file("e.txt").as_deref(), Some("y"), "{fault}");
    for (kind, times) in [
        ("approval.asked", 2),
        ("approval.edited", 1),
        ("approval.given", 1),
        ("blueprint.drawn", 2),
    ] {
        let records = until(kind, async || {
            let records = client.records(kind).await.unwrap();
            (records.len() >= times).then_some(records)
        });
        assert_eq!(records.await.len(), times, "{fault}: {kind}");
    }
    holds::is_verified(fault, &mut host).await;
}

async fn changed_and_approved(
    client: &Client,
    (min, han): (&Client, &Client),
    session: &str,
    old: &Value,
) -> Result<(), ApiError> {
    edit(min, old).await?;
    let new = other(client, session, old).await?;
    han.approve(&new).await.map(drop)
}

/// The question that took the place of this one.
pub async fn other(client: &Client, session: &str, old: &Value) -> Result<Value, ApiError> {
    let new = until("question about what was changed", async || {
        match client.questions("pending").await {
            Ok(found) => {
                let is_new = |row: &Value| row["session"] == session && row["id"] != old["id"];
                found.into_iter().find(is_new).map(Ok)
            }
            Err(error) => Some(Err(error)),
        }
    });
    new.await
}
