//! `rollout`: figures, divergences and their reviews, waivers, promotion and demotion.

use crate::args::project::ProjectArg;
use crate::args::{DivergencesArgs, ReviewArgs, StageArgs, WaiveArgs};
use crate::connection::{flag, items, number, path, text, words};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::texts::named;
use serde_json::{Value, json};
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
    let asked = [
        ("review", &args.review),
        ("consensus", &args.consensus),
        ("concern", &args.concern),
        ("stage", &args.stage),
    ];
    let asked = asked.into_iter().filter_map(|(name, value)| value.as_ref().map(|v| (name, v)));
    let query: Vec<String> = asked.map(|(name, value)| format!("{name}={value}")).collect();
    let below = match query.is_empty() {
        true => format!("/projects/{project}/divergences"),
        false => format!("/projects/{project}/divergences?{}", query.join("&")),
    };
    let rows = connection.rows(&below).await?;
    let (texts, list) = (&context.texts.rollout, &context.texts.list);
    let cells = |row: &Value| {
        let verdict = match text(row, "verdict") {
            "" => "unreviewed",
            verdict => verdict,
        };
        [
            number(row, "record").to_string(),
            text(row, "at").to_owned(),
            number(row, "times").to_string(),
            text(row, "consensus").to_owned(),
            concerns(row),
            named(&texts.stages, text(row, "stage")).to_owned(),
            named(&texts.verdicts, verdict).to_owned(),
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
    ];
    context.list(&rows, heads, cells)
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
