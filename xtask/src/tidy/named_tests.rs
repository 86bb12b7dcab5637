//! The page on security names the test that replays each attack: a test that is not there holds nothing.

use super::finding::{Finding, Rule};
use super::source::Source;
use super::tree::Tree;

const PAGE: &str = "docs/security.md";
/// Names of tests are sentences: shorter ones in backticks are something else.
const UNDERSCORES_MIN: usize = 3;

pub fn check(tree: &Tree, sources: &[Source<'_>]) -> Vec<Finding> {
    let Some(page) = tree.files.iter().find(|file| file.path == PAGE) else { return Vec::new() };
    let lines = page.text.lines().enumerate();
    let named = lines.flat_map(|(nth, line)| names(line).map(move |name| (nth + 1, name)));
    let absent = named.filter(|(_, name)| {
        let declared = format!("fn {name}(");
        !sources.iter().any(|source| source.text.contains(&declared))
    });
    let finding = |(line, name): (usize, &str)| {
        let what = format!("no test is called `{name}`: name the one that replays the attack");
        Finding::new(PAGE, line, Rule::NamedTest, what)
    };
    absent.map(finding).collect()
}

/// The last segment of what stands in backticks, where it reads as a test's name.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter_map(|text| {
        let name = text.rsplit([':', ' ']).next()?;
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let is_name = name.chars().all(is_word) && name.matches('_').count() >= UNDERSCORES_MIN;
        is_name.then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_test_is_named_by_its_last_segment() {
        let line = "| x | `store/src/a_b_c_d.rs` | `store: seals::a_head_that_moved`, `crash::*`, `no_test` |";
        assert_eq!(names(line).collect::<Vec<_>>(), ["a_head_that_moved"]);
    }
}
