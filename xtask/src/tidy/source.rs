//! One Rust file for the rules: its crate, its code, and its test code.

use std::collections::BTreeSet;

use super::code::Code;
use super::law::{CRATES, Crate};
use super::lexer::{Comment, lex};
use super::tree::Tree;

pub struct Source<'a> {
    pub path: &'a str,
    pub text: &'a str,
    /// None for `xtask` and for files outside every crate.
    pub krate: Option<&'static Crate>,
    pub is_test: bool,
    pub comments: Vec<Comment<'a>>,
    pub all: Code<'a>,
    /// `all` without test items; empty in a test file.
    pub shipped: Code<'a>,
}

/// Where the gate is opened, and the crates are put together.
pub const OPENING: &str = "crates/wiiiv/src/open.rs";

impl<'a> Source<'a> {
    pub fn read_all(tree: &'a Tree) -> Vec<Self> {
        let rust = tree.files.iter().filter(|file| file.path.ends_with(".rs"));
        let mut sources: Vec<Self> = rust.map(|file| Self::read(&file.path, &file.text)).collect();
        let declared: BTreeSet<String> = sources.iter().flat_map(Self::test_modules).collect();
        for source in &mut sources {
            let module = source.path.trim_end_matches(".rs").trim_end_matches("/mod");
            if ancestors(module).any(|module| declared.contains(module)) {
                source.is_test = true;
                source.shipped = Code::new(Vec::new());
            }
        }
        sources
    }

    pub fn read(path: &'a str, text: &'a str) -> Self {
        let lexed = lex(text);
        let all = Code::new(lexed.tokens);
        let is_test = has_test_path(path) || all.is_all_test();
        let everything = 0..all.len();
        let spans = if is_test { vec![everything] } else { all.test_items() };
        let shipped = all.without(&spans);
        let krate = CRATES.iter().find(|krate| {
            path.strip_prefix(&krate.folder()).is_some_and(|rest| rest.starts_with('/'))
        });
        Self { path, text, krate, is_test, comments: lexed.comments, all, shipped }
    }

    pub fn is_crate(&self, names: &[&str]) -> bool {
        self.krate.is_some_and(|krate| names.contains(&krate.name))
    }

    /// Code that is compiled into the crate, not its build script.
    pub fn is_library_code(&self) -> bool {
        self.krate.is_some_and(|krate| self.path.starts_with(&format!("{}/src/", krate.folder())))
    }

    pub fn line_count(&self) -> usize {
        self.text.lines().count()
    }

    /// Module paths (files without `.rs`) that this file declares as test code.
    fn test_modules(&self) -> Vec<String> {
        let stem = self.path.trim_end_matches(".rs");
        let (parent, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let folder = if matches!(name, "lib" | "main" | "mod") { parent } else { stem };
        self.all.test_modules().into_iter().map(|name| format!("{folder}/{name}")).collect()
    }
}

/// `a/b/c`, `a/b`, `a`: a file below a test module's folder is test code too.
fn ancestors(module: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(module), |path| path.rsplit_once('/').map(|(parent, _)| parent))
}

fn has_test_path(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == "tests.rs"
        || path.starts_with("crates/testkit/")
        || path.split('/').rev().skip(1).any(|folder| matches!(folder, "tests" | "benches"))
}

#[cfg(test)]
mod tests {
    use super::super::tree::TextFile;
    use super::*;

    #[test]
    fn test_code_is_known_by_path_and_by_declaration() {
        let files = [
            ("crates/flow/src/step.rs", "#[cfg(test)] mod tables; mod kept;"),
            ("crates/flow/src/step/tables.rs", "fn a() {}"),
            ("crates/flow/src/step/tables/deep.rs", "fn a() {}"),
            ("crates/flow/src/step/kept.rs", "fn a() {}"),
            ("crates/flow/src/tests.rs", "fn a() {}"),
            ("crates/flow/tests/it/main.rs", "fn a() {}"),
            ("crates/flow/benches/turn.rs", "fn a() {}"),
            ("crates/flow/src/all.rs", "#![cfg(test)] fn a() {}"),
        ];
        let files = files.map(|(path, text)| TextFile { path: path.into(), text: text.into() });
        let tree = Tree { root: "".into(), files: files.into() };
        let sources = Source::read_all(&tree);
        let shipped: Vec<_> = sources.iter().filter(|s| !s.is_test).map(|s| s.path).collect();
        assert_eq!(shipped, ["crates/flow/src/step.rs", "crates/flow/src/step/kept.rs"]);
    }

    #[test]
    fn a_room_is_its_folder() {
        let krate = |path| Source::read(path, "").krate.map(|krate| krate.name);
        assert_eq!(krate("crates/flow/src/lib.rs"), Some("flow"));
        assert_eq!(krate("crates/flower/src/lib.rs"), None);
        assert_eq!(krate("migrations/src/lib.rs"), Some("migrations"));
        assert_eq!(krate("xtask/src/main.rs"), None);
    }
}
