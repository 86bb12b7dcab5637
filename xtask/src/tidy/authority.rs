//! Where authority may be made: openings of the gate, constructors that take a `Verifier`, new base
//! books; and the cost of password hashes, of which shipped code has one.

use super::evasion::{self, Constructors};
use super::finding::{Finding, Rule};
use super::function::functions;
use super::source::{OPENING, Source};

pub fn check(sources: &[Source<'_>]) -> Vec<Finding> {
    let constructors = verifier_constructors(sources);
    let mut findings = Vec::new();
    for source in sources {
        findings.extend(check_openings(source));
        findings.extend(check_verifiers(source, &constructors));
        findings.extend(check_rule_book(source));
        findings.extend(check_password_cost(source));
        findings.extend(evasion::check(source, &constructors));
    }
    findings
}

fn check_openings(source: &Source<'_>) -> Vec<Finding> {
    if source.is_crate(&["gate", "store"]) || source.path == OPENING {
        return Vec::new();
    }
    let code = &source.shipped;
    let mut lines: Vec<usize> = Vec::new();
    for path in code.paths() {
        let opens = path.segments.windows(2).any(|pair| {
            matches!(pair, ["gate" | "wiiiv_gate", "open"])
                || pair.iter().any(|word| matches!(*word, "Opened" | "Registrar"))
        });
        let lone = matches!(path.segments.as_slice(), ["Opened" | "Registrar"]);
        if opens || lone {
            lines.push(path.line);
        }
    }
    // Another name for the crate would hide `open` from this check.
    lines.extend(code.find(&["wiiiv_gate", "as"]).map(|at| code.line(at)));
    lines.extend(code.find(&[".", "registrar"]).map(|at| code.line(at)));
    let what = "openings and registrars live in gate, store and `wiiiv::open`: take what you need as an \
                argument";
    lines.into_iter().map(|line| Finding::new(source.path, line, Rule::Opening, what)).collect()
}

fn verifier_constructors(sources: &[Source<'_>]) -> Constructors {
    let mut found = Constructors::new();
    for source in sources.iter().filter(|source| !source.is_crate(&["gate"])) {
        let code = &source.shipped;
        for function in functions(code) {
            let Some(owner) = function.owner else { continue };
            let mut arguments = function.arguments.clone();
            let mut result = function.result.clone();
            let takes = arguments.any(|at| code.text(at) == "Verifier");
            let makes = result.any(|at| code.text(at) == "Self" || code.text(at) == owner);
            // A crate hands its own verifier on inside itself; what others can call counts.
            if takes && makes && function.public && !function.is_method(code) {
                found.insert((owner.to_owned(), function.name.to_owned()), source.path.to_owned());
            }
        }
    }
    found
}

fn check_verifiers(source: &Source<'_>, constructors: &Constructors) -> Vec<Finding> {
    if source.is_crate(&["gate"]) || source.path == OPENING {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for path in source.shipped.paths() {
        for pair in path.segments.windows(2) {
            let [owner, name] = pair else { continue };
            if constructors.contains_key(&((*owner).to_owned(), (*name).to_owned())) {
                let what =
                    format!("`{owner}::{name}` takes a `Verifier`: only `wiiiv::open` calls it");
                findings.push(Finding::new(source.path, path.line, Rule::Verifier, what));
            }
        }
    }
    findings
}

/// No exemption for test code: a rule book that a test replaced would pass for a real one.
fn check_rule_book(source: &Source<'_>) -> Vec<Finding> {
    if source.is_crate(&["context"]) || source.path == OPENING {
        return Vec::new();
    }
    let replaces = |segments: &[&str]| segments.windows(2).any(|p| p == ["RuleBook", "replaced"]);
    let paths = source.all.paths().into_iter().filter(|path| replaces(&path.segments));
    let what = "rule books are replaced in context and `wiiiv::open` only";
    paths.map(|path| Finding::new(source.path, path.line, Rule::Replacement, what)).collect()
}

/// A cheap hash is for tests, which make hundreds of accounts: no shipped code but the store's names
/// a cost, and the store makes none but the product's.
fn check_password_cost(source: &Source<'_>) -> Vec<Finding> {
    let in_store = source.is_crate(&["store"]);
    let names = |segments: &[&str]| match in_store {
        true => segments.windows(2).any(|pair| pair == ["PasswordCost", "new"]),
        false => segments.contains(&"PasswordCost"),
    };
    let paths = source.shipped.paths().into_iter().filter(|path| names(&path.segments));
    let what = "shipped code has the product's password cost; another one is for tests";
    paths.map(|path| Finding::new(source.path, path.line, Rule::HashCost, what)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(files: &[(&str, &str)]) -> Vec<(Rule, String, usize)> {
        let sources: Vec<_> = files.iter().map(|(path, text)| Source::read(path, text)).collect();
        let found = check(&sources).into_iter();
        found.map(|finding| (finding.rule, finding.path, finding.line)).collect()
    }

    #[test]
    fn an_opening_is_seen_in_every_spelling() {
        for text in [
            "fn f() { gate::open(b) }",
            "use wiiiv_gate::{open, Claim};",
            "use wiiiv_gate as g;",
            "fn f(r: &Registrar) {}",
            "fn f(r: wiiiv_gate::Registrar) {}",
            "fn f(o: X) { o.registrar }",
            "fn f() -> Opened { x }",
        ] {
            let found = rules(&[("crates/exec/src/file.rs", text)]);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            for allowed in ["crates/store/src/a.rs", "crates/exec/tests/it/main.rs", OPENING] {
                assert_eq!(rules(&[(allowed, text)]), [], "{allowed}: {text}");
            }
        }
        assert_eq!(rules(&[("crates/exec/src/file.rs", "// gate::open\nf(\"Registrar\")")]), []);
    }

    #[test]
    fn verifier_constructors_are_called_in_main_only() {
        let made = (
            "crates/exec/src/file.rs",
            "impl<'a> FileExecutor<'a> { pub fn new(root: Dir, verifier: Verifier) -> \
             Result<Self, E> { Self { root, verifier } } pub fn go(&self, v: Verifier) -> Self {} }",
        );
        let call = "fn f() { exec::FileExecutor::new(a, b); FileExecutor::go(x, y) }";
        assert_eq!(
            rules(&[made, ("crates/governor/src/run.rs", call)]),
            [(Rule::Verifier, "crates/governor/src/run.rs".to_owned(), 1)]
        );
        assert_eq!(rules(&[made, (OPENING, call), ("crates/governor/src/run/tests.rs", call)]), []);
    }

    #[test]
    fn a_password_cost_is_named_by_the_store_and_by_tests() {
        for text in [
            "use wiiiv_store::{PasswordCost, Store};",
            "fn f() { wiiiv_store::PasswordCost::new(64, 1) }",
            "fn f() { StoreConfig { password_cost: PasswordCost::PRODUCT, ..c } }",
        ] {
            let found = rules(&[(OPENING, text)]);
            assert_eq!(found, [(Rule::HashCost, OPENING.to_owned(), 1)], "{text}");
            assert_eq!(rules(&[("crates/server/tests/it/test_server.rs", text)]), [], "{text}");
        }
        let store = "crates/store/src/config.rs";
        assert_eq!(rules(&[(store, "fn f() { PasswordCost::PRODUCT }")]), []);
        let found = rules(&[(store, "fn f() { PasswordCost::new(64, 1) }")]);
        assert_eq!(found, [(Rule::HashCost, store.to_owned(), 1)]);
    }

    #[test]
    fn rule_books_are_replaced_in_two_places() {
        let text = "fn f() { RuleBook::replaced(rules) }";
        assert_eq!(rules(&[("crates/context/src/rules.rs", text), (OPENING, text)]), []);
        assert_eq!(rules(&[("crates/governor/tests/it/main.rs", text)]).len(), 1);
    }
}
