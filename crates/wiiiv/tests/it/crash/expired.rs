//! An override whose time runs out while nobody is there: the next process ends it by itself, as a whole and
//! once, wherever that is cut.

use super::holds;
use crate::host::{Client, Host, text, until};
use serde_json::json;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use wiiiv_domain::{OverrideMark, PolicyDocument, ProjectId, Timestamp};
use wiiiv_gate::{UserEvent, UserEventKind, policy_override};
use wiiiv_store::NewOverride;

/// The first E of a process that finds it over. Then whether the next one finds that it has ended.
pub const FAULTS: [(&str, bool); 2] = [("E:before:1", false), ("E:after:1", true)];

/// Of the version that the second yes puts in force.
const VERSION: &str = "0199b3a0-6a1e-7c4e-9d53-2f1b7a9c0e44";

pub async fn cut((fault, is_ended): (&str, bool)) {
    let mut host = Host::start(None).await;
    let client = host.client();
    let min = client.member("min", "approver").await;
    let rules = format!("/projects/{}/policy", client.project());
    let before = client.get(&rules).await.unwrap();
    let made = client.propose_override(|policy| policy["allowedPaths"] = json!(["", "etc"])).await;
    host.stop().await;
    approve_long_ago(&host.data(), &min, &text(&made, "id")).await;
    host.aborts_by_itself_at(fault).await;
    assert_eq!(found_ended(&host.data(), &min).await, is_ended, "{fault}");

    let mut host = host.again().await;
    let (client, min) = (host.client(), host.client_of(&min));
    let below = format!("/projects/{}/overrides", client.project());
    // Where it had not ended, this process ends it.
    until("end of the override", async || {
        let now = client.get(&below).await.unwrap();
        (now["items"][0]["ended"] == "expired").then_some(())
    })
    .await;
    let version = client.get(&rules).await.unwrap();
    assert_eq!(version["override"]["temporary"], json!(false), "{fault}: {version}");
    assert_eq!(version["policy"], before["policy"], "{fault}");
    let one = format!("{below}/{}", text(&made, "id"));
    assert!(min.post(&format!("{one}/approve"), json!({})).await.is_err(), "{fault}");
    let enough = json!({ "reason": "enough" });
    assert!(client.post(&format!("{one}/end"), enough).await.is_err(), "{fault}");
    for kind in ["override.proposed", "override.approved", "override.began", "override.ended"] {
        assert_eq!(client.records(kind).await.unwrap().len(), 1, "{fault}: {kind}");
    }
    holds::is_verified(fault, &mut host).await;
}

/// The second yes, as it was said so long ago that its time is just over: a minute is the shortest that one
/// lasts, and no test waits for that.
async fn approve_long_ago(data: &Path, min: &Client, id: &str) {
    let (store, now) = (holds::store(data).await, now());
    let project: ProjectId = min.project().parse().unwrap();
    let who = store.authenticate(min.token(), Some(project), now).await.unwrap();
    let found = store.proposed_override(project, id.parse().unwrap()).await.unwrap();
    let (row, proposed) = found.unwrap();
    let current = store.policy(project).await.unwrap();
    let before = current.body().document();
    let at = now.plus_seconds(-i64::from(row.proposal.ttl_seconds));
    let temporary = policy_override::temporary(&row.proposal, &before.policy, at);
    let document = PolicyDocument {
        id: VERSION.parse().unwrap(),
        number: before.number + 1,
        author: Some(row.proposed_by),
        reason: row.proposal.reason.clone(),
        at,
        policy: row.proposal.policy.clone(),
        of_override: Some(OverrideMark::Temporary(temporary)),
        ..before.clone()
    };
    let digest = policy_override::proposal_digest(&row.proposal).unwrap();
    let kind = UserEventKind::ApproveOverride { digest };
    let said = UserEvent::of(&who, project, None, kind, at).unwrap();
    let new = NewOverride { proposed, proposal: row.proposal, current, document };
    store.approve_override(&who, said, new).await.unwrap();
}

/// As it lies in the folder: nobody looks, so it is ended only where that is on record.
async fn found_ended(data: &Path, min: &Client) -> bool {
    let project: ProjectId = min.project().parse().unwrap();
    let rows = holds::store(data).await.overrides(project).await.unwrap();
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert!(row.approval.is_some() && !row.runs(now()), "{row:?}");
    row.ended.is_some()
}

fn now() -> Timestamp {
    Timestamp::since_epoch(SystemTime::now().duration_since(UNIX_EPOCH).unwrap())
}
