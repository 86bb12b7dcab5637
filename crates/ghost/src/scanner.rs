//! Searches bytes for secrets, in every encoding in which one could leak.

use aho_corasick::AhoCorasick;
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use std::{collections::BTreeSet, fmt};

/// A planted secret that must not be found anywhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Canary {
    /// A description that may be printed.
    pub name: String,
    /// Whose secret it is; not secret itself.
    pub user: String,
    pub secret: String,
}

impl fmt::Debug for Canary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canary").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The encoding of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    Plain,
    Reversed,
    Hex,
    /// With upper-case digits.
    HexUpper,
    /// At this offset, 0 to 2, within a group of three bytes.
    Base64(usize),
    /// The same with the alphabet for URLs.
    Base64Url(usize),
    /// Every byte as `%00`.
    Percent,
    /// Every character as `\u0000`.
    JsonEscaped,
}

impl Form {
    pub const ALL: [Self; 12] = [
        Self::Plain,
        Self::Reversed,
        Self::Hex,
        Self::HexUpper,
        Self::Base64(0),
        Self::Base64(1),
        Self::Base64(2),
        Self::Base64Url(0),
        Self::Base64Url(1),
        Self::Base64Url(2),
        Self::Percent,
        Self::JsonEscaped,
    ];

    /// The secret in this encoding, as a part of any longer text.
    #[must_use]
    pub fn of(self, secret: &str) -> String {
        match self {
            Self::Plain => secret.to_owned(),
            Self::Reversed => secret.chars().rev().collect(),
            Self::Hex => hex::encode(secret),
            Self::HexUpper => hex::encode_upper(secret),
            Self::Base64(before) => inner(&STANDARD_NO_PAD.encode(shifted(secret, before)), before),
            Self::Base64Url(before) => {
                inner(&URL_SAFE_NO_PAD.encode(shifted(secret, before)), before)
            }
            Self::Percent => secret.bytes().map(|byte| format!("%{byte:02X}")).collect(),
            Self::JsonEscaped => {
                secret.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect()
            }
        }
    }
}

fn shifted(secret: &str, before: usize) -> Vec<u8> {
    let mut bytes = vec![0; before];
    bytes.extend_from_slice(secret.as_bytes());
    // Whole groups only, so that the last digit depends on the secret alone.
    bytes.truncate(bytes.len() - bytes.len() % 3);
    bytes
}

/// Drops the digits that depend on the bytes before the secret.
fn inner(encoded: &str, before: usize) -> String {
    let skipped = match before {
        0 => 0,
        1 => 2,
        _ => 3,
    };
    encoded.chars().skip(skipped).collect()
}

pub struct Scanner {
    automaton: AhoCorasick,
    /// The name and encoding of each pattern.
    patterns: Vec<(String, Form)>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScannerError {
    #[error("a secret of `{0}` letters is too short to be looked for")]
    TooShort(usize),
    #[error("the patterns cannot be compiled: {0}")]
    Patterns(String),
}

/// Shorter secrets occur in any text by chance.
const SECRET_BYTES_MIN: usize = 12;

impl Scanner {
    pub fn of(canaries: &[Canary]) -> Result<Self, ScannerError> {
        let short =
            canaries.iter().map(|canary| canary.secret.len()).find(|l| *l < SECRET_BYTES_MIN);
        if let Some(length) = short {
            return Err(ScannerError::TooShort(length));
        }
        let each = |canary: &Canary| {
            Form::ALL.map(|form| (form.of(&canary.secret), (canary.name.clone(), form)))
        };
        let (texts, patterns): (Vec<String>, Vec<_>) = canaries.iter().flat_map(each).unzip();
        // Most of the searched bytes are noise, in which a search for rare bytes does not help.
        let automaton = AhoCorasick::builder()
            .prefilter(false)
            .build(texts)
            .map_err(|e| ScannerError::Patterns(e.to_string()))?;
        Ok(Self { automaton, patterns })
    }

    /// Every secret in the bytes, with its encoding.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> BTreeSet<(String, Form)> {
        let hits = self.automaton.find_overlapping_iter(bytes);
        hits.filter_map(|hit| self.patterns.get(hit.pattern().as_usize()).cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};

    const SECRET: &str = "k7~q?9>x2mvr5tzb8n4wcgp6hj3d";

    fn scanner() -> Scanner {
        let canary =
            Canary { name: "c".to_owned(), user: String::new(), secret: SECRET.to_owned() };
        Scanner::of(&[canary]).unwrap()
    }

    fn found(bytes: &[u8]) -> BTreeSet<Form> {
        scanner().find(bytes).into_iter().map(|(_, form)| form).collect()
    }

    #[test]
    fn each_form_is_found_by_encoders_that_know_nothing_of_it() {
        let around = |before: usize| format!("{}{SECRET}and more", "ab".get(..before).unwrap());
        for before in 0..3 {
            let standard = STANDARD.encode(around(before));
            assert!(found(standard.as_bytes()).contains(&Form::Base64(before)), "{standard}");
            let url = URL_SAFE.encode(around(before));
            assert!(found(url.as_bytes()).contains(&Form::Base64Url(before)), "{url}");
        }
        let percent: String = SECRET.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let backwards: Vec<u8> = SECRET.bytes().rev().collect();
        for (text, form) in [
            (format!("x{SECRET}y").into_bytes(), Form::Plain),
            (backwards, Form::Reversed),
            (hex::encode(SECRET).into_bytes(), Form::Hex),
            (hex::encode(SECRET).to_uppercase().into_bytes(), Form::HexUpper),
            (percent.into_bytes(), Form::Percent),
        ] {
            assert!(found(&text).contains(&form), "{form:?}");
        }
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let other = SECRET.replacen('k', "l", 1);
        for form in Form::ALL {
            assert!(found(form.of(&other).get(..8).unwrap().as_bytes()).is_empty());
        }
        assert!(found(other.as_bytes()).is_empty());
        assert!(matches!(
            Scanner::of(&[Canary {
                name: String::new(),
                user: String::new(),
                secret: "short".to_owned()
            }]),
            Err(ScannerError::TooShort(5))
        ));
    }

    #[test]
    fn debug_tells_no_secret() {
        let canary =
            Canary { name: "c".to_owned(), user: "u".to_owned(), secret: SECRET.to_owned() };
        assert!(!format!("{canary:?}").contains(SECRET));
    }
}
