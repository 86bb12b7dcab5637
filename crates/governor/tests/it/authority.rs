//! A right that is taken away acts no more: not of what waited, not of what was let in a moment before,
//! and not of a plan that somebody else says yes to later.

use crate::{
    counting::house_of,
    test_governor::{Person, TestGovernor, now, person, policy},
};
use std::{collections::BTreeSet, time::Duration};
use wiiiv_domain::{
    ApprovalBy, ApprovalId, BlueprintDigest, Lang, ProviderName, SessionId, SlotName, Slots,
    TokenId, UserId,
};
use wiiiv_fakes::{FakeModel, ModelMode, ShopMode};
use wiiiv_gate::Principal;
use wiiiv_governor::{
    Answering, ApprovalEdit, Control, DecideError, Decided, Decision, Events, Incoming, SubmitError,
};
use wiiiv_store::{ApprovalState, AuditFilter, Chain, Page, Role, TokenScope};
use wiiiv_testkit::token;

/// Within which a session that fell has said so.
const MEANWHILE: Duration = Duration::from_millis(300);

/// Somebody else in the house's project.
async fn member(test: &TestGovernor, name: &str, role: Role) -> (UserId, Person) {
    let store = test.governor.store();
    let (_, member) = person(store, name, policy(&test.shop)).await;
    let named = store.users_named(name).await.unwrap();
    roles(test, named[0], &[role]).await;
    (named[0], member)
}

async fn roles(test: &TestGovernor, user: UserId, roles: &[Role]) {
    let by = test.principal(&test.owner).await.user();
    let roles = roles.iter().copied().collect::<BTreeSet<_>>();
    test.governor.store().set_roles(test.project, user, roles, by).await.unwrap();
}

async fn four_eyes(test: &TestGovernor) {
    test.change_policy(|policy| policy.approval.normal.by = ApprovalBy::AnotherPerson).await;
}

async fn records(test: &TestGovernor, kind: &str) -> usize {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    test.governor.store().audit_search(chain, &filter).await.unwrap().len()
}

/// Asked for by that person, in a conversation of their own.
async fn asked_by(test: &TestGovernor, who: &Principal) -> SessionId {
    let store = test.governor.store();
    let session = store.create_session(test.project, who.user(), "own", now()).await.unwrap().id;
    let words = Incoming::words("write 'x' to a.txt".to_owned(), None);
    let turn = test.governor.submit(who, session, words).await.unwrap();
    let told = test.ended(session, turn).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    session
}

async fn decide(
    test: &TestGovernor,
    who: &Principal,
    session: SessionId,
) -> Result<wiiiv_governor::Decided, wiiiv_governor::DecideError> {
    let (approval, digest) = test.governor.state(session).await.unwrap().pending.unwrap();
    test.governor.decide(who, approval, Decision::Approve { digest }).await
}

