//! Parts of two openings never fit together, and a commit seals only its own ruling.

use crate::world::{World, call_node, execution, now, ruling};
use std::sync::Arc;
use wiiiv_domain::{HttpMethod, StepId};
use wiiiv_gate::{
    BudgetView, EvidenceSet, ForeignPermit, Mismatch, NotInPlan, PolicyError, Purpose, Refusal,
    Resolved,
};

#[test]
fn an_approved_plan_is_permitted_and_redeemed() {
    let world = World::new();
    let policy = world.permissive();
    let permit = world.permit(world.write("notes/오늘.md", &policy), &policy);
    assert_eq!(permit.trail().execution(), execution());
    let plan = world.opened.verifier.redeem(permit).unwrap();
    assert_eq!(plan.nodes.len(), 1);
}

#[test]
fn another_openings_commit_is_refused() {
    let (here, there) = (World::new(), World::new());
    let policy = here.permissive();
    let plan = here.write("a.md", &policy);
    let yes = here.own_yes(&plan);
    let (claim, ruled) = here.rule(plan, &policy, vec![yes]);
    assert!(here.opened.registrar.made(&claim));
    assert!(!there.opened.registrar.made(&claim));
    let foreign = there.opened.registrar.attest(claim, there.next());
    assert_eq!(ruled.seal(foreign).err(), Some(Refusal::ForeignCommit));
}

#[test]
fn another_rulings_commit_is_refused_even_of_the_same_subject_and_id() {
    let world = World::new();
    let policy = world.permissive();
    let plan = world.write("a.md", &policy);
    let ruled = |plan| {
        let yes = world.own_yes(&plan);
        world.rule(plan, &policy, vec![yes])
    };
    let (first, _dropped) = ruled(plan.clone());
    let (_unused, second) = ruled(plan);
    let done = world.opened.registrar.attest(first, world.next());
    assert_eq!(second.seal(done).err(), Some(Refusal::ForeignCommit));
}

#[test]
fn another_openings_permit_is_refused() {
    let (here, there) = (World::new(), World::new());
    let policy = here.permissive();
    let permit = here.permit(here.write("a.md", &policy), &policy);
    assert_eq!(there.opened.verifier.redeem(permit).err(), Some(ForeignPermit));
}

#[test]
fn another_openings_policy_and_records_are_refused_and_the_subject_comes_back() {
    let (here, there) = (World::new(), World::new());
    let (ours, theirs) = (here.permissive(), there.permissive());
    let plan = here.write("a.md", &ours);
    let start = || Purpose::Start(execution());
    let foreign_yes = there.own_yes(&plan);
    let given = here.evidence(vec![foreign_yes]);
    let refused = here.opened.keeper.gather(ruling(), start(), plan, Arc::clone(&ours), given);
    let back = refused.unwrap_err();
    assert_eq!(back.why, Mismatch::Foreign);
    let given = here.evidence(Vec::new());
    let refused = here.opened.keeper.gather(ruling(), start(), *back.subject, theirs, given);
    assert_eq!(refused.unwrap_err().why, Mismatch::Foreign);

    let version = wiiiv_gate::policy::initial(there.document(crate::world::permissive())).unwrap();
    let compiled = here.opened.keeper.compile(&there.record(&version));
    assert_eq!(compiled.err(), Some(PolicyError::Foreign));
}

#[test]
fn a_run_takes_no_policy_of_another_opening() {
    let (here, there) = (World::new(), World::new());
    let (ours, theirs) = (here.permissive(), there.permissive());
    let mut run = here.permit(here.fetch("https://shop.test/items", &ours), &ours).begin();
    let step = StepId::parse("call").unwrap();
    let ruled = run.rule_step(&step, 1, Resolved::default(), &theirs, &here.standing(), now());
    assert_eq!(ruled.err(), Some(NotInPlan::OtherPolicy));
}

#[test]
fn a_denial_has_a_record_and_no_guard_and_seals_nothing() {
    let world = World::new();
    let policy = world.permissive();
    let (claim, ruled) = world.rule(world.write("a.md", &policy), &policy, Vec::new());
    assert!(claim.guard().is_none() && claim.started().is_none());
    assert_eq!(claim.record().codes(), ruled.denied().unwrap().codes());
    let done = world.opened.registrar.attest(claim, world.next());
    assert!(matches!(ruled.seal(done), Err(Refusal::Denied(_))));
}

#[test]
fn a_withdrawn_subject_is_ruled_afresh() {
    let world = World::new();
    let policy = world.permissive();
    let plan = world.write("a.md", &policy);
    let (_moved, ruled) = world.rule(plan.clone(), &policy, vec![world.own_yes(&plan)]);
    assert_eq!(ruled.withdraw(), plan);
}

#[test]
fn a_step_is_never_gathered_for_and_a_purpose_fits_its_subject() {
    let world = World::new();
    let policy = world.permissive();
    let mut run = world.permit(world.fetch("https://shop.test/items", &policy), &policy).begin();
    let step = StepId::parse("call").unwrap();
    let standing = world.standing();
    let (_, ruled) =
        run.rule_step(&step, 1, Resolved::default(), &policy, &standing, now()).unwrap();
    let keeper = &world.opened.keeper;
    for purpose in [Purpose::Call, Purpose::Start(execution())] {
        let mut again =
            world.permit(world.fetch("https://shop.test/items", &policy), &policy).begin();
        let (_, ruled) =
            again.rule_step(&step, 1, Resolved::default(), &policy, &standing, now()).unwrap();
        let bare = EvidenceSet::bare(BudgetView::default(), standing);
        let refused = keeper.gather(ruling(), purpose, ruled.withdraw(), Arc::clone(&policy), bare);
        assert_eq!(refused.unwrap_err().why, Mismatch::Purpose);
    }
    assert_eq!(ruled.peek().url().unwrap(), "https://shop.test/items");
    let plan = world.plan(
        wiiiv_domain::TaskType::WebFetch,
        &[("url", "https://shop.test/items")],
        vec![call_node(HttpMethod::Get, "shop.test", None)],
        &policy,
    );
    let given = world.evidence(Vec::new());
    let refused = keeper.gather(ruling(), Purpose::Call, plan, policy, given);
    assert_eq!(refused.unwrap_err().why, Mismatch::Purpose);
}
