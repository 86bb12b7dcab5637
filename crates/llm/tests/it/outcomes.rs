//! What comes of every shape: the proposal, or the failure, and what it cost.

use crate::{
    party::Party::{self, Anthropic, Google, Ollama, OpenAi, Responses},
    shapes::{answering, used},
    test_models::{parts, prompt},
};
use tokio::sync::mpsc;
use wiiiv_domain::{
    ProposalFailure::{
        self, Auth, ContextTooLong, InvalidOutput, RateLimited, Refused, Rejected, Timeout,
        Unavailable, Unpaid, Unserved,
    },
    Usage,
};

#[derive(Debug, Clone, Copy)]
enum Cost {
    Nothing,
    /// As the provider told it.
    Told,
    /// The prompt, and no more.
    Prompt,
    /// Of a prompt that was cut.
    Cut,
    /// Nobody knows, and the hold counts as spent.
    Held,
}

impl Cost {
    fn of(self, party: Party) -> Option<Usage> {
        match self {
            Self::Nothing => Some(Usage::default()),
            Self::Told => Some(used(party)),
            Self::Prompt => Some(Usage { output_tokens: 0, ..used(party) }),
            Self::Cut => Some(Usage { input_tokens: 512, ..used(party) }),
            Self::Held => None,
        }
    }
}

const ANSWERS: [(Party, &str); 26] = [
    (OpenAi, "answer.sse"),
    (OpenAi, "answer.json"),
    (OpenAi, "tool.sse"),
    (OpenAi, "tool.json"),
    (OpenAi, "tools.sse"),
    (Responses, "answer.sse"),
    (Responses, "answer.json"),
    (Responses, "tool.sse"),
    (Responses, "tool.json"),
    (Responses, "tools.json"),
    (Responses, "thinking.sse"),
    (Anthropic, "answer.sse"),
    (Anthropic, "answer.json"),
    (Anthropic, "counts.sse"),
    (Anthropic, "text.sse"),
    (Anthropic, "thinking.sse"),
    (Anthropic, "unknown-event.sse"),
    (Google, "answer.sse"),
    (Google, "answer.json"),
    (Google, "tool.sse"),
    (Google, "tool.json"),
    (Google, "tools.json"),
    (Google, "thoughts.sse"),
    (Ollama, "answer.sse"),
    (Ollama, "answer.json"),
    (Ollama, "thinking.sse"),
];

/// Two calls, and no count of them.
const UNTOLD: &str = "tools-untold.sse";
/// What each of them is made with.
const CALLED: &str =
    r#"{"action":"REPLY","taskType":"CONVERSATION","message":"안녕하세요","slots":{}}"#;

