//! Servers that keep to the protocol in their own way.

use crate::{
    test_models::{TestModels, assert_talk, limits, parts, prompt, talk},
    wire::Wire,
};
use serde_json::json;
use std::time::Duration;
use tokio::{net::TcpListener, sync::mpsc};
use wiiiv_domain::{ProposalFailure, Usage};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

fn document(text: &str, usage: &serde_json::Value) -> String {
    let message = json!({"role": "assistant", "content": text});
    json!({"object": "chat.completion", "choices": [{"message": message}], "usage": usage})
        .to_string()
}

async fn test(kind: &str, body: &str) -> (Wire, TestModels) {
    let wire = Wire::says(kind, body).await;
    let test = TestModels::at(format!("{}/v1/", wire.url()), &wire.url());
    (wire, test)
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_read_all_the_same() {
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 7});
    for lead in ["", "\n\t ", "\u{feff}"] {
        let body = format!("{lead}{}", document(&talk("왔어요"), &usage));
        let (_wire, test) = test(JSON, &body).await;
        let (deltas, mut told) = mpsc::channel(8);
        let done = test.ask_with(&prompt(parts("안녕")), Some(deltas)).await.unwrap();
        assert_talk(&done.proposal, "왔어요");
        let usage = Usage { input_tokens: 100, output_tokens: 7, estimated: false };
        assert_eq!((done.attempts, done.spent.total()), (1, usage));
        assert_eq!(told.recv().await.as_deref(), Some("왔어요"));
    }
}

#[tokio::test]
async fn what_is_told_above_the_hold_is_cut_down_to_it_and_marked() {
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 1_000_000});
    let (_wire, test) = test(JSON, &document(&talk("네"), &usage)).await;
    let used = test.ask("안녕").await.unwrap().spent.total();
    assert_eq!(used, Usage { input_tokens: 100, output_tokens: 512, estimated: true });
}

/// What it thought is not always shown: cut, it has written as much as it might.
#[tokio::test]
async fn an_answer_that_was_cut_has_cost_all_that_it_might_have() {
    let choice = json!({"delta": {"content": "{"}, "finish_reason": "length"});
    let (wire, test) = test(EVENTS, &format!("data: {}\n\n", json!({"choices": [choice]}))).await;
    let (failure, told) = test.failure().await;
    let usage = told.spent.known().unwrap();
    assert_eq!((failure, wire.calls()), (ProposalFailure::InvalidOutput, 1));
    assert_eq!((usage.output_tokens, usage.estimated), (512, true));
}

/// Ollama by another name is known by how it signs; others may count as they like.
#[tokio::test]
async fn a_prompt_that_was_cut_without_a_word_is_no_answered_one() {
    for (signed, is_taken) in [("fp_ollama", false), ("fp_1", true)] {
        let usage = json!({"prompt_tokens": 300, "completion_tokens": 7});
        let mut body: serde_json::Value =
            serde_json::from_str(&document(&talk("네"), &usage)).unwrap();
        body["system_fingerprint"] = json!(signed);
        let (wire, test) = test(JSON, &body.to_string()).await;
        match test.ask("안녕").await {
            Ok(done) => assert!(is_taken && done.spent.total().input_tokens == 300),
            Err(error) => {
                assert!(!is_taken && error.to_string().contains("OLLAMA_CONTEXT_LENGTH"));
                assert_eq!(error.failure, ProposalFailure::ContextTooLong);
                assert_eq!(
                    error.spent.known().unwrap().input_tokens,
                    300,
                    "what it read is paid for"
                );
            }
        }
        assert_eq!(wire.calls(), 1);
    }
}

/// Status 200 and an error in it: it fails as what it is, never as an empty answer.
#[tokio::test]
async fn an_error_in_place_of_an_answer_is_that_error() {
    let limited = json!({"error": {"message": "x", "type": "rate_limit_error"}});
    let long = json!({"error": {"code": 400, "message": "the context length is exceeded"}});
    let key = json!({"error": {"code": "invalid_api_key", "message": "sk-canary"}});
    let bare = json!({"error": "the model has stopped"});
    for (error, failure, attempts) in [
        (limited, ProposalFailure::RateLimited, 2),
        (long, ProposalFailure::ContextTooLong, 1),
        (key, ProposalFailure::Auth, 1),
        (bare, ProposalFailure::Unavailable, 2),
    ] {
        for (kind, body) in [(JSON, error.to_string()), (EVENTS, format!("data: {error}\n\n"))] {
            let (wire, test) = test(kind, &body).await;
            let (failed, told) = test.failure().await;
            assert_eq!((failed, told.attempts), (failure, attempts), "{body}");
            assert_eq!(
                told.spent.known(),
                Some(Usage::default()),
                "nothing came, nothing is paid for"
            );
            assert_eq!(wire.calls(), usize::try_from(attempts).unwrap());
            assert!(!told.to_string().contains("canary"));
        }
    }
}

#[tokio::test]
async fn an_error_after_words_is_neither_tried_again_nor_free() {
    let word = json!({"choices": [{"delta": {"content": "{\"action\":"}}]});
    let error = json!({"error": {"code": 500, "message": "out of memory"}});
    let (wire, test) = test(EVENTS, &format!("data: {word}\n\ndata: {error}\n\n")).await;
    let (failure, told) = test.failure().await;
    assert_eq!((failure, told.spent.known()), (ProposalFailure::Unavailable, None));
    assert_eq!(wire.calls(), 1);
}

#[tokio::test]
async fn what_is_neither_stream_nor_document_cannot_be_read() {
    for body in ["<html>log in first</html>", "[]", "", "{}", "{\"choices\":", "data: [DONE]\n\n"] {
        let (wire, test) = test(JSON, body).await;
        let (failure, told) = test.failure().await;
        assert_eq!(failure, ProposalFailure::InvalidOutput, "{body}");
        assert_eq!((wire.calls(), told.attempts), (1, 1), "{body}");
    }
}

#[tokio::test]
async fn nobody_there_is_tried_again_a_few_times() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let mut test = TestModels::at(url.clone(), &url);
    test.attempts = 9;
    let start = std::time::Instant::now();
    let (failure, told) = test.failure().await;
    assert_eq!((failure, told.attempts), (ProposalFailure::Unavailable, 3), "two retries");
    assert!(start.elapsed() >= Duration::from_millis(30), "10 ms, then 20 ms");
    assert_eq!(told.spent.known(), Some(Usage::default()));
}

#[tokio::test]
async fn a_server_that_comes_back_is_found() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = format!("http://{address}");
    let mut test = TestModels::at(url.clone(), &url);
    test.models = test.models.with_limits(limits(Duration::from_millis(400)));
    let back = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let listener = TcpListener::bind(address).await.unwrap();
        Wire::on(listener, JSON, &document(&talk("네"), &json!(null)))
    };
    let (asked, _wire) = tokio::join!(test.ask("안녕"), back);
    let done = asked.unwrap();
    assert_talk(&done.proposal, "네");
    assert_eq!(done.attempts, 2);
}
