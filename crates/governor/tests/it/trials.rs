//! A model is tried: one call, permitted, held, settled and on record like any other.

use crate::test_governor::{Setup, TestGovernor, now, person, policy};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_domain::{ModelPrice, ModelSlot, PriceTier, ProposalFailure, ProviderName, SessionId};
use wiiiv_fakes::{Conduct, FakeModel, FakeProvider, ModelMode, PROVIDER_USED};
use wiiiv_governor::{Gave, GovernorConfig, Trial, TrialError, TrialOf};
use wiiiv_net::Origin;
use wiiiv_store::{AuditFilter, Chain};

fn priced(input: u64, output: u64) -> ModelPrice {
    let tier = PriceTier {
        from_input_tokens: 0,
        input_micros_per_million: input * 1_000_000,
        output_micros_per_million: output * 1_000_000,
    };
    ModelPrice { currency: wiiiv_domain::Currency::USD, tiers: vec![tier] }
}

/// A project of a CUSTOM provider that behaves so, with a model of its own in each slot.
async fn test(provider: &FakeProvider, conduct: Conduct) -> TestGovernor {
    house_waiting(provider, conduct, Duration::from_secs(2), true).await
}

async fn house_waiting(
    provider: &FakeProvider,
    conduct: Conduct,
    model_deadline: Duration,
    memory: bool,
) -> TestGovernor {
    let url = wiiiv_net::Url::parse(&provider.url()).unwrap();
    let origin = Origin::of(&url).unwrap().to_string();
    let config = GovernorConfig { model_deadline, ..GovernorConfig::default() };
    let options = Setup { origins: vec![origin], config, memory, ..Setup::default() };
    let test = TestGovernor::with(options).await;
    let base = format!("{}/trial/{}/local/v1", provider.url(), conduct.name());
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(base);
        policy.governor_model = Some("m".to_owned());
        policy.generator_model = Some("custom:g".to_owned());
        policy.embedding_model = Some("e".to_owned());
        for (model, price) in [("m", priced(1, 2)), ("g", priced(3, 4)), ("e", priced(5, 0))] {
            policy.model_prices.insert(format!("CUSTOM:{model}"), price);
        }
    })
    .await;
    test
}

async fn tried(
    test: &TestGovernor,
    session: SessionId,
    slot: ModelSlot,
) -> Result<Trial, TrialError> {
    let who = test.principal(&test.owner).await;
    let of = TrialOf { slot, picture: false };
    test.governor.models().try_out(&who, session, of).await
}

