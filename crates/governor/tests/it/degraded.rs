//! The model that policy names dies and comes back: conversation goes on by the built-in
//! understanding, and says so; nothing that guards an effect is any weaker.

use crate::test_governor::{SeenTurn, Setup, TestGovernor};
use serde_json::json;
use std::time::Duration;
use wiiiv_domain::{EventBody, ProposalFailure, ProviderName, ReplyCode};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_store::{AuditFilter, Chain};

/// How long it is left alone here.
const PAUSE: Duration = Duration::from_millis(300);

fn asks(path: &str) -> ModelMode {
    let written = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": path, "content": "by the model"}, "taskSwitch": {"kind": "new"},
    });
    let talk = json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "ok", "slots": {}});
    ModelMode::Script(vec![written.to_string(), talk.to_string()])
}

async fn house_of(model: &FakeModel) -> TestGovernor {
    let options = Setup { origins: vec![model.origin()], pause: Some(PAUSE), ..Setup::default() };
    let test = TestGovernor::with(options).await;
    let url = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(url);
        policy.governor_model = Some("small".to_owned());
    })
    .await;
    test
}

/// What it says of the model that was meant.
fn notices(told: &SeenTurn) -> Vec<(ProviderName, String, ProposalFailure)> {
    let notice = |body: &EventBody| match body {
        EventBody::Replied { reply: ReplyCode::Degraded { provider, model, failure }, .. } => {
            Some((*provider, model.clone(), *failure))
        }
        _ => None,
    };
    told.events.iter().filter_map(|event| notice(&event.body)).collect()
}

async fn audited(test: &TestGovernor) -> Vec<serde_json::Value> {
    let store = test.governor.store();
    let filter = AuditFilter { kind: Some("model.degraded".to_owned()), ..AuditFilter::default() };
    let rows = store.audit_search(Chain::Project(test.project), &filter).await.unwrap();
    rows.into_iter().map(|row| row.body).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_dies_is_stood_in_for_and_takes_over_again() {
    let model = FakeModel::spawn(asks("first.txt")).await.unwrap();
    let (test, port) = (house_of(&model).await, model.port());
    let session = test.session().await;
    let asked = test.say(session, "please write it").await;
    assert!(notices(&asked).is_empty() && asked.asked().is_some(), "{}", asked.text());
    test.say(session, "아니").await;
    drop(model);

    let asked = test.say(session, "write 'x' to stand-in.txt").await;
    let meant = (ProviderName::Custom, "small".to_owned(), ProposalFailure::Unavailable);
    assert_eq!(notices(&asked), [meant]);
    assert!(asked.text().contains("built-in model"), "{}", asked.text());
    assert_eq!(asked.outcome, "pending", "a write is asked about as ever: {}", asked.text());
    let done = test.say(session, "yes").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("stand-in.txt").as_deref(), Some("x"));
    assert_eq!(notices(&done).len(), 1, "its facts are told the same way: {}", done.text());
    let records = audited(&test).await;
    assert_eq!(records.len(), 2, "{records:?}");
    assert_eq!(records[0]["degraded"], true);
    assert_eq!(records[0]["provider"], "CUSTOM");
    assert_eq!(records[0]["model"], "small");
    assert_eq!(records[0]["reason"], "unavailable");

    // Left alone after failures in a row, and still every turn is answered.
    let mut was_left_alone = false;
    for turn in 0..6 {
        let told = test.say(session, "get http://192.0.2.1/x and save it to x.json").await;
        assert_eq!(told.outcome, "denied", "refusals hold in turn {turn}: {}", told.text());
        was_left_alone |= test.governor.models().left_alone() > 0;
    }
    assert!(was_left_alone);
    tokio::time::sleep(PAUSE).await;
    assert_eq!(test.governor.models().left_alone(), 0, "while it is left alone, and no longer");

    let model = FakeModel::spawn_at(port, asks("back.txt")).await.unwrap();
    let asked = test.say(session, "please write it").await;
    assert!(notices(&asked).is_empty(), "{}", asked.text());
    assert!(asked.text().contains("back.txt"), "{}", asked.text());
    assert_eq!(test.governor.models().left_alone(), 0);
    drop(model);
}

/// Late, garbled or refused is no outage: the user is told, and nothing is guessed.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_answers_badly_is_not_stood_in_for() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let unknown = ModelMode::Refuses(404, "{\"error\": \"no such model\"}".to_owned());
    for mode in [ModelMode::Garbage, ModelMode::RateLimited, ModelMode::Declines, unknown] {
        model.set_mode(mode.clone());
        let told = test.say(session, "write 'x' to a.txt").await;
        assert!(notices(&told).is_empty(), "{mode:?}: {}", told.text());
        assert_eq!((told.outcome.as_str(), told.asked()), ("error", None), "{mode:?}");
    }
}

/// A gateway that waits for a dead server in vain says so at once: nobody waits for the breaker.
#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_without_its_server_is_stood_in_for_from_the_first_call_on() {
    let model = FakeModel::spawn(ModelMode::Refuses(504, String::new())).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let asked = test.say(session, "write 'x' to a.txt").await;
    let meant = (ProviderName::Custom, "small".to_owned(), ProposalFailure::Timeout);
    assert_eq!(notices(&asked), [meant], "{}", asked.text());
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
}

/// A server that answers with errors of its own is as good as none.
#[tokio::test(flavor = "multi_thread")]
async fn a_broken_server_is_stood_in_for_across_a_restart() {
    let model = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let asked = test.say(session, "'x' 라고 a.txt 에 써줘").await;
    assert_eq!(notices(&asked).len(), 1, "{}", asked.text());
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    let test = test.restarted().await;
    let done = test.say(session, "네").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));
}
