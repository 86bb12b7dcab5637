//! The evaluator against a small model of the page, written apart from it: the same facts, the
//! same four answers, twice.

use crate::test_gate::{id, now, permissive};
use proptest::{array, option, prelude::*};
use wiiiv_domain::{
    Amount, ApprovalBy, BlueprintDigest, BudgetWindow, Capability, Confirmation, Consensus,
    CostLimit, DacsSource, DacsStage, DeliberationDigest, DenyCode, Effect, ExecutorId,
    ModelPersonas, PriceTable, ProjectPolicy, RulesHash, SpecDigest, StepId, StepType, TaskType,
    TokenBudget,
};
use wiiiv_gate::{
    Answer, ApprovalFacts, AuditSeq, BoundFacts, BudgetLine, BudgetView, DacsFacts, ExecutorFacts,
    Findings, GateFacts, NodeFacts, PlanFacts, Policy, Rights, RiskFacts, Standing, StandingSeq,
    SubjectFacts, Target, evaluate,
};

fn consensus() -> impl Strategy<Value = Consensus> {
    prop_oneof![Just(Consensus::Yes), Just(Consensus::Revision), Just(Consensus::No)]
}
fn digest() -> impl Strategy<Value = BlueprintDigest> {
    prop_oneof![4 => Just(b"a"), 1 => Just(b"b")].prop_map(|b| BlueprintDigest::of_bytes(b))
}
fn effect() -> impl Strategy<Value = Effect> {
    prop_oneof![Just(Effect::Read), Just(Effect::Write), Just(Effect::Delete)]
}
fn rights() -> impl Strategy<Value = Rights> {
    any::<[bool; 4]>().prop_map(|[owner, editor, approver, viewer]| Rights {
        admin: false,
        owner,
        editor,
        approver,
        viewer,
    })
}

prop_compose! {
    fn dacs()(
        claimed in consensus(), same in prop::bool::weighted(0.8), counted in consensus(),
        recounted in consensus(), model in option::of(consensus()), old in prop::bool::weighted(0.1),
        models_asked in prop::bool::weighted(0.2),
    ) -> DacsFacts {
        DacsFacts {
            spec: SpecDigest::of_bytes(b"s"),
            deliberation: DeliberationDigest::of_bytes(b"d"),
            source: if models_asked { DacsSource::RulesAndModel } else { DacsSource::RulesOnly },
            judged_by: RulesHash::of_bytes(if old { b"old" } else { b"new" }),
            rules: RulesHash::of_bytes(b"new"),
            claimed: if same { counted } else { claimed },
            counted,
            recounted,
            model,
            votes: Vec::new(),
        }
    }
}
prop_compose! {
    fn approval()(
        digest in digest(), approver in 3_u128..5, rights in rights(), expires in -2_i64..3,
        number in 30_u128..34,
    ) -> ApprovalFacts {
        ApprovalFacts {
            id: id(number),
            digest,
            approver: id(approver),
            rights,
            at: now().plus_seconds(-10),
            expires_at: now().plus_seconds(expires),
            recorded_at: AuditSeq::new(1),
        }
    }
}
prop_compose! {
    fn node()(
        effect in effect(), acts in effect(), known in prop::bool::weighted(0.9),
        contract in option::weighted(0.9, 1_u32..3), delete in any::<bool>(),
        listed in prop::bool::weighted(0.7), path in prop_oneof![Just("notes"), Just("etc"), Just("x/..")],
        bytes in option::of(0_u64..20), is_syntax in prop::bool::weighted(0.1), content in any::<bool>(),
    ) -> NodeFacts {
        let mut capabilities = vec![Capability::Read, Capability::Write];
        capabilities.extend(delete.then_some(Capability::Delete));
        NodeFacts {
            step: StepId::parse("s").unwrap(),
            step_type: if listed { StepType::FileRead } else { StepType::FileDelete },
            effect,
            acts,
            needs: Capability::Read,
            executor: known.then(|| ExecutorFacts {
                id: ExecutorId::new("file"),
                contract: 1,
                capabilities: capabilities.into_iter().collect(),
            }),
            contract,
            target: Target::Path { directory: path.into(), name: Some("a".into()) },
            bound: vec![BoundFacts {
                arg: if content { "content" } else { "name" }.into(),
                max_bytes: 10,
                bytes,
                is_syntax,
            }],
        }
    }
}
prop_compose! {
    fn plan()(
        risky in any::<bool>(), dacs in dacs(), nodes in prop::collection::vec(node(), 1..3),
        approvals in prop::collection::vec(approval(), 0..4), resumed in option::weighted(0.1, digest()),
        tokens in 0_u64..30, micros in option::of(0_u64..30),
        task_type in prop_oneof![Just(TaskType::FileRead), Just(TaskType::FileWrite), Just(TaskType::ApiWorkflow)],
    ) -> PlanFacts {
        PlanFacts {
            blueprint: id(20),
            digest: BlueprintDigest::of_bytes(b"a"),
            task: id(21),
            task_type,
            requester: id(3),
            risk: RiskFacts { risky, codes: Vec::new() },
            dacs,
            nodes,
            approvals,
            resumes: resumed.map(|digest| (id(41), digest)),
            estimate: Amount { tokens, micros },
            faults: Vec::new(),
        }
    }
}
prop_compose! {
    fn facts()(
        plan in plan(), halted in prop::bool::weighted(0.1), risk_hold in prop::bool::weighted(0.1),
        tainted in any::<bool>(), unverified in any::<bool>(), used in 0_u64..100, window in 0_usize..5,
    ) -> GateFacts {
        let project = id(1);
        let window = BudgetWindow::all(project, plan.requester, plan.task, now())[window].clone();
        let amount = Amount { tokens: used, micros: Some(used) };
        GateFacts {
            version: 1,
            project,
            standing: Standing {
                session: id(2), seq: StandingSeq::new(1), risk_score: 0, halted, tainted, unverified,
            },
            risk_hold,
            budget: BudgetView { lines: vec![BudgetLine { window, settled: amount, held: Amount::ZERO }] },
            subject: SubjectFacts::Blueprint(Box::new(plan)),
        }
    }
}
prop_compose! {
    fn rules()(
        enforce in any::<bool>(), normal_other in any::<bool>(), risky_other in any::<bool>(),
        confirmation in prop_oneof![
            Just(Confirmation::Always), Just(Confirmation::UnlessRead),
            Just(Confirmation::Risky), Just(Confirmation::Never),
        ],
        tokens in array::uniform5(option::of(0_u64..120)),
        micros in array::uniform5(option::of(0_u64..120)), verified in any::<bool>(), personas in any::<bool>(),
    ) -> ProjectPolicy {
        let by = |other| if other { ApprovalBy::AnotherPerson } else { ApprovalBy::Requester };
        let mut policy = permissive();
        policy.allowed_step_types.remove(&StepType::FileDelete);
        policy.dacs_stage = if enforce { DacsStage::Enforce } else { DacsStage::Observe };
        policy.model_personas = if personas { ModelPersonas::Risky } else { ModelPersonas::Never };
        policy.approval.normal.by = by(normal_other);
        policy.approval.risky.by = by(risky_other);
        for task in [TaskType::FileRead, TaskType::FileWrite, TaskType::ApiWorkflow] {
            policy.confirmation.insert(task, confirmation);
        }
        let [per_run, per_day, per_month, per_user_day, per_user_month] = tokens;
        policy.token_budget = TokenBudget { per_run, per_day, per_month, per_user_day, per_user_month };
        let [per_run_micros, per_day_micros, per_month_micros, per_user_day_micros, per_user_month_micros] = micros;
        policy.require_verified_model.extend(verified.then_some(TaskType::FileWrite));
        policy.cost_limit = CostLimit {
            per_run_micros, per_day_micros, per_month_micros, per_user_day_micros, per_user_month_micros,
        };
        policy
    }
}

