//! Ways to add a deny to a case. Each returns whether there was anything to tighten.

use super::{
    cases::{CAPABILITIES, Case},
    draw::Draw,
};
use crate::test_gate::{id, now};
use wiiiv_domain::{
    Amount, ApprovalBy, ApprovalRule, ArgPlace, BlueprintDigest, BudgetWindow, Capability,
    Confirmation, Consensus, DacsSource, DacsStage, Effect, ForeignTargets, ModelPersonas,
    RulesHash,
};
use wiiiv_gate::{
    ApprovalFacts, BudgetLine, GrantFacts, NodeFacts, PlanFacts, PlanFault, SubjectFacts, Target,
};

type Tighten = fn(&mut Case, &mut Draw) -> bool;

pub const ALL: &[(&str, Tighten)] = &[
    ("a step type is taken off", |case, draw| {
        let used = node(case, draw).map(|node| node.step_type);
        used.is_some_and(|used| case.policy.allowed_step_types.remove(&used))
    }),
    ("a host is taken off", |case, draw| take(&mut case.policy.allowed_hosts, draw)),
    ("a path is taken off", |case, draw| take(&mut case.policy.allowed_paths, draw)),
    ("a fallback is taken off", |case, draw| take(&mut case.policy.model_fallbacks, draw)),
    ("a token cap is lowered", |case, draw| {
        let budget = &mut case.policy.token_budget;
        let caps = [
            &mut budget.per_run,
            &mut budget.per_day,
            &mut budget.per_month,
            &mut budget.per_user_day,
            &mut budget.per_user_month,
        ];
        lower(caps, draw)
    }),
    ("a money cap is lowered", |case, draw| {
        let limit = &mut case.policy.cost_limit;
        let caps = [
            &mut limit.per_run_micros,
            &mut limit.per_day_micros,
            &mut limit.per_month_micros,
            &mut limit.per_user_day_micros,
            &mut limit.per_user_month_micros,
        ];
        lower(caps, draw)
    }),
    ("the review binds", |case, _| {
        let before = std::mem::replace(&mut case.policy.dacs_stage, DacsStage::Enforce);
        before == DacsStage::Observe
    }),
    ("model personas are asked", |case, _| {
        let before = std::mem::replace(&mut case.policy.model_personas, ModelPersonas::Risky);
        before == ModelPersonas::Never
    }),
    ("a task type is always confirmed", |case, _| {
        let task = plan(case).map(|plan| plan.task_type);
        let confirmation = &mut case.policy.confirmation;
        task.is_some_and(|task| confirmation.insert(task, Confirmation::Always).is_some())
    }),
    ("another person approves normal plans", |case, _| {
        !is_edited(case) && other_person(&mut case.policy.approval.normal.by)
    }),
    ("another person approves risky plans", |case, _| {
        !is_edited(case) && other_person(&mut case.policy.approval.risky.by)
    }),
    ("foreign targets are denied", |case, _| {
        let rule = &mut case.policy.approval.foreign_targets;
        std::mem::replace(rule, ForeignTargets::Deny) == ForeignTargets::Ask
    }),
    ("a value is foreign", |case, draw| {
        let place = draw.of(&ArgPlace::ALL);
        on_plan(case, |plan| plan.nodes.iter_mut().any(|node| node.foreign.insert(place)))
    }),
    ("somebody else wrote a value", |case, draw| {
        let editor = id(4 + u128::from(draw.below(3)));
        on_plan(case, |plan| plan.editors.insert(editor))
    }),
    ("one more approves normal plans", |case, _| one_more(&mut case.policy.approval.normal)),
    ("one more approves risky plans", |case, _| one_more(&mut case.policy.approval.risky)),
    ("all others are one person", |case, _| {
        on_plan(case, |plan| {
            let (requester, editors, mut found) = (plan.requester, plan.editors.clone(), false);
            // Whoever would use their own right as another's is no other, nor who wrote a value.
            let other = |yes: &&mut ApprovalFacts| {
                let lent = yes.on_behalf.is_none_or(|lent| lent.delegator != yes.approver);
                yes.approver != requester && !editors.contains(&yes.approver) && lent
            };
            for yes in plan.approvals.iter_mut().filter(other) {
                (yes.approver, found) = (id(4), true);
            }
            found
        })
    }),
    ("verified models are required", |case, _| {
        let task = plan(case).map(|plan| plan.task_type);
        task.is_some_and(|task| case.policy.require_verified_model.insert(task))
    }),
    ("prices are gone", |case, _| {
        let had = !case.policy.model_prices.is_empty() || !case.prices.0.is_empty();
        case.policy.model_prices.clear();
        case.prices.0.clear();
        had
    }),
    ("a halt", |case, _| !std::mem::replace(&mut case.facts.standing.halted, true)),
    ("a hold", |case, _| !std::mem::replace(&mut case.facts.risk_hold, true)),
    ("taint", |case, _| !std::mem::replace(&mut case.facts.standing.tainted, true)),
    ("an unverified model", |case, _| {
        !std::mem::replace(&mut case.facts.standing.unverified, true)
    }),
    ("a window is fuller", |case, draw| {
        let windows = BudgetWindow::all(case.facts.project, id(3), id(21), now());
        let window = windows[usize::from(draw.below(5))].clone();
        let held = Amount { tokens: u64::from(draw.below(90)), micros: Some(40) };
        let settled = Amount::ZERO;
        case.facts.budget.lines.push(BudgetLine { window, settled, held });
        true
    }),
    ("more is estimated", |case, draw| match &mut case.facts.subject {
        SubjectFacts::Blueprint(plan) => {
            let more = u64::from(draw.below(60));
            plan.estimate.tokens += more;
            plan.estimate.micros = plan.estimate.micros.map(|micros| micros + more);
            true
        }
        SubjectFacts::ModelCall(call) => {
            call.max_input_tokens += u64::from(draw.below(30));
            call.max_output_tokens += u64::from(draw.below(30));
            call.attempts += 1;
            true
        }
        SubjectFacts::Step(_) => false,
    }),
    ("another model is called", |case, _| match &mut case.facts.subject {
        SubjectFacts::ModelCall(call) => {
            call.model = "unknown".to_owned();
            // The built-in model costs nothing: another one of its provider neither.
            true
        }
        SubjectFacts::Blueprint(_) | SubjectFacts::Step(_) => false,
    }),
    ("risk", |case, _| {
        let rules = &case.policy.approval;
        let is_theirs = is_edited(case) && rules.normal.by != rules.risky.by;
        !is_theirs && on_plan(case, |plan| !std::mem::replace(&mut plan.risk.risky, true))
    }),
    ("a vote is REJECT", |case, _| {
        on_plan(case, |plan| {
            let sound = plan.dacs.claimed == plan.dacs.counted;
            (plan.dacs.counted, plan.dacs.claimed) = (Consensus::No, Consensus::No);
            sound
        })
    }),
    ("a vote is ABSTAIN", |case, _| {
        on_plan(case, |plan| {
            let sound = plan.dacs.claimed == plan.dacs.counted;
            plan.dacs.counted = plan.dacs.counted.max(Consensus::Revision);
            plan.dacs.claimed = plan.dacs.counted;
            sound
        })
    }),
    ("a rule persona rejects now", |case, _| {
        on_plan(case, |plan| {
            std::mem::replace(&mut plan.dacs.recounted, Consensus::No) != Consensus::No
        })
    }),
    ("a model persona rejects", |case, _| {
        on_plan(case, |plan| {
            let model = plan.dacs.model.as_mut();
            model.is_some_and(|model| std::mem::replace(model, Consensus::No) != Consensus::No)
        })
    }),
    ("no model persona was heard", |case, _| {
        on_plan(case, |plan| {
            plan.dacs.source == DacsSource::RulesAndModel && plan.dacs.model.take().is_some()
        })
    }),
    ("a review by other rules", |case, _| {
        on_plan(case, |plan| {
            plan.dacs.judged_by = RulesHash::of_bytes(b"other");
            true
        })
    }),
    ("a verdict that its opinions do not give", |case, _| {
        on_plan(case, |plan| {
            let forged = plan.dacs.counted == Consensus::Yes;
            plan.dacs.claimed = if forged { Consensus::No } else { Consensus::Yes };
            true
        })
    }),
    ("an approval is gone", |case, draw| on_plan(case, |plan| take(&mut plan.approvals, draw))),
    ("an approval expires", |case, draw| on_approval(case, draw, |yes| yes.expires_at = now())),
    ("an approval is of another plan", |case, draw| {
        on_approval(case, draw, |yes| yes.digest = BlueprintDigest::of_bytes(b"other"))
    }),
    ("an approver has no rights", |case, draw| {
        on_approval(case, draw, |yes| {
            let lent = yes.on_behalf.as_mut().map(|lent| &mut lent.rights);
            for rights in [Some(&mut yes.rights), lent].into_iter().flatten() {
                (rights.owner, rights.editor, rights.approver) = (false, false, false);
            }
        })
    }),
    ("a delegation is over", |case, draw| {
        on_approval(case, draw, |yes| {
            yes.on_behalf.iter_mut().for_each(|lent| lent.until = now());
        })
    }),
    ("a requester lends the right", |case, _| {
        on_plan(case, |plan| {
            let (requester, mut found) = (plan.requester, false);
            for lent in plan.approvals.iter_mut().filter_map(|yes| yes.on_behalf.as_mut()) {
                (lent.delegator, found) = (requester, true);
            }
            found
        })
    }),
    ("a grant is gone", |case, draw| on_plan(case, |plan| take(&mut plan.grants, draw))),
    ("a grant was used", |case, draw| {
        on_grant(case, draw, |grant| grant.left = grant.left.saturating_sub(1))
    }),
    ("a grant expires", |case, draw| on_grant(case, draw, |grant| grant.expires_at = now())),
    ("a granter has no rights", |case, draw| {
        on_grant(case, draw, |grant| {
            let rights = &mut grant.rights;
            (rights.owner, rights.editor, rights.approver) = (false, false, false);
        })
    }),
    ("a run began with another plan", |case, _| {
        on_plan(case, |plan| {
            let begun = plan.resumes.as_mut();
            begun.is_some_and(|begun| {
                begun.1 = BlueprintDigest::of_bytes(b"other");
                true
            })
        })
    }),
    ("a contradiction", |case, _| {
        on_plan(case, |plan| {
            plan.faults.push(PlanFault::RepeatedStep);
            true
        })
    }),
    ("a step is gained", |case, draw| {
        let node = node(case, draw).cloned();
        on_plan(case, |plan| {
            node.is_some_and(|mut node| {
                // Whatever it reads or writes, nobody lists it.
                node.target = Target::Path { directory: "..".to_owned(), name: None };
                plan.nodes.push(node);
                true
            })
        })
    }),
    ("no executor", |case, draw| {
        node(case, draw).is_some_and(|node| node.executor.take().is_some())
    }),
    ("another contract", |case, draw| {
        node(case, draw).is_some_and(|node| node.contract.take().is_some())
    }),
    ("a capability is missing", |case, draw| {
        let capability = draw.of(&CAPABILITIES);
        let executor = node(case, draw).and_then(|node| node.executor.as_mut());
        executor.is_some_and(|executor| executor.capabilities.remove(&capability))
    }),
    ("more is needed", |case, draw| {
        node(case, draw).is_some_and(|node| {
            node.needs = Capability::Execute;
            let executor = node.executor.as_mut();
            executor.is_some_and(|executor| executor.capabilities.remove(&Capability::Execute))
        })
    }),
    ("a step does more than it says", |case, draw| {
        node(case, draw).is_some_and(|node| {
            let more = node.effect != Effect::Execute;
            node.acts = Effect::Execute;
            more
        })
    }),
    ("another place", |case, draw| {
        node(case, draw).is_some_and(|node| match &mut node.target {
            Target::Inside => false,
            Target::Path { directory, .. } => {
                directory.push_str("/..");
                true
            }
            Target::Place { host, .. } => {
                host.push_str(".evil.test");
                true
            }
        })
    }),
    ("a value is too large", |case, draw| {
        let bound = node(case, draw).and_then(|node| node.bound.first_mut());
        bound.is_some_and(|bound| {
            bound.bytes = Some(bound.max_bytes + 1);
            true
        })
    }),
    ("a value is syntax", |case, draw| {
        let bound = node(case, draw).and_then(|node| node.bound.first_mut());
        bound.is_some_and(|bound| !std::mem::replace(&mut bound.is_syntax, true))
    }),
];

