//! Answers in words that were looked at before they were given, from the audit.

use crate::dto::{
    answer::{AnswerCheckView, AnswerFindingView, LeftOutStageView},
    localized::LocalizedText,
};
use serde_json::Value;
use wiiiv_messages::Messages;
use wiiiv_store::AuditRow;

const CHECKED: &str = "answer.checked";

/// In order.
pub(crate) fn answers_in(rows: &[AuditRow], messages: &Messages) -> Vec<AnswerCheckView> {
    let checked = rows.iter().filter(|row| row.kind == CHECKED);
    checked.filter_map(|row| checked_in(row, messages)).collect()
}

fn checked_in(row: &AuditRow, messages: &Messages) -> Option<AnswerCheckView> {
    let list = |name| row.body.get(name).and_then(Value::as_array).into_iter().flatten();
    let finding = |code: &Value| Some(AnswerFindingView::of(messages, code.as_str()?));
    let left_out = |one: &Value| {
        let text = |name| one.get(name).and_then(Value::as_str).map(str::to_owned);
        let reason = text("reason")?;
        let meaning = LocalizedText::meaning(messages, "answer_reason", &reason);
        Some(LeftOutStageView { stage: text("stage")?, reason, text: meaning })
    };
    Some(AnswerCheckView {
        seq: row.seq,
        by: row.body.get("by")?.as_str()?.to_owned(),
        findings: list("findings").filter_map(finding).collect(),
        refined: row.body.get("refined")?.as_bool()?,
        left_out: list("leftOut").filter_map(left_out).collect(),
    })
}
