//! Holds, caps and prices.

use crate::test_gate::{self, TestGate, id, now, ruling, task};
use std::sync::Arc;
use wiiiv_domain::{
    Amount, BudgetWindow, Currency, DenyCode, ModelFallback, ModelPrice, ModelSlot, PriceTable,
    PriceTier, ProjectPolicy, ProviderName, TokenBudget,
};
use wiiiv_gate::{
    Answer, BudgetLine, BudgetView, Cap, Claim, EvidenceSet, HoldLine, ModelCall, Purpose, Start,
};

/// With a model that budgets count.
fn permissive() -> ProjectPolicy {
    let mut rules = test_gate::permissive();
    rules.llm_provider = ProviderName::Ollama;
    rules.governor_model = Some("local".into());
    rules
}

fn call(test: &TestGate) -> ModelCall {
    ModelCall {
        call: id(60),
        project: test.project,
        session: test.session,
        user: test.requester,
        task: task(),
        turn: id(61),
        slot: ModelSlot::Governor,
        provider: ProviderName::Ollama,
        model: "local".into(),
        max_input_tokens: 1_000,
        max_output_tokens: 500,
        attempts: 2,
    }
}

fn rule(test: &TestGate, rules: ProjectPolicy, call: ModelCall, budget: BudgetView) -> Claim {
    let policy = test.snapshot(rules);
    let evidence = EvidenceSet::bare(budget, test.standing());
    let keeper = &test.opened.keeper;
    let cx = keeper.gather(ruling(), Purpose::Call, call, policy, evidence).unwrap();
    keeper.rule(cx, now()).0
}

fn priced(mut rules: ProjectPolicy) -> ProjectPolicy {
    let tier = PriceTier {
        from_input_tokens: 0,
        input_micros_per_million: 1_000_000,
        output_micros_per_million: 2_000_000,
    };
    let price = ModelPrice { currency: Currency::USD, tiers: vec![tier] };
    rules.model_prices.insert("OLLAMA:local".into(), price);
    rules
}

fn used(test: &TestGate, window: BudgetWindow, settled: u64, held: u64) -> BudgetView {
    let amount = |tokens| Amount { tokens, micros: Some(tokens) };
    let line = BudgetLine { window, settled: amount(settled), held: amount(held) };
    assert_eq!(line.window.project, test.project);
    BudgetView { lines: vec![line] }
}

#[test]
fn a_call_holds_its_worst_case_in_every_window_under_the_guarded_caps() {
    let test = TestGate::new();
    let mut rules = priced(permissive());
    rules.cost_limit.per_day_micros = Some(9_000);
    rules.token_budget.per_month = Some(50_000_000);
    rules.cost_limit.per_user_day_micros = Some(8_000);
    rules.token_budget.per_user_month = Some(40_000_000);
    let claim = rule(&test, rules, call(&test), BudgetView::default());
    let amount = Amount { tokens: 3_000, micros: Some(4_000) };
    let take =
        |window, tokens, micros| HoldLine::Take { window, amount, cap: Cap { tokens, micros } };
    let (day, month) =
        (BudgetWindow::day(test.project, now()), BudgetWindow::month(test.project, now()));
    let guard = claim.guard().unwrap();
    assert_eq!(guard.start, Start::Call(id(60)));
    assert_eq!(
        guard.hold,
        [
            take(day.clone(), Some(10_000_000), Some(9_000)),
            take(month.clone(), Some(50_000_000), None),
            take(BudgetWindow::run(test.project, task()), Some(1_000_000), None),
            take(day.of_user(test.requester), None, Some(8_000)),
            take(month.of_user(test.requester), Some(40_000_000), None),
        ]
    );
    let answers: Vec<Answer> = claim.record().answers.iter().map(|a| a.answer).collect();
    assert_eq!(answers, [Answer::NotAsked, Answer::NotAsked, Answer::Allow, Answer::Allow]);
}

