//! Fine rules: Cedar policies that forbid a part of what the lists of a policy allow (ADR 0040). Read and
//! validated once, with the policy; what a step asks is answered from what is kept.

mod fault;
mod index;
mod nesting;
mod question;
mod read;
mod rule;
mod vocabulary;

pub use fault::{RuleFault, RuleFaultCode};
pub(crate) use question::{Reach, StepRequest};
pub use rule::FineRule;

use cedar_policy_core::{
    ast::{Effect, Policy},
    evaluator::Evaluator,
    extensions::Extensions,
};
use question::Question;
use std::{collections::BTreeMap, sync::Arc};
use vocabulary::{Vocabulary, vocabulary};
use wiiiv_domain::{FineRuleName, StepType};

/// The profiles that a project can begin with, by name.
pub const FINE_PROFILES: [(&str, &str); 3] = [
    ("read-only", include_str!("../../../policies/profiles/read-only.cedar")),
    ("no-outside-writes", include_str!("../../../policies/profiles/no-outside-writes.cedar")),
    ("office-hours", include_str!("../../../policies/profiles/office-hours.cedar")),
];

/// Why a step is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forbidden<'a> {
    /// This rule forbids it, or could not be evaluated.
    By(&'a FineRule),
    /// Nothing permits it, or it cannot be asked about.
    Unpermitted,
}

/// The rules of one policy, compiled.
#[derive(Debug, Clone)]
pub struct FineRules {
    words: &'static Vocabulary,
    rules: Vec<FineRule>,
    /// What each kind of step is asked about, in the order of the text.
    about: BTreeMap<StepType, Vec<usize>>,
}

impl FineRules {
    /// Reads and validates a policy's `fineRules`; `None` for a text without a rule.
    pub fn compile(text: &str) -> Result<Option<Arc<Self>>, Vec<RuleFault>> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let words = vocabulary().ok_or_else(|| vec![RuleFault::vocabulary()])?;
        let rules = read::rules(text, words)?;
        let about = StepType::ALL.into_iter().map(|step| {
            let concerns = |(nth, rule): (usize, &FineRule)| {
                words.concerns(step, rule.policy().action_constraint()).then_some(nth)
            };
            (step, rules.iter().enumerate().filter_map(concerns).collect())
        });
        Ok(Some(Arc::new(Self { words, about: about.collect(), rules })))
    }

    /// The rules, in the order of the text.
    #[must_use]
    pub fn rules(&self) -> &[FineRule] {
        &self.rules
    }
    /// The rule of that name.
    #[must_use]
    pub fn named(&self, name: &FineRuleName) -> Option<&FineRule> {
        self.rules.iter().find(|rule| rule.name() == name)
    }

    /// The text of the other rules: how it would be without that one. `None` where it is not among them, or
    /// what is left does not stand by itself.
    #[must_use]
    pub fn text_without(text: &str, name: &FineRuleName) -> Option<String> {
        let all = Self::compile(text).ok().flatten()?;
        let written = all.named(name)?.policy().template().loc()?;
        let left = [text.get(..written.start())?, text.get(written.end()..)?].concat();
        let kept = Self::compile(&left).ok()?;
        let kept: Vec<_> =
            kept.iter().flat_map(|rules| rules.rules().iter().map(FineRule::name)).collect();
        let others = all.rules.iter().map(FineRule::name).filter(|other| *other != name);
        others.eq(kept).then_some(left)
    }

    /// The first rule that forbids. One that cannot be evaluated forbids.
    pub(crate) fn forbids(&self, asked: &StepRequest<'_>) -> Option<Forbidden<'_>> {
        let Some(question) = Question::of(asked, self.words) else {
            return Some(Forbidden::Unpermitted);
        };
        let about = self.about.get(&asked.step_type).map_or(&[][..], Vec::as_slice);
        let rules = about.iter().filter_map(|nth| self.rules.get(*nth));
        // Most rules are ruled out by a comparison or two; Cedar decides about the others.
        let left: Vec<&FineRule> =
            rules.filter(|rule| index::may_apply(rule.policy(), &question)).collect();
        let permits = self.words.base();
        let plain = permits.iter().any(is_unconditional);
        if left.is_empty() && plain {
            return None;
        }
        let Some((request, entities)) = question.to_cedar(self.words) else {
            return Some(Forbidden::Unpermitted);
        };
        let cedar = Evaluator::new(request, &entities, Extensions::all_available());
        let forbids = |rule: &&FineRule| cedar.evaluate(rule.policy()).unwrap_or(true);
        if let Some(rule) = left.into_iter().find(forbids) {
            return Some(Forbidden::By(rule));
        }
        let permitted = plain || permits.iter().any(|p| cedar.evaluate(p).unwrap_or(false));
        (!permitted).then_some(Forbidden::Unpermitted)
    }

    /// The same by Cedar's own authorizer, over all rules at once: the index is held against it.
    #[cfg(test)]
    fn forbids_by_cedar_alone(&self, asked: &StepRequest<'_>) -> bool {
        use cedar_policy_core::{
            ast::PolicySet,
            authorizer::{Authorizer, Decision},
        };
        let Some(question) = Question::of(asked, self.words) else { return true };
        let Some((request, entities)) = question.to_cedar(self.words) else { return true };
        let mut all = PolicySet::new();
        let own = self.rules.iter().map(FineRule::policy);
        for (nth, policy) in self.words.base().iter().chain(own).enumerate() {
            let id = cedar_policy_core::ast::PolicyID::from_string(format!("rule{nth}"));
            all.add(policy.new_id(id)).unwrap();
        }
        let answer = Authorizer::new().is_authorized(request, &all, &entities);
        // A rule that fails forbids here; Cedar leaves it out.
        answer.decision == Decision::Deny || !answer.diagnostics.errors.is_empty()
    }
}

/// Permits whatever is asked.
fn is_unconditional(policy: &Policy) -> bool {
    policy.effect() == Effect::Permit
        && policy.non_scope_constraints().is_none()
        && vocabulary::is_any_scope(policy)
}

#[cfg(test)]
mod tests;
