//! `policy`: the version in force, what a file would change, and a new version from it.

use crate::args::project::ProjectArg;
use crate::commands::fine_rules;
use crate::connection::{Connection, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json_file;
use crate::output::harmless;
use crate::plan::PlanNames;
use crate::short_id::short;
use crate::texts::{PolicyTexts, named};
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_net::ApiCall;

pub async fn show(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let version = connection.get(&format!("/projects/{project}/policy")).await?;
    context.output.document(&version)?;
    let number = version.get("number").map(Value::to_string).unwrap_or_default();
    let head =
        [("number", number.as_str()), ("id", text(&version, "id")), ("at", text(&version, "at"))];
    context.say(&context.texts.policy.version, &head)?;
    let policy = version.get("policy").unwrap_or(&version);
    let pretty = serde_json::to_string_pretty(policy).map_err(std::io::Error::from)?;
    context.output.line(&pretty)?;
    Ok(Exit::Done)
}

/// A new version over the one that `expected` names, or over the one that is current now.
pub async fn set(
    context: &Context,
    file: &Path,
    reason: &str,
    expected: Option<&str>,
    project: &ProjectArg,
) -> Result<Exit, Failure> {
    // As `policy show --json` prints it: the policy alone, or the whole version.
    let document = json_file::read(file)?;
    let policy = document.get("policy").unwrap_or(&document);
    let (connection, project) = project.open(context).await?;
    let below = path(&format!("/projects/{project}/policy"));
    let tag = match expected {
        Some(version) => format!("\"{version}\""),
        None => {
            let current = connection.client.send(ApiCall::get(&below)).await?;
            current.etag.ok_or(Failure::Answer { field: "ETag" })?
        }
    };
    put(context, &connection, &below, policy, (reason, tag)).await
}

/// The current version, with the fine rules of the file in place of its own.
pub async fn rules(
    context: &Context,
    file: &Path,
    reason: &str,
    expected: Option<&str>,
    project: &ProjectArg,
) -> Result<Exit, Failure> {
    let text = fine_rules::read(file)?;
    if let Some(refused) = fine_rules::refused(context, file, &text)? {
        return Ok(refused);
    }
    let (connection, project) = project.open(context).await?;
    let below = path(&format!("/projects/{project}/policy"));
    let current = connection.client.send(ApiCall::get(&below)).await?;
    let tag = match expected {
        Some(version) => format!("\"{version}\""),
        None => current.etag.ok_or(Failure::Answer { field: "ETag" })?,
    };
    let mut policy =
        current.body.get("policy").cloned().ok_or(Failure::Answer { field: "policy" })?;
    let fields = policy.as_object_mut().ok_or(Failure::Answer { field: "policy" })?;
    fields.insert("fineRules".to_owned(), Value::String(text));
    put(context, &connection, &below, &policy, (reason, tag)).await
}

async fn put(
    context: &Context,
    connection: &Connection,
    below: &str,
    policy: &Value,
    (reason, tag): (&str, String),
) -> Result<Exit, Failure> {
    let body = json!({ "policy": policy, "reason": reason });
    let call = ApiCall::put(below).json(body).if_match(tag);
    let version = connection.client.send(call).await?.body;
    let number = version.get("number").map(Value::to_string).unwrap_or_default();
    let values = [("number", number.as_str()), ("id", text(&version, "id"))];
    let exit = context.done(&version, &context.texts.policy.set, &values)?;
    said_notices(context, &version)?;
    Ok(exit)
}

/// What whoever saves it should know of it.
fn said_notices(context: &Context, of: &Value) -> Result<(), Failure> {
    let notices = rows(of, "notices").iter().filter_map(Value::as_str);
    let mut texts = notices.map(|notice| named(&context.texts.policy.notices, notice));
    texts.try_for_each(|told| context.warn(told, &[]))
}

/// What the policy of a file would change, and which recorded rulings would have been another one.
pub async fn diff(
    context: &Context,
    file: &Path,
    replay: Option<u32>,
    project: &ProjectArg,
) -> Result<Exit, Failure> {
    let document = json_file::read(file)?;
    let policy = document.get("policy").unwrap_or(&document);
    let (connection, project) = project.open(context).await?;
    let body = json!({ "policy": policy, "days": replay.unwrap_or(0) });
    let impact = connection.post(&format!("/projects/{project}/policy/impact"), body).await?;
    context.output.document(&impact)?;
    said_changes(context, rows(&impact, "changes"))?;
    said_notices(context, &impact)?;
    if replay.is_some() {
        said_replay(context, &impact)?;
    }
    Ok(Exit::Done)
}

/// What is another than in the version in force.
pub fn said_changes(context: &Context, changes: &[Value]) -> Result<(), Failure> {
    if changes.is_empty() {
        context.output.line(&context.texts.policy.same)?;
    }
    for change in changes {
        let value = |name: &str| match change.get(name) {
            None | Some(Value::Null) => "–".to_owned(),
            Some(value) => harmless(&value.to_string()),
        };
        let path = harmless(text(change, "path"));
        context.output.line(&format!("{path}: {} → {}", value("from"), value("to")))?;
    }
    Ok(())
}

/// Which recorded rulings would have been another one.
pub fn said_replay(context: &Context, impact: &Value) -> Result<(), Failure> {
    let texts = &context.texts.policy;
    let number = |of: &Value, name: &str| of.get(name).map(Value::to_string).unwrap_or_default();
    let said = |name| number(impact, name);
    let (judged, changed) = (said("judged"), said("changed"));
    let head = [("since", text(impact, "since")), ("judged", &judged), ("changed", &changed)];
    context.say(&texts.judged, &head)?;
    for count in rows(impact, "counts") {
        let kind = outcome(texts, count, text(count, "code"), text(count, "asks"));
        context.output.line(&format!("  {} × {kind}", number(count, "count")))?;
    }
    said_refusals(context, impact)?;
    let left = [
        (&texts.steps_not_judged, "steps_not_judged"),
        (&texts.erased, "erased"),
        (&texts.other_rules, "other_rules"),
    ];
    for (said_of, name) in left {
        if said(name) != "0" {
            context.say(said_of, &[("count", &said(name))])?;
        }
    }
    if impact.get("more").and_then(Value::as_bool).unwrap_or_default() {
        context.output.line(&texts.more)?;
    }
    let plans = PlanNames::of(context.language)?;
    let cells = |row: &Value| {
        let would = row.get("would_be").unwrap_or(&Value::Null);
        let code = rows(would, "denials").first().map(|one| text(one, "code")).unwrap_or_default();
        let kind = outcome(texts, row, code, text(would, "asks"));
        let [seq, at] = [number(row, "seq"), text(row, "at").to_owned()];
        let ids = [text(row, "blueprint"), text(row, "execution")].map(|id| short(id).to_owned());
        let [plan, run] = ids;
        let task = plans.task(text(row, "task_type")).to_owned();
        [seq, at, plan, run, task, text(row, "step").to_owned(), kind]
    };
    let list = &context.texts.list;
    let heads: [&str; 7] = [
        &texts.ruling,
        &list.at,
        &list.plan,
        &texts.run,
        &texts.task_type,
        &list.step,
        &texts.would,
    ];
    let examples: Vec<_> = rows(impact, "examples").iter().map(cells).collect();
    if examples.is_empty() { Ok(()) } else { context.output.table(heads, &examples) }
}

/// What came to no plan and no call, and what nothing can be told of: no difference is no proof there.
fn said_refusals(context: &Context, impact: &Value) -> Result<(), Failure> {
    let texts = &context.texts.policy;
    let (early, calls) = (rows(impact, "early"), rows(impact, "refused_calls"));
    let line = |row: &Value, told: &str| {
        let count = row.get("count").map(Value::to_string).unwrap_or_default();
        context.output.line(&format!("  {count} × {}{told}", text(row, "code")))
    };
    if !early.is_empty() {
        context.output.line(&texts.early)?;
    }
    for row in early {
        line(row, &format!(": {}", named(&texts.fates, text(row, "fate"))))?;
    }
    if !calls.is_empty() {
        context.output.line(&texts.refused_calls)?;
    }
    for row in calls {
        line(row, "")?;
    }
    let untold: Vec<&str> = rows(impact, "untold").iter().filter_map(Value::as_str).collect();
    if untold.is_empty() {
        return Ok(());
    }
    context.warn(&texts.untold, &[("keys", &harmless(&untold.join(", ")))])
}

fn rows<'a>(of: &'a Value, name: &str) -> &'a [Value] {
    of.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// In words: what would be, and by which code, or who would be asked.
fn outcome(texts: &PolicyTexts, of: &Value, code: &str, asks: &str) -> String {
    let kind = named(&texts.kinds, text(of, "kind"));
    match (asks, code) {
        ("refused", code) => format!("{kind}: {code}"),
        (asks, _) => format!("{kind}: {}", named(&texts.asks, asks)),
    }
}
