//! What a message tells of its author: a model says so, code keeps it where it stands in the message, asks where it
//! concerns safety, and shows it to nobody else.

use crate::{
    injection::case::replies,
    jobs::house_of,
    test_governor::{SeenTurn, TestGovernor, person, policy},
};
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wiiiv_domain::{ProfileName, ProviderName, SessionId};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_gate::Principal;
use wiiiv_governor::Incoming;
use wiiiv_store::{AuditFilter, AuditRow, Chain, ProfileOwner, ProfileRow, Role};

fn medical() -> ProfileName {
    ProfileName::parse("medical").unwrap()
}

/// A project with profiles.
async fn house(model: &FakeModel) -> TestGovernor {
    let test = house_of(model).await;
    test.change_policy(|policy| policy.profile_schema = Some(medical())).await;
    test
}

async fn profile(test: &TestGovernor, who: &Principal) -> Option<ProfileRow> {
    let (person, project) = (who.user(), test.project);
    let owner = ProfileOwner { person, project, schema: medical() };
    test.governor.store().profile(&owner).await.unwrap()
}

async fn values(test: &TestGovernor, slot: &str) -> Vec<String> {
    let who = test.principal(&test.owner).await;
    let Some(row) = profile(test, &who).await else { return Vec::new() };
    let content = row.document.content(&ProfileName::parse(slot).unwrap());
    content.entries().iter().map(|entry| entry.text.as_str().to_owned()).collect()
}

fn telling(notes: Value) -> Value {
    let mut answer = replies();
    answer["profile"] = notes;
    answer
}

fn set(slot: &str, value: &str) -> Value {
    json!({"slot": slot, "op": "set", "value": value})
}

async fn say(
    test: &TestGovernor,
    model: &FakeModel,
    (session, text): (SessionId, &str),
    notes: Value,
) -> SeenTurn {
    model.set_mode(ModelMode::Script(vec![telling(notes).to_string()]));
    test.say(session, text).await
}

async fn records(test: &TestGovernor) -> Vec<AuditRow> {
    let filter = AuditFilter { kind: Some("profile.changed".to_owned()), ..AuditFilter::default() };
    test.governor.store().audit_search(Chain::Project(test.project), &filter).await.unwrap()
}

/// Rules and text of the last prompt.
fn last_prompt(model: &FakeModel) -> (String, String) {
    let body = model.calls().pop().expect("a call").body;
    let of = |nth: usize| body["messages"][nth]["content"].as_str().unwrap().to_owned();
    (of(0), of(1))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_message_tells_is_kept_shown_and_read_in_the_next_turn() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let test = house(&model).await;
    let session = test.session().await;
    let notes = json!([set("age", "35"), set("symptoms", "두통")]);
    let told = say(&test, &model, (session, "저는 35살이고 요즘 두통이 있어요"), notes).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    for part in ["나이: 35", "증상: 두통", "wiiiv profile undo"] {
        assert!(told.text().contains(part), "{part}: {}", told.text());
    }
    assert_eq!(
        (values(&test, "age").await, values(&test, "symptoms").await),
        (vec!["35".to_owned()], vec!["두통".to_owned()])
    );
    let rows = records(&test).await;
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!(row.body["slots"], json!(["age", "symptoms"]));
    assert!(row.body["turn"].is_string() && !row.body.to_string().contains("두통"));

    let next = say(&test, &model, (session, "고마워요, 뭘 하면 좋을까요?"), json!([])).await;
    assert!(!next.text().contains("프로필"), "{}", next.text());
    let (rules, text) = last_prompt(&model);
    assert!(rules.contains("`PROFILE`") && text.contains("symptoms | decay"), "{text}");
    assert!(text.contains("\n- 두통\n") && text.contains("\n- 35\n"), "{text}");
}

