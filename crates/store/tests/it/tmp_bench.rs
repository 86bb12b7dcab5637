use crate::world::{World, accepted, ended, new_id, permissive};
use wiiiv_store::{Boundary, Point};
#[tokio::test(flavor = "multi_thread")]
async fn tmp_bench() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::on_disk(folder.path(), permissive()).await;
    let before = world.store.counters();
    let t = std::time::Instant::now();
    let mut appends = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let world = world.clone();
        appends.spawn(async move {
            for _ in 0..1 {
                let turn = new_id();
                for (p, e) in [(Point::T0, accepted(turn, world.user)), (Point::T2, ended(turn))] {
                    let b = Boundary::new(p)
                        .event(e)
                        .entry("turn.x", serde_json::json!({"turn": turn}));
                    world.store.append(&world.writer(), b).await.unwrap();
                }
            }
        });
    }
    appends.join_all().await;
    let a = world.store.counters();
    let n = a.boundaries - before.boundaries;
    println!(
        "APPEND {n} boundaries in {:?}, {} commits, {:.0} us each",
        t.elapsed(),
        a.commits - before.commits,
        t.elapsed().as_micros() as f64 / n as f64
    );
    let mut claims = Vec::new();
    let task = new_id();
    for _ in 0..4000 {
        claims.push(world.rule_call(task, 10).await.0);
    }
    let t = std::time::Instant::now();
    let mut commits = tokio::task::JoinSet::new();
    for c in claims {
        let world = world.clone();
        commits.spawn(async move {
            let _ = world
                .store
                .commit(
                    &world.writer(),
                    Boundary::new(Point::T0).event(accepted(new_id(), world.user)),
                    c,
                )
                .await
                .unwrap();
        });
    }
    commits.join_all().await;
    println!("CLAIM {:.0} us each", t.elapsed().as_micros() as f64 / 4000.0);
}
