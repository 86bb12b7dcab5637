//! How the cost of a turn grows: with the turns of its session, with idle sessions, with
//! connections, with projects, and with the audit rows that are stored; and how long a session takes
//! to come back after a restart.

use crate::{
    governed::{Governed, PROJECTS, Session, TEXT, model},
    load::{Round, Stop, median},
    options::{Options, THIS_BUILD},
};
use std::time::Instant;
use tempfile::TempDir;
use wiiiv_fakes::FakeModel;

/// Turns that are measured at each point of the first curve.
const WINDOW: usize = 100;
const TURN_MARKS: [usize; 4] = [10, 100, 500, 1_000];
/// Sessions that grow side by side: one alone would not fill the CPU seconds of a window.
const GROWING: usize = 4;
const IDLE_MARKS: [usize; 3] = [10, 1_000, 20_000];
const PROJECT_MARKS: [usize; 3] = [10, 1_000, 10_000];
const AUDIT_MARKS: [i64; 2] = [100_000, 1_000_000];
const CONNECTION_MARKS: [usize; 5] = [1, 4, 16, 64, 256];

/// Turns of the sessions that come back; the first is what the others are compared with.
const RESTART_MARKS: [usize; 4] = [1, 10, 100, 1_000];
/// Of so many turns one is refused, each for another address.
const REFUSED_EVERY: usize = 10;

pub async fn print(options: &Options) {
    let connections = options.connections[0];
    println!("CPU µs a turn at {connections} connections, median of {} rounds", options.rounds);
    concurrency(options).await;
    turns_in_a_session().await;
    projects(options).await;
    idle_sessions(options).await;
    audit_rows(options).await;
    restarts(options).await;
}

/// A server of its own, so that no curve stands on what another one left.
struct Grown<'a> {
    governed: Governed,
    options: &'a Options,
    /// What the first mark took.
    first: Option<f64>,
    _kept: (FakeModel, TempDir),
}

impl<'a> Grown<'a> {
    async fn start(options: &'a Options, projects: usize) -> Self {
        let model = model().await;
        let folder = tempfile::tempdir().expect("a folder");
        let governed = Governed::with_projects(projects, THIS_BUILD, &model, folder.path()).await;
        Self { governed, options, first: None, _kept: (model, folder) }
    }

    async fn rounds(&self) -> Vec<f64> {
        let connections = self.options.connections[0];
        let mut figures = Vec::new();
        for _ in 0..self.options.rounds {
            let sessions = self.governed.sessions(connections).await;
            let stop = Stop::CpuSeconds(self.options.cpu_seconds);
            figures.push(self.governed.round(&sessions, connections, stop).await.cpu_us());
        }
        figures
    }

    async fn point(&mut self, mark: i64) {
        let figure = median(self.rounds().await);
        let first = *self.first.get_or_insert(figure);
        println!("  {mark:>8}  {figure:8.0}  {:.2} of the first", figure / first);
    }
}

async fn concurrency(options: &Options) {
    println!("concurrency");
    let grown = Grown::start(options, PROJECTS).await;
    for connections in CONNECTION_MARKS {
        let sessions = grown.governed.sessions(connections).await;
        let stop = Stop::CpuSeconds(options.cpu_seconds);
        print_round(connections, &grown.governed.round(&sessions, connections, stop).await);
    }
}

async fn projects(options: &Options) {
    println!("projects");
    let mut open = PROJECT_MARKS[0];
    let mut grown = Grown::start(options, open).await;
    for mark in PROJECT_MARKS {
        grown.governed.open_projects(open..mark).await;
        open = mark;
        grown.point(mark as i64).await;
    }
}

async fn idle_sessions(options: &Options) {
    println!("idle sessions");
    let mut grown = Grown::start(options, PROJECTS).await;
    let mut open = 0;
    for mark in IDLE_MARKS {
        grown.governed.open_sessions(mark - open).await;
        open = mark;
        grown.point(mark as i64).await;
    }
}

pub async fn audit_rows(options: &Options) {
    println!("audit rows stored");
    let mut grown = Grown::start(options, PROJECTS).await;
    grown.point(grown.governed.audit_rows()).await;
    for mark in AUDIT_MARKS {
        while grown.governed.audit_rows() < mark {
            grown.rounds().await;
        }
        grown.point(grown.governed.audit_rows()).await;
    }
}

/// From the first request that wakes a session to its answer.
pub async fn restarts(options: &Options) {
    println!(
        "restart of a session of N turns, one of {REFUSED_EVERY} refused: ms of the first request, \
         median of {} restarts",
        options.rounds
    );
    let model = model().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut governed = Governed::start(THIS_BUILD, &model, folder.path()).await;
    governed.go_offline().await;
    let sessions = governed.own_sessions(RESTART_MARKS.len() + 1).await;
    let (first, sessions) = sessions.split_first().expect("a session");
    grow(&governed, first, 1).await;
    for (session, turns) in sessions.iter().zip(RESTART_MARKS) {
        grow(&governed, session, turns).await;
    }
    let mut taken = vec![Vec::new(); RESTART_MARKS.len()];
    for _ in 0..options.rounds {
        governed = governed.restarted(&model);
        // What every first request pays for.
        governed.looked_at(first).await;
        for (session, taken) in sessions.iter().zip(&mut taken) {
            let start = Instant::now();
            governed.looked_at(session).await;
            taken.push(start.elapsed().as_secs_f64() * 1_000.0);
        }
    }
    let taken: Vec<f64> = taken.into_iter().map(median).collect();
    for (turns, ms) in RESTART_MARKS.iter().zip(&taken) {
        println!("  {turns:>8}  {ms:8.1}  {:+.1} against the first", ms - taken[0]);
    }
}

async fn grow(governed: &Governed, session: &Session, turns: usize) {
    for nth in 0..turns {
        if nth % REFUSED_EVERY == REFUSED_EVERY / 2 {
            let text = format!("get https://nowhere{nth}.example/x and save it to x.json");
            let ended = governed.said(session, &text).await;
            assert_eq!(ended, "denied", "turn {nth}");
        } else {
            governed.said(session, TEXT).await;
        }
    }
}

async fn turns_in_a_session() {
    println!(
        "turns in a session ({GROWING} sessions side by side, {WINDOW} turns of each measured)"
    );
    let model = model().await;
    let folder = tempfile::tempdir().expect("a folder");
    let governed = Governed::start(THIS_BUILD, &model, folder.path()).await;
    let sessions = governed.open_sessions(GROWING).await;
    let mut done = 0;
    for mark in TURN_MARKS {
        let before = mark.saturating_sub(WINDOW / 2).saturating_sub(done);
        governed.round(&sessions, GROWING, Stop::Turns(before * GROWING)).await;
        let round = governed.round(&sessions, GROWING, Stop::Turns(WINDOW * GROWING)).await;
        done += before + WINDOW;
        print_round(mark, &round);
    }
}

fn print_round(mark: usize, round: &Round) {
    println!(
        "  {mark:>8}  {:8.0}  p50 {:.2} ms, {:.0} turns/s",
        round.cpu_us(),
        round.latency_ms(0.5),
        round.turns_per_second()
    );
}
