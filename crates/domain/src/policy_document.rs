//! One version of a project's policy, whole.

use crate::{
    clock::Timestamp,
    id::{OverrideId, PolicyVersionId, ProjectId, UserId},
    policy::ProjectPolicy,
    policy_override::{OverrideMark, OverrideScope, TemporaryPolicy},
};
use serde::{Deserialize, Serialize};

/// One version of a policy: evidence that a policy snapshot is compiled from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PolicyDocument {
    /// Id of this version.
    pub id: PolicyVersionId,
    /// The project that it is for.
    pub project: ProjectId,
    /// Number of the version, from 1.
    pub number: u32,
    /// Who saved it; `None` if the server made it with the project.
    pub author: Option<UserId>,
    /// Why its author changed it.
    pub reason: String,
    /// When it was put in force.
    pub at: Timestamp,
    /// The rules.
    pub policy: ProjectPolicy,
    /// What it has to do with an override, if anything.
    // A version from before this field keeps its bytes and its digest.
    #[serde(rename = "override", default, skip_serializing_if = "Option::is_none")]
    pub of_override: Option<OverrideMark>,
}

impl PolicyDocument {
    /// The override that this version is; `None` of one that lasts.
    #[must_use]
    pub const fn temporary(&self) -> Option<&TemporaryPolicy> {
        match &self.of_override {
            Some(OverrideMark::Temporary(temporary)) => Some(temporary),
            Some(OverrideMark::Restored { .. }) | None => None,
        }
    }

    /// The rules that a ruling under this version was made by: those of the override that its record
    /// names, else those before it.
    #[must_use]
    pub fn rules(&self, by: Option<OverrideId>) -> &ProjectPolicy {
        match self.temporary() {
            Some(temporary) if by != Some(temporary.id) => &temporary.before,
            Some(_) | None => &self.policy,
        }
    }

    /// The rules for whatever no override of one request or one type covers.
    #[must_use]
    pub fn general(&self) -> &ProjectPolicy {
        match self.temporary() {
            Some(TemporaryPolicy {
                scope: OverrideScope::Request | OverrideScope::Type { .. },
                before,
                ..
            }) => before,
            Some(TemporaryPolicy { scope: OverrideScope::Window, .. }) | None => &self.policy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::TaskType;
    use serde_json::json;

    fn policy(path: &str) -> ProjectPolicy {
        let rule = json!({"by": "requester", "ttlSeconds": 60});
        let policy = json!({
            "version": 1, "allowedStepTypes": ["FILE_WRITE"], "allowedHosts": [],
            "allowedPaths": [path], "approval": {"normal": rule, "risky": rule},
            "dacsStage": "observe", "modelPersonas": "never",
            "tokenBudget": {"perRun": null, "perDay": null}, "llmProvider": "OFFLINE",
        });
        serde_json::from_value(policy).unwrap()
    }

    #[test]
    fn outside_of_its_scope_the_rules_before_hold() {
        let (before, during) = (policy("notes"), policy(""));
        let version = |scope| PolicyDocument {
            id: uuid::Uuid::nil().into(),
            project: uuid::Uuid::nil().into(),
            number: 2,
            author: None,
            reason: String::new(),
            at: Timestamp::from_unix_ms(0),
            policy: during.clone(),
            of_override: Some(OverrideMark::Temporary(TemporaryPolicy {
                id: uuid::Uuid::nil().into(),
                scope,
                until: Timestamp::from_unix_ms(60_000),
                before: Box::new(before.clone()),
            })),
        };
        assert_eq!(*version(OverrideScope::Window).general(), during);
        assert_eq!(*version(OverrideScope::Request).general(), before);
        let of_type = version(OverrideScope::Type { task_type: TaskType::FileWrite });
        assert_eq!(*of_type.general(), before);
        let text = serde_json::to_value(&of_type).unwrap();
        assert_eq!(text["override"]["kind"], "temporary");
        assert_eq!(text["override"]["scope"], json!({"kind": "type", "taskType": "FILE_WRITE"}));
        assert_eq!(serde_json::from_value::<PolicyDocument>(text).unwrap(), of_type);
        let plain = PolicyDocument { of_override: None, ..of_type };
        assert!(serde_json::to_value(&plain).unwrap().get("override").is_none());
        assert_eq!(*plain.general(), during);
        let temporary = version(OverrideScope::Window);
        let temporary = temporary.temporary().unwrap();
        let [before, at] = [59_999, 60_000].map(Timestamp::from_unix_ms);
        assert!(!temporary.is_over(before) && temporary.is_over(at));
    }
}
