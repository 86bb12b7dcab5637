//! `models try`: one call of a slot's model, with a fixed text.

use crate::args::{SlotArg, project::ProjectArg};
use crate::commands::models::units;
use crate::connection::{Connection, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;
use crate::texts::fill;
use serde_json::{Value, json};

/// One call of a slot's model: whether it answers, and for how much.
pub async fn run(
    context: &Context,
    (slot, picture): (SlotArg, bool),
    args: &ProjectArg,
) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let project = connection.project(args.project.as_deref()).await?;
    let body = json!({"slot": slot.as_str(), "picture": picture});
    let trial = connection.post(&format!("/projects/{project}/models/try"), body).await?;
    context.output.document(&trial)?;
    let texts = &context.texts.models;
    let number = |field| trial.get(field).and_then(Value::as_u64).unwrap_or_default();
    let failure = text(&trial, "failure");
    let failure = texts.failures.get(failure).map_or(failure, String::as_str);
    let (took, dimensions) = (number("took_ms").to_string(), number("dimensions").to_string());
    let values = [
        ("provider", text(&trial, "provider")),
        ("model", text(&trial, "model")),
        ("took", &took),
        ("dimensions", &dimensions),
        ("failure", failure),
        ("reason", text(&trial, "reason")),
    ];
    let answered = trial.get("answered").and_then(Value::as_bool) == Some(true);
    let (line, tone) = match (answered, trial.get("dimensions").is_some_and(Value::is_u64)) {
        (true, false) => (&texts.tried, Tone::Good),
        (true, true) => (&texts.tried_vectors, Tone::Good),
        (false, _) => (&texts.not_answered, Tone::Bad),
    };
    context.output.line(&context.output.toned(tone, &fill(line, &values)))?;
    match trial.get("saw").and_then(Value::as_bool) {
        Some(true) => context.output.line(&texts.saw)?,
        Some(false) => {
            context.output.line(&context.output.toned(Tone::Doubtful, &texts.saw_nothing))?;
        }
        None => {}
    }
    // Where nothing was called there is no cost to speak of.
    if number("attempts") > 0 {
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
    let number = |field| trial.get(field).and_then(Value::as_u64).unwrap_or_default();
    let tokens = number("input_tokens").saturating_add(number("output_tokens")).to_string();
    let cost = trial.get("cost_micros").and_then(Value::as_u64);
    let cost = cost.map_or_else(
        || texts.unpriced.clone(),
        |cost| format!("{} {}", units(cost), text(trial, "currency")),
    );
    let untold = trial.get("estimated").and_then(Value::as_bool) == Some(true);
    let cost = if untold { fill(&texts.trial_untold, &[("cost", &cost)]) } else { cost };
    let attempts = number("attempts").to_string();
    let key = trial.get("key").and_then(Value::as_str).unwrap_or("-");
    fill(
        &texts.trial_used,
        &[
            ("tokens", &tokens),
            ("cost", &cost),
            ("attempts", &attempts),
            ("key", key),
            ("session", text(trial, "session")),
        ],
    )
}
