//! `executions`: runs, and a person's decision on a step in doubt.

use crate::args::{ExecutionListArgs, ResolutionArg};
use crate::commands::approvals::by;
use crate::connection::{Connection, flag, items, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::plan::PlanNames;
use crate::query::Query;
use crate::short_id::{IdArg, Lists, short};
use crate::texts::{fill, named};
use serde_json::{Value, json};
use std::iter;
use wiiiv_domain::{ExecutionId, StepId};

pub async fn list(context: &Context, args: &ExecutionListArgs) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    let mut query = Query::of(format!("/projects/{project}/executions"));
    query.add("state", args.run_state.as_deref());
    query.add("system", args.of_system.as_deref());
    query.add("from", args.first.as_deref());
    query.add("until", args.last.as_deref());
    query.add("q", args.words.as_deref());
    if let Some(actor) = &args.actor {
        query.add("requester", Some(&*connection.member(project, actor).await?));
    }
    let rows = connection.rows(&query.text()).await?;
    let texts = &context.texts.list;
    let plans = PlanNames::of(context.language)?;
    let cells = |row: &Value| {
        let (id, state) = (short(text(row, "id")), told_state(context, row));
        let (requester, approver) = (text(row, "requester_name"), approved_by(context, row));
        let plan = plans.name(row);
        [id, state, text(row, "started_at"), requester, &approver, &plan].map(str::to_owned)
    };
    let heads =
        [&texts.id, &texts.state, &texts.at, &texts.requester, &texts.approver, &texts.plan];
    context.list(&rows, heads, cells)
}

fn told_state<'a>(context: &'a Context, row: &'a Value) -> &'a str {
    named(&context.texts.list.states, text(row, "state"))
}

/// Whose yeses it used, and on whose behalf each was said, where it was: in the order of time.
fn approved_by(context: &Context, row: &Value) -> String {
    let last = by(&context.texts, text(row, "approved_by_name"), row);
    let others = items(row, "also_approved_by").iter();
    let others = others.map(|yes| by(&context.texts, text(yes, "name"), yes));
    let people: Vec<String> =
        others.chain(iter::once(last)).filter(|name| !name.is_empty()).collect();
    people.join(", ")
}

pub async fn show(context: &Context, id: &IdArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: ExecutionId = id.of(&connection, Lists::Executions).await?;
    let execution = connection.get(&format!("/executions/{id}")).await?;
    context.output.document(&execution)?;
    let texts = &context.texts.list;
    context.output.line(&PlanNames::of(context.language)?.name(&execution))?;
    let approver = approved_by(context, &execution);
    let fields = [
        (&texts.id, text(&execution, "id")),
        (&texts.state, told_state(context, &execution)),
        (&texts.at, text(&execution, "started_at")),
        (&texts.requester, text(&execution, "requester_name")),
        (&texts.approver, approver.as_str()),
    ];
    for (head, value) in fields {
        if !value.is_empty() {
            context.output.line(&format!("{head}: {}", harmless(value)))?;
        }
    }
    revoked(context, &execution)?;
    let cells = |row: &Value| {
        let attempt = row.get("attempt").map(Value::to_string).unwrap_or_default();
        let doubtful = flag(row, "in_doubt");
        let state = if doubtful { texts.in_doubt.as_str() } else { told_state(context, row) };
        // A step that was stopped has who stopped it for a code.
        let code = named(&texts.stops, text(row, "code"));
        let message = format!("{code} {}", text(row, "message"));
        [text(row, "step").to_owned(), attempt, state.to_owned(), message.trim().to_owned()]
    };
    let heads = [&texts.step, &texts.attempt, &texts.state, &texts.outcome];
    context.table(items(&execution, "attempts"), heads, cells)
}

/// Who took back a yes that it used, and when.
fn revoked(context: &Context, execution: &Value) -> Result<(), Failure> {
    let Some(revoked) = execution.get("revoked").filter(|revoked| revoked.is_object()) else {
        return Ok(());
    };
    let values = ["by_name", "at"].map(|name| (name, text(revoked, name)));
    context.output.line(&harmless(&fill(&context.texts.approvals.revoked_by, &values)))
}

pub async fn cancel(context: &Context, id: &IdArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: ExecutionId = id.of(&connection, Lists::Executions).await?;
    let answer = connection.post(&format!("/executions/{id}/cancel"), json!({})).await?;
    context.done(&answer, &context.texts.approvals.cancelled, &[])
}

pub async fn resolve(
    context: &Context,
    id: &IdArg,
    step: &StepId,
    resolution: ResolutionArg,
) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: ExecutionId = id.of(&connection, Lists::Executions).await?;
    let word = match resolution {
        ResolutionArg::Happened => "happened",
        ResolutionArg::DidNotHappen => "did_not_happen",
        ResolutionArg::Abandon => "abandon",
    };
    let below = format!("/executions/{id}/steps/{step}/resolve");
    let answer = connection.post(&below, json!({ "as": word })).await?;
    context.done(&answer, &context.texts.approvals.resolved, &[])
}
