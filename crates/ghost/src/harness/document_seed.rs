//! Ingests the documents that are found when a scenario begins.

use super::{
    error::PlayError,
    rest_client::{RestClient, required_text},
};
use crate::scenario::DocumentSeed;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// An ingest that takes longer counts as one that does not end.
const INGEST_WITHIN: Duration = Duration::from_secs(60);
const LOOK_AFTER: Duration = Duration::from_millis(20);

/// One after the other: each is found before the next one is sent.
pub(super) async fn seed_documents(
    rest: &RestClient,
    project: &str,
    seeds: &[DocumentSeed],
    label: &str,
) -> Result<(), PlayError> {
    let mut theirs: Option<(RestClient, String)> = None;
    for seed in seeds {
        if !seed.elsewhere {
            ingest(rest, project, seed).await?;
            continue;
        }
        let (other, project) = match theirs.take() {
            Some(known) => known,
            None => stranger(rest, label).await?,
        };
        ingest(&other, &project, seed).await?;
        theirs = Some((other, project));
    }
    Ok(())
}

/// Somebody with a project of their own, who is no member of any other.
async fn stranger(rest: &RestClient, label: &str) -> Result<(RestClient, String), PlayError> {
    let (_, token) = rest.enrol(&format!("stranger-{label}"), "a stranger's password").await?;
    let other = rest.as_person(&token);
    let made = other.post("/projects", json!({ "name": format!("elsewhere-{label}") })).await?;
    let project = required_text(&made, "id")?;
    Ok((other, project))
}

async fn ingest(rest: &RestClient, project: &str, seed: &DocumentSeed) -> Result<(), PlayError> {
    let job = rest.ingest(project, &seed.name, seed.text.as_bytes()).await?;
    let below = format!("/rag/jobs/{}", required_text(&job, "id")?);
    let begun = Instant::now();
    while begun.elapsed() < INGEST_WITHIN {
        let job = rest.get(&below).await?;
        match job.get("state").and_then(Value::as_str) {
            Some("ready") => return Ok(()),
            Some("failed" | "cancelled") => {
                let why = required_text(&job, "code").unwrap_or_default();
                let what = format!("the document `{}` was not ingested: {why}", seed.name);
                return Err(PlayError::Scenario(what));
            }
            Some(_) | None => sleep(LOOK_AFTER).await,
        }
    }
    Err(PlayError::Late { what: "document", seconds: INGEST_WITHIN.as_secs() })
}
