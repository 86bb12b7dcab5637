//! A plan that somebody else than its requester wrote a value of: who has to say yes to it.

use crate::test_gate::{APPROVER, EDITOR, OWNER, TestGate, id, permissive};
use wiiiv_domain::{
    ApprovalBy, Asks, Blueprint, Confirmation, DenyCode, PlanEdit, Slots, TaskType, UserId,
};
use wiiiv_gate::{EvidenceError, PolicySnapshot};

/// The plan with a content that this person wrote.
pub fn edited(test: &TestGate, policy: &PolicySnapshot, by: UserId) -> Blueprint {
    let mut plan = test.write("a.md", policy);
    let mut slots = Slots::default();
    slots.set("content", "회의 4시").unwrap();
    let spec = plan.spec_snapshot.spec.edited(&PlanEdit { by: Some(by), slots }).unwrap();
    plan.spec_snapshot.deliberation =
        test.opened.keeper.deliberate(&spec, policy, &test.standing());
    plan.spec_snapshot.spec = spec;
    plan
}

fn codes(
    test: &TestGate,
    plan: &Blueprint,
    policy: &std::sync::Arc<PolicySnapshot>,
    yes: Vec<wiiiv_gate::Recorded<wiiiv_gate::ApprovalGiven>>,
) -> Vec<DenyCode> {
    test.rule(plan.clone(), policy, yes).0.record().codes()
}

#[test]
fn whoever_wrote_a_value_is_no_other_person() {
    let test = TestGate::new();
    let mut dual = permissive();
    dual.approval.normal.by = ApprovalBy::AnotherPerson;
    let policy = test.snapshot(dual);
    let plan = edited(&test, &policy, id(4));
    assert_eq!(test.opened.keeper.asks(&plan, &policy, &test.standing()), Asks::AnotherPerson);
    let asked = test.request(&plan, ApprovalBy::AnotherPerson);
    let yes = |user: UserId, rights| test.yes(&test.person(user, rights), &asked);
    assert_eq!(yes(id(4), APPROVER).err(), Some(EvidenceError::NotAllowed));
    assert_eq!(yes(id(4), OWNER).err(), Some(EvidenceError::NotAllowed));
    assert_eq!(yes(test.requester, OWNER).err(), Some(EvidenceError::NotAllowed));
    assert_eq!(codes(&test, &plan, &policy, vec![yes(id(5), APPROVER).unwrap()]), []);
    // A question that forgot who wrote it lets the yes be said, and the ruling counts again.
    let forgot =
        wiiiv_gate::ApprovalRequest { editors: std::collections::BTreeSet::new(), ..asked };
    let said = test.yes(&test.person(id(4), APPROVER), &forgot).unwrap();
    assert_eq!(codes(&test, &plan, &policy, vec![said]), [DenyCode::ApproverNotAllowed]);
}

#[test]
fn several_people_are_counted_without_whoever_wrote_a_value() {
    let test = TestGate::new();
    let mut two = permissive();
    (two.approval.normal.by, two.approval.normal.approvers) = (ApprovalBy::AnotherPerson, 2);
    let policy = test.snapshot(two);
    let plan = edited(&test, &policy, id(4));
    let asked = test.request(&plan, ApprovalBy::AnotherPerson);
    let forgot =
        wiiiv_gate::ApprovalRequest { editors: std::collections::BTreeSet::new(), ..asked.clone() };
    let yes = |user| test.yes(&test.person(id(user), APPROVER), &forgot).unwrap();
    assert_eq!(codes(&test, &plan, &policy, vec![yes(4), yes(5)]), [DenyCode::ApproverNotAllowed]);
    assert_eq!(codes(&test, &plan, &policy, vec![yes(4), yes(5), yes(6)]), []);
}

#[test]
fn the_requester_confirms_what_somebody_else_wrote() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = edited(&test, &policy, id(4));
    let asked = test.request(&plan, ApprovalBy::Requester);
    for (user, rights) in [(id(4), APPROVER), (id(5), APPROVER), (id(5), OWNER)] {
        let said = test.yes(&test.person(user, rights), &asked);
        assert_eq!(said.err(), Some(EvidenceError::NotAllowed), "{rights:?}");
    }
    let own = test.yes(&test.person(test.requester, EDITOR), &asked).unwrap();
    assert_eq!(codes(&test, &plan, &policy, vec![own]), []);
    // Without an edit, whoever may approve for others may approve this too.
    let plain = test.write("a.md", &policy);
    let asked = test.request(&plain, ApprovalBy::Requester);
    assert!(test.yes(&test.person(id(5), APPROVER), &asked).is_ok());
}

#[test]
fn what_was_edited_is_asked_about_even_where_policy_never_does() {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.confirmation.insert(TaskType::FileWrite, Confirmation::Never);
    let policy = test.snapshot(rules);
    let plan = edited(&test, &policy, id(4));
    assert_eq!(test.opened.keeper.asks(&plan, &policy, &test.standing()), Asks::Requester);
    assert_eq!(codes(&test, &plan, &policy, Vec::new()), [DenyCode::ApprovalMissing]);
    assert_eq!(codes(&test, &plan, &policy, vec![test.own_yes(&plan)]), []);
    // The requester's own words are nobody else's.
    let own = edited(&test, &policy, test.requester);
    assert_eq!(test.opened.keeper.asks(&own, &policy, &test.standing()), Asks::Nothing);
}

/// A yes to the plan from before names another digest.
#[test]
fn a_yes_from_before_the_edit_says_nothing() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let plan_of = edited(&test, &policy, id(4));
    assert_ne!(plan.digest().unwrap(), plan_of.digest().unwrap());
    let before = test.own_yes(&plan);
    assert_eq!(codes(&test, &plan_of, &policy, vec![before]), [DenyCode::ApprovalStaleDigest]);
    let asked = serde_json::to_string(&test.request(&plan, ApprovalBy::Requester)).unwrap();
    assert!(!asked.contains("editors"), "{asked}");
}
