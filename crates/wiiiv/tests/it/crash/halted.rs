//! Halted while a step was in flight, and ended before or behind the record of that step's end: still
//! halted, and the step is not done again.

use super::case::ask_and_approve;
use crate::host::{Host, text, until};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_fakes::ShopMode;

pub const FAULTS: [&str; 2] = ["T1:before:3", "T1:after:3"];

pub async fn cut(fault: &str) {
    let mut host = Host::start(Some(fault)).await;
    host.shop.set_mode(ShopMode::Slow(Duration::from_secs(30)));
    let client = host.client();
    let session = client.session().await.unwrap();
    let words = format!("POST '{{\"sku\":\"A1\"}}' to {}/orders", host.shop.url());
    ask_and_approve(&client, &session, &words).await.unwrap();
    until("the call", async || (!host.shop.calls().is_empty()).then_some(())).await;
    // The answer goes with the process.
    let halt = json!({ "reason": "smoke" });
    let _cut = client.post(&format!("/sessions/{session}/halt"), halt).await;
    host.aborted_at(fault).await;
    host.shop.set_mode(ShopMode::Answer);

    let mut host = host.again().await;
    let client = host.client();
    let halts = client.get("/halts").await.unwrap();
    assert_eq!(text(&halts["items"][0], "reason"), "smoke", "{fault}: {halts}");
    let run = until("the run", async || {
        let runs = client.executions().await.unwrap();
        runs.first().filter(|run| run["state"] != "running").cloned()
    })
    .await;
    // Nobody knows whether it was placed; it is not placed again.
    assert_eq!(run["state"], "indeterminate", "{fault}: {run}");
    assert_eq!(host.shop.calls().len(), 1, "{fault}");
    let told = client.say(&session, "write 'x' to a.txt").await;
    assert!(told.is_ok(), "{fault}: what is said is taken: {told:?}");
    let resume = json!({ "reason": "toast" });
    client.post(&format!("/sessions/{session}/resume"), resume).await.unwrap();
    let halts: Value = client.get("/halts").await.unwrap();
    assert_eq!(halts["items"], json!([]), "{fault}");
    assert_eq!(host.shop.calls().len(), 1, "{fault}: nothing goes on by itself");
    assert_eq!(host.file("a.txt"), None, "{fault}");
    for kind in ["session.halted", "session.resumed"] {
        assert_eq!(client.records(kind).await.unwrap().len(), 1, "{fault}: {kind}");
    }
    client.verified().await;
    host.stop().await;
}
