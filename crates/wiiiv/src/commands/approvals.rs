//! `approvals`: open questions, shown from the canonical plan, and the answer to them.

use crate::connection::{Connection, flag, items, number, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::plan::PlanNames;
use crate::preview;
use crate::query::Query;
use crate::short_id::{IdArg, Lists, short};
use crate::texts::{Texts, fill, named};
use serde_json::Value;
use std::collections::BTreeSet;
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
            by(&context.texts, text(row, "decided_by_name"), row),
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
    let state = named(&texts.states, standing(row)).to_owned();
    if text(row, "state") == "pending" { tallied(&context.texts, state, row) } else { state }
}

/// The state, or what became of a yes that stands no more.
fn standing(row: &Value) -> &str {
    let last = items(row, "overturned").last().map_or("", |answer| text(answer, "answer"));
    match (text(row, "state"), last) {
        ("consumed", "revoked") => "stopped",
        ("rejected", "revoked") => "taken_back",
        ("rejected", "rejected") => "overturned",
        ("withdrawn", "approved") => "void",
        (state, _) => state,
    }
}

/// With how many have approved it, where several people have to.
pub fn tallied(texts: &Texts, said: String, of: &Value) -> String {
    let [given, approvers] = ["given", "approvers"].map(|name| number(of, name));
    if approvers <= 1 {
        return said;
    }
    let (given, approvers) = (given.to_string(), approvers.to_string());
    let values = [("state", said.as_str()), ("given", &given), ("approvers", &approvers)];
    fill(&texts.approvals.tally, &values)
}

/// Whoever answered, and on whose behalf, where it was somebody else's right.
pub fn by(texts: &Texts, name: &str, answer: &Value) -> String {
    let whose = text(answer, "on_behalf_of_name");
    if name.is_empty() || whose.is_empty() {
        return name.to_owned();
    }
    let whose = fill(&texts.approvals.on_behalf, &[("on_behalf_of_name", whose)]);
    format!("{name} ({whose})")
}

/// Where the person would answer for somebody else.
pub fn answers_for(context: &Context, asked: &Value) -> Result<(), Failure> {
    let Some(lent) = asked.get("answers_for").filter(|lent| lent.is_object()) else {
        return Ok(());
    };
    let values = [("delegator_name", text(lent, "delegator_name"))];
    context.output.line(&harmless(&fill(&context.texts.approvals.answers_for, &values)))
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
        ("on_behalf_of_name", &texts.on_behalf),
        ("reason", &texts.reason_given),
    ];
    // The note of an edit is kept as the reason too: it is said once, with what was changed.
    let reason = text(asked, "reason");
    let is_note = items(asked, "edits").iter().any(|edit| text(edit, "note") == reason);
    let revoked = asked.get("revoked").filter(|revoked| revoked.is_object());
    let overturned = items(asked, "overturned");
    for (name, line) in told {
        // Whoever took a yes back gave the reason.
        let is_told_below = match name {
            "reason" => is_note || revoked.is_some(),
            "decided_by_name" | "on_behalf_of_name" => !overturned.is_empty(),
            _ => false,
        };
        if !text(asked, name).is_empty() && !is_told_below {
            let values = [(name, text(asked, name)), ("decided_at", text(asked, "decided_at"))];
            context.output.line(&harmless(&fill(line, &values)))?;
        }
    }
    if overturned.is_empty() {
        yeses(context, asked)?;
    }
    // That it was taken back while its run went on is told below.
    let told_here = |answer: &&Value| revoked.is_none() || text(answer, "answer") != "revoked";
    for answer in overturned.iter().filter(told_here) {
        let who = by(&context.texts, text(answer, "by_name"), answer);
        let said = named(&context.texts.chat.answers, text(answer, "answer"));
        let said = fill(said, &[("by", &who)]);
        context.output.line(&harmless(&format!("{said} · {}", text(answer, "at"))))?;
    }
    if let Some(revoked) = revoked {
        let values = ["by_name", "at"].map(|name| (name, text(revoked, name)));
        context.output.line(&harmless(&fill(&texts.revoked_by, &values)))?;
        if !reason.is_empty() {
            context.output.line(&harmless(&fill(&texts.reason_given, &[("reason", reason)])))?;
        }
    }
    answers_for(context, asked)?;
    super::edits::print(context, asked)?;
    effects(context, asked)?;
    offers(context, asked)
}

