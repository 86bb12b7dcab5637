//! The words of one chunk with their counts, as the index takes them.

use crate::{
    script::Scripts,
    words::{self, Piece},
};

/// First in the bytes of `Terms`; raised whenever the same text gives other terms.
pub const TERMS_VERSION: u32 = 1;

/// How much more a word of the title counts than one of the text.
const TITLE_WEIGHT: u8 = 2;
/// How much more a word of the path counts than one of the text.
const PATH_WEIGHT: u8 = 1;
/// BM25 has long flattened there: a higher count is this one.
pub(crate) const COUNT_MAX: u8 = 63;

/// Bytes before the keys: version, scripts, two lengths, how many keys.
const HEAD: usize = 17;

/// What a term is: each has a length and statistics of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Field {
    /// Words, without and with their particles, and parts of identifiers.
    Words,
    /// Pairs of characters of a script without reliable spaces.
    Pairs,
}

/// A term's name: 32 bits of a hash of its field and text. Of a million words two in ten thousand share
/// theirs with another one; a shared name finds a passage too many in its own scope, and never one too few.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(pub(crate) u32);

impl Key {
    /// FNV-1a in 64 bits, folded: the same on every machine, as it is stored.
    pub(crate) fn of(field: Field, text: &str) -> Self {
        let seed = match field {
            Field::Words => 0xcbf2_9ce4_8422_2325_u64,
            Field::Pairs => 0x9e37_79b9_7f4a_7c15,
        };
        let hash = text
            .bytes()
            .fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        let mixed = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let [a, b, c, d, ..] = (mixed ^ (mixed >> 32)).to_le_bytes();
        Self(u32::from_le_bytes([a, b, c, d]))
    }
}

/// The words of one chunk with their counts, ready for the index; kept beside the chunk so that a restart
/// tokenises nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    scripts: Scripts,
    words: u32,
    pairs: u32,
    /// Ascending.
    keys: Box<[Key]>,
    /// From 1 to `COUNT_MAX`, one for each key.
    counts: Box<[u8]>,
}

/// The bytes are no terms of this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// Another version wrote them: make them anew from the text.
    #[error("terms of version `{found}`, expected `{TERMS_VERSION}`: make them anew")]
    Version {
        /// The version in the bytes.
        found: u32,
    },
    /// Damaged.
    #[error("the bytes are no terms: make them anew")]
    Damaged,
}

impl Terms {
    /// Reads a chunk's words. Words of the title and of the path count more than those of the text.
    #[must_use]
    pub fn of(title: &str, path: &str, text: &str) -> Self {
        let mut counted: Vec<(Key, u8)> = Vec::new();
        let mut lengths = (0_u32, 0_u32);
        for (source, weight) in [(text, 1), (title, TITLE_WEIGHT), (path, PATH_WEIGHT)] {
            words::read(source, &mut |piece| {
                let (field, text) = match piece {
                    Piece::Surface { text, .. } | Piece::Form(text) => (Field::Words, text),
                    Piece::Pair(text) => (Field::Pairs, text),
                    Piece::Long => return,
                };
                match field {
                    Field::Words => lengths.0 += 1,
                    Field::Pairs => lengths.1 += 1,
                }
                counted.push((Key::of(field, text), weight));
            });
        }
        counted.sort_unstable();
        let (mut keys, mut counts): (Vec<Key>, Vec<u8>) = (Vec::new(), Vec::new());
        for (key, weight) in counted {
            match (keys.last(), counts.last_mut()) {
                (Some(last), Some(count)) if *last == key => {
                    *count = count.saturating_add(weight).min(COUNT_MAX);
                }
                _ => {
                    keys.push(key);
                    counts.push(weight);
                }
            }
        }
        let (words, pairs) = lengths;
        Self { scripts: Scripts::of(text), words, pairs, keys: keys.into(), counts: counts.into() }
    }

