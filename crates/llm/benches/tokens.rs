//! What it costs to count a turn's prompt: with the counts of the turn before at hand, and without.
//!
//! `cargo xtask bench tokens`

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on ends with the reason")]

use std::{hint::black_box, time::Instant};
use tokio::runtime::Runtime;
use wiiiv_context::{MemoryBlocks, Prompt, PromptParts, RuleBook, Speaker};
use wiiiv_domain::{Lang, PriceTable, ProviderName, Slots};
use wiiiv_gate::{BaseBook, DacsRules, Opened, RiskRules, open};
use wiiiv_language::Lexicon;
use wiiiv_llm::{Models, TokenLimits};
use wiiiv_messages::Messages;
use wiiiv_net::{ProviderClient, Timeouts};

const DACS: &str = include_str!("../../../policies/dacs.toml");
const RISK: &str = include_str!("../../../policies/risk.toml");
const ROUNDS: usize = 101;
const OUTPUT: u64 = 4_096;
const SAID: &str = "skymall에서 재고가 열 개 아래인 상품을 뽑아서 report.json에 저장해 줘. ";

fn main() {
    wiiiv_net::install_tls_provider();
    let runtime = Runtime::new().expect("a runtime");
    for (provider, model) in [
        (ProviderName::OpenAi, "gpt-4o-mini"),
        (ProviderName::Ollama, "llama3.1:8b"),
        (ProviderName::Anthropic, "claude-sonnet-4-6"),
    ] {
        let models = models();
        let token_limits = || models.token_limits(provider, model);
        let begun = Instant::now();
        lay_out(&runtime, &token_limits(), 0);
        let first = begun.elapsed().as_secs_f64() * 1e6;
        let warm = median(|nth| timed(&runtime, &token_limits(), nth));
        let cold =
            median(|nth| timed(&runtime, &self::models().token_limits(provider, model), nth));
        println!(
            "{model:<20} first {first:>9.0} µs   known {warm:>6.0} µs   unknown {cold:>6.0} µs"
        );
        println!("{:<20} unknown / known = {:.1}", "", cold / warm);
    }
}

fn models() -> Models {
    let Opened { verifier, .. } = open(BaseBook {
        executors: Vec::new(),
        dacs: DacsRules::parse(DACS).expect("the rules of DACS"),
        risk: RiskRules::parse(RISK).expect("the rules of risk"),
        prices: PriceTable::default(),
    });
    let lexicon = Lexicon::embedded().expect("the lexicons").into();
    let messages = Messages::embedded().expect("the texts").into();
    let client = ProviderClient::new([], Timeouts::default()).expect("a client");
    Models::new(verifier, lexicon, messages, client).expect("the models")
}

/// In µs: the prompt laid out and what is held for it counted, as a turn does it.
fn timed(runtime: &Runtime, token_limits: &TokenLimits, nth: usize) -> f64 {
    let begun = Instant::now();
    lay_out(runtime, token_limits, nth);
    begun.elapsed().as_secs_f64() * 1e6
}

/// Of a conversation that has one message more, under a fence of its own.
fn lay_out(runtime: &Runtime, token_limits: &TokenLimits, nth: usize) {
    let rules = RuleBook::embedded();
    let prompt: Prompt = runtime
        .block_on(token_limits.fitted(&rules, parts(nth), OUTPUT))
        .expect("a prompt that fits");
    black_box(runtime.block_on(token_limits.held(&prompt)));
}

fn parts(nth: usize) -> PromptParts {
    let said = |n: usize| (Speaker::User, format!("{n} {}", SAID.repeat(12)));
    PromptParts {
        fence: format!("{nth:032x}"),
        guardrails: std::collections::BTreeSet::default(),
        memory: MemoryBlocks::default(),
        profile: None,
        language: Lang::Ko,
        task: None,
        suspended: Vec::new(),
        waiting: Vec::new(),
        revision: Vec::new(),
        facts: None,
        documents: None,
        checked: None,
        earlier_run: false,
        ran: Slots::default(),
        systems: std::sync::Arc::default(),
        unreached: std::collections::BTreeSet::default(),
        long_term: None,
        history: (nth..nth + 19).map(said).collect(),
        message: said(nth + 19).1,
    }
}

fn median(mut round: impl FnMut(usize) -> f64) -> f64 {
    let mut rounds: Vec<f64> = (1..=ROUNDS).map(&mut round).collect();
    rounds.sort_by(f64::total_cmp);
    rounds.get(ROUNDS / 2).copied().unwrap_or_default()
}
