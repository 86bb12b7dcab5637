//! `why`: a decision with all that it rested on, and the smallest change that would have allowed it.

use crate::args::project::ProjectArg;
use crate::commands::approvals::{by, counted};
use crate::connection::{Connection, flag, if_there, items, number, text, words};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::{Absent, Failure};
use crate::output::harmless;
use crate::short_id::{IdArg, Lists, short as id_end};
use crate::texts::{fill, named};
use serde_json::Value;
use wiiiv_domain::ExecutionId;

/// As much of a hash as people compare by eye.
const HASH_DIGITS: usize = 12;

/// The number of a ruling's record, or the id of a run, a plan, a question or a turn.
pub async fn why(context: &Context, of: &str, asked: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = asked.open(context).await?;
    let of = whole(&connection, of).await?;
    let place = connection.get(&format!("/projects/{project}/decisions/{of}")).await;
    let place = match &asked.project {
        Some(_) => place?,
        // Of nothing it is told whether it is in another project.
        None => place.map_err(Failure::of_absent(Absent::Decision))?,
    };
    match text(&place, "blueprint") {
        "" => of_turn(context, &connection, &place).await,
        plan => of_plan(context, &connection, plan).await,
    }
}

/// A whole id, or the number of a record. A short id is looked for where a list shows it.
async fn whole(connection: &Connection, of: &str) -> Result<String, Failure> {
    if of.parse::<u64>().is_ok() || of.parse::<ExecutionId>().is_ok() {
        return Ok(of.to_owned());
    }
    let unknown = || Failure::NoSuchDecision { given: of.to_owned() };
    let given = of.parse::<IdArg>().map_err(|_| unknown())?;
    match given.of::<ExecutionId>(connection, Lists::Decided).await {
        Err(Failure::NoSuchId { .. }) => Err(unknown()),
        found => Ok(found?.to_string()),
    }
}

async fn of_plan(context: &Context, connection: &Connection, plan: &str) -> Result<Exit, Failure> {
    let told = connection.get(&format!("/blueprints/{plan}/why")).await?;
    context.output.document(&told)?;
    let texts = &context.texts.why;
    request(context, &told)?;
    intent(context, &told)?;
    if flag(&told, "erased") {
        context.warn(&texts.erased, &[])?;
    }
    risk(context, &told)?;
    review(context, told.get("dacs").unwrap_or(&Value::Null))?;
    super::edits::print(context, &told)?;
    calls(context, &told)?;
    let rulings = items(&told, "decisions");
    decisions(context, rulings)?;
    for grant in items(&told, "grants") {
        let values = [
            ("grant", id_end(text(grant, "grant"))),
            ("by", text(grant, "granter_name")),
            ("at", text(grant, "at")),
        ];
        context.say(&texts.granted, &values)?;
    }
    let rejected = answers(context, connection, &told).await?;
    let last = rulings.iter().rfind(|one| text(one, "outcome") == "deny").or(rulings.first());
    match last {
        Some(last) => ending(context, last)?,
        // Nothing else decides about what a person has rejected.
        None if rejected => {}
        None => context.say(&texts.undecided, &[])?,
    }
    versions(context, &told)?;
    Ok(Exit::Done)
}

/// Everybody who answered the questions about it, in that order, on whose behalf, and why not; whether one was
/// rejected.
async fn answers(
    context: &Context,
    connection: &Connection,
    told: &Value,
) -> Result<bool, Failure> {
    let (texts, mut rejected) = (&context.texts.why, false);
    // They come the newest first.
    for asked in items(told, "approvals").iter().rev() {
        for yes in items(asked, "approved_by") {
            let who = by(&context.texts, text(yes, "name"), yes);
            let values = [("by", who.as_str()), ("at", text(yes, "at"))];
            let said = counted(context, fill(&texts.approved, &values), (asked, yes));
            context.output.line(&harmless(&said))?;
        }
        if let Some(revoked) = asked.get("revoked").filter(|revoked| revoked.is_object()) {
            let values = [("by", text(revoked, "by_name")), ("at", text(revoked, "at"))];
            context.output.line(&harmless(&fill(&texts.revoked, &values)))?;
            reason(context, connection, text(asked, "approval")).await?;
        }
        if text(asked, "state") == "rejected" {
            rejected = true;
            let who = by(&context.texts, text(asked, "decided_by_name"), asked);
            let values = [("by", who.as_str()), ("at", text(asked, "decided_at"))];
            context.output.line(&harmless(&fill(&texts.rejected, &values)))?;
            reason(context, connection, text(asked, "approval")).await?;
        }
    }
    Ok(rejected)
}

