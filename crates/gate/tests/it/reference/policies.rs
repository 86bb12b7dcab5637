//! Policies and prices of the cases.

use super::draw::Draw;
use crate::test_gate::{host, permissive};
use std::{collections::BTreeMap, sync::LazyLock};
use wiiiv_domain::{
    ApprovalBy, Confirmation, CostLimit, Currency, DacsStage, ForeignTargets, HostRule,
    ModelFallback, ModelPersonas, ModelPrice, PriceTier, ProjectPolicy, ProviderName, Scheme,
    StepType, TaskType, TokenBudget,
};

/// Read once.
static PERMISSIVE: LazyLock<ProjectPolicy> = LazyLock::new(permissive);

pub fn policy(draw: &mut Draw) -> ProjectPolicy {
    let mut policy = PERMISSIVE.clone();
    policy.allowed_step_types = draw.most(&StepType::ALL);
    policy.allowed_hosts = hosts(draw);
    let paths: &[&str] = draw.of(&[
        &[""],
        &["", "etc"],
        &["notes"],
        &["notes", "data/2026"],
        &["notes/a.md", "data"],
        &["lib/own"],
        &[],
    ]);
    policy.allowed_paths = paths.iter().map(|&path| path.to_owned()).collect();
    let asks =
        [Confirmation::Never, Confirmation::Risky, Confirmation::UnlessRead, Confirmation::Always];
    for task in TaskType::ALL {
        policy.confirmation.extend(draw.maybe(|draw| (task, draw.of(&asks))));
    }
    let by = [ApprovalBy::Requester, ApprovalBy::AnotherPerson];
    for rule in [&mut policy.approval.normal, &mut policy.approval.risky] {
        rule.by = draw.of(&by);
        // A requester is one person: no policy asks for more of them.
        let several = rule.by == ApprovalBy::AnotherPerson && draw.half();
        rule.approvers = if several { draw.of(&[2, 3]) } else { 1 };
    }
    policy.approval.foreign_targets = draw.of(&[ForeignTargets::Ask, ForeignTargets::Deny]);
    policy.dacs_stage = draw.of(&[DacsStage::Observe, DacsStage::Enforce]);
    policy.model_personas = draw.of(&[ModelPersonas::Never, ModelPersonas::Risky]);
    policy.require_verified_model.extend(TaskType::ALL.into_iter().filter(|_| draw.odd()));
    let mut cap = || draw.maybe(|draw| draw.of(&[250, 120, 60, 0_u64]) + u64::from(draw.below(9)));
    policy.token_budget = TokenBudget {
        per_run: cap(),
        per_day: cap(),
        per_month: cap(),
        per_user_day: cap(),
        per_user_month: cap(),
    };
    policy.cost_limit = CostLimit {
        per_run_micros: cap(),
        per_day_micros: cap(),
        per_month_micros: cap(),
        per_user_day_micros: cap(),
        per_user_month_micros: cap(),
    };
    models(draw, &mut policy);
    policy
}

fn hosts(draw: &mut Draw) -> Vec<HostRule> {
    let plain = host("shop.test");
    let lines = [
        plain.clone(),
        host("*.shop.test"),
        HostRule { scheme: Some(Scheme::Https), ..host("api.test") },
        HostRule { port: Some(8080), ..host("api.test") },
        HostRule { scheme: Some(Scheme::Http), port: Some(80), ..host("old.test") },
    ];
    let mut hosts: Vec<HostRule> = lines.into_iter().filter(|_| draw.half()).collect();
    if !draw.odd() && !hosts.contains(&plain) {
        hosts.push(plain);
    }
    hosts
}

pub const PROVIDERS: [ProviderName; 3] =
    [ProviderName::OpenAi, ProviderName::Offline, ProviderName::Anthropic];

fn models(draw: &mut Draw, policy: &mut ProjectPolicy) {
    policy.llm_provider = draw.of(&PROVIDERS);
    // The built-in one has one model and no fallbacks.
    let named = policy.llm_provider != ProviderName::Offline;
    policy.governor_model = named.then(|| draw.of(&["m", "n"]).to_owned());
    let own = |model| if named { model } else { "OPENAI:m" };
    let generator = draw.maybe(|draw| draw.of(&["OPENAI:m", "ANTHROPIC:e", own("n")]));
    policy.generator_model = generator.map(str::to_owned);
    let embedding = draw.maybe(|draw| draw.of(&["OPENAI:e", "none", own("e")]));
    policy.embedding_model = embedding.map(str::to_owned);
    policy.model_fallbacks = (0..if named { draw.below(3) } else { 0 })
        .map(|_| ModelFallback {
            provider: draw.of(&[ProviderName::Anthropic, ProviderName::OpenAi]),
            model: draw.of(&["f", "n"]).to_owned(),
            base_url: None,
        })
        .collect();
    policy.model_prices = prices(draw);
}

/// In one currency, for some of the models.
pub fn prices(draw: &mut Draw) -> BTreeMap<String, ModelPrice> {
    let mut prices = BTreeMap::new();
    for model in ["m", "n", "f", "e"] {
        for provider in ["OPENAI", "ANTHROPIC"] {
            if draw.half() {
                prices.insert(format!("{provider}:{model}"), price(draw));
            }
        }
    }
    prices
}

fn price(draw: &mut Draw) -> ModelPrice {
    let mut tier = |from_input_tokens| PriceTier {
        from_input_tokens,
        input_micros_per_million: draw.of(&[1, 300, 900, 0_u64]) * 1_000,
        output_micros_per_million: draw.of(&[1, 700, 0_u64]) * 1_000,
    };
    let tiers = [tier(0), tier(16)];
    let count = 1 + usize::from(draw.half());
    ModelPrice { currency: Currency::USD, tiers: tiers.into_iter().take(count).collect() }
}
