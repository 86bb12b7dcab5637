//! `doctor`: inspects the machine, changes nothing, and gives advice.

mod check;
mod checks;
mod data;
mod subject;

use crate::{
    commands::doctor::check::{Check, Health},
    config::Flags,
    context::Context,
    exit::Exit,
    failure::Failure,
    output::{Tone, harmless},
    texts::named,
};

pub async fn doctor(context: &Context, flags: &Flags) -> Result<Exit, Failure> {
    let checks = checks::all(context, flags).await;
    context.output.document(&checks)?;
    checks.iter().try_for_each(|check| print(context, check))?;
    let count = |health| checks.iter().filter(|check| check.health == health).count().to_string();
    let (ok, warn, fail) = (count(Health::Ok), count(Health::Warn), count(Health::Fail));
    let values = [("ok", ok.as_str()), ("warn", &warn), ("fail", &fail)];
    context.say(&context.texts.doctor.summary, &values)?;
    let failed = checks.iter().any(|check| check.health == Health::Fail);
    Ok(if failed { Exit::CheckFailed } else { Exit::Done })
}

fn print(context: &Context, check: &Check) -> Result<(), Failure> {
    let texts = &context.texts.doctor;
    let (tone, word) = match check.health {
        Health::Ok => (Tone::Good, &texts.ok),
        Health::Warn => (Tone::Doubtful, &texts.warn),
        Health::Fail => (Tone::Bad, &texts.fail),
    };
    let name = named(&texts.names, check.subject.as_str());
    let word = context.output.toned(tone, word);
    context.output.line(&format!("{word}  {name}: {}", harmless(&check.found)))?;
    match texts.advice.get(check.advice) {
        Some(advice) if check.health != Health::Ok => {
            context.output.line(&format!("      → {advice}"))
        }
        Some(_) | None => Ok(()),
    }
}
