//! `approvals`: open questions, shown from the canonical plan, and the answer to them.

use crate::connection::{Connection, items, number, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::plan::PlanNames;
use crate::preview;
use crate::query::Query;
use crate::short_id::{IdArg, Lists, short};
use crate::texts::{fill, named};
use serde_json::Value;
use wiiiv_domain::ApprovalId;

pub async fn list(context: &Context, state: Option<&str>) -> Result<Exit, Failure> {
    let mut query = Query::of("/approvals".to_owned());
    query.add("state", state);
    let rows = Connection::open(context)?.rows(&query.text()).await?;
    let texts = &context.texts.list;
    let plans = PlanNames::of(context.language)?;
    let digest = |row: &Value| text(row, "digest").chars().take(8).collect::<String>();
    let cells = |row: &Value| {
        [
            short(text(row, "id")).to_owned(),
            told_state(context, row),
            digest(row),
            text(row, "expires_at").to_owned(),
            text(row, "requester_name").to_owned(),
            text(row, "decided_by_name").to_owned(),
            plans.name(row),
        ]
    };
    let heads = [
        &texts.id,
        &texts.state,
        &texts.digest,
        &texts.expires,
        &texts.requester,
        &texts.decider,
        &texts.plan,
    ];
    context.list(&rows, heads, cells)
}

pub async fn show(context: &Context, id: &IdArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: ApprovalId = id.of(&connection, Lists::Approvals).await?;
    let asked = connection.get(&format!("/approvals/{id}")).await?;
    context.output.document(&asked)?;
    print(context, &asked)?;
    Ok(Exit::Done)
}

/// With how many have approved it, while it waits for several people.
fn told_state(context: &Context, row: &Value) -> String {
    let texts = &context.texts.approvals;
    let state = named(&texts.states, text(row, "state"));
    let [given, approvers] = ["given", "approvers"].map(|name| number(row, name));
    if text(row, "state") != "pending" || approvers <= 1 {
        return state.to_owned();
    }
    let (given, approvers) = (given.to_string(), approvers.to_string());
    fill(&texts.tally, &[("state", state), ("given", &given), ("approvers", &approvers)])
}

/// The request and the exact effects, as the server renders them from the plan.
pub fn print(context: &Context, asked: &Value) -> Result<(), Failure> {
    let fields = ["id", "digest", "expires_at"].map(|name| (name, text(asked, name)));
    let state = told_state(context, asked);
    let fields = [&fields[..], &[("state", state.as_str())]].concat();
    context.output.line(&PlanNames::of(context.language)?.name(asked))?;
    let texts = &context.texts.approvals;
    context.say(&texts.head, &fields)?;
    let told = [
        ("escalated_at", &texts.escalated),
        ("requester_name", &texts.asked_by),
        ("decided_by_name", &texts.decided_by),
        ("reason", &texts.reason_given),
    ];
    for (name, line) in told {
        if !text(asked, name).is_empty() {
            let values = [(name, text(asked, name)), ("decided_at", text(asked, "decided_at"))];
            context.output.line(&harmless(&fill(line, &values)))?;
        }
    }
    if number(asked, "approvers") > 1 {
        for yes in items(asked, "approved_by") {
            let values = [("name", text(yes, "name")), ("at", text(yes, "at"))];
            context.output.line(&harmless(&fill(&texts.said_by, &values)))?;
        }
    }
    super::edits::print(context, asked)?;
    let Some(preview) = asked.get("preview").filter(|preview| preview.is_object()) else {
        let words = text(asked, "preview_words");
        let told = if words.is_empty() { texts.gone.as_str() } else { words };
        return context.output.line(&harmless(told));
    };
    preview::lines(preview, context.language, &context.output)
        .iter()
        .try_for_each(|line| context.output.line(line))?;
    super::edits::values(context, asked)
}
