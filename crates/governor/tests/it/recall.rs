//! What is asked about what was done: by words, by a button, and by a model that names it.

use crate::{
    jobs::house_of,
    test_governor::{SeenTurn, TestGovernor},
};
use serde_json::json;
use wiiiv_domain::{Recall, SessionId};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_governor::Control;

async fn press(test: &TestGovernor, session: SessionId, recall: Recall) -> SeenTurn {
    let who = test.principal(&test.owner).await;
    let turn = test.governor.control(&who, session, Control::Recall(recall)).await.unwrap();
    test.ended(session, turn).await
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_listed_and_the_one_that_was_saved_is_shown() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let nothing = test.say(session, "show the file I just saved").await;
    assert!(nothing.text().contains("nothing like that"), "{}", nothing.text());
    test.say(session, "write 'milk' to todo.txt").await;
    test.say(session, "yes").await;
    let shown = test.say(session, "show the file I just saved").await;
    assert!(shown.text().contains("milk"), "{}", shown.text());
    test.say(session, "write 'a' to notes/a.md").await;
    test.say(session, "yes").await;
    let listed = press(&test, test.session().await, Recall::ListFiles).await;
    let text = listed.text();
    assert_eq!(listed.outcome, "done", "{text}");
    assert!(text.contains("todo.txt") && text.contains("notes"), "{text}");
    assert!(!text.contains("a.md"), "of this folder alone: {text}");
    let listed = test.say(test.session().await, "파일 목록 보여줘").await;
    assert!(listed.text().contains("todo.txt"), "{}", listed.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_tried_again_as_it_was_also_behind_a_restart() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let nothing = press(&test, session, Recall::Again).await;
    assert!(nothing.text().contains("nothing like that"), "{}", nothing.text());
    test.say(session, "read b.txt").await;
    test.put("b.txt", b"it is here now");
    let again = test.say(session, "try again").await;
    assert!(again.text().contains("it is here now"), "{}", again.text());
    let test = test.restarted().await;
    test.put("b.txt", b"it is another one");
    let again = press(&test, session, Recall::Again).await;
    assert!(again.text().contains("it is another one"), "{}", again.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_to_be_written_is_asked_about_again() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    test.say(session, "write 'x' to a.txt").await;
    test.say(session, "no").await;
    let again = press(&test, session, Recall::Again).await;
    assert_eq!(again.outcome, "pending", "{}", again.text());
    assert!(again.asked().is_some(), "{}", again.text());
    assert_eq!(test.file("a.txt"), None, "nothing without a yes");
    test.say(session, "yes").await;
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));
}

#[tokio::test(flavor = "multi_thread")]
async fn why_is_answered_from_the_record_and_leaves_what_waits() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    test.say(session, "read nowhere.txt").await;
    let why = test.say(session, "why did it fail?").await;
    assert!(why.text().contains("FILE_NOT_FOUND"), "{}", why.text());
    test.say(session, "write 'x' to a.txt").await;
    let why = test.say(session, "why?").await;
    assert!(why.text().contains("policy asks for your yes"), "{}", why.text());
    assert!(why.text().contains("a.txt"), "it is shown again: {}", why.text());
    test.say(session, "yes").await;
    assert_eq!(test.file("a.txt").as_deref(), Some("x"), "a yes counts behind it");
    let why = press(&test, session, Recall::Why).await;
    assert!(why.text().contains("all allowed it"), "{}", why.text());
}

/// A model has no words of its own in it, and a report on a run cannot begin one.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_names_it_and_code_answers() {
    let names = |action: &str| {
        json!({
            "action": action, "taskType": "CONVERSATION", "message": "it was me", "slots": {},
        })
    };
    let listing = names("LIST_FILES").to_string();
    let script = vec![listing, names("AGAIN").to_string(), names("WHY").to_string()];
    let model = FakeModel::spawn(ModelMode::Script(script)).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let listed = test.say(session, "what have we got?").await;
    assert!(listed.text().contains("b.txt"), "{}", listed.text());
    assert_eq!(model.calls().len(), 2, "the request and the report, of which AGAIN is no part");
    let why = test.say(session, "how come?").await;
    assert!(why.text().contains("all allowed it"), "{}", why.text());
    assert!(!why.text().contains("it was me"), "{}", why.text());
}
