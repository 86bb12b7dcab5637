//! What is held for a call covers what a provider bills, and what does not fit is not made.

use crate::test_models::{TestModels, parts, talk};
use proptest::prelude::*;
use std::sync::Arc;
use wiiiv_context::{
    MemoryBlocks, PROMPT_TOKENS_MAX, PROPOSAL_SCHEMA, ProfileBlock, PromptError, PromptParts,
    Rendered as _, RuleBook, Speaker, TOTAL_TOKENS_DEFAULT, profile_schemas,
};
use wiiiv_domain::{
    MEMORY_CHARS_MAX, MESSAGE_CHARS_MAX, MemoryText, ProfileDay, ProfileDocument, ProfileEntry,
    ProfileSchema, ProfileSlot, ProfileText,
    ProviderName::{self, Anthropic, Custom, OpenAi},
    SlotContent, Timestamp,
};
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
    // As much as the windows take, whatever is configured.
    test.models = test.models.with_windows(windows.into()).with_total_tokens(PROMPT_TOKENS_MAX);
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

/// The parts of a plan add up to the whole prompt: exactly where a vocabulary is at hand, by estimate with its error.
#[tokio::test]
async fn a_plan_adds_up_to_the_prompt_and_says_how_near_it_is() {
    let test = TestModels::offline();
    let words = "창고 재고를 품목별로 정리해 주세요. List the orders of last week.\n/path <<<x>>> "
        .repeat(20);
    let vocabulary = tiktoken::get_encoding("o200k_base").unwrap();
    let count = |text: &str| u64::try_from(vocabulary.count(text)).unwrap();
    for (provider, model, error) in
        [(OpenAi, "gpt-4o", 0), (Anthropic, "claude-sonnet-4-6", 25), (Custom, "any", 25)]
    {
        let token_limits = test.models.token_limits(provider, model);
        let prompt =
            token_limits.fitted(&RuleBook::embedded(), said(&words), OUTPUT).await.unwrap();
        let (plan, exact) = (prompt.plan(), count(prompt.system()) + count(prompt.user()));
        assert_eq!(plan.bounds.error_percent, error, "{model}");
        let off = plan.used().abs_diff(exact) * 100;
        assert!(off <= exact * u64::from(error), "{model}: {} for {exact}", plan.used());
        assert!(plan.bounds.total <= TOTAL_TOKENS_DEFAULT && plan.used() <= plan.bounds.total);
    }
}

fn full(text: &str, chars: usize) -> String {
    text.chars().cycle().take(chars).collect()
}

/// As much as the schema takes, each value with its days.
fn full_profile(schema: &ProfileSchema, text: &str) -> ProfileBlock {
    let (at, day) = (Timestamp::from_unix_ms(0), ProfileDay::parse("1970-01-01").unwrap());
    let of = |slot: &ProfileSlot| {
        let text = ProfileText::parse(&full(text, slot.chars_max)).unwrap();
        let days = Some(day.clone());
        let entry = ProfileEntry { text, at, turn: None, from: days.clone(), until: days };
        let entries = vec![entry; usize::from(slot.values_max)];
        (slot.name.clone(), SlotContent::of(entries))
    };
    let slots = schema.slots.iter().map(of).collect();
    ProfileBlock::of(schema, &ProfileDocument { slots, ..ProfileDocument::default() }, at)
}

/// The longest message in either language, beside two full memories and a full profile, is refused by no default.
#[tokio::test]
async fn by_default_the_longest_message_fits_beside_all_that_is_kept() {
    let test = TestModels::offline();
    let texts = ["재고를 품목별로 정리해 주세요, ", "please sort all the orders by customer, "];
    let kept =
        texts.into_iter().flat_map(|text| profile_schemas().iter().map(move |of| (text, of)));
    for (text, schema) in kept {
        let memory = || MemoryText::parse(full(text, MEMORY_CHARS_MAX).trim_end()).unwrap();
        let memory = MemoryBlocks { user: memory(), project: memory() };
        let profile = Some(full_profile(schema, text));
        let parts = PromptParts { memory, profile, ..parts(&full(text, MESSAGE_CHARS_MAX)) };
        for (provider, model) in
            [(OpenAi, "gpt-4o"), (Anthropic, "claude-sonnet-4-6"), (Custom, "any")]
        {
            let token_limits = test.models.token_limits(provider, model);
            let fitted = token_limits.fitted(&RuleBook::embedded(), parts.clone(), OUTPUT).await;
            assert!(fitted.is_ok(), "{model}: {fitted:?}");
        }
    }
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

/// OpenAI's models by the vocabularies at hand.
const EXACT: [(&str, &str); 2] = [("gpt-4o-mini", "o200k_base"), ("gpt-4-turbo", "cl100k_base")];

/// Everything in one piece.
fn whole(prompt: &impl wiiiv_context::Rendered, vocabulary: &str) -> u64 {
    let vocabulary = tiktoken::get_encoding(vocabulary).unwrap();
    let count = |text: &str| u64::try_from(vocabulary.count(text)).unwrap();
    count(prompt.system()) + count(prompt.user())
}

/// As its blocks were counted when it was laid out, and by no other vocabulary than that.
#[tokio::test]
async fn a_prompt_is_counted_once_by_its_vocabulary_and_anew_by_another() {
    let (test, rules) = (TestModels::offline(), RuleBook::embedded());
    let words = "창고 재고를 품목별로 정리해 주세요. List the orders of last week. ".repeat(20);
    for (model, vocabulary) in EXACT {
        let token_limits = test.models.token_limits(OpenAi, model);
        let prompt = token_limits.fitted(&rules, said(&words), OUTPUT).await.unwrap();
        for (other, of) in EXACT {
            let due = (of == vocabulary).then(|| whole(&prompt, of));
            assert_eq!(prompt.counted_by(of), due, "{of} of {vocabulary}");
            let held = test.models.token_limits(OpenAi, other).held(&prompt).await;
            assert!(held >= whole(&prompt, of) + wiiiv_context::REPAIR_TOKENS_RESERVED, "{of}");
        }
    }
    for (provider, model) in [(Anthropic, "claude-sonnet-4-6"), (Custom, "any")] {
        let token_limits = test.models.token_limits(provider, model);
        let prompt = token_limits.fitted(&rules, said(&words), OUTPUT).await.unwrap();
        assert!(EXACT.iter().all(|(_, of)| prompt.counted_by(of).is_none()), "{model}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Whatever stands at a border of two blocks: the sum over them is what is held for.
    #[test]
    fn blocks_take_no_less_than_the_prompt_in_one_piece(
        words in "\\PC{0,200}|[가-힣 a-z0-9\\n\\t/<>{}'.]{0,300}|[ \\n/]{0,40}",
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let test = TestModels::offline();
        let memory = MemoryText::parse(&words).unwrap_or_default();
        let memory = MemoryBlocks { user: memory.clone(), project: memory };
        for (model, vocabulary) in EXACT {
            let parts = PromptParts { memory: memory.clone(), revision: vec![words.clone(); 2], ..said(&words) };
            let token_limits = test.models.token_limits(OpenAi, model);
            let rules = RuleBook::embedded();
            let fitted = token_limits.fitted(&rules, parts, OUTPUT);
            let prompt = runtime.block_on(fitted).unwrap();
            let counted = prompt.counted_by(vocabulary).unwrap();
            prop_assert!(counted >= whole(&prompt, vocabulary), "{counted} by {vocabulary}");
        }
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
