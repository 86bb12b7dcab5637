//! All written forms of a secret: plain, hexadecimal, and base64 at any offset of a longer text.
//! Redaction searches for each of them.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use std::fmt;
use zeroize::Zeroizing;

/// Bytes in one group of base64.
const GROUP_BYTES: usize = 3;

/// A way in which a secret can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Encoding {
    /// As it is.
    Plain,
    /// In lower or in upper case.
    Hex,
    /// The standard or the URL-safe alphabet, without padding.
    Base64,
}

impl Encoding {
    /// Number of characters for that many bytes.
    #[must_use]
    pub const fn digits(self, bytes: usize) -> usize {
        match self {
            Self::Plain => bytes,
            Self::Hex => bytes * 2,
            Self::Base64 => bytes * 8 / 6,
        }
    }
}

/// One written form of a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Spelling {
    /// How it is written.
    pub encoding: Encoding,
    /// The text, zeroed when dropped.
    pub text: Zeroizing<String>,
}

impl fmt::Debug for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spelling").field("encoding", &self.encoding).finish_non_exhaustive()
    }
}

/// Each form once. For base64, the characters that do not depend on the text around the secret, for
/// each offset in a group of three bytes.
#[must_use]
pub fn spellings(secret: &str) -> Vec<Spelling> {
    let plain = (Encoding::Plain, secret.to_owned());
    let hex = [hex::encode(secret), hex::encode_upper(secret)].map(|text| (Encoding::Hex, text));
    let base64 = (0..GROUP_BYTES).flat_map(|before| in_base64(secret.as_bytes(), before));
    let base64 = base64.map(|text| (Encoding::Base64, text));
    let all = [plain].into_iter().chain(hex).chain(base64);
    let all = all.map(|(encoding, text)| Spelling { encoding, text: Zeroizing::new(text) });
    let mut all: Vec<Spelling> = all.collect();
    all.sort_by(|one, other| (one.encoding, &*one.text).cmp(&(other.encoding, &*other.text)));
    all.dedup();
    all
}

/// The form at that offset in a group of three bytes.
fn in_base64(secret: &[u8], before: usize) -> Vec<String> {
    let padded: Vec<u8> = vec![0; before].into_iter().chain(secret.iter().copied()).collect();
    let padded = Zeroizing::new(padded);
    // A character has six bits; characters that share bits with a neighbour are left out.
    let from = (before * 8).div_ceil(6);
    let to = padded.len() * 8 / 6;
    let encoded = [STANDARD_NO_PAD.encode(&padded), URL_SAFE_NO_PAD.encode(&padded)];
    let own = encoded.map(Zeroizing::new);
    own.iter().filter_map(|text| text.get(from..to)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};
    use proptest::prelude::*;

    #[test]
    fn each_encoding_is_there_once() {
        let found: Vec<(Encoding, String)> = spellings("ab>?")
            .into_iter()
            .map(|spelling| (spelling.encoding, spelling.text.to_string()))
            .collect();
        let (plain, hex, base64) = (Encoding::Plain, Encoding::Hex, Encoding::Base64);
        let expected = [
            (plain, "ab>?"),
            (hex, "61623E3F"),
            (hex, "61623e3f"),
            (base64, "FiPj"),
            (base64, "YWI+P"),
            (base64, "YWI-P"),
            (base64, "hYj4/"),
            (base64, "hYj4_"),
        ];
        assert_eq!(found, expected.map(|(encoding, text)| (encoding, text.to_owned())));
        assert!(!format!("{:?}", spellings("canary")).contains("canary"));
    }

    proptest! {
        /// Padded or not, wherever the secret stands in what was encoded.
        #[test]
        fn one_of_them_stands_in_what_is_encoded(
            secret in "[ -~]{4,40}", before in "[a-z]{0,5}", behind in "[a-z]{0,5}"
        ) {
            let text = format!("{before}{secret}{behind}");
            let all = spellings(&secret);
            let stands = |encoded: String| all.iter().any(|s| encoded.contains(s.text.as_str()));
            prop_assert!(stands(STANDARD.encode(&text)) && stands(STANDARD_NO_PAD.encode(&text)));
            prop_assert!(stands(URL_SAFE.encode(&text)) && stands(URL_SAFE_NO_PAD.encode(&text)));
            prop_assert!(stands(hex::encode(&text)) && stands(hex::encode_upper(&text)));
        }
    }
}
