//! Recorded rulings, judged again.

use crate::{
    steps::{saves_under_a_bound_name, step, values},
    test_gate::{
        EDITOR, TestGate, approval_id, delete_node, host, id, now, permissive, read_node, ruling,
    },
};
use proptest::prelude::*;
use wiiiv_domain::{
    Amount, ApprovalBy, Asks, Blueprint, BudgetWindow, Confirmation, DacsStage, DenyCode, GateName,
    PriceTable, ProjectPolicy, StepType, TaskType, TokenBudget,
};
use wiiiv_gate::{
    ApprovalGiven, BudgetLine, BudgetView, Claim, EvidenceSet, FineRules, Mismatch, PastRuling,
    Policy, Purpose, Recorded, Replayed, Supposed,
};

fn compiled(rules: &ProjectPolicy) -> Policy {
    Policy::compile(rules.clone(), &PriceTable::default()).unwrap()
}

fn replay(
    test: &TestGate,
    claim: &Claim,
    plan: &Blueprint,
    approvals: &[Recorded<ApprovalGiven>],
    rules: &ProjectPolicy,
) -> Replayed {
    let past = PastRuling { record: claim.record(), plan, approvals, grants: &[], inputs: None };
    test.opened.keeper.replay(&past, &compiled(rules)).unwrap()
}

#[test]
fn an_allowed_plan_is_judged_under_narrower_policies() {
    let test = TestGate::new();
    let rules = permissive();
    let policy = test.snapshot(rules.clone());
    let plan = test.write("a.md", &policy);
    let (claim, _) = test.rule(plan.clone(), &policy, vec![test.own_yes(&plan)]);
    let given = [test.own_yes(&plan)];
    let same = replay(&test, &claim, &plan, &given, &rules);
    assert!(same.is_as(claim.record()) && same.findings.allowed());
    assert_eq!(same.asks, Asks::Requester);

    let mut reads = rules.clone();
    reads.allowed_step_types.remove(&StepType::FileWrite);
    let refused = replay(&test, &claim, &plan, &given, &reads);
    let code = (GateName::Permission, DenyCode::StepTypeNotAllowed);
    assert_eq!((refused.findings.denials(), refused.asks), (vec![code], Asks::Refused));

    let mut two = rules.clone();
    two.approval.normal.by = ApprovalBy::AnotherPerson;
    let another = replay(&test, &claim, &plan, &given, &two);
    let code = (GateName::UserApproval, DenyCode::ApproverNotAllowed);
    assert_eq!((another.findings.denials(), another.asks), (vec![code], Asks::AnotherPerson));

    let mut never = rules;
    never.confirmation.insert(TaskType::FileWrite, Confirmation::Never);
    let free = replay(&test, &claim, &plan, &given, &never);
    assert!(free.findings.allowed() && free.asks == Asks::Nothing);
}

#[test]
fn a_yes_that_came_later_does_not_count() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let cx = test.gather(plan.clone(), &policy, test.evidence(Vec::new()));
    let (claim, _) = test.opened.keeper.rule(cx, now().plus_seconds(-1));
    let given = [test.own_yes(&plan)];
    let past = replay(&test, &claim, &plan, &given, &permissive());
    assert!(past.is_as(claim.record()));
    assert_eq!(past.findings.approval.answer.denial(), Some(DenyCode::ApprovalMissing));
}

#[test]
fn the_budgets_of_then_are_judged_by_the_caps_of_now() {
    let test = TestGate::new();
    let rules = permissive();
    let policy = test.snapshot(rules.clone());
    let mut plan = test.write("a.md", &policy);
    plan.estimate = Amount { tokens: 10, micros: Some(0) };
    let window = BudgetWindow::day(test.project, now()).of_user(test.requester);
    let settled = Amount { tokens: 95, micros: Some(0) };
    let line = BudgetLine { window, settled, held: Amount::ZERO };
    let budget = BudgetView { lines: vec![line] };
    let own = vec![test.own_yes(&plan)];
    let evidence = EvidenceSet { approvals: own, ..EvidenceSet::bare(budget, test.standing()) };
    let (claim, _) = test.opened.keeper.rule(test.gather(plan.clone(), &policy, evidence), now());
    let given = [test.own_yes(&plan)];
    assert!(replay(&test, &claim, &plan, &given, &rules).is_as(claim.record()));
    let capped = |cap| {
        let token_budget = TokenBudget { per_user_day: Some(cap), ..rules.token_budget };
        replay(&test, &claim, &plan, &given, &ProjectPolicy { token_budget, ..rules.clone() })
    };
    let code = capped(104).findings.cost.answer.denial();
    assert_eq!(code, Some(DenyCode::TokenBudgetExceeded));
    assert!(capped(105).findings.allowed());
}

