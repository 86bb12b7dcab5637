//! Advice for a denial: the texts of its code, and the line that the policy lacks.

use crate::{
    dto::{
        localized::LocalizedText,
        why::{AdviceView, PolicyAddition, RuleView},
    },
    registration::is_private,
};
use serde::Serialize;
use std::collections::BTreeSet;
use wiiiv_domain::{
    Arg, Blueprint, DenyCode, FineRuleName, HostRule, Lang, Node, ProjectPolicy, Scheme, StepId,
    StepParams,
};
use wiiiv_gate::{DecisionRecord, FineRules, GateBasis};
use wiiiv_messages::{Denial, Messages};

/// Who may help, and to what.
pub(crate) struct Advisor<'a> {
    pub(crate) messages: &'a Messages,
    /// `None` where its text is no longer kept.
    pub(crate) plan: Option<&'a Blueprint>,
    /// That is in force now.
    pub(crate) policy: &'a ProjectPolicy,
}

impl Advisor<'_> {
    /// Each code once, and again only where it needs another line.
    pub(crate) fn on(&self, record: &DecisionRecord) -> Vec<AdviceView> {
        let mut told: Vec<AdviceView> = Vec::new();
        for Refusal { code, step, rule } in refusals(record) {
            let change = step.as_ref().and_then(|step| self.change(code, step));
            let rule = rule.map(|name| rule_view(self.policy, &name));
            let known = |advice: &AdviceView| {
                advice.code == code.as_str()
                    && (advice.change == change || change.is_none())
                    && advice.rule == rule
            };
            if !told.iter().any(known) {
                told.push(AdviceView { rule, ..told_of(self.messages, code, change) });
            }
        }
        told
    }

    fn change(&self, code: DenyCode, step: &StepId) -> Option<PolicyAddition> {
        let node = self.plan?.node(step)?;
        match code {
            DenyCode::StepTypeNotAllowed => {
                let wanted = node.params.step_type();
                let lacks = !self.policy.allowed_step_types.contains(&wanted);
                lacks.then(|| addition("allowedStepTypes", &wanted)).flatten()
            }
            DenyCode::HostNotAllowed => {
                let rule = host_rule(node)?;
                let scheme = rule.scheme?;
                let mut lines = self.policy.allowed_hosts.iter();
                let lacks = !lines.any(|line| line.covers(scheme, &rule.host, rule.port));
                lacks.then(|| addition("allowedHosts", &rule)).flatten()
            }
            DenyCode::PathNotAllowed => {
                let path = path_of(node)?;
                let lacks = !self.policy.allowed_paths.contains(&path);
                lacks.then(|| addition("allowedPaths", &path)).flatten()
            }
            DenyCode::DacsNo
            | DenyCode::DacsRevision
            | DenyCode::DacsMissing
            | DenyCode::ApprovalMissing
            | DenyCode::ApprovalExpired
            | DenyCode::ApprovalStaleDigest
            | DenyCode::ApproverNotAllowed
            | DenyCode::DelegationEnded
            | DenyCode::TaintedArgument
            | DenyCode::PluginNotAllowed
            | DenyCode::DatabaseNotAllowed
            | DenyCode::PolicyForbids
            | DenyCode::BindingNotAllowed
            | DenyCode::PreimageChanged
            | DenyCode::SystemChanged
            | DenyCode::EvidenceMismatch
            | DenyCode::RequesterNotAllowed
            | DenyCode::Halted
            | DenyCode::SessionRiskHold
            | DenyCode::TokenBudgetExceeded
            | DenyCode::CostLimitExceeded
            | DenyCode::ModelUnpriced
            | DenyCode::ModelUnverified
            | DenyCode::RateLimitExceeded => None,
        }
    }
}

/// A rule by its name, with what the policy says of it now.
pub(crate) fn rule_view(policy: &ProjectPolicy, name: &FineRuleName) -> RuleView {
    let rules = FineRules::compile(&policy.fine_rules).ok().flatten();
    let advice = rules.as_ref().and_then(|rules| {
        let rule = rules.named(name)?;
        let [ko, en] = Lang::ALL.map(|lang| rule.advice(lang).map(str::to_owned));
        // Written in one language only: better that than nothing.
        let (ko, en) = (ko.clone().or(en.clone())?, en.or(ko)?);
        Some(LocalizedText { ko, en })
    });
    RuleView { id: name.to_string(), advice }
}

