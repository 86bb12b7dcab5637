//! `models try`: one call of a slot's model, with a fixed text.

use crate::args::project::ProjectArg;
use crate::commands::models::units;
use crate::connection::{flag, number, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;
use crate::texts::{fill, named};
use serde_json::{Value, json};
use wiiiv_domain::ModelSlot;

/// One call of a slot's model: whether it answers, and for how much.
pub async fn run(
    context: &Context,
    (slot, picture): (ModelSlot, bool),
    args: &ProjectArg,
) -> Result<Exit, Failure> {
    let (connection, project) = args.open(context).await?;
    let body = json!({"slot": slot.as_str(), "picture": picture});
    let trial = connection.post(&format!("/projects/{project}/models/try"), body).await?;
    context.output.document(&trial)?;
    let texts = &context.texts.models;
    let failure = named(&texts.failures, text(&trial, "failure"));
    let [took, dimensions] =
        ["took_ms", "dimensions"].map(|field| number(&trial, field).to_string());
    let values = [
        ("provider", text(&trial, "provider")),
        ("model", text(&trial, "model")),
        ("took", &took),
        ("dimensions", &dimensions),
        ("failure", failure),
        ("reason", text(&trial, "reason")),
    ];
    let answered = flag(&trial, "answered");
    let (line, tone) = match (answered, trial.get("dimensions").is_some_and(Value::is_u64)) {
        (true, false) => (&texts.tried, Tone::Good),
        (true, true) => (&texts.tried_vectors, Tone::Good),
        (false, _) => (&texts.not_answered, Tone::Bad),
    };
    context.output.line(&context.output.toned(tone, &fill(line, &values)))?;
    match trial.get("saw").and_then(Value::as_bool) {
        Some(true) => context.output.line(&texts.saw)?,
        Some(false) => context.warn(&texts.saw_nothing, &[])?,
        None => {}
    }
    // Where nothing was called there is no cost to speak of.
    if number(&trial, "attempts") > 0 {
        context.output.line(&used(context, &trial))?;
    }
    Ok(match (answered, text(&trial, "failure")) {
        (true, _) => Exit::Done,
        (false, "budget" | "unpriced" | "halted" | "not_allowed") => Exit::Denied,
        (false, _) => Exit::CheckFailed,
    })
}

fn used(context: &Context, trial: &Value) -> String {
    let texts = &context.texts.models;
    let tokens = number(trial, "input_tokens").saturating_add(number(trial, "output_tokens"));
    let cost = trial.get("cost_micros").and_then(Value::as_u64);
    let cost = cost.map_or_else(
        || texts.unpriced.clone(),
        |cost| format!("{} {}", units(cost), text(trial, "currency")),
    );
    let cost =
        if flag(trial, "estimated") { fill(&texts.trial_untold, &[("cost", &cost)]) } else { cost };
    let values = [
        ("tokens", &*tokens.to_string()),
        ("cost", &cost),
        ("attempts", &number(trial, "attempts").to_string()),
        ("key", trial.get("key").and_then(Value::as_str).unwrap_or("-")),
        ("session", text(trial, "session")),
    ];
    fill(&texts.trial_used, &values)
}
