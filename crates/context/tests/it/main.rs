//! Prompts from outside: their bytes, their order, and what does not even build.
#![expect(clippy::unwrap_used, reason = "a test stops at what it cannot set up")]

mod bound;
mod boundary;
mod compile_fail;
mod long_term;
mod meaning;
mod passages;
mod plan;
mod profile;
mod rendering;
mod secrets;
mod systems;

use wiiiv_context::{MemoryBlocks, PROMPT_TOKENS_MAX, PassageHit, Prompt, PromptParts, RuleBook};
use wiiiv_domain::{
    Authentication, BaseUrl, HttpMethod, Lang, Operation, Parameter, ParameterPlace, Risk, Scheme,
    Slots, System, SystemName,
};

const FENCE: &str = "0123456789abcdef0123456789abcdef";

fn bytes(text: &str) -> u64 {
    text.len() as u64
}

fn parts(message: &str) -> PromptParts {
    PromptParts {
        fence: FENCE.to_owned(),
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
        history: Vec::new(),
        message: message.to_owned(),
    }
}

fn hit(text: &str) -> PassageHit {
    PassageHit { text: text.to_owned(), ..PassageHit::default() }
}

fn operation(id: &str, method: HttpMethod, path: &str, labels: &[&str]) -> Operation {
    Operation {
        id: id.to_owned(),
        method,
        path: path.to_owned(),
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        reads: false,
        idempotent: false,
        parameters: Vec::new(),
        fields: Vec::new(),
        body: None,
    }
}

fn skymall() -> System {
    let parameter = |name: &str, place, required| {
        let name = name.to_owned();
        Parameter { name, place, required }
    };
    let mut products =
        operation("products", HttpMethod::Get, "/products", &["상품 목록", "products"]);
    products.parameters = vec![parameter("category", ParameterPlace::Query, false)];
    let mut product = operation("product", HttpMethod::Get, "/products/{id}", &[]);
    product.parameters = vec![parameter("id", ParameterPlace::Path, true)];
    let mut search = operation("search", HttpMethod::Post, "/products/search", &["상품 검색"]);
    search.reads = true;
    System {
        version: System::VERSION,
        name: SystemName::parse("skymall").unwrap(),
        aliases: vec!["스카이몰".to_owned(), "몰".to_owned()],
        base_url: BaseUrl {
            scheme: Scheme::Http,
            host: "10.1.2.3".to_owned(),
            port: Some(4100),
            segments: vec!["internal".to_owned()],
        },
        operations: vec![products, product, search],
        authentication: Authentication::ApiKey { header: "x-canary".to_owned() },
        any_path: false,
        risk: Risk::Low,
    }
}

fn prompt(parts: PromptParts) -> Prompt {
    Prompt::new(&RuleBook::embedded(), parts, PROMPT_TOKENS_MAX, bytes).unwrap()
}
