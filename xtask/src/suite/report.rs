//! The report at the end of a run: parts, slowest tests, and the sum in the last line.

use std::time::Instant;

use super::cost::{Cost, Stat};
use super::part::{Part, outcome};
use super::rust_tests::{Results, Slow};
use super::skips::Skip;

const SLOWEST_SHOWN: usize = 20;

pub struct Report {
    pub skips: Vec<Skip>,
    pub results: Results,
    parts: Vec<Part>,
    start: Instant,
}

impl Report {
    pub fn start(skips: Vec<Skip>) -> Self {
        Self { skips, results: Results::default(), parts: Vec::new(), start: Instant::now() }
    }

    pub fn add(&mut self, part: Part) {
        self.parts.push(part);
    }

    pub fn skip(&mut self, name: &str, reason: &str) {
        self.skips.push(Skip::new(name, reason));
    }

    /// Prints it; answers whether everything passed.
    pub fn close(mut self) -> bool {
        println!("==");
        println!("slowest tests:");
        for Slow { binary, timed } in self.results.slowest(SLOWEST_SHOWN) {
            println!("{:7.1} s  {binary}: {}", timed.took.as_secs_f64(), timed.test);
        }
        println!("what the tests counted:");
        self.results.figures.sort();
        self.results.figures.iter().for_each(|figure| println!("  {figure}"));
        println!("parts, some of them side by side:");
        for Part { name, passed, cost, .. } in &self.parts {
            println!("{name}: {}", outcome(*passed, *cost));
        }
        let whole = Cost {
            wall: self.start.elapsed(),
            cpu: Stat::of(std::process::id()).map(|stat| stat.cpu),
        };
        println!(
            "whole: {:.1} min ({whole}){}",
            whole.wall.as_secs_f64() / 60.0,
            self.build_share(whole)
        );
        for Skip { name, reason } in &self.skips {
            println!("{name}: not run ({reason})");
        }
        for test in &self.results.failing {
            println!("FAILED {test}");
        }
        let ran = self.parts.iter().any(|part| part.tally.passed + part.tally.failed > 0);
        if !ran {
            println!("test: no test was run");
        }
        println!("{}", summary(&self.parts, &self.skips));
        ran && self.parts.iter().all(|part| part.passed)
    }

    fn build_share(&self, whole: Cost) -> String {
        let built = self.parts.iter().filter(|part| BUILDS.contains(&part.name));
        let built =
            built.filter_map(|part| part.cost.cpu).map(|cpu| cpu.as_secs_f64()).sum::<f64>();
        match whole.cpu.map(|cpu| cpu.as_secs_f64()) {
            Some(cpu) if cpu > 0.0 => {
                format!(", builds {:.0} % of the CPU time", 100.0 * built / cpu)
            }
            _ => String::new(),
        }
    }
}

/// Parts in which the compiler does the work.
const BUILDS: [&str; 3] = ["build", "clippy", "doc tests"];

fn summary(parts: &[Part], skips: &[Skip]) -> String {
    let passed: usize = parts.iter().map(|part| part.tally.passed).sum();
    let failed: usize = parts.iter().map(Part::failures).sum();
    let ignored: usize = parts.iter().map(|part| part.tally.ignored).sum();
    format!("{passed} passed, {failed} failed, {} skipped", ignored + skips.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::tally::Tally;

    fn sum(passed: [bool; 2], tally: Tally) -> String {
        let clippy = Part { name: "clippy", passed: passed[0], ..Part::default() };
        let test = Part { name: "test", passed: passed[1], tally, ..Part::default() };
        summary(&[clippy, test], &[Skip::new("a", "b")])
    }

    #[test]
    fn failed_parts_and_tests_are_each_counted_once() {
        let tally = |failed| Tally { passed: 9, failed, ignored: 2 };
        assert_eq!(sum([true, true], tally(0)), "9 passed, 0 failed, 3 skipped");
        assert_eq!(sum([false, true], tally(0)), "9 passed, 1 failed, 3 skipped");
        assert_eq!(sum([true, false], tally(4)), "9 passed, 4 failed, 3 skipped");
        assert_eq!(sum([false, false], tally(4)), "9 passed, 5 failed, 3 skipped");
        assert_eq!(sum([true, false], tally(0)), "9 passed, 1 failed, 3 skipped");
    }

    #[test]
    fn a_run_without_a_test_has_not_passed() {
        let mut report = Report::start(Vec::new());
        report.add(Part { name: "fmt", passed: true, ..Part::default() });
        assert!(!report.close());
        let mut report = Report::start(Vec::new());
        let tally = Tally { passed: 1, ..Tally::default() };
        report.add(Part { name: "test", passed: true, tally, ..Part::default() });
        assert!(report.close());
    }
}
