//! Matches one name with `*`, which stands for any characters. Case is ignored.

/// Linear in the text for each star; names are short.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.to_lowercase(), text.to_lowercase());
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let Some(last) = pattern.contains('*').then(|| parts.next_back()).flatten() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// Whether components of the path in a row match the pattern. It reads leniently: `a//b`, `./a/b`
/// and `a\\b` match as `a/b`, and dots or spaces at the end of a name are ignored.
pub(super) fn is_in_path(pattern: &str, path: &str) -> bool {
    let parts: Vec<&str> = path
        .split(['/', '\\'])
        .map(|part| match part.trim() {
            "." | ".." => "",
            part => part.trim_end_matches(['.', ' ']),
        })
        .filter(|part| !part.is_empty())
        .collect();
    let wanted: Vec<&str> = pattern.split('/').collect();
    let fits = |run: &[&str]| run.iter().zip(&wanted).all(|(part, glob)| matches(glob, part));
    parts.windows(wanted.len()).any(fits)
}

#[cfg(test)]
mod tests {
    use super::{is_in_path, matches};

    #[test]
    fn components_in_a_row_are_found_however_the_path_is_spelled() {
        for (pattern, path, expected) in [
            (".netrc", "home/.netrc", true),
            (".netrc", "home/.NetRC", true),
            (".netrc", "home\\.netrc", true),
            (".netrc", ".netrc/", true),
            (".netrc", ".netrc. ", true),
            (".netrc", "a.netrc", false),
            (".aws", ".aws", true),
            (".aws", "./x//.aws/./config", true),
            (".config/gcloud", "home/.config//gcloud/x", true),
            (".config/gcloud", ".config/./gcloud", true),
            (".config/gcloud", ".config/x/gcloud", false),
            (".config/gcloud", "gcloud", false),
            ("Login Data*", "p/login data-journal", true),
            ("a", "", false),
        ] {
            assert_eq!(is_in_path(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn a_star_is_any_run() {
        for (pattern, text, expected) in [
            (".env", ".env", true),
            (".env", ".envrc", false),
            (".env.*", ".ENV.local", true),
            ("*.pem", "server.pem", true),
            ("*.pem", "server.pem.txt", false),
            ("id_*rsa*", "id_old_rsa.bak", true),
            ("a*a", "a", false),
            ("*", "", true),
            ("a*b*c", "axbyc", true),
            ("a*b*c", "acb", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
