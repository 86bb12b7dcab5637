//! The steps of a run, line by line, and the claims that they support.

use super::result::result;
use crate::{
    claims::Known,
    output_text,
    session::{Session, SessionFault},
    step_result::StepResult,
};
use wiiiv_domain::{ExecutionId, StepOutcome};
use wiiiv_hlx::neutralise;

/// Steps of a run that a reply lists.
const STEPS_TOLD_MAX: usize = 16;

pub struct RunFacts {
    /// In a sentence.
    pub result: String,
    pub text: String,
    pub known: Known,
    /// The other origin that a redirect pointed to.
    pub redirected_to: Option<String>,
}

pub async fn run_facts(
    session: &Session,
    execution: ExecutionId,
) -> Result<RunFacts, SessionFault> {
    let steps = session.work.step_results(&session.journal, execution).await?;
    Ok(facts_of(session, execution, &steps))
}

pub fn facts_of(session: &Session, execution: ExecutionId, steps: &[StepResult]) -> RunFacts {
    let (mut lines, mut known, mut redirected_to) = (Vec::new(), Known::default(), None);
    let texts = &session.runtime.deps.messages;
    let result = result(texts, session.conversation.language, steps);
    for step in steps.iter().take(STEPS_TOLD_MAX) {
        let mut line = line(step);
        if let Some(StepOutcome::Failure { failure }) = &step.outcome {
            redirected_to = failure.redirected_to.as_deref().map(neutralise);
        }
        let is_foreign =
            matches!(&step.outcome, Some(StepOutcome::Success { output }) if output.foreign);
        let mut output = None;
        if let Some(bytes) = &step.bytes {
            known.add(&output_text::beginning(bytes));
            if !is_foreign {
                line.push_str(&own_report(bytes));
            } else if step.last {
                if let Some(rows) = output_text::rows(bytes) {
                    let rows = session.text("run.rows", &[("count", rows.to_string())]);
                    known.add(&rows);
                    line.push_str(&format!(" {rows}"));
                }
                output = Some(output_text::output(bytes));
            }
        }
        lines.push(line);
        lines.extend(output);
    }
    for step in session.work.skipped_of(execution) {
        lines.push(session.text("run.step_skipped", &[("step", step.to_string())]));
    }
    // A model's own messages support no claim.
    session.conversation.user_words().for_each(|words| known.add(words));
    RunFacts { result, text: lines.join("\n"), known, redirected_to }
}

fn line(row: &StepResult) -> String {
    let step = &row.step;
    match &row.outcome {
        Some(StepOutcome::Success { output }) if output.foreign => {
            format!("✓ {step}{} ({} B)", status(output.status), output.size_bytes)
        }
        // A report by code: its file is named below.
        Some(StepOutcome::Success { .. }) => format!("✓ {step}"),
        Some(StepOutcome::Failure { failure }) => {
            format!("✗ {step} {}{}", failure.code, status(failure.status))
        }
        Some(StepOutcome::Cancelled { .. }) => format!("– {step}"),
        None => format!("? {step}"),
    }
}

/// The HTTP status of a service's answer.
fn status(status: Option<u16>) -> String {
    status.map(|status| format!(" · HTTP {status}")).unwrap_or_default()
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
