//! A quorum that is half full when the process ends: one yes of two stands, counts once, and waits for the
//! other.

use super::holds;
use crate::host::{Client, Host, text, until};
use serde_json::json;

/// E by E: the two policies, the first yes, the second. T1 by T1: the question, the end of the first yes, the
/// ruling. Then how many yeses the next process finds.
pub const FAULTS: [(&str, u64); 7] = [
    ("E:before:3", 0),
    ("E:after:3", 1),
    ("T1:before:2", 1),
    ("T1:after:2", 1),
    ("E:before:4", 1),
    ("E:after:4", 2),
    ("T1:before:3", 2),
];

pub async fn cut((fault, found): (&str, u64)) {
    let mut host = Host::start(Some(fault)).await;
    let client = host.client();
    client
        .change_policy(|policy| {
            let rule = json!({ "by": "another_person", "approvers": 2, "ttlSeconds": 600 });
            policy["approval"]["normal"] = rule;
        })
        .await;
    let names = ["min", "han"];
    let mut people = Vec::new();
    for name in names {
        people.push(client.member(name, "approver").await);
    }
    let session = client.session().await.unwrap();
    client.say(&session, "write 'x' to q.txt").await.unwrap();
    let asked = client.asked(&session).await.unwrap();
    for approver in &people {
        if approver.approve(&asked).await.is_err() {
            break;
        }
    }
    host.aborted_at(fault).await;
    host = host.again().await;

    let client = host.client();
    let people: Vec<Client> = people.iter().map(|one| host.client_of(one)).collect();
    let question = format!("/approvals/{}", text(&asked, "id"));
    let now = client.get(&question).await.unwrap();
    let given = now["given"].as_u64().unwrap();
    assert_eq!(given, found, "{fault}: {now}");
    if found < 2 {
        assert_eq!(
            (text(&now, "state"), host.file("q.txt")),
            ("pending".to_owned(), None),
            "{fault}"
        );
        let outcome = until("end of the turn", async || {
            let history = client.history(&session).await.unwrap();
            let ended = history.last().filter(|last| last["event"] == "ended");
            ended.map(|ended| text(ended, "outcome"))
        });
        assert_eq!(outcome.await, "pending", "{fault}");
        for (nth, approver) in people.iter().enumerate() {
            let again = approver.approve(&asked).await;
            // Whoever had said it is told so, and counts once.
            assert_eq!(again.is_err(), nth == 0 && found == 1, "{fault}: {again:?}");
        }
    }
    let run = client.over(&session).await.unwrap();
    assert_eq!(run["state"], "succeeded", "{fault}: {run}");
    assert_eq!(host.file("q.txt").as_deref(), Some("x"), "{fault}");
    for kind in ["approval.asked", "approval.joined", "approval.given", "execution.finished"] {
        let records = until(kind, async || {
            let records = client.records(kind).await.unwrap();
            (!records.is_empty()).then_some(records)
        });
        assert_eq!(records.await.len(), 1, "{fault}: {kind}");
    }
    holds::is_verified(fault, &mut host).await;
}
