//! Output of `cargo metadata` for the workspace and its dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::fault::Fault;
use crate::process;

#[derive(Deserialize)]
pub struct Metadata {
    pub packages: Vec<Package>,
    pub target_directory: PathBuf,
    workspace_members: BTreeSet<String>,
    resolve: Resolve,
}

#[derive(Deserialize)]
pub struct Package {
    pub id: String,
    pub name: String,
    pub source: Option<String>,
    pub license: Option<String>,
    pub manifest_path: String,
    pub dependencies: Vec<Dependency>,
    pub targets: Vec<Target>,
}

/// A line of a manifest, whether or not its feature or target is on.
#[derive(Deserialize)]
pub struct Dependency {
    pub name: String,
    kind: Option<String>,
}

#[derive(Deserialize)]
pub struct Target {
    pub name: String,
    pub kind: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<EdgeKind>,
}

#[derive(Deserialize)]
struct EdgeKind {
    kind: Option<String>,
}

/// From a package's id to what it is built from directly.
pub type Edges<'a> = BTreeMap<&'a str, Vec<&'a Package>>;

const DEV: &str = "dev";

impl Dependency {
    pub fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some(DEV)
    }
}

impl Metadata {
    pub fn read(root: &Path) -> Result<Self, Fault> {
        let mut command = process::cargo(root);
        command.args(["metadata", "--format-version", "1"]);
        Ok(serde_json::from_slice(&process::output(&mut command)?)?)
    }

    pub fn is_member(&self, package: &Package) -> bool {
        self.workspace_members.contains(&package.id)
    }

    pub fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.is_member(package))
    }

    /// Normal and build edges of the resolved graph, dev edges left out.
    pub fn edges(&self) -> Edges<'_> {
        let by_id: BTreeMap<&str, &Package> =
            self.packages.iter().map(|package| (package.id.as_str(), package)).collect();
        let built = |edge: &&Edge| edge.dep_kinds.iter().any(|d| d.kind.as_deref() != Some(DEV));
        let nodes = self.resolve.nodes.iter().map(|node| {
            let edges = node.deps.iter().filter(built);
            let packages = edges.filter_map(|edge| by_id.get(edge.pkg.as_str()).copied());
            (node.id.as_str(), packages.collect())
        });
        nodes.collect()
    }

    /// Everything that a package is built from, itself included.
    pub fn reach<'a>(edges: &Edges<'a>, from: &'a Package) -> Vec<&'a Package> {
        let mut seen = BTreeSet::from([from.id.as_str()]);
        let mut found = vec![from];
        let mut next = 0;
        while let Some(&package) = found.get(next) {
            next += 1;
            for &below in edges.get(package.id.as_str()).into_iter().flatten() {
                if seen.insert(below.id.as_str()) {
                    found.push(below);
                }
            }
        }
        found
    }
}
