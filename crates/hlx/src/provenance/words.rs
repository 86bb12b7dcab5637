//! Whether a value stands verbatim in what the user wrote, as a whole and not as a part of another
//! name.

/// What a value is, and so what would make another value of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// A host, with or without a port; letter case is ignored.
    Host,
    /// A path in the workspace, or a whole address: what is below it is another one.
    Path,
    /// A word, a number, a segment or a value of a query.
    Word,
}

/// The messages of one user, each for itself.
#[derive(Debug, Clone, Default)]
pub struct UserWords(Vec<String>);

impl UserWords {
    /// Of these messages.
    #[must_use]
    pub fn new<T: Into<String>>(messages: impl IntoIterator<Item = T>) -> Self {
        Self(messages.into_iter().map(Into::into).collect())
    }

    /// Whether the value stands in one of them. An empty value is nobody's.
    #[must_use]
    pub fn hold(&self, value: &str, edge: Edge) -> bool {
        if value.is_empty() {
            return true;
        }
        match edge {
            Edge::Host => {
                let value = value.to_lowercase();
                self.0.iter().any(|message| stands(&message.to_lowercase(), &value, edge))
            }
            Edge::Path | Edge::Word => self.0.iter().any(|message| stands(message, value, edge)),
        }
    }
}

fn stands(message: &str, value: &str, edge: Edge) -> bool {
    message.match_indices(value).any(|(at, _)| {
        let Some((before, rest)) = message.split_at_checked(at) else { return false };
        let after = rest.strip_prefix(value).unwrap_or_default();
        begins(before, value, edge) && ends(after, value, edge)
    })
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Two letters of one script make one word; Korean is often written without a space before a name.
fn is_one_word(left: char, right: char) -> bool {
    (is_word(left) && is_word(right))
        || (!left.is_ascii()
            && !right.is_ascii()
            && left.is_alphanumeric()
            && right.is_alphanumeric())
}

fn begins(before: &str, value: &str, edge: Edge) -> bool {
    let (Some(left), Some(first)) = (before.chars().next_back(), value.chars().next()) else {
        return true;
    };
    if is_one_word(left, first) {
        return false;
    }
    match (left, edge) {
        ('.' | '-' | '_' | '@' | '\\' | '~' | '%', _) => false,
        // `//host`, but no host in another one's path.
        ('/', Edge::Host) => before.ends_with("//"),
        // `/a.txt` and `./a.txt` are `a.txt`.
        ('/', Edge::Path) => {
            let before = before.strip_suffix('/').unwrap_or(before);
            let before = before.strip_suffix('.').unwrap_or(before);
            before.chars().next_back().is_none_or(|c| c.is_whitespace() || is_quote(c))
        }
        // `1,234`
        (',', Edge::Word) => !(first.is_ascii_digit() && digit_before(before)),
        _ => true,
    }
}

fn digit_before(before: &str) -> bool {
    before.strip_suffix(',').is_some_and(|text| text.ends_with(|c: char| c.is_ascii_digit()))
}

/// A Korean particle may follow at once.
fn ends(after: &str, value: &str, edge: Edge) -> bool {
    let mut following = after.chars();
    let (Some(last), Some(right)) = (value.chars().next_back(), following.next()) else {
        return true;
    };
    if is_word(last) && is_word(right) {
        return false;
    }
    let next = following.next();
    match (right, edge) {
        ('-' | '_' | '\\' | '%', _)
        | ('@', Edge::Host)
        | ('/' | '?' | '&' | '=' | '#', Edge::Path) => false,
        // `a.test.evil` and `a.txt.bak`; the end of a sentence is none.
        ('.', _) => !next.is_some_and(char::is_alphanumeric),
        // Another port than the scheme's own.
        (':', Edge::Host | Edge::Path) => !next.is_some_and(|c| c.is_ascii_digit()),
        (',', Edge::Word) => !(last.is_ascii_digit() && next.is_some_and(|c| c.is_ascii_digit())),
        _ => true,
    }
}

const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '(' | '[' | '<' | '“' | '‘' | '「' | '『' | ':' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(message: &str, value: &str, edge: Edge) -> bool {
        UserWords::new([message]).hold(value, edge)
    }

    #[test]
    fn a_host_stands_as_a_whole() {
        for message in [
            "call Shop.test please",
            "http://shop.test/products 읽어줘",
            "shop.test에서 가져와",
            "shop.test.",
            "(shop.test)",
        ] {
            assert!(hold(message, "shop.test", Edge::Host), "{message}");
        }
        for message in [
            "call shop.test.evil.example",
            "myshop.test",
            "my-shop.test",
            "evil.example/shop.test",
            "me@shop.test",
            "http://shop.test:8080/",
            "shop.test@evil.example",
            "shop",
        ] {
            assert!(!hold(message, "shop.test", Edge::Host), "{message}");
        }
        assert!(hold("http://shop.test:8080/", "shop.test:8080", Edge::Host));
    }

    #[test]
    fn a_path_stands_as_a_whole() {
        for message in ["a.txt를 지워줘", "delete /a.txt", "`./a.txt`", "read a.txt.", "'a.txt'"]
        {
            assert!(hold(message, "a.txt", Edge::Path), "{message}");
        }
        for message in ["notes/a.txt", "a.txt.bak", "aa.txt", "a.txt/b", "A.txt", "../a.txt"] {
            assert!(!hold(message, "a.txt", Edge::Path), "{message}");
        }
        assert!(hold("보고서.txt 읽어줘", "보고서.txt", Edge::Path));
        assert!(!hold("새보고서.txt 읽어줘", "보고서.txt", Edge::Path));
    }

    #[test]
    fn a_word_and_a_number_stand_as_a_whole() {
        for (message, value) in [("상품 3번", "3"), ("?q=tea&n=3", "tea"), ("주문해줘", "주문")]
        {
            assert!(hold(message, value, Edge::Word), "{message} {value}");
        }
        for (message, value) in [("33", "3"), ("1,300", "300"), ("3.5", "3"), ("teapot", "tea")] {
            assert!(!hold(message, value, Edge::Word), "{message} {value}");
        }
    }
}
