//! Vocabularies and estimates against what others say of the same texts.

use super::*;
use crate::catalogue::{Catalogue, Tokenizer};
use proptest::prelude::*;
use serde::Deserialize;
use wiiiv_domain::ProviderName::{self, Custom, Google, Ollama};

const HELD_OUT: &str = include_str!("../../tests/it/tokens/held-out.toml");

#[derive(Deserialize)]
struct HeldOut {
    text: Vec<Measured>,
}

#[derive(Deserialize)]
struct Measured {
    from: String,
    o200k: u64,
    cl100k: u64,
    llama3: u64,
    gemma3: u64,
    text: String,
}

/// What one tokenizer made of a text.
type Real = fn(&Measured) -> u64;

fn held_out() -> Vec<Measured> {
    toml::from_str::<HeldOut>(HELD_OUT).unwrap().text
}

/// What tiktoken's own tests expect of `cl100k_base` (github.com/openai/tiktoken, tests/test_encoding.py).
#[test]
fn texts_count_as_tiktoken_has_them() {
    for (text, tokens) in [
        ("hello world", 2),
        ("rer", 1),
        ("'rer", 2),
        ("today\n ", 3),
        ("today\n \n", 2),
        ("today\n  \n", 2),
        (" \u{85}0", 4),
        ("👍", 3),
        ("", 0),
    ] {
        assert_eq!(Vocabulary::Cl100kBase.count(text), tokens, "{text:?}");
    }
}

/// "Hello GPT-4o" (openai.com, May 2024), its table of language tokenization: before and after.
#[test]
fn sentences_count_as_openai_published_them() {
    for (text, before, after) in [
        (
            "안녕하세요, 제 이름은 GPT-4o입니다. 저는 새로운 유형의 언어 모델입니다, 만나서 반갑습니다!",
            45,
            27,
        ),
        (
            "Hello, my name is GPT-4o. I'm a new type of language model, it's nice to meet you!",
            27,
            24,
        ),
        (
            "こんにちは、私の名前はGPT−4oです。私は新しいタイプの言語モデルです。初めまして！",
            37,
            26,
        ),
        ("你好，我的名字是GPT-4o。我是一种新型的语言模型，很高兴见到你!", 34, 24),
    ] {
        let counted = [Vocabulary::Cl100kBase, Vocabulary::O200kBase].map(|v| v.count(text));
        assert_eq!(counted, [before, after], "{text}");
    }
}

#[test]
fn our_own_texts_count_as_another_program_counts_them() {
    for Measured { from, o200k, cl100k, text, .. } in held_out() {
        let counted = [Vocabulary::O200kBase, Vocabulary::Cl100kBase].map(|v| v.count(&text));
        assert_eq!(counted, [o200k, cl100k], "{from}");
    }
}

/// In percent, of the texts that no estimate was fitted to: nineteen of twenty are nearer.
fn error(estimate: &Estimate, reals: &[Real]) -> f64 {
    let texts = held_out();
    let error = |text: &Measured, real: u64| {
        let estimated = estimate.count(&text.text);
        100.0 * estimated.abs_diff(real) as f64 / real as f64
    };
    let of = |text: &Measured| reals.iter().map(|real| error(text, real(text))).collect::<Vec<_>>();
    let mut errors: Vec<f64> = texts.iter().flat_map(of).collect();
    errors.sort_by(f64::total_cmp);
    errors[errors.len() * 95 / 100]
}

#[test]
fn an_estimate_is_as_near_as_it_says() {
    let catalogue = Catalogue::embedded().unwrap();
    let all: [Real; 4] = [|t| t.o200k, |t| t.cl100k, |t| t.llama3, |t| t.gemma3];
    let cases: [(ProviderName, &str, &[Real]); 3] = [
        (Ollama, "llama3.1:8b", &all[2..3]),
        (Google, "gemini-3.8-flash", &all[3..]),
        (Custom, "anything", &all),
    ];
    for (provider, model, reals) in cases {
        let Tokenizer::Estimated(family, estimate) = catalogue.tokenizer(provider, model) else {
            panic!("{model} is estimated");
        };
        let (found, said) = (error(estimate, reals), f64::from(estimate.within));
        assert!(found <= said, "{family}: {found:.1} percent, and {said} are said");
        assert!(found > said - 3.0, "{family}: {found:.1} percent, and {said} are said");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever is said, and whatever it looks like.
    #[test]
    fn a_count_is_never_more_than_the_bytes_nor_less_than_the_words(text in "\\PC{0,200}|[ -~\\s가-힣<|>]{0,300}") {
        for vocabulary in [Vocabulary::O200kBase, Vocabulary::Cl100kBase] {
            let counted = vocabulary.count(&text);
            prop_assert!(counted <= token_bound(&text));
            prop_assert_eq!(counted == 0, text.is_empty());
        }
    }
}