/// Issue: "an approver removed from the project while an approval waited behind a turn was still
/// counted and the file was written".
#[tokio::test(flavor = "multi_thread")]
async fn the_yes_of_an_approver_who_was_removed_is_not_counted() {
    let test = TestGovernor::new().await;
    four_eyes(&test).await;
    let (user, person) = member(&test, "mina", Role::Approver).await;
    let owner = test.principal(&test.owner).await;
    let session = asked_by(&test, &owner).await;
    let captured = test.principal(&person).await;
    roles(&test, user, &[]).await;
    let refused = decide(&test, &captured, session).await;
    assert!(refused.is_err(), "{refused:?}");
    assert_eq!(test.file("a.txt"), None);
    assert_eq!(records(&test, "approval.given").await, 0);
    // The question stands, and somebody who may answers it.
    roles(&test, user, &[Role::Approver]).await;
    let again = test.principal(&person).await;
    decide(&test, &again, session).await.unwrap();
    while test.file("a.txt").is_none() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Issue: "queued messages ran after removal and after log-out".
#[tokio::test(flavor = "multi_thread")]
async fn what_waited_is_refused_after_a_removal_and_after_a_log_out() {
    for removes in [true, false] {
        let model = FakeModel::spawn(ModelMode::Silent).await.unwrap();
        let test = house_of(&model, ProviderName::Custom, "small").await;
        let (user, person) = member(&test, "mina", Role::Editor).await;
        let who = test.principal(&person).await;
        let session = test.session().await;
        test.send(session, "hello").await.unwrap();
        while model.open_streams() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let governor = test.governor.clone();
        let behind = tokio::spawn(async move {
            let words = Incoming::words("write 'x' to the file late.txt".to_owned(), None);
            governor.submit(&who, session, words).await
        });
        while test.governor.state(session).await.unwrap().queued == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        if removes {
            roles(&test, user, &[]).await;
        } else {
            let tokens = test.governor.store().tokens(user, Page::default()).await.unwrap();
            for token in tokens {
                test.governor.store().revoke_token(user, token.id).await.unwrap();
            }
        }
        let owner = test.principal(&test.owner).await;
        test.governor.control(&owner, session, Control::Cancel).await.unwrap();
        assert!(matches!(behind.await.unwrap(), Err(SubmitError::RightGone)), "{removes}");
        assert_eq!(model.calls().len(), 1, "what waited was never read");
    }
}

/// Issue: a role that was removed while a slow step ran ended the turn as a fault, and what waited behind it was
/// told to try again. What the step did is on record, no model is told of it, and what waited is refused.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_whose_author_was_removed_while_its_step_ran_ends_and_what_waited_is_refused() {
    let test = TestGovernor::new().await;
    let (user, person) = member(&test, "mina", Role::Editor).await;
    let (who, store) = (test.principal(&person).await, test.governor.store());
    let session = store.create_session(test.project, user, "own", now()).await.unwrap().id;
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(3)));
    let words = Incoming::words(format!("GET {}", test.url("/items")), None);
    let turn = test.governor.submit(&who, session, words).await.unwrap();
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (governor, again) = (test.governor.clone(), who.clone());
    let behind = tokio::spawn(async move {
        let words = Incoming::words("write 'x' to the file late.txt".to_owned(), None);
        governor.submit(&again, session, words).await
    });
    while test.governor.state(session).await.unwrap().queued == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let calls = records(&test, "model.called").await;
    roles(&test, user, &[]).await;
    let refused = behind.await.unwrap();
    assert!(matches!(refused, Err(SubmitError::RightGone)), "{refused:?}");
    test.ended(session, turn).await;
    assert_eq!(records(&test, "execution.finished").await, 1);
    assert_eq!(records(&test, "ruling.requester_gone").await, 1);
    assert_eq!(records(&test, "model.called").await, calls, "no model is told");
    // The session was never put down: the turn is not ended by a replay.
    assert_eq!(test.shop.calls().len(), 1);
}

/// Issue: "a removed requester's plan ran on somebody's later yes".
#[tokio::test(flavor = "multi_thread")]
async fn the_plan_of_a_requester_who_was_removed_does_not_run() {
    let test = TestGovernor::new().await;
    four_eyes(&test).await;
    let (user, person) = member(&test, "mina", Role::Editor).await;
    let requester = test.principal(&person).await;
    let session = asked_by(&test, &requester).await;
    roles(&test, user, &[]).await;
    let owner = test.principal(&test.owner).await;
    let decided = decide(&test, &owner, session).await.unwrap();
    let told = test.ended(session, decided.turn).await;
    assert!(
        told.text().contains("REQUESTER_NOT_ALLOWED") || told.text().contains("any more"),
        "{}",
        told.text()
    );
    assert_eq!(test.file("a.txt"), None);
    assert_eq!(records(&test, "ruling.requester_gone").await, 1);
    assert_eq!(records(&test, "execution.finished").await, 0);
}

/// Who is let in a moment before another project's roles change is not troubled by that.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_elsewhere_troubles_nobody() {
    let test = TestGovernor::new().await;
    let store = test.governor.store();
    let (other, boss) = person(store, "boss", policy(&test.shop)).await;
    let boss = store.authenticate(boss.token.as_str(), Some(other), now()).await.unwrap();
    let captured = test.principal(&test.owner).await;
    let editor = BTreeSet::from([Role::Editor]);
    store.set_roles(other, captured.user(), editor, boss.user()).await.unwrap();
    store.set_roles(other, captured.user(), BTreeSet::new(), boss.user()).await.unwrap();
    asked_by(&test, &captured).await;
}

/// Issue: "an approver removed from the project while an approval waited behind a turn was still counted". It is on
/// record at once, and used in the turn in progress only while its giver may give it.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_beside_a_turn_counts_only_while_its_giver_may_give_it() {
    let model = FakeModel::spawn(ModelMode::AlwaysExecute).await.unwrap();
    let test = house_of(&model, ProviderName::Custom, "large").await;
    four_eyes(&test).await;
    let (user, person) = member(&test, "mina", Role::Approver).await;
    let (gone, other) = member(&test, "noa", Role::Approver).await;
    let owner = test.principal(&test.owner).await;
    let session = asked_by(&test, &owner).await;
    let (approval, digest) = test.governor.state(session).await.unwrap().pending.unwrap();
    model.set_mode(ModelMode::Silent);
    let words = Incoming::words("hello".to_owned(), None);
    let turn = test.governor.submit(&owner, session, words).await.unwrap();
    while model.open_streams() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let yes = || Decision::Approve { digest };
    let (who, other) = (test.principal(&person).await, test.principal(&other).await);
    // Whoever may not any more is told so, and the turn goes on.
    roles(&test, gone, &[]).await;
    let refused = test.governor.decide(&other, approval, yes()).await;
    assert!(matches!(refused, Err(wiiiv_governor::DecideError::RightGone)), "{refused:?}");
    assert_eq!(records(&test, "approval.given").await, 0);
    let given = test.governor.decide(&who, approval, yes()).await.unwrap();
    assert_eq!((given.state, given.beside), ("approved", Some(turn)));
    roles(&test, user, &[]).await;
    drop(model);
    let told = test.ended(session, turn).await;
    assert_eq!(told.outcome, "denied", "{}", told.text());
    assert_eq!(records(&test, "approval.given").await, 1);
    assert_eq!(records(&test, "execution.finished").await, 0);
}

