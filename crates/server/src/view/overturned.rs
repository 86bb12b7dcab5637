//! What was answered to a question whose yes stands no more, from the audit: its row has the last answer alone.

use crate::dto::approval::{AnswerName, AnswerView};
use serde_json::Value;
use wiiiv_domain::{Timestamp, UserId};
use wiiiv_store::{ApprovalRow, ApprovalState, AuditFilter, AuditRow, Chain, Store, StoreError};

/// One answer, as it was given.
pub(crate) struct Answer {
    pub what: AnswerName,
    pub by: UserId,
    /// Whose right it was given in, where that is another person's.
    pub on_behalf_of: Option<UserId>,
    pub at: Timestamp,
}

impl Answer {
    pub(crate) fn people(&self) -> impl Iterator<Item = UserId> {
        std::iter::once(self.by).chain(self.on_behalf_of)
    }

    pub(crate) fn view(&self, name: &dyn Fn(UserId) -> Option<String>) -> AnswerView {
        AnswerView {
            answer: self.what,
            by: self.by.uuid(),
            by_name: name(self.by),
            on_behalf_of_name: self.on_behalf_of.and_then(name),
            at: self.at.to_string(),
        }
    }
}

/// All of them, the oldest first; none where no yes was taken back or overturned.
pub(crate) async fn overturned(
    store: &Store,
    row: &ApprovalRow,
) -> Result<Vec<Answer>, StoreError> {
    if !may_be(row) {
        return Ok(Vec::new());
    }
    let (chain, about) = (Chain::Project(row.request.project), Some(row.request.id.uuid()));
    let filter = AuditFilter { about, ..AuditFilter::default() };
    let records = match store.audit_search(chain, &filter).await {
        Ok(records) => records,
        // One that cannot be read does not keep a whole list from being shown.
        Err(StoreError::Tampered { .. } | StoreError::Corrupt { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut answers: Vec<Answer> = Vec::new();
    for record in records.iter().rev() {
        let Some(mut answer) = told(record) else { continue };
        // A no of whoever had said yes takes that back.
        let theirs = |one: &&Answer| one.by == answer.by || one.on_behalf_of == Some(answer.by);
        let before = answers.iter().rev().find(theirs);
        let takes_back = before.is_some_and(|before| before.what == AnswerName::Approved);
        if answer.what == AnswerName::Rejected && takes_back {
            answer.what = AnswerName::Revoked;
        }
        answers.push(answer);
    }
    let has = |what| answers.iter().any(|answer| answer.what == what);
    let is_closed = row.state != ApprovalState::Pending;
    let is_over = has(AnswerName::Revoked) || is_closed && has(AnswerName::Approved);
    Ok(if is_over { answers } else { Vec::new() })
}

/// Nothing is read of others. A question to one person that waits has had no yes.
fn may_be(row: &ApprovalRow) -> bool {
    let several = row.request.approvers > 1;
    match row.state {
        ApprovalState::Pending | ApprovalState::Edited => several,
        ApprovalState::Approved => false,
        ApprovalState::Consumed => row.revoked.is_some(),
        ApprovalState::Rejected => true,
        ApprovalState::Withdrawn | ApprovalState::Expired => several || row.decided_by.is_some(),
    }
}

fn told(record: &AuditRow) -> Option<Answer> {
    let (what, whose) = match record.kind.as_str() {
        "approval.given" | "approval.joined" => (AnswerName::Approved, "approver"),
        "approval.rejected" => (AnswerName::Rejected, "by"),
        "approval.revoked" => (AnswerName::Revoked, "by"),
        _ => return None,
    };
    let person = |name: &str| -> Option<UserId> {
        let id: &Value = record.body.get(name)?;
        serde_json::from_value(id.clone()).ok()
    };
    let (by, on_behalf_of) = (person(whose)?, person("onBehalfOf"));
    Some(Answer { what, by, on_behalf_of, at: record.at })
}
