//! Model personas over real HTTP: risky specs alone are put before them, whatever goes wrong is an
//! abstention with its reason, and the more severe of rules and model holds.

use crate::{
    jobs::{house_of, talk},
    test_governor::{SeenTurn, Setup, TestGovernor, now, person, policy},
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, time::Duration};
use wiiiv_domain::{HaltScope, ModelPersonas, ProviderName, SessionId};
use wiiiv_fakes::{FakeModel, ModelMode, Personas, opinion};
use wiiiv_governor::Incoming;
use wiiiv_net::Timeouts;
use wiiiv_store::{AuditFilter, Chain, Role};

/// Long past the end of each test.
const LATE: Duration = Duration::from_secs(600);

fn deletes(path: &str) -> String {
    json!({
        "action": "EXECUTE", "taskType": "FILE_DELETE", "message": "",
        "slots": {"targetPath": path}, "taskSwitch": {"kind": "new"},
    })
    .to_string()
}

/// Deletes `c.txt`, then talks.
fn governor() -> ModelMode {
    ModelMode::Script(vec![deletes("c.txt"), talk()])
}

fn personas(change: impl FnOnce(&mut Personas)) -> ModelMode {
    let mut personas = Personas::approving(governor());
    change(&mut personas);
    ModelMode::Personas(Box::new(personas))
}

async fn house(model: &FakeModel) -> TestGovernor {
    of(model, Setup::default()).await
}

/// Nobody gives up waiting for the model before the test is over.
async fn patient_house(model: &FakeModel) -> TestGovernor {
    let timeouts = Timeouts { connect: LATE, first_byte: LATE, between_chunks: LATE, total: LATE };
    of(model, Setup { timeouts, ..Setup::default() }).await
}

async fn of(model: &FakeModel, setup: Setup) -> TestGovernor {
    let test = TestGovernor::with(Setup { origins: vec![model.origin()], ..setup }).await;
    let url = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(url);
        policy.model_personas = ModelPersonas::Risky;
    })
    .await;
    test.put("c.txt", b"what c holds");
    test
}

async fn audited(test: &TestGovernor, kind: &str) -> Vec<Value> {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let mut rows = test.governor.store().audit_search(chain, &filter).await.unwrap();
    rows.sort_by_key(|row| row.seq);
    rows.into_iter().map(|row| row.body).collect()
}

/// Calls for a persona.
async fn asked_personas(test: &TestGovernor) -> usize {
    let called = audited(test, "model.called").await;
    called.iter().filter(|body| !body["persona"].is_null()).count()
}

