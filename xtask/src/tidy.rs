//! `cargo xtask tidy`: the rules of ARCHITECTURE.md that no compiler checks.

mod arrows;
mod authority;
mod budget;
mod circles;
mod code;
mod deny;
mod evasion;
mod exceptions;
mod finding;
mod function;
mod imports;
mod law;
mod lexer;
mod license;
pub mod metadata;
mod named_tests;
mod names;
mod purity;
mod shape;
mod size;
mod source;
mod text;
mod tree;
mod words;

use std::io::Write;
use std::path::Path;

use crate::fault::Fault;
use metadata::Metadata;
use size::Sizes;
use source::Source;
use tree::Tree;

/// Writes every finding; answers whether there was none.
pub fn run(root: &Path, out: &mut impl Write) -> Result<bool, Fault> {
    let tree = Tree::read(root)?;
    let metadata = Metadata::read(root)?;
    let sources = Source::read_all(&tree);

    let mut findings = arrows::check(&tree, &metadata);
    findings.extend(deny::check(&tree, &metadata)?);
    findings.extend(authority::check(&sources));
    findings.extend(budget::check(&sources));
    findings.extend(circles::check(&sources));
    findings.extend(named_tests::check(&tree, &sources));
    findings.extend(sources.iter().flat_map(purity::check));
    findings.extend(sources.iter().flat_map(shape::check));
    findings.extend(sources.iter().flat_map(words::check));
    findings.extend(sources.iter().flat_map(names::check));
    findings.extend(tree.files.iter().flat_map(text::check));
    let (mut findings, exceptions) = exceptions::apply(&tree, findings)?;
    findings.sort();
    findings.dedup();

    for finding in &findings {
        writeln!(out, "{finding}")?;
    }
    let sizes = Sizes::measure(&sources);
    for (path, lines) in &sizes.large {
        writeln!(out, "{path}:1: note: {lines} lines, aim for {}", shape::FILE_LINES_AIM)?;
    }
    writeln!(out, "tidy: {} findings, {exceptions} exceptions; {sizes}", findings.len())?;
    Ok(findings.is_empty())
}