/// ALLOW or not, gate by gate, as governance.md 5 has it; and shadow.
fn model(facts: &GateFacts, policy: &ProjectPolicy) -> ([bool; 4], bool) {
    let SubjectFacts::Blueprint(plan) = &facts.subject else { panic!() };
    let d = &plan.dacs;
    let is_yes = d.counted == Consensus::Yes
        && d.recounted == Consensus::Yes
        && d.model.is_none_or(|m| m == Consensus::Yes);
    let forged = d.claimed != d.counted;
    let asked = policy.model_personas == ModelPersonas::Risky
        && plan.risk.risky
        && d.recounted != Consensus::No;
    let whole = !forged
        && d.judged_by == d.rules
        && match d.source {
            DacsSource::RulesAndModel => d.model.is_some(),
            DacsSource::RulesOnly => !asked,
        };
    let says_yes = is_yes && whole;
    let bound = policy.dacs_stage == DacsStage::Enforce || plan.risk.risky;
    let dacs = says_yes || (!bound && !forged);

    let approval = approved(facts, plan, policy);
    let node_fits = |n: &NodeFacts| {
        let Some(executor) = &n.executor else { return false };
        let Target::Path { directory, .. } = &n.target else { return false };
        n.step_type == StepType::FileRead
            && n.contract == Some(executor.contract)
            && n.effect >= n.acts
            && (n.effect != Effect::Delete || executor.capabilities.contains(&Capability::Delete))
            && directory == "notes"
            && n.bound
                .iter()
                .all(|b| !b.is_syntax && b.bytes.is_none_or(|bytes| bytes <= b.max_bytes))
    };
    let unverified = facts.standing.unverified
        && plan.resumes.is_none()
        && policy.require_verified_model.iter().any(|task| *task == plan.task_type);
    let stopped = facts.standing.halted || facts.risk_hold || unverified;
    let permission = !stopped && plan.nodes.iter().all(node_fits);
    ([dacs, approval, permission, affordable(facts, plan, policy)], !says_yes && dacs)
}

