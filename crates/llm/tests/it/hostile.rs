//! Every way in which a model server can misbehave ends in a bounded error, in bounded time.

use crate::test_models::{TestModels, talk};
use std::time::Duration;
use wiiiv_domain::{Action, ProposalFailure, TaskType, Usage};
use wiiiv_fakes::{FakeModel, ModelMode};

async fn failure_of(mode: ModelMode) -> (ProposalFailure, Option<Usage>, u32) {
    let model = FakeModel::spawn(mode).await.unwrap();
    let (failure, error) = TestModels::asking(&model).failure().await;
    let told = error.to_string();
    assert!(!told.contains("owned") && !told.contains("계속"), "no foreign text: {told}");
    assert_eq!(u32::try_from(model.calls().len()).unwrap(), error.attempts);
    (failure, error.spent.known(), error.attempts)
}

#[tokio::test]
async fn unreadable_answers_are_asked_for_once_more_and_given_up() {
    for mode in [ModelMode::Garbage, ModelMode::Deep, ModelMode::WrongTypes] {
        let told = format!("{mode:?}");
        let (failure, usage, attempts) = failure_of(mode).await;
        assert_eq!((failure, attempts), (ProposalFailure::InvalidOutput, 2), "{told}");
        assert!(usage.is_some_and(|usage| usage.input_tokens == 200), "both are paid for: {told}");
    }
}

#[tokio::test]
async fn an_endless_answer_is_cut_where_its_hold_ends() {
    let cut = failure_of(ModelMode::Endless).await;
    assert_eq!(cut, (ProposalFailure::InvalidOutput, None, 1), "the hold counts as spent");
}

#[tokio::test]
async fn silence_and_slowness_are_waited_for_so_long_and_no_longer() {
    let silent = failure_of(ModelMode::Silent).await;
    assert_eq!(silent, (ProposalFailure::Timeout, None, 1));
    let slow = ModelMode::Slow(Duration::from_secs(60), talk("늦었다"));
    assert_eq!(failure_of(slow).await, (ProposalFailure::Timeout, None, 1));
}

#[tokio::test]
async fn the_deadline_holds_over_all_attempts() {
    let model = FakeModel::spawn(ModelMode::RateLimited).await.unwrap();
    let mut test = TestModels::asking(&model);
    test.attempts = 5;
    test.options.deadline = Duration::from_millis(500);
    assert_eq!(test.failure().await.0, ProposalFailure::Timeout);
}

#[tokio::test]
async fn refusals_are_told_apart() {
    let refuses = |status: u16, body: &str| ModelMode::Refuses(status, body.to_owned());
    let long = r#"{"error":{"code":"context_length_exceeded"}}"#;
    let nothing = Some(Usage::default());
    for (mode, failure, attempts) in [
        (ModelMode::RateLimited, ProposalFailure::RateLimited, 2),
        (ModelMode::Broken, ProposalFailure::Unavailable, 2),
        (refuses(401, "key"), ProposalFailure::Auth, 1),
        (refuses(403, "key"), ProposalFailure::Auth, 1),
        (refuses(404, "model"), ProposalFailure::Unserved, 1),
        (refuses(400, long), ProposalFailure::ContextTooLong, 1),
        (refuses(413, ""), ProposalFailure::ContextTooLong, 1),
    ] {
        assert_eq!(failure_of(mode).await, (failure, nothing, attempts));
    }
    assert_eq!(failure_of(ModelMode::Declines).await, (ProposalFailure::Refused, None, 1));
    let broken = failure_of(ModelMode::BrokenStream).await;
    assert_eq!(broken, (ProposalFailure::InvalidOutput, None, 1));
}

#[tokio::test]
async fn nobody_there_costs_nothing() {
    let model = FakeModel::spawn(ModelMode::Silent).await.unwrap();
    let test = TestModels::asking(&model);
    drop(model);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let (failure, error) = test.failure().await;
    assert_eq!(
        (failure, error.spent.known()),
        (ProposalFailure::Unavailable, Some(Usage::default()))
    );
}

/// What they propose is only a proposal: it goes to the flow as any other.
#[tokio::test]
async fn a_model_that_always_acts_or_forges_a_yes_only_proposes() {
    let model = FakeModel::spawn(ModelMode::AlwaysExecute).await.unwrap();
    let test = TestModels::asking(&model);
    let proposal = test.ask("안녕").await.unwrap().proposal;
    assert_eq!((proposal.action, proposal.task_type), (Action::Execute, TaskType::FileWrite));
    model.set_mode(ModelMode::ForgedYes);
    let proposal = test.ask("안녕").await.unwrap().proposal;
    assert_eq!(proposal.action, Action::Confirm);
}

#[tokio::test]
async fn an_origin_that_fails_again_and_again_is_left_alone() {
    let model = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let mut test = TestModels::asking(&model);
    test.attempts = 1;
    for _ in 0..wiiiv_llm::OPEN_AFTER_FAILURES {
        assert_eq!(test.failure().await.0, ProposalFailure::Unavailable);
    }
    let asked = model.calls().len();
    model.set_mode(ModelMode::Script(vec![talk("안녕")]));
    let (failure, error) = test.failure().await;
    assert_eq!(
        (failure, error.spent.known()),
        (ProposalFailure::Unavailable, Some(Usage::default()))
    );
    assert_eq!(model.calls().len(), asked, "nothing was sent");
}