async fn recorded(test: &TestGovernor, kind: &str) -> Vec<Value> {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let rows = test.governor.store().audit_search(chain, &filter).await.unwrap();
    rows.into_iter().rev().map(|row| row.body).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_slot_is_asked_under_a_permit_and_paid_for_once() {
    let provider = FakeProvider::open(0).await.unwrap();
    let test = test(&provider, Conduct::Good).await;
    let session = test.session().await;
    let (input, output) = PROVIDER_USED;
    let mut micros = 0;
    for (slot, model, gave, cost) in [
        (ModelSlot::Governor, "m", Gave::Proposal, input + 2 * output),
        (ModelSlot::Generator, "g", Gave::Proposal, 3 * input + 4 * output),
        (ModelSlot::Embedding, "e", Gave::Vectors { dimensions: 8 }, 7 * 5),
    ] {
        let trial = tried(&test, session, slot).await.unwrap();
        assert_eq!((trial.model.as_str(), trial.gave.as_ref()), (model, Ok(&gave)), "{slot}");
        assert_eq!((trial.amount.micros, trial.attempts), (Some(cost), 1), "{slot}");
        micros += cost;
    }
    let sums = test.used().await;
    assert_eq!((sums.calls, sums.open, sums.micros), (3, 0, micros));
    let slots: Vec<Value> =
        recorded(&test, "model.tried").await.iter().map(|body| body["slot"].clone()).collect();
    assert_eq!(slots, ["governor", "generator", "embedding"]);
    let ruled = recorded(&test, "decision").await;
    let models: Vec<&Value> =
        ruled.iter().filter_map(|body| body.pointer("/subject/model")).collect();
    assert_eq!(models, ["m", "g", "e"], "each was ruled on");
    // It goes on as if nothing had been.
    let told = test.say(session, "hello").await;
    assert_eq!(told.outcome, "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_is_told_and_what_is_not_allowed_is_not_sent() {
    let provider = FakeProvider::open(0).await.unwrap();
    for (conduct, failure, attempts, free) in [
        (Conduct::Broken, ProposalFailure::Unavailable, 2, true),
        (Conduct::WrongKey, ProposalFailure::Auth, 1, true),
        // Nobody knows what it cost.
        (Conduct::Silent, ProposalFailure::Timeout, 2, false),
    ] {
        let test = test(&provider, conduct).await;
        for slot in ModelSlot::ALL {
            let session = test.session().await;
            let trial = tried(&test, session, slot).await.unwrap();
            let (failed, reason) = trial.gave.unwrap_err();
            assert_eq!(failed, failure, "{slot}: {reason}");
            // Whose time is over first, the call's or the client's, is chance.
            let tried = if free { attempts..=attempts } else { 1..=attempts };
            assert!(tried.contains(&trial.attempts), "{slot}: {reason}");
            assert_eq!(trial.amount.micros == Some(0), free, "{slot}");
            assert!(!reason.contains("canar"), "{reason}");
        }
        assert_eq!(test.used().await.open, 0);
    }
    let test = test(&provider, Conduct::Good).await;
    test.change_policy(|policy| {
        policy.cost_limit.per_day_micros = Some(1);
        policy.embedding_model = None;
    })
    .await;
    let session = test.session().await;
    let trial = tried(&test, session, ModelSlot::Generator).await.unwrap();
    assert_eq!(trial.gave.unwrap_err().0, ProposalFailure::Budget);
    assert!(matches!(tried(&test, session, ModelSlot::Embedding).await, Err(TrialError::Empty)));
    assert_eq!((test.used().await.calls, recorded(&test, "model.tried").await.len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_at_a_time_and_in_ones_own_session() {
    let provider = FakeProvider::open(0).await.unwrap();
    let test = test(&provider, Conduct::Silent).await;
    let session = test.session().await;
    let both = tokio::join!(
        tried(&test, session, ModelSlot::Governor),
        tried(&test, session, ModelSlot::Embedding),
    );
    let busy = |one: &Result<Trial, TrialError>| matches!(one, Err(TrialError::Busy));
    assert_eq!(usize::from(busy(&both.0)) + usize::from(busy(&both.1)), 1);
    let unknown = tried(&test, SessionId::from(uuid::Uuid::nil()), ModelSlot::Governor).await;
    assert!(matches!(unknown, Err(TrialError::NotFound)));
    // The key of a session's owner would pay.
    let store = test.governor.store();
    let (own, other) = person(store, "other", policy(&test.shop)).await;
    let token = other.token.as_str();
    let other = store.authenticate(token, Some(own), now()).await.unwrap();
    let theirs = store.create_session(test.project, other.user(), "x", now()).await.unwrap();
    let refused = tried(&test, theirs.id, ModelSlot::Governor).await;
    assert!(matches!(refused, Err(TrialError::NotFound)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trial_that_a_stop_cut_off_holds_nothing_after_the_start() {
    let provider = FakeProvider::open(0).await.unwrap();
    let test = house_waiting(&provider, Conduct::Silent, Duration::from_secs(60), false).await;
    let session = test.session().await;
    let cut_off = tokio::time::timeout(
        Duration::from_millis(800),
        tried(&test, session, ModelSlot::Embedding),
    );
    assert!(cut_off.await.is_err(), "it waits for the provider");
    assert_eq!(test.used().await.open, 1);
    let test = test.restarted().await;
    // It is woken by itself, beside the start.
    for _ in 0..100 {
        if test.used().await.open == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let sums = test.used().await;
    assert_eq!((sums.calls, sums.open), (1, 0));
    assert_eq!(recorded(&test, "call.healed").await.len(), 1);
}

/// Who sees says so; who does not is told from that, and what is held covers the picture.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_of_ours_shows_whether_a_model_sees() {
    let said = |words: &str| {
        json!({"action": "REPLY", "taskType": "CONVERSATION", "message": words, "slots": {}})
            .to_string()
    };
    let model = FakeModel::spawn(ModelMode::Script(vec![said("빨간색입니다.")])).await.unwrap();
    let options = Setup { origins: vec![model.origin()], memory: true, ..Setup::default() };
    let test = TestGovernor::with(options).await;
    let base = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(base);
        policy.governor_model = Some("m".to_owned());
    })
    .await;
    let (who, session) = (test.principal(&test.owner).await, test.session().await);
    for (words, saw) in [
        ("빨간색입니다.", true),
        ("It is a Red one.", true),
        ("It is a colored, rendered square.", false),
        ("모르겠습니다.", false),
    ] {
        model.set_mode(ModelMode::Script(vec![said(words)]));
        let of = TrialOf { slot: ModelSlot::Governor, picture: true };
        let trial = test.governor.models().try_out(&who, session, of).await.unwrap();
        assert_eq!(trial.gave, Ok(Gave::Saw(saw)), "{words}");
    }
    let asked = model.calls();
    let shown = asked.last().unwrap().body.to_string();
    assert!(shown.contains("data:image/png;base64,iVBORw0KGgo"), "{shown:.200}");
}
