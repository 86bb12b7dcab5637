//! Modules of one crate must not import each other in a circle; shared items go into a third.
//!
//! Reads tokens: each path that begins in the crate is followed to the module that declares the
//! name, through re-exports. A declaration or re-export of a child is not an import.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Finding, Rule};
use super::imports::{Import, imports};
use super::source::Source;

/// Re-exports that a name may pass through.
const HOPS_MAX: usize = 16;

/// From the crate's root.
type ModulePath<'a> = Vec<&'a str>;

struct Module<'a> {
    source: &'a Source<'a>,
    imports: BTreeMap<&'a str, Import<'a>>,
}

#[derive(Default)]
struct Crate<'a> {
    modules: BTreeMap<ModulePath<'a>, Module<'a>>,
}

/// The lines where a module names something of another one.
type Edges<'a> = BTreeMap<&'a ModulePath<'a>, BTreeMap<&'a ModulePath<'a>, usize>>;

pub fn check(sources: &[Source<'_>]) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Crate<'_>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.is_test) {
        let Some((folder, file)) = source.path.split_once("/src/") else { continue };
        let (path, module) = module(file, source);
        crates.entry(folder).or_default().modules.insert(path, module);
    }
    crates.values().flat_map(|krate| circles(krate, &krate.edges())).collect()
}

fn module<'a>(file: &'a str, source: &'a Source<'a>) -> (ModulePath<'a>, Module<'a>) {
    let mut segments: ModulePath<'_> = file.trim_end_matches(".rs").split('/').collect();
    if matches!(segments.as_slice(), ["lib" | "main"]) {
        segments.clear();
    }
    let imports = imports(&source.shipped).into_iter().map(|import| (import.name, import));
    (segments, Module { source, imports: imports.collect() })
}

impl<'a> Crate<'a> {
    fn edges(&self) -> Edges<'_> {
        let mut edges = Edges::new();
        for (from, module) in &self.modules {
            let to = edges.entry(from).or_default();
            let mut note = |path: &[&'a str], line: usize| {
                if let Some(target) = self.owner(from, path, HOPS_MAX).filter(|to| *to != from) {
                    to.entry(target).or_insert(line);
                }
            };
            for import in module.imports.values().filter(|import| !import.exported) {
                note(&import.path, import.line);
            }
            for path in module.source.shipped.paths_of_code() {
                let head = path.segments.first().copied().unwrap_or_default();
                match (module.imports.get(head), path.segments.len()) {
                    (Some(import), _) => note(&import.path, path.line),
                    // A lone word that is no import may be anything.
                    (None, 0 | 1) => {}
                    (None, _) => note(&path.segments, path.line),
                }
            }
        }
        edges
    }

    /// The module that declares what `path` names, as it is written in `at`. `None`: not of this crate.
    fn owner(&self, at: &[&'a str], path: &[&'a str], hops: usize) -> Option<&ModulePath<'a>> {
        let absolute = self.absolute(at, path)?;
        let depth = (0..=absolute.len()).rev();
        let known = depth.filter_map(|depth| absolute.get(..depth));
        let (place, module) = known.filter_map(|path| self.modules.get_key_value(path)).next()?;
        let rest = absolute.get(place.len()..).unwrap_or_default();
        let Some((name, after)) = rest.split_first() else { return Some(place) };
        match module.imports.get(name) {
            Some(import) if hops > 0 => {
                let mut path = import.path.clone();
                path.extend(after);
                self.owner(place, &path, hops - 1)
            }
            Some(_) | None => Some(place),
        }
    }

    fn absolute(&self, at: &[&'a str], path: &[&'a str]) -> Option<ModulePath<'a>> {
        let (mut base, mut rest) = (at.to_vec(), path);
        match rest.split_first()? {
            (&"crate", after) => (base, rest) = (Vec::new(), after),
            (&"self", after) => rest = after,
            (&"super", _) => {
                while let Some((&"super", after)) = rest.split_first() {
                    base.pop()?;
                    rest = after;
                }
            }
            (child, _) => {
                let below: ModulePath<'_> = at.iter().copied().chain([*child]).collect();
                self.modules.get(&below)?;
            }
        }
        base.extend(rest);
        Some(base)
    }
}

