//! Who has to say yes, and what makes a yes count no longer.

use crate::test_gate::{
    APPROVER, EDITOR, TestGate, VIEWER, approval_id, execution, id, now, permissive, ruling,
};
use std::sync::Arc;
use wiiiv_domain::{
    ApprovalBy, ArgPlace, ArgSources, Asks, Blueprint, Confirmation, DenyCode, ForeignTargets,
    GateName, SourceKind, TaskType, ValueSource, ValueSources,
};
use wiiiv_gate::{
    Answer, ApprovalBasis, ApprovalKey, Claim, CountedYes, GateBasis, NotRequired, Purpose, Rights,
    Start,
};

fn basis(claim: &Claim) -> ApprovalBasis {
    match &claim.record().answers[1].figures {
        GateBasis::Approval { basis } => basis.clone(),
        other => panic!("{other:?}"),
    }
}

fn reported(claim: &Claim) -> Vec<DenyCode> {
    claim.record().codes()
}

#[test]
fn the_requesters_own_yes_is_given_and_consumed() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let (claim, _) = test.rule(plan.clone(), &policy, vec![test.own_yes(&plan)]);
    let (approval, approver) = (approval_id(), test.requester);
    let given = ApprovalBasis::Given { approval, approver, on_behalf_of: None, others: Vec::new() };
    assert_eq!(basis(&claim), given);
    let guard = claim.guard().unwrap();
    let digest = plan.digest().unwrap();
    let (blueprint, requester) = (plan.id, test.requester);
    let key = ApprovalKey { id: approval_id(), blueprint, digest, requester, approvers: 1 };
    assert_eq!(guard.consume, [key]);
    let start =
        Start::Execution { execution: execution(), blueprint: plan.id, digest, takes: None };
    assert_eq!(guard.start, start);
    assert_eq!(guard.policy, (test.project, crate::test_gate::version_id()));
    assert_eq!(guard.standing, test.standing());
    assert_eq!(claim.record().standing.seq, 7, "as the standing says");
}

#[test]
fn no_yes_a_yes_to_other_bytes_and_a_late_one_are_told_apart() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let (claim, _) = test.rule(plan.clone(), &policy, Vec::new());
    assert_eq!(reported(&claim), [DenyCode::ApprovalMissing]);

    let yes = test.own_yes(&plan);
    let mut changed = plan.clone();
    changed.nodes.push(crate::test_gate::read_node("other.md"));
    let (claim, _) = test.rule(changed, &policy, vec![yes]);
    assert_eq!(reported(&claim), [DenyCode::ApprovalStaleDigest]);

    let cx = test.gather(plan.clone(), &policy, test.evidence(vec![test.own_yes(&plan)]));
    let (claim, _) = test.opened.keeper.rule(cx, now().plus_seconds(600));
    assert_eq!(reported(&claim), [DenyCode::ApprovalExpired]);
}

/// Of several that do not count, in whatever order, the one that came furthest is told of.
#[test]
fn the_yes_that_is_nearest_to_counting_says_what_is_missing() {
    let test = TestGate::new();
    let before = test.permissive();
    let mut other = permissive();
    other.approval.normal.by = ApprovalBy::AnotherPerson;
    let policy = test.snapshot(other);
    let plan = test.write("a.md", &policy);
    let earlier = Blueprint { nodes: Vec::new(), ..plan.clone() };
    let who = test.person(test.requester, EDITOR);
    let yes = |number, plan: &Blueprint, seconds| {
        let mut asked = test.request(plan, ApprovalBy::Requester);
        (asked.id, asked.expires_at) = (id(number), now().plus_seconds(seconds));
        test.yes(&who, &asked).unwrap()
    };
    use DenyCode::{ApprovalExpired, ApprovalStaleDigest, ApproverNotAllowed};
    let rule = |policy: &Arc<_>, [stale, late, own]: [Option<u128>; 3]| {
        let mut given = Vec::new();
        given.extend(stale.map(|number| yes(number, &earlier, 600)));
        given.extend(late.map(|number| yes(number, &plan, 1)));
        given.extend(own.map(|number| yes(number, &plan, 600)));
        let cx = test.gather(plan.clone(), policy, test.evidence(given));
        reported(&test.opened.keeper.rule(cx, now().plus_seconds(2)).0)
    };
    for [first, second] in [[1, 2], [2, 1]] {
        let [first, second] = [Some(first), Some(second)];
        assert_eq!(rule(&policy, [first, second, None]), [ApprovalExpired]);
        assert_eq!(rule(&policy, [first, None, second]), [ApproverNotAllowed]);
        assert_eq!(rule(&policy, [None, first, second]), [ApproverNotAllowed]);
    }
    assert_eq!(rule(&policy, [Some(1), None, None]), [ApprovalStaleDigest]);
    assert_eq!(rule(&before, [Some(1), Some(2), Some(3)]), [], "one counts");
}

