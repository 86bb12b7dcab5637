//! A halt while something is in flight: no effect after it, and it is told so; nothing begins until a
//! person begins it after the end of the halt.

use crate::{
    jobs::{house_of, talk},
    test_governor::{TestGovernor, now},
};
use futures::{FutureExt as _, future::join_all};
use serde_json::json;
use std::time::{Duration, Instant};
use wiiiv_domain::{EventBody, HaltScope, RunOutcome, SessionId, TurnId};
use wiiiv_fakes::{FakeModel, ModelMode, ShopMode};
use wiiiv_gate::Principal;
use wiiiv_governor::{DecideError, Decision, HaltError, Live};
use wiiiv_store::{AuditFilter, AuditRow, Chain, HaltRefused, Role};

/// Within which nothing new begins any more.
const AT_ONCE: Duration = Duration::from_secs(2);
/// Sessions that are starting work while the switch falls, and how long one begins behind the other.
const MANY: usize = 24;
const APART: Duration = Duration::from_millis(5);

/// An administrator's, for that scope.
async fn root(test: &TestGovernor, scope: HaltScope) -> Principal {
    let store = test.governor.store();
    let nth = now().unix_ms().to_string();
    let policy = crate::test_governor::policy(&test.shop);
    let person = wiiiv_testkit::person(store, &format!("root{nth}"), true, policy).await;
    store.authenticate(&person.token, scope.project(), now()).await.unwrap()
}

fn scopes(test: &TestGovernor, session: SessionId) -> [HaltScope; 3] {
    let project = test.project;
    [HaltScope::Session { project, session }, HaltScope::Project(project), HaltScope::Server]
}

async fn asked(test: &TestGovernor, session: SessionId) -> Decision {
    let text = format!("POST '{{\"sku\":\"A1\"}}' to {}", test.url("/orders"));
    let told = test.say(session, &text).await;
    Decision::Approve { digest: told.asked().unwrap_or_else(|| panic!("{}", told.text())).1 }
}

async fn pending(test: &TestGovernor, session: SessionId) -> wiiiv_domain::ApprovalId {
    test.governor.state(session).await.unwrap().pending.unwrap().0
}

async fn kinds(test: &TestGovernor, chain: Chain) -> Vec<String> {
    let all = AuditFilter::default();
    let rows = test.governor.store().audit_search(chain, &all).await.unwrap();
    rows.into_iter().map(|row| row.kind).filter(|kind| kind.contains("halted")).collect()
}

