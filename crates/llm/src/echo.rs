//! A provider that says the key back does not get it shown, streamed or put on record: not in whole,
//! and not a long part of it.

use crate::{key::ProviderKey, proposal::bare};
use secrecy::{ExposeSecret as _, SecretString};

/// So many characters in a row are a part of it; fewer are none: many keys of one provider begin alike.
const PART_CHARS: usize = 20;
/// As the shortest key that is taken; what is shorter stands in any text by chance (`none`, as a server of
/// one's own is given).
const PART_CHARS_MIN: usize = 8;

/// What must not come back; nothing where no key was sent.
pub(crate) struct Echo<'k>(Option<&'k SecretString>);

impl<'k> Echo<'k> {
    pub(crate) fn of(key: Option<&'k ProviderKey>) -> Self {
        let long = |secret: &&SecretString| secret.expose_secret().len() >= PART_CHARS_MIN;
        Self(key.map(|key| &key.secret).filter(long))
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.0.is_some_and(|secret| parts(secret.expose_secret()).any(|part| text.contains(part)))
    }

    /// In an answer's strings, however they are escaped.
    pub(crate) fn is_in_answer(&self, answer: &str) -> bool {
        if self.0.is_none() {
            return false;
        }
        let plain = |value: &serde_json::Value| strings(value, &|text| self.is_in(text));
        self.is_in(answer) || serde_json::from_str(bare(answer)).is_ok_and(|value| plain(&value))
    }

    pub(crate) const fn screen(&self) -> Screen<'k> {
        Screen { secret: self.0, kept: String::new(), is_said: false }
    }
}

/// A part of it, wherever that begins. Keys are ASCII; of any other the whole.
fn parts(secret: &str) -> impl Iterator<Item = &str> {
    let length = part_length(secret);
    (0..=secret.len().saturating_sub(length)).filter_map(move |at| secret.get(at..at + length))
}

fn part_length(secret: &str) -> usize {
    if secret.is_ascii() { secret.len().min(PART_CHARS) } else { secret.len() }
}

fn strings(value: &serde_json::Value, is_it: &impl Fn(&str) -> bool) -> bool {
    match value {
        serde_json::Value::String(text) => is_it(text),
        serde_json::Value::Array(values) => values.iter().any(|value| strings(value, is_it)),
        serde_json::Value::Object(fields) => {
            fields.iter().any(|(name, value)| is_it(name) || strings(value, is_it))
        }
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {
            false
        }
    }
}

/// Words on their way to a reader, piece by piece.
pub(crate) struct Screen<'k> {
    secret: Option<&'k SecretString>,
    /// What might be the beginning of it.
    kept: String,
    is_said: bool,
}

impl Screen<'_> {
    /// What of all words so far may be told by now. Once it was said, nothing more is.
    pub(crate) fn push(&mut self, words: String) -> String {
        let Some(secret) = self.secret.map(|secret| secret.expose_secret()) else { return words };
        self.kept.push_str(&words);
        self.is_said |= parts(secret).any(|part| self.kept.contains(part));
        if self.is_said {
            self.kept.clear();
            return String::new();
        }
        let held = self.held(secret);
        let told = self.kept.len() - held;
        let rest = self.kept.split_off(told);
        std::mem::replace(&mut self.kept, rest)
    }

    /// What is left at the end.
    pub(crate) fn rest(&mut self) -> String {
        std::mem::take(&mut self.kept)
    }

    /// Bytes at the end that may go on to be a part of it.
    fn held(&self, secret: &str) -> usize {
        let longest = self.kept.len().min(part_length(secret).saturating_sub(1));
        let ends = |length: &usize| {
            let end = self.kept.get(self.kept.len() - length..);
            end.is_some_and(|end| secret.contains(end))
        };
        (1..=longest).rev().find(ends).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wiiiv_net::Origin;

    const SECRET: &str = "sk-canary-0123456789abcdefghij";

    fn key(secret: &str) -> ProviderKey {
        ProviderKey::new(Origin::parse("https://h.test").unwrap(), secret.into())
    }

    #[test]
    fn a_long_part_is_as_good_as_the_whole_and_a_short_one_is_none() {
        let key = key(SECRET);
        let echo = Echo::of(Some(&key));
        for text in [SECRET, "key: sk-canary-0123456789abcdefghij!", "0123456789abcdefghij"] {
            assert!(echo.is_in(text), "{text}");
        }
        for text in ["", "sk-canary-", "0123456789abcdefghi", "안녕하세요"] {
            assert!(!echo.is_in(text), "{text}");
        }
        assert!(!Echo::of(None).is_in(SECRET));
        for short in ["", "x", "none", "ollama"] {
            let key = self::key(short);
            assert!(!Echo::of(Some(&key)).is_in("x, none or ollama"), "it stands there by chance");
        }
    }

    #[test]
    fn an_escaped_one_is_seen() {
        let key = key(SECRET);
        let echo = Echo::of(Some(&key));
        let escaped = SECRET.replace('-', "\\u002d").replace('3', "\\u0033");
        for answer in [
            format!(r#"{{"message":"{escaped}"}}"#),
            format!(r#"{{"slots":{{"a":["x",{{"{escaped}":1}}]}}}}"#),
            format!("```json\n{{\"message\":\"{escaped}\"}}\n```"),
            format!("no JSON: {SECRET}"),
        ] {
            assert!(echo.is_in_answer(&answer), "{answer}");
        }
        assert!(!echo.is_in_answer(r#"{"message":"sk-canary-"}"#));
    }

    proptest! {
        #[test]
        fn nothing_of_it_is_told_in_any_pieces(
            before in "[a-k0-9가]{0,20}", after in "\\PC{0,20}", piece in 1_usize..9
        ) {
            let key = key(SECRET);
            let mut screen = Echo::of(Some(&key)).screen();
            let text: Vec<char> = format!("{before}{SECRET}{after}").chars().collect();
            let told: String =
                text.chunks(piece).map(|words| screen.push(words.iter().collect())).collect();
            let told = told + &screen.rest();
            prop_assert!(!Echo::of(Some(&key)).is_in(&told), "{told}");
            let said = format!("{before}{SECRET}");
            prop_assert!(said.starts_with(&told));
        }

        #[test]
        fn all_else_is_told(text in "[ -~가-힣]{0,80}", piece in 1_usize..9) {
            let key = key(SECRET);
            let mut screen = Echo::of(Some(&key)).screen();
            let chars: Vec<char> = text.chars().collect();
            let told: String =
                chars.chunks(piece).map(|words| screen.push(words.iter().collect())).collect();
            prop_assert_eq!(told + &screen.rest(), text);
        }
    }
}
