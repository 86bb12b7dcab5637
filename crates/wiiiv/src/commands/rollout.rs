//! `rollout`: figures, divergences and their reviews, waivers, promotion and demotion.

use crate::args::project::ProjectArg;
use crate::args::{DivergencesArgs, FiguresArgs, ReviewArgs, StageArgs, WaiveArgs};
use crate::commands::audit_list::judged;
use crate::connection::{flag, items, number, path, text, words};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::plan::PlanNames;
use crate::query::Query;
use crate::texts::named;
use serde_json::{Value, json};
use wiiiv_domain::TaskType;
use wiiiv_net::ApiCall;

/// The exit says whether the alarm is on.
pub async fn show(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let found = connection.get(&format!("/projects/{project}/rollout")).await?;
    context.output.document(&found)?;
    let texts = &context.texts.rollout;
    context.say(&texts.stage, &[("stage", named(&texts.stages, text(&found, "stage")))])?;
    say_figures(context, found.get("figures").unwrap_or(&Value::Null))?;
    say_run(context, &found)?;
    say_waiver(context, found.get("waiver").unwrap_or(&Value::Null))?;
    if text(&found, "stage") == "observe" {
        let may = flag(&found, "may_be_promoted");
        context.say(if may { &texts.ready } else { &texts.not_ready }, &[])?;
        for reason in words(&found, "reasons") {
            context.say(&texts.reason_line, &[("reason", named(&texts.reasons, reason))])?;
        }
    }
    if flag(&found, "alarm") {
        context.warn(&texts.alarm, &[])?;
        return Ok(Exit::CheckFailed);
    }
    Ok(Exit::Done)
}

fn say_figures(context: &Context, figures: &Value) -> Result<(), Failure> {
    let counts = ["evaluated", "divergences", "unreviewed", "wrong"];
    let [evaluated, divergences, unreviewed, wrong] =
        counts.map(|name| number(figures, name).to_string());
    let [bound, most] = ["bound_ppm", "bound_max_ppm"].map(|name| percent(number(figures, name)));
    let values = [
        ("evaluated", evaluated.as_str()),
        ("divergences", &divergences),
        ("unreviewed", &unreviewed),
        ("wrong", &wrong),
    ];
    context.say(&context.texts.rollout.counted, &values)?;
    context.say(&context.texts.rollout.bound, &[("bound", &bound), ("most", &most)])
}

/// Of parts per million, with two digits, rounded up.
fn percent(ppm: u64) -> String {
    let hundredths = ppm.div_ceil(100);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

fn say_run(context: &Context, found: &Value) -> Result<(), Failure> {
    let standing = found.get("run").filter(|run| !run.is_null());
    let Some(run) = standing else { return context.say(&context.texts.rollout.no_model, &[]) };
    let standing = super::models::standing(context, run);
    context.say(&context.texts.rollout.run, &[("standing", &standing)])
}

fn say_waiver(context: &Context, waiver: &Value) -> Result<(), Failure> {
    if waiver.is_null() {
        return Ok(());
    }
    let texts = &context.texts.rollout;
    let values = [
        ("by", text(waiver, "asked_by_name")),
        ("joined", text(waiver, "joined_by_name")),
        ("until", text(waiver, "expires_at")),
        ("reason", text(waiver, "reason")),
    ];
    let whole = waiver.get("joined_by").is_some_and(|by| !by.is_null());
    context.say(if whole { &texts.waiver_whole } else { &texts.waiver_waits }, &values)
}

pub async fn divergences(context: &Context, args: &DivergencesArgs) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    let mut query = Query::of(format!("/projects/{project}/divergences"));
    query.add("review", args.review.as_deref());
    query.add("consensus", args.consensus.as_deref());
    query.add("concern", args.concern.as_deref());
    query.add("stage", args.stage.as_deref());
    query.add("task_type", args.of_type.map(TaskType::as_str));
    query.add("model", args.of_model.as_deref());
    query.add("from", args.first.as_deref());
    query.add("until", args.last.as_deref());
    if let Some(requester) = &args.requester {
        query.add("requester", Some(&*connection.member(project, requester).await?));
    }
    let rows = connection.rows(&query.text()).await?;
    let (texts, list) = (&context.texts.rollout, &context.texts.list);
    let plans = PlanNames::of(context.language)?;
    let cells = |row: &Value| {
        let verdict = match text(row, "verdict") {
            "" => "unreviewed",
            verdict => verdict,
        };
        [
            number(row, "record").to_string(),
            text(row, "at").to_owned(),
            number(row, "times").to_string(),
            judged(&context.texts.audit, text(row, "consensus")).to_owned(),
            concerns(row),
            named(&texts.stages, text(row, "stage")).to_owned(),
            named(&texts.verdicts, verdict).to_owned(),
            plans.task(text(row, "task_type")).to_owned(),
            text(row, "requester_name").to_owned(),
            explained(row).to_owned(),
        ]
    };
    let heads = [
        &texts.record,
        &list.at,
        &texts.times,
        &texts.consensus,
        &texts.concerns,
        &texts.made_in,
        &texts.verdict,
        &texts.task,
        &list.requester,
        &texts.why,
    ];
    context.list(&rows, heads, cells)
}

/// What `why` takes: its plan, else the turn that it was reviewed in.
fn explained(row: &Value) -> &str {
    match text(row, "blueprint") {
        "" => text(row, "turn"),
        plan => plan,
    }
}

