//! Versioned documents as they stand in the log: every older version still loads.

use crate::test_gate::{EDITOR, TestGate, execution, id, now, permissive, task};
use serde_json::Value;
use wiiiv_domain::{ContentDigest, ModelSlot, ProviderName, Vote};
use wiiiv_gate::{
    ApprovalGiven, AuditSeq, BudgetView, DecisionRecord, Deliberation, Evidence, EvidenceSet,
    ExecutionStarted, GateFacts, ModelCall, PolicyVersion, Purpose, Recorded, UserEvent,
    UserEventKind, evaluate,
};

/// What was committed is read, and written as it was.
#[track_caller]
fn check<E: Evidence>(committed: &str) -> Recorded<E> {
    let test = TestGate::new();
    let read = test
        .opened
        .registrar
        .restore::<E>(
            AuditSeq::new(9),
            committed.as_bytes(),
            ContentDigest::of_bytes(committed.as_bytes()),
        )
        .unwrap();
    let committed: Value = serde_json::from_str(committed).unwrap();
    assert_eq!(serde_json::to_value(read.body()).unwrap(), committed);
    read
}

#[test]
fn evidence_of_version_1_loads() {
    let event = check::<UserEvent>(include_str!("../fixtures/user_event.v1.json"));
    let UserEventKind::Approve { approval, blueprint, digest, delegation: None } =
        event.body().kind()
    else {
        panic!("{event:?}")
    };
    assert_eq!((event.body().user(), event.body().rights()), (id(3), EDITOR));
    let given = check::<ApprovalGiven>(include_str!("../fixtures/approval.v1.json"));
    let given = given.body();
    assert_eq!((given.id(), given.blueprint(), given.digest()), (*approval, *blueprint, *digest));
    assert_eq!((given.approver(), given.at()), (id(3), now()));
    let version = check::<PolicyVersion>(include_str!("../fixtures/policy_version.v1.json"));
    assert_eq!(version.body().document().number, 1);
    let opinions = check::<Deliberation>(include_str!("../fixtures/deliberation.v1.json"));
    assert!(opinions.body().opinions().iter().all(|o| o.vote == Vote::Abstain));
    let started = include_str!("../fixtures/execution_started.v1.json");
    let started = check::<ExecutionStarted>(started);
    assert_eq!((started.body().execution(), started.body().digest()), (execution(), *digest));
}

#[test]
fn facts_and_decisions_of_version_1_load_and_judge_the_same() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("notes/a.md", &policy);
    let cx = test.gather(plan.clone(), &policy, test.evidence(vec![test.own_yes(&plan)]));
    let facts: GateFacts =
        serde_json::from_str(include_str!("../fixtures/gate_facts.v1.json")).unwrap();
    assert_eq!(
        serde_json::to_value(facts.subject.clone()).unwrap().get("kind"),
        Some(&Value::from("blueprint"))
    );
    assert!(evaluate(&facts, policy.policy(), now()).allowed());
    let again: GateFacts =
        serde_json::from_value(serde_json::to_value(cx.facts()).unwrap()).unwrap();
    assert_eq!(&again, cx.facts());

    let record: DecisionRecord =
        serde_json::from_str(include_str!("../fixtures/decision.v1.json")).unwrap();
    assert_eq!((record.version, record.answers.len()), (1, 4));
    let (claim, _) = test.opened.keeper.rule(cx, now());
    let today: DecisionRecord =
        serde_json::from_value(serde_json::to_value(claim.record()).unwrap()).unwrap();
    assert_eq!(&today, claim.record());
}

#[test]
fn a_decision_holds_no_text_of_a_value() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("notes/secretname.md", &policy);
    let (claim, _) = test.rule(plan.clone(), &policy, vec![test.own_yes(&plan)]);
    let text = serde_json::to_string(claim.record()).unwrap();
    assert!(!text.contains("secretname") && !text.contains("회의"), "{text}");
    let (denied, _) = test.rule(test.write("etc/secretname", &policy), &policy, Vec::new());
    assert!(!serde_json::to_string(denied.record()).unwrap().contains("secretname"));
}

#[test]
fn every_number_of_a_decision_survives_canonical_json() {
    let test = TestGate::new();
    let mut rules = permissive();
    (rules.token_budget.per_run, rules.token_budget.per_day) = (None, None);
    let call = ModelCall {
        call: id(60),
        project: test.project,
        session: test.session,
        user: test.requester,
        task: task(),
        turn: id(61),
        slot: ModelSlot::Governor,
        provider: ProviderName::Offline,
        model: "offline".into(),
        max_input_tokens: u64::MAX,
        max_output_tokens: u64::MAX,
        attempts: u32::MAX,
    };
    let evidence = EvidenceSet::bare(BudgetView::default(), test.standing());
    let keeper = &test.opened.keeper;
    let policy = test.snapshot(rules);
    let cx = keeper.gather(
        wiiiv_domain::RulingId::from_uuid(uuid::Uuid::from_u128(1)),
        Purpose::Call,
        call,
        policy,
        evidence,
    );
    let (claim, _) = keeper.rule(cx.unwrap(), now());
    let bytes = wiiiv_domain::canonical(claim.record()).unwrap();
    let back: DecisionRecord = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(&back, claim.record());
}

#[test]
fn digests_are_computed_here_and_follow_every_byte() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("a.md", &policy);
    let digest_of = |plan: wiiiv_domain::Blueprint| {
        let cx = test.gather(plan, &policy, test.evidence(Vec::new()));
        match &cx.facts().subject {
            wiiiv_gate::SubjectFacts::Blueprint(plan) => plan.digest,
            other => panic!("{other:?}"),
        }
    };
    let first = digest_of(plan.clone());
    assert_eq!(first, plan.digest().unwrap());
    let mut other = plan.clone();
    other.contracts.insert(wiiiv_domain::ExecutorId::new("file"), 9);
    assert_ne!(digest_of(other), first);
    let mut other = plan.clone();
    other.pre_images.insert("a.md".into(), wiiiv_domain::PreImage::Absent);
    assert_ne!(digest_of(other), first);
    let mut other = plan;
    other.estimate.tokens = 5;
    assert_eq!(digest_of(other), first, "the estimate stands beside it");
}
