//! A right that is lent when the process ends: the delegation stands whole or was never given, and a yes by it
//! counts once.

use super::holds;
use crate::host::{Client, Host, text, until};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use wiiiv_domain::Timestamp;

/// E by E: the two policies, the delegation, the yes on behalf. Then whether it is found by the next process.
pub const FAULTS: [(&str, bool); 4] =
    [("E:before:3", false), ("E:after:3", true), ("E:before:4", true), ("E:after:4", true)];

fn at(client: &Client) -> String {
    format!("/projects/{}/approval-delegations", client.project())
}

async fn lent(client: &Client) -> Vec<Value> {
    let listed = client.get(&at(client)).await.unwrap();
    listed["items"].as_array().unwrap().clone()
}

pub async fn cut((fault, found): (&str, bool)) {
    let mut host = Host::start(Some(fault)).await;
    let client = host.client();
    let rule = json!({ "by": "another_person", "ttlSeconds": 600 });
    client.change_policy(|policy| policy["approval"]["normal"] = rule).await;
    let (min, vic) = (client.member("min", "approver").await, client.member("vic", "viewer").await);
    let members = client.get(&format!("/projects/{}/members", client.project())).await.unwrap();
    let members = members["items"].as_array().unwrap();
    let to = members.iter().find(|member| member["name"] == "vic").unwrap()["user"].clone();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let end = Timestamp::since_epoch(now).plus_seconds(600);
    let new = json!({ "to": to, "until": end, "reason": "away" });
    let mut session = None;
    if min.post(&at(&min), new.clone()).await.is_ok() {
        let talk = client.session().await.unwrap();
        client.say(&talk, "write 'x' to d.txt").await.unwrap();
        let asked = client.asked(&talk).await.unwrap();
        let _cut = vic.approve(&asked).await;
        session = Some((talk, asked));
    }
    host.aborted_at(fault).await;
    host = host.again().await;

    let client = host.client();
    let [min, vic] = [&min, &vic].map(|one| host.client_of(one));
    let before = lent(&min).await;
    assert_eq!(before.len(), usize::from(found), "{fault}: {before:?}");
    // Whoever is not sure sends it again: it is lent once.
    let again = min.post(&at(&min), new).await;
    assert_eq!(again.is_ok(), !found, "{fault}: {again:?}");
    let whole = lent(&vic).await;
    assert_eq!((whole.len(), text(&whole[0], "state")), (1, "in_force".to_owned()), "{fault}");
    let (talk, asked) = match session {
        Some(of) => of,
        None => {
            let talk = client.session().await.unwrap();
            client.say(&talk, "write 'x' to d.txt").await.unwrap();
            let asked = client.asked(&talk).await.unwrap();
            (talk, asked)
        }
    };
    let said = vic.approve(&asked).await;
    assert_eq!(said.is_err(), fault == "E:after:4", "{fault}: {said:?}");
    let run = client.over(&talk).await.unwrap();
    assert_eq!(run["state"], "succeeded", "{fault}: {run}");
    assert_eq!(host.file("d.txt").as_deref(), Some("x"), "{fault}");
    for kind in ["approval.delegated", "approval.given", "execution.finished"] {
        let records = until(kind, async || {
            let records = client.records(kind).await.unwrap();
            (!records.is_empty()).then_some(records)
        });
        assert_eq!(records.await.len(), 1, "{fault}: {kind}");
    }
    holds::is_verified(fault, &mut host).await;
}
