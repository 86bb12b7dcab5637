//! Who approves a plan, how many of them, and for how long.

use serde::{Deserialize, Serialize};

/// Who must approve a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalBy {
    /// The requester; their own yes is enough.
    Requester,
    /// Another person with the right to approve (dual control).
    AnotherPerson,
}

/// Who approves, how many, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalRule {
    /// Who must say yes.
    pub by: ApprovalBy,
    /// How many different people must.
    // A policy from before this field keeps its bytes and its digest.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub approvers: u8,
    /// How long a question stays open, and its yes stays valid, in seconds.
    pub ttl_seconds: u32,
}

const fn one() -> u8 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_one(approvers: &u8) -> bool {
    *approvers == 1
}

/// Who is shown a question that nobody has answered for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EscalateTo {
    /// The owners of the project.
    Owners,
    /// The server's administrators, who may look at it and answer nothing by that.
    Administrators,
    /// Both.
    OwnersAndAdministrators,
}

impl EscalateTo {
    /// Whether administrators are among them.
    #[must_use]
    pub const fn has_administrators(self) -> bool {
        matches!(self, Self::Administrators | Self::OwnersAndAdministrators)
    }
}

/// When a question that nobody has answered is shown to more people. Nothing is approved by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Escalation {
    /// Part of its time to live that passes before, in percent: 1 to 99.
    pub after_percent: u8,
    /// Who is shown it then.
    pub to: EscalateTo,
}

impl Escalation {
    /// Seconds that pass before, of that time to live: at least one.
    #[must_use]
    pub fn after_seconds(self, ttl_seconds: u32) -> i64 {
        (i64::from(ttl_seconds) * i64::from(self.after_percent) / 100).max(1)
    }
}

/// What becomes of a plan whose target did not come from the user's words.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum ForeignTargets {
    /// It needs a yes, whatever the task type's confirmation.
    #[default]
    Ask,
    /// It is denied.
    Deny,
}

impl ForeignTargets {
    // A policy from before this field keeps its bytes and its digest.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    const fn is_ask(&self) -> bool {
        matches!(self, Self::Ask)
    }
}

/// Approval rules by risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalPolicy {
    /// For plans without a risk.
    pub normal: ApprovalRule,
    /// For risky plans. They never need less than plain ones do.
    pub risky: ApprovalRule,
    /// Who is shown what nobody answers; `None` for nobody else.
    // A policy from before this field keeps its bytes and its digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<Escalation>,
    /// For plans whose target did not come from the user's words.
    #[serde(default, skip_serializing_if = "ForeignTargets::is_ask")]
    pub foreign_targets: ForeignTargets,
}

impl ApprovalPolicy {
    /// Of whoever and however many a plain plan needs, a risky one needs no less.
    #[must_use]
    pub fn rule(&self, risky: bool) -> ApprovalRule {
        if !risky {
            return self.normal;
        }
        let (by, approvers) =
            (self.risky.by.max(self.normal.by), self.risky.approvers.max(self.normal.approvers));
        ApprovalRule { by, approvers, ..self.risky }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_approver_is_left_out_and_more_are_told() {
        let text = json!({"by": "another_person", "ttlSeconds": 60});
        let rule: ApprovalRule = serde_json::from_value(text.clone()).unwrap();
        assert_eq!(rule.approvers, 1);
        assert_eq!(serde_json::to_value(rule).unwrap(), text);
        let two = serde_json::to_value(ApprovalRule { approvers: 2, ..rule }).unwrap();
        assert_eq!(two["approvers"], 2);
    }

    #[test]
    fn a_risky_plan_needs_no_less_than_a_plain_one() {
        let rule = |by, approvers, ttl_seconds| ApprovalRule { by, approvers, ttl_seconds };
        let policy = |normal, risky| ApprovalPolicy {
            normal,
            risky,
            escalation: None,
            foreign_targets: ForeignTargets::Ask,
        };
        let (own, other) = (ApprovalBy::Requester, ApprovalBy::AnotherPerson);
        let lax = policy(rule(other, 3, 60), rule(own, 1, 30));
        assert_eq!((lax.rule(false), lax.rule(true)), (rule(other, 3, 60), rule(other, 3, 30)));
        let strict = policy(rule(own, 1, 60), rule(other, 2, 30));
        assert_eq!((strict.rule(false), strict.rule(true)), (rule(own, 1, 60), rule(other, 2, 30)));
    }
}
