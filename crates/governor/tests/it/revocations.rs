//! An approver takes their yes back: before others have joined it, and while the run that rests on it goes on.

use crate::{
    after::{SAVED, resolve, until},
    delegations::{lend, member, yes_by},
    quorum::{Answer, approver, records, yes},
    test_governor::TestGovernor,
};
use sea_orm::ConnectionTrait as _;
use serde_json::json;
use std::time::{Duration, Instant};
use wiiiv_domain::{
    ApprovalBy, ApprovalId, BlueprintDigest, EventBody, ExecutionId, Recall, RunOutcome, SessionId,
    Tally, UserId,
};
use wiiiv_fakes::ShopMode;
use wiiiv_gate::{Principal, Resolution};
use wiiiv_governor::{Control, DecideError, Decision};
use wiiiv_store::{ApprovalState, AuditFilter, AuditRow, Chain, ExecutionState, Role};

/// Within which a run is cut off.
const AT_ONCE: Duration = Duration::from_secs(2);
const SLOW: ShopMode = ShopMode::Slow(Duration::from_secs(20));
const WHY: &str = "wrong folder";

/// So many other people have to say yes.
async fn others(approvers: u8) -> TestGovernor {
    let test = TestGovernor::new().await;
    test.change_policy(|policy| {
        let rule = &mut policy.approval.normal;
        (rule.by, rule.approvers) = (ApprovalBy::AnotherPerson, approvers);
    })
    .await;
    test
}

async fn asked(test: &TestGovernor, words: &str) -> (SessionId, (ApprovalId, BlueprintDigest)) {
    let session = test.session().await;
    let told = test.say(session, words).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    (session, told.asked().unwrap())
}

async fn revoke(test: &TestGovernor, who: &Principal, approval: ApprovalId) -> Answer {
    test.governor.decide(who, approval, Decision::Revoke { reason: WHY.to_owned() }).await
}

type Revoked = (UserId, Option<ExecutionId>, String);

/// What the requester is told: who took it back, which run that stops, and why.
async fn told(test: &TestGovernor, session: SessionId) -> Vec<Revoked> {
    let journal = test.governor.store().journal(session, 1).await.unwrap();
    let told = journal.into_iter().filter_map(|(_, event)| match event.body {
        EventBody::ApprovalRevoked { by, execution, reason, .. } => Some((by, execution, reason)),
        _ => None,
    });
    told.collect()
}

async fn until_asked(test: &TestGovernor) {
    until_called(test, 0).await;
}

/// More often than before.
async fn until_called(test: &TestGovernor, before: usize) {
    while test.shop.calls().len() <= before {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_waits_for_others_counts_no_more_and_may_be_said_again() {
    let test = others(2).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (session, of) = asked(&test, "write 'x' to a.txt").await;
    let (one, other) = (test.principal(&min).await, test.principal(&han).await);
    yes(&test, &one, of).await.unwrap();
    let owner = test.principal(&test.owner).await;
    for who in [&other, &owner] {
        let wrong = revoke(&test, who, of.0).await;
        assert!(matches!(wrong, Err(DecideError::NoYesOfYours)), "{wrong:?}");
    }
    let back = revoke(&test, &one, of.0).await.unwrap();
    let none = Tally { given: 0, approvers: 2 };
    assert_eq!((back.state, back.tally), ("pending", Some(none)));
    assert_eq!(told(&test, session).await, [(one.user(), None, WHY.to_owned())]);
    let twice = revoke(&test, &one, of.0).await;
    assert!(matches!(twice, Err(DecideError::NoYesOfYours)), "{twice:?}");

    let test = test.restarted().await;
    let (one, other) = (test.principal(&min).await, test.principal(&han).await);
    let alone = yes(&test, &other, of).await.unwrap();
    let half = Tally { given: 1, approvers: 2 };
    assert_eq!((alone.state, alone.tally), ("pending", Some(half)), "it is gone for good");
    assert_eq!(test.file("a.txt"), None);
    let again = yes(&test, &one, of).await.unwrap();
    assert_eq!(again.state, "approved");
    assert_eq!(test.ended(session, again.turn).await.outcome, "done");
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));
    assert_eq!(records(&test, "approval.revoked").await, 1);
    let late = revoke(&test, &one, of.0).await;
    assert!(matches!(late, Err(DecideError::NothingToRevoke { .. })), "{late:?}");
}