/// Two approve two requests of one conversation: the log-out of the one while their plan runs denies nothing that goes
/// on behind it.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_that_goes_on_behind_another_does_not_end_with_the_log_out_of_that_ones_approver() {
    let test = TestGovernor::new().await;
    four_eyes(&test).await;
    let (user, han) = member(&test, "han", Role::Approver).await;
    let (_, min) = member(&test, "min", Role::Approver).await;
    let (han, min) = (test.principal(&han).await, test.principal(&min).await);
    let session = test.session().await;
    let first = test.say(session, "write 'x' to a.txt").await.asked().expect("a preview");
    let words = format!("get {} and save it to report.json", test.url("/items"));
    let other = test.say(session, &words).await.asked().expect("a preview");
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(3)));
    let yes = |digest| Decision::Approve { digest };
    let turn = test.governor.decide(&han, other.0, yes(other.1)).await.unwrap().turn;
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let given = test.governor.decide(&min, first.0, yes(first.1)).await.unwrap();
    assert_eq!((given.state, given.beside), ("approved", Some(turn)));
    let store = test.governor.store();
    for token in store.tokens(user, Page::default()).await.unwrap() {
        store.revoke_token(user, token.id).await.unwrap();
    }
    let told = test.ended(session, turn).await;
    assert_eq!(test.file("a.txt").as_deref(), Some("x"), "{}", told.text());
    assert_eq!(records(&test, "execution.finished").await, 2);
}

/// A plan that nobody is asked about starts only while whoever asked for it is signed in.
#[tokio::test(flavor = "multi_thread")]
async fn the_plan_of_who_logged_out_while_the_model_answered_does_not_run() {
    for ends in [false, true] {
        let read = serde_json::json!({
            "action": "EXECUTE", "taskType": "FILE_READ", "message": "",
            "slots": {"targetPath": "a.txt"},
        });
        let slow = ModelMode::Slow(Duration::from_millis(700), read.to_string());
        let model = FakeModel::spawn(slow).await.unwrap();
        let test = house_of(&model, ProviderName::Custom, "large").await;
        test.put("a.txt", b"what only members read");
        let (user, person) = member(&test, "mina", Role::Editor).await;
        let (who, store) = (test.principal(&person).await, test.governor.store());
        let session = store.create_session(test.project, user, "own", now()).await.unwrap().id;
        let words = Incoming::words("show me a.txt".to_owned(), None);
        let turn = test.governor.submit(&who, session, words).await.unwrap();
        while model.calls().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        if ends {
            for token in store.tokens(user, Page::default()).await.unwrap() {
                store.revoke_token(user, token.id).await.unwrap();
            }
        }
        let told = test.ended(session, turn).await;
        assert_eq!(records(&test, "ruling.requester_gone").await, usize::from(ends));
        assert_eq!(records(&test, "execution.finished").await, usize::from(!ends));
        assert_eq!(told.text().contains("what only members read"), !ends, "{}", told.text());
        assert_eq!(told.text().contains("has been logged out"), ends, "{}", told.text());
    }
}

async fn logs_out(test: &TestGovernor, who: &Principal) {
    let token = TokenId::from_uuid(who.token());
    test.governor.store().revoke_token(who.user(), token).await.unwrap();
}

/// A no, a yes and an edit, each of somebody who was looked at while their log-in stood.
async fn decided_too_late(
    test: &TestGovernor,
    (approval, digest): (ApprovalId, BlueprintDigest),
) -> [Result<Decided, DecideError>; 3] {
    let mut people = Vec::new();
    for name in ["min", "han", "lee"] {
        let (_, person) = member(test, name, Role::Approver).await;
        let who = test.principal(&person).await;
        logs_out(test, &who).await;
        people.push(who);
    }
    let reason = "not today".to_owned();
    let mut slots = Slots::default();
    slots.set(SlotName::CONTENT, "y").unwrap();
    let edit = ApprovalEdit { digest, slots, note: "as agreed".to_owned() };
    [
        test.governor.decide(&people[0], approval, Decision::Reject { digest, reason }).await,
        test.governor.decide(&people[1], approval, Decision::Approve { digest }).await,
        test.governor.edits().submit(None, &people[2], approval, edit).await,
    ]
}

