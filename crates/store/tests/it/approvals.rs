//! One answer counts, and it is used once.

use crate::test_store::{TestStore, accepted, new_id, now, policy};
use std::time::Duration;
use wiiiv_domain::{ApprovalId, DecisionNote, EventBody, SessionEvent};
use wiiiv_gate::EvidenceError;
use wiiiv_store::{
    ApprovalError, ApprovalFilter, ApprovalState, AuditFilter, AuditRow, Boundary, Chain,
    CommitRefused, Moved, Point, StoreError, Write,
};

#[tokio::test(flavor = "multi_thread")]
async fn of_two_answers_at_once_one_wins() {
    let test = TestStore::memory(policy()).await;
    let plan = test.plan().await;
    let request = test.ask(&plan, 600).await;
    let (left, right) = tokio::join!(test.approve(&request), test.approve(&request));
    let decided = |answer: &Result<_, ApprovalError>| {
        matches!(answer, Err(ApprovalError::AlreadyDecided { state: ApprovalState::Approved }))
    };
    assert_eq!([left.is_ok(), right.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert!(decided(&left) || decided(&right));
}

/// Of a kind, the oldest first.
async fn records(test: &TestStore, kind: &str) -> Vec<AuditRow> {
    let filter = AuditFilter { kind: Some(kind.into()), ..AuditFilter::default() };
    let mut found = test.store.audit_search(Chain::Project(test.project), &filter).await.unwrap();
    found.sort_by_key(|record| record.seq);
    found
}

#[tokio::test]
async fn a_yes_and_the_act_that_proves_it_are_one_commit() {
    let test = TestStore::memory(policy()).await;
    let mut commits = Vec::new();
    for nth in 0..3 {
        let plan = test.plan().await;
        let request = test.ask(&plan, 600).await;
        let (said, asked) = test.yes(&request).await;
        let turn = Boundary::new(Point::E).event(accepted(new_id(), test.user));
        let before = test.store.counters().commits;
        let given = test.store.record_approval(&test.writer(), turn, said, asked).await;
        let (given, last) = given.unwrap();
        commits.push(test.store.counters().commits - before);
        let acts = records(&test, "user.event").await;
        let yeses = records(&test, "approval.given").await;
        assert_eq!((acts.len(), yeses.len()), (nth + 1, nth + 1));
        let (act, yes) = (&acts[nth], &yeses[nth]);
        assert_eq!(given.body().event().get(), act.seq, "it names the act at its place");
        assert_eq!((given.at().get(), yes.seq), (act.seq + 1, act.seq + 1));
        assert_eq!(yes.body["event"], act.seq.to_string());
        assert_eq!(test.store.journal(test.session, 1).await.unwrap().len(), nth + 1);
        assert_eq!(last, Some(nth as u64 + 1), "the number of its event");
    }
    // The audit's head is signed beside it now and then.
    assert_eq!(commits.iter().min(), Some(&1), "{commits:?}");
}

/// The act of a yes that does not count, and the turn that it came with, are undone with it.
#[tokio::test]
async fn of_a_yes_that_does_not_count_nothing_is_written() {
    let test = TestStore::memory(policy()).await;
    let plan = test.plan().await;
    let (request, other) = (test.ask(&plan, 600).await, test.ask(&plan, 600).await);
    test.approve(&request).await.unwrap();
    let (said, asked) = test.yes(&request).await;
    let (of_other, _) = test.yes(&other).await;
    for (said, named) in [(said, "twice"), (of_other, "to another question")] {
        let turn = Boundary::new(Point::E).event(accepted(new_id(), test.user));
        let refused = test.store.record_approval(&test.writer(), turn, said, asked.clone()).await;
        let seen = match refused.unwrap_err() {
            ApprovalError::AlreadyDecided { state: ApprovalState::Approved } => "twice",
            ApprovalError::NotProven(EvidenceError::OtherSubject) => "to another question",
            error => panic!("{named}: {error}"),
        };
        assert_eq!(seen, named);
    }
    assert_eq!(records(&test, "user.event").await.len(), 1);
    assert_eq!(records(&test, "approval.given").await.len(), 1);
    assert!(test.store.journal(test.session, 1).await.unwrap().is_empty());
    let open = test.store.approval(other.id).await.unwrap().unwrap();
    assert_eq!(open.state, ApprovalState::Pending);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_consumed_once() {
    let test = TestStore::memory(policy()).await;
    let (plan, id) = test.approved_plan().await;
    let (first, _) = test.rule(&plan).await;
    let (second, _) = test.rule(&plan).await;
    let commit = |claim| {
        let test = test.clone();
        async move { test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await }
    };
    let (left, right) = tokio::join!(commit(first), commit(second));
    let gone = |answer| matches!(answer, Err(CommitRefused::Moved(Moved::ApprovalGone, _)));
    assert_eq!([left.is_ok(), right.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert!(gone(left) ^ gone(right));
    let row = test.store.approval(id).await.unwrap().unwrap();
    assert_eq!(row.state, ApprovalState::Consumed);
}

#[tokio::test]
async fn a_yes_after_the_time_does_not_count() {
    let test = TestStore::memory(policy()).await;
    let plan = test.plan().await;
    let request = test.ask(&plan, 1).await;
    let (yes, later) = (test.yes(&request).await, test.yes(&request).await);
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let late = test.say(yes).await;
    assert!(matches!(late, Err(ApprovalError::Expired)), "{late:?}");
    let expire = Write::ExpireApproval { id: request.id };
    test.store.append(&test.writer(), Boundary::new(Point::E).write(expire)).await.unwrap();
    let later = test.say(later).await;
    assert!(matches!(later, Err(ApprovalError::Expired)), "{later:?}");
}

#[tokio::test]
async fn a_yes_that_expired_before_its_use_is_gone() {
    let test = TestStore::memory(policy()).await;
    let plan = test.plan().await;
    let request = test.ask(&plan, 1).await;
    test.approve(&request).await.unwrap();
    let (claim, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_none());
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let late = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
    assert!(matches!(late, Err(CommitRefused::Moved(Moved::ApprovalGone, _))), "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_yes_and_an_expiry_at_once_one_wins() {
    for _ in 0..10 {
        let test = TestStore::memory(policy()).await;
        let plan = test.plan().await;
        let request = test.ask(&plan, 600).await;
        let (writer, yes) = (test.writer(), test.yes(&request).await);
        let approve = test.say(yes);
        let expire = Boundary::new(Point::E).write(Write::ExpireApproval { id: request.id });
        let (yes, expired) = tokio::join!(approve, test.store.append(&writer, expire));
        let state = test.store.approval(request.id).await.unwrap().unwrap().state;
        // Expiry may also close a yes that was not used; then no claim can use it.
        assert!(expired.is_ok());
        assert_eq!(state, ApprovalState::Expired);
        if yes.is_err() {
            assert!(matches!(yes, Err(ApprovalError::Expired)));
        }
        let (_, ruled) = test.rule(&plan).await;
        assert!(ruled.denied().is_some());
    }
}

#[tokio::test]
async fn a_no_is_final() {
    let test = TestStore::memory(policy()).await;
    let plan = test.plan().await;
    let request = test.ask(&plan, 600).await;
    let reject = Write::RejectApproval { id: request.id, by: test.user, on_behalf_of: None };
    let boundary = || Boundary::new(Point::E).write(reject.clone());
    test.store.append(&test.writer(), boundary()).await.unwrap();
    let again = test.store.append(&test.writer(), boundary()).await;
    let state = ApprovalState::Rejected;
    assert!(matches!(again, Err(StoreError::NotPending { state: s }) if s == state));
    let yes = test.approve(&request).await;
    assert!(matches!(yes, Err(ApprovalError::AlreadyDecided { state: s }) if s == state));
    let filter = ApprovalFilter { state: Some(state), ..ApprovalFilter::default() };
    assert_eq!(test.store.approvals(&filter).await.unwrap().len(), 1);
    let filter = ApprovalFilter { project: Some(new_id()), ..ApprovalFilter::default() };
    assert!(test.store.approvals(&filter).await.unwrap().is_empty());
}

/// As data, and in the words of an older build that kept no more.
#[tokio::test]
async fn what_was_shown_with_a_question_is_kept_with_it() {
    let test = TestStore::memory(policy()).await;
    let plan = test.plan().await;
    let request = test.ask(&plan, 600).await;
    assert_eq!(
        test.store.shown_preview(test.project, request.id).await.unwrap().as_deref(),
        Some("{}")
    );
    assert_eq!(test.store.shown_preview(test.project, new_id()).await.unwrap(), None);
    assert_eq!(test.store.shown_words(test.session, request.id).await.unwrap(), None);
    let (approval, blueprint, digest) = (request.id, plan.id, request.digest);
    let text = "a.txt: + 1".to_owned();
    let body = EventBody::Previewed { approval, blueprint, digest, text };
    let event = SessionEvent::new(new_id(), now(), body);
    test.store.append(&test.writer(), Boundary::new(Point::T1).event(event)).await.unwrap();
    let words = test.store.shown_words(test.session, approval).await.unwrap();
    assert_eq!(words.as_deref(), Some("a.txt: + 1"));
}

fn decided(approval: ApprovalId, reason: &str) -> SessionEvent {
    let note = DecisionNote {
        approval,
        approved: false,
        reason: reason.to_owned(),
        tally: None,
        changes: Vec::new(),
        on_behalf_of: None,
        subject: None,
    };
    let body = EventBody::TurnAccepted {
        user: new_id(),
        text: String::new(),
        language: "ko".into(),
        decision: Some(note),
    };
    SessionEvent::new(new_id(), now(), body)
}

/// A yes that was given back may be taken back behind its answer, and be followed by an answer to the same question.
#[tokio::test]
async fn the_reason_is_of_what_was_done_last() {
    let test = TestStore::memory(policy()).await;
    let plan = test.plan().await;
    let (approval, by) = (test.ask(&plan, 600).await.id, test.user);
    let reason = "wrong folder".to_owned();
    let body = EventBody::ApprovalRevoked { approval, by, execution: None, reason };
    let revoked = SessionEvent::new(new_id(), now(), body);
    for (event, due) in [
        (decided(approval, "fine"), Some("fine")),
        (revoked, Some("wrong folder")),
        (decided(new_id(), "of another question"), Some("wrong folder")),
        (decided(approval, ""), None),
    ] {
        let boundary = Boundary::new(Point::T0).event(event);
        test.store.append(&test.writer(), boundary).await.unwrap();
        let found = test.store.answer_reason(test.session, approval).await.unwrap();
        assert_eq!(found.as_deref(), due);
    }
}

/// Somebody else's words are no message of the session's owner, also as version 1 kept them.
#[tokio::test]
async fn a_reason_is_found_by_its_question_and_is_no_message() {
    let test = TestStore::memory(policy()).await;
    let plan = test.plan().await;
    let request = test.ask(&plan, 600).await;
    let decided = decided(request.id, "over the budget");
    let old = SessionEvent { version: 1, ..accepted(new_id(), new_id()) };
    let row = test.store.session(test.session).await.unwrap().unwrap();
    for event in [old, decided] {
        let boundary = Boundary::new(Point::T0).event(event);
        test.store.append(&test.writer(), boundary).await.unwrap();
        assert_eq!(test.store.first_message(&row).await.unwrap(), None);
    }
    let found = test.store.answer_reason(test.session, request.id).await.unwrap();
    assert_eq!(found.as_deref(), Some("over the budget"));
    let own = accepted(new_id(), row.owner);
    test.store.append(&test.writer(), Boundary::new(Point::T0).event(own)).await.unwrap();
    assert_eq!(test.store.first_message(&row).await.unwrap().as_deref(), Some("써줘"));
}
