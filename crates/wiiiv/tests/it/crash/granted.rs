//! A run that nobody was asked about when the process ends: its grant is used once for it, or not at all.

use super::holds;
use crate::host::{Client, Host, text, until};
use serde_json::{Value, json};
use wiiiv_net::ApiError;

/// E by E: the policy, the yes, the grant. T1 by T1: the question, its ruling, then those of the second plan,
/// whose step is the second S1.
pub const FAULTS: [&str; 7] = [
    "E:before:3",
    "E:after:3",
    "T1:before:3",
    "T1:after:3",
    "S1:before:2",
    "S1:after:2",
    "S2:after:2",
];

const FILE: &str = "g.txt";
const AGAIN: &str = "write 'y' to g.txt";

/// The request that it is made from.
async fn approved(client: &Client) -> String {
    let session = client.session().await.unwrap();
    client.say(&session, "write 'x' to g.txt").await.unwrap();
    let asked = client.asked(&session).await.unwrap();
    client.approve(&asked).await.unwrap();
    let run = client.over(&session).await.unwrap();
    assert_eq!(run["state"], "succeeded", "{run}");
    ended(client, &session).await;
    text(&asked, "id")
}

async fn give(client: &Client, approval: &str) -> Result<Value, ApiError> {
    let shown = client.get(&format!("/approvals/{approval}")).await?;
    let step = &shown["grantable"]["steps"][0]["step"];
    let body = json!({ "approval": approval, "step": step, "uses": 3, "seconds": 600 });
    client.post(&grants(client), body).await
}

fn grants(client: &Client) -> String {
    format!("/projects/{}/approval-grants", client.project())
}

async fn given(client: &Client) -> Vec<Value> {
    let listed = client.get(&grants(client)).await.unwrap();
    listed["items"].as_array().unwrap().clone()
}

async fn ended(client: &Client, session: &str) {
    until("end of the turn", async || {
        let history = client.history(session).await.ok()?;
        history.last().is_some_and(|last| last["event"] == "ended").then_some(())
    })
    .await;
}

pub async fn cut(fault: &str) {
    let mut host = Host::start(Some(fault)).await;
    let client = host.client();
    let approval = approved(&client).await;
    let mut session = None;
    if give(&client, &approval).await.is_ok() {
        session = Some(client.session().await.unwrap());
    }
    if let Some(session) = &session {
        // It may end before it answers.
        let _cut = client.say(session, AGAIN).await;
    }
    host.aborted_at(fault).await;
    host = host.again().await;

    let client = host.client();
    if given(&client).await.is_empty() {
        assert_eq!(fault, "E:before:3");
        give(&client, &approval).await.unwrap();
    }
    if let Some(session) = &session {
        ended(&client, session).await;
    }
    if host.file(FILE).as_deref() != Some("y") {
        assert_eq!(given(&client).await[0]["used"], 0, "{fault}: nothing began");
        let session = client.session().await.unwrap();
        client.say(&session, AGAIN).await.unwrap();
        ended(&client, &session).await;
    }
    assert_eq!(host.file(FILE).as_deref(), Some("y"), "{fault}");
    let found = given(&client).await;
    let [grant] = found.as_slice() else { panic!("{fault}: {found:?}") };
    assert_eq!((&grant["used"], &grant["left"]), (&json!(1), &json!(2)), "{fault}: {grant}");
    for (kind, count) in
        [("approval.asked", 1), ("approval.granted", 1), ("approval.grant_used", 1)]
    {
        assert_eq!(client.records(kind).await.unwrap().len(), count, "{fault}: {kind}");
    }
    holds::is_verified(fault, &mut host).await;
}