fn approved(facts: &GateFacts, plan: &PlanFacts, policy: &ProjectPolicy) -> bool {
    if let Some((_, digest)) = plan.resumes {
        return digest == plan.digest;
    }
    let reads = plan.nodes.iter().all(|n| n.effect == Effect::Read && n.acts == Effect::Read);
    let confirmed = match policy.confirmation_of(plan.task_type) {
        Confirmation::Always => true,
        Confirmation::UnlessRead => !reads,
        Confirmation::Risky | Confirmation::Never => false,
    };
    let carried = plan.nodes.iter().any(|n| n.bound.iter().any(|b| b.arg == "name"));
    if !(plan.risk.risky || confirmed || facts.standing.tainted || carried) {
        return true;
    }
    let (normal, risky) = (policy.approval.normal.by, policy.approval.risky.by);
    let by = if plan.risk.risky { risky.max(normal) } else { normal };
    plan.approvals.iter().any(|yes| {
        let may_for_others = yes.rights.owner || yes.rights.approver;
        let own = yes.approver == plan.requester;
        let person = match by {
            ApprovalBy::Requester => may_for_others || (own && yes.rights.editor),
            ApprovalBy::AnotherPerson => may_for_others && !own,
        };
        person && yes.digest == plan.digest && now() < yes.expires_at
    })
}

fn affordable(facts: &GateFacts, plan: &PlanFacts, policy: &ProjectPolicy) -> bool {
    let nothing = plan.estimate.tokens == 0 && plan.estimate.micros.unwrap_or(0) == 0;
    if nothing || plan.resumes.is_some() {
        return true;
    }
    let line = &facts.budget.lines[0];
    let fits = |used: u64, amount: u64, cap: Option<u64>| cap.is_none_or(|c| used + amount <= c);
    let money = |used: u64, cap: Option<u64>| match plan.estimate.micros {
        Some(micros) => fits(used, micros, cap),
        None => cap.is_none(),
    };
    let tokens = plan.estimate.tokens;
    let (day, month) =
        (BudgetWindow::day(facts.project, now()), BudgetWindow::month(facts.project, now()));
    let (budget, limit) = (policy.token_budget, policy.cost_limit);
    let windows = [
        (BudgetWindow::run(facts.project, plan.task), budget.per_run, limit.per_run_micros),
        (day.clone(), budget.per_day, limit.per_day_micros),
        (month.clone(), budget.per_month, limit.per_month_micros),
        (day.of_user(plan.requester), budget.per_user_day, limit.per_user_day_micros),
        (month.of_user(plan.requester), budget.per_user_month, limit.per_user_month_micros),
    ];
    windows.into_iter().all(|(window, cap, money_cap)| {
        let used = if line.window == window { line.settled.tokens } else { 0 };
        fits(used, tokens, cap) && money(used, money_cap)
    })
}

fn answers(findings: &Findings) -> [bool; 4] {
    let answers = [
        findings.dacs.answer,
        findings.approval.answer,
        findings.permission.answer,
        findings.cost.answer,
    ];
    answers.map(|answer| answer == Answer::Allow)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn the_evaluator_and_the_model_agree(facts in facts(), rules in rules()) {
        let policy = Policy::compile(rules.clone(), &PriceTable::default()).unwrap();
        let findings = evaluate(&facts, &policy, now());
        let (expected, shadow) = model(&facts, &rules);
        prop_assert_eq!(answers(&findings), expected, "{:?}", findings);
        prop_assert_eq!(findings.dacs.would_deny.is_some(), shadow);
        prop_assert_eq!(findings.allowed(), expected == [true; 4]);
    }

    #[test]
    fn the_same_facts_have_the_same_findings_also_after_the_log(facts in facts(), rules in rules()) {
        let policy = Policy::compile(rules, &PriceTable::default()).unwrap();
        let text = serde_json::to_vec(&facts).unwrap();
        let read: GateFacts = serde_json::from_slice(&text).unwrap();
        prop_assert_eq!(evaluate(&facts, &policy, now()), evaluate(&read, &policy, now()));
    }

    #[test]
    fn every_answer_is_given_and_a_denial_has_its_code(facts in facts(), rules in rules()) {
        let policy = Policy::compile(rules, &PriceTable::default()).unwrap();
        let findings = evaluate(&facts, &policy, now());
        let refused = findings.permission.refusals.first().map(|r| r.code);
        prop_assert_eq!(findings.permission.answer.denial(), refused);
        let mine = [
            DenyCode::DacsNo, DenyCode::DacsRevision, DenyCode::DacsMissing, DenyCode::EvidenceMismatch,
        ];
        prop_assert!(findings.dacs.answer.denial().is_none_or(|code| mine.contains(&code)));
        prop_assert!(answers(&findings).iter().filter(|allowed| !**allowed).count() == findings.denials().len());
    }
}
