//! Progress of a suite: one line on standard error, if that is a terminal.

use std::io::{self, IsTerminal as _, Write as _};
use wiiiv_ghost::RunReport;

/// Of the bar, in characters.
const WIDTH: usize = 24;
const CLEAR_LINE: &str = "\r\x1b[2K";

pub struct Progress {
    total: usize,
    done: usize,
    bad: usize,
    shown: bool,
}

impl Progress {
    pub fn of(total: usize) -> Self {
        Self { total, done: 0, bad: 0, shown: io::stderr().is_terminal() }
    }

    pub fn take(&mut self, report: &RunReport) {
        self.done += 1;
        self.bad += usize::from(!report.verdict.is_good());
        if self.shown {
            let filled = WIDTH * self.done / self.total.max(1);
            let bar = format!("{}{}", "#".repeat(filled), "-".repeat(WIDTH - filled.min(WIDTH)));
            let (done, total, bad) = (self.done, self.total, self.bad);
            let verdict = report.verdict.name();
            self.say(&format!(
                "{CLEAR_LINE}[{bar}] {done}/{total} !{bad} {} {verdict}",
                report.name()
            ));
        }
    }

    pub fn end(&self) {
        if self.shown {
            self.say(CLEAR_LINE);
        }
    }

    /// A terminal that is gone is no reason to stop.
    fn say(&self, text: &str) {
        let mut err = io::stderr().lock();
        let _ = write!(err, "{text}");
        let _ = err.flush();
    }
}