#[test]
fn of_several_the_one_that_counts_is_found() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let mut late = test.request(&plan, ApprovalBy::Requester);
    (late.id, late.expires_at) = (id(29), now().plus_seconds(1));
    let who = test.person(test.requester, EDITOR);
    let given = vec![test.yes(&who, &late).unwrap(), test.own_yes(&plan)];
    let cx = test.gather(plan, &policy, test.evidence(given));
    let (claim, _) = test.opened.keeper.rule(cx, now().plus_seconds(2));
    assert_eq!(claim.guard().unwrap().consume[0].id, approval_id());
}

#[test]
fn a_policy_that_asks_for_another_person_now_takes_no_older_own_yes() {
    let test = TestGate::new();
    let before = test.permissive();
    let plan = test.write("a.md", &before);
    let own = test.own_yes(&plan);
    let mut stricter = permissive();
    stricter.approval.normal.by = ApprovalBy::AnotherPerson;
    let after = test.snapshot(stricter);
    let (claim, _) = test.rule(plan.clone(), &after, vec![own]);
    assert_eq!(reported(&claim), [DenyCode::ApproverNotAllowed]);
    let asked = test.request(&plan, ApprovalBy::AnotherPerson);
    let other = test.yes(&test.person(id(4), APPROVER), &asked).unwrap();
    let (claim, _) = test.rule(plan.clone(), &after, vec![other]);
    assert!(claim.guard().is_some());
    assert_eq!(test.opened.keeper.asks(&plan, &after, &test.standing()), Asks::AnotherPerson);
}

/// Two of four eyes: of different people, whatever tokens they have, and none of them the requester.
#[test]
fn a_quorum_counts_people_and_not_yeses() {
    let test = TestGate::new();
    let mut two = permissive();
    (two.approval.normal.by, two.approval.normal.approvers) = (ApprovalBy::AnotherPerson, 2);
    let policy = test.snapshot(two);
    let plan = test.write("a.md", &policy);
    assert_eq!(test.opened.keeper.approvers(&plan, &policy, &test.standing()), 2);
    let asked = test.request(&plan, ApprovalBy::AnotherPerson);
    let yes = |user| test.yes(&test.person(id(user), APPROVER), &asked).unwrap();
    // The same person again, by another token and to another question.
    let twice = || {
        let person = (id(4), uuid::Uuid::from_u128(9));
        let who = test.opened.registrar.principal(person, "k", Some(test.project), APPROVER);
        let again = wiiiv_gate::ApprovalRequest { id: id(31), ..asked.clone() };
        test.yes(&who, &again).unwrap()
    };
    let own = test.own_yes(&plan);
    for (given, code) in [
        (vec![yes(4)], DenyCode::ApprovalMissing),
        (vec![yes(4), yes(4)], DenyCode::ApprovalMissing),
        (vec![yes(4), twice()], DenyCode::ApprovalMissing),
        (vec![yes(4), own], DenyCode::ApproverNotAllowed),
    ] {
        let (claim, _) = test.rule(plan.clone(), &policy, given);
        assert_eq!((reported(&claim), claim.guard().is_none()), (vec![code], true));
    }
    let (claim, _) = test.rule(plan.clone(), &policy, vec![yes(6), yes(5), yes(4)]);
    let (approval, on_behalf_of) = (approval_id(), None);
    let others = vec![CountedYes { approval, approver: id(5), on_behalf_of }];
    let given = ApprovalBasis::Given { approval, approver: id(4), on_behalf_of, others };
    assert_eq!(basis(&claim), given);
    let consume = &claim.guard().unwrap().consume;
    assert_eq!((consume.len(), consume[0].id, consume[0].approvers), (1, approval_id(), 2));
    // Each counts for itself: one that has expired leaves too few.
    let mut late = asked.clone();
    late.expires_at = now().plus_seconds(1);
    let early = test.yes(&test.person(id(5), APPROVER), &late).unwrap();
    let cx = test.gather(plan, &policy, test.evidence(vec![yes(4), early]));
    let (claim, _) = test.opened.keeper.rule(cx, now().plus_seconds(2));
    assert_eq!(reported(&claim), [DenyCode::ApprovalExpired]);
}

