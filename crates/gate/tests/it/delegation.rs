//! A right to approve that is lent: who may use it, when, and how often it counts.

use crate::{
    edits::edited,
    test_gate::{APPROVER, EDITOR, OWNER, TestGate, VIEWER, approval_id, id, now, permissive},
};
use std::{collections::BTreeSet, sync::Arc};
use wiiiv_domain::{ApprovalBy, Blueprint, DenyCode, OnBehalfOf, Timestamp, UserId};
use wiiiv_gate::{
    ApprovalBasis, ApprovalRequest, CountedYes, DelegationGiven, EvidenceError, EvidenceSet,
    GateBasis, PastRuling, PolicySnapshot, Principal, Recorded, Rights, UserEventKind, approval,
    delegation,
};

/// Seconds from now.
fn at(seconds: i64) -> Timestamp {
    now().plus_seconds(seconds)
}

const DAY: i64 = 24 * 60 * 60;

fn lend(
    test: &TestGate,
    who: &Principal,
    to: UserId,
    (from, until): (i64, i64),
) -> Result<Recorded<DelegationGiven>, EvidenceError> {
    let (from, until) = (at(from), at(until));
    let kind = UserEventKind::Delegate { delegation: id(60), to, from, until };
    let given = delegation::given(&test.event(who, kind))?;
    Ok(test.record(&test.opened.registrar.take(given).unwrap()))
}

/// The approver 4 lends their right to the viewer 5.
fn lent(test: &TestGate) -> Recorded<DelegationGiven> {
    lend(test, &test.person(id(4), APPROVER), id(5), (0, 300)).unwrap()
}

fn of_two(test: &TestGate) -> (Arc<PolicySnapshot>, Blueprint) {
    let mut two = permissive();
    (two.approval.normal.by, two.approval.normal.approvers) = (ApprovalBy::AnotherPerson, 2);
    let policy = test.snapshot(two);
    let plan = test.write("a.md", &policy);
    (policy, plan)
}

#[test]
fn a_right_is_lent_by_whoever_has_it_and_for_a_bounded_time() {
    let test = TestGate::new();
    let approver = test.person(id(4), APPROVER);
    let admin = Rights { admin: true, ..VIEWER };
    for (rights, allowed) in [(APPROVER, true), (OWNER, true), (EDITOR, false), (admin, false)] {
        let lent = lend(&test, &test.person(id(4), rights), id(5), (0, 60));
        assert_eq!(lent.err(), (!allowed).then_some(EvidenceError::NotAllowed), "{rights:?}");
    }
    assert_eq!(lend(&test, &approver, id(4), (0, 60)).err(), Some(EvidenceError::NotAllowed));
    for window in [(-1, 60), (60, 60), (60, 0), (0, 30 * DAY + 1)] {
        let lent = lend(&test, &approver, id(5), window);
        assert_eq!(lent.err(), Some(EvidenceError::Window), "{window:?}");
    }
    assert!(lend(&test, &approver, id(5), (DAY, 31 * DAY)).is_ok());
    let said = test.event(&approver, UserEventKind::Said { turn: id(50) });
    assert_eq!(delegation::given(&said).err(), Some(EvidenceError::OtherSubject));
}

#[test]
fn a_yes_on_behalf_names_whose_right_it_is_and_by_which_delegation() {
    let test = TestGate::new();
    let mut other = permissive();
    other.approval.normal.by = ApprovalBy::AnotherPerson;
    let policy = test.snapshot(other);
    let plan = test.write("a.md", &policy);
    let asked = test.request(&plan, ApprovalBy::AnotherPerson);
    let (lent, delegate) = (lent(&test), test.person(id(5), VIEWER));
    let given = test.yes_for(&delegate, &asked, &lent).unwrap();
    let on_behalf_of = Some(OnBehalfOf { delegation: id(60), delegator: id(4) });
    assert_eq!(given.body().on_behalf_of(), on_behalf_of);
    let (claim, _) = test.rule(plan.clone(), &policy, vec![given]);
    let (approval, approver) = (approval_id(), id(5));
    let basis = ApprovalBasis::Given { approval, approver, on_behalf_of, others: Vec::new() };
    assert_eq!(claim.record().answers[1].figures, GateBasis::Approval { basis });
    assert_eq!(claim.guard().unwrap().consume[0].approvers, 1);
    // Behind the end of its window it counts no more, though the question is open for longer.
    let given = test.yes_for(&delegate, &asked, &lent).unwrap();
    let cx = test.gather(plan, &policy, test.evidence(vec![given]));
    let (claim, _) = test.opened.keeper.rule(cx, at(300));
    assert_eq!(claim.record().codes(), [DenyCode::ApprovalExpired]);
}

