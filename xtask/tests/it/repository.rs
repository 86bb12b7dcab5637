//! A small workspace with our crates in it, built in a temporary folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Crate, the crates that it depends on, its files.
type Crate = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const CRATES: [Crate; 6] = [
    ("domain", &[], &[("src/lib.rs", "//! Words.\npub mod id;\n"), ("src/id.rs", "//! Ids.\n")]),
    ("flow", &["domain"], &[("src/lib.rs", "//! Transitions.\n")]),
    (
        "gate",
        &["domain"],
        &[
            ("src/lib.rs", "//! Rulings.\nmod opening;\npub use opening::{Registrar, open};\n"),
            ("src/opening.rs", "//! One opening.\npub struct Registrar;\npub fn open() {}\n"),
        ],
    ),
    ("store", &["domain", "gate"], &[("src/lib.rs", "//! Rows.\nuse wiiiv_gate::Registrar;\n")]),
    (
        "exec",
        &["domain", "gate"],
        &[
            ("src/lib.rs", "//! Executors.\nmod file;\n"),
            ("src/file.rs", "//! Files.\n// gate::open is not for us.\n"),
            ("tests/it/main.rs", "fn opens() { wiiiv_gate::open() }\n"),
        ],
    ),
    (
        "wiiiv",
        &["gate", "store"],
        &[
            ("src/main.rs", "//! The program.\nmod open;\nfn main() { open::open() }\n"),
            (
                "src/open.rs",
                "//! The gate is opened.\nuse wiiiv_gate as gate;\npub fn open() { gate::open() }\n",
            ),
        ],
    ),
];

/// Stands in for the crate of that name, so that nothing is fetched.
const REQWEST: &str = "[package]\nname = \"reqwest\"\nversion = \"0.0.0\"\nlicense = \"MIT\"\n";

pub struct TestRepository {
    folder: TempDir,
}

pub struct Verdict {
    pub passed: bool,
    /// `path:line: rule`, without the advice.
    pub findings: Vec<String>,
}

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root").to_owned()
}

impl TestRepository {
    pub fn clean() -> Self {
        let it = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        let workspace = "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n";
        it.write("Cargo.toml", workspace);
        let deny = std::fs::read_to_string(repository().join("deny.toml")).expect("deny.toml");
        it.write("deny.toml", &deny);
        for (krate, arrows, files) in CRATES {
            it.write(&format!("crates/{krate}/Cargo.toml"), &manifest(krate, arrows));
            for (path, text) in files {
                it.write(&format!("crates/{krate}/{path}"), text);
            }
        }
        let git = Command::new("git").args(["init", "--quiet"]).current_dir(it.path()).status();
        assert!(git.expect("git").success());
        it
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        std::fs::write(path, text).expect("a new file");
    }

    pub fn append(&self, path: &str, text: &str) {
        let before = std::fs::read_to_string(self.path().join(path)).expect("a file to add to");
        self.write(path, &(before + text));
    }

    /// A crate called reqwest, outside the workspace, and a line for it in a manifest.
    pub fn depend_on_reqwest(&self, krate: &str) {
        self.append("Cargo.toml", "exclude = [\"stubs\"]\n");
        self.write("stubs/reqwest/Cargo.toml", REQWEST);
        self.write("stubs/reqwest/src/lib.rs", "//! Nothing.\n");
        let line = "reqwest = { path = \"../../stubs/reqwest\" }\n";
        self.append(&format!("crates/{krate}/Cargo.toml"), line);
    }

    pub fn tidy(&self) -> Verdict {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.arg("tidy").arg(self.path()).env("CARGO_NET_OFFLINE", "true");
        let output = command.output().expect("xtask runs");
        let stdout = String::from_utf8(output.stdout).expect("text");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let (findings, summary) = stdout.trim_end().rsplit_once('\n').unwrap_or(("", &stdout));
        assert!(summary.starts_with("tidy: "), "no summary: {stdout}{stderr}");
        let places = findings.lines().map(|line| {
            let mut parts = line.splitn(4, ':');
            let parts = [parts.next(), parts.next(), parts.next()];
            parts.map(|part| part.expect("path, line and rule")).join(":")
        });
        Verdict { passed: output.status.success(), findings: places.collect() }
    }
}

fn manifest(krate: &str, arrows: &[&str]) -> String {
    let name = if krate == "wiiiv" { krate.to_owned() } else { format!("wiiiv-{krate}") };
    let arrows = arrows.iter().map(|to| format!("wiiiv-{to} = {{ path = \"../{to}\" }}\n"));
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{}",
        arrows.collect::<String>()
    )
}