async fn all_there(model: &FakeModel, count: usize) {
    while model.calls().len() < count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The model's votes and their concerns.
async fn votes(test: &TestGovernor) -> Vec<(String, Value)> {
    let evaluated = audited(test, "dacs.evaluated").await;
    let last = evaluated.last().unwrap();
    let votes = last["model"]["opinions"].as_array().unwrap();
    votes.iter().map(|o| (o["vote"].as_str().unwrap().to_owned(), o["concerns"].clone())).collect()
}

fn is_there(test: &TestGovernor) -> bool {
    test.file("c.txt").is_some()
}

async fn delete(test: &TestGovernor, session: SessionId) -> SeenTurn {
    test.say(session, "delete c.txt please").await
}

#[tokio::test(flavor = "multi_thread")]
async fn three_approve_and_a_person_is_asked_all_the_same() {
    let model = FakeModel::spawn(personas(|_| ())).await.unwrap();
    let test = house(&model).await;
    let session = test.session().await;
    let told = delete(&test, session).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    assert_eq!(model.calls().len(), 4, "one proposal, three opinions");
    let evaluated = audited(&test, "dacs.evaluated").await;
    assert_eq!(evaluated.len(), 1, "{evaluated:?}");
    assert_eq!(evaluated[0]["source"], "rules_and_model");
    assert_eq!(evaluated[0]["consensus"], "YES");
    assert_eq!(evaluated[0]["model"]["by"]["provider"], "CUSTOM");
    assert_eq!(evaluated[0]["taskType"], "FILE_DELETE");
    assert_eq!(evaluated[0]["governor"]["provider"], "CUSTOM");
    assert_eq!(evaluated[0]["turn"], evaluated[0]["task"], "its first turn");
    let heard = audited(&test, "dacs.opinions").await;
    assert_eq!(heard[0]["opinions"][2]["persona"], "adversary");
    assert!(heard[0]["opinions"][2]["reasonHmac"].is_string(), "{heard:?}");
    assert!(!heard[0].to_string().contains("the model says"), "a reason is text");
    // Each is a call like any other: its own ruling, its own charge.
    let called = audited(&test, "model.called").await;
    let of: Vec<&Value> = called.iter().map(|body| &body["persona"]).collect();
    assert_eq!(of.len(), 4);
    for persona in ["architect", "reviewer", "adversary"] {
        assert!(of.contains(&&json!(persona)), "{of:?}");
    }
    assert_eq!(test.used().await.open, 0, "every hold is settled");
    let done = test.say(session, "yes").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert!(!is_there(&test));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_holds_rules_and_the_spec_and_nothing_else() {
    let model = FakeModel::spawn(personas(|_| ())).await.unwrap();
    let test = house(&model).await;
    let session = test.session().await;
    test.say(session, "delete c.txt please, my canary is heliotrope").await;
    let opinions = model.calls().into_iter().filter(|call| {
        call.body["messages"][0]["content"].as_str().unwrap().contains("# You are the")
    });
    let prompts: Vec<Value> = opinions.map(|call| call.body).collect();
    assert_eq!(prompts.len(), 3);
    for prompt in prompts {
        let user = prompt["messages"][1]["content"].as_str().unwrap();
        assert!(user.contains("SPEC") && user.contains("c.txt") && user.contains("FILE_DELETE"));
        let text = prompt.to_string();
        assert!(!text.contains("heliotrope") && !text.contains("salt"), "{text}");
        assert_eq!(user.matches("<<<").count(), 1, "one block: {user}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_reject_is_a_no_that_binds_in_observe_and_is_told_with_its_reason() {
    let rejects = |p: &mut Personas| p.adversary = opinion("REJECT", &["IRREVERSIBLE"]);
    let model = FakeModel::spawn(personas(rejects)).await.unwrap();
    let test = house(&model).await;
    let session = test.session().await;
    let told = delete(&test, session).await;
    assert_eq!(told.outcome, "denied", "{}", told.text());
    assert!(told.text().contains("cannot be taken back"), "{}", told.text());
    assert_eq!(told.asked(), None, "nobody is asked what is refused");
    assert!(is_there(&test));
    let reject = ("REJECT".to_owned(), json!(["IRREVERSIBLE"]));
    assert_eq!(votes(&test).await[2], reject);
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_goes_wrong_is_an_abstention_with_its_reason() {
    let cases: [(ModelMode, &str); 8] = [
        (ModelMode::Garbage, "PERSONA_UNREADABLE"),
        (ModelMode::Declines, "PERSONA_REFUSED"),
        (ModelMode::Broken, "PERSONA_UNREACHABLE"),
        (ModelMode::RateLimited, "PERSONA_RATE_LIMITED"),
        (ModelMode::Silent, "PERSONA_LATE"),
        (ModelMode::Refuses(401, "key".to_owned()), "PERSONA_NO_KEY"),
        (ModelMode::Refuses(413, String::new()), "PERSONA_TOO_LONG"),
        (opinion("SURELY", &[]), "PERSONA_UNREADABLE"),
    ];
    for (mode, code) in cases {
        let model = FakeModel::spawn(personas(|p| p.reviewer = mode)).await.unwrap();
        let test = house(&model).await;
        let session = test.session().await;
        let told = delete(&test, session).await;
        assert!(told.asked().is_none(), "{code}: {}", told.text());
        let votes = votes(&test).await;
        assert_eq!(votes[1], ("ABSTAIN".to_owned(), json!([code])));
        assert_eq!((votes[0].0.as_str(), votes[2].0.as_str()), ("APPROVE", "APPROVE"), "{code}");
        let evaluated = audited(&test, "dacs.evaluated").await;
        assert_eq!(evaluated[0]["consensus"], "REVISION", "{code}");
        assert!(is_there(&test));
        assert_eq!(test.used().await.open, 0, "{code}: every hold is settled");
        assert!(told.text().contains("model"), "told in words: {}", told.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn they_answer_side_by_side() {
    // None of them answers: one after the other they would never be asked all three.
    let model = FakeModel::spawn(personas(|p| {
        p.architect = ModelMode::Silent;
        p.reviewer = ModelMode::Silent;
        p.adversary = ModelMode::Silent;
    }))
    .await
    .unwrap();
    let test = patient_house(&model).await;
    let session = test.session().await;
    test.send(session, "delete c.txt please").await.unwrap();
    let together = async {
        while model.open_streams() < 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), together).await.expect("all three at once");
    assert_eq!(test.say(session, "cancel").await.outcome, "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_risky_or_is_refused_by_the_rules_asks_no_persona() {
    let writes = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": "a.txt", "content": "x"}, "taskSwitch": {"kind": "new"},
    });
    for (proposal, outcome) in [(writes.to_string(), "pending"), (deletes(".ssh/id_rsa"), "denied")]
    {
        let governor = ModelMode::Script(vec![proposal, talk()]);
        let mode = ModelMode::Personas(Box::new(Personas::approving(governor)));
        let model = FakeModel::spawn(mode).await.unwrap();
        let test = house(&model).await;
        let session = test.session().await;
        let told = test.say(session, "please see to the files").await;
        assert_eq!(told.outcome, outcome, "{}", told.text());
        assert_eq!(model.calls().len(), 1);
        assert_eq!(asked_personas(&test).await, 0);
        assert_eq!(audited(&test, "dacs.evaluated").await[0]["source"], "rules_only");
        assert_eq!(audited(&test, "dacs.opinions").await.len(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn never_leaves_it_to_the_rules_and_a_person_is_asked() {
    let rejects = |p: &mut Personas| p.adversary = opinion("REJECT", &["IRREVERSIBLE"]);
    let model = FakeModel::spawn(personas(rejects)).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let told = delete(&test, session).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    assert_eq!(model.calls().len(), 1);
    assert_eq!(audited(&test, "dacs.evaluated").await[0]["source"], "rules_only");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_under_a_policy_that_asks_for_personas_since_starts_nothing() {
    let model = FakeModel::spawn(personas(|_| ())).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    assert_eq!(delete(&test, session).await.outcome, "pending");
    test.change_policy(|policy| policy.model_personas = ModelPersonas::Risky).await;
    let told = test.say(session, "yes").await;
    assert_eq!(told.outcome, "denied", "{}", told.text());
    assert!(is_there(&test));
    let decisions = audited(&test, "decision").await;
    assert!(decisions.iter().any(|body| body.to_string().contains("DACS_MISSING")));
    // Asked for again, the personas are asked too.
    model.set_mode(personas(|_| ()));
    assert_eq!(delete(&test, session).await.outcome, "pending");
    assert_eq!(asked_personas(&test).await, 3);
    assert_eq!(test.say(session, "yes").await.outcome, "done");
    assert!(!is_there(&test));
}

#[tokio::test(flavor = "multi_thread")]
async fn under_another_policy_an_earlier_no_is_another_question() {
    let rejects = |p: &mut Personas| p.adversary = opinion("REJECT", &["IRREVERSIBLE"]);
    let model = FakeModel::spawn(personas(rejects)).await.unwrap();
    let test = house(&model).await;
    let session = test.session().await;
    assert_eq!(delete(&test, session).await.outcome, "denied");
    test.change_policy(|policy| policy.model_personas = ModelPersonas::Never).await;
    model.set_mode(personas(rejects));
    assert_eq!(delete(&test, session).await.outcome, "pending");
    let told = test.say(session, "yes").await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    assert!(!is_there(&test));
}

fn silent_adversary() -> ModelMode {
    personas(|p| p.adversary = ModelMode::Slow(LATE, String::new()))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_cuts_them_off() {
    let model = FakeModel::spawn(silent_adversary()).await.unwrap();
    let test = patient_house(&model).await;
    let session = test.session().await;
    let first = test.send(session, "delete c.txt please").await.unwrap();
    all_there(&model, 4).await;
    let told = test.say(session, "cancel").await;
    assert_eq!(told.outcome, "cancelled", "{}", told.text());
    assert_eq!(test.ended(session, first).await.outcome, "cancelled");
    assert!(is_there(&test));
    assert_eq!(test.used().await.open, 0, "every hold is settled");
    let cut = audited(&test, "model.cut_off").await;
    assert!(cut.iter().any(|body| body["persona"] == "adversary"), "{cut:?}");
    // The conversation goes on.
    model.set_mode(personas(|_| ()));
    assert_eq!(delete(&test, session).await.outcome, "pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_halt_cuts_them_off_and_nothing_follows() {
    let model = FakeModel::spawn(silent_adversary()).await.unwrap();
    let test = patient_house(&model).await;
    let session = test.session().await;
    let turn = test.send(session, "delete c.txt please").await.unwrap();
    all_there(&model, 4).await;
    let who = test.principal(&test.owner).await;
    let scope = HaltScope::Project(test.project);
    test.governor.halts().halt(&who, scope, "smoke").await.unwrap();
    let told = test.ended(session, turn).await;
    assert!(told.asked().is_none() && told.text().contains("halted"), "{}", told.text());
    assert_eq!(test.used().await.open, 0, "every hold is settled");
    let last = votes(&test).await;
    assert_eq!(last[2], ("ABSTAIN".to_owned(), json!(["PERSONA_HALTED"])));
    assert!(is_there(&test));
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_stop_they_are_asked_again_and_nothing_is_doubled() {
    let model = FakeModel::spawn(silent_adversary()).await.unwrap();
    let test = patient_house(&model).await;
    let session = test.session().await;
    let turn = test.send(session, "delete c.txt please").await.unwrap();
    all_there(&model, 4).await;
    model.set_mode(personas(|p| p.governor = ModelMode::Script(vec![talk()])));
    let test = test.restarted().await;
    let told = test.ended(session, turn).await;
    assert!(told.asked().is_some(), "{}", told.text());
    assert_eq!(audited(&test, "dacs.evaluated").await.len(), 1);
    assert_eq!(audited(&test, "dacs.opinions").await.len(), 1);
    assert_eq!(test.used().await.open, 0, "every hold is settled");
    assert_eq!(test.say(session, "yes").await.outcome, "done");
    assert!(!is_there(&test));
}

/// The plan is drawn again behind a restart from what is on record.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_behind_a_restart_rests_on_the_recorded_opinions() {
    let model = FakeModel::spawn(personas(|_| ())).await.unwrap();
    let test = house(&model).await;
    let session = test.session().await;
    assert_eq!(delete(&test, session).await.outcome, "pending");
    let test = test.restarted().await;
    let told = test.say(session, "yes").await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    assert_eq!(asked_personas(&test).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_the_budget_is_no_opinion() {
    let model = FakeModel::spawn(personas(|_| ())).await.unwrap();
    let test = house(&model).await;
    // What is deleted is risky: its review binds in every stage.
    test.change_policy(|policy| policy.token_budget.per_day = Some(60_000)).await;
    let session = test.session().await;
    let told = delete(&test, session).await;
    assert!(told.asked().is_none(), "{}", told.text());
    let over = ("ABSTAIN".to_owned(), json!(["PERSONA_OVER_BUDGET"]));
    assert!(votes(&test).await.contains(&over), "{:?}", votes(&test).await);
    assert!(is_there(&test));
}

/// Whoever asked may ask no more by the time that the model has proposed it: no persona is asked for them.
#[tokio::test(flavor = "multi_thread")]
async fn for_whoever_lost_the_right_meanwhile_none_is_asked() {
    let slow = ModelMode::Slow(Duration::from_millis(1_500), deletes("c.txt"));
    let model = FakeModel::spawn(personas(|p| p.governor = slow)).await.unwrap();
    let test = patient_house(&model).await;
    let (store, by) = (test.governor.store(), test.owner.user);
    let (_, mina) = person(store, "mina", policy(&test.shop)).await;
    let roles = BTreeSet::from([Role::Editor]);
    store.set_roles(test.project, mina.user, roles, by).await.unwrap();
    let who = test.principal(&mina).await;
    let session = store.create_session(test.project, mina.user, "own", now()).await.unwrap().id;
    let words = Incoming::words("delete c.txt please".to_owned(), None);
    let turn = test.governor.submit(&who, session, words).await.unwrap();
    all_there(&model, 1).await;
    store.set_roles(test.project, mina.user, BTreeSet::new(), by).await.unwrap();
    let told = test.ended(session, turn).await;
    assert!(told.asked().is_none(), "{}", told.text());
    let not_allowed = ("ABSTAIN".to_owned(), json!(["PERSONA_NOT_ALLOWED"]));
    assert_eq!(votes(&test).await, vec![not_allowed; 3]);
    assert_eq!((model.calls().len(), asked_personas(&test).await), (1, 0));
    assert_eq!(test.used().await.open, 0, "every hold is settled");
    assert!(is_there(&test));
}

/// A code that a persona may name has words for people.
#[tokio::test(flavor = "multi_thread")]
async fn each_concern_has_its_words() {
    let test = TestGovernor::new().await;
    let schema: Value = serde_json::from_str(wiiiv_context::OPINION.schema()).unwrap();
    let codes = schema["properties"]["concerns"]["items"]["enum"].as_array().unwrap();
    assert!(codes.len() > 5);
    for code in codes {
        assert!(test.governor.plans().concern(code.as_str().unwrap()).is_some(), "{code}");
    }
}