fn take<T>(list: &mut Vec<T>, draw: &mut Draw) -> bool {
    let at = usize::from(draw.below(8));
    let found = at < list.len();
    if found {
        list.remove(at);
    }
    found
}

fn lower<const N: usize>(caps: [&mut Option<u64>; N], draw: &mut Draw) -> bool {
    let at = usize::from(draw.below(8)) % N;
    for cap in caps.into_iter().skip(at).take(1) {
        *cap = Some(cap.map_or(60, |cap| cap / 2));
    }
    true
}

/// Of a requester there is one.
fn one_more(rule: &mut ApprovalRule) -> bool {
    rule.approvers += 1;
    rule.by == ApprovalBy::AnotherPerson
}

/// What was edited its requester alone confirms, or another person alone: neither asks for more (ADR 0051).
/// Of an edited plan the requester confirms the values of others where policy asks them, and where it asks another
/// person that one decides alone: who is asked changes then, and neither is milder.
fn is_edited(case: &Case) -> bool {
    match &case.facts.subject {
        SubjectFacts::Blueprint(plan) => !plan.editors.is_empty(),
        SubjectFacts::Step(_) | SubjectFacts::ModelCall(_) => false,
    }
}

fn other_person(by: &mut ApprovalBy) -> bool {
    std::mem::replace(by, ApprovalBy::AnotherPerson) == ApprovalBy::Requester
}

