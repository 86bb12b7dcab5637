//! The ring table against the manifests: normal and build dependencies arrow for
//! arrow, dev-dependencies only against cycles.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Finding, Rule};
use super::law::{Crate, TESTKIT, XTASK};
use super::metadata::{Metadata, Package};
use super::tree::Tree;

pub fn check(tree: &Tree, metadata: &Metadata) -> Vec<Finding> {
    let graph = Arrows::read(metadata);
    metadata.members().flat_map(|package| check_member(tree, &graph, package)).collect()
}

/// Arrows between members, as the manifests have them now.
struct Arrows<'a> {
    by_name: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Arrows<'a> {
    fn read(metadata: &'a Metadata) -> Self {
        let names: BTreeSet<&str> = metadata.members().map(|member| member.name.as_str()).collect();
        let below = |member: &'a Package| {
            let built = member.dependencies.iter().filter(|dependency| !dependency.is_dev());
            let ours = built.map(|dependency| dependency.name.as_str());
            ours.filter(|name| names.contains(name)).collect()
        };
        let by_name = metadata.members().map(|member| (member.name.as_str(), below(member)));
        Self { by_name: by_name.collect() }
    }

    fn reaches(&self, from: &str, to: &str) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(name) = open.pop() {
            if name == to {
                return true;
            }
            let below = self.by_name.get(name).into_iter().flatten();
            open.extend(below.filter(|name| seen.insert(name)));
        }
        false
    }
}

fn check_member(tree: &Tree, graph: &Arrows<'_>, package: &Package) -> Vec<Finding> {
    let manifest = manifest_of(tree, package);
    let krate = Crate::of_package(&package.name);
    let mut findings = Vec::new();
    let folder = krate.map_or_else(|| XTASK.to_owned(), Crate::folder);
    if krate.is_none() && package.name != XTASK {
        let what = format!("`{}` has no row in the ring table: an ADR adds one", package.name);
        findings.push(Finding::new(&manifest, 1, Rule::Ring, what));
        return findings;
    }
    if manifest != format!("{folder}/Cargo.toml") {
        let what = format!("`{}` belongs in `{folder}`", package.name);
        findings.push(Finding::new(&manifest, 1, Rule::Ring, what));
    }
    for dependency in &package.dependencies {
        let line = tree.line_starting(&manifest, &dependency.name);
        let name = dependency.name.as_str();
        if dependency.is_dev() {
            // Integration tests alone link it, and they link the crate under test once.
            let is_testkit = Crate::of_package(name).is_some_and(|krate| krate.name == TESTKIT);
            let is_ours = graph.by_name.contains_key(name);
            if is_ours && !is_testkit && graph.reaches(name, &package.name) {
                let what = format!("`{name}` depends on `{}`: test it elsewhere", package.name);
                findings.push(Finding::new(&manifest, line, Rule::DevCycle, what));
            }
        } else if graph.by_name.contains_key(name) && !is_allowed(krate, name) {
            let what = format!(
                "`{}` may not depend on `{name}`: move the code, or change the ring table by an ADR",
                package.name
            );
            findings.push(Finding::new(&manifest, line, Rule::Arrow, what));
        }
    }
    findings
}

fn is_allowed(from: Option<&Crate>, to: &str) -> bool {
    from.zip(Crate::of_package(to)).is_some_and(|(from, to)| from.may_depend_on(to))
}

/// The manifest from the root, so that a finding names it as git does.
pub fn manifest_of(tree: &Tree, package: &Package) -> String {
    let path = std::path::Path::new(&package.manifest_path);
    let root = tree.root.canonicalize().unwrap_or_else(|_| tree.root.clone());
    let path = path.strip_prefix(&root).or_else(|_| path.strip_prefix(&tree.root)).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}
