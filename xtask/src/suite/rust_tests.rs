//! Runs test executables in parallel: most of their time they wait for disk, clock and network, not
//! for a processor.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread;

use super::binaries::Binary;
use super::child::{self, Errors};
use super::cost::Cost;
use super::part::{Log, outcome, show};
use super::tally::{Runner, Tally};
use super::times::{Timed, Times};
use crate::fault::Fault;

/// Executables that run at the same time.
const SIDE_BY_SIDE: usize = 2;
/// Tests at the same time in each of them.
const THREADS: usize = 2;
/// libtest says so of a test that may be stuck: nobody should wait for the rest to see it.
const STUCK: &str = "has been running for over";

/// What a test prints behind it is told in the report too, such as how many cases were tried.
const FIGURE: &str = "figure: ";

/// What every executable is run with.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub arguments: Vec<String>,
    pub environment: Vec<(&'static str, String)>,
}

#[derive(Default)]
pub struct Results {
    pub passed: bool,
    pub slow: Vec<Slow>,
    /// Of the tests that failed, with their binary's name.
    pub failing: Vec<String>,
    /// What the tests counted, with their binary's name.
    pub figures: Vec<String>,
    tally: Tally,
    cost: Cost,
}

/// One test, or one executable, and its minutes.
pub struct Slow {
    pub binary: String,
    pub timed: Timed,
}

/// Runs them all; each one's output is shown when it has ended.
pub fn run(binaries: Vec<Binary>, settings: &Settings, log: &mut Log) -> Results {
    let waiting = Mutex::new(VecDeque::from(binaries));
    let results = Mutex::new(Results { passed: true, ..Results::default() });
    thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                while let Some(binary) = next(&waiting) {
                    let result = run_one(&binary, settings).unwrap_or_else(|fault| {
                        show(&format!("-- {}: {fault}\n", binary.name), b"");
                        Results::default()
                    });
                    if let Ok(mut results) = results.lock() {
                        results.add(result);
                    }
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_default();
    log.tally = results.tally;
    log.add_cpu(results.cost.cpu);
    results
}

fn next(waiting: &Mutex<VecDeque<Binary>>) -> Option<Binary> {
    waiting.lock().ok()?.pop_front()
}

fn run_one(binary: &Binary, settings: &Settings) -> Result<Results, Fault> {
    let mut command = binary.command(THREADS);
    command.arg("--show-output").args(&settings.arguments);
    command.envs(settings.environment.iter().cloned());
    let (mut text, mut tally, mut times) = (Vec::new(), Tally::default(), Times::default());
    let (mut of_passed, mut figures) = (false, Vec::new());
    let ended = child::run(&mut command, Errors::Collected, |line| {
        let words = String::from_utf8_lossy(&line.bytes);
        if words.contains(STUCK) {
            show(&format!("-- {}: {words}", binary.name), b"");
        }
        // What tests that passed have printed stands between these lines: of it, figures alone are kept.
        match words.trim_end() {
            "successes:" => of_passed = true,
            "failures:" => of_passed = false,
            ended if ended.starts_with("test result: ") => of_passed = false,
            printed if of_passed => {
                let figure = printed.strip_prefix(FIGURE);
                figures.extend(figure.map(|figure| format!("{}: {figure}", binary.name)));
                return;
            }
            _ => {}
        }
        tally.add(Runner::Cargo, words.trim_end());
        times.add(words.trim_end(), line.at);
        text.extend_from_slice(&line.bytes);
    })?;
    show(&format!("-- {}: {}\n", binary.name, outcome(ended.success, ended.cost)), &text);
    let timed = times.timed(THREADS).into_iter();
    let failing = times.failing().map(|test| format!("{}: {test}", binary.name));
    Ok(Results {
        passed: ended.success,
        failing: failing.collect(),
        figures,
        slow: timed.map(|timed| Slow { binary: binary.name.clone(), timed }).collect(),
        tally,
        cost: ended.cost,
    })
}

impl Results {
    fn add(&mut self, other: Self) {
        self.passed &= other.passed;
        self.slow.extend(other.slow);
        self.failing.extend(other.failing);
        self.figures.extend(other.figures);
        self.tally += other.tally;
        self.cost += other.cost;
    }

    /// The longest ones first.
    pub fn slowest(&mut self, count: usize) -> &[Slow] {
        self.slow.sort_by_key(|slow| std::cmp::Reverse(slow.timed.took));
        self.slow.get(..count).unwrap_or(&self.slow)
    }
}