#[test]
fn what_is_held_counts_and_a_cap_is_reached_exactly() {
    let test = TestGate::new();
    let mut rules = priced(permissive());
    rules.token_budget.per_run = Some(10_000);
    let run = || BudgetWindow::run(test.project, task());
    let fits = rule(&test, rules.clone(), call(&test), used(&test, run(), 5_000, 2_000));
    assert!(fits.guard().is_some());
    let over = rule(&test, rules.clone(), call(&test), used(&test, run(), 5_000, 2_001));
    assert_eq!(over.record().codes(), [DenyCode::TokenBudgetExceeded]);
    rules.cost_limit.per_run_micros = Some(10_999);
    let over = rule(&test, rules, call(&test), used(&test, run(), 5_000, 2_000));
    assert_eq!(over.record().codes(), [DenyCode::CostLimitExceeded]);
}

#[test]
fn a_month_and_a_persons_share_are_ceilings_too() {
    let test = TestGate::new();
    let day = BudgetWindow::day(test.project, now());
    let month = BudgetWindow::month(test.project, now());
    let me = test.requester;
    type Limit = fn(&mut ProjectPolicy);
    let caps: [(BudgetWindow, Limit); 3] = [
        (month.clone(), |rules| rules.token_budget.per_month = Some(10_000)),
        (day.clone().of_user(me), |rules| rules.token_budget.per_user_day = Some(10_000)),
        (month.clone().of_user(me), |rules| rules.token_budget.per_user_month = Some(10_000)),
    ];
    for (window, limit) in caps {
        let mut rules = priced(permissive());
        limit(&mut rules);
        let fits = used(&test, window.clone(), 5_000, 2_000);
        assert!(rule(&test, rules.clone(), call(&test), fits).guard().is_some());
        let over = used(&test, window, 5_000, 2_001);
        let claim = rule(&test, rules.clone(), call(&test), over);
        assert_eq!(claim.record().codes(), [DenyCode::TokenBudgetExceeded]);
        // What somebody else has spent is not counted against this person.
        let others = used(&test, day.clone().of_user(id(99)), 10_000, 0);
        assert!(rule(&test, rules, call(&test), others).guard().is_some());
    }
    let mut rules = priced(permissive());
    rules.cost_limit.per_user_month_micros = Some(10_000);
    let over = used(&test, month.of_user(me), 6_001, 0);
    let claim = rule(&test, rules, call(&test), over);
    assert_eq!(claim.record().codes(), [DenyCode::CostLimitExceeded]);
}

#[test]
fn an_unpriced_model_works_until_money_is_capped() {
    let test = TestGate::new();
    let claim = rule(&test, permissive(), call(&test), BudgetView::default());
    match &claim.guard().unwrap().hold[0] {
        HoldLine::Take { amount, .. } => assert_eq!(amount.micros, None),
        other => panic!("{other:?}"),
    }
    let mut capped = permissive();
    capped.cost_limit.per_day_micros = Some(u64::from(u32::MAX));
    let claim = rule(&test, capped, call(&test), BudgetView::default());
    assert_eq!(claim.record().codes(), [DenyCode::ModelUnpriced]);
}

#[test]
fn sizes_that_overflow_are_refused_even_without_a_cap() {
    let test = TestGate::new();
    let mut rules = priced(permissive());
    rules.token_budget = TokenBudget::default();
    let huge = ModelCall { max_input_tokens: u64::MAX, attempts: u32::MAX, ..call(&test) };
    let claim = rule(&test, rules, huge, BudgetView::default());
    assert_eq!(claim.record().codes(), [DenyCode::TokenBudgetExceeded]);
}

#[test]
fn another_provider_or_model_than_the_policys_is_forbidden() {
    let test = TestGate::new();
    let model = ModelCall { model: "larger".into(), ..call(&test) };
    let provider = ModelCall { provider: ProviderName::Custom, ..call(&test) };
    // The slot is empty.
    let slot = ModelCall { slot: ModelSlot::Embedding, ..call(&test) };
    for other in [model, provider, slot] {
        let claim = rule(&test, permissive(), other, BudgetView::default());
        assert_eq!(claim.record().codes(), [DenyCode::PolicyForbids]);
    }
}