/// The last: nobody answers there as it should, and somebody may stand in.
const FAILURES: [(Party, &str, ProposalFailure, Cost, bool); 32] = [
    (OpenAi, "length.sse", InvalidOutput, Cost::Told, false),
    (OpenAi, "refusal.sse", Refused, Cost::Told, false),
    (OpenAi, "filtered.sse", Refused, Cost::Told, false),
    (OpenAi, "error.sse", Unavailable, Cost::Held, true),
    (OpenAi, "error-before-words.sse", Unavailable, Cost::Held, true),
    (Responses, "incomplete.sse", InvalidOutput, Cost::Told, false),
    (Responses, "filtered.sse", Refused, Cost::Told, false),
    (Responses, "refusal.sse", Refused, Cost::Told, false),
    (Responses, "refusal.json", Refused, Cost::Told, false),
    (Responses, "failed.sse", Unavailable, Cost::Held, true),
    (Responses, "error.sse", RateLimited, Cost::Nothing, false),
    (Responses, "error-at-once.sse", Unavailable, Cost::Nothing, true),
    (Responses, "failed.json", Unavailable, Cost::Nothing, true),
    (Anthropic, "max_tokens.sse", InvalidOutput, Cost::Told, false),
    (Anthropic, "refusal.sse", Refused, Cost::Told, false),
    (Anthropic, "blocked.sse", Refused, Cost::Held, false),
    (Anthropic, "window.sse", ContextTooLong, Cost::Told, false),
    (Anthropic, "window-at-once.sse", ContextTooLong, Cost::Told, false),
    (Anthropic, "overloaded.sse", Unavailable, Cost::Held, true),
    (Anthropic, "overloaded-before-words.sse", Unavailable, Cost::Held, true),
    (Anthropic, "overloaded-thinking.sse", Unavailable, Cost::Held, true),
    (Anthropic, "overloaded-at-once.sse", Unavailable, Cost::Nothing, true),
    (Google, "max_tokens.sse", InvalidOutput, Cost::Told, false),
    (Google, "thought-out.sse", InvalidOutput, Cost::Told, false),
    (Google, "safety.sse", Refused, Cost::Told, false),
    (Google, "blocked.sse", Refused, Cost::Prompt, false),
    (Google, "other.sse", InvalidOutput, Cost::Told, false),
    (Google, "malformed.sse", InvalidOutput, Cost::Told, false),
    (Google, "error.sse", Unavailable, Cost::Held, true),
    (Google, "error-thinking.sse", Unavailable, Cost::Held, true),
    (Ollama, "length.sse", InvalidOutput, Cost::Told, false),
    (Ollama, "cut-prompt.sse", ContextTooLong, Cost::Cut, false),
];

/// Each begins with its status.
const ERRORS: [(Party, &[(&str, ProposalFailure)]); 5] = [
    (
        OpenAi,
        &[
            ("400", Rejected),
            ("400-filter", Refused),
            ("400-long", ContextTooLong),
            ("400-prompt", Refused),
            ("401", Auth),
            ("403", Auth),
            ("404", Unserved),
            ("404-responses", Rejected),
            ("429", RateLimited),
            ("429-inactive", Unpaid),
            ("429-quota", Unpaid),
            ("500", Unavailable),
            ("503", Unavailable),
        ],
    ),
    (Responses, &[("400", Rejected), ("400-long", ContextTooLong), ("429", RateLimited)]),
    (
        Anthropic,
        &[
            ("400", Rejected),
            ("400-blocked", Refused),
            ("400-credit", Unpaid),
            ("400-limits", Unpaid),
            ("400-long", ContextTooLong),
            ("401", Auth),
            ("402", Unpaid),
            ("403", Auth),
            ("404", Unserved),
            ("413", ContextTooLong),
            ("429", RateLimited),
            ("500", Unavailable),
            ("504", Timeout),
            ("529", Unavailable),
        ],
    ),
    (
        Google,
        &[
            ("400", Rejected),
            ("400-billing", Unpaid),
            ("400-key", Auth),
            ("400-long", ContextTooLong),
            ("400-place", Auth),
            ("403", Auth),
            ("404", Unserved),
            ("429", RateLimited),
            ("500", Unavailable),
            ("503", Unavailable),
            ("504", Timeout),
        ],
    ),
    (Ollama, &[("400", Rejected), ("404", Unserved), ("500", Unavailable)]),
];

/// All that are looked at here.
pub fn files() -> impl Iterator<Item = (Party, String)> {
    let answers = ANSWERS.into_iter().map(|(party, file)| (party, file.to_owned()));
    let failures = FAILURES.into_iter().map(|(party, file, ..)| (party, file.to_owned()));
    let errors = ERRORS.into_iter().flat_map(|(party, names)| {
        names.iter().map(move |(name, _)| (party, format!("errors/{name}.json")))
    });
    answers.chain(failures).chain(errors).chain([(OpenAi, UNTOLD.to_owned())])
}

