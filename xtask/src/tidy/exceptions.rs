//! `xtask/tidy-exceptions.toml`: accepted findings, each with its reason. The list only shrinks,
//! and an entry without a finding must go.

use serde::Deserialize;

use super::finding::{Finding, Rule};
use super::tree::Tree;
use crate::fault::Fault;

const FILE: &str = "xtask/tidy-exceptions.toml";

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    /// As many as are listed: only ever lowered.
    max: usize,
    #[serde(default)]
    exception: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    path: String,
    rule: String,
    reason: String,
}

/// Takes the accepted findings away and adds what is wrong with the list itself.
/// Answers how many exceptions there are, too.
pub fn apply(tree: &Tree, findings: Vec<Finding>) -> Result<(Vec<Finding>, usize), Fault> {
    let text = tree.find(FILE).map(|file| file.text.as_str());
    let list: Exceptions = text
        .map_or_else(|| Ok(Exceptions::default()), toml::from_str)
        .map_err(|error| format!("`{FILE}`: {error}"))?;
    let covers = |exception: &Exception, finding: &Finding| {
        exception.path == finding.path && Rule::parse(&exception.rule) == Some(finding.rule)
    };
    let (accepted, mut open): (Vec<Finding>, Vec<Finding>) = findings
        .into_iter()
        .partition(|finding| list.exception.iter().any(|exception| covers(exception, finding)));
    let mut complain = |line: usize, what: String| {
        open.push(Finding::new(FILE, line, Rule::Exception, what));
    };
    for exception in &list.exception {
        let Exception { path, rule, reason } = exception;
        let line = tree.line_starting(FILE, &format!("path = \"{path}\""));
        if Rule::parse(rule).is_none() {
            complain(line, format!("there is no rule `{rule}`"));
        } else if !accepted.iter().any(|finding| covers(exception, finding)) {
            complain(line, format!("`{path}` no longer breaks `{rule}`: take the entry out"));
        }
        if reason.trim().is_empty() {
            complain(line, format!("`{path}` gives no reason"));
        }
    }
    let (count, max) = (list.exception.len(), list.max);
    if count != max {
        complain(1, format!("{count} exceptions and `max = {max}`: they go together, downwards"));
    }
    Ok((open, count))
}

#[cfg(test)]
mod tests {
    use super::super::tree::TextFile;
    use super::*;

    fn left(list: &str) -> Vec<String> {
        let file = TextFile { path: FILE.into(), text: list.into() };
        let tree = Tree { root: "".into(), files: vec![file] };
        let findings = vec![Finding::new("a.rs", 3, Rule::Allow, "x")];
        let (left, _) = apply(&tree, findings).expect("the list is readable");
        left.iter().map(|finding| format!("{}:{}", finding.path, finding.rule.name())).collect()
    }

    #[test]
    fn an_exception_takes_its_finding_away() {
        let list = "max = 1\n[[exception]]\npath = \"a.rs\"\nrule = \"allow\"\nreason = \"why\"";
        assert_eq!(left(list), [""; 0]);
        assert_eq!(left("max = 0"), ["a.rs:allow"]);
    }

    #[test]
    fn a_list_that_is_not_exact_is_a_finding() {
        let entry = "[[exception]]\npath = \"a.rs\"\nrule = \"allow\"\nreason = \"why\"\n";
        let own = format!("{FILE}:exception");
        assert_eq!(left(&format!("max = 2\n{entry}")), [own.as_str()]);
        assert_eq!(left(&format!("max = 0\n{entry}")), [own.as_str()]);
        let unused = entry.replace("a.rs", "b.rs");
        assert_eq!(left(&format!("max = 1\n{unused}")), ["a.rs:allow", &own]);
        let unknown = entry.replace("allow", "everything");
        assert_eq!(left(&format!("max = 1\n{unknown}")), ["a.rs:allow", &own]);
    }
}
