//! Texts that code writes: one catalogue by code and language, facts from step outputs only.

use crate::{
    claims::Known,
    config::FACT_BYTES_MAX,
    operations, preview,
    session::{Down, Session},
    shown,
};
use wiiiv_domain::{
    ApprovalBy, Blueprint, BlueprintDigest, ExecutionId, Lang, ReplyCode, SlotName, Spec,
    StepOutcome, TaskType,
};
use wiiiv_hlx::{explain, neutralise};

/// Between the sentences of a preview, its effects and its question.
pub const PARAGRAPH: &str = "\n\n";
/// Steps of a run that a reply tells of.
const STEPS_TOLD_MAX: usize = 16;

pub async fn render(session: &Session, code: &ReplyCode) -> Result<String, Down> {
    let texts = &session.room.deps.messages;
    let lang = session.language;
    let text = texts.reply(lang, code);
    match code {
        ReplyCode::Facts { execution, message } => {
            let facts = facts(session, *execution).await?;
            let founded = facts.known.founds(message);
            let message = if founded { message.clone() } else { String::new() };
            let told = ReplyCode::Facts { execution: *execution, message };
            Ok(join(&[&texts.reply(lang, &told), &facts.text]))
        }
        ReplyCode::RunFailed { execution, code } => {
            let why = texts.step_code(lang, code).unwrap_or_default();
            let facts = facts(session, *execution).await?;
            Ok(join(&[&text, why, &facts.text]))
        }
        ReplyCode::RunCancelled { execution } => {
            let facts = facts(session, *execution).await?;
            Ok(join(&[&text, &facts.text]))
        }
        ReplyCode::Waiting { digest } => {
            let plan = session.plans.get(digest).map(|plan| plan.blueprint.clone());
            let shown = match plan {
                Some(plan) => effects(session, &plan).await?,
                None => String::new(),
            };
            Ok(join(&[&shown, &text]))
        }
        ReplyCode::DacsNo { concerns } | ReplyCode::NeedsRevision { concerns } => {
            Ok(join(&[&text, &reasons(session, concerns)]))
        }
        // Names of jobs are the user's or a model's words.
        ReplyCode::TooManyJobs { .. }
        | ReplyCode::JobsTaken { .. }
        | ReplyCode::JobsDeclined { .. }
        | ReplyCode::JobClosed { .. }
        | ReplyCode::JobsDropped { .. }
        | ReplyCode::JobsLeftOut { .. }
        | ReplyCode::StillWaits { .. } => {
            Ok(text.lines().map(neutralise).collect::<Vec<_>>().join("\n"))
        }
        ReplyCode::Model { .. }
        | ReplyCode::Cancelled
        | ReplyCode::NothingToCancel
        | ReplyCode::Refused
        | ReplyCode::NothingToConfirm
        | ReplyCode::Stale { .. }
        | ReplyCode::Expired { .. }
        | ReplyCode::NotDrawable { .. }
        | ReplyCode::Denied { .. }
        | ReplyCode::Unavailable
        | ReplyCode::RunIndeterminate { .. }
        | ReplyCode::RoundLimit
        | ReplyCode::TooManyTasks { .. }
        | ReplyCode::ModelFailed { .. }
        | ReplyCode::Degraded { .. }
        | ReplyCode::FellBack { .. }
        | ReplyCode::Busy
        | ReplyCode::CannotRemember
        | ReplyCode::Reset
        | ReplyCode::Resumed { .. }
        | ReplyCode::UnknownTask => Ok(text),
    }
}

/// What each concern means and what would help, as `policies/` says it.
fn reasons(session: &Session, concerns: &[String]) -> String {
    let keeper = &session.room.deps.keeper;
    let known = concerns.iter().filter_map(|code| keeper.reason(code));
    let told = known.map(|reason| match session.language {
        Lang::Ko => format!("- {}", reason.ko),
        Lang::En => format!("- {}", reason.en),
    });
    told.collect::<Vec<_>>().join("\n")
}

fn join(parts: &[&str]) -> String {
    let told: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    told.join("\n")
}

pub fn question(session: &Session, task: TaskType, missing: &[SlotName], message: &str) -> String {
    let question = session.room.deps.messages.ask(session.language, task, missing, message);
    join(&[&question, &operations::told(session, missing)])
}

