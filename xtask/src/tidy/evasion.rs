//! Ways around the names that `authority` searches for: glob imports, renames, a type's path in
//! brackets, macros, files that no rule reads.

use super::code::Code;
use super::finding::{Finding, Rule};
use super::lexer::Kind;
use super::source::{OPENING, Source};
use std::collections::BTreeMap;
use std::ops::Range;

const GATE: [&str; 2] = ["gate", "wiiiv_gate"];
/// What an opening is made by, or is.
const OPENS: [&str; 3] = ["open", "Opened", "Registrar"];

/// Type and name of every associated function that takes a `Verifier` and makes its type.
pub type Constructors = BTreeMap<(String, String), String>;

pub fn check(source: &Source<'_>, constructors: &Constructors) -> Vec<Finding> {
    let code = &source.shipped;
    let mut found: Vec<(usize, Rule, String)> = Vec::new();
    if source.is_crate(&["gate", "store"]) || source.path == OPENING {
        found.extend(exported(code));
    } else {
        found.extend(openings(code));
    }
    if !source.is_crate(&["gate"]) && source.path != OPENING {
        found.extend(renamed(code, constructors));
    }
    found.extend(included(code));
    let finding = |(at, rule, what)| Finding::new(source.path, code.line(at), rule, what);
    found.into_iter().map(finding).collect()
}

/// What may open a gate hands that on to nobody: no glob and no name of it in public, and no macro, which
/// carries what it names to wherever it is used.
fn exported(code: &Code<'_>) -> Vec<(usize, Rule, String)> {
    let what =
        "what opens a gate is re-exported here: only `wiiiv::open` and the store may name it";
    let of_gate = |at: &usize| {
        let path = code.text(*at + 2);
        let end = code.item_end(*at);
        let mut words = (*at..end).map(|at| code.text(at));
        GATE.contains(&path) && words.any(|word| word == "*" || OPENS.contains(&word))
    };
    let uses = code.find(&["pub", "use"]).filter(of_gate);
    let uses = uses.map(|at| (at, Rule::Opening, what.to_owned()));
    let what = "a macro that is exported from here would open a gate wherever it is used";
    let macros = code.find(&["macro_export"]).map(|at| (at, Rule::Opening, what.to_owned()));
    uses.chain(macros).collect()
}

fn openings(code: &Code<'_>) -> Vec<(usize, Rule, String)> {
    let mut at: Vec<(usize, &str)> = Vec::new();
    for gate in GATE {
        let glob = "a glob import of the gate hides what is taken of it: name it";
        at.extend(code.find(&[gate, "::", "*"]).map(|at| (at, glob)));
        let group = "another name for the gate hides `open`: call it `gate`";
        for open in code.find(&[gate, "::", "{"]).map(|at| at + 2) {
            let end = code.close(open);
            let begins = |at: &usize| matches!(code.text(at - 1), "{" | ",");
            let globs = (open + 1..end).filter(|at| code.text(*at) == "*").filter(begins);
            at.extend(globs.map(|at| (at, glob)));
            let selves = code.find(&["self", "as"]).filter(|at| (open..end).contains(at));
            at.extend(selves.filter(|at| code.text(at + 2) != "gate").map(|at| (at, group)));
        }
        let pieces = "a macro that puts a path into the gate together: write the path";
        at.extend(code.find(&[gate, "::", "$"]).map(|at| (at, pieces)));
    }
    let pieces = "a macro that puts a path together of pieces: write the path";
    let variable = |at: &usize| at.checked_sub(2).is_some_and(|dollar| code.text(dollar) == "$");
    for joined in [["::", "open"], ["::", "$"]] {
        at.extend(code.find(&joined).filter(variable).map(|at| (at, pieces)));
    }
    for repeated in [[")", "::", "*"], [")", "::", "+"]] {
        at.extend(code.find(&repeated).map(|at| (at, pieces)));
    }
    at.into_iter().map(|(at, what)| (at, Rule::Opening, what.to_owned())).collect()
}

/// A constructor that takes a `Verifier`, by another name of its type.
fn renamed(code: &Code<'_>, constructors: &Constructors) -> Vec<(usize, Rule, String)> {
    let mut found = Vec::new();
    for (owner, name) in constructors.keys() {
        let (owner, name) = (owner.as_str(), name.as_str());
        let what = || format!("`{owner}::{name}` takes a `Verifier`: its type has one name");
        let (bracketed, other) = ([owner, ">", "::", name], [owner, "as"]);
        let alias = code.find(&["type"]).filter_map(|at| {
            let end = code.item_end(at);
            (at..end).find(|at| code.text(*at) == owner).filter(|_| code.text(at + 2) == "=")
        });
        let given = macro_calls(code).into_iter().filter_map(|call| {
            // `m!(Executors, new)`; the path itself is found where paths are.
            let bare = |at: &usize| code.text(*at) == owner && code.text(*at + 1) != "::";
            let at = call.clone().find(bare)?;
            call.clone().any(|at| code.text(at) == name).then_some(at)
        });
        let named = code.find(&other).chain(code.find(&bracketed)).chain(alias).chain(given);
        found.extend(named.map(|at| (at, Rule::Verifier, what())));
    }
    for (guarded, rule) in [("RuleBook", Rule::Replacement), ("PasswordCost", Rule::HashCost)] {
        let what = format!("`{guarded}` has one name");
        found.extend(code.find(&[guarded, "as"]).map(|at| (at, rule, what.clone())));
    }
    found
}