/// The reason that was given, where there is one and the reader may see it.
async fn reason(context: &Context, connection: &Connection, approval: &str) -> Result<(), Failure> {
    let asked = if_there(connection.get(&format!("/approvals/{approval}")).await)?;
    match asked.as_ref().map_or("", |asked| text(asked, "reason")) {
        "" => Ok(()),
        given => {
            let line = &context.texts.approvals.reason_given;
            indented(context, &fill(line, &[("reason", given)]))
        }
    }
}

async fn of_turn(
    context: &Context,
    connection: &Connection,
    place: &Value,
) -> Result<Exit, Failure> {
    let (session, turn) = (text(place, "session"), text(place, "turn"));
    let told = connection.get(&format!("/sessions/{session}/turns/{turn}/why")).await?;
    context.output.document(&told)?;
    let texts = &context.texts.why;
    request(context, &told)?;
    for one in items(&told, "reviews") {
        intent(context, one)?;
        risk(context, one)?;
        review(context, one.get("dacs").unwrap_or(&Value::Null))?;
        advice(context, one)?;
        match text(one, "blueprint") {
            "" => {}
            plan => context.say(&texts.plan, &[("plan", plan)])?,
        }
    }
    calls(context, &told)?;
    answers_checked(context, &told)?;
    let rulings = items(&told, "decisions");
    decisions(context, rulings)?;
    // Behind one that was denied another model may have been asked.
    if let Some(denied) = rulings.iter().rfind(|one| text(one, "outcome") == "deny") {
        ending(context, denied)?;
    }
    match text(&told, "outcome") {
        "" => context.say(&texts.undecided, &[])?,
        outcome => context.say(&texts.ended, &[("outcome", named(&texts.outcomes, outcome))])?,
    }
    versions(context, &told)?;
    Ok(Exit::Done)
}

fn request(context: &Context, told: &Value) -> Result<(), Failure> {
    let texts = &context.texts.why;
    let Some(request) = told.get("request").filter(|request| !request.is_null()) else {
        return context.say(&texts.no_request, &[]);
    };
    let record = number(request, "seq").to_string();
    let values = [
        ("turn", text(request, "turn")),
        ("at", text(request, "at")),
        ("hmac", short(text(request, "hmac"))),
        ("record", &record),
    ];
    context.say(&texts.request, &values)
}

fn intent(context: &Context, of: &Value) -> Result<(), Failure> {
    let values = [
        ("task", text(of, "task_type")),
        ("effect", text(of, "effect")),
        ("spec", short(text(of, "spec"))),
    ];
    context.say(&context.texts.why.intent, &values)
}

fn risk(context: &Context, of: &Value) -> Result<(), Failure> {
    let texts = &context.texts.why;
    let Some(risk) = of.get("risk").filter(|risk| risk.get("risky").is_some_and(Value::is_boolean))
    else {
        return context.say(&texts.risk_unknown, &[]);
    };
    if !flag(risk, "risky") {
        return context.say(&texts.not_risky, &[]);
    }
    match words(risk, "codes").join(" ").as_str() {
        "" => context.warn(&texts.risky_only, &[])?,
        codes => context.warn(&texts.risky, &[("codes", codes)])?,
    }
    items(risk, "reasons").iter().try_for_each(|reason| indented(context, &local(context, reason)))
}