/// The session neither fell nor said anything.
async fn rests(told: &mut Events) {
    let heard = tokio::time::timeout(MEANWHILE, told.next()).await;
    assert!(heard.is_err(), "the session was put down: {heard:?}");
}

/// No turn is in progress: a decision whose right goes between the look and the commit is refused, as one without
/// the right is, and the session goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_decision_whose_right_goes_before_its_commit_leaves_a_session_at_rest() {
    for approvers in [1, 2] {
        let test = TestGovernor::new().await;
        test.change_policy(|policy| {
            let rule = &mut policy.approval.normal;
            (rule.by, rule.approvers) = (ApprovalBy::AnotherPerson, approvers);
        })
        .await;
        let session = test.session().await;
        let asked = test.say(session, "write 'x' to a.txt").await.asked().expect("a preview");
        let mut told = test.governor.subscribe(session, None).await.unwrap();
        for answer in decided_too_late(&test, asked).await {
            assert!(matches!(answer, Err(DecideError::RightGone)), "{answer:?}");
        }
        rests(&mut told).await;
        let row = test.governor.store().approval(asked.0).await.unwrap().unwrap();
        assert_eq!(row.state, ApprovalState::Pending);
        for kind in ["approval.rejected", "approval.given", "approval.joined", "approval.edited"] {
            assert_eq!(records(&test, kind).await, 0, "{kind}");
        }
        for name in ["sol", "kim"].into_iter().take(usize::from(approvers)) {
            let (_, person) = member(&test, name, Role::Approver).await;
            let who = test.principal(&person).await;
            let yes = Decision::Approve { digest: asked.1 };
            let decided = test.governor.decide(&who, asked.0, yes).await.unwrap();
            test.ended(session, decided.turn).await;
        }
        assert_eq!(test.file("a.txt").as_deref(), Some("x"));
    }
}

/// The requester clicked in a browser whose log-in was ended meanwhile: what they type or click elsewhere is still
/// about the preview, and answered in the language of the conversation.
#[tokio::test(flavor = "multi_thread")]
async fn a_click_that_was_refused_changes_nothing_of_the_conversation() {
    for types in [true, false] {
        let test = TestGovernor::new().await;
        let session = test.session().await;
        let asked = test.say(session, "write 'x' to a.txt").await.asked().expect("a preview");
        let mut told = test.governor.subscribe(session, None).await.unwrap();
        let text = token(test.governor.store(), test.owner.user, TokenScope::Full).await;
        let elsewhere = Person { token: text, ..test.owner.clone() };
        let who = test.principal(&elsewhere).await;
        logs_out(&test, &who).await;
        let answering = Answering { language: Some(Lang::Ko), ..Answering::default() };
        let yes = || Decision::Approve { digest: asked.1 };
        let refused = test.governor.decide_in(answering, &who, asked.0, yes()).await;
        assert!(matches!(refused, Err(DecideError::RightGone)), "{refused:?}");
        rests(&mut told).await;
        let turn = if types {
            test.send(session, "yes").await.unwrap()
        } else {
            let owner = test.principal(&test.owner).await;
            test.governor.decide(&owner, asked.0, yes()).await.unwrap().turn
        };
        let done = test.ended(session, turn).await.text();
        assert_eq!(test.file("a.txt").as_deref(), Some("x"), "{done}");
        assert!(!done.chars().any(|c| ('가'..='힣').contains(&c)), "{done}");
    }
}

/// A cancel of somebody who was let in while their log-in stood, by a button and by words: it stops nothing, and the
/// session is not put down.
#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_whose_right_goes_before_it_is_taken_cancels_nothing() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let text = token(test.governor.store(), test.owner.user, TokenScope::Full).await;
    let elsewhere = Person { token: text, ..test.owner.clone() };
    let who = test.principal(&elsewhere).await;
    logs_out(&test, &who).await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(2)));
    let turn = test.send(session, &format!("GET {}", test.url("/items"))).await.unwrap();
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let clicked = test.governor.control(&who, session, Control::Cancel).await;
    assert!(matches!(clicked, Err(SubmitError::RightGone)), "{clicked:?}");
    let words = Incoming::words("cancel".to_owned(), None);
    let typed = test.governor.submit(&who, session, words).await;
    assert!(matches!(typed, Err(SubmitError::RightGone)), "{typed:?}");
    let told = test.ended(session, turn).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    assert_eq!(test.shop.calls().len(), 1, "the session was never put down");
    assert_eq!(records(&test, "turn.accepted").await, 1);
    assert_eq!(records(&test, "execution.finished").await, 1);
}