/// The step in flight is stopped, and the next one is not begun.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_cut_off_and_the_requester_is_told_by_whom_and_why() {
    let test = others(1).await;
    let min = approver(&test, "min").await;
    let words = format!("get {} and save it to report.json", test.url("/items"));
    let (session, of) = asked(&test, &words).await;
    test.shop.set_mode(SLOW);
    let (one, owner) = (test.principal(&min).await, test.principal(&test.owner).await);
    let decided = yes(&test, &one, of).await.unwrap();
    until_asked(&test).await;
    let begun = Instant::now();
    let own = revoke(&test, &owner, of.0).await;
    assert!(matches!(own, Err(DecideError::NoYesOfYours)), "who asked cancels: {own:?}");
    let back = revoke(&test, &one, of.0).await.unwrap();
    assert_eq!(back.state, "consumed");
    let ended = test.ended(session, decided.turn).await;
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    assert_eq!(ended.outcome, "error");
    let said = ended.text();
    assert!(said.contains("APPROVAL_REVOKED") && said.contains("took back"), "{said}");
    assert!(!said.contains("still stands"), "{said}");
    assert_eq!(test.file("report.json"), None);
    assert_eq!(test.shop.count("GET", "/items"), 1);

    let store = test.governor.store();
    let row = store.approval(of.0).await.unwrap().unwrap();
    assert_eq!(row.revoked.map(|revoked| revoked.by), Some(one.user()));
    assert_eq!(row.state, ApprovalState::Consumed, "it is given back to nobody");
    let due = (one.user(), row.consumed_by, WHY.to_owned());
    assert_eq!(told(&test, session).await, [due]);
    let all = AuditFilter { kind: Some("execution.finished".into()), ..AuditFilter::default() };
    let rows = store.audit_search(Chain::Project(test.project), &all).await.unwrap();
    let outcome = RunOutcome::Failed { code: "APPROVAL_REVOKED".to_owned() };
    assert_eq!(rows[0].body["outcome"], json!(outcome));
    let late = revoke(&test, &one, of.0).await;
    assert!(matches!(late, Err(DecideError::NothingToRevoke { .. })), "{late:?}");
}

/// Also behind a restart: what is said of the step in doubt begins no other.
#[tokio::test(flavor = "multi_thread")]
async fn an_effect_in_doubt_waits_for_a_word_and_nothing_begins_behind_it() {
    let test = others(1).await;
    let min = approver(&test, "min").await;
    let url = test.url("/orders");
    let words = format!("POST '{{\"sku\":\"A1\"}}' to {url} and save it to {SAVED}");
    let (session, of) = asked(&test, &words).await;
    test.shop.set_mode(SLOW);
    let one = test.principal(&min).await;
    yes(&test, &one, of).await.unwrap();
    until_asked(&test).await;
    revoke(&test, &one, of.0).await.unwrap();
    let execution = until(&test, session, ExecutionState::Indeterminate).await;
    let test = test.restarted().await;
    resolve(&test, execution, Resolution::Happened).await.unwrap();
    until(&test, session, ExecutionState::Failed).await;
    let row = test.governor.store().execution(execution).await.unwrap().unwrap();
    let code = "APPROVAL_REVOKED".to_owned();
    assert_eq!(row.outcome, Some(RunOutcome::Failed { code }));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(test.file(SAVED), None);
    assert_eq!(test.shop.calls().len(), 1);
}

async fn state(test: &TestGovernor, approval: ApprovalId) -> ApprovalState {
    test.governor.store().approval(approval).await.unwrap().unwrap().state
}

async fn press_again(test: &TestGovernor, session: SessionId) -> String {
    let owner = test.principal(&test.owner).await;
    let again = Control::Recall(Recall::Again);
    let turn = test.governor.control(&owner, session, again).await.unwrap();
    test.ended(session, turn).await.outcome
}

/// The words, and the question whose yes was given back by a run in which nothing began.
async fn given_back(
    test: &TestGovernor,
    one: &Principal,
) -> (SessionId, (ApprovalId, BlueprintDigest), String) {
    test.shop.set_mode(ShopMode::Unavailable);
    let words = format!("get {} and save it to r.json", test.url("/items"));
    let (session, of) = asked(test, &words).await;
    let decided = yes(test, one, of).await.unwrap();
    assert_eq!(test.ended(session, decided.turn).await.outcome, "error");
    assert_eq!(state(test, of.0).await, ApprovalState::Approved);
    (session, of, words)
}

