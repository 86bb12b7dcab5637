//! What tracked text files may not contain: paths of one machine, hosts of registries.

use super::finding::{Finding, Rule};
use super::tree::TextFile;

/// First folders of paths that exist on one machine only.
const MACHINE_FOLDERS: [&str; 3] = ["work", "root", "home"];

/// Hosts that packages come from, label by label, or this file would break its own rule.
const REGISTRY_HOSTS: [&[&str]; 9] = [
    &["static", "crates", "io"],
    &["index", "crates", "io"],
    &["registry", "npmjs", "org"],
    &["files", "pythonhosted", "org"],
    &["pypi", "org"],
    &["deb", "debian", "org"],
    &["proxy", "golang", "org"],
    &["repo1", "maven", "org"],
    &["registry", "yarnpkg", "com"],
];

const LOCK_FILES: [&str; 3] = ["Cargo.lock", "package-lock.json", "pnpm-lock.yaml"];

pub fn check(file: &TextFile) -> Vec<Finding> {
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    if LOCK_FILES.contains(&name) {
        return Vec::new();
    }
    let lines = file.text.lines().zip(1..);
    lines.flat_map(|(text, line)| check_line(&file.path, text, line)).collect()
}

fn check_line(path: &str, text: &str, line: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    if MACHINE_FOLDERS.iter().any(|folder| has_machine_path(text, folder)) {
        let what = "a path of one machine: take it from an argument or the environment";
        findings.push(Finding::new(path, line, Rule::MachinePath, what));
    }
    let hosts = REGISTRY_HOSTS.iter().map(|labels| labels.join("."));
    for host in hosts.filter(|host| text.contains(host.as_str())) {
        let what = format!("`{host}` is a registry's host: the package client knows it");
        findings.push(Finding::new(path, line, Rule::RegistryHost, what));
    }
    findings
}

/// Whether `/folder/x` stands in the text as the beginning of a path.
fn has_machine_path(text: &str, folder: &str) -> bool {
    let start = format!("/{folder}/");
    text.match_indices(&start).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + start.len()..).and_then(|after| after.chars().next());
        let begins = before.is_none_or(|c| !c.is_alphanumeric() && !"_-./}*~".contains(c));
        begins && after.is_some_and(|c| c.is_alphanumeric() || "._".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(path: &str, text: String) -> Vec<(Rule, usize)> {
        let found = check(&TextFile { path: path.into(), text }).into_iter();
        found.map(|finding| (finding.rule, finding.line)).collect()
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        for folder in MACHINE_FOLDERS {
            let path = format!("a\nsee /{folder}/ann/x");
            assert_eq!(rules("README.md", path), [(Rule::MachinePath, 2)], "{folder}");
            let inside = format!("crates/{folder}/x and https://example.org/{folder}/x");
            assert_eq!(rules("README.md", inside), [], "{folder}");
        }
    }

    #[test]
    fn registry_hosts_are_found_outside_lock_files() {
        for labels in REGISTRY_HOSTS {
            let text = format!("https://{}/x", labels.join("."));
            assert_eq!(rules("a/b.toml", text.clone()), [(Rule::RegistryHost, 1)]);
            assert_eq!(rules("a/package-lock.json", text), []);
        }
    }
}