#[test]
fn a_quorum_that_cannot_be_met_is_no_policy() {
    let refused = |change: &dyn Fn(&mut wiiiv_domain::ApprovalRule)| {
        let mut policy = permissive();
        change(&mut policy.approval.risky);
        let prices = wiiiv_domain::PriceTable::default();
        wiiiv_gate::Policy::compile(policy, &prices).unwrap_err().to_string()
    };
    for approvers in [0, 9] {
        let why = refused(&|rule| rule.approvers = approvers);
        assert_eq!(why, "`approval.risky.approvers` must be 1 to `8`");
    }
    let why = refused(&|rule| (rule.by, rule.approvers) = (ApprovalBy::Requester, 2));
    assert!(why.contains("the requester is one person") && why.contains("another_person"), "{why}");
}

#[test]
fn a_plan_that_only_reads_asks_nobody() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.fetch("https://shop.test/items", &policy);
    assert_eq!(test.opened.keeper.asks(&plan, &policy, &test.standing()), Asks::Nothing);
    let (claim, _) = test.rule(plan, &policy, Vec::new());
    assert_eq!(basis(&claim), ApprovalBasis::NotRequired { reason: NotRequired::ReadsOnly });
    assert!(claim.guard().unwrap().consume.is_empty());
}

#[test]
fn a_tainted_turn_and_a_bound_place_ask_even_where_policy_never_does() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.fetch("https://shop.test/items", &policy);
    let mut evidence = test.evidence(Vec::new());
    evidence.standing.tainted = true;
    let asks = test.opened.keeper.asks(&plan, &policy, &evidence.standing);
    assert_eq!(asks, Asks::Requester);
    let cx = test.gather(plan, &policy, evidence);
    let (claim, _) = test.opened.keeper.rule(cx, now());
    assert_eq!(reported(&claim), [DenyCode::TaintedArgument]);

    let policy = test.snapshot(crate::steps::with_port());
    let plan = crate::steps::fetch_of_a_bound_segment(&test, &policy);
    let (claim, _) = test.rule(plan, &policy, Vec::new());
    assert_eq!(reported(&claim), [DenyCode::TaintedArgument]);
}

/// The plan with one place of its first step from elsewhere.
fn foreign(mut plan: Blueprint, place: ArgPlace) -> Blueprint {
    let step = plan.nodes[0].id.clone();
    let kind = SourceKind::Page;
    let source = ValueSource::Step { execution: execution(), step: step.clone(), kind };
    let sources = ValueSources::from_iter([source]);
    plan.sources.insert(step, ArgSources::from([(place, sources)]));
    plan
}

#[test]
fn a_target_that_is_not_the_users_asks_even_where_policy_never_does() {
    let test = TestGate::new();
    let policy = test.permissive();
    for place in ArgPlace::ALL {
        let plan = foreign(test.fetch("https://shop.test/items", &policy), place);
        let asks = test.opened.keeper.asks(&plan, &policy, &test.standing());
        // A content stays where the plan says; anything else leaves, or decides where to.
        let carried = place == ArgPlace::Content;
        assert_eq!(asks, if carried { Asks::Nothing } else { Asks::Requester }, "{place}");
        let (claim, _) = test.rule(plan, &policy, Vec::new());
        let due = if carried { vec![] } else { vec![DenyCode::TaintedArgument] };
        assert_eq!(reported(&claim), due, "{place}");
    }
}

#[test]
fn a_target_that_is_not_the_users_is_denied_where_policy_says_so_whoever_says_yes() {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.approval.foreign_targets = ForeignTargets::Deny;
    let policy = test.snapshot(rules);
    for place in ArgPlace::ALL {
        let plan = foreign(test.write("a.md", &policy), place);
        let yes = test.own_yes(&plan);
        let asks = test.opened.keeper.asks(&plan, &policy, &test.standing());
        let (claim, _) = test.rule(plan, &policy, vec![yes]);
        if place.is_target() {
            assert_eq!(asks, Asks::Refused, "{place}");
            assert_eq!(reported(&claim), [DenyCode::TaintedArgument], "{place}");
            assert_eq!(basis(&claim), ApprovalBasis::ForeignTarget, "{place}");
        } else {
            assert_eq!(asks, Asks::Requester, "{place}");
            assert_eq!(reported(&claim), [], "{place}");
        }
    }
}

/// What was approved names where its values came from.
#[test]
fn a_yes_is_for_the_sources_that_were_shown() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let marked = foreign(plan.clone(), ArgPlace::Path);
    assert_ne!(plan.digest().unwrap(), marked.digest().unwrap());
    let (claim, _) = test.rule(marked, &policy, vec![test.own_yes(&plan)]);
    assert_eq!(reported(&claim), [DenyCode::ApprovalStaleDigest]);
}