/// A question of its own about the same plan.
async fn asked_once_more(
    test: &TestGovernor,
    session: SessionId,
    (old, words): ((ApprovalId, BlueprintDigest), &str),
) -> (ApprovalId, BlueprintDigest) {
    let told = test.say(session, words).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    let of = told.asked().unwrap();
    assert_ne!(of.0, old.0);
    assert_eq!(of.1, old.1);
    of
}

/// The next try asks anew.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_was_given_back_is_taken_back_and_used_no_more() {
    let test = others(1).await;
    let min = approver(&test, "min").await;
    let one = test.principal(&min).await;
    let (session, of, _) = given_back(&test, &one).await;
    let back = revoke(&test, &one, of.0).await.unwrap();
    assert_eq!((back.state, state(&test, of.0).await), ("rejected", ApprovalState::Rejected));
    test.shop.set_mode(ShopMode::Answer);
    assert_eq!(press_again(&test, session).await, "pending");
    assert_eq!(test.file("r.json"), None);
}

/// The same was asked about once more, and the yes to that was taken back, or it was a no.
#[tokio::test(flavor = "multi_thread")]
async fn behind_a_later_no_an_older_yes_runs_nothing() {
    for is_no in [false, true] {
        let test = others(1).await;
        let min = approver(&test, "min").await;
        let one = test.principal(&min).await;
        let (session, old, words) = given_back(&test, &one).await;
        let of = asked_once_more(&test, session, (old, words.as_str())).await;
        if is_no {
            let no = Decision::Reject { digest: of.1, reason: WHY.to_owned() };
            let decided = test.governor.decide(&one, of.0, no).await.unwrap();
            test.ended(session, decided.turn).await;
        } else {
            test.shop.set_mode(SLOW);
            let before = test.shop.calls().len();
            let decided = yes(&test, &one, of).await.unwrap();
            until_called(&test, before).await;
            revoke(&test, &one, of.0).await.unwrap();
            let ended = test.ended(session, decided.turn).await;
            assert_eq!(ended.outcome, "error", "{}", ended.text());
        }
        assert_eq!(state(&test, old.0).await, ApprovalState::Approved, "it was never used");
        test.shop.set_mode(ShopMode::Answer);
        assert_eq!(press_again(&test, session).await, "pending", "a no: {is_no}");
        assert_eq!(test.file("r.json"), None);
    }
}

/// What is said of a yes that was given back is no answer to it.
#[tokio::test(flavor = "multi_thread")]
async fn another_question_about_the_same_plan_waits_on() {
    let test = others(1).await;
    let min = approver(&test, "min").await;
    let one = test.principal(&min).await;
    let (session, old, words) = given_back(&test, &one).await;
    let of = asked_once_more(&test, session, (old, words.as_str())).await;
    let no = Decision::Reject { digest: old.1, reason: WHY.to_owned() };
    let wrong = test.governor.decide(&one, old.0, no).await;
    assert!(matches!(wrong, Err(DecideError::AlreadyDecided { .. })), "{wrong:?}");
    let back = revoke(&test, &one, old.0).await.unwrap();
    assert_eq!((back.state, state(&test, old.0).await), ("rejected", ApprovalState::Rejected));
    assert_eq!(state(&test, of.0).await, ApprovalState::Pending);
    let test = test.restarted().await;
    test.shop.set_mode(ShopMode::Answer);
    let one = test.principal(&min).await;
    let decided = yes(&test, &one, of).await.unwrap();
    let done = test.ended(session, decided.turn).await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert!(test.file("r.json").is_some());
}

