//! Somebody who is asked changes values of the plan in place of a yes or a no: what was proposed, what was
//! decided and what takes effect are three things, and nothing runs that was not asked about as it is.

use crate::test_governor::{Person, SeenTurn, TestGovernor, person, policy};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wiiiv_domain::{
    ApprovalBy, ApprovalId, BlueprintDigest, EventBody, SessionId, SlotChange, SlotName, Slots,
};
use wiiiv_gate::Principal;
use wiiiv_governor::{ApprovalEdit, DecideError, Decided, Decision, EditRefused};
use wiiiv_store::{ApprovalFilter, ApprovalState, AuditFilter, Chain, ExecutionFilter, Role};

async fn four_eyes() -> TestGovernor {
    let test = TestGovernor::new().await;
    test.change_policy(|policy| policy.approval.normal.by = ApprovalBy::AnotherPerson).await;
    test
}

async fn approver(test: &TestGovernor, name: &str) -> Person {
    let store = test.governor.store();
    let (_, member) = person(store, name, policy(&test.shop)).await;
    let named = store.users_named(name).await.unwrap();
    let by = test.principal(&test.owner).await.user();
    let roles = BTreeSet::from([Role::Approver]);
    store.set_roles(test.project, named[0], roles, by).await.unwrap();
    member
}

type Pending = (ApprovalId, BlueprintDigest);

async fn asked(test: &TestGovernor) -> (SessionId, Pending) {
    let session = test.session().await;
    let told = test.say(session, "write 'x' to a.txt").await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    (session, told.asked().unwrap())
}

fn slots(pairs: &[(&str, &str)]) -> Slots {
    let mut slots = Slots::default();
    for (name, value) in pairs {
        slots.set(name, *value).unwrap();
    }
    slots
}

async fn edit(
    test: &TestGovernor,
    who: &Principal,
    (approval, digest): Pending,
    pairs: &[(&str, &str)],
) -> Result<Decided, DecideError> {
    let edit = ApprovalEdit { digest, slots: slots(pairs), note: "as agreed".to_owned() };
    test.governor.edits().submit(None, who, approval, edit).await
}

async fn edited(test: &TestGovernor, who: &Principal, of: (SessionId, Pending)) -> SeenTurn {
    let done = edit(test, who, of.1, &[(SlotName::CONTENT, "y")]).await.unwrap();
    assert_eq!((done.state, done.tally), ("edited", None));
    test.ended(of.0, done.turn).await
}

async fn yes(test: &TestGovernor, who: &Principal, of: Pending) -> Result<Decided, DecideError> {
    test.governor.decide(who, of.0, Decision::Approve { digest: of.1 }).await
}

async fn records(test: &TestGovernor, kind: &str) -> Vec<Value> {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let found = test.governor.store().audit_search(chain, &filter).await.unwrap();
    found.into_iter().map(|row| row.body).collect()
}