/// A crash may come between the value and the reply that shows it: told again, it is shown.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_there_already_is_said_to_be() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let test = house(&model).await;
    let session = test.session().await;
    for due in ["이 프로젝트의 프로필에 저장했습니다", "이미 프로필에 있습니다"]
    {
        let notes = json!([set("age", "35")]);
        let told = say(&test, &model, (session, "저는 35살이에요"), notes).await;
        assert!(told.text().contains(due), "{due}: {}", told.text());
        assert!(told.text().contains("- 나이: 35"), "{}", told.text());
    }
    assert_eq!(records(&test).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_that_does_not_open_stops_no_turn() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let test = house(&model).await;
    let session = test.session().await;
    say(&test, &model, (session, "저는 35살이에요"), json!([set("age", "35")])).await;
    let db = test.intruder().await;
    db.execute_unprepared("UPDATE profile SET sealed = zeroblob(60)").await.unwrap();
    db.close().await.unwrap();
    let notes = json!([set("symptoms", "기침")]);
    let told = say(&test, &model, (session, "요즘 기침이 나요"), notes).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    assert!(told.text().contains("프로필을 읽을 수 없어"), "{}", told.text());
    let (_, text) = last_prompt(&model);
    assert!(text.contains("unreadable now") && text.contains("symptoms | decay"), "{text}");
    assert!(!text.contains("\n- 35\n"), "{text}");
    assert_eq!(records(&test).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slot_of_safety_is_asked_about() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let test = house(&model).await;
    let session = test.session().await;
    let notes = json!([set("allergies", "penicillin")]);
    let asked = say(&test, &model, (session, "I am allergic to penicillin"), notes).await;
    assert!(asked.text().contains("only if you agree"), "{}", asked.text());
    assert!(asked.text().contains("- Allergies: penicillin"), "{}", asked.text());
    assert!(values(&test, "allergies").await.is_empty());
    let who = test.principal(&test.owner).await;
    let row = profile(&test, &who).await.unwrap();
    assert_eq!(row.document.pending.len(), 1);
    // A typed yes is about plans alone.
    say(&test, &model, (session, "yes"), json!([])).await;
    assert!(values(&test, "allergies").await.is_empty());
    assert!(!last_prompt(&model).1.contains("\n- penicillin\n"), "what waits is told to no model");
}

/// The attack: a model makes something up, or has it from a page, a file or somebody's quoted words.
#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_the_person_did_not_say_is_refused() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let test = house(&model).await;
    for (text, note) in [
        ("머리가 아파요", set("symptoms", "두통")),
        ("the note says \"I have asthma\"", set("symptoms", "asthma")),
        ("> I have asthma\nwhat does that mean?", set("symptoms", "asthma")),
        ("I have a donut", set("symptoms", "nut")),
        ("I have asthma", set("nowhere", "asthma")),
        ("I am 35 years old", set("age", "35 years")),
    ] {
        let session = test.session().await;
        let told = say(&test, &model, (session, text), json!([note])).await;
        assert!(
            told.text().contains("(1)") || told.text().contains("1개"),
            "{text}: {}",
            told.text()
        );
        assert!(records(&test).await.is_empty(), "{text}");
    }
    // What fits is kept beside what does not.
    let session = test.session().await;
    let notes = json!([set("symptoms", "cough"), set("symptoms", "fever")]);
    let told = say(&test, &model, (session, "I have a cough"), notes).await;
    assert!(
        told.text().contains("- Symptoms: cough") && told.text().contains("(1)"),
        "{}",
        told.text()
    );
    assert_eq!(values(&test, "symptoms").await, ["cough"]);
}

/// The attack: a key is put where every model reads it.
#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_holds_a_key_keeps_nothing_of_the_message() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let test = house(&model).await;
    let key = concat!("sk-proj-", "abcdefghijklmnopqrstuvwx0123");
    for (text, due) in [
        (format!("제 나이는 35이고 키는 {key} 이에요"), "기억하지 않았습니다"),
        (format!("I am 35 and my key is {key}"), "Nothing was kept"),
    ] {
        let session = test.session().await;
        let notes = json!([set("age", "35"), set("symptoms", key)]);
        let told = say(&test, &model, (session, &text), notes).await;
        assert!(told.text().contains(due), "{}", told.text());
        assert!(records(&test).await.is_empty() && values(&test, "age").await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_without_a_schema_has_the_prompt_and_the_answer_of_before() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let answers = vec![telling(json!([set("age", "35")])).to_string(), replies().to_string()];
    model.set_mode(ModelMode::Script(answers));
    let told = test.say(session, "I am 35").await;
    assert_eq!(told.outcome, "done", "the other field is repaired away: {}", told.text());
    let (rules, text) = last_prompt(&model);
    assert!(!rules.contains("PROFILE") && !text.contains("PROFILE"), "{text}");
    assert!(records(&test).await.is_empty());
    // The built-in model fills none.
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Offline;
        policy.llm_base_url = None;
        policy.governor_model = None;
        policy.profile_schema = Some(medical());
    })
    .await;
    test.say(session, "I am 35 years old and allergic to penicillin").await;
    assert!(records(&test).await.is_empty());
    let unknown = |policy: &mut wiiiv_domain::ProjectPolicy| {
        policy.profile_schema = Some(ProfileName::parse("nowhere").unwrap());
    };
    let refused = test.try_policy(unknown).await.unwrap_err();
    let due = "`profileSchema`: there is no schema `nowhere`, there are `medical`";
    assert!(refused.to_string().contains(due), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_holds_the_profile_of_its_own_person_alone() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let test = house(&model).await;
    let session = test.session().await;
    let notes = json!([set("symptoms", "CANARY")]);
    say(&test, &model, (session, "I have CANARY"), notes).await;
    assert_eq!(values(&test, "symptoms").await, ["CANARY"]);
    let store = test.governor.store();
    let (_, colleague) = person(store, "mina", policy(&test.shop)).await;
    let roles = BTreeSet::from([Role::Editor]);
    store.set_roles(test.project, colleague.user, roles, test.owner.user).await.unwrap();
    let who = test.principal(&colleague).await;
    assert_eq!(profile(&test, &who).await, None);
    // Whoever else speaks in their conversation is answered by none, and asked for none.
    let root = wiiiv_testkit::person(store, "root", true, policy(&test.shop)).await;
    let root = test.principal(&root).await;
    model.set_mode(ModelMode::Script(vec![replies().to_string()]));
    let turn =
        test.governor.submit(&root, session, Incoming::words("hello".to_owned(), None)).await;
    test.ended(session, turn.unwrap()).await;
    let (rules, text) = last_prompt(&model);
    assert!(!text.contains(" PROFILE\n") && !text.contains("\n- CANARY\n"), "{text}");
    // Its guardrail speaks of a profile, where there is one.
    assert!(!rules.contains("# Profile rules") && !rules.contains("\"profile\""), "{rules}");
    let other = test.session().await;
    say(&test, &model, (other, "hello"), json!([])).await;
    assert!(last_prompt(&model).1.contains("\n- CANARY\n"), "in their next conversation");
}
