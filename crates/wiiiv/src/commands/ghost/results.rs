//! Results as `ghost run --json` prints them and as a server keeps them.

use crate::connection::Connection;
use crate::context::Context;
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::path::Path;
use wiiiv_ghost::{RunReport, Tally, sort};

#[derive(Serialize)]
pub struct Results<'a> {
    pub mode: &'a str,
    pub seed: u64,
    pub tally: Tally,
    pub reports: &'a [RunReport],
}

#[derive(Deserialize)]
struct Kept {
    reports: Vec<RunReport>,
}

pub fn from_file(path: &Path) -> Result<Vec<RunReport>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::Unreadable {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    let kept: Kept = serde_json::from_str(&text)
        .map_err(|error| Failure::Document { path: path.to_owned(), reason: error.to_string() })?;
    Ok(kept.reports)
}

/// The newest that a server keeps, of builds that say the same as this one.
pub async fn from_server(context: &Context) -> Result<Vec<RunReport>, Failure> {
    let rows = Connection::open(context)?.rows("/ghost/results").await?;
    let reports = rows.into_iter().filter_map(|mut row| {
        let report = row.get_mut("report").map(serde_json::Value::take)?;
        serde_json::from_value(report).ok()
    });
    let mut reports: Vec<RunReport> = reports.collect();
    sort(&mut reports);
    Ok(reports)
}

pub async fn send(connection: &Connection, reports: &[RunReport]) -> Result<(), Failure> {
    for record in reports.iter().filter_map(RunReport::record) {
        connection.post("/ghost/results", record).await?;
    }
    Ok(())
}