    /// As they are kept: little endian, the version first.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + self.keys.len() * 5);
        bytes.extend(TERMS_VERSION.to_le_bytes());
        bytes.push(self.scripts.bits());
        bytes.extend(self.words.to_le_bytes());
        bytes.extend(self.pairs.to_le_bytes());
        bytes.extend(u32::try_from(self.keys.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend(self.keys.iter().flat_map(|key| key.0.to_le_bytes()));
        bytes.extend(&self.counts);
        bytes
    }

    /// As they were kept; bytes of another version and damaged ones are refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TermsError> {
        let (version, rest) = number(bytes)?;
        if version != TERMS_VERSION {
            return Err(TermsError::Version { found: version });
        }
        let (&scripts, rest) = rest.split_first().ok_or(TermsError::Damaged)?;
        let scripts = Scripts::from_bits(scripts).ok_or(TermsError::Damaged)?;
        let (words, rest) = number(rest)?;
        let (pairs, rest) = number(rest)?;
        let (count, rest) = number(rest)?;
        let count = usize::try_from(count).map_err(|_| TermsError::Damaged)?;
        let at = count.checked_mul(4).ok_or(TermsError::Damaged)?;
        let (keys, counts) = rest.split_at_checked(at).ok_or(TermsError::Damaged)?;
        let (keys, _) = keys.as_chunks::<4>();
        let keys: Box<[Key]> = keys.iter().map(|key| Key(u32::from_le_bytes(*key))).collect();
        let sound = counts.len() == count
            && keys.is_sorted_by(|a, b| a < b)
            && counts.iter().all(|count| (1..=COUNT_MAX).contains(count));
        if !sound {
            return Err(TermsError::Damaged);
        }
        Ok(Self { scripts, words, pairs, keys, counts: counts.into() })
    }

    /// The scripts of the text.
    pub(crate) const fn scripts(&self) -> Scripts {
        self.scripts
    }

    /// How many terms of a field there are, each as often as it stands there.
    pub(crate) const fn length(&self, field: Field) -> u32 {
        match field {
            Field::Words => self.words,
            Field::Pairs => self.pairs,
        }
    }

    /// Each term once, with its count.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key, u8)> {
        self.keys.iter().copied().zip(self.counts.iter().copied())
    }

    pub(crate) fn contains(&self, key: Key) -> bool {
        self.keys.binary_search(&key).is_ok()
    }

    /// How often a term stands there, as it is weighed.
    pub(crate) fn count(&self, key: Key) -> u8 {
        let at = self.keys.binary_search(&key).ok();
        at.and_then(|at| self.counts.get(at)).copied().unwrap_or(0)
    }
}

fn number(bytes: &[u8]) -> Result<(u32, &[u8]), TermsError> {
    let (number, rest) = bytes.split_first_chunk::<4>().ok_or(TermsError::Damaged)?;
    Ok((u32::from_le_bytes(*number), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(terms: &Terms, field: Field, text: &str) -> u8 {
        terms.count(Key::of(field, text))
    }

    #[test]
    fn title_and_path_weigh_more() {
        let terms = Terms::of("서울", "trips/seoul.md", "서울에서 서울까지");
        assert_eq!(count(&terms, Field::Words, "서울"), 2 + TITLE_WEIGHT);
        assert_eq!(count(&terms, Field::Words, "서울에서"), 1);
        assert_eq!(count(&terms, Field::Words, "seoul"), PATH_WEIGHT);
        assert_eq!(count(&terms, Field::Pairs, "서울"), 2 + TITLE_WEIGHT);
        assert_eq!(terms.scripts(), Scripts::HANGUL);
    }

    #[test]
    fn a_count_has_an_end() {
        let terms = Terms::of("", "", &"a ".repeat(1_000));
        assert_eq!(count(&terms, Field::Words, "a"), COUNT_MAX);
        assert_eq!(terms.length(Field::Words), 1_000);
    }

    #[test]
    fn bytes_go_there_and_back() {
        let terms = Terms::of("GNOME 도움말", "a/b.md", "파일을 여는 방법 getUserName");
        assert_eq!(Terms::from_bytes(&terms.to_bytes()), Ok(terms.clone()));
        let empty = Terms::of("", "", "");
        assert_eq!(Terms::from_bytes(&empty.to_bytes()), Ok(empty));
    }

    #[test]
    fn other_versions_and_damage_are_refused() {
        let bytes = Terms::of("", "", "one two three").to_bytes();
        let mut newer = bytes.clone();
        newer[0] = 9;
        assert_eq!(Terms::from_bytes(&newer), Err(TermsError::Version { found: 9 }));
        for end in 0..bytes.len() {
            assert_eq!(Terms::from_bytes(&bytes[..end]), Err(TermsError::Damaged));
        }
        for at in 4..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x80;
            // A changed length or key may still be terms; nothing panics.
            let _ = Terms::from_bytes(&changed);
        }
        let mut longer = bytes;
        longer.push(1);
        assert_eq!(Terms::from_bytes(&longer), Err(TermsError::Damaged));
    }
}
