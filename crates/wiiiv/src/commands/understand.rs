//! `understand TEXT`: prints how the built-in model reads a text. It calls, sends and changes
//! nothing.

use crate::args::{PendingQuestion, UnderstandArgs};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::start_error::StartError;
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use wiiiv_domain::{Lang, Slots, Spec, System, TaskType};
use wiiiv_fakes::ServiceKind;
use wiiiv_language::{JOBS_LATER_MAX, Lexicon, Lost, Reading, Situation, read};
use wiiiv_messages::Messages;

/// Where the demo services would stand: their words are known here, and nobody is called.
const NOWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 1);

pub fn understand(context: &Context, args: UnderstandArgs) -> Result<Exit, Failure> {
    let lexicon = Lexicon::embedded().map_err(StartError::built_in)?;
    let messages = Messages::embedded().map_err(StartError::built_in)?;
    let systems = ServiceKind::ALL.into_iter().map(|kind| kind.system(NOWHERE));
    let systems: Vec<System> = systems.collect::<Result<_, _>>().map_err(StartError::built_in)?;
    let UnderstandArgs { text, earlier, asked } = args;
    let situation = Situation {
        awaiting_answer: asked.is_some(),
        active: asked.map(|PendingQuestion { task, missing }| (task, missing)),
        known: Slots::default(),
        earlier_run: earlier,
        ran: Slots::default(),
        waiting: Vec::new(),
        aside: Vec::new(),
        systems: Arc::from(systems),
    };
    let reading = read(&lexicon, &text, &situation);
    context.output.document(&document(&messages, &reading))?;
    told(context, &messages, &reading)?;
    Ok(Exit::Done)
}

fn document(messages: &Messages, reading: &Reading) -> Value {
    let later = reading.later.iter();
    let later: Vec<Value> = later
        .map(|job| json!({"task": job.task_type, "slots": job.slots, "text": job.text}))
        .collect();
    json!({
        "language": reading.language.as_str(),
        "signal": signal(reading),
        "task": reading.task_type,
        "slots": reading.slots,
        "later": later,
        "left": reading.left,
        "declined": reading.lost.map(|lost| declined(messages, reading.language, lost)),
        "confidence": f64::from(reading.confidence),
        "negated": reading.negated,
        "asks": reading.task_type.map(|task| Spec::missing(task, &reading.slots)),
    })
}

fn told(context: &Context, messages: &Messages, reading: &Reading) -> Result<(), Failure> {
    let (texts, lang) = (&context.texts.understand, context.language);
    let line = |name: &str, value: &str| context.output.line(&format!("{name}: {value}"));
    line(&texts.signal, &signal(reading))?;
    match reading.task_type {
        Some(task) => {
            line(&texts.task, &format!("{task} ({})", messages.task(lang, task)))?;
            slots(context, &reading.slots)?;
            asks(context, messages, task, &reading.slots)?;
        }
        None => line(&texts.task, if reading.negated { &texts.negated } else { &texts.none })?,
    }
    for (nth, job) in reading.later.iter().enumerate() {
        line(&format!("{} {}", texts.later, nth + 1), job.task_type.as_str())?;
        slots(context, &job.slots)?;
        asks(context, messages, job.task_type, &job.slots)?;
    }
    reading.left.iter().try_for_each(|part| line(&texts.left, &harmless(part)))?;
    // Said in place of whatever was read.
    if let Some(lost) = reading.lost {
        line(&texts.declined, &declined(messages, lang, lost))?;
    }
    line(&texts.confidence, &format!("{:.2}", reading.confidence))
}

/// Why nothing of it is taken.
fn declined(messages: &Messages, lang: Lang, lost: Lost) -> String {
    messages.offline_lost(lang, lost.as_str(), JOBS_LATER_MAX + 1)
}

fn slots(context: &Context, slots: &Slots) -> Result<(), Failure> {
    slots.iter().try_for_each(|(name, value)| {
        context.output.line(&format!("  {name} = {}", harmless(&value.replace('\n', "\\n"))))
    })
}

/// What it would ask, if it were a task now.
fn asks(
    context: &Context,
    messages: &Messages,
    task: TaskType,
    known: &Slots,
) -> Result<(), Failure> {
    let missing = Spec::missing(task, known);
    let missing: Vec<_> =
        missing.into_iter().filter_map(|name| wiiiv_domain::SlotName::parse(name).ok()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let question = messages.ask(context.language, task, &missing, "");
    context.output.line(&format!("  {}: {question}", context.texts.understand.asks))
}

fn signal(reading: &Reading) -> String {
    format!("{:?}", reading.signal).to_lowercase()
}
