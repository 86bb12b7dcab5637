//! Checks `deny.toml` against the resolved graph: bans with their wrappers, licences and sources.
//! cargo-deny does the same if installed; this always runs.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::arrows::manifest_of;
use super::finding::{Finding, Rule};
use super::law::Crate;
use super::license;
use super::metadata::{Edges, Metadata, Package};
use super::tree::Tree;
use crate::fault::Fault;

const FILE: &str = "deny.toml";
const LOCK: &str = "Cargo.lock";
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// What the pure crates may not reach, however indirectly.
const RUNTIMES: [&str; 5] = ["tokio", "sea-orm", "reqwest", "kameo", "axum"];

#[derive(Deserialize)]
struct Deny {
    bans: Bans,
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
    #[serde(default)]
    wrappers: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Licenses {
    allow: BTreeSet<String>,
}

pub fn check(tree: &Tree, metadata: &Metadata) -> Result<Vec<Finding>, Fault> {
    let file = tree.find(FILE).ok_or_else(|| format!("`{FILE}` is missing: tidy holds it"))?;
    let deny: Deny = toml::from_str(&file.text).map_err(|error| format!("`{FILE}`: {error}"))?;
    let edges = metadata.edges();
    let mut findings = Vec::new();
    for ban in &deny.bans.deny {
        findings.extend(check_manifests(tree, metadata, ban));
        findings.extend(check_carriers(tree, metadata, &edges, ban));
    }
    findings.extend(check_pure_rooms(tree, metadata, &edges));
    for package in metadata.packages.iter().filter(|package| !metadata.is_member(package)) {
        findings.extend(check_license(tree, package, &deny.licenses.allow));
        findings.extend(check_source(tree, package));
    }
    Ok(findings)
}

/// Our own manifests: optional and target-specific lines count too.
fn check_manifests(tree: &Tree, metadata: &Metadata, ban: &Ban) -> Vec<Finding> {
    let outside = metadata.members().filter(|member| !ban.wrappers.contains(&member.name));
    let breaking = outside.filter(|member| {
        member.dependencies.iter().any(|line| !line.is_dev() && line.name == ban.name)
    });
    let finding = |member: &Package| {
        let manifest = manifest_of(tree, member);
        let line = tree.line_starting(&manifest, &ban.name);
        let what = format!("`{}` may not use `{}`: {}", member.name, ban.name, ban.reason);
        Finding::new(&manifest, line, Rule::Ban, what)
    };
    breaking.map(finding).collect()
}

/// Other people's crates in the graph that carry a banned one in.
fn check_carriers(tree: &Tree, metadata: &Metadata, edges: &Edges<'_>, ban: &Ban) -> Vec<Finding> {
    let mut carriers = BTreeSet::new();
    for member in metadata.members() {
        for package in Metadata::reach(edges, member) {
            let below = edges.get(package.id.as_str()).into_iter().flatten();
            let carries = below.into_iter().any(|below| below.name == ban.name);
            if carries && !metadata.is_member(package) && !ban.wrappers.contains(&package.name) {
                carriers.insert(package.name.as_str());
            }
        }
    }
    let finding = |carrier| {
        let what = format!("`{carrier}` carries in `{}`: {}", ban.name, ban.reason);
        Finding::new(LOCK, lock_line(tree, carrier), Rule::Ban, what)
    };
    carriers.into_iter().map(finding).collect()
}

fn check_pure_rooms(tree: &Tree, metadata: &Metadata, edges: &Edges<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in metadata.members() {
        if !Crate::of_package(&member.name).is_some_and(Crate::is_pure) {
            continue;
        }
        let manifest = manifest_of(tree, member);
        let mut reached: BTreeSet<&str> =
            Metadata::reach(edges, member).into_iter().map(|below| below.name.as_str()).collect();
        let lines = member.dependencies.iter().filter(|line| !line.is_dev());
        reached.extend(lines.map(|line| line.name.as_str()));
        for name in RUNTIMES.into_iter().filter(|name| reached.contains(name)) {
            let what = format!("`{}` is a pure crate and reaches `{name}`", member.name);
            let line = tree.line_starting(&manifest, name);
            findings.push(Finding::new(&manifest, line, Rule::Ban, what));
        }
    }
    findings
}

fn check_license(tree: &Tree, package: &Package, allow: &BTreeSet<String>) -> Option<Finding> {
    let stated = package.license.as_deref().unwrap_or("");
    if license::is_allowed(stated, allow) {
        return None;
    }
    let what = format!("`{}` is under `{stated}`, which `{FILE}` does not allow", package.name);
    Some(Finding::new(LOCK, lock_line(tree, &package.name), Rule::License, what))
}

fn check_source(tree: &Tree, package: &Package) -> Option<Finding> {
    let source = package.source.as_deref().unwrap_or("a path outside the workspace");
    if source == CRATES_IO {
        return None;
    }
    let what = format!("`{}` comes from {source}: use crates.io", package.name);
    Some(Finding::new(LOCK, lock_line(tree, &package.name), Rule::Source, what))
}

fn lock_line(tree: &Tree, package: &str) -> usize {
    tree.line_starting(LOCK, &format!("name = \"{package}\""))
}
