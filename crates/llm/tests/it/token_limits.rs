//! What is held for a call covers what a provider bills, and what does not fit is not made.

use crate::test_models::{TestModels, parts, talk};
use proptest::prelude::*;
use std::sync::Arc;
use wiiiv_context::{
    PROMPT_TOKENS_MAX, PROPOSAL_SCHEMA, PromptError, PromptParts, Rendered as _, RuleBook, Speaker,
};
use wiiiv_domain::ProviderName::{self, Anthropic, Custom, OpenAi};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_llm::{Counting, TokenizerFile, token_bound};

const OUTPUT: u64 = 4_096;

/// As OpenAI bills a request: three tokens a message, three before the answer, and its texts; the
/// schema as it stands in the request.
fn billed(body: &serde_json::Value) -> u64 {
    let vocabulary = tiktoken::get_encoding("o200k_base").unwrap();
    let count = |text: &str| u64::try_from(vocabulary.count(text)).unwrap();
    let messages = body["messages"].as_array().unwrap();
    let texts = messages.iter().map(|message| 3 + count(message["content"].as_str().unwrap()));
    texts.sum::<u64>() + 3 + count(&body["response_format"].to_string())
}

fn said(words: &str) -> PromptParts {
    let history = (0..4).map(|n| (Speaker::User, format!("{n} {words}"))).collect();
    PromptParts { history, ..parts(words) }
}

#[tokio::test]
async fn what_is_held_for_an_openai_model_covers_what_it_bills() {
    let texts = [
        "안녕하세요, 창고 재고를 품목별로 정리해서 보여 주세요. ".repeat(40),
        "Please list the orders of last week by customer. ".repeat(40),
        "{\"a\": [1, 2.5, \"<|endoftext|>\"]}\n\t// 0xDEADBEEF\r\n".repeat(40),
        "🇰🇷👩‍👩‍👧 ħ̷̛ 한글이".repeat(60),
        " ".repeat(3_000),
    ];
    for text in texts {
        let model = FakeModel::spawn(ModelMode::Script(vec![talk("네")])).await.unwrap();
        let base = model.base_url();
        let mut test = TestModels::keyed(OpenAi, base, &model.origin(), "sk-0123456789");
        test.turn_to("gpt-4o-mini");
        let token_limits = test.models.token_limits(OpenAi, "gpt-4o-mini");
        let prompt = token_limits.fitted(&RuleBook::embedded(), said(&text), OUTPUT).await.unwrap();
        let held = token_limits.held(&prompt).await;
        let permit = test.permit_for(held);
        let asked = test.models.complete(&prompt, permit, &test.options, None);
        asked.await.unwrap();
        let billed = billed(&model.calls()[0].body);
        assert!(held >= billed, "{held} held, {billed} billed");
        // One token less, and it is not sent.
        let permit = test.permit_for(held - 1);
        let asked = test.models.complete(&prompt, permit, &test.options, None);
        asked.await.unwrap_err();
        assert_eq!(model.calls().len(), 1);
    }
}

#[tokio::test]
async fn what_is_only_estimated_is_held_for_by_the_byte() {
    let test = TestModels::offline();
    let rules = RuleBook::embedded();
    for (provider, model) in [(Anthropic, "claude-sonnet-4-6"), (Custom, "gpt-4o")] {
        let token_limits = test.models.token_limits(provider, model);
        let prompt = token_limits.fitted(&rules, said("재고를 보여 줘"), OUTPUT).await.unwrap();
        assert_eq!(token_limits.held(&prompt).await, prompt.tokens(token_bound), "{model}");
        assert!(matches!(test.models.counting(provider, model), Counting::Estimated { .. }));
    }
    let exact = test.models.token_limits(OpenAi, "gpt-4o");
    let prompt = exact.fitted(&rules, said("재고를 보여 줘"), OUTPUT).await.unwrap();
    assert!(exact.held(&prompt).await < prompt.tokens(token_bound));
    assert_eq!(test.models.counting(OpenAi, "gpt-4o"), Counting::Exact("o200k_base".to_owned()));
}

