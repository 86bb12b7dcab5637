//! Parts of two openings never fit together, and a commit seals only its own ruling.

use crate::test_gate::{EDITOR, OWNER, TestGate, call_node, execution, id, now, ruling};
use std::sync::Arc;
use wiiiv_domain::{ApprovalBy, Blueprint, DenyCode, HttpMethod, StepId};
use wiiiv_gate::{
    BudgetView, EvidenceError, EvidenceSet, ForeignEvidence, ForeignPermit, Mismatch, NotInPlan,
    PolicyError, Purpose, Refusal, Resolved, UserEvent, UserEventKind, approval,
};

#[test]
fn an_approved_plan_is_permitted_and_redeemed() {
    let test = TestGate::new();
    let policy = test.permissive();
    let permit = test.permit(test.write("notes/오늘.md", &policy), &policy);
    assert_eq!(permit.trail().execution(), execution());
    let witness = format!("{:?} {:?}", permit.trail().dacs(), permit.trail().cost());
    assert_eq!(witness, "Cleared<Dacs> Cleared<Cost>");
    let plan = test.opened.verifier.redeem(permit).unwrap();
    assert_eq!(plan.nodes.len(), 1);
}

#[test]
fn another_openings_commit_is_refused() {
    let (here, there) = (TestGate::new(), TestGate::new());
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
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let ruled = |plan| {
        let yes = test.own_yes(&plan);
        test.rule(plan, &policy, vec![yes])
    };
    let (first, _dropped) = ruled(plan.clone());
    let (_unused, second) = ruled(plan);
    let done = test.opened.registrar.attest(first, test.next());
    assert_eq!(second.seal(done).err(), Some(Refusal::ForeignCommit));
}

#[test]
fn another_openings_permit_is_refused() {
    let (here, there) = (TestGate::new(), TestGate::new());
    let policy = here.permissive();
    let permit = here.permit(here.write("a.md", &policy), &policy);
    assert_eq!(there.opened.verifier.redeem(permit).err(), Some(ForeignPermit));
}

#[test]
fn another_openings_policy_and_records_are_refused_and_the_subject_comes_back() {
    let (here, there) = (TestGate::new(), TestGate::new());
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

    let version =
        wiiiv_gate::policy::initial(there.document(crate::test_gate::permissive())).unwrap();
    let compiled = here.opened.keeper.compile(&there.record(&version));
    assert_eq!(compiled.err(), Some(PolicyError::Foreign));
}

/// Whoever was authenticated elsewhere is nobody here, whatever they say and whoever records it.
#[test]
fn another_openings_person_says_nothing_here() {
    let (here, there) = (TestGate::new(), TestGate::new());
    let (ours, theirs) = (here.person(id(5), OWNER), there.person(id(5), OWNER));
    assert!(here.opened.keeper.knows(&ours) && !here.opened.keeper.knows(&theirs));
    assert_ne!(ours, theirs, "the same account, and not the same person");
    assert!(!here.opened.registrar.opened(&theirs.opening()));
    let kind = UserEventKind::Said { turn: id(50) };
    let said = UserEvent::of(&theirs, here.project, None, kind, now()).unwrap();
    assert_eq!(here.opened.registrar.take(said).err(), Some(ForeignEvidence));
}

#[test]
fn an_answer_takes_no_question_and_no_event_of_another_opening() {
    let (here, there) = (TestGate::new(), TestGate::new());
    let policy = here.permissive();
    let asked = here.request(&here.write("a.md", &policy), ApprovalBy::Requester);
    let kind = || UserEventKind::Approve {
        approval: asked.id,
        blueprint: asked.blueprint,
        digest: asked.digest,
        delegation: None,
    };
    let who = |test: &TestGate| test.person(here.requester, EDITOR);
    let (ours, theirs) = (here.event(&who(&here), kind()), there.event(&who(&there), kind()));
    let (question, foreign) =
        [&here, &there].map(|test| test.opened.registrar.asked(asked.clone())).into();
    assert_eq!(approval::given(&theirs, &question).err(), Some(EvidenceError::Foreign));
    assert_eq!(approval::given(&ours, &foreign).err(), Some(EvidenceError::Foreign));
    assert!(!question.may_be_given_by(&who(&there)) && question.may_be_given_by(&who(&here)));
    let given = approval::given(&theirs, &foreign).unwrap();
    assert_eq!(here.opened.registrar.take(given).err(), Some(ForeignEvidence));
    assert!(here.opened.registrar.recorded(&ours) && !here.opened.registrar.recorded(&theirs));

    let mut document = there.document(crate::test_gate::permissive());
    (document.number, document.author) = (2, Some(here.requester));
    let digest = wiiiv_gate::policy::digest(&document).unwrap();
    let owner = there.person(here.requester, OWNER);
    let edit = there.event(&owner, UserEventKind::EditPolicy { digest });
    let first =
        wiiiv_gate::policy::initial(there.document(crate::test_gate::permissive())).unwrap();
    let first = there.record(&first);
    let version = wiiiv_gate::policy::edited(&edit, document, &first).unwrap();
    assert_eq!(here.opened.registrar.take(version).err(), Some(ForeignEvidence));
}

