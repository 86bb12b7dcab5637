//! A conversation in which requests were refused comes back from its last quiet point, with what was
//! refused, and from the first event where that is not what the journal tells of.

use crate::test_governor::TestGovernor;
use sea_orm::ConnectionTrait as _;
use wiiiv_domain::{
    EventBody, FlowInput, FlowLimits, HostRule, ReplyCode, Scheme, SessionEvent, SessionId,
};
use wiiiv_flow::FlowState;
use wiiiv_store::{AuditFilter, Chain, ReplayStart};

/// Enough for a quiet point behind them: each has a handful of events.
const TURNS: usize = 45;
/// Of the last turns.
const EVENTS_MAX: u64 = 230;

fn refused(nth: usize) -> String {
    format!("get https://nowhere{nth}.example/x and save it to x{nth}.json")
}

/// Most of its turns are refused.
async fn often_refused(test: &TestGovernor) -> SessionId {
    let session = test.session().await;
    for nth in 0..TURNS {
        let told = test.say(session, &refused(nth)).await;
        assert!(is_closed(&told.events), "{}", told.text());
    }
    for _ in 0..3 {
        test.say(session, "hello").await;
    }
    session
}

fn is_closed(events: &[SessionEvent]) -> bool {
    let no = |body: &EventBody| {
        matches!(body, EventBody::Replied { reply: ReplyCode::DacsNo { .. }, .. })
    };
    events.iter().any(|event| no(&event.body))
}

fn is_reviewed(events: &[SessionEvent]) -> bool {
    let verdict = |input: &FlowInput| matches!(input, FlowInput::Verdict { .. });
    events.iter().any(|event| match &event.body {
        EventBody::Input { input, .. } => verdict(input),
        _ => false,
    })
}

async fn start(test: &TestGovernor, session: SessionId) -> ReplayStart {
    test.governor.store().replay_start(session).await.unwrap()
}

/// The state that the whole journal gives, which has the hash of each of its events.
async fn whole(test: &TestGovernor, session: SessionId) -> FlowState {
    let store = test.governor.store();
    let salt = store.session(session).await.unwrap().unwrap().salt;
    let mut flow = FlowState::new(salt);
    for (seq, event) in store.journal(session, 1).await.unwrap() {
        if let EventBody::Input { input, state, .. } = event.body {
            flow = wiiiv_flow::step(&FlowLimits::default(), &flow, *input).0;
            assert_eq!(flow.hash(), state, "event {seq}");
        }
    }
    flow
}

async fn differed(test: &TestGovernor) -> usize {
    let kind = Some("session.replay_differed".to_owned());
    let filter = AuditFilter { kind, ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    test.governor.store().audit_search(chain, &filter).await.unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_refused_is_kept_where_the_replay_begins() {
    let test = TestGovernor::new().await;
    let session = often_refused(&test).await;
    let begins = start(&test, session).await;
    let kept = begins.refused.expect("a seed that can be read").closed.len();
    assert!(kept > 0 && kept <= TURNS, "{kept}");
    let next = test.governor.store().next_seq(session).await.unwrap();
    assert!(next - begins.from < EVENTS_MAX, "{} of {next} events", next - begins.from);

    let test = test.restarted().await;
    for nth in [0, TURNS / 2, TURNS - 1] {
        let again = test.say(session, &refused(nth)).await;
        assert!(is_closed(&again.events) && !is_reviewed(&again.events), "{}", again.text());
    }
    assert_eq!(whole(&test, session).await.refused().closed.len(), TURNS);
    assert_eq!(differed(&test).await, 0);

    let host = |host: String| HostRule {
        host,
        scheme: Some(Scheme::Https),
        port: None,
        private: false,
        idempotent_methods: Default::default(),
        idempotent_operations: Default::default(),
        read_operations: Default::default(),
    };
    test.change_policy(|policy| policy.allowed_hosts.push(host("nowhere0.example".to_owned())))
        .await;
    let test = test.restarted().await;
    let mended = test.say(session, &refused(0)).await;
    assert!(is_reviewed(&mended.events) && mended.asked().is_some(), "{}", mended.text());
    let flow = whole(&test, session).await;
    assert_eq!((flow.refused().closed.len(), flow.refused().reopened.len()), (0, TURNS - 1));
}

/// What no longer counts is no reason to read everything either.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_open_again_is_kept_too_and_told_of() {
    let test = TestGovernor::new().await;
    let session = often_refused(&test).await;
    test.change_policy(|policy| policy.allowed_paths.push("elsewhere".to_owned())).await;
    while start(&test, session).await.refused.unwrap_or_default().reopened.is_empty() {
        test.say(session, "hello").await;
    }
    let test = test.restarted().await;
    let told = test.say(session, &refused(1)).await;
    let reopened = |event: &SessionEvent| {
        matches!(&event.body, EventBody::Replied { reply: ReplyCode::Reopened { .. }, .. })
    };
    assert!(told.events.iter().any(reopened) && is_closed(&told.events), "{}", told.text());
    whole(&test, session).await;
    assert_eq!(differed(&test).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beginning_that_was_changed_is_found_and_everything_is_replayed() {
    let mut test = TestGovernor::new().await;
    let session = often_refused(&test).await;
    let changes = [
        "DELETE FROM replay_seed",
        "UPDATE replay_seed SET body = '{\"refused\":{},\"version\":1}'",
        "UPDATE replay_seed SET body = replace(body, '\"version\":1', '\"version\":2')",
        "UPDATE replay_seed SET body = x'00'",
        // Before the model's last answer: a turn was open there.
        "UPDATE session SET replay_from = (SELECT MAX(seq) FROM session_event \
         WHERE session_event.session = session.id AND body LIKE '%\"input\":\"proposed\"%')",
        "UPDATE session SET replay_from = 1",
        "UPDATE session SET replay_from = 1000000",
    ];
    for (nth, change) in changes.into_iter().enumerate() {
        let kept = start(&test, session).await;
        assert!(kept.from > 1 && !kept.refused.unwrap_or_default().closed.is_empty(), "{change}");
        test.intruder().await.execute_unprepared(change).await.unwrap();
        test = test.restarted().await;
        let again = test.say(session, &refused(nth)).await;
        assert!(is_closed(&again.events) && !is_reviewed(&again.events), "{change}");
        assert_eq!(differed(&test).await, nth + 1, "{change}");
        assert_eq!(whole(&test, session).await.refused().closed.len(), TURNS, "{change}");
        // Written anew.
        let mended = start(&test, session).await;
        assert_eq!(mended.refused.unwrap_or_default().closed.len(), TURNS, "{change}");
    }
}
