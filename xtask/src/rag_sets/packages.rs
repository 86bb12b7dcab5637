//! Debian packages with pages in two languages, from whatever mirror this machine's apt has.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fault::Fault;
use crate::process;

/// One package, and the version of what is in it: another one has other pages, and figures of them compare with
/// nothing. Behind it stands Debian's own revision, which may be any.
struct Package {
    name: &'static str,
    upstream: &'static str,
}

pub const GNOME: &str = "gnome-user-docs";
pub const LIBREOFFICE_KO: &str = "libreoffice-help-ko";
pub const LIBREOFFICE_EN: &str = "libreoffice-help-en-us";

const ALL: [Package; 3] = [
    Package { name: GNOME, upstream: "43.0-" },
    Package { name: LIBREOFFICE_KO, upstream: "4:7.4.7-" },
    Package { name: LIBREOFFICE_EN, upstream: "4:7.4.7-" },
];

/// Why this machine cannot have them: it is no Debian, or one with other versions.
pub fn missing() -> Option<String> {
    let answers = |program: &&str| process::output(Command::new(program).arg("--version")).is_ok();
    let mut programs = ["apt-get", "apt-cache", "dpkg-deb"].into_iter();
    if let Some(program) = programs.find(|program| !answers(program)) {
        return Some(format!("there is no `{program}`"));
    }
    ALL.iter().find_map(|Package { name, upstream }| {
        let told = process::output(Command::new("apt-cache").args(["policy", name]));
        let told = String::from_utf8(told.unwrap_or_default()).unwrap_or_default();
        match candidate(&told) {
            Some(version) if version.starts_with(upstream) => None,
            Some(version) => Some(format!("apt has `{name}` {version}, not {upstream}…")),
            None => Some(format!("apt knows no `{name}`")),
        }
    })
}

/// Of what `apt-cache policy` says.
fn candidate(policy: &str) -> Option<&str> {
    let version = policy.lines().find_map(|line| line.trim().strip_prefix("Candidate: "))?;
    (version != "(none)").then_some(version)
}

/// Answers the folder that has one for each package. What was unpacked before is taken as it is.
pub fn unpacked(folder: &Path) -> Result<PathBuf, Fault> {
    for Package { name, .. } in ALL {
        let own = folder.join(name);
        if own.exists() {
            continue;
        }
        let downloads = folder.join(format!("{name}.new"));
        if downloads.exists() {
            std::fs::remove_dir_all(&downloads)?;
        }
        std::fs::create_dir_all(&downloads)?;
        let mut download = Command::new("apt-get");
        process::output(download.current_dir(&downloads).args(["download", "--quiet", name]))?;
        let package = the_only_file(&downloads)?;
        let files = downloads.join("files");
        process::output(Command::new("dpkg-deb").arg("--extract").args([&package, &files]))?;
        std::fs::rename(&files, &own)?;
        std::fs::remove_dir_all(&downloads)?;
    }
    Ok(folder.to_owned())
}

fn the_only_file(folder: &Path) -> Result<PathBuf, Fault> {
    let mut entries = std::fs::read_dir(folder)?;
    let first = entries.next().ok_or("apt-get downloaded nothing")??;
    Ok(first.path())
}

#[cfg(test)]
mod tests {
    use super::candidate;

    #[test]
    fn the_candidate_is_read() {
        let told = "gnome-user-docs:\n  Installed: (none)\n  Candidate: 43.0-2\n  Version table:\n";
        assert_eq!(candidate(told), Some("43.0-2"));
        assert_eq!(candidate("x:\n  Installed: (none)\n  Candidate: (none)\n"), None);
        assert_eq!(candidate(""), None);
    }
}
