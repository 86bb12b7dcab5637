//! `executions`: what ran, and what a person says of a step in doubt.

use crate::args::{ProjectArg, ResolutionArg};
use crate::connection::{Connection, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::plan::PlanNames;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wiiiv_domain::{ExecutionId, ProjectId, StepId};

pub async fn list(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let project = connection.project(project.project.as_deref()).await?;
    let rows = connection.rows(&format!("/projects/{project}/executions")).await?;
    context.output.document(&rows)?;
    let texts = &context.texts.list;
    if rows.is_empty() {
        context.output.line(&texts.none)?;
        return Ok(Exit::Done);
    }
    let plans = plans(context, &connection, project).await?;
    let cells = |row: &Value| {
        let plan = plans.get(text(row, "blueprint")).map_or("", String::as_str);
        [text(row, "id"), text(row, "state"), text(row, "started_at"), plan].map(str::to_owned)
    };
    let rows: Vec<_> = rows.iter().map(cells).collect();
    let heads = [&texts.id, &texts.state, &texts.at, &texts.plan].map(String::as_str);
    context.output.table(heads, &rows)?;
    Ok(Exit::Done)
}

/// What each of the project's plans is, by its id.
async fn plans(
    context: &Context,
    connection: &Connection,
    project: ProjectId,
) -> Result<BTreeMap<String, String>, Failure> {
    let names = PlanNames::of(context.language)?;
    let rows = connection.rows(&format!("/projects/{project}/blueprints")).await?;
    Ok(rows.iter().map(|row| (text(row, "id").to_owned(), names.name(row))).collect())
}

pub async fn show(context: &Context, id: ExecutionId) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let execution = connection.get(&format!("/executions/{id}")).await?;
    context.output.document(&execution)?;
    let texts = &context.texts.list;
    for (head, field) in [(&texts.id, "id"), (&texts.state, "state"), (&texts.at, "started_at")] {
        context.output.line(&format!("{head}: {}", text(&execution, field)))?;
    }
    let attempts = execution.get("attempts").and_then(Value::as_array);
    let cells = |row: &Value| {
        let attempt = row.get("attempt").map(Value::to_string).unwrap_or_default();
        let doubtful = row.get("in_doubt").and_then(Value::as_bool).unwrap_or_default();
        let state = if doubtful { texts.in_doubt.as_str() } else { text(row, "state") };
        let message = format!("{} {}", text(row, "code"), text(row, "message"));
        [text(row, "step").to_owned(), attempt, state.to_owned(), message.trim().to_owned()]
    };
    let rows: Vec<_> = attempts.into_iter().flatten().map(cells).collect();
    let heads = [&texts.step, &texts.attempt, &texts.state, &texts.outcome].map(String::as_str);
    context.output.table(heads, &rows)?;
    Ok(Exit::Done)
}

pub async fn cancel(context: &Context, id: ExecutionId) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let answer = connection.post(&format!("/executions/{id}/cancel"), json!({})).await?;
    context.output.document(&answer)?;
    context.output.line(&context.texts.approvals.cancelled)?;
    Ok(Exit::Done)
}

pub async fn resolve(
    context: &Context,
    id: ExecutionId,
    step: &StepId,
    resolution: ResolutionArg,
) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let word = match resolution {
        ResolutionArg::Happened => "happened",
        ResolutionArg::DidNotHappen => "did_not_happen",
        ResolutionArg::Abandon => "abandon",
    };
    let body = json!({ "as": word });
    let below = format!("/executions/{id}/steps/{step}/resolve");
    let answer = connection.post(&below, body).await?;
    context.output.document(&answer)?;
    context.output.line(&context.texts.approvals.resolved)?;
    Ok(Exit::Done)
}
