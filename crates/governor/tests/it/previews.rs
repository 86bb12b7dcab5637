//! What a yes answers: the exact effect, and never less than is there.

use crate::test_governor::{SeenTurn, TestGovernor};
use sea_orm::ConnectionTrait as _;
use wiiiv_domain::{ApprovalId, EventBody};
use wiiiv_governor::SubmitError;
use wiiiv_hlx::FileChange;

const SHOWN_BYTES_MAX: usize = 256 * 1024;

fn approval(told: &SeenTurn) -> ApprovalId {
    let found = told.events.iter().find_map(|event| match &event.body {
        EventBody::Previewed { approval, .. } => Some(*approval),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("no preview: {}", told.text()))
}

async fn change(test: &TestGovernor, told: &SeenTurn) -> FileChange {
    let row = test.governor.store().approval(approval(told)).await.unwrap().unwrap();
    let question = test.governor.store().question(row.request.project, row.request.id).await;
    let shown = test.governor.plans().preview(&question.unwrap().unwrap()).await.unwrap();
    shown.steps[0].change.clone().expect("a change")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_too_long_to_show_is_still_there() {
    let test = TestGovernor::new().await;
    let old_bytes = Some(SHOWN_BYTES_MAX as u64 + 1);
    test.put("big.txt", &[b'a'; SHOWN_BYTES_MAX + 1]);
    let session = test.session().await;
    let told = test.say(session, "write 'x' to big.txt").await;
    let replaced = FileChange::Replaced { old_bytes, new_bytes: Some(1) };
    assert_eq!(change(&test, &told).await, replaced, "{}", told.text());
    assert!(told.text().contains("262145 bytes → 1 bytes"), "{}", told.text());
    let session = test.session().await;
    let told = test.say(session, "delete the file big.txt").await;
    let deleted = FileChange::DeletedUnshown { old_bytes };
    assert_eq!(change(&test, &told).await, deleted, "{}", told.text());
    assert!(told.text().contains("262145 bytes"), "{}", told.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typed_yes_answers_the_exact_effect() {
    let test = TestGovernor::new().await;
    test.put("a.txt", b"one\ntwo\n");
    let session = test.session().await;
    let told = test.say(session, "write 'three' to a.txt").await;
    let text = told.text();
    for line in ["[1] a.txt: a changed file", "- one", "- two", "+ three"] {
        assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
    }
    let waiting = test.say(session, "hello").await;
    let again = test.say(session, "yes").await;
    let both = format!("{}\n{}", waiting.text(), again.text());
    assert!(both.lines().any(|shown| shown == "+ three"), "{both}");
    let session = test.session().await;
    let text = format!("POST '{{\"sku\":\"A1\"}}' to {}", test.url("/orders"));
    let text = test.say(session, &text).await.text();
    let call = format!("[1] POST {}", test.url("/orders"));
    assert!(text.lines().any(|shown| shown == call), "{text}");
    assert!(text.lines().any(|shown| shown == "> {\"sku\":\"A1\"}"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_text_hides_is_shown_where_it_is_answered() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let told = test.say(session, "write 'a\u{202e}b' to a.txt").await;
    assert!(told.text().contains("+ a⟨U+202E⟩b"), "{}", told.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_added_leaves_the_rest_of_the_file_alone() {
    let test = TestGovernor::new().await;
    test.put("a.txt", b"one\n");
    let session = test.session().await;
    let text = test.say(session, "append 'two' to a.txt").await.text();
    for line in ["[1] a.txt: a changed file", "  one", "+ two"] {
        assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
    }
    assert!(!text.lines().any(|shown| shown == "- one"), "{text}");
    // What came in between is not lost: the plan was for another file than this.
    test.put("a.txt", b"one\nsomebody else's\n");
    let denied = test.say(session, "yes").await;
    assert_eq!(test.file("a.txt").as_deref(), Some("one\nsomebody else's\n"), "{}", denied.text());
    let session = test.session().await;
    test.say(session, "a.txt 끝에 'three' 추가해줘").await;
    test.say(session, "네").await;
    assert_eq!(test.file("a.txt").as_deref(), Some("one\nsomebody else's\nthree\n"));
    test.put("big.txt", &[b'a'; SHOWN_BYTES_MAX + 1]);
    let refused = test.say(session, "big.txt 끝에 'x' 추가해줘").await.text();
    assert!(refused.contains("256 KiB"), "{refused}");
    test.put("lines.txt", &b"a\n".repeat(5_000));
    let refused = test.say(session, "append 'x' to lines.txt").await.text();
    assert!(refused.contains("5000줄"), "{refused}");
}

/// Beside the true digest, for as long as somebody reads it.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_that_was_exchanged_is_not_shown() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let told = test.say(session, "write 'x' to notes.txt").await;
    let row = test.governor.store().approval(approval(&told)).await.unwrap().unwrap();
    let question = test.governor.store().question(row.request.project, row.request.id).await;
    let question = question.unwrap().unwrap();
    assert!(test.governor.plans().preview(&question).await.is_ok());
    let forged = "UPDATE blueprint_text SET canonical = \
                  CAST(replace(CAST(canonical AS TEXT), 'notes.txt', 'other.txt') AS BLOB)";
    test.intruder().await.execute_unprepared(forged).await.unwrap();
    let shown = test.governor.plans().preview(&question).await;
    assert!(matches!(shown, Err(SubmitError::AuditChanged)), "{shown:?}");
}