pub fn work_order(session: &Session, spec: &Spec) -> String {
    let (texts, lang) = (&session.room.deps.messages, session.language);
    let mut order = texts.task(lang, spec.task_type).to_owned();
    for (name, value) in spec.slots.iter() {
        order.push_str(&format!("\n- {}: {value}", texts.slot(lang, name)));
    }
    let digest = spec.digest().map(|digest| digest.short()).unwrap_or_default();
    texts.work_order(lang, &neutralise(&order), &digest)
}

/// From the frozen plan: what will happen, and what a yes means.
pub async fn preview(
    session: &Session,
    plan: &Blueprint,
    digest: BlueprintDigest,
    by: ApprovalBy,
) -> Result<String, Down> {
    let (texts, lang) = (&session.room.deps.messages, session.language);
    let (what, digest) = (effects(session, plan).await?, digest.short());
    Ok(match by {
        ApprovalBy::Requester => texts.confirm(lang, &what, &digest),
        ApprovalBy::AnotherPerson => texts.seek_approval(lang, &what, &digest),
    })
}

/// The plan in sentences, then what a yes changes and sends. A typed yes answers this text: it is
/// shown whole or the session goes down, never without its effects.
async fn effects(session: &Session, plan: &Blueprint) -> Result<String, Down> {
    let lang = session.language;
    let shown = preview::preview(session.room.clone(), plan.clone()).await;
    let shown = shown.ok_or_else(|| Down("the preview ended early".to_owned()))?;
    let sentences = explain(plan, lang);
    Ok([sentences.trim_end(), shown.to_text(lang).trim_end()].join(PARAGRAPH).trim_end().to_owned())
}

/// The preview that it says is over.
pub const fn expired(code: &ReplyCode) -> Option<BlueprintDigest> {
    if let ReplyCode::Expired { digest } = code { Some(*digest) } else { None }
}

struct Facts {
    text: String,
    known: Known,
}

async fn facts(session: &Session, execution: ExecutionId) -> Result<Facts, Down> {
    let (mut lines, mut known) = (Vec::new(), Known::default());
    for row in session.ended(execution).await?.iter().take(STEPS_TOLD_MAX) {
        let foreign =
            matches!(&row.outcome, Some(StepOutcome::Success { output }) if output.foreign);
        let line = match &row.outcome {
            Some(StepOutcome::Success { output }) if output.foreign => {
                format!("✓ {} ({} B)", row.step, output.size_bytes)
            }
            // A report of ours: the file that it speaks of comes below.
            Some(StepOutcome::Success { .. }) => format!("✓ {}", row.step),
            Some(StepOutcome::Failure { failure }) => format!("✗ {} {}", row.step, failure.code),
            Some(StepOutcome::Cancelled { .. }) => format!("– {}", row.step),
            None => format!("? {}", row.step),
        };
        lines.push(line);
        if let Some(bytes) = &row.bytes {
            let beginning = bytes.get(..FACT_BYTES_MAX.min(bytes.len())).unwrap_or_default();
            known.add(&String::from_utf8_lossy(beginning));
            if foreign && row.last {
                if let (Some(rows), Some(line)) = (shown::rows(bytes), lines.last_mut()) {
                    let told = session.room.deps.messages.rows(session.language, rows);
                    known.add(&told);
                    line.push_str(&format!(" {told}"));
                }
                lines.push(shown::output(bytes));
            } else if !foreign && let Some(line) = lines.last_mut() {
                line.push_str(&own_report(bytes.as_slice()));
            }
        }
    }
    let texts = &session.room.deps.messages;
    for step in session.skipped_of(execution) {
        lines.push(texts.step_skipped(session.language, step.as_str()));
    }
    // What a model said earlier founds nothing.
    session.history.iter().filter(|line| line.by_user).for_each(|line| known.add(&line.text));
    Ok(Facts { text: lines.join("\n"), known })
}

/// `: path (size)` of a report on a file.
fn own_report(bytes: &[u8]) -> String {
    let report: serde_json::Value = serde_json::from_slice(bytes).unwrap_or_default();
    let path = report.get("path").and_then(serde_json::Value::as_str);
    let Some(path) = path else { return String::new() };
    let path = neutralise(path);
    match report.get("sizeBytes").and_then(serde_json::Value::as_u64) {
        Some(size) => format!(": {path} ({size} B)"),
        None => format!(": {path}"),
    }
}