/// Between the brackets of `name!(..)`.
fn macro_calls(code: &Code<'_>) -> Vec<Range<usize>> {
    let called = |at: &usize| {
        let named = at.checked_sub(1).and_then(|before| code.get(before));
        let opens = matches!(code.text(at + 1), "(" | "[" | "{");
        opens && named.is_some_and(|token| token.kind == Kind::Word)
    };
    let calls = code.find(&["!"]).filter(called);
    calls.map(|at| at + 2..code.close(at + 1)).collect()
}

/// Code of another file, which no rule reads; what a build script has made is another matter.
fn included(code: &Code<'_>) -> Vec<(usize, Rule, String)> {
    let what = "code is included from a file that no rule reads: make it a module";
    let made = ["include", "!", "(", "concat", "!", "(", "env", "!"];
    let all = code.find(&["include", "!", "("]).filter(|at| !code.matches(*at, &made));
    all.map(|at| (at, Rule::Opening, what.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::authority;
    use super::*;

    fn rules(files: &[(&str, &str)]) -> Vec<Rule> {
        let sources: Vec<_> = files.iter().map(|(path, text)| Source::read(path, text)).collect();
        authority::check(&sources).into_iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn an_opening_is_seen_through_globs_names_and_macros() {
        for text in [
            "use wiiiv_gate::*;",
            "use wiiiv_gate::{Claim, *};",
            "use wiiiv_gate::{self as g};",
            "use wiiiv_gate::{self as g, Claim};",
            "extern crate wiiiv_gate as g;",
            "macro_rules! m { ($f:ident) => { wiiiv_gate::$f(book) } }",
            "macro_rules! m { ($c:ident) => { $c::open(book) } }",
            "macro_rules! m { ($c:ident, $f:ident) => { $c::$f(book) } }",
            "macro_rules! m { ($($t:ident)*) => { $($t)::*(book) } }",
            "m!(wiiiv_gate::open(book));",
            "include!(\"opening.in\");",
        ] {
            assert_eq!(rules(&[("crates/exec/src/file.rs", text)]), [Rule::Opening], "{text}");
            assert_eq!(rules(&[("crates/exec/tests/it/main.rs", text)]), [], "{text}");
        }
        for text in [
            "use wiiiv_gate::{self as gate, Claim};",
            "use wiiiv_gate::Claim as C;",
            "use std::collections::*;",
            "assert!(self.gate.is(x.open()));",
            "macro_rules! m { ($t:ty) => { $t::default() } }",
            "fn f() { file.open(gate) }",
            "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));",
        ] {
            assert_eq!(rules(&[("crates/exec/src/file.rs", text)]), [], "{text}");
        }
    }

    #[test]
    fn what_may_open_hands_it_on_to_nobody() {
        for text in [
            "pub use wiiiv_gate::*;",
            "pub use wiiiv_gate::{Claim, Registrar};",
            "pub use wiiiv_gate::open;",
            "#[macro_export] macro_rules! m { () => { wiiiv_gate::open() } }",
        ] {
            assert_eq!(rules(&[("crates/store/src/lib.rs", text)]), [Rule::Opening], "{text}");
        }
        let text = "use wiiiv_gate::{Registrar, open}; pub use wiiiv_gate::Claim;";
        assert_eq!(rules(&[("crates/store/src/lib.rs", text)]), []);
    }

    #[test]
    fn a_constructor_over_a_verifier_has_one_name() {
        let made = (
            "crates/exec/src/file.rs",
            "impl Executors { pub fn new(verifier: Verifier) -> Self { Self { verifier } } }",
        );
        for text in [
            "use wiiiv_exec::Executors as E;",
            "type E = wiiiv_exec::Executors;",
            "fn f() { <Executors>::new(v) }",
            "fn f() { <wiiiv_exec::Executors>::new(v) }",
            "fn f() { make!(Executors, new, v) }",
            "use wiiiv_exec::*; fn f() { Executors::new(v) }",
        ] {
            let found = rules(&[made, ("crates/governor/src/run.rs", text)]);
            assert_eq!(found, [Rule::Verifier], "{text}");
            assert_eq!(rules(&[made, (OPENING, text)]), [], "{text}");
        }
        let text = "struct D { e: Executors } fn f(e: &Executors) { assert!(e.new()) }";
        assert_eq!(rules(&[made, ("crates/governor/src/run.rs", text)]), []);
    }

    #[test]
    fn a_rule_book_and_a_password_cost_have_one_name() {
        let text = "use wiiiv_context::RuleBook as B;";
        assert_eq!(rules(&[("crates/governor/src/a.rs", text)]), [Rule::Replacement]);
        let text = "use crate::PasswordCost as C;";
        assert_eq!(rules(&[("crates/store/src/a.rs", text)]), [Rule::HashCost]);
    }
}