fn plan(case: &mut Case) -> Option<&mut PlanFacts> {
    match &mut case.facts.subject {
        SubjectFacts::Blueprint(plan) => Some(plan),
        SubjectFacts::Step(_) | SubjectFacts::ModelCall(_) => None,
    }
}

fn on_plan(case: &mut Case, tighten: impl FnOnce(&mut PlanFacts) -> bool) -> bool {
    plan(case).is_some_and(tighten)
}

fn on_approval(case: &mut Case, draw: &mut Draw, tighten: impl FnOnce(&mut ApprovalFacts)) -> bool {
    let at = usize::from(draw.below(4));
    let yes = plan(case).and_then(|plan| plan.approvals.get_mut(at));
    yes.map(tighten).is_some()
}

fn on_grant(case: &mut Case, draw: &mut Draw, tighten: impl FnOnce(&mut GrantFacts)) -> bool {
    let at = usize::from(draw.below(4));
    let grant = plan(case).and_then(|plan| plan.grants.get_mut(at));
    grant.map(tighten).is_some()
}

fn node<'a>(case: &'a mut Case, draw: &mut Draw) -> Option<&'a mut NodeFacts> {
    let at = usize::from(draw.below(3));
    match &mut case.facts.subject {
        SubjectFacts::Blueprint(plan) => {
            let at = at.checked_rem(plan.nodes.len())?;
            plan.nodes.get_mut(at)
        }
        SubjectFacts::Step(step) => Some(&mut step.node),
        SubjectFacts::ModelCall(_) => None,
    }
}