/// A rule's name stands in the audit; what its author says of it is the policy's.
pub(crate) fn with_policy(told: Vec<AdviceView>, sees_policy: bool) -> Vec<AdviceView> {
    let named = |rule: RuleView| match sees_policy {
        true => rule,
        false => RuleView { advice: None, ..rule },
    };
    told.into_iter().map(|one| AdviceView { rule: one.rule.map(named), ..one }).collect()
}

/// The texts of one denial.
pub(crate) fn told_of(
    messages: &Messages,
    code: DenyCode,
    change: Option<PolicyAddition>,
) -> AdviceView {
    let [ko, en] = Lang::ALL.map(|lang| messages.denial(lang, code));
    let both = |part: fn(&Denial<'_>) -> String| LocalizedText { ko: part(&ko), en: part(&en) };
    AdviceView {
        code: code.as_str().to_owned(),
        text: both(|denial| denial.text.to_owned()),
        user: both(|denial| denial.user.to_owned()),
        operator: both(|denial| denial.operator.to_owned()),
        administrator: both(|denial| denial.administrator.to_owned()),
        change,
        rule: None,
    }
}

pub(crate) fn addition(field: &'static str, add: &impl Serialize) -> Option<PolicyAddition> {
    let add = serde_json::to_value(add).ok()?;
    Some(PolicyAddition { field, add })
}

struct Refusal {
    code: DenyCode,
    step: Option<StepId>,
    rule: Option<FineRuleName>,
}

/// Every code of the record, in its order, with the steps and the rule that it speaks of.
fn refusals(record: &DecisionRecord) -> Vec<Refusal> {
    let mut found = Vec::new();
    for answer in &record.answers {
        let Some(code) = answer.answer.denial() else { continue };
        match &answer.figures {
            GateBasis::Permission { refused } => {
                found.extend(refused.iter().map(|one| Refusal {
                    code: one.code,
                    step: one.step.clone(),
                    rule: one.rule.clone(),
                }));
            }
            GateBasis::NotAsked
            | GateBasis::Dacs { .. }
            | GateBasis::Approval { .. }
            | GateBasis::Cost { .. } => found.push(Refusal { code, step: None, rule: None }),
        }
    }
    found
}

/// No more than this one place.
pub(crate) fn place_rule(host: &str, scheme: Option<Scheme>, port: Option<u16>) -> HostRule {
    HostRule {
        host: host.to_owned(),
        scheme,
        port,
        private: is_private(host),
        idempotent_methods: BTreeSet::new(),
        idempotent_operations: BTreeSet::new(),
        read_operations: BTreeSet::new(),
    }
}

fn host_rule(node: &Node) -> Option<HostRule> {
    match &node.params {
        StepParams::ApiCall { url, .. } | StepParams::WebFetch { url } => {
            Some(place_rule(&url.host, Some(url.scheme), url.port))
        }
        StepParams::FileRead { .. }
        | StepParams::FileWrite { .. }
        | StepParams::FileDelete { .. }
        | StepParams::Transform { .. } => None,
    }
}

/// The file; where its name is not known before the run, its directory.
fn path_of(node: &Node) -> Option<String> {
    match &node.params {
        StepParams::FileRead { directory, name }
        | StepParams::FileWrite { directory, name, .. }
        | StepParams::FileDelete { directory, name } => {
            let directory = directory.trim_matches('/');
            Some(match name {
                Arg::Literal(name) if directory.is_empty() => name.clone(),
                Arg::Literal(name) => format!("{directory}/{name}"),
                Arg::Bound(_) => directory.to_owned(),
            })
        }
        StepParams::ApiCall { .. } | StepParams::WebFetch { .. } | StepParams::Transform { .. } => {
            None
        }
    }
}
