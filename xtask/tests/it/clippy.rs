//! Clippy with our configuration and our lint levels on a crate of one function.

use std::process::Command;

use crate::repository::repository;

/// What `cargo clippy` says of a function whose body has so many lines.
fn clippy(body_lines: usize) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    std::fs::copy(repository().join("clippy.toml"), root.join("clippy.toml")).expect("clippy.toml");
    std::fs::write(root.join("Cargo.toml"), manifest()).expect("a manifest");
    std::fs::create_dir(root.join("src")).expect("a folder");
    let additions = "    value += 1;\n".repeat(body_lines - 1);
    let source =
        format!("//! Long.\npub fn long(mut value: u64) -> u64 {{\n{additions}    value\n}}\n");
    std::fs::write(root.join("src/lib.rs"), source).expect("a source file");

    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root).args(["clippy", "--offline", "--quiet", "--target-dir"]);
    let output = command.arg(root.join("target")).args(["--", "-D", "warnings"]).output();
    let output = output.expect("cargo clippy runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(stderr) }
}

/// A package under the lint levels of our workspace.
fn manifest() -> String {
    let text = std::fs::read_to_string(repository().join("Cargo.toml")).expect("Cargo.toml");
    let ours: toml::Table = toml::from_str(&text).expect("a manifest");
    let lints = ours.get("workspace").and_then(|workspace| workspace.get("lints"));
    let lints = lints.expect("lint levels of the workspace").clone();
    let workspace = toml::Table::from_iter([("lints".to_owned(), lints)]);
    let levels = toml::Table::from_iter([("workspace".to_owned(), workspace.into())]);
    format!(
        "[package]\nname = \"long\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [lints]\nworkspace = true\n\n{levels}"
    )
}

#[test]
fn a_function_has_at_most_70_lines() {
    assert_eq!(clippy(70), Ok(()));
    let refusal = clippy(71).expect_err("71 lines were accepted");
    assert!(refusal.contains("this function has too many lines (71/70)"), "{refusal}");
}