async fn state(test: &TestGovernor, of: Pending) -> ApprovalState {
    test.governor.store().approval(of.0).await.unwrap().unwrap().state
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edited_plan_is_approved_by_neither_its_requester_nor_its_editor() {
    let test = four_eyes().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (min, han) = (test.principal(&min).await, test.principal(&han).await);
    let (session, old) = asked(&test).await;
    let told = edited(&test, &min, (session, old)).await;
    assert_eq!(
        (told.outcome.as_str(), state(&test, old).await),
        ("pending", ApprovalState::Edited)
    );
    let text = told.text();
    assert!(text.contains("min changed your plan") && text.contains("`x` → `y`"), "{text}");
    let begun = told.events.iter().find_map(|event| match &event.body {
        EventBody::TurnAccepted { user, decision, .. } => Some((*user, decision.clone().unwrap())),
        _ => None,
    });
    let (by, note) = begun.unwrap();
    let change = SlotChange::new(SlotName::parse("content").unwrap(), "x", "y");
    assert_eq!((by, note.changes, note.reason.as_str()), (min.user(), vec![change], "as agreed"));
    let new = told.asked().unwrap();
    assert_ne!(new.1, old.1);
    // What was asked before is answered by nobody any more.
    let stale = yes(&test, &han, old).await;
    assert!(matches!(stale, Err(DecideError::AlreadyDecided { state }) if state == "edited"));
    let owner = test.principal(&test.owner).await;
    for nobody in [&min, &owner] {
        assert!(matches!(yes(&test, nobody, new).await, Err(DecideError::NotAnother)));
    }
    let done = yes(&test, &han, new).await.unwrap();
    assert_eq!(test.ended(session, done.turn).await.outcome, "done");
    assert_eq!(test.file("a.txt").as_deref(), Some("y"));
}

/// What was proposed, what was decided and what takes effect, each linked to the next.
#[tokio::test(flavor = "multi_thread")]
async fn three_records_tell_of_an_edit() {
    let test = four_eyes().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (min, han) = (test.principal(&min).await, test.principal(&han).await);
    let (session, old) = asked(&test).await;
    let new = edited(&test, &min, (session, old)).await.asked().unwrap();
    let done = yes(&test, &han, new).await.unwrap();
    test.ended(session, done.turn).await;
    let store = test.governor.store();
    let plan = |of: Pending| async move {
        let row = store.approval(of.0).await.unwrap().unwrap();
        store.blueprint_row(row.request.blueprint).await.unwrap().unwrap()
    };
    let (proposed, effective) = (plan(old).await, plan(new).await);
    let [record]: [Value; 1] = records(&test, "approval.edited").await.try_into().unwrap();
    for (name, due) in [
        ("approval", json!(old.0)),
        ("blueprint", json!(proposed.id)),
        ("digest", json!(old.1)),
        ("by", json!(min.user())),
        ("from", json!(proposed.spec_digest)),
        ("to", json!(effective.spec_digest)),
    ] {
        assert_eq!(record[name], due, "{name}");
    }
    assert_eq!(record["values"][0]["slot"], "content");
    let text = record.to_string();
    assert!(record["noteHmac"].is_string() && !text.contains("as agreed"), "{text}");
    let drawn = records(&test, "blueprint.drawn").await;
    let drawn = drawn.iter().find(|body| body["blueprint"] == json!(effective.id)).unwrap();
    assert_eq!(drawn["edits"], json!({ "content": min.user() }));
    assert_eq!(drawn["spec"], json!(effective.spec_digest));
    let found = store.edits_of(session, effective.task).await.unwrap();
    let [found] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((found.from, found.to), (proposed.spec_digest, effective.spec_digest));
    let filter = ExecutionFilter { session: Some(session), ..ExecutionFilter::default() };
    let runs = store.executions(&filter).await.unwrap();
    assert_eq!((runs.len(), runs[0].blueprint), (1, effective.id));
    let receipt: Value = serde_json::from_slice(&store.receipt(runs[0].id).await.unwrap()).unwrap();
    let shown = &receipt["receipt"]["edits"][0];
    assert_eq!((&shown["editor"], &shown["digest"]), (&json!(min.user()), &json!(old.1)));
    assert_eq!(receipt["receipt"]["specDigest"], shown["to"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_requester_confirms_what_an_approver_changed() {
    let test = TestGovernor::new().await;
    let min = approver(&test, "min").await;
    let min = test.principal(&min).await;
    let (session, old) = asked(&test).await;
    let told = edited(&test, &min, (session, old)).await;
    let new = told.asked().unwrap();
    let named = "Changed by an approver, not the requester's own: the content";
    assert!(told.text().contains(named), "{}", told.text());
    assert!(matches!(yes(&test, &min, new).await, Err(DecideError::NotRequester)));
    let done = test.say(session, "yes").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("a.txt").as_deref(), Some("y"));
}

/// A requester's edit is their own words: nobody else stands behind them.
#[tokio::test(flavor = "multi_thread")]
async fn a_requester_edits_and_confirms() {
    let test = TestGovernor::new().await;
    let owner = test.principal(&test.owner).await;
    let (session, old) = asked(&test).await;
    let told = edited(&test, &owner, (session, old)).await;
    assert!(told.text().contains("You changed the plan"), "{}", told.text());
    assert!(!told.text().contains("approver"), "{}", told.text());
    let done = yes(&test, &owner, told.asked().unwrap()).await.unwrap();
    assert_eq!(test.ended(session, done.turn).await.outcome, "done");
    assert_eq!(test.file("a.txt").as_deref(), Some("y"));
}

/// Even where policy asks nobody for a plan of this kind.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_was_edited_runs_unasked() {
    let test = TestGovernor::new().await;
    let min = approver(&test, "min").await;
    let min = test.principal(&min).await;
    let (session, old) = asked(&test).await;
    test.change_policy(|policy| {
        let never = wiiiv_domain::Confirmation::Never;
        policy.confirmation.insert(wiiiv_domain::TaskType::FileWrite, never);
    })
    .await;
    let told = edited(&test, &min, (session, old)).await;
    assert_eq!((told.outcome.as_str(), test.file("a.txt")), ("pending", None));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_people_at_once_one_is_told_who_was_faster() {
    let test = four_eyes().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (min, han) = (test.principal(&min).await, test.principal(&han).await);
    let (session, old) = asked(&test).await;
    let changes = [(SlotName::CONTENT, "y")];
    let (left, right) = tokio::join!(edit(&test, &min, old, &changes), yes(&test, &han, old));
    assert!(left.is_ok() != right.is_ok(), "{left:?} {right:?}");
    let (won, lost) = if left.is_ok() { (left, right) } else { (right, left) };
    assert!(matches!(lost, Err(DecideError::AlreadyDecided { .. })), "{lost:?}");
    let told = test.ended(session, won.unwrap().turn).await;
    match told.outcome.as_str() {
        "done" => assert_eq!(test.file("a.txt").as_deref(), Some("x")),
        _ => assert_eq!((told.outcome.as_str(), test.file("a.txt")), ("pending", None)),
    }
    let (session, old) = asked(&test).await;
    let (left, right) =
        tokio::join!(edit(&test, &min, old, &changes), edit(&test, &han, old, &changes));
    assert!(left.is_ok() != right.is_ok(), "{left:?} {right:?}");
    let turn = left.or(right).unwrap().turn;
    assert_eq!(test.ended(session, turn).await.outcome, "pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_value_of_the_plan_is_refused_and_the_question_waits() {
    let test = four_eyes().await;
    let min = approver(&test, "min").await;
    approver(&test, "han").await;
    let min = test.principal(&min).await;
    let (session, old) = asked(&test).await;
    type Why = fn(&EditRefused) -> bool;
    let cases: [(&[(&str, &str)], Why); 5] = [
        (&[("append", "true")], |why| matches!(why, EditRefused::NotAValue { .. })),
        (&[("sourceRun", "last")], |why| matches!(why, EditRefused::NotAValue { .. })),
        (&[("content", "x")], |why| matches!(why, EditRefused::Unchanged)),
        (&[], |why| matches!(why, EditRefused::Unchanged)),
        (&[("targetPath", "/etc/passwd")], |why| matches!(why, EditRefused::NotDrawable(_))),
    ];
    for (pairs, is_due) in cases {
        let refused = edit(&test, &min, old, pairs).await;
        assert!(matches!(&refused, Err(DecideError::Edit(why)) if is_due(why)), "{refused:?}");
    }
    let other = (old.0, BlueprintDigest::of_bytes(b"other"));
    let stale = edit(&test, &min, other, &[("content", "y")]).await;
    assert!(matches!(stale, Err(DecideError::Stale { digest }) if digest == old.1), "{stale:?}");
    // To somebody of another project it is not there.
    let (_, stranger) = person(test.governor.store(), "lee", policy(&test.shop)).await;
    let store = test.governor.store();
    let own =
        store.authenticate(&stranger.token, Some(stranger.personal), crate::test_governor::now());
    let hidden = edit(&test, &own.await.unwrap(), old, &[("content", "y")]).await;
    assert!(matches!(hidden, Err(DecideError::NotFound)), "{hidden:?}");
    assert_eq!(state(&test, old).await, ApprovalState::Pending);
    assert!(records(&test, "approval.edited").await.is_empty());
    assert_eq!(test.governor.state(session).await.unwrap().pending.unwrap(), old);
}

async fn nobody_would_be_left(test: &TestGovernor, who: &Principal, of: Pending) {
    let refused = edit(test, who, of, &[(SlotName::CONTENT, "other")]).await;
    let due = matches!(&refused, Err(DecideError::Edit(EditRefused::NobodyLeft)));
    assert!(due, "{refused:?}");
    assert_eq!(state(test, of).await, ApprovalState::Pending);
}

/// A question that nobody may answer would wait until it expires.
#[tokio::test(flavor = "multi_thread")]
async fn an_edit_that_leaves_too_few_people_is_refused_and_the_question_waits() {
    let test = four_eyes().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (min, han) = (test.principal(&min).await, test.principal(&han).await);
    let (session, old) = asked(&test).await;
    // An account that was closed approves nothing.
    test.governor.accounts().close(han.user(), min.user()).await.unwrap();
    nobody_would_be_left(&test, &min, old).await;
    let sue = approver(&test, "sue").await;
    let sue = test.principal(&sue).await;
    let new = edited(&test, &min, (session, old)).await.asked().unwrap();
    // Whoever is left may say yes, and changes nothing any more.
    nobody_would_be_left(&test, &sue, new).await;
    assert_eq!(records(&test, "approval.edited").await.len(), 1);
    let done = yes(&test, &sue, new).await.unwrap();
    assert_eq!(test.ended(session, done.turn).await.outcome, "done");
    assert_eq!(test.file("a.txt").as_deref(), Some("y"));
}

#[tokio::test(flavor = "multi_thread")]
async fn where_two_people_have_to_approve_two_have_to_be_left() {
    let test = four_eyes().await;
    test.change_policy(|policy| policy.approval.normal.approvers = 2).await;
    let min = approver(&test, "min").await;
    approver(&test, "han").await;
    let min = test.principal(&min).await;
    let (session, old) = asked(&test).await;
    nobody_would_be_left(&test, &min, old).await;
    approver(&test, "sue").await;
    assert_eq!(edited(&test, &min, (session, old)).await.outcome, "pending");
}

/// Whoever sends it again has not written it.
#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_is_sent_again_keeps_its_author() {
    let test = four_eyes().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    approver(&test, "sue").await;
    let (min, han) = (test.principal(&min).await, test.principal(&han).await);
    let (session, old) = asked(&test).await;
    let new = edited(&test, &min, (session, old)).await.asked().unwrap();
    let both = [(SlotName::CONTENT, "y"), (SlotName::TARGET_PATH, "b.txt")];
    let done = edit(&test, &han, new, &both).await.unwrap();
    let third = test.ended(session, done.turn).await.asked().unwrap();
    let row = test.governor.store().approval(third.0).await.unwrap().unwrap();
    let drawn = records(&test, "blueprint.drawn").await;
    let plan = json!(row.request.blueprint);
    let drawn = drawn.iter().find(|body| body["blueprint"] == plan).unwrap();
    assert_eq!(drawn["edits"], json!({ "content": min.user(), "targetPath": han.user() }));
}

/// The question was withdrawn this very moment: whoever answers it is told so, and no turn ends that was never
/// begun.
#[tokio::test(flavor = "multi_thread")]
async fn of_an_answer_that_came_too_late_nothing_is_on_record() {
    let test = four_eyes().await;
    let min = approver(&test, "min").await;
    let min = test.principal(&min).await;
    let (session, old) = asked(&test).await;
    let owner = test.principal(&test.owner).await.user();
    // In the store alone: the conversation is not told of it.
    test.governor.store().disable_user(owner, min.user()).await.unwrap();
    let before = test.newest(session).await;
    let no = Decision::Reject { digest: old.1, reason: "no".to_owned() };
    let refused = test.governor.decide(&min, old.0, no).await;
    let due =
        matches!(&refused, Err(DecideError::AlreadyDecided { state }) if state == "withdrawn");
    assert!(due, "{refused:?}");
    assert_eq!(test.newest(session).await, before);
}

/// It goes through the gates as any plan does: what policy forbids is put before nobody.
#[tokio::test(flavor = "multi_thread")]
async fn an_edit_past_the_policy_is_denied() {
    let test = four_eyes().await;
    test.change_policy(|policy| policy.allowed_paths = vec!["a.txt".to_owned()]).await;
    let min = approver(&test, "min").await;
    approver(&test, "han").await;
    let min = test.principal(&min).await;
    let (session, old) = asked(&test).await;
    let done = edit(&test, &min, old, &[("targetPath", "b.txt")]).await.unwrap();
    let told = test.ended(session, done.turn).await;
    assert_eq!((told.outcome.as_str(), told.asked()), ("denied", None), "{}", told.text());
    assert!(told.text().contains("PATH_NOT_ALLOWED"), "{}", told.text());
    assert_eq!(test.files().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn under_a_halt_nothing_is_edited() {
    let test = four_eyes().await;
    let min = approver(&test, "min").await;
    approver(&test, "han").await;
    let min = test.principal(&min).await;
    let (session, old) = asked(&test).await;
    let owner = test.principal(&test.owner).await;
    let scope = wiiiv_domain::HaltScope::Project(test.project);
    test.governor.halts().halt(&owner, scope, "look at it").await.unwrap();
    let halted = edit(&test, &min, old, &[("content", "y")]).await;
    assert!(matches!(halted, Err(DecideError::Halted)), "{halted:?}");
    assert_eq!(state(&test, old).await, ApprovalState::Pending);
    test.governor.halts().resume(&owner, scope, "looked at").await.unwrap();
    assert_eq!(edited(&test, &min, (session, old)).await.outcome, "pending");
}

/// What was decided stands after a restart, and so does who stands behind it.
#[tokio::test(flavor = "multi_thread")]
async fn an_edit_survives_a_restart() {
    let test = four_eyes().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    approver(&test, "sue").await;
    let by = test.principal(&min).await;
    let (session, old) = asked(&test).await;
    let new = edited(&test, &by, (session, old)).await.asked().unwrap();
    let test = test.restarted().await;
    let (min, han) = (test.principal(&min).await, test.principal(&han).await);
    assert!(matches!(yes(&test, &min, new).await, Err(DecideError::NotAnother)));
    // And once more, by the other: now neither of the two is asked.
    let again = edit(&test, &han, new, &[("targetPath", "b.txt")]).await.unwrap();
    let third = test.ended(session, again.turn).await.asked().unwrap();
    for nobody in [&min, &han] {
        assert!(matches!(yes(&test, nobody, third).await, Err(DecideError::NotAnother)));
    }
    assert_eq!(test.files().len(), 0);
    let filter = ApprovalFilter { session: Some(session), ..ApprovalFilter::default() };
    let states: Vec<_> =
        test.governor.store().approvals(&filter).await.unwrap().iter().map(|r| r.state).collect();
    use ApprovalState::{Edited, Pending};
    assert_eq!(states, [Pending, Edited, Edited]);
}

/// The requester went on to something else: the plan is made anew when nothing else is under way.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_that_waits_aside_can_be_edited() {
    let test = four_eyes().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (min, han) = (test.principal(&min).await, test.principal(&han).await);
    let (session, old) = asked(&test).await;
    test.put("b.txt", b"bee");
    let read = test.say(session, "read b.txt").await;
    assert_eq!(read.outcome, "done", "{}", read.text());
    let told = edited(&test, &min, (session, old)).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    let done = yes(&test, &han, told.asked().unwrap()).await.unwrap();
    assert_eq!(test.ended(session, done.turn).await.outcome, "done");
    assert_eq!(test.file("a.txt").as_deref(), Some("y"));
}
