//! `*` in one name: any run of characters, and nothing else is special. Case is ignored.

/// Linear in the text for each star; a name is short.
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

#[cfg(test)]
mod tests {
    use super::matches;

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
