//! How the cost of a turn grows: with the turns of its session, with idle sessions, with
//! connections, with projects, and with the audit rows that are stored.

use crate::{
    governed::{Governed, model},
    load::{Round, Stop, median},
    options::{Options, THIS_BUILD},
};

/// Turns that are measured at each point of the first curve.
const WINDOW: usize = 100;
const TURN_MARKS: [usize; 4] = [10, 100, 500, 1000];
/// Sessions that grow side by side: one alone would not fill the CPU seconds of a window.
const GROWING: usize = 4;
const IDLE_MARKS: [usize; 4] = [10, 100, 1_000, 5_000];
const PROJECT_MARKS: [usize; 3] = [100, 300, 1_000];
const CONNECTION_MARKS: [usize; 5] = [1, 4, 16, 64, 256];

pub async fn print(options: &Options) {
    let model = model().await;
    let folder = tempfile::tempdir().expect("a folder");
    let governed = Governed::start(THIS_BUILD, &model, folder.path()).await;
    let connections = options.connections[0];
    let fresh = || async {
        let sessions = governed.sessions(connections).await;
        let stop = Stop::CpuSeconds(options.cpu_seconds);
        governed.round(&sessions, connections, stop).await.cpu_us()
    };
    let usual = || async {
        let mut figures = Vec::new();
        for _ in 0..options.rounds {
            figures.push(fresh().await);
        }
        median(figures)
    };
    println!("CPU µs a turn at {connections} connections, median of {} rounds", options.rounds);
    let first = usual().await;
    println!("audit rows stored");
    println!("  {:>8}  {first:8.0}", governed.audit_rows());
    println!("concurrency");
    for connections in CONNECTION_MARKS {
        let sessions = governed.sessions(connections).await;
        let stop = Stop::CpuSeconds(options.cpu_seconds);
        let round = governed.round(&sessions, connections, stop).await;
        point(connections, &round);
    }
    println!("idle sessions");
    let mut open = 0;
    for mark in IDLE_MARKS {
        governed.open_sessions(mark - open).await;
        open = mark;
        println!("  {mark:>8}  {:8.0}", fresh().await);
    }
    println!("projects");
    let mut projects = PROJECT_MARKS[0];
    for mark in PROJECT_MARKS {
        governed.open_projects(projects..mark).await;
        projects = mark;
        println!("  {mark:>8}  {:8.0}", fresh().await);
    }
    println!("audit rows stored");
    println!("  {:>8}  {:8.0}", governed.audit_rows(), usual().await);
    turns_in_a_session(&governed).await;
}

async fn turns_in_a_session(governed: &Governed) {
    println!(
        "turns in a session ({GROWING} sessions side by side, {WINDOW} turns of each measured)"
    );
    let sessions = governed.open_sessions(GROWING).await;
    let mut done = 0;
    for mark in TURN_MARKS {
        let before = mark.saturating_sub(WINDOW / 2).saturating_sub(done);
        governed.round(&sessions, GROWING, Stop::Turns(before * GROWING)).await;
        let round = governed.round(&sessions, GROWING, Stop::Turns(WINDOW * GROWING)).await;
        done += before + WINDOW;
        point(mark, &round);
    }
}

fn point(mark: usize, round: &Round) {
    println!(
        "  {mark:>8}  {:8.0}  p50 {:.2} ms, {:.0} turns/s",
        round.cpu_us(),
        round.latency_ms(0.5),
        round.turns_per_second()
    );
}