/// The denials that are left with something taken for granted.
fn left(
    test: &TestGate,
    claim: &Claim,
    plan: &Blueprint,
    of: (&ProjectPolicy, Supposed),
) -> Replayed {
    let past =
        PastRuling { record: claim.record(), plan, approvals: &[], grants: &[], inputs: None };
    test.opened.keeper.replay_supposing(&past, &compiled(of.0), of.1).unwrap()
}

#[test]
fn what_is_taken_for_granted_shows_what_would_have_been_enough() {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.approval.normal.by = ApprovalBy::AnotherPerson;
    let policy = test.snapshot(rules.clone());
    let plan = test.write("a.md", &policy);
    let standing = wiiiv_gate::Standing { halted: true, risk_score: 100, ..test.standing() };
    let evidence = EvidenceSet::bare(BudgetView::default(), standing);
    let (claim, _) = test.opened.keeper.rule(test.gather(plan.clone(), &policy, evidence), now());
    let nothing = Supposed::default();
    let before = left(&test, &claim, &plan, (&rules, nothing));
    assert!(before.is_as(claim.record()));
    let codes = |of: &Replayed| -> Vec<_> {
        of.findings.permission.refusals.iter().map(|one| one.code).collect()
    };
    assert_eq!(codes(&before), [DenyCode::Halted, DenyCode::SessionRiskHold]);
    let resumed = Supposed { resumed: true, ..nothing };
    assert_eq!(codes(&left(&test, &claim, &plan, (&rules, resumed))), [DenyCode::SessionRiskHold]);
    let cleared = Supposed { cleared: true, ..nothing };
    assert_eq!(codes(&left(&test, &claim, &plan, (&rules, cleared))), [DenyCode::Halted]);
    // A yes of nobody whom the policy asks would not be one: it is somebody else's.
    let all = Supposed { approved: true, resumed: true, cleared: true };
    let enough = left(&test, &claim, &plan, (&rules, all));
    assert!(enough.findings.allowed(), "{enough:?}");
    assert_eq!(enough.asks, Asks::AnotherPerson);
    let unasked = left(&test, &claim, &plan, (&rules, Supposed { approved: false, ..all }));
    let missing = (GateName::UserApproval, DenyCode::ApprovalMissing);
    assert_eq!(unasked.findings.denials(), [missing]);
    // Where several people are asked, all of them are supposed to have said it.
    let mut several = rules.clone();
    several.approval.normal.approvers = 3;
    assert!(left(&test, &claim, &plan, (&several, all)).findings.allowed());
    // Where the requester's own yes is asked for, it is that one.
    let mut own = rules.clone();
    own.approval.normal.by = ApprovalBy::Requester;
    let enough = left(&test, &claim, &plan, (&own, all));
    assert!(enough.findings.allowed() && enough.asks == Asks::Requester, "{enough:?}");
    // A yes does not make up for what the lists lack.
    let mut narrow = rules;
    narrow.allowed_paths = vec!["elsewhere".into()];
    let refused = left(&test, &claim, &plan, (&narrow, all));
    assert_eq!(refused.findings.denials(), [(GateName::Permission, DenyCode::PathNotAllowed)]);
}

#[test]
fn a_rule_is_taken_out_of_its_text_and_the_others_stay() {
    let text = "// kept\n@id(\"no-deletes\")\nforbid (principal, action in Action::\"files\", resource)\n\
                when { context.effect == Effect::\"delete\" };\n\
                @id(\"no-writes\")\nforbid (principal, action in Action::\"files\", resource)\n\
                when { context.effect == Effect::\"write\" };\n";
    let names = |text: &str| -> Vec<String> {
        let rules = FineRules::compile(text).unwrap();
        rules.iter().flat_map(|r| r.rules().iter().map(|one| one.name().to_string())).collect()
    };
    assert_eq!(names(text), ["no-deletes", "no-writes"]);
    let name = |text| wiiiv_domain::FineRuleName::parse(text).unwrap();
    let left = FineRules::text_without(text, &name("no-deletes")).unwrap();
    assert_eq!(names(&left), ["no-writes"]);
    assert!(left.contains("kept"));
    let none = FineRules::text_without(&left, &name("no-writes")).unwrap();
    assert!(FineRules::compile(&none).unwrap().is_none() || names(&none).is_empty());
    assert_eq!(FineRules::text_without(text, &name("absent")), None);
}

