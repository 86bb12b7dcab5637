//! The time of each test, from when its binary printed the results.
//!
//! libtest prints times only on a nightly. It starts tests in the order of their names, one for
//! each thread, and the next one when one ends: so the n-th end gives the start of the test n
//! places after the first ones.

use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Debug, Default)]
pub struct Times {
    start: Duration,
    ended: Vec<(String, Duration)>,
    failed: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    pub test: String,
    pub took: Duration,
}

const OK: &str = "ok";
const FAILED: &str = "FAILED";

impl Times {
    pub fn add(&mut self, line: &str, at: Duration) {
        if line.starts_with("running ") && self.ended.is_empty() {
            self.start = at;
            return;
        }
        let Some((test, outcome)) =
            line.strip_prefix("test ").and_then(|line| line.rsplit_once(" ... "))
        else {
            return;
        };
        let is_ignored = outcome.starts_with("ignored");
        if is_ignored || [OK, FAILED].contains(&outcome) {
            self.ended.push((test.to_owned(), at));
        }
        if outcome == FAILED {
            self.failed.push(test.to_owned());
        }
    }

    pub fn failing(&self) -> impl Iterator<Item = &str> {
        self.failed.iter().map(String::as_str)
    }

    pub fn timed(&self, threads: usize) -> Vec<Timed> {
        let mut by_name: BTreeMap<&str, Duration> = BTreeMap::new();
        by_name.extend(self.ended.iter().map(|(test, at)| (test.as_str(), *at)));
        let starts =
            std::iter::repeat_n(self.start, threads).chain(self.ended.iter().map(|(_, at)| *at));
        let timed = by_name.into_iter().zip(starts);
        let timed = timed.map(|((test, end), start)| Timed {
            test: test.to_owned(),
            took: end.saturating_sub(start),
        });
        timed.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(lines: &[(&str, u64)]) -> Times {
        let mut times = Times::default();
        for (line, seconds) in lines {
            times.add(line, Duration::from_secs(*seconds));
        }
        times
    }

    #[test]
    fn a_test_begins_when_a_thread_is_free() {
        let times = times(&[
            ("running 4 tests", 1),
            ("test b ... ok", 3),
            ("test c ... ignored, long: hours", 3),
            ("test a ... FAILED", 6),
            ("test d ... ok", 10),
            ("test result: FAILED. 2 passed; 1 failed; 1 ignored", 10),
        ]);
        let took =
            |test: &str, seconds| Timed { test: test.into(), took: Duration::from_secs(seconds) };
        assert_eq!(times.failing().collect::<Vec<_>>(), ["a"]);
        assert_eq!(times.timed(2), [took("a", 5), took("b", 2), took("c", 0), took("d", 7)]);
    }

    #[test]
    fn one_thread_does_one_after_the_other() {
        let times = times(&[("running 2 tests", 0), ("test a ... ok", 2), ("test b ... ok", 7)]);
        let seconds: Vec<u64> = times.timed(1).iter().map(|timed| timed.took.as_secs()).collect();
        assert_eq!(seconds, [2, 5]);
    }
}
