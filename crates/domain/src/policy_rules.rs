//! The part of a policy that decides about proposals. GHOST results hold for its hash.

use crate::{
    approval_policy::ApprovalPolicy,
    confirmation::Confirmation,
    digest::{DigestError, RulesHash},
    policy::{ModelPersonas, ProjectPolicy},
    step_type::StepType,
    task::TaskType,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The fields that these rules are in, as a policy's JSON names them.
pub const RULE_FIELDS: [&str; 4] =
    ["allowedStepTypes", "confirmation", "approval", "modelPersonas"];

/// A confirmation that repeats the task's default does not change the hash.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rules<'a> {
    version: u32,
    allowed_step_types: &'a BTreeSet<StepType>,
    confirmation: BTreeMap<TaskType, Confirmation>,
    approval: ApprovalPolicy,
    model_personas: ModelPersonas,
}

impl ProjectPolicy {
    /// Hash of these rules. It leaves out hosts, paths, models, keys, budgets, the requirement of a
    /// verified model and its share of scenarios, who is shown a question that nobody answers, the schema of profiles and the
    /// guardrails, which the hash of the prompts tells, what becomes of answers in words, whether documents are looked
    /// through for them, and the stage, which a promotion changes on the strength of this hash.
    pub fn rules_hash(&self) -> Result<RulesHash, DigestError> {
        let confirmed = |task: TaskType| (task, self.confirmation_of(task));
        RulesHash::of(&Rules {
            version: self.version,
            allowed_step_types: &self.allowed_step_types,
            confirmation: TaskType::ALL.into_iter().map(confirmed).collect(),
            approval: ApprovalPolicy { escalation: None, ..self.approval },
            model_personas: self.model_personas,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn policy(change: impl FnOnce(&mut Value)) -> ProjectPolicy {
        let rule = json!({"by": "requester", "ttlSeconds": 60});
        let mut policy = json!({
            "version": 1, "allowedStepTypes": ["FILE_WRITE"], "allowedHosts": [],
            "allowedPaths": [""], "approval": {"normal": rule, "risky": rule},
            "dacsStage": "observe", "modelPersonas": "never",
            "tokenBudget": {"perRun": null, "perDay": null}, "llmProvider": "OFFLINE",
        });
        change(&mut policy);
        serde_json::from_value(policy).unwrap()
    }

    #[test]
    fn a_rule_changes_the_hash_and_a_place_does_not() {
        let hash = |change: &dyn Fn(&mut Value)| policy(change).rules_hash().unwrap();
        let plain = hash(&|_| {});
        let default = serde_json::to_value(TaskType::FileWrite.default_confirmation()).unwrap();
        let rule = json!({"by": "requester", "ttlSeconds": 60});
        let asked = json!({"normal": rule, "risky": rule, "foreignTargets": "ask"});
        let same: [(&str, Value); 13] = [
            ("approval", asked),
            ("dacsStage", json!("enforce")),
            ("allowedPaths", json!(["notes"])),
            ("llmProvider", json!("OPENAI")),
            ("governorModel", json!("m")),
            ("tokenBudget", json!({"perRun": 1, "perDay": null})),
            ("requireVerifiedModel", json!(["FILE_WRITE"])),
            ("minimumGreen", json!(95)),
            ("profileSchema", json!("medical")),
            ("guardrails", json!(["medical", "legal"])),
            ("answers", json!({"check": "model", "refine": true})),
            ("ragForInformation", json!(true)),
            ("confirmation", json!({"FILE_WRITE": default})),
        ];
        for (field, value) in same {
            assert_eq!(hash(&|policy| policy[field] = value.clone()), plain, "{field}");
        }
        let denied = json!({"normal": rule, "risky": rule, "foreignTargets": "deny"});
        let other: [(&str, Value); 4] = [
            ("approval", denied),
            ("modelPersonas", json!("risky")),
            ("confirmation", json!({"FILE_WRITE": "never"})),
            ("allowedStepTypes", json!([])),
        ];
        let mut fields = other.each_ref().map(|(field, _)| *field);
        for (field, value) in other {
            assert_ne!(hash(&|policy| policy[field] = value.clone()), plain, "{field}");
        }
        let mut all = RULE_FIELDS;
        fields.sort_unstable();
        all.sort_unstable();
        assert_eq!(fields, all);
    }

    #[test]
    fn documents_are_for_some_types_and_for_questions_where_a_policy_says_so() {
        let of = |policy: &ProjectPolicy| -> Vec<TaskType> {
            TaskType::ALL.into_iter().filter(|of| policy.consults_documents(*of)).collect()
        };
        let tasks = [
            TaskType::ApiWorkflow,
            TaskType::DbQuery,
            TaskType::ProjectCreate,
            TaskType::WorkflowCreate,
        ];
        let plain = policy(|_| {});
        assert_eq!(of(&plain), tasks);
        let text = serde_json::to_value(&plain).unwrap();
        assert_eq!(text.get("ragForInformation"), None, "a policy keeps its bytes");
        let on = policy(|policy| policy["ragForInformation"] = json!(true));
        assert_eq!(of(&on), [&[TaskType::Information][..], &tasks].concat());
        assert_eq!(serde_json::to_value(&on).unwrap()["ragForInformation"], true);
    }
}
