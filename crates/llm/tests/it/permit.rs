use crate::test_models::{BOUND, TestModels, models, opening, parts, prompt, talk};
use wiiiv_context::Rendered as _;
use wiiiv_domain::{ModelSlot, ProposalFailure, ProviderName, Usage};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_llm::{ModelsError, token_bound};

#[tokio::test]
async fn more_than_was_held_is_not_sent() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk("안녕")])).await.unwrap();
    let test = TestModels::asking(&model);
    let prompt = prompt(parts("안녕"));
    let permit = test.permit_for(prompt.tokens(token_bound) - 1);
    let refused = test.models.complete(&prompt, permit, &test.options, None).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.failure, ProposalFailure::ContextTooLong);
    assert_eq!((refused.spent.known(), refused.attempts), (Some(Usage::default()), 0));
    assert!(model.calls().is_empty());
}

#[tokio::test]
async fn another_openings_permit_buys_nothing() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk("안녕")])).await.unwrap();
    let test = TestModels::asking(&model);
    let prompt = prompt(parts("안녕"));
    let elsewhere = models(&opening(), []);
    let permit = test.permit(&prompt);
    let refused = elsewhere.complete(&prompt, permit, &test.options, None).await;
    assert_eq!(refused.unwrap_err().failure, ProposalFailure::Budget);
    assert!(model.calls().is_empty());
}

/// What was ruled on for one slot buys nothing of another, though the model is the same.
#[tokio::test]
async fn another_slots_permit_buys_nothing() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk("안녕")])).await.unwrap();
    let test = TestModels::asking(&model);
    let (prompt, texts) = (prompt(parts("안녕")), vec!["가".to_owned()]);
    let permit = test.permit_of(ModelSlot::Embedding, prompt.tokens(token_bound));
    let talked = test.models.complete(&prompt, permit, &test.options, None).await.unwrap_err();
    let permit = test.permit(&prompt);
    let embedded = test.models.embed(&texts, permit, &test.options).await.unwrap_err();
    for (refused, slot) in [(talked, "embedding"), (embedded, "governor")] {
        assert_eq!((refused.failure, refused.attempts), (ProposalFailure::Budget, 0));
        assert!(refused.to_string().contains(slot), "{refused}");
    }
    assert!(model.calls().is_empty());
}

#[tokio::test]
async fn an_origin_that_nobody_approved_is_not_called() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk("안녕")])).await.unwrap();
    let other = FakeModel::spawn(ModelMode::Silent).await.unwrap();
    let mut test = TestModels::asking(&other);
    test.options.base_url = Some(model.base_url());
    let (failure, error) = test.failure().await;
    assert_eq!((failure, error.spent.known()), (ProposalFailure::Auth, Some(Usage::default())));
    assert!(model.calls().is_empty());
    let check = |url: Option<&str>| test.models.check((ProviderName::Custom, None), url);
    assert!(matches!(check(Some(&model.base_url())), Err(ModelsError::NotApproved(_))));
    assert!(matches!(check(None), Err(ModelsError::NoBaseUrl)));
    assert!(matches!(check(Some("localhost")), Err(ModelsError::BaseUrl(_))));
    assert!(check(Some(&other.base_url())).is_ok());
    assert!(test.models.check((ProviderName::Offline, None), None).is_ok());
}

#[tokio::test]
async fn a_dropped_call_stops_the_provider() {
    let model = FakeModel::spawn(ModelMode::Endless).await.unwrap();
    let test = TestModels::asking(&model);
    let prompt = prompt(parts("안녕"));
    let permit = test.permit(&prompt);
    let (deltas, _told) = tokio::sync::mpsc::channel(1);
    {
        let call = test.models.complete(&prompt, permit, &test.options, Some(deltas));
        tokio::select! {
            _ = call => {}
            () = async { while model.calls().is_empty() { tokio::task::yield_now().await } } => {}
        }
    }
    let closed = async {
        while model.open_streams() > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    assert!(tokio::time::timeout(BOUND, closed).await.is_ok(), "the stream is still read");
}
