//! Expressions whose cost is bounded by their input: `.`, and paths of names and indices.
//!
//! Such an expression gives at most one value, and the value is a part of the input, so it has no
//! more bytes and no deeper nesting.

/// Steps of one path.
const PARTS_MAX: usize = 32;

/// Written so narrowly that the compiler's own depth is bounded too.
pub(crate) fn is_plain(expr: &str) -> bool {
    let Some(rest) = expr.strip_prefix('.') else { return false };
    if rest.is_empty() {
        return true;
    }
    let mut rest = match rest.starts_with('[') {
        true => rest,
        false => match after_name(rest) {
            Some(rest) => rest,
            None => return false,
        },
    };
    for _ in 0..PARTS_MAX {
        if rest.is_empty() {
            return true;
        }
        let next = match rest.strip_prefix('.') {
            Some(name) => after_name(name),
            None => rest.strip_prefix('[').and_then(after_index),
        };
        match next {
            Some(next) => rest = next,
            None => return false,
        }
    }
    false
}

/// `name` or `"any text without escapes"`.
fn after_name(text: &str) -> Option<&str> {
    if text.starts_with('"') {
        return after_quoted(text);
    }
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    if starts { text.get(end..) } else { None }
}

/// `0]`, `-1]` or `"name"]`.
fn after_index(text: &str) -> Option<&str> {
    if text.starts_with('"') {
        return after_quoted(text)?.strip_prefix(']');
    }
    let (digits, rest) = text.split_once(']')?;
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    let is_index = (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_index.then_some(rest)
}

fn after_quoted(text: &str) -> Option<&str> {
    let (name, rest) = text.strip_prefix('"')?.split_once('"')?;
    (!name.contains('\\')).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn only_paths_are_plain() {
        for expr in [
            ".",
            ".a",
            ".a.b_1",
            ".a[0]",
            ".[0].b",
            ".[-1]",
            ".\"가 나\"",
            ".a[\"b\"].c",
            ".a.\"b\"",
        ] {
            assert!(is_plain(expr), "{expr}");
        }
        for expr in [
            "",
            "..",
            ".[]",
            ".a[]",
            ".a?",
            ".a|.b",
            ".a,.b",
            "a",
            ".[.a]",
            ".[0:1]",
            ". ",
            ".1",
            ".a.",
            ".a[",
            ".a[1",
            "..a",
            ".\"a\\(1)\"",
            ".[1e9]",
            ".a..b",
            ".[1234567890]",
            ".a b",
            "-.a",
            ".[-]",
        ] {
            assert!(!is_plain(expr), "{expr}");
        }
        assert!(!is_plain(&".a".repeat(34)));
    }
}
