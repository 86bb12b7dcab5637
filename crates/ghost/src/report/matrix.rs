//! One line a scenario and variant, one letter a repeat.

use crate::{player::RunReport, verdict::Verdict};
use std::collections::BTreeMap;

/// `.` PASS, `~` PARTIAL, `F` FAIL, `E` ERROR; then how many of the repeats passed.
#[must_use]
pub fn matrix(reports: &[RunReport]) -> Vec<String> {
    let mut lines: BTreeMap<String, Vec<&RunReport>> = BTreeMap::new();
    for report in reports {
        lines.entry(report.name()).or_default().push(report);
    }
    let width = lines.keys().map(|name| name.chars().count()).max().unwrap_or_default();
    let line = |(name, mut runs): (String, Vec<&RunReport>)| {
        runs.sort_by_key(|run| run.repeat);
        let letters: String = runs.iter().map(|run| letter(&run.verdict)).collect();
        let good = runs.iter().filter(|run| run.verdict.is_good()).count();
        let longest = runs.iter().map(|run| run.duration_ms).max().unwrap_or_default();
        let gap = " ".repeat(width.saturating_sub(name.chars().count()));
        format!("{name}{gap}  {letters}  {good}/{}  {longest} ms", runs.len())
    };
    lines.into_iter().map(line).collect()
}

const fn letter(verdict: &Verdict) -> char {
    match verdict {
        Verdict::Pass => '.',
        Verdict::Partial { .. } => '~',
        Verdict::Fail { .. } => 'F',
        Verdict::Error { .. } => 'E',
    }
}
