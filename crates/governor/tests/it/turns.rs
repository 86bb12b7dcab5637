//! The way of one task, from the first word to the receipt's facts.

use crate::test_governor::{Setup, TestGovernor, now};
use wiiiv_domain::{DacsStage, EventBody, ProjectPolicy, StepType};
use wiiiv_gate::{UserEvent, UserEventKind, policy as gate_policy};
use wiiiv_governor::{Control, DecideError, Decision};
use wiiiv_store::{Boundary, Point, Writer};

#[tokio::test(flavor = "multi_thread")]
async fn a_korean_note_is_asked_about_once_and_written_after_a_yes() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let asked = test.say(session, "노트 파일 notes/오늘.md 에 '회의 3시' 라고 써줘").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    assert!(asked.asked().is_some());
    assert!(asked.text().contains("notes/오늘.md"), "{}", asked.text());
    assert_eq!(test.file("notes/오늘.md"), None);
    let done = test.say(session, "네").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("notes/오늘.md").as_deref(), Some("회의 3시"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_english_note_is_approved_by_its_button() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let asked = test.say(session, "write '3pm meeting' to the note file notes/today.md").await;
    let (approval, digest) = asked.asked().expect("a preview");
    let who = test.principal(&test.owner).await;
    let yes = Decision::Approve { digest };
    let decided = test.governor.decide(&who, approval, yes.clone()).await.unwrap();
    let done = test.ended(session, decided.turn).await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("notes/today.md").as_deref(), Some("3pm meeting"));
    let again = test.governor.decide(&who, approval, yes).await;
    assert!(matches!(again, Err(DecideError::AlreadyDecided { .. })), "{again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_a_service_is_saved_to_a_file_in_one_plan() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let text = format!("{} 조회해서 /report.json 에 저장해줘", test.url("/items"));
    let asked = test.say(session, &text).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    assert_eq!(test.shop.calls().len(), 0, "nothing is called before the yes");
    let done = test.say(session, "응").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    let report = test.file("report.json").expect("the report");
    let rows: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(rows[0]["name"], "Notebook");
    assert_eq!(rows[0]["price"], 1_290_000);
    assert_eq!(test.shop.count("GET", "/items"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_is_one_call_and_its_result_can_be_saved_later() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let text = format!("POST '{{\"sku\":\"A1\"}}' to {}", test.url("/orders"));
    let asked = test.say(session, &text).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    let done = test.say(session, "yes").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.shop.orders().len(), 1);
    assert!(test.shop.calls()[0].idempotency_key.is_some());
    let asked = test.say(session, "아까 그 결과를 copy.json 에 저장해줘").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    // What is written is known already, and shown before a yes.
    assert!(asked.text().contains("+ │ {\"order\""), "{}", asked.text());
    test.say(session, "네").await;
    let copy = test.file("copy.json").expect("the copy");
    assert!(copy.contains("\"order\""), "{copy}");
    assert_eq!(test.shop.orders().len(), 1, "referring back calls nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_and_a_cancel_leave_nothing_behind() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    test.say(session, "write 'x' to a.txt").await;
    test.say(session, "아니").await;
    test.say(session, "write 'y' to b.txt").await;
    test.say(session, "취소").await;
    let late = test.say(session, "네").await;
    assert_eq!(test.file("a.txt"), None);
    assert_eq!(test.file("b.txt"), None);
    assert!(late.asked().is_none(), "{}", late.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_asked_for_and_the_answer_is_used() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let asked = test.say(session, "notes/todo.md 파일에 써줘").await;
    assert!(asked.asked().is_none(), "{}", asked.text());
    let asked = test.say(session, "'우유 사기'").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    test.say(session, "네").await;
    assert_eq!(test.file("notes/todo.md").as_deref(), Some("우유 사기"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_policy_refuses_is_never_put_before_a_person() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let told = test.say(session, "get http://192.0.2.1/x and save it to x.json").await;
    assert_eq!(told.outcome, "denied", "{}", told.text());
    assert!(told.asked().is_none());
    assert!(told.text().contains("HOST_NOT_LISTED"), "{}", told.text());
    test.change_policy(|policy| {
        policy.allowed_step_types.remove(&StepType::FileWrite);
    })
    .await;
    let told = test.say(session, "write 'x' to a.txt").await;
    assert_eq!(told.outcome, "denied", "{}", told.text());
    assert!(told.text().contains("STEP_TYPE_NOT_ALLOWED"), "{}", told.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_without_an_executor_is_understood_and_says_what_is_missing() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let told = test.say(session, "run the command 'ls'").await;
    assert!(told.asked().is_none(), "{}", told.text());
    assert_eq!(told.outcome, "denied", "{}", told.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_change_between_the_yes_and_the_step_counts() {
    let enforcing = |policy: &mut wiiiv_domain::ProjectPolicy| {
        policy.dacs_stage = DacsStage::Enforce;
    };
    let test = TestGovernor::under(Setup::default(), enforcing).await;
    let session = test.session().await;
    let asked = test.say(session, "write 'x' to a.txt").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    test.change_policy(|policy| {
        policy.allowed_paths = vec!["elsewhere".to_owned()];
    })
    .await;
    let told = test.say(session, "네").await;
    assert_eq!(told.outcome, "denied", "{}", told.text());
    assert_eq!(test.file("a.txt"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_survives_a_restart() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let asked = test.say(session, "write 'kept' to kept.txt").await;
    let (approval, digest) = asked.asked().expect("a preview");
    let test = test.restarted().await;
    let view = test.governor.state(session).await.unwrap();
    assert_eq!(view.pending, Some((approval, digest)));
    let who = test.principal(&test.owner).await;
    let yes = Decision::Approve { digest };
    let decided = test.governor.decide(&who, approval, yes).await.unwrap();
    let done = test.ended(session, decided.turn).await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("kept.txt").as_deref(), Some("kept"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typed_yes_after_talk_speaks_of_the_preview_that_is_shown_again() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    test.say(session, "write 'x' to a.txt").await;
    let shown = test.say(session, "hello").await;
    assert_eq!(test.file("a.txt"), None, "talk approves nothing");
    assert!(shown.text().contains("[1] a.txt: a new file\n+ x"), "{}", shown.text());
    test.say(session, "yes").await;
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_persons_approval_is_sought_where_policy_asks_for_it() {
    let test = TestGovernor::new().await;
    test.change_policy(|policy| {
        policy.approval.normal.by = wiiiv_domain::ApprovalBy::AnotherPerson;
    })
    .await;
    let session = test.session().await;
    let asked = test.say(session, "write 'x' to a.txt").await;
    let (approval, digest) = asked.asked().expect("a question");
    test.say(session, "yes").await;
    assert_eq!(test.file("a.txt"), None, "the requester's yes is not enough");
    let who = test.principal(&test.owner).await;
    let own = test.governor.decide(&who, approval, Decision::Approve { digest }).await;
    assert!(matches!(own, Err(DecideError::NotAnother)), "{own:?}");
    test.governor.control(&who, session, Control::Reset).await.unwrap();
    let events = test.governor.store().journal(session, 1).await.unwrap();
    let started = |b: &EventBody| matches!(b, EventBody::StepStarted { .. });
    assert!(!events.iter().any(|(_, event)| started(&event.body)));
}

/// As of a request that is gone with its COMMIT: nobody but the store has heard of the new version.
async fn policy_on_record(test: &TestGovernor, change: impl FnOnce(&mut ProjectPolicy)) {
    let (store, who) = (test.governor.store(), test.principal(&test.owner).await);
    let current = store.policy(test.project).await.unwrap();
    let mut document = current.body().document().clone();
    let expected = document.id;
    document.id = uuid::Uuid::now_v7().into();
    (document.number, document.author, document.at) =
        (document.number + 1, Some(who.user()), now());
    change(&mut document.policy);
    let digest = gate_policy::digest(&document).unwrap();
    let kind = UserEventKind::EditPolicy { digest };
    let event = UserEvent::of(&who, test.project, None, kind, now()).unwrap();
    let (writer, boundary) = (Writer::Project(test.project), Boundary::new(Point::P).by(&who));
    let (event, _) = store.record_user_event(&writer, boundary, event).await.unwrap();
    let version = gate_policy::edited(&event, document, &current).unwrap();
    store.record_policy(expected, version).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_denied_under_a_policy_that_is_no_longer_in_force() {
    let test = TestGovernor::new().await;
    let text = format!("GET {}", test.url("/items"));
    test.change_policy(|policy| assert!(policy.allowed_step_types.remove(&StepType::ApiCall)))
        .await;
    let denied = test.say(test.session().await, &text).await;
    assert_eq!(denied.outcome, "denied", "{}", denied.text());
    policy_on_record(&test, |policy| {
        policy.allowed_step_types.insert(StepType::ApiCall);
    })
    .await;
    let done = test.say(test.session().await, &text).await;
    assert_eq!(done.outcome, "done", "{}", done.text());
}
