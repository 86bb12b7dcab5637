//! Idle sessions leave memory, and come back as they were.

use crate::test_governor::{Setup, TestGovernor};
use std::time::Duration;
use wiiiv_governor::GovernorConfig;

#[tokio::test(flavor = "multi_thread")]
async fn idle_sessions_are_put_to_rest_and_restored_event_for_event() {
    let many: usize = if std::env::var("WIIIV_LONG").is_ok() { 10_000 } else { 1_000 };
    let config = GovernorConfig { idle: Duration::from_millis(700), ..GovernorConfig::default() };
    let test = TestGovernor::with(Setup { config, memory: true, ..Setup::default() }).await;
    let mut sessions = Vec::new();
    for nth in 0..many {
        let session = test.session().await;
        if nth < 100 {
            let told = test.say(session, &format!("write 'x{nth}' to file-{nth}.txt")).await;
            assert_eq!(told.outcome, "pending", "{}", told.text());
        } else {
            test.governor.state(session).await.unwrap();
        }
        sessions.push(session);
    }
    let mut before = Vec::new();
    for session in sessions.iter().take(100) {
        let events = test.governor.store().journal(*session, 1).await.unwrap();
        before.push((test.governor.state(*session).await.unwrap(), events));
    }
    for _ in 0..100 {
        if test.governor.awake().await == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert_eq!(test.governor.awake().await, 0);
    for (session, (view, events)) in sessions.iter().zip(before) {
        let restored = test.governor.state(*session).await.unwrap();
        assert_eq!(restored.state, view.state);
        assert_eq!(restored.pending, view.pending);
        assert_eq!(test.governor.store().journal(*session, 1).await.unwrap(), events);
    }
    let done = test.say(sessions[7], "네").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("file-7.txt").as_deref(), Some("x7"));
}
