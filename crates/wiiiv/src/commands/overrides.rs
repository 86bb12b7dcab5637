//! `policy override`: proposes another policy for a while, and approves, shows or ends one.

use crate::args::project::ProjectArg;
use crate::args::{OverrideCommand, ProposeArgs};
use crate::commands::policy::{said_changes, said_replay};
use crate::connection::{Connection, items, number, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json_file;
use crate::output::harmless;
use crate::plan::PlanNames;
use crate::short_id::{IdArg, Lists, short};
use crate::texts::named;
use serde_json::{Value, json};
use wiiiv_domain::{OverrideId, ProjectId};
use wiiiv_net::ApiCall;

pub async fn run(context: &Context, command: &OverrideCommand) -> Result<Exit, Failure> {
    match command {
        OverrideCommand::Propose(args) => propose(context, args).await,
        OverrideCommand::List { only_open, project } => list(context, *only_open, project).await,
        OverrideCommand::Show { of_override, replay, project } => {
            show(context, of_override, *replay, project).await
        }
        OverrideCommand::Approve { of_override, project } => {
            approve(context, of_override, project).await
        }
        OverrideCommand::End { of_override, reason, project } => {
            end(context, of_override, reason, project).await
        }
    }
}

/// Over the version that `expected` names, or over the one that is current now.
async fn propose(context: &Context, args: &ProposeArgs) -> Result<Exit, Failure> {
    let document = json_file::read(&args.file)?;
    let policy = document.get("policy").unwrap_or(&document);
    let (connection, project) = args.project.open(context).await?;
    let tag = match &args.expected {
        Some(version) => format!("\"{version}\""),
        None => {
            let current = ApiCall::get(path(&format!("/projects/{project}/policy")));
            let current = connection.client.send(current).await?;
            current.etag.ok_or(Failure::Answer { field: "ETag" })?
        }
    };
    let body = json!({
        "policy": policy, "scope": args.scope.kind, "task_type": args.scope.task_type,
        "ttl_seconds": args.seconds, "reason": args.reason,
    });
    let call = ApiCall::post(path(&format!("/projects/{project}/overrides")));
    let proposed = connection.client.send(call.json(body).if_match(tag)).await?.body;
    let seconds = number(&proposed, "ttl_seconds").to_string();
    let values = [
        ("id", short(text(&proposed, "id"))),
        ("until", text(&proposed, "expires_at")),
        ("seconds", &*seconds),
    ];
    context.done(&proposed, &context.texts.overrides.proposed, &values)
}

async fn list(context: &Context, only_open: bool, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let rows = connection.all(&format!("/projects/{project}/overrides?open={only_open}")).await?;
    let (texts, list) = (&context.texts.overrides, &context.texts.list);
    let plans = PlanNames::of(context.language)?;
    let cells = |row: &Value| {
        [
            short(text(row, "id")).to_owned(),
            named(&texts.states, text(row, "state")).to_owned(),
            scope(context, &plans, row),
            text(row, "proposed_by_name").to_owned(),
            text(row, "approved_by_name").to_owned(),
            until(row).to_owned(),
            harmless(text(row, "reason")),
        ]
    };
    let heads =
        [&list.id, &list.state, &texts.scope, &texts.by, &texts.with, &texts.until, &texts.reason];
    context.list(&rows, heads, cells)
}

/// Until when it runs or ran, or can be approved.
fn until(row: &Value) -> &str {
    match (text(row, "ended_at"), text(row, "until")) {
        ("", "") => text(row, "expires_at"),
        ("", until) => until,
        (ended, _) => ended,
    }
}

fn scope(context: &Context, plans: &PlanNames, row: &Value) -> String {
    let kind = named(&context.texts.overrides.scopes, text(row, "scope"));
    match text(row, "task_type") {
        "" => kind.to_owned(),
        task => format!("{kind} ({})", plans.task(task)),
    }
}

/// What it changes, and with `replay` which recorded rulings would have been another one.
async fn show(
    context: &Context,
    id: &IdArg,
    replay: Option<u32>,
    project: &ProjectArg,
) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let id = found(&connection, project, id).await?;
    let rows = connection.all(&format!("/projects/{project}/overrides")).await?;
    let row = rows.iter().find(|row| text(row, "id") == id.to_string());
    let row = row.ok_or(Failure::NoSuchId { given: id.to_string() })?;
    let impact = match replay {
        Some(days) => {
            let body = json!({
                "policy": row.get("policy"), "days": days, "task_type": row.get("task_type"),
            });
            let below = format!("/projects/{project}/policy/impact");
            Some(connection.post(&below, body).await?)
        }
        None => None,
    };
    context.output.document(&json!({ "override": row, "impact": impact }))?;
    let texts = &context.texts.overrides;
    let state = named(&texts.states, text(row, "state"));
    let of = scope(context, &PlanNames::of(context.language)?, row);
    let (seconds, reason) = (number(row, "ttl_seconds").to_string(), harmless(text(row, "reason")));
    let values = [
        ("state", state),
        ("scope", &of),
        ("by", text(row, "proposed_by_name")),
        ("with", text(row, "approved_by_name")),
        ("seconds", &seconds),
        ("until", until(row)),
        ("reason", &reason),
    ];
    let with = !text(row, "approved_by_name").is_empty();
    context.say(if with { &texts.shown_with } else { &texts.shown }, &values)?;
    said_changes(context, items(row, "changes"))?;
    if let Some(impact) = impact {
        said_replay(context, &impact)?;
    }
    Ok(Exit::Done)
}

async fn approve(context: &Context, id: &IdArg, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let id = found(&connection, project, id).await?;
    let below = format!("/projects/{project}/overrides/{id}/approve");
    let begun = connection.post(&below, json!({})).await?;
    let values = [("by", text(&begun, "proposed_by_name")), ("until", text(&begun, "until"))];
    context.done(&begun, &context.texts.overrides.approved, &values)
}

async fn end(
    context: &Context,
    id: &IdArg,
    reason: &str,
    project: &ProjectArg,
) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let id = found(&connection, project, id).await?;
    let below = format!("/projects/{project}/overrides/{id}/end");
    let over = connection.post(&below, json!({ "reason": reason })).await?;
    let texts = &context.texts.overrides;
    let done = match text(&over, "ended") {
        "withdrawn" => &texts.withdrawn,
        _ => &texts.ended,
    };
    context.done(&over, done, &[])
}

async fn found(
    connection: &Connection,
    project: ProjectId,
    id: &IdArg,
) -> Result<OverrideId, Failure> {
    id.of(connection, Lists::Overrides(project)).await
}
