//! Results in the form that `ghost run --json` prints and a server stores.

use super::rules::BarredScenario;
use crate::connection::{Connection, text};
use crate::context::Context;
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_domain::DigestError;
use wiiiv_ghost::{RunReport, Tally, sort};
use wiiiv_vault::RunnerKey;

#[derive(Serialize)]
pub struct Results<'a> {
    pub mode: &'a str,
    pub seed: u64,
    /// Only so many of its runs were drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<u32>,
    pub tally: Tally,
    /// Scenarios that were chosen and have nothing to play in this mode.
    pub passed_over: Vec<&'a str>,
    /// Scenarios that were chosen and that the given rules do not let be played.
    pub barred: &'a [BarredScenario],
    pub reports: &'a [RunReport],
}

#[derive(Deserialize)]
struct SavedReports {
    reports: Vec<RunReport>,
}

pub fn from_file(path: &Path) -> Result<Vec<RunReport>, Failure> {
    let text = std::fs::read_to_string(path).map_err(Failure::unreadable(path))?;
    let saved: SavedReports = serde_json::from_str(&text)
        .map_err(|error| Failure::Document { path: path.to_owned(), reason: error.to_string() })?;
    Ok(saved.reports)
}

/// Of the build that reported last, and of each of its scenarios the last time that it was played; with how
/// many of the build's results are claimed.
pub async fn from_server(context: &Context) -> Result<(Vec<RunReport>, usize), Failure> {
    let connection = Connection::open(context)?;
    let newest = connection.get("/ghost/results?limit=1").await?;
    let Some(build) = newest.pointer("/items/0/build").and_then(Value::as_str) else {
        return Ok((Vec::new(), 0));
    };
    let rows = connection.rows(&format!("/ghost/results?build={build}")).await?;
    let claimed = rows.iter().filter(|row| text(row, "word") == "claimed").count();
    Ok((last_played(rows)?, claimed))
}

/// `rows` as a server lists them, newest first. One that cannot be read may be a failure: it is
/// not passed over.
fn last_played(rows: Vec<Value>) -> Result<Vec<RunReport>, Failure> {
    let mut reports: Vec<RunReport> = Vec::new();
    for mut row in rows {
        let report = row.get_mut("report").map(Value::take).unwrap_or_default();
        let report: RunReport =
            serde_json::from_value(report).map_err(|_| Failure::Answer { field: "report" })?;
        let same = |saved: &&RunReport| {
            (&saved.scenario, saved.mode, &saved.variant)
                == (&report.scenario, report.mode, &report.variant)
        };
        let mut saved = reports.iter().filter(same);
        // All repeats of one suite have its seed.
        if saved.all(|saved| saved.seed == report.seed && saved.repeat != report.repeat) {
            reports.push(report);
        }
    }
    sort(&mut reports);
    Ok(reports)
}

/// `key`: what signs them; without one they are kept as claimed.
pub async fn send(
    connection: &Connection,
    reports: &[RunReport],
    key: Option<&RunnerKey>,
) -> Result<(), Failure> {
    for record in reports.iter().filter_map(RunReport::record) {
        let mut body = json!(record);
        if let (Some(key), Some(members)) = (key, body.as_object_mut()) {
            let unsigned = |error: DigestError| std::io::Error::other(error.to_string());
            let signature = key.sign(&record.statement().map_err(unsigned)?);
            let public = hex::encode(key.public());
            let signed = json!({ "public_key": public, "signature": hex::encode(signature) });
            members.insert("signed".to_owned(), signed);
        }
        connection.post("/ghost/results", body).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(repeat: u32, seed: u64, verdict: &Value) -> Value {
        let mut report = json!({
            "scenario": "C01", "mode": "replay", "variant": "", "repeat": repeat, "duration_ms": 1,
            "seed": seed, "build": "b", "policy_hash": "", "prompt_hash": "", "model": "m",
            "visited": { "transitions": [], "gates": [], "denials": [] },
        });
        let members = report.as_object_mut().unwrap();
        members.extend(verdict.as_object().unwrap().clone());
        json!({ "scenario": "C01", "build": "b", "report": report })
    }

    #[test]
    fn an_old_failure_is_over_and_what_cannot_be_read_is_none_that_passed() {
        let (pass, error) =
            (json!({ "verdict": "PASS" }), json!({ "verdict": "ERROR", "why": "x" }));
        let old = row(3, 1, &error);
        let rows = vec![row(2, 7, &pass), row(1, 7, &pass), old.clone(), row(1, 1, &error)];
        let saved = last_played(rows).unwrap();
        assert_eq!(saved.iter().map(|r| (r.repeat, r.seed)).collect::<Vec<_>>(), [(1, 7), (2, 7)]);
        assert!(Tally::of(&last_played(vec![old]).unwrap()).error == 1);
        let broken =
            json!({ "scenario": "C01", "verdict": "FAIL", "report": { "scenario": "C01" } });
        assert!(last_played(vec![row(1, 7, &pass), broken]).is_err());
    }
}
