//! Streams cost nothing once they are closed, and none is left without an end.

use crate::test_governor::TestGovernor;
use sea_orm::ConnectionTrait as _;
use std::time::Duration;
use wiiiv_governor::Live;

const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_streams_have_no_task() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    let mut open = Vec::new();
    for _ in 0..1_000 {
        open.push(test.governor.subscribe(session, None).await.unwrap());
    }
    assert!(tasks() <= before + 50, "{} tasks before, {} now", before, tasks());
    test.say(session, "hello").await;
    for told in &mut open {
        let first = tokio::time::timeout(PATIENCE, told.next()).await.expect("in time").unwrap();
        assert!(matches!(first, Live::Journalled(row) if row.seq == 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_put_down_ends_the_streams_of_its_turn() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    // The turn is accepted, and its question cannot be put on record.
    let db = test.intruder().await;
    let full = "CREATE TRIGGER full BEFORE INSERT ON approval \
                BEGIN SELECT RAISE(ROLLBACK, 'full'); END";
    db.execute_unprepared(full).await.unwrap();
    let mut told = test.governor.subscribe(session, None).await.unwrap();
    test.send(session, "write 'x' to a.txt").await.unwrap();
    let down = async { while !matches!(told.next().await.unwrap(), Live::Down) {} };
    let down = tokio::time::timeout(PATIENCE, down).await;
    assert!(down.is_ok(), "nobody said that the turn is over");

    db.execute_unprepared("DROP TRIGGER full").await.unwrap();
    let asked = test.say(session, "write 'y' to b.txt").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
}