fn review(context: &Context, dacs: &Value) -> Result<(), Failure> {
    let texts = &context.texts.why;
    if dacs.is_null() {
        return context.say(&texts.no_review, &[]);
    }
    let panel = match text(dacs, "panel") {
        "" => "",
        panel => named(&texts.panels, panel),
    };
    let stage = text(dacs, "stage");
    let values = [
        ("consensus", text(dacs, "consensus")),
        ("stage", if stage.is_empty() { "–" } else { stage }),
        ("panel", panel),
        ("rules", short(text(dacs, "rules"))),
    ];
    context.say(&texts.review, &values)?;
    for opinion in items(dacs, "opinions") {
        let model = text(opinion, "model");
        let by = if model.is_empty() { texts.by_rules.as_str() } else { model };
        let codes = words(opinion, "codes").join(" ");
        let values = [
            ("persona", text(opinion, "persona")),
            ("vote", text(opinion, "vote")),
            ("codes", codes.as_str()),
            ("by", by),
        ];
        context.say(&texts.opinion, &values)?;
        for reason in items(opinion, "reasons") {
            indented(context, &local(context, reason))?;
        }
    }
    context.say(&texts.rule, &[])
}

fn calls(context: &Context, told: &Value) -> Result<(), Failure> {
    let texts = &context.texts.why;
    for call in items(told, "calls") {
        let role = match text(call, "stage") {
            "" => text(call, "persona"),
            stage => named(&texts.answer_stages, stage),
        };
        let of = [text(call, "model"), role].join(" ");
        let record = number(call, "seq").to_string();
        let values = [
            ("of", of.trim_end()),
            ("prompt", short(text(call, "prompt"))),
            ("turn", text(call, "turn")),
            ("record", &record),
        ];
        context.output.line(&harmless(&fill(&texts.call, &values)))?;
        if let Some(plan) = call.get("plan").filter(|plan| plan.is_object()) {
            planned(context, plan)?;
        }
        if let Some(documents) = call.get("documents").filter(|of| of.is_object()) {
            let [found, shown] = ["found", "shown"].map(|name| number(documents, name).to_string());
            let line = if found == "0" { &texts.no_documents } else { &texts.documents };
            context.say(line, &[("found", found.as_str()), ("shown", shown.as_str())])?;
        }
    }
    Ok(())
}

/// Answers in words that were looked at before they were given, and what was left out of that.
fn answers_checked(context: &Context, told: &Value) -> Result<(), Failure> {
    let texts = &context.texts.why;
    for answer in items(told, "answers") {
        let (found, record) = (items(answer, "findings"), number(answer, "seq").to_string());
        let end = match (flag(answer, "refined"), found.is_empty()) {
            (true, _) => &texts.refined,
            (false, true) => &texts.nothing_found,
            (false, false) => &texts.as_it_was,
        };
        let by = named(&texts.answer_by, text(answer, "by"));
        let values = [("by", by), ("end", end.as_str()), ("record", record.as_str())];
        context.say(&texts.answer, &values)?;
        let meaning = |of: &Value| of.get("text").map(|words| local(context, words));
        for finding in found {
            let said = meaning(finding).unwrap_or_default();
            context.say(&texts.finding, &[("code", text(finding, "code")), ("text", &said)])?;
        }
        for one in items(answer, "left_out") {
            let why = meaning(one).unwrap_or_default();
            let stage = named(&texts.answer_stages, text(one, "stage"));
            context.warn(&texts.left_out, &[("stage", stage), ("why", &why)])?;
        }
    }
    Ok(())
}

/// What the model was shown, and what each part of it cost.
fn planned(context: &Context, plan: &Value) -> Result<(), Failure> {
    let texts = &context.texts.why;
    let parts = items(plan, "parts");
    let used = parts.iter().map(|part| number(part, "used")).fold(0, u64::saturating_add);
    let figure = |name| number(plan, name).to_string();
    let (total, window, percent) = (figure("total"), figure("window"), figure("error_percent"));
    let counted = if flag(plan, "exact") { &texts.counted } else { &texts.estimated };
    let counted = fill(counted, &[("percent", &percent)]);
    let used = used.to_string();
    let values =
        [("used", used.as_str()), ("total", &total), ("window", &window), ("counted", &counted)];
    context.say(&texts.seen, &values)?;
    let heads = [&texts.part, &texts.used, &texts.granted_tokens, &texts.dropped];
    context.table(parts, heads, |part| {
        let name = named(&texts.parts, text(part, "part"));
        let dropped = match number(part, "dropped") {
            0 => String::new(),
            count => count.to_string(),
        };
        let figure = |name| number(part, name).to_string();
        [format!("    {}", harmless(name)), figure("used"), figure("granted"), dropped]
    })?;
    for stage in items(plan, "stages") {
        let why = named(&texts.stages, text(stage, "why"));
        let values = [("part", named(&texts.parts, text(stage, "stage"))), ("why", why)];
        context.say(&texts.less, &values)?;
    }
    Ok(())
}

