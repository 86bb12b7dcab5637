//! A yes that was spent on a run in which nothing was begun: given back with the end of that run, used by
//! the next try, wherever the server was cut.

use super::{case::ask_and_approve, holds};
use crate::host::{Client, Host, text, until};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wiiiv_fakes::{Shop, ShopMode};
use wiiiv_net::ApiError;

/// The first run reads from a service that is out, and ends with T2; the second takes the yes up with E.
pub const FAULTS: [&str; 6] =
    ["T1:after:2", "T2:before:1", "T2:after:1", "E:before:3", "E:after:3", "T1:after:3"];

fn words(shop: &Shop) -> String {
    format!("get {}/items, keep only name and price, and save it to r.json", shop.url())
}

async fn fails(client: &Client, session: &str, words: &str) -> Result<Value, ApiError> {
    ask_and_approve(client, session, words).await?;
    client.over(session).await
}

async fn try_again(client: &Client, session: &str) -> Result<(), ApiError> {
    let path = format!("/sessions/{session}/control");
    client.post(&path, json!({ "action": "again" })).await.map(drop)
}

/// `None` where the process ended first.
async fn succeeded(client: &Client) -> Option<Vec<Value>> {
    until("second run", async || match client.executions().await {
        Ok(runs) => runs.iter().any(|run| run["state"] == "succeeded").then_some(Some(runs)),
        Err(_) => Some(None),
    })
    .await
}

pub async fn cut(fault: &str) {
    let mut host = Host::start(Some(fault)).await;
    host.shop.set_mode(ShopMode::Unavailable);
    let session = host.client().session().await.unwrap();
    let first = fails(&host.client(), &session, &words(&host.shop)).await;
    let was_cut = first.is_err() || fault == "T2:after:1";
    if was_cut {
        host.aborted_at(fault).await;
        host = host.again().await;
    }
    let run = host.client().over(&session).await.unwrap();
    assert_eq!(run["state"], "failed", "{fault}: {run}");
    host.shop.set_mode(ShopMode::Answer);

    let pressed = try_again(&host.client(), &session).await;
    let mut runs = if pressed.is_ok() { succeeded(&host.client()).await } else { None };
    if runs.is_none() {
        assert!(!was_cut, "{fault}: the second process ended too");
        host.aborted_at(fault).await;
        host = host.again().await;
        // By itself: what was said goes on.
        runs = succeeded(&host.client()).await;
    }
    let (client, runs) = (host.client(), runs.expect("runs"));
    assert_eq!(runs.len(), 2, "{fault}: {runs:?}");
    assert!(host.file("r.json").is_some_and(|saved| saved.contains("Notebook")), "{fault}");
    for (kind, count) in [
        ("approval.asked", 1),
        ("approval.released", 1),
        ("approval.taken_up", 1),
        ("approval.given", 2),
    ] {
        let records = client.records(kind).await.unwrap();
        assert_eq!(records.len(), count, "{fault}: {kind}: {records:?}");
    }
    let used = client.questions("consumed").await.unwrap();
    let by: BTreeSet<String> = used.iter().map(|row| text(row, "execution")).collect();
    assert_eq!((used.len(), by.len()), (2, 2), "{fault}: one run each: {used:?}");
    holds::is_verified(fault, &mut host).await;
}