/// Whatever else would be the reason; of a plan that has its yes it changes nothing.
#[test]
fn a_yes_in_a_right_that_is_lent_no_more_gives_the_denial_its_reason() {
    let test = TestGate::new();
    let mut other = permissive();
    other.approval.normal.by = ApprovalBy::AnotherPerson;
    let policy = test.snapshot(other);
    let plan = test.write("a.md", &policy);
    let asked = test.request(&plan, ApprovalBy::AnotherPerson);
    let given = || test.yes_for(&test.person(id(5), VIEWER), &asked, &lent(&test)).unwrap();
    for (approvals, delegation_ended, due) in [
        (Vec::new(), false, Some(DenyCode::ApprovalMissing)),
        (Vec::new(), true, Some(DenyCode::DelegationEnded)),
        (vec![given()], true, None),
    ] {
        let evidence = EvidenceSet { delegation_ended, ..test.evidence(approvals) };
        let cx = test.gather(plan.clone(), &policy, evidence);
        let (claim, _) = test.opened.keeper.rule(cx, now());
        assert_eq!(claim.record().codes(), due.into_iter().collect::<Vec<_>>());
    }
}

/// Of the requester nothing is approved by anybody's hands, and nobody else uses what was lent.
#[test]
fn four_eyes_hold_on_behalf_of_somebody_too() {
    let test = TestGate::new();
    let snapshot = test.permissive();
    let plan = test.write("a.md", &snapshot);
    for by in [ApprovalBy::Requester, ApprovalBy::AnotherPerson] {
        let asked = test.request(&plan, by);
        let no = Some(EvidenceError::NotAllowed);
        // The requester as the delegate.
        let to_requester =
            lend(&test, &test.person(id(4), APPROVER), test.requester, (0, 60)).unwrap();
        let requester = test.person(test.requester, EDITOR);
        assert_eq!(test.yes_for(&requester, &asked, &to_requester).err(), no);
        // The requester as whoever lent it.
        let own = lend(&test, &test.person(test.requester, OWNER), id(5), (0, 60)).unwrap();
        assert_eq!(test.yes_for(&test.person(id(5), APPROVER), &asked, &own).err(), no);
        // Somebody else than the one that it was lent to, and before it begins.
        assert_eq!(test.yes_for(&test.person(id(6), APPROVER), &asked, &lent(&test)).err(), no);
        let later = lend(&test, &test.person(id(4), APPROVER), id(5), (60, 120)).unwrap();
        assert_eq!(test.yes_for(&test.person(id(5), VIEWER), &asked, &later).err(), no);
    }
    // Without the delegation that it names it is none, and with another one neither.
    let asked = test.request(&plan, ApprovalBy::AnotherPerson);
    let kind = |delegation| UserEventKind::Approve {
        approval: asked.id,
        blueprint: asked.blueprint,
        digest: asked.digest,
        delegation,
    };
    let (delegate, lent) = (test.person(id(5), VIEWER), lent(&test));
    let question = test.opened.registrar.asked(asked.clone());
    for named in [None, Some(id(61))] {
        let event = test.event(&delegate, kind(named));
        let refused = approval::given_for(&event, &question, &lent).err();
        assert_eq!(refused, Some(EvidenceError::OtherSubject), "{named:?}");
    }
    assert!(question.may_be_given_for(&delegate, &lent, now()));
    assert!(!question.may_be_given_for(&delegate, &lent, at(300)));
    let there = TestGate::new();
    assert!(!question.may_be_given_for(&there.person(id(5), VIEWER), &lent, now()));
}

/// An editor is as a requester here: neither uses what was lent nor has lent it. A no is another matter.
#[test]
fn whoever_wrote_a_value_is_on_neither_side_of_a_yes_on_behalf() {
    let test = TestGate::new();
    let mut dual = permissive();
    dual.approval.normal.by = ApprovalBy::AnotherPerson;
    let policy = test.snapshot(dual);
    let (delegate, lent) = (test.person(id(5), VIEWER), lent(&test));
    for (editor, allowed) in [(4, false), (5, false), (6, true)] {
        let plan = edited(&test, &policy, id(editor));
        let asked = test.request(&plan, ApprovalBy::AnotherPerson);
        let refused = (!allowed).then_some(EvidenceError::NotAllowed);
        assert_eq!(test.yes_for(&delegate, &asked, &lent).err(), refused, "{editor}");
        // A question that forgot who wrote it lets the yes be said, and the ruling counts again.
        let forgot = ApprovalRequest { editors: BTreeSet::new(), ..asked.clone() };
        let said = test.yes_for(&delegate, &forgot, &lent).unwrap();
        let codes = test.rule(plan, &policy, vec![said]).0.record().codes();
        let due = (!allowed).then_some(DenyCode::ApproverNotAllowed);
        assert_eq!(codes, due.into_iter().collect::<Vec<_>>(), "{editor}");
        let question = test.opened.registrar.asked(asked);
        assert_eq!(question.may_be_given_for(&delegate, &lent, now()), allowed, "{editor}");
        assert!(question.may_be_refused_for(&delegate, &lent, now()), "{editor}");
    }
    // What the requester alone confirms is confirmed by nobody in their place.
    let plan = edited(&test, &policy, id(6));
    let asked = test.request(&plan, ApprovalBy::Requester);
    let given = test.yes_for(&delegate, &asked, &lent);
    assert_eq!(given.err(), Some(EvidenceError::NotAllowed));
}

