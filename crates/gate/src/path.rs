//! Workspace paths as components. A leading `/` means the workspace's root.

/// First components that belong to the machine and not to the workspace.
pub(crate) const SYSTEM_DIRECTORIES: [&str; 15] = [
    "etc", "usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "boot", "dev", "proc", "sys",
    "root", "var", "run",
];

/// The longest path, in bytes.
const PATH_BYTES_MAX: usize = 4_096;
/// The longest component, in bytes.
const NAME_BYTES_MAX: usize = 255;

/// The components; `None` if the text leaves the workspace or is not a path on every system.
pub(crate) fn components(raw: &str) -> Option<Vec<&str>> {
    if raw.len() > PATH_BYTES_MAX || raw.chars().any(|c| c == '\\' || c.is_control()) {
        return None;
    }
    let named = raw.split('/').filter(|part| !part.is_empty() && *part != ".");
    named.map(|part| (is_name(part) && !is_drive(part)).then_some(part)).collect()
}

/// One file name: no separator, no step upwards, no control character.
pub(crate) fn is_name(text: &str) -> bool {
    !matches!(text, "" | "." | "..")
        && text != "~"
        && text.len() <= NAME_BYTES_MAX
        && !text.chars().any(|c| matches!(c, '/' | '\\') || c.is_control())
}

fn is_drive(part: &str) -> bool {
    let mut chars = part.chars();
    let letter = chars.next().is_some_and(|c| c.is_ascii_alphabetic());
    letter && chars.next() == Some(':') && chars.next().is_none()
}

/// Whether `path` is `root` or lies below it, component by component.
pub(crate) fn is_under<R: AsRef<str>>(root: &[R], path: &[&str]) -> bool {
    root.len() <= path.len() && root.iter().zip(path).all(|(r, p)| r.as_ref() == *p)
}

pub(crate) fn is_system(path: &[&str]) -> bool {
    path.first().is_some_and(|first| SYSTEM_DIRECTORIES.contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_its_components() {
        assert_eq!(components("/notes//./오늘.md"), Some(vec!["notes", "오늘.md"]));
        assert_eq!(components(""), Some(vec![]));
        for outside in ["../x", "a/../b", "a\\b", "a\0b", "C:/x", "~/x", "a\nb"] {
            assert_eq!(components(outside), None, "{outside:?}");
        }
        assert!(components(&"x".repeat(256)).is_none());
    }

    #[test]
    fn a_sibling_with_the_same_beginning_is_not_below() {
        assert!(is_under(&["ws_demo"], &["ws_demo", "a"]));
        assert!(!is_under(&["ws_demo"], &["ws_demo2", "a"]));
        assert!(is_under::<&str>(&[], &["anything"]));
    }
}
