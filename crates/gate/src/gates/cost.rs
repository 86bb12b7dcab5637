//! Whether the worst case fits the budgets. It judges a view, and the commit's conditional update
//! holds the amount: a stale view costs a retry, never an overdraft.

use crate::{
    base::policy::{EXACT_INTEGER_MAX, Policy},
    facts::{CallFacts, GateFacts, PlanFacts},
    findings::{Answer, CostFinding, CostLine, Hold},
    permit::cap::Cap,
};
use wiiiv_domain::{Amount, BudgetWindow, DenyCode, TaskId, Timestamp, UserId, worst_case};

pub(crate) fn of_plan(
    facts: &GateFacts,
    plan: &PlanFacts,
    policy: &Policy,
    now: Timestamp,
) -> CostFinding {
    let estimate = plan.estimate;
    if let (Some((execution, _)), false) = (plan.resumes, estimate.is_zero()) {
        return CostFinding { answer: Answer::Allow, estimate, hold: Hold::Stands(execution) };
    }
    if estimate.is_zero() {
        return CostFinding { answer: Answer::Allow, estimate, hold: Hold::Take(Vec::new()) };
    }
    taken(facts, (plan.requester, plan.task), estimate, policy, now)
}

pub(crate) fn of_call(
    facts: &GateFacts,
    call: &CallFacts,
    policy: &Policy,
    now: Timestamp,
) -> CostFinding {
    if call.provider.is_built_in() {
        let (estimate, hold) = (Amount::ZERO, Hold::Take(Vec::new()));
        return CostFinding { answer: Answer::Allow, estimate, hold };
    }
    let price = policy.prices().get(call.provider.as_str(), &call.model);
    let estimate = worst_case(price, call.max_input_tokens, call.max_output_tokens, call.attempts);
    taken(facts, (call.user, call.task), estimate, policy, now)
}

fn taken(
    facts: &GateFacts,
    (user, task): (UserId, TaskId),
    estimate: Amount,
    policy: &Policy,
    now: Timestamp,
) -> CostFinding {
    let windows = BudgetWindow::all(facts.project, user, task, now);
    let mut lines: Vec<CostLine> = windows
        .into_iter()
        .map(|window| {
            let cap = Cap::of(policy.project_policy(), &window);
            let (used_tokens, used_micros) = facts.budget.used(&window);
            CostLine { window, used_tokens, used_micros, cap }
        })
        .collect();
    lines.sort_by_cached_key(|line| line.window.to_string());
    let code = lines.iter().find_map(|line| shortfall(line, estimate));
    CostFinding { answer: Answer::of(code), estimate, hold: Hold::Take(lines) }
}

/// A model without a price has no money amount: under a money cap it is refused.
fn shortfall(line: &CostLine, estimate: Amount) -> Option<DenyCode> {
    // Without a cap, the greatest exact integer is the bound.
    let over = |used: u64, amount: u64, cap: Option<u64>| {
        used.saturating_add(amount) > cap.unwrap_or(EXACT_INTEGER_MAX)
    };
    if over(line.used_tokens, estimate.tokens, line.cap.tokens) {
        return Some(DenyCode::TokenBudgetExceeded);
    }
    match estimate.micros {
        None => line.cap.micros.map(|_| DenyCode::ModelUnpriced),
        Some(micros) => {
            over(line.used_micros, micros, line.cap.micros).then_some(DenyCode::CostLimitExceeded)
        }
    }
}
