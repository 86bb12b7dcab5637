//! Texts that code writes: one catalogue by code and language, facts from step outputs only.

use crate::{
    config::FACT_BYTES_MAX,
    session::{Down, Session},
};
use wiiiv_domain::{
    ApprovalBy, Blueprint, BlueprintDigest, ExecutionId, ReplyCode, SlotName, Spec, StepOutcome,
    TaskType,
};
use wiiiv_hlx::{explain, neutralise};

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
        ReplyCode::RunFailed { execution, .. } | ReplyCode::RunCancelled { execution } => {
            let facts = facts(session, *execution).await?;
            Ok(join(&[&text, &facts.text]))
        }
        ReplyCode::Waiting { digest } => {
            let plan = session.plans.get(digest).map(|plan| plan.blueprint.clone());
            let plan = plan.map(|plan| explain(&plan, lang)).unwrap_or_default();
            Ok(join(&[&plan, &text]))
        }
        ReplyCode::Model { .. }
        | ReplyCode::Cancelled
        | ReplyCode::NothingToCancel
        | ReplyCode::Refused
        | ReplyCode::NothingToConfirm
        | ReplyCode::Stale { .. }
        | ReplyCode::Expired { .. }
        | ReplyCode::DacsNo { .. }
        | ReplyCode::NeedsRevision { .. }
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

fn join(parts: &[&str]) -> String {
    let told: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    told.join("\n")
}

pub fn question(session: &Session, task: TaskType, missing: &[SlotName], message: &str) -> String {
    session.room.deps.messages.ask(session.language, task, missing, message)
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
pub fn preview(
    session: &Session,
    plan: &Blueprint,
    digest: BlueprintDigest,
    by: ApprovalBy,
) -> String {
    let (texts, lang) = (&session.room.deps.messages, session.language);
    let (what, digest) = (explain(plan, lang), digest.short());
    match by {
        ApprovalBy::Requester => texts.confirm(lang, &what, &digest),
        ApprovalBy::AnotherPerson => texts.seek_approval(lang, &what, &digest),
    }
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
            Some(StepOutcome::Success { output }) => {
                format!("✓ {} ({} B)", row.step, output.size_bytes)
            }
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
            }
        }
    }
    for line in &session.history {
        known.push_str(&line.text);
        known.push('\n');
    }
    Ok(Facts { text: lines.join("\n"), known })
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
