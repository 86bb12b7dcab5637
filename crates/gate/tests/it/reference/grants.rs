//! Grants, as issue 26 (item 5) and governance.md 5 (`PreApproved`) have them: beside the page, whose
//! size is bounded. It counts what is needed and what is left; the gate takes them one by one.

use super::page::Page;
use wiiiv_domain::{ApprovalBy, Capability, Confirmation, Effect, TaskType};
use wiiiv_gate::{GrantCover, GrantFacts, NodeFacts, PlanFacts, Target};

/// "Where a grant covers a plan, the flow does not ask."
pub fn cover(page: &Page<'_>, plan: &PlanFacts) -> bool {
    let counting = || plan.grants.iter().filter(|grant| counts(page, plan, grant));
    if never(page, plan) {
        return false;
    }
    // "One stored workflow version": the plan's steps are exactly its.
    if counting().any(|grant| grant.covers == GrantCover::Whole) {
        return true;
    }
    // "Plans of which not every step that needs approval is covered": what changes something, and where
    // the policy always asks also what looks outside.
    let by_default = plan.task_type.default_confirmation();
    let asks = page.policy.confirmation.get(&plan.task_type).copied().unwrap_or(by_default);
    let needs = |node: &&NodeFacts| {
        let looks = asks == Confirmation::Always && node.target != Target::Inside;
        looks || node.effect != Effect::Read || node.acts != Effect::Read
    };
    let needed: Vec<&NodeFacts> = plan.nodes.iter().filter(needs).collect();
    let all = needed.iter().all(|node| {
        let there: Vec<&GrantFacts> = counting().filter(|grant| names(grant, node)).collect();
        let alike = needed.iter().filter(|one| there.iter().any(|grant| names(grant, one)));
        let left: u32 = there.iter().map(|grant| grant.left).sum();
        usize::try_from(left).unwrap() >= alike.count() && left > 0
    });
    all && !needed.is_empty()
}

/// "Never for: plans with a risky ruling, tainted or foreign targets, CODE_EDIT and commands, quorum of more
/// than one"; nor where the review has anything against it, in any stage, nor what was edited (ADR 0051).
fn never(page: &Page<'_>, plan: &PlanFacts) -> bool {
    use TaskType as T;
    let each_time = match plan.task_type {
        T::CodeEdit | T::Command | T::FileDelete | T::WorkflowManage => true,
        T::ProjectCreate | T::WorkflowCreate | T::Conversation | T::Information => true,
        T::FileRead | T::FileWrite | T::ApiWorkflow | T::DbQuery | T::WorkflowRun | T::WebFetch => {
            false
        }
    };
    let (against, would_deny) = page.dacs(plan);
    let removes_or_runs = |node: &NodeFacts| {
        let by_call = matches!(node.needs, Capability::Delete | Capability::Execute);
        by_call || node.effect > Effect::Write || node.acts > Effect::Write
    };
    plan.risk.risky
        || each_time
        || !against.is_empty()
        || !would_deny.is_empty()
        || !plan.faults.is_empty()
        || !plan.editors.is_empty()
        || page.policy.approval.normal.approvers > 1
        || plan.nodes.iter().any(removes_or_runs)
        || plan.nodes.iter().any(|node| page.goes_where_a_value_says(node))
}

/// "A person who may approve (and, under `by: another_person`, is not the requester)"; count and expiry.
fn counts(page: &Page<'_>, plan: &PlanFacts, grant: &GrantFacts) -> bool {
    let own = grant.granter == plan.requester;
    let judges = grant.rights.owner || grant.rights.approver;
    let may = match page.policy.approval.normal.by {
        ApprovalBy::Requester => judges || (own && grant.rights.editor),
        ApprovalBy::AnotherPerson => judges && !own,
    };
    may && grant.left > 0 && grant.expires_at > page.now
}

fn names(grant: &GrantFacts, node: &NodeFacts) -> bool {
    match &grant.covers {
        GrantCover::Whole => true,
        GrantCover::Steps(steps) => steps.contains(&node.step),
    }
}
