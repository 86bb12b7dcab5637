//! Commits are shared, and neighbours in one do not hurt each other.

use crate::test_store::{TestStore, accepted, new_id, permissive};
use wiiiv_domain::ApprovalId;
use wiiiv_store::{Boundary, Point, StoreError, Write};

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_appends_share_commits() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    // The audit's head is signed once behind an opening, which is a boundary too.
    sixty_four_appends(&test).await;
    let before = test.store.counters();
    sixty_four_appends(&test).await;
    let after = test.store.counters();
    let boundaries = after.boundaries - before.boundaries;
    let commits = after.commits - before.commits;
    assert_eq!(boundaries, 256);
    assert!(commits * 4 < boundaries, "{commits} commits for {boundaries} boundaries");
    assert_eq!(test.store.journal(test.session, 1).await.unwrap().len(), 512);
}

/// Of four boundaries each.
async fn sixty_four_appends(test: &TestStore) {
    let mut appends = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let test = test.clone();
        appends.spawn(async move {
            for point in [Point::T0, Point::T1, Point::S1, Point::T2] {
                let event = accepted(new_id(), test.user);
                let boundary = Boundary::new(point).event(event);
                test.store.append(&test.writer(), boundary).await.unwrap();
            }
        });
    }
    appends.join_all().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_one_leaves_its_neighbours_whole() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let mut appends = tokio::task::JoinSet::new();
    for n in 0..60 {
        let test = test.clone();
        appends.spawn(async move {
            let mut boundary = Boundary::new(Point::T1)
                .event(accepted(new_id(), test.user))
                .entry("turn.accepted", serde_json::json!({ "n": n }));
            if n % 3 == 0 {
                // Refused after the event's and the record's place were taken.
                boundary = boundary.write(Write::ExpireApproval { id: new_id::<ApprovalId>() });
            }
            match test.store.append(&test.writer(), boundary).await {
                Ok(_) => true,
                Err(StoreError::NotFound { what: "approval" }) => false,
                Err(other) => panic!("{other}"),
            }
        });
    }
    let kept = appends.join_all().await.into_iter().filter(|kept| *kept).count();
    assert_eq!(kept, 40);
    let events = test.store.journal(test.session, 1).await.unwrap();
    assert_eq!(
        events.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(),
        (1..=40).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a_boundary_without_a_session_takes_no_events() {
    let test = TestStore::memory(permissive()).await;
    let boundary = Boundary::new(Point::P).event(accepted(new_id(), test.user));
    let refused = test.store.append(&wiiiv_store::Writer::Server, boundary).await;
    assert!(matches!(refused, Err(StoreError::NeedsSession { .. })), "{refused:?}");
}