/// Of two rights that were lent neither is used for it.
#[tokio::test(flavor = "multi_thread")]
async fn who_stood_in_takes_an_unused_yes_back_in_nobody_elses_right() {
    let test = others(1).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let vic = member(&test, "vic", Role::Viewer).await;
    let (_, of_han) = (lend(&test, &min, &vic).await, lend(&test, &han, &vic).await);
    test.shop.set_mode(ShopMode::Unavailable);
    let words = format!("get {} and save it to r.json", test.url("/items"));
    let (session, of) = asked(&test, &words).await;
    let delegate = test.principal(&vic).await;
    let decided = yes_by(&test, &delegate, (session, of.0, of.1), of_han.id).await.unwrap();
    assert_eq!(decided.on_behalf_of.map(|lent| lent.delegator), Some(han.user));
    assert_eq!(test.ended(session, decided.turn).await.outcome, "error");
    let back = revoke(&test, &delegate, of.0).await.unwrap();
    assert_eq!((back.state, back.on_behalf_of), ("rejected", None));
    let row = test.governor.store().approval(of.0).await.unwrap().unwrap();
    assert_eq!((row.decided_by, row.on_behalf_of), (Some(vic.user), None));
}

/// It is their right, and their name stands with the yes.
#[tokio::test(flavor = "multi_thread")]
async fn in_whose_right_a_yes_was_said_stops_the_run_that_rests_on_it() {
    let test = others(1).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let vic = member(&test, "vic", Role::Viewer).await;
    let lent = lend(&test, &min, &vic).await;
    let words = format!("get {} and save it to r.json", test.url("/items"));
    let (session, of) = asked(&test, &words).await;
    test.shop.set_mode(SLOW);
    let delegate = test.principal(&vic).await;
    let decided = yes_by(&test, &delegate, (session, of.0, of.1), lent.id).await.unwrap();
    until_asked(&test).await;
    let (one, other) = (test.principal(&min).await, test.principal(&han).await);
    let wrong = revoke(&test, &other, of.0).await;
    assert!(matches!(wrong, Err(DecideError::NoYesOfYours)), "{wrong:?}");
    let back = revoke(&test, &one, of.0).await.unwrap();
    assert_eq!((back.state, back.on_behalf_of), ("consumed", None));
    let ended = test.ended(session, decided.turn).await;
    assert!(ended.text().contains("APPROVAL_REVOKED"), "{}", ended.text());
    assert_eq!(test.file("r.json"), None);
    let row = test.governor.store().approval(of.0).await.unwrap().unwrap();
    assert_eq!(row.revoked.map(|revoked| revoked.by), Some(one.user()));
    test.governor.store().examine_question(of.0).await.unwrap();
}

/// While others are asked: the delegate's yes goes, and the delegator may say one of their own.
#[tokio::test(flavor = "multi_thread")]
async fn in_whose_right_a_yes_was_said_takes_it_back_while_it_waits() {
    let test = others(2).await;
    let min = approver(&test, "min").await;
    let vic = member(&test, "vic", Role::Viewer).await;
    let lent = lend(&test, &min, &vic).await;
    let (session, of) = asked(&test, "write 'x' to a.txt").await;
    let delegate = test.principal(&vic).await;
    yes_by(&test, &delegate, (session, of.0, of.1), lent.id).await.unwrap();
    let one = test.principal(&min).await;
    let back = revoke(&test, &one, of.0).await.unwrap();
    let none = Tally { given: 0, approvers: 2 };
    assert_eq!((back.state, back.tally), ("pending", Some(none)));
    test.governor.store().examine_question(of.0).await.unwrap();
    let own = yes(&test, &one, of).await.unwrap();
    assert_eq!(own.tally, Some(Tally { given: 1, approvers: 2 }));
    test.governor.store().examine_question(of.0).await.unwrap();
}

async fn audited(test: &TestGovernor, kind: &str) -> Vec<AuditRow> {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    test.governor.store().audit_search(Chain::Project(test.project), &filter).await.unwrap()
}

