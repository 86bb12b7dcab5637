//! The shape of Rust files: length, name, first line, front door, marks of
//! unfinished work.

use super::code::Code;
use super::finding::{Finding, Rule};
use super::source::Source;

pub const FILE_LINES_MAX: usize = 800;

/// Past this a file is reported, not refused.
pub const FILE_LINES_AIM: usize = 400;

const NAMELESS: [&str; 7] = ["mod", "util", "utils", "helper", "helpers", "common", "misc"];
const UNFINISHED_MACROS: [&str; 3] = ["todo", "unimplemented", "dbg"];
const UNFINISHED_WORDS: [&str; 2] = ["TODO", "FIXME"];

pub fn check(source: &Source<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(check_length(source));
    findings.extend(check_name(source));
    findings.extend(check_first_line(source));
    findings.extend(check_front_door(source));
    findings.extend(check_allow(source));
    findings.extend(check_unfinished(source));
    findings
}

fn check_length(source: &Source<'_>) -> Option<Finding> {
    let lines = source.line_count();
    let what = format!("{lines} lines, at most {FILE_LINES_MAX}: split it by noun");
    (lines > FILE_LINES_MAX)
        .then(|| Finding::new(source.path, FILE_LINES_MAX + 1, Rule::FileLength, what))
}

fn check_name(source: &Source<'_>) -> Option<Finding> {
    let mut parts = source.path.trim_end_matches(".rs").split('/');
    let part = parts.find(|part| NAMELESS.contains(part))?;
    let what = match part {
        "mod" => "one style of modules: `a.rs` with `a/`, and no `mod.rs`".to_owned(),
        part => format!("`{part}` names nothing: name it by what it holds"),
    };
    Some(Finding::new(source.path, 1, Rule::FileName, what))
}

fn check_first_line(source: &Source<'_>) -> Option<Finding> {
    let silent = !source.is_test && !source.text.starts_with("//!");
    silent.then(|| {
        let what = "begin with a `//!` line that says what the crate is for";
        Finding::new(source.path, 1, Rule::FileDoc, what)
    })
}

fn check_front_door(source: &Source<'_>) -> Vec<Finding> {
    if !source.path.ends_with("src/lib.rs") {
        return Vec::new();
    }
    let what = "`lib.rs` holds docs, `mod` and `use` only: move it to a crate of its own";
    let lines = items_but_mod_and_use(&source.shipped).into_iter();
    lines.map(|line| Finding::new(source.path, line, Rule::FrontDoor, what)).collect()
}

fn items_but_mod_and_use(code: &Code<'_>) -> Vec<usize> {
    let mut lines = Vec::new();
    let mut at = code.skip_attributes(0);
    while at < code.len() {
        let mut word = at;
        if code.text(word) == "pub" {
            word += 1;
            if code.text(word) == "(" {
                word = code.close(word) + 1;
            }
        }
        // A use tree has braces of its own and ends at the semicolon.
        let end = match code.text(word) {
            "use" => (word..code.len()).find(|&at| code.text(at) == ";").map(|at| at + 1),
            "mod" if code.text(word + 2) == ";" => Some(word + 3),
            ";" => Some(word + 1),
            _ => {
                lines.push(code.line(at));
                Some(code.item_end(word))
            }
        };
        at = code.skip_attributes(end.unwrap_or(code.len()).max(at + 1));
    }
    lines
}

fn check_allow(source: &Source<'_>) -> Vec<Finding> {
    let code = &source.all;
    let direct = code.find(&["[", "allow", "("]);
    let allows = direct.chain(code.find(&[",", "allow", "("]));
    let what = "write `#[expect(lint, reason = \"...\")]`: it tells when it is no longer needed";
    allows.map(|at| Finding::new(source.path, code.line(at), Rule::Allow, what)).collect()
}

fn check_unfinished(source: &Source<'_>) -> Vec<Finding> {
    let code = &source.all;
    let calls = code.find(&["!"]).filter(|&at| matches!(code.text(at + 1), "(" | "[" | "{"));
    let names = calls.filter_map(|at| at.checked_sub(1));
    let macros = names.filter(|&at| UNFINISHED_MACROS.contains(&code.text(at)));
    let macros = macros.map(|at| code.line(at));
    let comments = source.comments.iter().filter(|comment| {
        let mut words = comment.text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| UNFINISHED_WORDS.contains(&word))
    });
    let lines = macros.chain(comments.map(|comment| comment.line));
    let what = "finish it, or leave it out";
    lines.map(|line| Finding::new(source.path, line, Rule::Unfinished, what)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(path: &str, text: &str) -> Vec<(Rule, usize)> {
        let found = check(&Source::read(path, text)).into_iter();
        found.map(|finding| (finding.rule, finding.line)).collect()
    }

    #[test]
    fn a_file_has_at_most_800_lines() {
        let lines = |count: usize| format!("//! Doc.\n{}", "\n".repeat(count - 1));
        assert_eq!(rules("crates/flow/src/a.rs", &lines(800)), []);
        assert_eq!(rules("crates/flow/src/a.rs", &lines(801)), [(Rule::FileLength, 801)]);
    }

    #[test]
    fn a_name_says_something() {
        for path in ["crates/flow/src/utils.rs", "crates/flow/tests/common/mod.rs"] {
            assert_eq!(rules(path, "//! Doc."), [(Rule::FileName, 1)], "{path}");
        }
        assert_eq!(rules("crates/flow/src/utility_model.rs", "//! Doc."), []);
    }

    #[test]
    fn shipped_files_say_what_they_are_for() {
        assert_eq!(rules("crates/flow/src/a.rs", "// Doc."), [(Rule::FileDoc, 1)]);
        assert_eq!(rules("crates/flow/tests/it/main.rs", "fn a() {}"), []);
    }

    #[test]
    fn the_front_door_holds_nothing() {
        let clean = "//! Doc.\n#![deny(missing_docs)]\npub mod a;\nmod b;\npub(crate) use b::{c, \
                     d::e};\n#[cfg(test)]\nmod tests { fn a() {} }";
        assert_eq!(rules("crates/flow/src/lib.rs", clean), []);
        let full = "//! Doc.\nmod a;\n#[derive(Debug)]\npub struct B;\npub fn c() {}\nuse a::d;";
        let front = [(Rule::FrontDoor, 4), (Rule::FrontDoor, 5)];
        assert_eq!(rules("crates/flow/src/lib.rs", full), front);
        assert_eq!(rules("crates/flow/src/b.rs", full), []);
    }

    #[test]
    fn marks_of_unfinished_work_are_found_outside_strings() {
        let text = "//! Doc.\nfn a() { todo!() }\n// FIXME later\nconst B: &str = \"TODO\";\n\
                    #[allow(dead_code)]\n#[cfg_attr(test, allow(dead_code))]\nfn c() {}";
        let mut found = rules("crates/flow/src/a.rs", text);
        found.sort();
        assert_eq!(
            found,
            [(Rule::Allow, 5), (Rule::Allow, 6), (Rule::Unfinished, 2), (Rule::Unfinished, 3)]
        );
    }
}
