//! Texts as vectors: each provider's own words, and nothing taken on trust.

use crate::{
    party::Party::{self, Anthropic, Google, Ollama, OpenAi},
    provider::{DEADLINE, PATIENT, Program, asking, asking_within, key},
    shapes::{answering, shape},
    test_models::TestModels,
    wire::Wire,
};
use futures::future::join_all;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use wiiiv_domain::{ModelSlot, ProposalFailure, Usage};
use wiiiv_fakes::Conduct;
use wiiiv_llm::{Embeddings, ModelError, Models, TEXTS_MAX};
use wiiiv_net::Timeouts;

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

pub async fn embed(test: &TestModels, sent: &[String]) -> Result<Embeddings, ModelError> {
    let permit = test.permit_of(ModelSlot::Embedding, Models::held_for(sent));
    test.models.embed(sent, permit, &test.options).await
}

#[tokio::test]
async fn each_is_asked_and_read_as_it_publishes() {
    for (party, path) in [
        (OpenAi, "/embeddings"),
        (Ollama, "/v1/embeddings"),
        (Google, "/models/m:batchEmbedContents"),
    ] {
        let (wire, test) = answering(party, "embeddings.json").await;
        let done = embed(&test, &texts(&["가", "b"])).await.unwrap();
        let lengths: Vec<usize> = done.vectors.iter().map(Vec::len).collect();
        assert_eq!(lengths, [3, 3], "{party}");
        let usage = Usage { input_tokens: 8, output_tokens: 0, estimated: false };
        assert_eq!((done.spent.total(), done.attempts, done.beyond), (usage, 1, None), "{party}");
        let (head, sent) = wire.asked();
        assert_eq!(head.split("\r\n").next(), Some(format!("POST {path} HTTP/1.1").as_str()));
        let sent: Value = serde_json::from_str(&sent).unwrap();
        let expected: Value =
            serde_json::from_str(&shape(party, "embeddings-request.json")).unwrap();
        assert_eq!(sent, expected, "{party}");
    }
}

#[tokio::test]
async fn each_answers_its_own_program_in_the_order_of_the_texts() {
    let program = Program::shared();
    for party in [OpenAi, Ollama, Google, Party::Custom] {
        let own = key("embeddings", party, Conduct::Good);
        let test = asking(program, party, Conduct::Good, &own);
        let done = embed(&test, &texts(&["하나", "둘", "three"])).await.unwrap();
        let firsts: Vec<f32> = done.vectors.iter().map(|vector| vector[0]).collect();
        assert_eq!(firsts, [0.0625, 0.125, 0.1875], "{party}");
        assert_eq!(done.spent.total().input_tokens, 21, "{party}");
    }
}

/// What comes of each, what it cost, and how many calls were made for it.
const CASES: [(Conduct, ProposalFailure, Option<Usage>, usize); 20] = [
    (Conduct::RateLimited, ProposalFailure::RateLimited, NOTHING, 2),
    (Conduct::RateLimitedBare, ProposalFailure::RateLimited, NOTHING, 2),
    (Conduct::WrongKey, ProposalFailure::Auth, NOTHING, 1),
    (Conduct::Forbidden, ProposalFailure::Auth, NOTHING, 1),
    (Conduct::Unpaid, ProposalFailure::Unpaid, NOTHING, 1),
    (Conduct::TooLong, ProposalFailure::ContextTooLong, NOTHING, 1),
    (Conduct::NoSuchModel, ProposalFailure::Unserved, NOTHING, 1),
    (Conduct::Broken, ProposalFailure::Unavailable, NOTHING, 2),
    (Conduct::Overloaded, ProposalFailure::Unavailable, NOTHING, 2),
    (Conduct::HugeError, ProposalFailure::Rejected, NOTHING, 1),
    (Conduct::BreaksOff, ProposalFailure::Unavailable, HELD, 1),
    (Conduct::EndsEarly, ProposalFailure::InvalidOutput, HELD, 1),
    (Conduct::TruncatedUtf8, ProposalFailure::InvalidOutput, HELD, 1),
    (Conduct::InvalidJson, ProposalFailure::InvalidOutput, HELD, 1),
    (Conduct::DeepAnswer, ProposalFailure::InvalidOutput, HELD, 1),
    (Conduct::ManyInDocument, ProposalFailure::InvalidOutput, HELD, 1),
    (Conduct::ManyNumbers, ProposalFailure::InvalidOutput, HELD, 1),
    (Conduct::ManyVectors, ProposalFailure::InvalidOutput, HELD, 1),
    (Conduct::HugeDocument, ProposalFailure::InvalidOutput, HELD, 1),
    (Conduct::Endless, ProposalFailure::InvalidOutput, HELD, 1),
];
const SILENT: [Conduct; 3] = [Conduct::Silent, Conduct::HalfOpen, Conduct::Stalls];
const NOTHING: Option<Usage> = Some(Usage { input_tokens: 0, output_tokens: 0, estimated: false });
/// Nobody knows, and the hold counts as spent.
const HELD: Option<Usage> = None;
const HAVING: [Party; 4] = [OpenAi, Ollama, Google, Party::Custom];

