//! Names that were retired, as each had several meanings or was none of the field (docs/glossary.md has
//! the product's own terms). Types and modules take the noun of what they hold.

use super::finding::{Finding, Rule};
use super::source::Source;

/// Built anew by stages; the rule holds for it from then on (docs/language.md).
const LATER: &str = "crates/language/";

/// As a module is written, and what says the same plainly.
const RETIRED: [(&str, &str); 24] = [
    ("asked", "`PendingQuestion`, or what was asked for"),
    ("book", "`PendingBoundary`, or what is listed"),
    ("desk", "what is written or read there"),
    ("down", "the fault, with its source"),
    ("echo", "`KeyRedaction`"),
    ("figures", "`totals`, or what is counted"),
    ("fixture", "a test's own `TestServer` or `TestStore`"),
    ("gauge", "`TokenLimits`"),
    ("heal", "`crash_recovery`"),
    ("healed", "`Recovered`"),
    ("heard", "`Interpretation`, or the stage's name"),
    ("held", "`ParkedTask`, or what is held"),
    ("house", "a test's own `TestServer`"),
    ("judge", "the proposal, the ruling, the check"),
    ("kept", "what is kept, as the table or the file calls it"),
    ("place", "`TaskPosition`, `Endpoint`, `SourcePosition`"),
    ("room", "`Runtime`, `TokenBudget`, `Crate`; space is `capacity`"),
    ("said", "`Utterance`"),
    ("shown", "`StreamFilter`, or what is shown"),
    ("slot", "`ModelSlot` of models, `Slots` of a task"),
    ("talk", "the conversation, the dialogue"),
    ("told", "`Interpretation`, or what a record names"),
    ("unit", "`WriteTransaction`"),
    ("world", "a test's own `TestStore`"),
];

const TYPES: [&str; 5] = ["struct", "enum", "trait", "type", "union"];

pub fn check(source: &Source<'_>) -> Vec<Finding> {
    if source.path.starts_with(LATER) {
        return Vec::new();
    }
    let module = source.path.trim_end_matches(".rs").rsplit('/').next().unwrap_or_default();
    let module = retired(module).map(|plain| finding(source, 1, module, plain));
    let code = &source.all;
    let declared = (0..code.len()).filter(|&at| TYPES.contains(&code.text(at)));
    let types = declared.filter_map(|at| {
        let name = code.text(at + 1);
        let is_type = name.starts_with(|first: char| first.is_ascii_uppercase());
        let plain = retired(&name.to_ascii_lowercase()).filter(|_| is_type)?;
        Some(finding(source, code.line(at), name, plain))
    });
    module.into_iter().chain(types).collect()
}

fn retired(name: &str) -> Option<&'static str> {
    RETIRED.iter().find(|(word, _)| *word == name).map(|(_, plain)| *plain)
}

fn finding(source: &Source<'_>, line: usize, name: &str, plain: &str) -> Finding {
    let what = format!("`{name}` is retired: name it by what it holds ({plain})");
    Finding::new(source.path, line, Rule::RetiredName, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&Source::read(path, text)).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn retired_types_and_modules_are_found_and_fields_are_not() {
        let text = "//! A place.\npub struct Room;\nenum Told { Asked }\ntype Held = u8;\n\
                    fn said(place: u8, held: Held) {}\nstruct HeldOut { kept: u8 }";
        assert_eq!(lines("crates/flow/src/a.rs", text), [2, 3, 4]);
        assert_eq!(lines("crates/flow/src/place.rs", "//! Doc."), [1]);
        assert_eq!(lines("crates/server/tests/it/world.rs", "//! Doc."), [1]);
        assert!(lines("crates/flow/src/task_position.rs", "//! Doc.").is_empty());
        assert!(lines("crates/language/src/told.rs", "//! Doc.\nstruct Told;").is_empty());
    }
}