/// Before the yes, at every point of the run, and behind its end: what is told of both never parts.
#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_and_the_run_that_begins_are_told_as_they_were() {
    let test = others(1).await;
    let min = approver(&test, "min").await;
    let one = test.principal(&min).await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_millis(60)));
    for nth in 0..10 {
        let path = format!("r{nth}.json");
        let words = format!("get {} and save it to {path}", test.url("/items"));
        let (session, of) = asked(&test, &words).await;
        let (given, back) = tokio::join!(yes(&test, &one, of), async {
            tokio::time::sleep(Duration::from_millis(15 * nth)).await;
            revoke(&test, &one, of.0).await
        });
        let ended = test.ended(session, given.unwrap().turn).await;
        let row = test.governor.store().approval(of.0).await.unwrap().unwrap();
        let is_stopped = row.revoked.is_some();
        assert_eq!(row.state, ApprovalState::Consumed);
        match &back {
            Ok(back) => assert_eq!((back.state, is_stopped), ("consumed", true)),
            Err(DecideError::NoYesOfYours | DecideError::NothingToRevoke { .. }) => {
                assert!(!is_stopped, "{back:?}");
            }
            Err(other) => panic!("{other:?}"),
        }
        assert_eq!(told(&test, session).await.len(), usize::from(is_stopped));
        let run = row.consumed_by.unwrap();
        let came_to = test.governor.store().execution(run).await.unwrap().unwrap().state;
        let is_done = came_to == ExecutionState::Succeeded;
        assert!(is_stopped || is_done, "{came_to:?}: {}", ended.text());
        assert!(!is_done || test.file(&path).is_some());
        let records = audited(&test, "approval.revoked").await;
        let record = records.iter().find(|record| record.body["approval"] == json!(of.0));
        assert_eq!(record.is_some(), is_stopped);
        let rulings = audited(&test, "decision").await;
        let behind = rulings.iter().filter(|ruling| {
            ruling.body["subject"]["execution"] == json!(run)
                && record.is_some_and(|record| ruling.seq > record.seq)
        });
        assert_eq!(behind.count(), 0, "a step began behind it");
    }
}

/// SQLite ends a transaction by itself where the disk is full.
const FULL: &str =
    "CREATE TRIGGER full BEFORE INSERT ON session_event BEGIN SELECT RAISE(ROLLBACK, 'full'); END";

/// Takes it back where there is no room for that: it is refused, with what to look at, and not on record.
async fn lost(test: &TestGovernor, one: &Principal, (session, id): (SessionId, ApprovalId)) {
    let db = test.intruder().await;
    db.execute_unprepared(FULL).await.unwrap();
    let lost = revoke(test, one, id).await;
    let Err(DecideError::Unavailable(why)) = &lost else { panic!("{lost:?}") };
    assert!(why.contains("nothing was written") && why.contains("check the disk"), "{why}");
    db.execute_unprepared("DROP TRIGGER full").await.unwrap();
    assert!(told(test, session).await.is_empty());
    assert_eq!(records(test, "approval.revoked").await, 0);
    let row = test.governor.store().approval(id).await.unwrap().unwrap();
    assert_eq!(row.revoked, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_a_yes_that_waits_for_others_counts_on() {
    let test = others(2).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (session, of) = asked(&test, "write 'x' to a.txt").await;
    let (one, other) = (test.principal(&min).await, test.principal(&han).await);
    yes(&test, &one, of).await.unwrap();
    lost(&test, &one, (session, of.0)).await;
    let last = yes(&test, &other, of).await.unwrap();
    let whole = Tally { given: 2, approvers: 2 };
    assert_eq!((last.state, last.tally), ("approved", Some(whole)));
    let done = test.ended(session, last.turn).await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));
}

/// The session falls with it and its run is let go of: nobody says that a yes was taken back before one is.
#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_a_run_is_not_said_to_be_stopped_by_a_revocation() {
    let test = others(1).await;
    let min = approver(&test, "min").await;
    let url = test.url("/orders");
    let words = format!("POST '{{\"sku\":\"A1\"}}' to {url} and save it to {SAVED}");
    let (session, of) = asked(&test, &words).await;
    test.shop.set_mode(SLOW);
    let one = test.principal(&min).await;
    yes(&test, &one, of).await.unwrap();
    until_asked(&test).await;
    lost(&test, &one, (session, of.0)).await;
    let execution = until(&test, session, ExecutionState::Indeterminate).await;
    assert!(told(&test, session).await.is_empty());

    let back = revoke(&test, &one, of.0).await.unwrap();
    assert_eq!(back.state, "consumed");
    let due = (one.user(), Some(execution), WHY.to_owned());
    assert_eq!(told(&test, session).await, [due]);
    resolve(&test, execution, Resolution::Happened).await.unwrap();
    until(&test, session, ExecutionState::Failed).await;
    let row = test.governor.store().execution(execution).await.unwrap().unwrap();
    let code = "APPROVAL_REVOKED".to_owned();
    assert_eq!(row.outcome, Some(RunOutcome::Failed { code }));
    assert_eq!((test.file(SAVED), test.shop.calls().len()), (None, 1));
}
