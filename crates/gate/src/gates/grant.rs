//! Whether yeses that were said beforehand cover a plan: each of its steps that needs one, or the plan as
//! a whole.

use crate::{
    base::policy::Policy,
    evidence::pending_question::{Proposers, may_say_yes},
    facts::{GrantCover, GrantFacts, NodeFacts, PlanFacts, Target},
    findings::{Answer, UsedGrant},
    gates::{dacs, foreign::goes_where_a_value_says},
};
use wiiiv_domain::{ApprovalBy, Capability, Confirmation, Effect, GrantId, StepId, Timestamp};

/// Whose yes policy asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct YesRule {
    pub by: ApprovalBy,
    pub approvers: u8,
    pub tainted: bool,
}

/// What is used of each grant, in the order of the steps; `None` where one step is not covered. A grant to a
/// target is used for each step that goes there, one to a plan once.
pub(crate) fn cover(
    plan: &PlanFacts,
    asked: YesRule,
    policy: &Policy,
    now: Timestamp,
) -> Option<Vec<UsedGrant>> {
    if plan.grants.is_empty() || !may_be_covered(plan, asked, policy) {
        return None;
    }
    let proposed = Proposers { requester: plan.requester, editors: &plan.editors };
    let counts = |grant: &&GrantFacts| {
        grant.left > 0
            && grant.not_before.is_none_or(|from| from <= now)
            && grant.expires_at > now
            && may_say_yes(asked.by, proposed, grant.granter, grant.rights)
    };
    let grants: Vec<&GrantFacts> = plan.grants.iter().filter(counts).collect();
    if let Some(whole) = grants.iter().find(|grant| grant.covers == GrantCover::Whole) {
        return Some(vec![UsedGrant { grant: whole.id, granter: whole.granter, taken: 1 }]);
    }
    let rules = policy.project_policy();
    let always = rules.confirmation_of(plan.task_type) == Confirmation::Always;
    let needed = plan.nodes.iter().filter(|node| needs_yes(node, always));
    let mut used: Vec<UsedGrant> = Vec::new();
    for node in needed {
        let has_left = |grant: &&&GrantFacts| taken(&used, grant.id) < grant.left;
        let names = |grant: &&&GrantFacts| is_named(&grant.covers, &node.step);
        let grant = grants.iter().filter(names).find(has_left)?;
        match used.iter_mut().find(|of| of.grant == grant.id) {
            Some(of) => of.taken += 1,
            None => used.push(UsedGrant { grant: grant.id, granter: grant.granter, taken: 1 }),
        }
    }
    (!used.is_empty()).then_some(used)
}

/// Never a plan
/// - that is risky, that the review does not let through in any stage, or that several people have to say yes to;
/// - that removes something, at a service too, or runs a program;
/// - that somebody else than its requester changed, or that goes where a value says that is not the
///   requester's.
fn may_be_covered(plan: &PlanFacts, asked: YesRule, policy: &Policy) -> bool {
    let review = dacs::of_plan(plan, policy);
    let passes = review.answer == Answer::Allow && review.would_deny.is_none();
    let is_plain = |node: &NodeFacts| {
        let able = matches!(node.needs, Capability::Delete | Capability::Execute);
        node.effect.max(node.acts) <= Effect::Write && !able
    };
    passes
        && !plan.risk.risky
        && asked.approvers <= 1
        && plan.faults.is_empty()
        && plan.editors.is_empty()
        && !plan.task_type.is_asked_each_time()
        && plan.nodes.iter().all(is_plain)
        && !plan.nodes.iter().any(|node| goes_where_a_value_says(node, asked.tainted))
}

/// What changes something; where each plan of its type is asked about, also what only looks outside.
fn needs_yes(node: &NodeFacts, always: bool) -> bool {
    let changes = node.effect.max(node.acts) != Effect::Read;
    changes || (always && node.target != Target::Inside)
}

fn is_named(covers: &GrantCover, step: &StepId) -> bool {
    match covers {
        GrantCover::Whole => true,
        GrantCover::Steps(steps) => steps.contains(step),
    }
}

fn taken(used: &[UsedGrant], grant: GrantId) -> u32 {
    used.iter().find(|of| of.grant == grant).map_or(0, |of| of.taken)
}