/// One finding a circle, where its first module names the next.
fn circles(krate: &Crate<'_>, edges: &Edges<'_>) -> Vec<Finding> {
    let reach: BTreeMap<_, _> = edges.keys().map(|from| (*from, reachable(edges, from))).collect();
    let mut done: BTreeSet<&ModulePath<'_>> = BTreeSet::new();
    let mut findings = Vec::new();
    for (from, reached) in &reach {
        if !reached.contains(from) || done.contains(from) {
            continue;
        }
        let back = |to: &&&ModulePath<'_>| reach.get(**to).is_some_and(|back| back.contains(from));
        let members: Vec<&ModulePath<'_>> = reached.iter().filter(back).copied().collect();
        done.extend(&members);
        let circle = shortest(edges, from);
        let line = circle.get(1).and_then(|next| edges.get(from)?.get(next)).copied();
        let name = |module: &&ModulePath<'_>| match module.as_slice() {
            [] => "the root".to_owned(),
            path => format!("`{}`", path.join("::")),
        };
        let circle = circle.iter().map(name).collect::<Vec<_>>().join(" imports ");
        let what = format!(
            "{} modules import each other: {circle}; move what both need to a module of its own",
            members.len()
        );
        let path = krate.modules.get(*from).map_or("", |module| module.source.path);
        findings.push(Finding::new(path, line.unwrap_or(1), Rule::Circle, what));
    }
    findings
}

fn reachable<'a>(edges: &Edges<'a>, from: &ModulePath<'a>) -> BTreeSet<&'a ModulePath<'a>> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&ModulePath<'_>> =
        edges.get(from).into_iter().flat_map(BTreeMap::keys).copied().collect();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(edges.get(next).into_iter().flat_map(BTreeMap::keys));
        }
    }
    found
}

/// From a module back to itself.
fn shortest<'a>(edges: &Edges<'a>, from: &'a ModulePath<'a>) -> Vec<&'a ModulePath<'a>> {
    let mut ways = vec![vec![from]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let last = way.last().copied().unwrap_or(from);
            for next in edges.get(last).into_iter().flat_map(BTreeMap::keys) {
                let on = way.iter().copied().chain([*next]).collect();
                if *next == from {
                    return on;
                }
                if seen.insert(*next) {
                    longer.push(on);
                }
            }
        }
        ways = longer;
    }
    vec![from]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<(String, usize)> {
        let path = |name: &str| format!("crates/flow/src/{name}.rs");
        let paths: Vec<String> = files.iter().map(|(name, _)| path(name)).collect();
        let sources: Vec<_> =
            paths.iter().zip(files).map(|(path, (_, text))| Source::read(path, text)).collect();
        check(&sources).into_iter().map(|found| (found.path, found.line)).collect()
    }

    #[test]
    fn two_that_import_each_other() {
        let one = ("a", "use crate::b::B;\npub struct A(B);");
        assert_eq!(found(&[("lib", "mod a; mod b;"), one, ("b", "pub struct B;")]), []);
        for text in [
            "use crate::a::A;",
            "use super::a::A as Other;",
            "fn f() { super::a::A::new() }",
            "use crate::{c::C, a::{A, D}};",
        ] {
            let circle = found(&[("lib", "mod a; mod b;"), one, ("b", text)]);
            assert_eq!(circle, [("crates/flow/src/a.rs".to_owned(), 1)], "{text}");
        }
        let tested = "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }";
        assert_eq!(found(&[("lib", "mod a; mod b;"), one, ("b", tested)]), []);
    }

    #[test]
    fn a_child_and_its_parent() {
        let child = ("a/c", "use super::A; pub struct C(A);");
        let lib = ("lib", "mod a;");
        assert_eq!(found(&[lib, ("a", "mod c; pub use c::C; pub struct A;"), child]), []);
        for parent in [
            "mod c; use c::C; pub struct A;",
            "mod c; pub use c::C; pub struct A; fn f(of: C) {}",
            "mod c; pub struct A; fn f(of: c::C) {}",
        ] {
            assert_eq!(found(&[lib, ("a", parent), child]).len(), 1, "{parent}");
        }
    }

    #[test]
    fn a_name_is_followed_through_re_exports() {
        let lib = ("lib", "mod a; mod b; mod c; pub use a::{A, B};");
        let a = ("a", "pub use crate::b::B; use crate::c::C; pub struct A(C);");
        assert_eq!(found(&[lib, a, ("b", "pub struct B;"), ("c", "use crate::a::B;")]), []);
        assert_eq!(found(&[lib, a, ("b", "pub struct B;"), ("c", "use crate::A;")]).len(), 1);
    }

    #[test]
    fn of_three_in_a_row_one_circle() {
        let files = [
            ("lib", "mod a; mod b; mod c;"),
            ("a", "use crate::b::B;"),
            ("b", "\nuse crate::c::C;"),
            ("c", "use crate::a::A;"),
        ];
        assert_eq!(found(&files), [("crates/flow/src/a.rs".to_owned(), 1)]);
    }
}