/// Twenty of the longest messages: they fit no bound, and the newest of them are kept.
#[tokio::test]
async fn as_much_of_a_conversation_is_kept_as_the_model_reads() {
    let mut test = TestModels::offline();
    let windows = [("CUSTOM:small".to_owned(), 16_384), ("CUSTOM:tiny".to_owned(), 4_096)];
    test.models = test.models.with_windows(windows.into());
    let rules = RuleBook::embedded();
    let long = "가나다라 마바사 abc ".repeat(700);
    let parts = || {
        let history = (0..20).map(|n| (Speaker::User, format!("word-{n:02} {long}"))).collect();
        PromptParts { history, ..parts("안녕") }
    };
    let mut kept = Vec::new();
    for (provider, model) in [(OpenAi, "gpt-4o"), (Custom, "any"), (Custom, "small")] {
        let token_limits = test.models.token_limits(provider, model);
        let prompt = token_limits.fitted(&rules, parts(), OUTPUT).await.unwrap();
        assert!(token_limits.held(&prompt).await <= PROMPT_TOKENS_MAX, "{model}");
        let words = (0..20).filter(|n| prompt.user().contains(&format!("word-{n:02}"))).count();
        assert!(words == 0 || prompt.user().contains("word-19"), "{model}");
        kept.push(words);
    }
    assert!(kept[0] > kept[1] && kept[1] > kept[2], "{kept:?}");
    let tiny = test.models.token_limits(Custom, "tiny").fitted(&rules, parts(), OUTPUT).await;
    assert!(matches!(tiny, Err(PromptError::TooLong { max, .. }) if max < 4_096));
}

#[tokio::test]
async fn what_is_known_of_a_model_is_told_and_what_is_not_is_not_made_up() {
    let test = TestModels::offline();
    let models = test.models.with_windows([("CUSTOM:small".to_owned(), 8_192)].into());
    let window = |provider, model| models.facts(provider, model).map(|facts| facts.window);
    assert_eq!(window(OpenAi, "gpt-4o-2024-11-20"), Some(Some(128_000)));
    assert_eq!(window(Custom, "small"), Some(Some(8_192)));
    assert_eq!(window(Custom, "other"), None);
    assert_eq!(models.token_limits(Custom, "other").max_output(OUTPUT), OUTPUT);
    assert_eq!(models.token_limits(OpenAi, "gpt-4o").max_output(100_000), 16_384);
    assert_eq!(models.embedding(ProviderName::Anthropic), None);
    assert_eq!(models.embedding(OpenAi), Some("text-embedding-3-small"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Whatever people say: the schema and the framing that a provider adds are in it, a repair too.
    #[test]
    fn held_is_no_less_than_an_exact_count(words in "\\PC{0,400}|[가-힣 a-z0-9\\n/<>]{0,600}") {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let test = TestModels::offline();
        let token_limits = test.models.token_limits(OpenAi, "gpt-4o-mini");
        let prompt = runtime.block_on(token_limits.fitted(&RuleBook::embedded(), said(&words), OUTPUT)).unwrap();
        let held = runtime.block_on(token_limits.held(&prompt));
        let vocabulary = tiktoken::get_encoding("o200k_base").unwrap();
        let count = |text: &str| u64::try_from(vocabulary.count(text)).unwrap();
        let sent = count(prompt.system()) + count(prompt.user()) + count(PROPOSAL_SCHEMA) + 9;
        prop_assert!(held >= sent + wiiiv_context::REPAIR_TOKENS_RESERVED);
    }
}

/// A file of the model's own is counted with, by the longest beginning of its name; what is held stays
/// by the byte.
#[tokio::test]
async fn a_tokenizer_that_a_model_ships_with_is_counted_with() {
    let file = |bytes: &[u8]| Arc::new(TokenizerFile::parse(bytes).unwrap());
    let near = file(include_bytes!("tokenizers/regex-of-its-own.json"));
    let far = file(include_bytes!("tokenizers/byte-level.json"));
    let mut test = TestModels::offline();
    let named = [("CUSTOM:qwen", far), ("CUSTOM:qwen2.5", near)];
    let named = named.map(|(begin, file)| (begin.to_owned(), file));
    test.models = test.models.with_tokenizers(named.into());
    let counting = |model| test.models.counting(Custom, model);
    assert_eq!(counting("qwen2.5:7b"), Counting::Exact("CUSTOM:qwen2.5".to_owned()));
    assert_eq!(counting("qwen3:8b"), Counting::Exact("CUSTOM:qwen".to_owned()));
    assert!(matches!(counting("other"), Counting::Estimated { .. }));
    let token_limits = test.models.token_limits(Custom, "qwen2.5:7b");
    let prompt =
        token_limits.fitted(&RuleBook::embedded(), parts("안녕하세요"), 512).await.unwrap();
    assert_eq!(token_limits.held(&prompt).await, prompt.tokens(token_bound));
}