/// Rates by task type, model and day, and what became of what was reviewed.
pub async fn figures(context: &Context, args: &FiguresArgs) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    let mut query = Query::of(format!("/projects/{project}/rollout/figures"));
    query.add("from", args.first_day.as_deref());
    query.add("until", args.last_day.as_deref());
    let found = connection.get(&query.text()).await?;
    context.output.document(&found)?;
    let texts = &context.texts.rollout;
    let days = [("from", text(&found, "from")), ("until", text(&found, "until"))];
    context.say(&texts.days, &days)?;
    if flag(&found, "truncated") {
        context.warn(&texts.truncated, &[])?;
    }
    let total = found.get("total").unwrap_or(&Value::Null);
    if number(total, "evaluated") == 0 {
        return context.output.line(&context.texts.list.none).map(|()| Exit::Done);
    }
    say_matrix(context, found.get("matrix").unwrap_or(&Value::Null))?;
    let plans = PlanNames::of(context.language)?;
    let task = |row: &Value| plans.task(text(row, "task_type")).to_owned();
    say_rates(context, (&texts.task, items(&found, "by_task_type")), task)?;
    let of = |field: &'static str| move |row: &Value| text(row, field).to_owned();
    say_rates(context, (&texts.model, items(&found, "by_model")), of("model"))?;
    say_rates(context, (&texts.day, items(&found, "by_day")), of("day"))?;
    Ok(Exit::Done)
}

fn say_matrix(context: &Context, matrix: &Value) -> Result<(), Failure> {
    let texts = &context.texts.rollout;
    let row = |head: &str, of: &str| {
        let count = |cell: &str| {
            let cell = matrix.get(of).and_then(|cells| cells.get(cell));
            cell.map_or(0, |cell| number(cell, "count")).to_string()
        };
        [head.to_owned(), count("ran"), count("not_run")]
    };
    let rows = [row(&texts.let_through, "let_through"), row(&texts.divergent, "divergent")];
    let heads = [&texts.consensus, &texts.ran, &texts.not_run];
    context.output.table(heads.map(String::as_str), &rows)
}

/// A table of its own for each way to group them.
fn say_rates(
    context: &Context,
    (head, rows): (&String, &[Value]),
    group: impl Fn(&Value) -> String,
) -> Result<(), Failure> {
    let texts = &context.texts.rollout;
    let cells = |row: &Value| {
        let counts = row.get("counts").unwrap_or(&Value::Null);
        let group = Some(group(row)).filter(|group| !group.is_empty());
        let count = |field: &str| number(counts, field).to_string();
        [
            group.unwrap_or_else(|| texts.not_recorded.clone()),
            count("evaluated"),
            count("divergences"),
            format!("{}%", percent(number(counts, "divergences_ppm"))),
            count("right"),
            count("wrong"),
            count("unreviewed"),
        ]
    };
    let heads = [
        head,
        &texts.evaluated,
        &texts.objected,
        &texts.share,
        &texts.right,
        &texts.wrong,
        &texts.unreviewed,
    ];
    context.output.line("")?;
    context.table(rows, heads, cells).map(|_| ())
}

/// Each once.
fn concerns(row: &Value) -> String {
    let mut codes: Vec<&str> =
        items(row, "opinions").iter().flat_map(|opinion| words(opinion, "codes")).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.join(", ")
}

pub async fn review(context: &Context, args: &ReviewArgs) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    let record = args.record.to_string();
    let below = format!("/projects/{project}/divergences/{record}/reviews");
    let body = json!({ "verdict": args.verdict, "note": args.note });
    let review = connection.post(&below, body).await?;
    let texts = &context.texts.rollout;
    let values = [("record", &*record), ("verdict", named(&texts.verdicts, &args.verdict))];
    context.done(&review, &texts.reviewed, &values)
}

/// Asks for a waiver, or joins the one that waits.
pub async fn waive(context: &Context, args: &WaiveArgs) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    let (below, texts) = (format!("/projects/{project}/waivers"), &context.texts.rollout);
    if let Some(reason) = &args.reason {
        let waiver = connection.post(&below, json!({ "reason": reason })).await?;
        let values = [("id", text(&waiver, "id")), ("until", text(&waiver, "expires_at"))];
        return context.done(&waiver, &texts.waiver_asked, &values);
    }
    let found = connection.get(&format!("/projects/{project}/rollout")).await?;
    let waiver = found.get("waiver").map(|waiver| text(waiver, "id")).unwrap_or_default();
    if waiver.is_empty() {
        context.output.document(&Value::Null)?;
        context.warn(&texts.no_waiver, &[])?;
        return Ok(Exit::CheckFailed);
    }
    let waiver = connection.post(&format!("{below}/{waiver}/join"), json!({})).await?;
    let values = [("by", text(&waiver, "asked_by_name")), ("until", text(&waiver, "expires_at"))];
    context.done(&waiver, &texts.waiver_joined, &values)
}

pub async fn promote(context: &Context, args: &StageArgs) -> Result<Exit, Failure> {
    switch(context, args, "promote", &context.texts.rollout.promoted).await
}

pub async fn demote(context: &Context, args: &StageArgs) -> Result<Exit, Failure> {
    switch(context, args, "demote", &context.texts.rollout.demoted).await
}

/// Over the policy version that `expected` names, or over the one that is current now.
async fn switch(
    context: &Context,
    args: &StageArgs,
    verb: &str,
    done: &str,
) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    let tag = match &args.expected {
        Some(version) => format!("\"{version}\""),
        None => {
            let current = ApiCall::get(path(&format!("/projects/{project}/policy")));
            let current = connection.client.send(current).await?;
            current.etag.ok_or(Failure::Answer { field: "ETag" })?
        }
    };
    let call = ApiCall::post(path(&format!("/projects/{project}/{verb}")));
    let call = call.json(json!({ "reason": args.reason })).if_match(tag);
    let version = connection.client.send(call).await?.body;
    let number = number(&version, "number").to_string();
    context.done(&version, done, &[("number", &number)])
}
