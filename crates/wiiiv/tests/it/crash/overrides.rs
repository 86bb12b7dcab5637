//! An override whose process ends: before its second yes is durable nothing of it is in force, behind it all
//! of it is; and so it is with its end.

use super::holds;
use crate::host::{Host, text};
use serde_json::json;

/// E by E: the first policy, the second yes, the end. Then whether the next process finds it in force.
pub const FAULTS: [(&str, &str); 4] = [
    ("E:before:2", "waiting"),
    ("E:after:2", "running"),
    ("E:before:3", "running"),
    ("E:after:3", "ended"),
];

pub async fn cut((fault, found): (&str, &str)) {
    let mut host = Host::start(Some(fault)).await;
    let client = host.client();
    let min = client.member("min", "approver").await;
    let made = client.propose_override(|policy| policy["allowedPaths"] = json!(["", "etc"])).await;
    let below = format!("/projects/{}/overrides", client.project());
    let id = text(&made, "id");
    let (approve, end) = (format!("{below}/{id}/approve"), format!("{below}/{id}/end"));
    let reason = json!({ "reason": "enough" });
    if min.post(&approve, json!({})).await.is_ok() {
        let _ = client.post(&end, reason.clone()).await;
    }
    host.aborted_at(fault).await;
    host = host.again().await;

    let (client, min) = (host.client(), host.client_of(&min));
    let now = client.get(&below).await.unwrap();
    assert_eq!(now["items"][0]["state"], found, "{fault}: {now}");
    let version = client.get(&format!("/projects/{}/policy", client.project())).await.unwrap();
    let is_temporary = version["override"]["temporary"] == json!(true);
    assert_eq!(is_temporary, found == "running", "{fault}: {version}");
    // It goes on from there, and each step is done once.
    assert_eq!(min.post(&approve, json!({})).await.is_ok(), found == "waiting", "{fault}");
    assert_eq!(client.post(&end, reason).await.is_ok(), found != "ended", "{fault}");
    for kind in ["override.proposed", "override.approved", "override.began", "override.ended"] {
        assert_eq!(client.records(kind).await.unwrap().len(), 1, "{fault}: {kind}");
    }
    let version = client.get(&format!("/projects/{}/policy", client.project())).await.unwrap();
    assert_eq!(version["override"]["temporary"], json!(false), "{fault}");
    holds::is_verified(fault, &mut host).await;
}
