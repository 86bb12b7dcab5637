//! Redacts a key that a provider repeats, before the text is shown, streamed or recorded: the whole
//! key and long parts of it, also in hexadecimal and base64.

use crate::{key::ProviderKey, proposal::bare};
use secrecy::ExposeSecret as _;
use std::sync::Arc;
use wiiiv_vault::{Spelling, spellings};

/// So many bytes in a row are a part of it; fewer are none: many keys of one provider begin alike.
const PART_BYTES: usize = 20;
/// As the shortest key that is taken; what is shorter stands in any text by chance (`none`, as a server of
/// one's own is given).
const PART_BYTES_MIN: usize = 8;

/// What must not come back; nothing where no key was sent.
#[derive(Clone)]
pub(crate) struct KeyRedaction(Arc<[Forbidden]>);

/// The key in one encoding.
struct Forbidden {
    spelling: Spelling,
    /// So many bytes of the spelling are a part of the key.
    part: usize,
}

impl KeyRedaction {
    pub(crate) fn of(key: Option<&ProviderKey>) -> Self {
        let secret = key.map(|key| key.secret.expose_secret());
        Self(secret.filter(|secret| secret.len() >= PART_BYTES_MIN).map(all).unwrap_or_default())
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.0.iter().any(|forbidden| forbidden.is_in(text))
    }

    /// In an answer's strings, however they are escaped.
    pub(crate) fn is_in_answer(&self, answer: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let plain = |value: &serde_json::Value| strings(value, &|text| self.is_in(text));
        self.is_in(answer) || serde_json::from_str(bare(answer)).is_ok_and(|value| plain(&value))
    }

    pub(crate) fn screen(&self) -> Screen {
        Screen { redaction: self.clone(), kept: String::new(), is_said: false }
    }
}

/// Keys are ASCII; of any other the whole is looked for.
fn all(secret: &str) -> Arc<[Forbidden]> {
    let bytes = if secret.is_ascii() { secret.len().min(PART_BYTES) } else { secret.len() };
    let forbidden = |spelling: Spelling| {
        let part = spelling.encoding.digits(bytes).min(spelling.text.len());
        Forbidden { spelling, part }
    };
    spellings(secret).into_iter().map(forbidden).collect()
}

impl Forbidden {
    fn text(&self) -> &str {
        &self.spelling.text
    }

    /// A part of it, wherever in the key that begins: whatever is so long holds one of these blocks
    /// whole, and goes on as the key does on both sides of it.
    fn is_in(&self, text: &str) -> bool {
        let own = self.text();
        if !own.is_ascii() {
            return text.contains(own);
        }
        let length = self.part.div_ceil(2).max(1);
        let blocks = (0..own.len()).step_by(length);
        blocks.filter_map(|at| Some((at, own.get(at..at + length)?))).any(|(at, block)| {
            places(text, block).any(|place| {
                let before = same_before(text, place, own, at);
                before + same_behind(text, place, own, at) >= self.part
            })
        })
    }

    /// Bytes at the end that may go on to be a part of it.
    fn held(&self, text: &str) -> usize {
        let longest = text.len().min(self.part.saturating_sub(1));
        let ends = |length: &usize| {
            let end = text.get(text.len() - length..);
            end.is_some_and(|end| self.text().contains(end))
        };
        (1..=longest).rev().find(ends).unwrap_or_default()
    }
}

/// Every one, also where they overlap.
fn places<'t>(text: &'t str, block: &'t str) -> impl Iterator<Item = usize> + 't {
    let mut from = 0;
    std::iter::from_fn(move || {
        let place = from + text.get(from..)?.find(block)?;
        from = place + 1;
        Some(place)
    })
}

fn same_before(text: &str, place: usize, own: &str, at: usize) -> usize {
    let (text, own) = (text.as_bytes().get(..place), own.as_bytes().get(..at));
    let both = text.unwrap_or_default().iter().rev().zip(own.unwrap_or_default().iter().rev());
    both.take_while(|(one, other)| one == other).count()
}

