//! A database that refuses: nothing is told as kept, and it goes on when it can.

use crate::world::{World, accepted, new_id, permissive};
use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection};
use std::path::Path;
use wiiiv_store::{Boundary, Point, StoreError};

/// A second connection, as somebody with the file has it.
async fn intruder(folder: &Path) -> DatabaseConnection {
    let url = format!("sqlite:{}?mode=rw", folder.join("wiiiv.db").display());
    Database::connect(url).await.unwrap()
}

fn said(world: &World) -> Boundary {
    Boundary::new(Point::T0)
        .event(accepted(new_id(), world.user))
        .entry("turn.accepted", serde_json::json!({}))
}

#[tokio::test]
async fn what_only_grows_cannot_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::on_disk(folder.path(), permissive()).await;
    world.store.append(&world.writer(), said(&world)).await.unwrap();
    let chain = wiiiv_store::Chain::Project(world.project);
    world.store.checkpoint_now(chain).await.unwrap();
    let db = intruder(folder.path()).await;
    for sql in [
        "UPDATE audit_record SET line = ''",
        "DELETE FROM audit_record",
        "UPDATE audit_checkpoint SET line = ''",
        "DELETE FROM audit_checkpoint",
        "UPDATE session_event SET body = ''",
        "DELETE FROM session_event",
    ] {
        let refused = db.execute_unprepared(sql).await.unwrap_err().to_string();
        assert!(refused.contains("append-only"), "{sql}: {refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_database_refuses_and_later_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::on_disk(folder.path(), permissive()).await;
    let db = intruder(folder.path()).await;
    db.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let refused = world.store.append(&world.writer(), said(&world)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable { .. })), "{refused:?}");
    assert!(world.store.journal(world.session, 1).await.unwrap().is_empty(), "reads go on");
    db.execute_unprepared("ROLLBACK").await.unwrap();
    world.store.append(&world.writer(), said(&world)).await.unwrap();
    assert_eq!(world.store.journal(world.session, 1).await.unwrap().len(), 1);
}

/// Fills the disk, as far as this file is concerned: every insert into the journal fails as SQLite
/// fails it when a write to the file fails, by ending the whole transaction.
#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_the_database_ends_takes_all_in_it_and_nothing_after() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::on_disk(folder.path(), permissive()).await;
    let db = intruder(folder.path()).await;
    db.execute_unprepared(
        "CREATE TRIGGER full BEFORE INSERT ON open_turn BEGIN SELECT RAISE(ROLLBACK, 'full'); END",
    )
    .await
    .unwrap();
    let mut appends = tokio::task::JoinSet::new();
    for n in 0..20 {
        let world = world.clone();
        appends.spawn(async move {
            // Every other one would go through alone.
            let boundary = Boundary::new(Point::T1).entry("test.said", serde_json::json!({}));
            let boundary =
                if n % 2 == 0 { boundary } else { boundary.event(accepted(new_id(), world.user)) };
            world.store.append(&world.writer(), boundary).await
        });
    }
    let answers = appends.join_all().await;
    let kept = answers.iter().filter(|answer| answer.is_ok()).count();
    assert!(answers.iter().all(|a| matches!(a, Ok(()) | Err(StoreError::Unavailable { .. }))));
    let filter = wiiiv_store::AuditFilter { kind: Some("test.said".into()), ..Default::default() };
    let chain = wiiiv_store::Chain::Project(world.project);
    assert_eq!(world.store.audit_search(chain, &filter).await.unwrap().len(), kept);
    assert!(world.store.journal(world.session, 1).await.unwrap().is_empty());

    db.execute_unprepared("DROP TRIGGER full").await.unwrap();
    world.store.append(&world.writer(), said(&world)).await.unwrap();
    assert_eq!(world.store.journal(world.session, 1).await.unwrap().len(), 1);
}