fn decisions(context: &Context, rulings: &[Value]) -> Result<(), Failure> {
    let texts = &context.texts.why;
    for ruling in rulings {
        let subject = ruling.get("subject").unwrap_or(&Value::Null);
        let record = number(ruling, "seq").to_string();
        let of = [text(subject, "step"), text(subject, "model")].concat();
        let values = [
            ("record", record.as_str()),
            ("at", text(ruling, "at")),
            ("subject", named(&texts.subjects, text(subject, "kind"))),
            ("of", of.as_str()),
            ("outcome", named(&texts.outcomes, text(ruling, "outcome"))),
        ];
        let (is_denied, line) = (text(ruling, "outcome") == "deny", &texts.ruling);
        if is_denied {
            context.warn(line, &values)?
        } else {
            context.say(line, &values)?
        }
        for gate in items(ruling, "gates") {
            let values = [
                ("gate", text(gate, "gate")),
                ("answer", named(&texts.outcomes, text(gate, "answer"))),
                ("code", text(gate, "code")),
            ];
            context.say(&texts.gate, &values)?;
        }
    }
    Ok(())
}

/// What was decided last, and what would have been enough.
fn ending(context: &Context, ruling: &Value) -> Result<(), Failure> {
    let texts = &context.texts.why;
    if text(ruling, "outcome") != "deny" {
        return context.say(&texts.allowed, &[]);
    }
    context.warn(&texts.denied, &[])?;
    advice(context, ruling)?;
    let enough = ruling.get("enough").unwrap_or(&Value::Null);
    context.say(named(&texts.proofs, text(enough, "proof")), &[])?;
    for change in items(enough, "changes") {
        let value = change.get("value").filter(|value| !value.is_null());
        let value = value.map_or(String::new(), |value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        let roles: Vec<&str> =
            words(change, "by").into_iter().map(|role| named(&texts.roles, role)).collect();
        let values = [
            ("field", text(change, "field")),
            ("value", value.as_str()),
            ("by", &roles.join(", ")),
            ("yours", if flag(change, "yours") { texts.yours.as_str() } else { "" }),
        ];
        let line = match text(change, "field") {
            "" => named(&texts.acts, text(change, "kind")),
            _ => named(&texts.changes, text(change, "kind")),
        };
        context.say(line, &values)?;
    }
    Ok(())
}

/// What stopped it, in words.
fn advice(context: &Context, of: &Value) -> Result<(), Failure> {
    for one in items(of, "advice") {
        let said = one.get("text").map(|words| local(context, words)).unwrap_or_default();
        let values = [("code", text(one, "code")), ("text", said.as_str())];
        context.say(&context.texts.why.stopped, &values)?;
    }
    Ok(())
}

fn versions(context: &Context, told: &Value) -> Result<(), Failure> {
    let of = told.get("versions").unwrap_or(&Value::Null);
    let policies: Vec<String> =
        items(of, "policies").iter().map(|one| number(one, "number").to_string()).collect();
    let policy = policies.join(", ");
    let prompts: Vec<&str> = words(of, "prompts").into_iter().map(short).collect();
    let values = [
        ("policy", if policy.is_empty() { "–" } else { policy.as_str() }),
        ("review", short(text(of, "review_rules"))),
        ("risk", short(text(of, "risk_rules"))),
        ("prompts", &prompts.join(" ")),
        ("models", &words(of, "models").join(" ")),
        ("build", text(of, "answering_build")),
    ];
    context.say(&context.texts.why.versions, &values)
}

fn indented(context: &Context, said: &str) -> Result<(), Failure> {
    context.output.line(&format!("      {}", harmless(said)))
}

fn local(context: &Context, words: &Value) -> String {
    text(words, context.language.as_str()).to_owned()
}

fn short(hash: &str) -> &str {
    hash.get(..HASH_DIGITS).unwrap_or(if hash.is_empty() { "–" } else { hash })
}