/// Each yes where several people have to say one.
fn yeses(context: &Context, asked: &Value) -> Result<(), Failure> {
    if number(asked, "approvers") <= 1 {
        return Ok(());
    }
    let texts = &context.texts.approvals;
    for yes in items(asked, "approved_by") {
        let values = ["name", "at", "on_behalf_of_name"].map(|name| (name, text(yes, name)));
        let own = text(yes, "on_behalf_of_name").is_empty();
        let said = fill(if own { &texts.said_by } else { &texts.said_by_for }, &values);
        context.output.line(&harmless(&counted(context, said, (asked, yes))))?;
    }
    Ok(())
}

/// A yes to that question which does not count is marked: the right to it is gone, or the ruling left it out.
pub fn counted(context: &Context, said: String, (asked, yes): (&Value, &Value)) -> String {
    let texts = &context.texts.approvals;
    match (flag(yes, "counts"), text(asked, "state")) {
        (true, _) => said,
        (false, "consumed") => fill(&texts.not_counted, &[("said", &said)]),
        (false, _) => fill(&texts.counts_no_more, &[("said", &said)]),
    }
}

/// With the values that can be changed.
fn effects(context: &Context, asked: &Value) -> Result<(), Failure> {
    let Some(preview) = asked.get("preview").filter(|preview| preview.is_object()) else {
        let words = text(asked, "preview_words");
        let gone = context.texts.approvals.gone.as_str();
        let told = if words.is_empty() { gone } else { words };
        return context.output.line(&harmless(told));
    };
    preview::lines(preview, context.language, &context.output)
        .iter()
        .try_for_each(|line| context.output.line(line))?;
    super::edits::values(context, asked)
}

/// What of a plan that was approved can be approved beforehand, each step by the name that `approvals grant` takes,
/// or why nothing can.
fn offers(context: &Context, asked: &Value) -> Result<(), Failure> {
    let Some(offer) = asked.get("grantable").filter(|offer| offer.is_object()) else {
        return Ok(());
    };
    let texts = &context.texts.approvals;
    let (steps, whole) = (items(offer, "steps"), offer.get("whole").unwrap_or(&Value::Null));
    let choices = steps.iter().chain([whole]);
    let refused: BTreeSet<&str> = choices.map(|choice| text(choice, "refused")).collect();
    // The text is empty where a choice can be granted.
    if !refused.contains("") {
        return refused.into_iter().try_for_each(|why| {
            let values = [("reason", named(&texts.grant_reasons, why))];
            context.output.line(&harmless(&fill(&texts.not_grantable, &values)))
        });
    }
    context.say(&texts.grantable, &[("id", text(asked, "id"))])?;
    for step in steps {
        let values = [("step", text(step, "step"))];
        context.output.line(&harmless(&fill(&texts.grantable_step, &values)))?;
        offered(context, step)?;
    }
    context.output.line(&texts.grantable_whole)?;
    offered(context, whole)
}

/// Where exactly its steps go and whom their bodies are for, or why it cannot be granted.
fn offered(context: &Context, choice: &Value) -> Result<(), Failure> {
    let (texts, refused) = (&context.texts, text(choice, "refused"));
    if !refused.is_empty() {
        let values = [("reason", named(&texts.approvals.grant_reasons, refused))];
        return context.output.line(&harmless(&fill(&texts.approvals.grant_refused, &values)));
    }
    items(choice, "steps").iter().try_for_each(|step| super::grants::step(context, step))
}

#[cfg(test)]
mod tests {
    use super::standing;
    use crate::texts::Texts;
    use serde_json::json;
    use wiiiv_domain::Lang;

    #[test]
    fn a_yes_that_stands_no_more_is_told_by_what_became_of_it() {
        for (state, last, due) in [
            ("rejected", "rejected", "overturned"),
            ("rejected", "revoked", "taken_back"),
            ("withdrawn", "approved", "void"),
            ("consumed", "revoked", "stopped"),
            ("pending", "revoked", "pending"),
        ] {
            let overturned = json!([{"answer": "approved"}, {"answer": last}]);
            assert_eq!(standing(&json!({"state": state, "overturned": overturned})), due);
            assert_eq!(standing(&json!({"state": state, "overturned": []})), state);
            for language in Lang::ALL {
                let texts = Texts::of(language).unwrap();
                assert!(texts.approvals.states.contains_key(due), "{due}");
            }
        }
    }
}
