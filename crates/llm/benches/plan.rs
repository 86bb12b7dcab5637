//! What it costs to plan and lay out the prompt of a turn, early in a conversation and late in it: what is said is noted,
//! older turns are shown in short, those that are near to the message are looked for, and all of it is counted.
//!
//! `cargo xtask bench plan`

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on ends with the reason")]

use std::{hint::black_box, time::Instant};
use tokio::runtime::Runtime;
use wiiiv_context::{
    Dialogue, Line, LineKind, MemoryBlocks, PROMPT_TOKENS_MAX, Prompt, PromptParts, RuleBook,
    Speaker,
};
use wiiiv_domain::{Lang, MemoryText, PriceTable, ProviderName, Slots, TurnId};
use wiiiv_gate::{BaseBook, DacsRules, Opened, RiskRules, open};
use wiiiv_language::Lexicon;
use wiiiv_llm::{Models, TokenLimits};
use wiiiv_messages::Messages;
use wiiiv_net::{ProviderClient, Timeouts};

const DACS: &str = include_str!("../../../policies/dacs.toml");
const RISK: &str = include_str!("../../../policies/risk.toml");
const TURNS: usize = 200;
/// Conversations of which each figure is the median.
const ROUNDS: usize = 21;
const OUTPUT: u64 = 4_096;
const GOAL_MICROS: f64 = 200.0;
const SAID: &str = "skymall에서 재고가 열 개 아래인 상품을 뽑아서 report.json에 저장해 줘. ";

fn main() {
    wiiiv_net::install_tls_provider();
    let runtime = Runtime::new().expect("a runtime");
    for (provider, model) in [
        (ProviderName::OpenAi, "gpt-4o-mini"),
        (ProviderName::Ollama, "llama3.1:8b"),
        (ProviderName::Anthropic, "claude-sonnet-4-6"),
    ] {
        let (mut early, mut late): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut floor = Vec::new();
        for round in 0..ROUNDS {
            let models = models();
            let token_limits = models.token_limits(provider, model);
            let took = conversation(&runtime, &token_limits, round);
            early.extend(took.get(15..25).unwrap_or_default());
            late.extend(took.get(TURNS - 10..).unwrap_or_default());
            floor.push(rendered(round));
        }
        let (early, late, floor) = (median(early), median(late), median(floor));
        println!(
            "{model:<20} turn 20 {early:>6.0} µs   turn {TURNS} {late:>6.0} µs   laid out without counting {floor:>6.0} µs"
        );
        let goal = if late <= GOAL_MICROS { "within" } else { "over" };
        println!(
            "{:<20} turn {TURNS} / turn 20 = {:.2}, {goal} {GOAL_MICROS} µs",
            "",
            late / early
        );
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

/// In µs, turn by turn: each has one message and one answer more, and a fence of its own.
fn conversation(runtime: &Runtime, token_limits: &TokenLimits, round: usize) -> Vec<f64> {
    let rules = RuleBook::embedded();
    let mut dialogue = Dialogue::default();
    let turn = |nth: usize| {
        let empty = parts(round, nth);
        let begun = Instant::now();
        let parts = of_dialogue(&mut dialogue, nth, empty);
        let prompt = runtime.block_on(token_limits.fitted(&rules, parts, OUTPUT));
        let took = begun.elapsed().as_secs_f64() * 1e6;
        black_box(prompt.expect("a prompt that fits"));
        took
    };
    (0..TURNS).map(turn).collect()
}

/// The same without any counting.
fn rendered(round: usize) -> f64 {
    let rules = RuleBook::embedded();
    let mut dialogue = Dialogue::default();
    let mut last = parts(round, 0);
    for nth in 0..TURNS {
        last = of_dialogue(&mut dialogue, nth, parts(round, nth));
    }
    let parts = last;
    let begun = Instant::now();
    let prompt = Prompt::new(&rules, parts, PROMPT_TOKENS_MAX, |_| 1);
    let took = begun.elapsed().as_secs_f64() * 1e6;
    black_box(prompt.expect("a prompt that fits"));
    took
}

/// As a session does it: the answer of the turn before, the message, and what is shown of everything before.
fn of_dialogue(dialogue: &mut Dialogue, nth: usize, empty: PromptParts) -> PromptParts {
    let line = |speaker, text: &str| Line { speaker, kind: LineKind::Words, text: text.to_owned() };
    if nth > 0 {
        let answer = format!("{nth} 저장했습니다: report.json. 다른 상품도 볼까요?");
        dialogue.note(line(Speaker::Governor, &answer));
    }
    dialogue.note(line(Speaker::User, &empty.message));
    let turn = TurnId::from_uuid(uuid::Uuid::from_u128(nth as u128));
    let long_term = dialogue.long_term(turn, None).map(Box::new);
    let recent = dialogue.recent().map(|line| (line.speaker, line.text.clone()));
    let mut history: Vec<_> = recent.collect();
    history.pop();
    PromptParts { long_term, history, ..empty }
}

/// With a memory of its usual size, and nothing of the conversation but the message.
fn parts(round: usize, nth: usize) -> PromptParts {
    let memory = MemoryText::parse(&"- 보고서는 짧게 쓴다.\n".repeat(40)).expect("a memory");
    // A figure of its own in each, so that some turns are nearer than others.
    let message = format!("{round} {nth} {}주문 {} 확인", SAID.repeat(6), nth % 40);
    PromptParts {
        fence: format!("{:032x}", round * TURNS + nth),
        guardrails: std::collections::BTreeSet::default(),
        memory: MemoryBlocks { user: memory, project: MemoryText::empty() },
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
        history: Vec::new(),
        message,
    }
}

fn median(mut took: Vec<f64>) -> f64 {
    took.sort_by(f64::total_cmp);
    took.get(took.len() / 2).copied().unwrap_or_default()
}
