//! Texts that code writes: one catalogue by code and language, facts from step outputs only.

use crate::{
    config::FACT_BYTES_MAX,
    operations, preview,
    session::{Down, Session},
};
use wiiiv_domain::{
    ApprovalBy, Blueprint, BlueprintDigest, ExecutionId, Lang, ReplyCode, SlotName, Spec,
    StepOutcome, TaskType,
};
use wiiiv_hlx::{explain, neutralise};

/// Between the sentences of a preview, its effects and its question.
const PARAGRAPH: &str = "\n\n";
/// Steps of a run that a reply tells of.
const STEPS_TOLD_MAX: usize = 16;

pub async fn render(session: &Session, code: &ReplyCode) -> Result<String, Down> {
    let texts = &session.room.deps.messages;
    let lang = session.language;
    let text = texts.reply(lang, code);
    match code {
        ReplyCode::Facts { execution, message } => {
            let facts = facts(session, *execution).await?;
            let message = checked(message, &facts);
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

/// What the conversation keeps of a preview: its sentences. What files hold is no word of ours.
pub fn sentences(text: &str) -> &str {
    text.split(PARAGRAPH).next().unwrap_or(text)
}

/// The same of any reply: one that waits shows its preview again.
pub fn kept<'a>(code: &ReplyCode, text: &'a str) -> &'a str {
    if matches!(code, ReplyCode::Waiting { .. }) { sentences(text) } else { text }
}

/// The preview that it says is over.
pub const fn expired(code: &ReplyCode) -> Option<BlueprintDigest> {
    if let ReplyCode::Expired { digest } = code { Some(*digest) } else { None }
}

struct Facts {
    text: String,
    /// What the steps put out, and what the user said: a model's number or quotation must stand
    /// in one of them.
    known: String,
}

async fn facts(session: &Session, execution: ExecutionId) -> Result<Facts, Down> {
    let store = &session.room.deps.store;
    let (mut lines, mut known) = (Vec::new(), String::new());
    let attempts = store.attempts(execution).await?;
    let last = attempts.iter().max_by_key(|row| row.finished_at).map(|row| &row.step);
    for row in attempts.iter().take(STEPS_TOLD_MAX) {
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
        if let Some((output, bytes)) = store.output(execution, &row.step).await? {
            let shown = bytes.get(..FACT_BYTES_MAX.min(bytes.len())).unwrap_or_default();
            let text = String::from_utf8_lossy(shown);
            known.push_str(&text);
            known.push('\n');
            if output.foreign && last == Some(&row.step) {
                lines.push(neutralise(text.trim()));
            } else if !output.foreign
                && let Some(line) = lines.last_mut()
            {
                line.push_str(&own_report(bytes.as_slice()));
            }
        }
    }
    let texts = &session.room.deps.messages;
    for step in session.skipped_of(execution) {
        lines.push(texts.step_skipped(session.language, step.as_str()));
    }
    for line in &session.history {
        known.push_str(&line.text);
        known.push('\n');
    }
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

/// Model prose beside facts is dropped where it holds a number or a quoted literal that nothing
/// has shown (llm.md 2).
fn checked(message: &str, facts: &Facts) -> String {
    if claims(message).iter().all(|claim| facts.known.contains(claim.as_str())) {
        message.to_owned()
    } else {
        String::new()
    }
}

/// Numbers and quoted texts, as they stand.
fn claims(message: &str) -> Vec<String> {
    let mut claims: Vec<String> = message
        .split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
        .map(|number| number.trim_matches(['.', ',']).to_owned())
        .filter(|number| number.chars().any(|c| c.is_ascii_digit()))
        .collect();
    for (open, close) in
        [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('「', '」')]
    {
        claims.extend(quoted(message, open, close));
    }
    claims
}

fn quoted(message: &str, open: char, close: char) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = message;
    while let Some((_, after)) = rest.split_once(open) {
        let Some((inside, behind)) = after.split_once(close) else { break };
        found.push(inside.to_owned());
        rest = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_quotations_are_claims() {
        assert_eq!(claims("총 1,290 원, 항목 3개"), ["1,290", "3"]);
        assert_eq!(claims("It says \"sold out\" and ‘품절’."), ["sold out", "품절"]);
        assert!(claims("끝났습니다. All done.").is_empty());
    }
}