#[test]
fn a_fallback_that_policy_lists_may_be_asked_and_nothing_else() {
    let test = TestGate::new();
    let fallback = |provider, model: &str, base_url: Option<&str>| ModelFallback {
        provider,
        model: model.to_owned(),
        base_url: base_url.map(str::to_owned),
    };
    let mut rules = permissive();
    rules.llm_provider = ProviderName::Ollama;
    rules.governor_model = Some("small".to_owned());
    rules.model_fallbacks = vec![fallback(ProviderName::OpenAi, "gpt-4o-mini", None)];
    let asked = |provider, model: &str| {
        let call = ModelCall { provider, model: model.to_owned(), ..call(&test) };
        rule(&test, rules.clone(), call, BudgetView::default()).record().codes()
    };
    assert_eq!(asked(ProviderName::Ollama, "small"), []);
    assert_eq!(asked(ProviderName::OpenAi, "gpt-4o-mini"), []);
    assert_eq!(asked(ProviderName::OpenAi, "small"), [DenyCode::PolicyForbids]);
    assert_eq!(asked(ProviderName::Offline, "offline"), [DenyCode::PolicyForbids]);

    let odd = [
        vec![fallback(ProviderName::Offline, "offline", None)],
        vec![fallback(ProviderName::OpenAi, " ", None)],
        vec![fallback(ProviderName::Custom, "x", None)],
        vec![fallback(ProviderName::OpenAi, "x", None); 5],
    ];
    for fallbacks in odd {
        let rules = ProjectPolicy { model_fallbacks: fallbacks, ..rules.clone() };
        assert!(wiiiv_gate::Policy::compile(rules, &PriceTable::default()).is_err());
    }
}

#[test]
fn a_halted_project_thinks_no_further_but_a_session_on_hold_may_talk() {
    let test = TestGate::new();
    let ruled = |change: fn(&mut wiiiv_gate::Standing)| {
        let mut standing = test.standing();
        change(&mut standing);
        let evidence = EvidenceSet::bare(BudgetView::default(), standing);
        let keeper = &test.opened.keeper;
        let policy = test.snapshot(permissive());
        let cx = keeper.gather(ruling(), Purpose::Call, call(&test), policy, evidence).unwrap();
        keeper.rule(cx, now()).0.record().codes()
    };
    assert_eq!(ruled(|s| s.halted = true), [DenyCode::Halted]);
    assert_eq!(ruled(|s| s.risk_score = 10_000), []);
}

#[test]
fn a_plan_that_spends_holds_its_estimate_and_a_resumed_one_stands_on_it() {
    let test = TestGate::new();
    let policy = test.permissive();
    let mut plan = test.write("a.md", &policy);
    plan.estimate = Amount { tokens: 70, micros: None };
    let (claim, _) = test.rule(plan.clone(), &policy, vec![test.own_yes(&plan)]);
    assert_eq!(claim.guard().unwrap().hold.len(), 5);
    let started = test.record(&claim.started().unwrap());
    let keeper = &test.opened.keeper;
    let given = test.evidence(Vec::new());
    let purpose = Purpose::Resume(started);
    let cx = keeper.gather(ruling(), purpose, plan, Arc::clone(&policy), given).unwrap();
    let (claim, _) = keeper.rule(cx, now());
    let hold = &claim.guard().unwrap().hold;
    assert_eq!(hold, &[HoldLine::StillHeld(crate::test_gate::execution())]);
}