fn same_behind(text: &str, place: usize, own: &str, at: usize) -> usize {
    let (text, own) = (text.as_bytes().get(place..), own.as_bytes().get(at..));
    let both = text.unwrap_or_default().iter().zip(own.unwrap_or_default());
    both.take_while(|(one, other)| one == other).count()
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
pub(crate) struct Screen {
    redaction: KeyRedaction,
    /// What might be the beginning of it.
    kept: String,
    is_said: bool,
}

impl Screen {
    /// What of all words so far may be told by now. Once it was said, nothing more is.
    pub(crate) fn push(&mut self, words: String) -> String {
        if self.redaction.0.is_empty() {
            return words;
        }
        self.kept.push_str(&words);
        self.is_said |= self.redaction.is_in(&self.kept);
        if self.is_said {
            self.kept.clear();
            return String::new();
        }
        let held = self.redaction.0.iter().map(|forbidden| forbidden.held(&self.kept)).max();
        let told = self.kept.len() - held.unwrap_or_default();
        let rest = self.kept.split_off(told);
        std::mem::replace(&mut self.kept, rest)
    }

    /// What is left at the end.
    pub(crate) fn rest(&mut self) -> String {
        std::mem::take(&mut self.kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::{
        Engine as _,
        engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE},
    };
    use proptest::prelude::*;
    use wiiiv_net::Origin;

    const SECRET: &str = "sk-canary-0123456789abcdefghij";

    fn key(secret: &str) -> ProviderKey {
        ProviderKey::new(Origin::parse("https://h.test").unwrap(), secret.into())
    }

    #[test]
    fn a_long_part_is_as_good_as_the_whole_and_a_short_one_is_none() {
        let key = key(SECRET);
        let redaction = KeyRedaction::of(Some(&key));
        for text in [SECRET, "key: sk-canary-0123456789abcdefghij!", "0123456789abcdefghij"] {
            assert!(redaction.is_in(text), "{text}");
        }
        for text in ["", "sk-canary-", "0123456789abcdefghi", "안녕하세요"] {
            assert!(!redaction.is_in(text), "{text}");
        }
        assert!(!KeyRedaction::of(None).is_in(SECRET));
        for short in ["", "x", "none", "ollama"] {
            let key = self::key(short);
            assert!(
                !KeyRedaction::of(Some(&key)).is_in("x, none or ollama"),
                "it stands there by chance"
            );
        }
    }

    /// In both cases, alphabets and paddings, alone or in a longer text, whole or a long part of it.
    #[test]
    fn an_encoded_one_is_seen() {
        let key = key(SECRET);
        let redaction = KeyRedaction::of(Some(&key));
        for part in [SECRET, &SECRET[5..25], "0123456789abcdefghij"] {
            for before in ["", "x", "xx", "xxx", "Bearer "] {
                for behind in ["", "y", "yy"] {
                    let text = format!("{before}{part}{behind}");
                    for encoded in [
                        STANDARD.encode(&text),
                        STANDARD_NO_PAD.encode(&text),
                        URL_SAFE.encode(&text),
                        hex(&text),
                        hex(&text).to_uppercase(),
                    ] {
                        assert!(redaction.is_in(&format!("it is {encoded}!")), "{text}: {encoded}");
                    }
                }
            }
        }
        // As short as a part that is none when it is plain.
        let short = &SECRET[..11];
        for encoded in [STANDARD.encode(short), hex(short)] {
            assert!(!redaction.is_in(&encoded), "{encoded}");
        }
        let screened = |encoded: &str| {
            let mut screen = redaction.screen();
            let pieces: String = encoded.chars().map(|c| screen.push(c.to_string())).collect();
            pieces + &screen.rest()
        };
        for encoded in [STANDARD.encode(SECRET), hex(SECRET)] {
            assert_eq!(screened(&format!("가: {encoded}")), "가: ");
        }
    }

    fn hex(text: &str) -> String {
        text.bytes().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn an_escaped_one_is_seen() {
        let key = key(SECRET);
        let redaction = KeyRedaction::of(Some(&key));
        let escaped = SECRET.replace('-', "\\u002d").replace('3', "\\u0033");
        for answer in [
            format!(r#"{{"message":"{escaped}"}}"#),
            format!(r#"{{"slots":{{"a":["x",{{"{escaped}":1}}]}}}}"#),
            format!("```json\n{{\"message\":\"{escaped}\"}}\n```"),
            format!("no JSON: {SECRET}"),
        ] {
            assert!(redaction.is_in_answer(&answer), "{answer}");
        }
        assert!(!redaction.is_in_answer(r#"{"message":"sk-canary-"}"#));
    }

    proptest! {
        #[test]
        fn nothing_of_it_is_told_in_any_pieces(
            before in "[a-k0-9가]{0,20}", after in "\\PC{0,20}", piece in 1_usize..9
        ) {
            let key = key(SECRET);
            let mut screen = KeyRedaction::of(Some(&key)).screen();
            let text: Vec<char> = format!("{before}{SECRET}{after}").chars().collect();
            let told: String =
                text.chunks(piece).map(|words| screen.push(words.iter().collect())).collect();
            let told = told + &screen.rest();
            prop_assert!(!KeyRedaction::of(Some(&key)).is_in(&told), "{told}");
            let said = format!("{before}{SECRET}");
            prop_assert!(said.starts_with(&told));
        }

        #[test]
        fn all_else_is_told(text in "[ -~가-힣]{0,80}", piece in 1_usize..9) {
            let key = key(SECRET);
            let mut screen = KeyRedaction::of(Some(&key)).screen();
            let chars: Vec<char> = text.chars().collect();
            let told: String =
                chars.chunks(piece).map(|words| screen.push(words.iter().collect())).collect();
            prop_assert_eq!(told + &screen.rest(), text);
        }
    }
}
