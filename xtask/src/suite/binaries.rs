//! The test executables of the workspace, and the server that other tests start.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::process;

/// One executable with tests of one package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// Of the package, and of the target where it is not the package's own.
    pub name: String,
    pub path: PathBuf,
    package: String,
    version: String,
    manifest: PathBuf,
    /// Whole flows, in files of their own beside the sources: they take longest.
    is_integration: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Those that take longest first, as far as it can be told.
    pub tests: Vec<Binary>,
    /// The product, as its tests start it.
    pub server: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Message {
    reason: String,
    package_id: Option<String>,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// Its standard output is for `Built::add`, its errors are for people.
pub fn build(root: &Path) -> Command {
    let mut command = process::cargo(root);
    command.args(["test", "--workspace", "--no-run", "--message-format"]);
    command.arg("json-render-diagnostics");
    command
}

impl Built {
    /// Whether the line was a message of cargo's.
    pub fn add(&mut self, line: &[u8]) -> bool {
        let Ok(message) = serde_json::from_slice::<Message>(line) else { return false };
        if message.reason == "compiler-artifact" {
            self.add_artifact(message);
        }
        true
    }

    fn add_artifact(&mut self, message: Message) -> Option<()> {
        let Message { package_id, manifest_path, target, profile, executable, .. } = message;
        let (path, target) = (executable?, target?);
        if !profile?.test {
            if target.name == "wiiiv" {
                self.server = Some(path);
            }
            return None;
        }
        let (package, version) = package(&package_id?)?;
        let is_integration = target.kind.iter().any(|kind| kind == "test");
        let name =
            if is_integration { format!("{package} {}", target.name) } else { package.clone() };
        let manifest = manifest_path?;
        self.tests.push(Binary { name, path, package, version, manifest, is_integration });
        Some(())
    }

    /// Cargo builds from the bottom of the workspace to its top, where most of it is started.
    pub fn sort(&mut self) {
        self.tests.reverse();
        self.tests.sort_by_key(|binary| !binary.is_integration);
    }
}

impl Binary {
    /// As `cargo test` runs it, with that many tests at once.
    pub fn command(&self, threads: usize) -> Command {
        let mut command = Command::new(&self.path);
        let folder = self.manifest.parent().unwrap_or(Path::new("."));
        command.arg(format!("--test-threads={threads}")).current_dir(folder);
        command.env("CARGO", process::cargo_path());
        command.env("CARGO_MANIFEST_DIR", folder).env("CARGO_MANIFEST_PATH", &self.manifest);
        command.env("CARGO_PKG_NAME", &self.package).env("CARGO_PKG_VERSION", &self.version);
        command
    }
}

/// `path+file:///clone/crates/store#wiiiv-store@0.1.0`, or `..crates/wiiiv#0.1.0` where the folder
/// is named as the package is.
fn package(id: &str) -> Option<(String, String)> {
    let (path, name_version) = id.rsplit_once('#')?;
    let folder = path.rsplit('/').next()?;
    let (name, version) = name_version.split_once('@').unwrap_or((folder, name_version));
    Some((name.to_owned(), version.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(id: &str, kind: &str, target: &str, test: bool, executable: &str) -> String {
        let executable = match executable {
            "" => "null".to_owned(),
            path => format!("\"{path}\""),
        };
        format!(
            "{{\"reason\":\"compiler-artifact\",\"package_id\":\"{id}\",\
             \"manifest_path\":\"/c/p/Cargo.toml\",\"target\":{{\"kind\":[\"{kind}\"],\
             \"name\":\"{target}\",\"edition\":\"2024\"}},\"profile\":{{\"test\":{test}}},\
             \"executable\":{executable},\"fresh\":true}}"
        )
    }

    #[test]
    fn tests_are_sorted_and_the_server_is_found() {
        const STORE: &str = "path+file:///c/crates/store#wiiiv-store@0.1.0";
        const WIIIV: &str = "path+file:///c/crates/wiiiv#0.1.0";
        let mut built = Built::default();
        for line in [
            artifact(STORE, "lib", "wiiiv_store", false, ""),
            artifact(STORE, "lib", "wiiiv_store", true, "/t/store-1"),
            artifact(STORE, "test", "it", true, "/t/it-1"),
            artifact(WIIIV, "bin", "wiiiv", false, "/t/wiiiv"),
            artifact(WIIIV, "bin", "wiiiv", true, "/t/wiiiv-2"),
            artifact(WIIIV, "test", "it", true, "/t/it-2"),
            "{\"reason\":\"build-finished\",\"success\":true}".to_owned(),
        ] {
            assert!(built.add(line.as_bytes()), "{line}");
        }
        assert!(!built.add(b"warning: words for people"));
        built.sort();
        let names: Vec<&str> = built.tests.iter().map(|binary| binary.name.as_str()).collect();
        assert_eq!(names, ["wiiiv it", "wiiiv-store it", "wiiiv", "wiiiv-store"]);
        assert_eq!(built.server, Some(PathBuf::from("/t/wiiiv")));
    }

    #[test]
    fn a_binary_is_run_as_cargo_runs_it() {
        let mut built = Built::default();
        built.add(artifact("path+file:///c/p#x@1.2.3", "test", "it", true, "/t/it-1").as_bytes());
        let command = built.tests.first().expect("one").command(3);
        assert_eq!(command.get_current_dir(), Some(Path::new("/c/p")));
        let value = |name: &str| {
            let found = command.get_envs().find(|(key, _)| *key == name);
            found.and_then(|(_, value)| value?.to_str()).map(str::to_owned)
        };
        assert_eq!(value("CARGO_MANIFEST_DIR").as_deref(), Some("/c/p"));
        assert_eq!(value("CARGO_PKG_NAME").as_deref(), Some("x"));
        assert_eq!(value("CARGO_PKG_VERSION").as_deref(), Some("1.2.3"));
        assert_eq!(process::line_of(&command), "/t/it-1 --test-threads=3");
    }
}