#[tokio::test]
async fn what_goes_wrong_is_told_for_what_it_is_and_paid_for_once() {
    for (conduct, failure, usage, calls) in CASES {
        fail(PATIENT, (conduct, failure, usage, calls)).await;
    }
    let while_silent = Duration::from_millis(1_500);
    let timeouts = Timeouts { first_byte: while_silent, between_chunks: while_silent, ..PATIENT };
    for conduct in SILENT {
        fail(timeouts, (conduct, ProposalFailure::Timeout, HELD, 1)).await;
    }
}

async fn fail(
    timeouts: Timeouts,
    (conduct, failure, usage, calls): (Conduct, ProposalFailure, Option<Usage>, usize),
) {
    let program = Program::shared();
    let all = HAVING.map(|party| async move {
        let own = key("embedding-ends", party, conduct);
        let test = asking_within(program, party, (conduct, &own), timeouts, DEADLINE);
        let start = Instant::now();
        let error = embed(&test, &texts(&["가"])).await.unwrap_err();
        assert!(start.elapsed() < timeouts.total + Duration::from_secs(1), "{own}");
        assert_eq!((error.failure, error.spent.known()), (failure, usage), "{own}: {error}");
        assert_eq!(program.calls(&own).await.len(), calls, "{own}");
        assert!(!error.to_string().contains("canar"), "{error}");
    });
    join_all(all).await;
}

#[tokio::test]
async fn what_comes_late_or_on_the_second_try_is_taken() {
    for (conduct, attempts) in [(Conduct::Slow, 1), (Conduct::RateLimitedOnce, 2)] {
        for party in HAVING {
            let own = key("embedding-comes", party, conduct);
            let test = asking(Program::shared(), party, conduct, &own);
            let done = embed(&test, &texts(&["가"])).await.unwrap();
            assert_eq!((done.vectors.len(), done.attempts), (1, attempts), "{own}");
        }
    }
}

#[tokio::test]
async fn numbers_that_are_no_vectors_are_none() {
    let one = |index: Value, embedding: Value| json!({"index": index, "embedding": embedding});
    let good = json!([0.5, 0.25]);
    let long = json!(vec![0.5; 20_000]);
    for data in [
        json!([one(json!(0), good.clone())]),
        json!([one(json!(0), good.clone()), one(json!(0), good.clone())]),
        json!([one(json!(0), good.clone()), one(json!(2), good.clone())]),
        json!([one(json!(0), good.clone()), one(json!(1), json!([0.5]))]),
        json!([one(json!(0), good.clone()), one(json!(1), json!(["a", "b"]))]),
        json!([one(json!(0), good.clone()), one(json!(1), json!([1e39, 0.5]))]),
        json!([one(json!(0), json!([])), one(json!(1), json!([]))]),
        json!([one(json!(0), long.clone()), one(json!(1), long.clone())]),
        json!({"0": good}),
        json!(null),
    ] {
        let body = json!({"object": "list", "data": data}).to_string();
        let wire = Wire::says("application/json", &body).await;
        let test = TestModels::at(format!("{}/v1", wire.url()), &wire.url());
        let error = embed(&test, &texts(&["a", "b"])).await.unwrap_err();
        assert_eq!(error.failure, ProposalFailure::InvalidOutput, "{body:.80}");
        assert_eq!(
            (error.spent.known(), wire.calls()),
            (None, 1),
            "it was read, and may be paid for"
        );
    }
}

#[tokio::test]
async fn counts_are_the_providers_or_marked_and_never_above_the_hold() {
    for (told, expected, estimated, beyond) in [
        (json!({"prompt_tokens": 3}), 3, false, false),
        (json!(null), 9, true, false),
        (json!({"prompt_tokens": 4_000_000}), 9, true, true),
    ] {
        let data = json!([{"index": 0, "embedding": [1]}]);
        let body = json!({"data": data, "usage": told}).to_string();
        let wire = Wire::says("application/json", &body).await;
        let test = TestModels::at(format!("{}/v1", wire.url()), &wire.url());
        let done = embed(&test, &texts(&["a"])).await.unwrap();
        let usage = Usage { input_tokens: expected, output_tokens: 0, estimated };
        assert_eq!((done.spent.total(), done.beyond.is_some()), (usage, beyond), "{told}");
    }
}

#[tokio::test]
async fn nothing_is_sent_for_more_than_was_held_or_where_there_are_none() {
    let wire = Wire::says("application/json", "{}").await;
    let test = TestModels::at(format!("{}/v1", wire.url()), &wire.url());
    let many = vec!["a".to_owned(); TEXTS_MAX + 1];
    for (sent, held) in [(texts(&["abc"]), 1), (Vec::new(), 100), (many, 100_000)] {
        let permit = test.permit_of(ModelSlot::Embedding, held);
        let error = test.models.embed(&sent, permit, &test.options).await.unwrap_err();
        assert_eq!((error.failure, error.attempts), (ProposalFailure::ContextTooLong, 0));
    }
    assert_eq!(wire.calls(), 0);
    let (wire, test) = answering(Anthropic, "answer.json").await;
    let error = embed(&test, &texts(&["a"])).await.unwrap_err();
    assert_eq!((error.failure, wire.calls()), (ProposalFailure::Unavailable, 0));
    for party in Party::ALL {
        let has = test.models.check_embeddings(party.provider(), "m").is_ok();
        assert_eq!(has, party != Anthropic, "{party}");
    }
    let error = embed(&TestModels::offline(), &texts(&["a"])).await.unwrap_err();
    assert!(error.to_string().contains("openai:text-embedding-3-small"), "{error}");
}
