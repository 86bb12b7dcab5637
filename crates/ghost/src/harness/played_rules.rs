//! A project's own rules, which scenarios are played under in place of those of a new project.

use super::error::PlayError;
use crate::scenario::Scenario;
use serde_json::{Map, Value};
use wiiiv_domain::{ApprovalBy, ApprovalPolicy, ProjectPolicy, RULE_FIELDS};

/// The field of a policy that says who approves.
const APPROVAL: &str = "approval";

/// None of the rules: what models are told and asked for hangs on them, which the hash of the prompts tells.
const PROMPT_FIELDS: [&str; 2] = ["profileSchema", "guardrails"];

/// The part of a project's policy that GHOST results hold for.
#[derive(Debug, Clone)]
pub struct PlayedRules {
    /// As the policy has them.
    fields: Map<String, Value>,
    /// How many other people at most have to say yes to a plan.
    others: usize,
    pub(crate) hash: String,
}

impl PlayedRules {
    /// Of that policy: its hosts, paths, models, keys and budgets are none.
    pub fn of(policy: &ProjectPolicy) -> Result<Self, PlayError> {
        let odd = |why: String| PlayError::Scenario(format!("the rules cannot be read: {why}"));
        let hash = policy.rules_hash().map_err(|error| odd(error.to_string()))?.to_string();
        // Who is shown a question later is no part of the hash.
        let approval = ApprovalPolicy { escalation: None, ..policy.approval };
        let policy = ProjectPolicy { approval, ..policy.clone() };
        let document = serde_json::to_value(&policy).map_err(|error| odd(error.to_string()))?;
        let field = |name: &str| Some((name.to_owned(), document.get(name)?.clone()));
        let asked = [false, true].map(|risky| approval.rule(risky));
        let of_others = asked.iter().filter(|rule| rule.by == ApprovalBy::AnotherPerson);
        let others = of_others.map(|rule| usize::from(rule.approvers)).max().unwrap_or_default();
        let names = RULE_FIELDS.into_iter().chain(PROMPT_FIELDS);
        Ok(Self { fields: names.filter_map(field).collect(), others, hash })
    }

    /// In place of those of the policy. What the scenario changes is its own.
    pub(crate) fn write_into(&self, policy: &mut Value, scenario: &Scenario) {
        let Some(members) = policy.as_object_mut() else { return };
        for (name, rule) in self.fields.iter().filter(|(name, _)| !scenario.changes(name)) {
            members.insert(name.clone(), rule.clone());
        }
    }

    /// How many other people say yes where the person of the scenario does.
    pub(crate) fn others(&self, scenario: &Scenario) -> usize {
        if scenario.changes(APPROVAL) { 0 } else { self.others }
    }

    /// The scenario under these rules: whom a plan is put before is theirs to say.
    pub(crate) fn applied_to(&self, scenario: Scenario) -> Scenario {
        if self.others(&scenario) == 0 { scenario } else { scenario.asking_others() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Fact, FlowFact, read_file};
    use serde_json::json;
    use std::path::Path;

    fn scenario(file: &str) -> Scenario {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ghost-scenarios");
        read_file(&folder.join(file)).unwrap()
    }

    fn policy(change: impl FnOnce(&mut Value)) -> Value {
        let rule = json!({"by": "requester", "ttlSeconds": 60});
        let mut policy = json!({
            "version": 1, "allowedStepTypes": ["FILE_WRITE"], "allowedHosts": [],
            "allowedPaths": ["notes"], "approval": {"normal": rule, "risky": rule},
            "dacsStage": "observe", "modelPersonas": "never",
            "tokenBudget": {"perRun": null, "perDay": null}, "llmProvider": "OFFLINE",
        });
        change(&mut policy);
        policy
    }

    fn rules(change: impl FnOnce(&mut Value)) -> PlayedRules {
        PlayedRules::of(&serde_json::from_value(policy(change)).unwrap()).unwrap()
    }

    #[test]
    fn only_what_the_hashes_cover_is_taken_over_and_what_a_scenario_changes_is_its_own() {
        let two = json!({"by": "another_person", "approvers": 2, "ttlSeconds": 60});
        let escalation = json!({"afterPercent": 1, "to": "owners"});
        let strict = rules(|policy| {
            policy["approval"]["risky"] = two.clone();
            policy["approval"]["escalation"] = escalation;
            policy["modelPersonas"] = "risky".into();
            policy["allowedPaths"] = json!([""]);
            policy["llmProvider"] = "OPENAI".into();
            policy["profileSchema"] = "medical".into();
            policy["guardrails"] = json!(["legal"]);
        });
        // No more than its hash has, and no less: what it is written into has that hash.
        let mut played = policy(|_| {});
        strict.write_into(&mut played, &scenario("C01-hurried-buyer.yaml"));
        let read: ProjectPolicy = serde_json::from_value(played.clone()).unwrap();
        assert_eq!(read.rules_hash().unwrap().to_string(), strict.hash);
        assert_eq!(played["approval"]["risky"], two);
        // Prompts differ by it.
        assert_eq!(played["profileSchema"], "medical");
        assert_eq!(played["guardrails"], json!(["legal"]));
        for (name, kept) in [("allowedPaths", json!(["notes"])), ("llmProvider", json!("OFFLINE"))]
        {
            assert_eq!(played[name], kept, "{name}");
        }
        assert_eq!(played["approval"].get("escalation"), None);

        // Its approvals are what this one is about; at the start, or later.
        for file in ["G01-four-eyes.yaml", "G05-rules-change.yaml"] {
            let own = scenario(file);
            let mut played = policy(|_| {});
            strict.write_into(&mut played, &own);
            assert_eq!(played["approval"], policy(|_| {})["approval"], "{file}");
            assert_eq!((&played["modelPersonas"], strict.others(&own)), (&json!("risky"), 0));
        }
    }

    #[test]
    fn whom_a_plan_is_put_before_is_said_by_the_rules() {
        let asked = |scenario: &Scenario| {
            let facts = scenario.turns.iter().flat_map(|turn| &turn.expect);
            let steps = facts.filter_map(|fact| match fact {
                Fact::Flow(steps) => Some(steps),
                _ => None,
            });
            let drawn = steps.flatten().filter(|step: &&FlowFact| step.input == "drawn");
            drawn.map(|step| (step.outcome.clone(), step.or_others)).collect::<Vec<_>>()
        };
        let of = || scenario("C14-counts-in-both.yaml");
        let before = |or_others: bool| (Some("requester".to_owned()), or_others);
        assert_eq!(asked(&of()), [before(false)]);
        let plain = rules(|_| {});
        assert_eq!(plain.applied_to(of()), of());
        let dual = rules(|policy| {
            policy["approval"]["normal"]["by"] = "another_person".into();
        });
        assert_eq!(dual.others(&of()), 1);
        assert_eq!(asked(&dual.applied_to(of())), [before(true)]);
    }
}
