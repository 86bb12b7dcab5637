//! Every way in which a provider can misbehave ends in a failure that says what it was, in time,
//! and is paid for once.

use super::{DEADLINE, PATIENT, Program, USED, asking, asking_within, key};
use crate::{
    party::Party,
    test_models::{TestModels, assert_talk, limits},
};
use futures::future::join_all;
use std::time::{Duration, Instant};
use wiiiv_domain::{
    ProposalFailure::{
        self, Auth, ContextTooLong, InvalidOutput, RateLimited, Refused, Rejected, Timeout,
        Unavailable, Unpaid, Unserved,
    },
    Usage,
};
use wiiiv_fakes::{Conduct, PROVIDER_SAYS};
use wiiiv_net::Timeouts;

const NOTHING: Option<Usage> = Some(Usage { input_tokens: 0, output_tokens: 0, estimated: false });
const TWICE: Option<Usage> = Some(Usage {
    input_tokens: 2 * USED.input_tokens,
    output_tokens: 2 * USED.output_tokens,
    estimated: false,
});
/// Nobody knows, and the hold counts as spent.
const HELD: Option<Usage> = None;

/// What comes of each, what it cost, and how many calls were made for it.
async fn check(table: &[(Conduct, ProposalFailure, Option<Usage>, usize)]) {
    check_within(table, PATIENT, DEADLINE).await;
}

async fn check_within(
    table: &[(Conduct, ProposalFailure, Option<Usage>, usize)],
    timeouts: Timeouts,
    deadline: Duration,
) {
    for case in table {
        // Set up before anybody's time runs.
        let worlds = Party::ALL.map(|party| {
            let key = key("ends", party, case.0);
            let asked = (case.0, key.as_str());
            let test = asking_within(Program::shared(), party, asked, timeouts, deadline);
            (test, key)
        });
        join_all(worlds.map(|(test, key)| ends(test, key, *case))).await;
    }
}

async fn ends(
    test: TestModels,
    key: String,
    (_, failure, usage, calls): (Conduct, ProposalFailure, Option<Usage>, usize),
) {
    let program = Program::shared();
    let bound = test.options.deadline + Duration::from_secs(1);
    let start = Instant::now();
    let (failed, error) = test.failure().await;
    assert!(start.elapsed() < bound, "{key}: {:?}", start.elapsed());
    assert_eq!((failed, error.spent.known()), (failure, usage), "{key}: {error}");
    assert_eq!(program.calls(&key).await.len(), calls, "{key}: {error}");
    let told = error.to_string();
    assert!(!told.contains("안녕") && !told.contains("canar"), "no foreign text: {told}");
}

#[tokio::test]
async fn errors_are_told_apart() {
    check(&[
        (Conduct::RateLimited, RateLimited, NOTHING, 2),
        (Conduct::RateLimitedBare, RateLimited, NOTHING, 2),
        (Conduct::Unpaid, Unpaid, NOTHING, 1),
        (Conduct::TooLong, ContextTooLong, NOTHING, 1),
        (Conduct::WrongKey, Auth, NOTHING, 1),
        (Conduct::Forbidden, Auth, NOTHING, 1),
        (Conduct::NoSuchModel, Unserved, NOTHING, 1),
        (Conduct::Broken, Unavailable, NOTHING, 2),
        (Conduct::Overloaded, Unavailable, NOTHING, 2),
        (Conduct::HugeError, Rejected, NOTHING, 2),
    ])
    .await;
}

#[tokio::test]
async fn silence_is_waited_for_so_long_and_no_longer() {
    let while_silent = Duration::from_millis(1_500);
    let timeouts = Timeouts { first_byte: while_silent, between_chunks: while_silent, ..PATIENT };
    let silent = [
        (Conduct::Silent, Timeout, HELD, 1),
        (Conduct::HalfOpen, Timeout, HELD, 1),
        (Conduct::Stalls, Timeout, HELD, 1),
        (Conduct::Pings, Timeout, HELD, 1),
        (Conduct::EmptyEvents, Timeout, HELD, 1),
    ];
    check_within(&silent, timeouts, Duration::from_secs(4)).await;
    // The call's own deadline ends what the client would wait for.
    check_within(&[(Conduct::Silent, Timeout, HELD, 2)], PATIENT, while_silent).await;
}

/// Words come one by one and never end: no wait between two of them is too long, all of them are.
#[tokio::test]
async fn what_never_ends_is_over_when_its_time_is() {
    let drips = [(Conduct::Drips, Timeout, HELD, 1)];
    check_within(&drips, PATIENT, Duration::from_secs(2)).await;
}

#[tokio::test]
async fn of_a_broken_answer_nothing_is_proposed() {
    check(&[
        (Conduct::BreaksOff, Unavailable, HELD, 1),
        (Conduct::FailsMidway, Unavailable, HELD, 1),
        (Conduct::FailsBeforeWords, Unavailable, HELD, 1),
        (Conduct::TruncatedUtf8, InvalidOutput, HELD, 1),
        (Conduct::InvalidJson, InvalidOutput, HELD, 1),
        (Conduct::DeepEvent, InvalidOutput, HELD, 1),
        (Conduct::ManyInEvent, InvalidOutput, HELD, 1),
        (Conduct::ManyInDocument, InvalidOutput, HELD, 1),
        (Conduct::DeepAnswer, InvalidOutput, TWICE, 2),
        (Conduct::WrongArguments, InvalidOutput, TWICE, 2),
        (Conduct::Declines, Refused, Some(USED), 1),
        (Conduct::CutShort, InvalidOutput, Some(USED), 1),
    ])
    .await;
}