/// A price that cannot be what was meant is not put in force.
#[test]
fn prices_name_a_model_cover_every_size_and_count_in_one_currency() {
    let tier = |from_input_tokens| PriceTier {
        from_input_tokens,
        input_micros_per_million: 1,
        output_micros_per_million: 1,
    };
    let told = |prices: &[(&str, Currency, &[u64])]| {
        let mut rules = permissive();
        rules.llm_provider = ProviderName::Ollama;
        rules.governor_model = Some("small".to_owned());
        rules.embedding_model = Some("openai:e".to_owned());
        for (name, currency, tiers) in prices {
            let tiers = tiers.iter().map(|from| tier(*from)).collect();
            rules
                .model_prices
                .insert((*name).to_owned(), ModelPrice { currency: *currency, tiers });
        }
        let policy = wiiiv_gate::Policy::compile(rules, &PriceTable::default()).unwrap();
        let refused = policy.check_saved().map_err(|error| error.to_string());
        (policy.currency(), refused.err().unwrap_or_default())
    };
    use Currency::{EUR, KRW, USD};
    let fine = |currency| (currency, String::new());
    assert_eq!(told(&[]), fine(None));
    assert_eq!(told(&[("OLLAMA:small", KRW, &[0, 9])]), fine(Some(KRW)));
    assert_eq!(told(&[("OLLAMA:small", EUR, &[0]), ("OPENAI:e", EUR, &[0])]), fine(Some(EUR)));
    // One that costs nothing counts in any.
    let free = |currency| {
        let tier =
            PriceTier { input_micros_per_million: 0, output_micros_per_million: 0, ..tier(0) };
        ModelPrice { currency, tiers: vec![tier] }
    };
    let mut rules = permissive();
    rules.model_prices.insert("OFFLINE:offline".into(), free(USD));
    let policy = wiiiv_gate::Policy::compile(rules, &PriceTable::default()).unwrap();
    assert_eq!((policy.currency(), policy.check_saved()), (None, Ok(())));
    // Of a model that is not asked.
    assert_eq!(told(&[("OLLAMA:small", EUR, &[0]), ("OPENAI:f", USD, &[0])]), fine(Some(EUR)));
    for (prices, part) in [
        (&[("OLLAMA:small", USD, &[][..])][..], "`fromInputTokens` 0"),
        (&[("OLLAMA:small", USD, &[100])], "`fromInputTokens` 0"),
        (&[("OLLAMA:small", USD, &[0, 9, 9])], "ascend"),
        (&[("small", USD, &[0])], "`small`"),
        (&[("COSTUM:small", USD, &[0])], "`COSTUM:small`"),
        (&[("ollama:small", USD, &[0])], "`ollama:small`"),
        (&[("OLLAMA: ", USD, &[0])], "`OLLAMA: `"),
        (&[("OLLAMA:small", KRW, &[0]), ("OPENAI:e", USD, &[0])], "one currency"),
    ] {
        let (_, why) = told(prices);
        assert!(why.contains(part), "{prices:?}: {why}");
    }
}

#[test]
fn a_model_without_a_name_is_none() {
    for name in ["", "  ", &"m".repeat(201)] {
        let mut rules = permissive();
        rules.governor_model = Some((*name).to_owned());
        let policy = wiiiv_gate::Policy::compile(rules, &PriceTable::default()).unwrap();
        let refused = policy.check_saved().unwrap_err();
        assert!(refused.to_string().contains("governorModel"), "{refused}");
    }
}

/// It costs nothing: whatever is spent or capped, nothing is held for it and nothing stops it.
#[test]
fn no_budget_stops_what_runs_in_this_process() {
    let test = TestGate::new();
    let mut rules = test_gate::permissive();
    rules.token_budget = TokenBudget {
        per_run: Some(1),
        per_day: Some(1),
        per_month: Some(1),
        per_user_day: Some(1),
        per_user_month: Some(1),
    };
    rules.cost_limit.per_day_micros = Some(0);
    rules.embedding_model = Some("local:e5-small".into());
    for (provider, model, slot) in [
        (ProviderName::Offline, "offline", ModelSlot::Governor),
        (ProviderName::Local, "e5-small", ModelSlot::Embedding),
    ] {
        let asked = ModelCall { provider, model: model.into(), slot, ..call(&test) };
        let spent = used(&test, BudgetWindow::day(test.project, now()), 1, 0);
        let claim = rule(&test, rules.clone(), asked, spent);
        assert_eq!(claim.record().codes(), [], "{provider}");
        assert_eq!(claim.guard().unwrap().hold, [], "{provider}");
    }
}