async fn records(test: &TestGovernor, kind: &str) -> Vec<AuditRow> {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    test.governor.store().audit_search(chain, &filter).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_halt_of_each_scope_stops_a_step_in_flight() {
    let test = TestGovernor::new().await;
    for nth in 0..3 {
        let session = test.session().await;
        let scope = scopes(&test, session)[nth];
        let who = root(&test, scope).await;
        let yes = asked(&test, session).await;
        let approval = pending(&test, session).await;
        test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
        let calls = test.shop.calls().len();
        let owner = test.principal(&test.owner).await;
        let decided = test.governor.decide(&owner, approval, yes).await.unwrap();
        while test.shop.calls().len() == calls {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let begun = Instant::now();
        test.governor.halts().halt(&who, scope, "smoke").await.unwrap();
        let ended = test.ended(session, decided.turn).await;
        assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
        let runs = test.governor.store().runs_of(session).await.unwrap();
        assert!(runs.is_empty(), "none succeeded");
        // The request had gone out: nobody knows what it did, as with a cancel.
        assert!(matches!(ended.outcome.as_str(), "pending" | "error"), "{}", ended.text());
        let orders = test.shop.orders().len();
        // A request that is sent now begins nothing.
        test.shop.set_mode(ShopMode::Answer);
        let told = test.say(session, "POST '{}' to the shop").await;
        assert!(told.text().contains("halted"), "{}", told.text());
        assert_eq!(told.outcome, "denied");
        assert_eq!(test.shop.calls().len(), calls + 1);
        assert_eq!(test.shop.orders().len(), orders);
        test.governor.halts().resume(&who, scope, "toast").await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(test.shop.calls().len(), calls + 1, "nothing goes on by itself");
    }
    let project = kinds(&test, Chain::Project(test.project)).await;
    assert_eq!(project.len(), 2, "{project:?}");
    assert_eq!(kinds(&test, Chain::Server).await, ["server.halted"]);
}

/// Read alone, without the name of its chain.
#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_a_halt_names_what_was_halted() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let who = test.principal(&test.owner).await;
    for scope in &scopes(&test, session)[..2] {
        test.governor.halts().halt(&who, *scope, "smoke").await.unwrap();
        test.governor.halts().resume(&who, *scope, "toast").await.unwrap();
    }
    let of_session = json!(session);
    for (kind, named) in [
        ("session.halted", Some(&of_session)),
        ("session.resumed", Some(&of_session)),
        ("project.halted", None),
        ("project.resumed", None),
    ] {
        let row = records(&test, kind).await.remove(0);
        assert_eq!(row.body["project"], json!(test.project), "{kind}");
        assert_eq!(row.body.get("session"), named, "{kind}");
    }
}

/// Some have started, some are about to, and some have not said yes yet. In the project's chain, which is one
/// order for all of them, nothing is allowed behind the halt, and nothing reaches the shop that was not.
#[tokio::test(flavor = "multi_thread")]
async fn of_many_that_are_starting_at_once_none_starts_behind_the_halt() {
    let test = TestGovernor::new().await;
    let mut waiting = Vec::new();
    for _ in 0..MANY {
        let session = test.session().await;
        let yes = asked(&test, session).await;
        waiting.push((session, pending(&test, session).await, yes));
    }
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    let who = test.principal(&test.owner).await;
    let (governor, who) = (&test.governor, &who);
    let starts = waiting.into_iter().zip(0..).map(|((session, approval, yes), nth)| async move {
        tokio::time::sleep(APART * nth).await;
        (session, governor.decide(who, approval, yes).await)
    });
    let halt = async {
        while test.shop.calls().len() < MANY / 4 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let scope = HaltScope::Project(test.project);
        governor.halts().halt(who, scope, "smoke").await.unwrap();
        Instant::now()
    };
    let (started, answered) = tokio::join!(join_all(starts), halt);
    let mut refused = 0;
    for (session, decided) in started {
        match decided {
            Ok(decided) => {
                test.ended(session, decided.turn).await;
            }
            Err(why) => {
                assert!(matches!(why, DecideError::Halted), "{why:?}");
                refused += 1;
            }
        }
    }
    let rest = answered.elapsed();
    let calls = test.shop.calls().len();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(test.shop.calls().len(), calls, "nothing goes on by itself");
    let halted = records(&test, "project.halted").await[0].seq;
    let mut allowed = records(&test, "decision").await;
    allowed.retain(|row| row.body["outcome"] == "ALLOW");
    let late: Vec<_> = allowed.iter().filter(|row| row.seq > halted).collect();
    assert!(late.is_empty(), "allowed behind the halt: {late:?}");
    let steps = allowed.iter().filter(|row| row.body["subject"]["kind"] == "step").count();
    assert!((MANY / 4..=steps).contains(&calls), "{calls} calls of {steps} steps");
    assert!(test.shop.orders().len() <= calls);
    println!(
        "figure: a halt among {MANY} that start: {steps} had started, {refused} were refused their yes, at rest \
         after {:.2} s",
        rest.as_secs_f64()
    );
}

/// Between two steps: the second is not begun, and the run ends with the code.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_ends_with_the_code_and_tells_so_in_its_language() {
    for (text, yes, told) in [
        ("{} 조회해서 report.json 에 저장해줘", "네", "정지"),
        ("get {} and save it to report.json", "yes", "halted"),
    ] {
        let test = TestGovernor::new().await;
        let session = test.session().await;
        let scope = scopes(&test, session)[0];
        let asked = test.say(session, &text.replace("{}", &test.url("/items"))).await;
        assert_eq!(asked.outcome, "pending", "{}", asked.text());
        test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
        let turn = test.send(session, yes).await.unwrap();
        while test.shop.calls().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let who = test.principal(&test.owner).await;
        test.governor.halts().halt(&who, scope, "smoke").await.unwrap();
        let ended = test.ended(session, turn).await;
        assert!(ended.text().contains("HALTED") && ended.text().contains(told), "{}", ended.text());
        assert_eq!(test.file("report.json"), None);
        assert_eq!(test.shop.count("GET", "/items"), 1);
        let all = AuditFilter { kind: Some("execution.finished".into()), ..AuditFilter::default() };
        let chain = Chain::Project(test.project);
        let rows = test.governor.store().audit_search(chain, &all).await.unwrap();
        let outcome = RunOutcome::Failed { code: "HALTED".to_owned() };
        assert_eq!(rows[0].body["outcome"], json!(outcome));
    }
}