#[tokio::test]
async fn answers_are_read_streamed_or_whole() {
    for (party, file) in ANSWERS {
        let (wire, test) = answering(party, file).await;
        let (deltas, mut told) = mpsc::channel(64);
        let asked = test.ask_with(&prompt(parts("안녕")), Some(deltas)).await;
        let done = asked.unwrap_or_else(|error| panic!("{party} {file}: {error}"));
        assert_eq!(done.proposal.message, "안녕하세요", "{party} {file}");
        assert_eq!((done.attempts, done.spent.total()), (1, used(party)), "{party} {file}");
        let mut shown = String::new();
        while let Some(piece) = told.recv().await {
            shown.push_str(&piece);
        }
        assert_eq!(shown, "안녕하세요", "{party} {file}");
        assert_eq!(wire.calls(), 1);
    }
}

/// A second call is none of the answer, and what it took is counted all the same.
#[tokio::test]
async fn what_is_called_behind_the_first_is_paid_for() {
    let (_wire, test) = answering(OpenAi, UNTOLD).await;
    let done = test.ask("안녕").await.unwrap();
    assert_eq!(done.proposal.message, "안녕하세요");
    let written = u64::try_from(CALLED.len()).unwrap();
    assert_eq!(
        (done.spent.total().output_tokens, done.spent.total().estimated),
        (2 * written, true)
    );
}

/// A provider may answer with another model than it was asked for.
#[tokio::test]
async fn who_answers_in_anothers_place_is_told() {
    for (party, model, another) in [
        (OpenAi, "gpt-4o-mini", None),
        (OpenAi, "gpt-4o", Some("gpt-4o-mini-2024-07-18")),
        (Anthropic, "claude-sonnet-4-6", None),
        (Anthropic, "claude-opus-4-6", Some("claude-sonnet-4-6")),
        (Google, "gemini-2.5-pro", None),
        (Google, "gemini-2.5-flash", Some("gemini-2.5-pro")),
        (Ollama, "llama3.1:8b", None),
    ] {
        for file in ["answer.sse", "answer.json"] {
            let (_wire, mut test) = answering(party, file).await;
            test.turn_to(model);
            let done = test.ask("안녕").await.unwrap();
            assert_eq!(done.another.as_deref(), another, "{party} {model} {file}");
        }
    }
}

#[tokio::test]
async fn what_is_no_answer_is_told_as_what_it_is() {
    for (party, file, failure, cost, unreachable) in FAILURES {
        let cost = cost.of(party);
        let calls = assert_failed(party, file, failure, cost, unreachable).await;
        assert_eq!(calls, 1, "{party} {file}");
    }
}

#[tokio::test]
async fn errors_are_told_as_what_they_are_and_quote_nothing() {
    for (party, failures) in ERRORS {
        for (name, failure) in failures {
            let file = format!("errors/{name}.json");
            // What was declined was read, and may have been answered.
            let cost = if *failure == Refused { Cost::Held } else { Cost::Nothing };
            let down = name.starts_with('5');
            let cost = cost.of(party);
            let calls = assert_failed(party, &file, *failure, cost, down).await;
            // Asked again only where nothing but a field explains it, or by the other interface.
            let again = ["400", "404-responses"].contains(name);
            assert_eq!(calls, if again { 2 } else { 1 }, "{party} {file}");
        }
    }
}

async fn assert_failed(
    party: Party,
    file: &str,
    failure: ProposalFailure,
    usage: Option<Usage>,
    unreachable: bool,
) -> usize {
    let (wire, test) = answering(party, file).await;
    let (failed, error) = test.failure().await;
    assert_eq!((failed, error.spent.known()), (failure, usage), "{party} {file}: {error}");
    assert_eq!(error.unreachable, unreachable, "{party} {file}: {error}");
    let told = error.to_string();
    for foreign in ["canar", "org-x", "sorry", "billing", "messages"] {
        assert!(!told.to_lowercase().contains(foreign), "{party} {file}: {told}");
    }
    wire.calls()
}