/// Of whoever is asked by a tool: what it is called with is held against the schema like any words.
#[tokio::test]
async fn a_tool_that_is_called_wrongly_proposes_nothing() {
    for party in Party::ALL {
        // Google's calls come whole: of one that is too deep no count of what it took can be read, and
        // of one that is cut there is nothing.
        let deep = if party == Party::Google { (HELD, 1) } else { (TWICE, 2) };
        for (conduct, (usage, calls)) in [
            (Conduct::WrongArguments, (TWICE, 2)),
            (Conduct::DeepAnswer, deep),
            (Conduct::CutShort, (Some(USED), 1)),
        ] {
            let key = key("tool", party, conduct);
            let test = asking(Program::shared(), party, conduct, &key).by_tool();
            ends(test, key.clone(), (conduct, InvalidOutput, usage, calls)).await;
            let sent = Program::shared().calls(&key).await;
            assert!(sent.iter().all(|call| call["body"].get("tools").is_some()), "{key}");
        }
    }
}

/// The same prompt would be declined again; what it cost is told only in an answer.
#[tokio::test]
async fn what_is_declined_is_not_asked_again() {
    let program = Program::shared();
    for party in Party::ALL {
        let key = key("declines", party, Conduct::DeclinesAtOnce);
        let test = asking(program, party, Conduct::DeclinesAtOnce, &key);
        let (failure, error) = test.failure().await;
        let told = (party == Party::Google).then_some(USED);
        assert_eq!((failure, error.spent.known()), (Refused, told), "{party}: {error}");
        assert_eq!(program.calls(&key).await.len(), 1, "{party}");
    }
}

#[tokio::test]
async fn an_answer_without_an_end_is_cut() {
    check(&[
        (Conduct::Endless, InvalidOutput, HELD, 1),
        (Conduct::HugeEvent, InvalidOutput, HELD, 1),
        (Conduct::HugeStream, InvalidOutput, HELD, 1),
        (Conduct::HugeDocument, InvalidOutput, HELD, 1),
    ])
    .await;
}

/// Those who say how an answer ended are not believed without it; of others the half is asked
/// for once more, as what it is: no proposal.
#[tokio::test]
async fn an_end_that_is_none_is_seen() {
    for party in Party::ALL {
        let says = party != Party::Custom;
        let program = Program::shared();
        let key = key("early", party, Conduct::EndsEarly);
        let (failure, error) = asking(program, party, Conduct::EndsEarly, &key).failure().await;
        let (expected, calls) = if says { (Unavailable, 1) } else { (InvalidOutput, 2) };
        assert_eq!(failure, expected, "{party}: {error}");
        assert_eq!(error.spent.known().is_none(), says, "{party}");
        assert!(error.spent.known().is_none_or(|usage| usage.estimated), "{party}");
        assert_eq!(program.calls(&key).await.len(), calls, "{party}");
    }
}

#[tokio::test]
async fn patience_is_kept_wherever_it_is_asked_for() {
    let program = Program::shared();
    let worlds = Party::ALL.map(|party| {
        let worlds = [Conduct::RateLimitedOnce, Conduct::RateLimited];
        (
            party,
            worlds.map(|conduct| asking(program, party, conduct, &key("patience", party, conduct))),
        )
    });
    join_all(worlds.map(|(party, [test, mut limited])| async move {
        let start = Instant::now();
        let done = test.ask("안녕").await.unwrap();
        assert!(start.elapsed() >= Duration::from_secs(1), "{party}");
        assert_talk(&done.proposal, PROVIDER_SAYS);
        assert_eq!(
            (done.attempts, done.spent.total()),
            (2, USED),
            "a refusal costs nothing: {party}"
        );
        limited.models = limited.models.with_limits(wiiiv_llm::Limits {
            retry_after_max: Duration::from_millis(500),
            ..limits(Duration::from_millis(10))
        });
        assert_eq!(limited.failure().await.0, RateLimited);
        let asked = program.calls(&key("patience", party, Conduct::RateLimited)).await;
        assert_eq!(asked.len(), 1, "it asks for more patience than there is: {party}");
    }))
    .await;
}

#[tokio::test]
async fn a_provider_that_fails_again_and_again_is_left_alone() {
    for party in Party::ALL {
        let program = Program::shared();
        let key = key("alone", party, Conduct::Overloaded);
        let mut test = asking(program, party, Conduct::Overloaded, &key);
        test.attempts = 1;
        for _ in 0..wiiiv_llm::OPEN_AFTER_FAILURES {
            assert_eq!(test.failure().await.0, Unavailable);
        }
        let asked = program.calls(&key).await.len();
        let (failure, error) = test.failure().await;
        assert_eq!((failure, error.spent.known()), (Unavailable, NOTHING));
        assert!(error.unreachable);
        assert_eq!(program.calls(&key).await.len(), asked, "nothing was sent");
    }
}
