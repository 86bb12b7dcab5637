//! What a crate may take at most: a number that only falls.

use super::finding::{Finding, Rule};
use super::source::Source;

const FRONT_DOOR: &str = "crates/language/src/lib.rs";
/// Lines of `crates/language/src`, tests apart; 11,000 when it is built by stages (docs/language.md).
const LANGUAGE_LINES_MAX: usize = 20_122;

pub fn check(sources: &[Source<'_>]) -> Option<Finding> {
    let own = |source: &&Source<'_>| source.path.starts_with("crates/language/src/");
    let shipped = sources.iter().filter(own).filter(|source| !source.is_test);
    let lines: usize = shipped.map(Source::line_count).sum();
    let what = format!("{lines} lines, at most {LANGUAGE_LINES_MAX}: the crate only shrinks");
    (lines > LANGUAGE_LINES_MAX).then(|| Finding::new(FRONT_DOOR, 1, Rule::Budget, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_past_its_budget_is_found() {
        let text = "//! Doc.\n".repeat(LANGUAGE_LINES_MAX);
        let full = Source::read("crates/language/src/read.rs", &text);
        let tests = Source::read("crates/language/src/read/tests.rs", &text);
        let other = Source::read("crates/flow/src/lib.rs", &text);
        assert_eq!(check(&[full, tests, other]).map(|found| found.rule), None);
        let full = Source::read("crates/language/src/read.rs", &text);
        let more = Source::read("crates/language/src/lib.rs", "//! Doc.\n");
        assert_eq!(check(&[full, more]).map(|found| found.rule), Some(Rule::Budget));
    }
}