/// What it was given for ran, and nothing of it had begun.
#[test]
fn a_yes_is_taken_up_for_the_same_plan_alone() {
    let test = TestGate::new();
    let policy = test.permissive();
    let first = test.write("a.md", &policy);
    let again = Blueprint { id: id(77), ..first.clone() };
    assert_eq!(first.digest().unwrap(), again.digest().unwrap());
    let yes = test.own_yes(&first);
    let taken = |plan: &Blueprint| {
        let taken = approval::taken_up(&yes, (id(31), plan.id));
        test.record(&test.opened.registrar.take(taken).unwrap())
    };
    let (claim, ruled) = test.rule(again.clone(), &policy, vec![taken(&again)]);
    assert!(ruled.denied().is_none());
    let consumed = &claim.guard().unwrap().consume[0];
    assert_eq!((consumed.id, consumed.blueprint), (id(31), again.id));
    let other = Blueprint { id: id(77), ..test.write("b.md", &policy) };
    let (_, ruled) = test.rule(other.clone(), &policy, vec![taken(&other)]);
    assert_eq!(ruled.denied().unwrap().codes(), [DenyCode::ApprovalStaleDigest]);
    let theirs = approval::taken_up(&yes, (id(31), again.id));
    assert_eq!(TestGate::new().opened.registrar.take(theirs).err(), Some(ForeignEvidence));
}

#[test]
fn a_run_takes_no_policy_of_another_opening() {
    let (here, there) = (TestGate::new(), TestGate::new());
    let (ours, theirs) = (here.permissive(), there.permissive());
    let mut run = here.permit(here.fetch("https://shop.test/items", &ours), &ours).begin();
    let step = StepId::parse("call").unwrap();
    let ruled = run.rule_step(&step, 1, Resolved::default(), &theirs, &here.standing(), now());
    assert_eq!(ruled.err(), Some(NotInPlan::OtherPolicy));
}

#[test]
fn a_denial_has_a_record_and_no_guard_and_seals_nothing() {
    let test = TestGate::new();
    let policy = test.permissive();
    let (claim, ruled) = test.rule(test.write("a.md", &policy), &policy, Vec::new());
    assert!(claim.guard().is_none() && claim.started().is_none());
    assert_eq!(claim.record().codes(), ruled.denied().unwrap().codes());
    let done = test.opened.registrar.attest(claim, test.next());
    assert!(matches!(ruled.seal(done), Err(Refusal::Denied(_))));
}

#[test]
fn a_withdrawn_subject_is_ruled_afresh() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let (_moved, ruled) = test.rule(plan.clone(), &policy, vec![test.own_yes(&plan)]);
    assert_eq!(ruled.withdraw(), plan);
}

#[test]
fn a_step_is_never_gathered_for_and_a_purpose_fits_its_subject() {
    let test = TestGate::new();
    let policy = test.permissive();
    let mut run = test.permit(test.fetch("https://shop.test/items", &policy), &policy).begin();
    let step = StepId::parse("call").unwrap();
    let standing = test.standing();
    let (_, ruled) =
        run.rule_step(&step, 1, Resolved::default(), &policy, &standing, now()).unwrap();
    let keeper = &test.opened.keeper;
    for purpose in [Purpose::Call, Purpose::Start(execution())] {
        let mut again =
            test.permit(test.fetch("https://shop.test/items", &policy), &policy).begin();
        let (_, ruled) =
            again.rule_step(&step, 1, Resolved::default(), &policy, &standing, now()).unwrap();
        let bare = EvidenceSet::bare(BudgetView::default(), standing);
        let refused = keeper.gather(ruling(), purpose, ruled.withdraw(), Arc::clone(&policy), bare);
        assert_eq!(refused.unwrap_err().why, Mismatch::Purpose);
    }
    assert_eq!(ruled.peek().url().unwrap(), "https://shop.test/items");
    let plan = test.plan(
        wiiiv_domain::TaskType::WebFetch,
        &[("url", "https://shop.test/items")],
        vec![call_node(HttpMethod::Get, "shop.test", None)],
        &policy,
    );
    let given = test.evidence(Vec::new());
    let refused = keeper.gather(ruling(), Purpose::Call, plan, policy, given);
    assert_eq!(refused.unwrap_err().why, Mismatch::Purpose);
}