#[test]
fn the_confirmation_of_the_policy_overrides_the_table() {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.confirmation.insert(TaskType::FileWrite, Confirmation::Never);
    let policy = test.snapshot(rules.clone());
    let (claim, _) = test.rule(test.write("a.md", &policy), &policy, Vec::new());
    assert_eq!(basis(&claim), ApprovalBasis::NotRequired { reason: NotRequired::Never });
    rules.confirmation.insert(TaskType::ApiWorkflow, Confirmation::Always);
    let policy = test.snapshot(rules);
    let plan = test.fetch("https://shop.test/items", &policy);
    assert_eq!(test.opened.keeper.asks(&plan, &policy, &test.standing()), Asks::Requester);
}

#[test]
fn a_risky_plan_is_always_confirmed() {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.confirmation.insert(TaskType::FileDelete, Confirmation::Never);
    rules.approval.risky.by = ApprovalBy::AnotherPerson;
    let policy = test.snapshot(rules);
    let nodes = vec![crate::test_gate::delete_node("old.md")];
    let plan = test.plan(TaskType::FileDelete, &[("targetPath", "old.md")], nodes, &policy);
    assert_eq!(test.opened.keeper.asks(&plan, &policy, &test.standing()), Asks::AnotherPerson);
}

#[test]
fn an_execution_that_goes_on_needs_no_second_yes_but_permission_afresh() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let (claim, _) = test.rule(plan.clone(), &policy, vec![test.own_yes(&plan)]);
    let started = claim.started().unwrap();
    let resume = |plan, policy: &Arc<_>| {
        let purpose = Purpose::Resume(test.record(&started));
        let keeper = &test.opened.keeper;
        let given = test.evidence(Vec::new());
        let cx = keeper.gather(ruling(), purpose, plan, Arc::clone(policy), given).unwrap();
        keeper.rule(cx, now().plus_seconds(86_400)).0
    };
    let claim = resume(plan.clone(), &policy);
    assert_eq!(claim.guard().unwrap().start, Start::Resume { execution: execution(), took: None });
    assert!(claim.guard().unwrap().consume.is_empty() && claim.started().is_none());
    assert_eq!(basis(&claim), ApprovalBasis::GivenToExecution { execution: execution() });

    let mut narrower = permissive();
    narrower.allowed_paths = vec!["elsewhere".into()];
    let claim = resume(plan.clone(), &test.snapshot(narrower));
    assert_eq!(reported(&claim), [DenyCode::PathNotAllowed]);
    let mut changed = plan;
    changed.nodes.push(crate::test_gate::read_node("other.md"));
    assert_eq!(reported(&resume(changed, &policy)), [DenyCode::ApprovalStaleDigest]);
}

#[test]
fn the_first_denial_in_the_order_of_the_gates_is_reported_and_all_are_recorded() {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.dacs_stage = wiiiv_domain::DacsStage::Enforce;
    let policy = test.snapshot(rules);
    let (claim, ruled) = test.rule(test.write("etc/passwd", &policy), &policy, Vec::new());
    let denied = ruled.denied().unwrap();
    assert_eq!(denied.denials()[0], (GateName::Dacs, DenyCode::DacsNo));
    let codes = [DenyCode::DacsNo, DenyCode::ApprovalMissing, DenyCode::PathNotAllowed];
    assert_eq!(denied.codes(), codes);
    assert_eq!(claim.record().answers[3].answer, Answer::Allow);
    assert_eq!(denied.to_string(), "denied: `DACS_NO` `APPROVAL_MISSING` `PATH_NOT_ALLOWED`");
}

/// The flag of an administrator is no role in the project (governance.md 1).
#[test]
fn an_administrators_yes_counts_by_the_roles_in_the_project() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let answers = |number: u128, by, rights: Rights| {
        let who = test.person(id(number), Rights { admin: true, ..rights });
        test.yes(&who, &test.request(&plan, by)).is_ok()
    };
    use ApprovalBy::{AnotherPerson, Requester};
    assert!(answers(9, AnotherPerson, APPROVER) && answers(9, Requester, APPROVER));
    assert!(answers(3, Requester, EDITOR));
    for rights in [VIEWER, EDITOR] {
        assert!(!answers(9, AnotherPerson, rights) && !answers(9, Requester, rights));
    }
    assert!(!answers(3, Requester, VIEWER));
}

#[test]
fn a_risky_plan_needs_no_less_than_a_plain_one() {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.approval.normal.by = ApprovalBy::AnotherPerson;
    let policy = test.snapshot(rules);
    let mut plan = test.write("a.md", &policy);
    plan.nodes.push(crate::test_gate::delete_node("b.md"));
    let own = test.own_yes(&plan);
    let (claim, _) = test.rule(plan, &policy, vec![own]);
    assert!(reported(&claim).contains(&DenyCode::ApproverNotAllowed));
}