/// Whoever halted hung up at once: what is in flight is stopped all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_halt_whose_caller_hangs_up_is_carried_out() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let who = test.principal(&test.owner).await;
    let yes = asked(&test, session).await;
    let approval = pending(&test, session).await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    let decided = test.governor.decide(&who, approval, yes).await.unwrap();
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let scope = scopes(&test, session)[0];
    assert!(test.governor.halts().halt(&who, scope, "smoke").now_or_never().is_none());
    test.ended(session, decided.turn).await;
    let runs = test.governor.store().runs_of(session).await.unwrap();
    assert!(runs.is_empty(), "the step was waited for");
    assert_eq!(kinds(&test, Chain::Project(test.project)).await, ["session.halted"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_in_flight_is_cut_off_and_what_waited_behind_it_is_answered() {
    let slow = ModelMode::Slow(Duration::from_secs(20), talk());
    let model = FakeModel::spawn(slow).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let turn = test.send(session, "hello").await.unwrap();
    while model.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let governor = test.governor.clone();
    let owner = test.principal(&test.owner).await;
    let waiting = {
        let owner = owner.clone();
        tokio::spawn(async move {
            let words = wiiiv_governor::Incoming::words("write 'x' to z.txt".to_owned(), None);
            governor.submit(&owner, session, words).await
        })
    };
    while test.governor.state(session).await.unwrap().queued == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let begun = Instant::now();
    let scope = scopes(&test, session)[1];
    test.governor.halts().halt(&owner, scope, "smoke").await.unwrap();
    let first = test.ended(session, turn).await;
    assert!(first.text().contains("halted"), "{}", first.text());
    let second: TurnId = waiting.await.unwrap().unwrap();
    let second = test.ended(session, second).await;
    assert!(begun.elapsed() < AT_ONCE);
    assert!(second.text().contains("halted"), "{}", second.text());
    assert!(
        second.events.iter().any(|event| matches!(&event.body,
        EventBody::TurnAccepted { text, .. } if text.contains("z.txt"))),
        "it is not lost"
    );
    assert_eq!(model.calls().len(), 1);
    assert_eq!(test.used().await.open, 0, "the hold is settled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_stays_and_its_yes_has_no_effect_until_it_is_given_again() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let scope = scopes(&test, session)[0];
    let yes = asked(&test, session).await;
    let approval = pending(&test, session).await;
    let who = test.principal(&test.owner).await;
    test.governor.halts().halt(&who, scope, "smoke").await.unwrap();
    let refused = test.governor.decide(&who, approval, yes.clone()).await;
    assert!(matches!(refused, Err(DecideError::Halted)), "{refused:?}");
    let typed = test.say(session, "yes").await;
    assert!(typed.text().contains("halted"), "{}", typed.text());
    // Also behind a restart.
    let test = test.restarted().await;
    assert_eq!(pending(&test, session).await, approval);
    let who = test.principal(&test.owner).await;
    let refused = test.governor.decide(&who, approval, yes.clone()).await;
    assert!(matches!(refused, Err(DecideError::Halted)), "{refused:?}");
    test.governor.halts().resume(&who, scope, "toast").await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(test.shop.orders().len(), 0, "nothing goes on by itself");
    let decided = test.governor.decide(&who, approval, yes).await.unwrap();
    let done = test.ended(session, decided.turn).await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.shop.orders().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_and_a_cancel_are_taken_under_a_halt() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let who = test.principal(&test.owner).await;
    asked(&test, session).await;
    let scope = scopes(&test, session)[0];
    test.governor.halts().halt(&who, scope, "smoke").await.unwrap();
    test.say(session, "cancel").await;
    assert_eq!(test.governor.state(session).await.unwrap().pending, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_watches_is_told_and_only_of_what_concerns_it() {
    let test = TestGovernor::new().await;
    let (here, there) = (test.session().await, test.session().await);
    let mut told = test.governor.subscribe(here, None).await.unwrap();
    let mut other = test.governor.subscribe(there, None).await.unwrap();
    let who = test.principal(&test.owner).await;
    let scope = scopes(&test, here)[0];
    test.governor.halts().halt(&who, scope, "smoke").await.unwrap();
    assert!(matches!(told.next().await.unwrap(), Live::Halts));
    test.governor.halts().resume(&who, scope, "toast").await.unwrap();
    assert!(matches!(told.next().await.unwrap(), Live::Halts));
    let nothing = tokio::time::timeout(Duration::from_millis(100), other.next()).await;
    assert!(nothing.is_err(), "{nothing:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_halt_and_resume_what() {
    let test = TestGovernor::new().await;
    let store = test.governor.store();
    let policy = crate::test_governor::policy(&test.shop);
    let editor = wiiiv_testkit::person(store, "editor", false, policy.clone()).await;
    let roles = [Role::Editor].into();
    store.set_roles(test.project, editor.user, roles, test.owner.user).await.unwrap();
    let (owner, editor) = (test.principal(&test.owner).await, test.principal(&editor).await);
    let mine = store.create_session(test.project, editor.user(), "mine", now()).await.unwrap().id;
    let theirs = test.session().await;
    let halts = test.governor.halts();
    let of = |session| HaltScope::Session { project: test.project, session };
    // Somebody else's conversation looks like a missing one.
    for session in [theirs, uuid::Uuid::now_v7().into()] {
        let refused = halts.halt(&editor, of(session), "x").await;
        assert!(matches!(refused, Err(HaltError::NotFound)), "{refused:?}");
    }
    for scope in [HaltScope::Project(test.project)] {
        let refused = halts.halt(&editor, scope, "x").await;
        assert!(matches!(refused, Err(HaltError::NotAllowed)), "{refused:?}");
    }
    let refused = halts.halt(&owner, HaltScope::Server, "x").await;
    assert!(matches!(refused, Err(HaltError::NotFound)), "of no project: {refused:?}");
    halts.halt(&editor, of(mine), "x").await.unwrap();
    halts.resume(&editor, of(mine), "y").await.unwrap();
    halts.halt(&owner, of(mine), "x").await.unwrap();
    let refused = halts.resume(&editor, of(mine), "y").await;
    let by_another = HaltRefused::HaltedByAnother;
    assert!(
        matches!(&refused, Err(HaltError::Refused(why)) if why.to_string() == by_another.to_string()),
        "{refused:?}"
    );
    halts.resume(&owner, of(mine), "y").await.unwrap();
}