#[test]
fn another_plan_or_another_opening_is_refused() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let (claim, _) = test.rule(plan.clone(), &policy, vec![test.own_yes(&plan)]);
    let record = claim.record();
    let keeper = &test.opened.keeper;
    let rules = compiled(&permissive());
    let mut other = plan.clone();
    other.nodes.push(read_node("b.md"));
    let past = PastRuling { record, plan: &other, approvals: &[], grants: &[], inputs: None };
    assert_eq!(keeper.replay(&past, &rules), Err(Mismatch::OtherSubject));
    let foreign = [TestGate::new().own_yes(&plan)];
    let past = PastRuling { record, plan: &plan, approvals: &foreign, grants: &[], inputs: None };
    assert_eq!(keeper.replay(&past, &rules), Err(Mismatch::Foreign));
    let resumed = test.opened.keeper.gather(
        ruling(),
        Purpose::Start(id(77)),
        plan.clone(),
        policy,
        test.evidence(Vec::new()),
    );
    let (claim, _) = keeper.rule(resumed.unwrap(), now());
    let record = claim.record();
    let past = PastRuling { record, plan: &plan, approvals: &[], grants: &[], inputs: None };
    assert!(keeper.replay(&past, &rules).unwrap().is_as(record));
}

/// Narrower rules and a hold came between a run's start and its step.
#[test]
fn a_step_is_judged_again_on_the_values_that_it_was_ruled_on() {
    let test = TestGate::new();
    let rules = permissive();
    let policy = test.snapshot(rules.clone());
    let plan = saves_under_a_bound_name(&test, &policy);
    let mut run = test.permit(plan.clone(), &policy).begin();
    let mut narrow = rules.clone();
    narrow.allowed_paths = vec!["out/b.txt".into()];
    let later = test.snapshot(narrow.clone());
    let standing = wiiiv_gate::Standing { risk_score: 100, ..test.standing() };
    let name = |name| values(&[("name", name)]);
    let ruled = run.rule_step(&step("save"), 1, name("a.txt"), &later, &standing, now());
    let (claim, _) = ruled.unwrap();
    let (record, inputs) = (claim.record(), name("a.txt"));
    let past =
        PastRuling { record, plan: &plan, approvals: &[], grants: &[], inputs: Some(&inputs) };
    let keeper = &test.opened.keeper;
    let before = keeper.replay(&past, &compiled(&narrow)).unwrap();
    assert!(before.is_as(record), "{before:?}");
    let refusals = &before.findings.permission.refusals;
    let told: Vec<_> = refusals.iter().map(|one| (one.code, one.what.as_str())).collect();
    let due = [(DenyCode::SessionRiskHold, "100"), (DenyCode::PathNotAllowed, "out/a.txt")];
    assert_eq!((told.as_slice(), before.asks), (due.as_slice(), Asks::Refused));

    // Both are needed, and together they are enough; nobody is asked about a step.
    let cleared = Supposed { cleared: true, ..Supposed::default() };
    let judged = |rules: &ProjectPolicy, supposed: Supposed| {
        let replayed = keeper.replay_supposing(&past, &compiled(rules), supposed).unwrap();
        (replayed.findings.denials(), replayed.asks)
    };
    let denied = |code| (vec![(GateName::Permission, code)], Asks::Refused);
    assert_eq!(judged(&rules, Supposed::default()), denied(DenyCode::SessionRiskHold));
    assert_eq!(judged(&narrow, cleared), denied(DenyCode::PathNotAllowed));
    assert_eq!(judged(&rules, cleared), (Vec::new(), Asks::Nothing));

    // On other values, on none, and of another plan nothing is judged.
    let other = name("b.txt");
    let mut elsewhere = plan.clone();
    elsewhere.id = id(99);
    for past in [
        PastRuling { inputs: Some(&other), ..past },
        PastRuling { inputs: None, ..past },
        PastRuling { plan: &elsewhere, ..past },
    ] {
        assert_eq!(keeper.replay(&past, &compiled(&rules)), Err(Mismatch::OtherSubject));
    }
}

