//! What pure crates may not use: files, environment, clock, randomness, await; and no ambient file
//! access in `workspace`.

use super::finding::{Finding, Rule};
use super::source::Source;

const FOREIGN_PATHS: [(&[&str], &str); 3] = [
    (&["std", "fs"], "the file system"),
    (&["std", "env"], "the environment"),
    (&["Instant", "now"], "a clock"),
];
const CLOCK_WORDS: [&str; 3] = ["SystemTime", "now_utc", "now_local"];
const RANDOM_WORDS: [&str; 3] = ["getrandom", "now_v7", "new_v4"];

pub fn check(source: &Source<'_>) -> Vec<Finding> {
    if !source.is_library_code() {
        return Vec::new();
    }
    let Some(krate) = source.krate else { return Vec::new() };
    if krate.name == "workspace" {
        return ambient_files(source);
    }
    if krate.is_pure() { foreign(source, krate.may_draw_randomness()) } else { Vec::new() }
}

fn ambient_files(source: &Source<'_>) -> Vec<Finding> {
    let ambient = |segments: &[&str]| matches!(segments, ["std" | "tokio", "fs", ..]);
    let paths = source.shipped.paths().into_iter().filter(|path| ambient(&path.segments));
    let what = "`workspace` opens by handle: use cap-std below the workspace's root";
    paths.map(|path| Finding::new(source.path, path.line, Rule::AmbientFs, what)).collect()
}

fn foreign(source: &Source<'_>, may_draw: bool) -> Vec<Finding> {
    let code = &source.shipped;
    let mut reached: Vec<(usize, &str)> = Vec::new();
    for path in code.paths() {
        for (words, name) in FOREIGN_PATHS {
            if path.segments.windows(words.len()).any(|window| window == words) {
                reached.push((path.line, name));
            }
        }
        if !may_draw && path.segments.len() > 1 && path.segments.first() == Some(&"rand") {
            reached.push((path.line, "randomness"));
        }
    }
    for at in 0..code.len() {
        let word = code.text(at);
        if CLOCK_WORDS.contains(&word) {
            reached.push((code.line(at), "a clock"));
        }
        if !may_draw && RANDOM_WORDS.contains(&word) {
            reached.push((code.line(at), "randomness"));
        }
    }
    reached.extend(code.find(&["async", "fn"]).map(|at| (code.line(at), "waiting (`async fn`)")));
    let finding = |(line, name): (usize, &str)| {
        let what = format!("a pure crate reaches for {name}: take the value as an argument");
        Finding::new(source.path, line, Rule::Purity, what)
    };
    reached.into_iter().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&Source::read(path, text)).len()
    }

    #[test]
    fn pure_rooms_reach_for_nothing() {
        for text in [
            "use std::{fs, io};",
            "fn f() { std::env::var(\"A\") }",
            "use std::time::SystemTime;",
            "fn f() { Instant::now() }",
            "fn f() { OffsetDateTime::now_utc() }",
            "pub async fn f() {}",
            "fn f() { rand::random() }",
            "fn f() { Uuid::now_v7() }",
        ] {
            assert_eq!(count("crates/flow/src/step.rs", text), 1, "{text}");
            assert_eq!(count("crates/domain/src/id.rs", text), 1, "{text}");
            assert_eq!(count("crates/flow/src/tests.rs", text), 0, "{text}");
            assert_eq!(count("crates/store/src/a.rs", text), 0, "{text}");
            assert_eq!(count("crates/context/build.rs", text), 0, "{text}");
        }
    }

    #[test]
    fn the_vault_draws_nonces_and_nothing_else() {
        assert_eq!(count("crates/vault/src/seal.rs", "fn f() { getrandom::fill(x) }"), 0);
        assert_eq!(count("crates/vault/src/seal.rs", "use std::fs;"), 1);
    }

    #[test]
    fn the_workspace_has_no_ambient_files() {
        assert_eq!(count("crates/workspace/src/file.rs", "use std::fs::File;"), 1);
        assert_eq!(count("crates/workspace/src/file.rs", "use cap_std::fs::Dir;"), 0);
    }
}
