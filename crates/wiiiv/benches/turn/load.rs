//! One round: so many connections, each with one request at a time, until the server has spent its
//! CPU seconds.

use crate::process::Process;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

const LOOK_EVERY: Duration = Duration::from_millis(100);
/// A server that spends no CPU ends the round all the same.
const ROUND_TIME_MAX: Duration = Duration::from_secs(120);
const TURNS_END: usize = usize::MAX / 2;

/// When a round ends.
#[derive(Clone, Copy)]
pub enum Stop {
    CpuSeconds(f64),
    Turns(usize),
}

pub struct Round {
    /// One a turn, ascending.
    latency_ms: Vec<f64>,
    cpu_seconds: f64,
    seconds: f64,
}

impl Round {
    /// `act` is handed its connection and the number of the turn on it, both from 0.
    pub async fn run<F, T>(process: &Process, connections: usize, stop: Stop, act: F) -> Self
    where
        F: Fn(usize, usize) -> T,
        T: Future<Output = ()>,
    {
        let turns_max = match stop {
            Stop::CpuSeconds(_) => TURNS_END,
            Stop::Turns(turns) => turns,
        };
        // Turns begun so far, or `TURNS_END` and more: nothing begins any more.
        let begun = AtomicUsize::new(0);
        let act = &act;
        let begun = &begun;
        let one = |connection: usize| async move {
            let mut latencies = Vec::new();
            while begun.fetch_add(1, Ordering::Relaxed) < turns_max {
                let start = Instant::now();
                act(connection, latencies.len()).await;
                latencies.push(start.elapsed().as_secs_f64() * 1_000.0);
            }
            latencies
        };
        let (cpu, start) = (process.cpu_seconds(), Instant::now());
        let watch = async {
            let Stop::CpuSeconds(seconds) = stop else { return };
            while process.cpu_seconds() - cpu < seconds && start.elapsed() < ROUND_TIME_MAX {
                tokio::time::sleep(LOOK_EVERY).await;
            }
            begun.store(TURNS_END, Ordering::Relaxed);
        };
        let all = futures::future::join_all((0..connections).map(one));
        let (all, ()) = futures::join!(all, watch);
        let seconds = start.elapsed().as_secs_f64();
        let cpu_seconds = process.cpu_seconds() - cpu;
        let mut latency_ms: Vec<f64> = all.into_iter().flatten().collect();
        latency_ms.sort_by(f64::total_cmp);
        Self { latency_ms, cpu_seconds, seconds }
    }

    pub fn turns(&self) -> usize {
        self.latency_ms.len()
    }
    pub fn cpu_us(&self) -> f64 {
        self.cpu_seconds * 1e6 / self.turns() as f64
    }
    pub fn turns_per_second(&self) -> f64 {
        self.turns() as f64 / self.seconds
    }
    /// `share` of the turns took at most so long: 0.5 is the median.
    pub fn latency_ms(&self, share: f64) -> f64 {
        let last = self.latency_ms.len() - 1;
        self.latency_ms[((last as f64) * share).round() as usize]
    }
}

pub fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.into_iter().collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