/// No ruling and no plan is on record of it: the review and the forecast are those that its policy would have
/// had, at the standing that another ruling of the conversation tells.
#[test]
fn a_request_without_a_plan_is_reviewed_and_forecast_as_it_would_have_been() {
    let test = TestGate::new();
    let keeper = &test.opened.keeper;
    let policy = test.permissive();
    let mut wider = permissive();
    wider.allowed_hosts.push(host("other.test"));
    let held = wiiiv_gate::Standing { risk_score: 100, tainted: true, ..test.standing() };
    for standing in [test.standing(), held] {
        let evidence = EvidenceSet::bare(BudgetView::default(), standing);
        let told = test.gather(test.write("told.md", &policy), &policy, evidence);
        let (claim, _) = keeper.rule(told, now());
        let before = claim.record();
        for rules in [permissive(), wider.clone()] {
            let of_then = test.snapshot(rules.clone());
            let plan = test.fetch("https://other.test/items", &of_then);
            let spec = &plan.spec_snapshot.spec;
            let again = keeper.review_again(spec, &compiled(&rules), before);
            assert_eq!(again.result, keeper.deliberate(spec, &of_then, &standing));
            assert_eq!(again.binds, keeper.binds(&again.result, &of_then));
            let asked = keeper.asks_models(&again.result, (spec.task_type, &of_then));
            assert_eq!(again.asks_models, asked);
            let forecast = keeper.forecast_again(&plan, &compiled(&rules), before).unwrap();
            let due = keeper.forecast(&plan, &of_then, &standing, now()).unwrap();
            assert_eq!(
                (forecast.findings, forecast.asks),
                (due, keeper.asks(&plan, &of_then, &standing))
            );
        }
    }
    let (claim, _) = test.rule(test.write("told.md", &policy), &policy, Vec::new());
    let asks = |rules: &ProjectPolicy| {
        let plan = test.fetch("https://other.test/items", &test.snapshot(rules.clone()));
        keeper.forecast_again(&plan, &compiled(rules), claim.record()).unwrap().asks
    };
    assert_eq!(asks(&permissive()), Asks::Refused);
    assert_ne!(asks(&wider), Asks::Refused);
    // Another conversation has another standing.
    let mut elsewhere = test.fetch("https://other.test/items", &policy);
    elsewhere.session = id(77);
    let refused = keeper.forecast_again(&elsewhere, &compiled(&wider), claim.record());
    assert_eq!(refused, Err(Mismatch::OtherSubject));
}

prop_compose! {
    fn rules()(
        enforce in any::<bool>(), another in any::<bool>(), cap in prop::option::of(0_u64..40),
        confirmation in prop_oneof![
            Just(Confirmation::Always), Just(Confirmation::Risky), Just(Confirmation::Never),
        ],
        deletes in any::<bool>(), paths in any::<bool>(),
    ) -> ProjectPolicy {
        let mut rules = permissive();
        rules.dacs_stage = if enforce { DacsStage::Enforce } else { DacsStage::Observe };
        if another {
            rules.approval.normal.by = ApprovalBy::AnotherPerson;
        }
        rules.token_budget = TokenBudget { per_day: cap, ..TokenBudget::default() };
        for task in [TaskType::FileWrite, TaskType::FileDelete] {
            rules.confirmation.insert(task, confirmation);
        }
        if !deletes {
            rules.allowed_step_types.remove(&StepType::FileDelete);
        }
        if paths {
            rules.allowed_paths = vec!["notes".into()];
        }
        rules
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn what_was_ruled_is_what_a_replay_says(
        rules in rules(), then in rules(), risk_score in 0_u32..120, tainted in any::<bool>(),
        halted in any::<bool>(), deletes in any::<bool>(), inside in any::<bool>(),
        tokens in 0_u64..30, used in 0_u64..30, given in any::<bool>(),
    ) {
        let test = TestGate::new();
        let policy = test.snapshot(rules.clone());
        let path = if inside { "notes/a.md" } else { "b.md" };
        let mut plan = if deletes {
            test.plan(TaskType::FileDelete, &[("targetPath", path)], vec![delete_node(path)], &policy)
        } else {
            test.write(path, &policy)
        };
        plan.estimate = Amount { tokens, micros: Some(0) };
        let amount = |tokens| Amount { tokens, micros: Some(0) };
        let window = BudgetWindow::day(test.project, now());
        let line = BudgetLine { window, settled: amount(used), held: amount(1) };
        let standing = wiiiv_gate::Standing { risk_score, tainted, halted, ..test.standing() };
        let budget = BudgetView { lines: vec![line] };
        let asked = test.request(&plan, ApprovalBy::Requester);
        let yes = || test.yes(&test.person(test.requester, EDITOR), &asked).unwrap();
        let approvals: Vec<_> = given.then(yes).into_iter().collect();
        let evidence = EvidenceSet { approvals, ..EvidenceSet::bare(budget, standing) };
        let (claim, _) = test.opened.keeper.rule(test.gather(plan.clone(), &policy, evidence), now());
        let kept: Vec<_> = given.then(yes).into_iter().collect();
        prop_assert!(kept.iter().all(|one| one.body().id() == approval_id()));
        let replayed = replay(&test, &claim, &plan, &kept, &rules);
        prop_assert!(replayed.is_as(claim.record()), "{replayed:?} {:?}", claim.record().answers);

        // Under other rules it says what a ruling under them would have said.
        let other = test.snapshot(then.clone());
        let budget = BudgetView { lines: vec![BudgetLine {
            window: BudgetWindow::day(test.project, now()), settled: amount(used), held: amount(1),
        }] };
        let approvals: Vec<_> = given.then(yes).into_iter().collect();
        let evidence = EvidenceSet { approvals, ..EvidenceSet::bare(budget, standing) };
        let (again, _) = test.opened.keeper.rule(test.gather(plan.clone(), &other, evidence), now());
        prop_assert!(replay(&test, &claim, &plan, &kept, &then).is_as(again.record()));
    }
}