/// A no, too: by the one whom it was lent to, while it runs, and never by or for the requester.
#[test]
fn a_no_on_behalf_is_held_to_what_was_lent() {
    let test = TestGate::new();
    let plan = test.write("a.md", &test.permissive());
    let question = test.opened.registrar.asked(test.request(&plan, ApprovalBy::AnotherPerson));
    let may = |user: UserId, lent: &Recorded<DelegationGiven>, seconds| {
        question.may_be_refused_for(&test.person(user, VIEWER), lent, at(seconds))
    };
    let given = lent(&test);
    assert!(may(id(5), &given, 0) && may(id(5), &given, 299));
    assert!(!may(id(5), &given, 300), "its time is over");
    assert!(!may(id(6), &given, 0), "it was lent to somebody else");
    let own = lend(&test, &test.person(test.requester, OWNER), id(5), (0, 60)).unwrap();
    let back = lend(&test, &test.person(id(4), APPROVER), test.requester, (0, 60)).unwrap();
    assert!(!may(id(5), &own, 0) && !may(test.requester, &back, 0));
}

/// One right counts once, whoever uses it, and one person counts once, whatever was lent to them.
#[test]
fn a_quorum_counts_rights_and_people_once() {
    let test = TestGate::new();
    let (policy, plan) = of_two(&test);
    let asked = test.request(&plan, ApprovalBy::AnotherPerson);
    let own = |user| test.yes(&test.person(id(user), APPROVER), &asked).unwrap();
    let lent = |from: u128, to: u128| {
        let lent = lend(&test, &test.person(id(from), APPROVER), id(to), (0, 300)).unwrap();
        test.yes_for(&test.person(id(to), APPROVER), &asked, &lent).unwrap()
    };
    let decided = |yeses| test.rule(plan.clone(), &policy, yeses).0;
    for (yeses, enough) in [
        // The delegator and their delegate.
        (vec![own(4), lent(4, 5)], false),
        (vec![lent(4, 5), lent(4, 6)], false),
        // One delegate of two people, and the delegate's own.
        (vec![lent(4, 5), lent(6, 5)], false),
        (vec![own(5), lent(4, 5)], false),
        (vec![lent(4, 5), own(6)], true),
        (vec![lent(4, 5), lent(6, 7)], true),
        // Whatever the order: somebody counts by the one of two rights that leaves the other free.
        (vec![lent(4, 5), lent(6, 5), lent(4, 7)], true),
    ] {
        let claim = decided(yeses);
        let codes = claim.record().codes();
        assert_eq!((codes.is_empty(), claim.guard().is_some()), (enough, enough), "{codes:?}");
    }
    let claim = decided(vec![own(6), lent(4, 5)]);
    let (approval, by) = (approval_id(), OnBehalfOf { delegation: id(60), delegator: id(4) });
    let others = vec![CountedYes { approval, approver: id(6), on_behalf_of: None }];
    let first = CountedYes { approval, approver: id(5), on_behalf_of: Some(by) };
    assert_eq!(claim.record().yeses_counted(), [vec![first], others.clone()].concat());
    let basis = ApprovalBasis::Given { approval, approver: id(5), on_behalf_of: Some(by), others };
    assert_eq!(claim.record().answers[1].figures, GateBasis::Approval { basis });
    assert_eq!(claim.guard().unwrap().consume[0].approvers, 2);
}

/// What was decided with a yes on behalf of somebody is judged again as it was.
#[test]
fn a_replay_counts_a_yes_on_behalf_as_the_record_does() {
    let test = TestGate::new();
    let (policy, plan) = of_two(&test);
    let asked = test.request(&plan, ApprovalBy::AnotherPerson);
    let yeses = || {
        let own = test.yes(&test.person(id(6), APPROVER), &asked).unwrap();
        vec![own, test.yes_for(&test.person(id(5), VIEWER), &asked, &lent(&test)).unwrap()]
    };
    let (claim, _) = test.rule(plan.clone(), &policy, yeses());
    assert!(claim.record().codes().is_empty());
    let (record, approvals) = (claim.record(), yeses());
    let past = PastRuling { record, plan: &plan, approvals: &approvals, grants: &[], inputs: None };
    let replayed = test.opened.keeper.replay(&past, policy.policy()).unwrap();
    assert!(replayed.is_as(record));
    let past = PastRuling { approvals: &approvals[..1], ..past };
    let without = test.opened.keeper.replay(&past, policy.policy()).unwrap();
    assert!(!without.is_as(record), "without it there would be too few");
}
