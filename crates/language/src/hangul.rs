//! Syllables of Hangul as arithmetic: lead, vowel and final, each by its number.

const FIRST: u32 = 0xAC00;
const LAST: u32 = 0xD7A3;
const VOWELS: u32 = 21;
const FINALS: u32 = 28;
/// The lead of `아`.
const SILENT: u32 = 11;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Syllable {
    pub(crate) lead: u32,
    pub(crate) vowel: u32,
    /// 0 where it ends in its vowel.
    pub(crate) last: u32,
}

pub(crate) mod vowel {
    pub(crate) const A: u32 = 0;
    pub(crate) const AE: u32 = 1;
    pub(crate) const YAE: u32 = 3;
    pub(crate) const EO: u32 = 4;
    pub(crate) const E: u32 = 5;
    pub(crate) const YEO: u32 = 6;
    pub(crate) const YE: u32 = 7;
    pub(crate) const O: u32 = 8;
    pub(crate) const WA: u32 = 9;
    pub(crate) const WAE: u32 = 10;
    pub(crate) const OE: u32 = 11;
    pub(crate) const U: u32 = 13;
    pub(crate) const WEO: u32 = 14;
    pub(crate) const WE: u32 = 15;
    pub(crate) const EU: u32 = 18;
    pub(crate) const UI: u32 = 19;
    pub(crate) const I: u32 = 20;
}

pub(crate) mod last {
    pub(crate) const N: u32 = 4;
    pub(crate) const NH: u32 = 6;
    pub(crate) const L: u32 = 8;
    pub(crate) const M: u32 = 16;
    pub(crate) const B: u32 = 17;
    pub(crate) const BS: u32 = 18;
    pub(crate) const SS: u32 = 20;
}

impl Syllable {
    pub(crate) fn of(c: char) -> Option<Self> {
        let code = u32::from(c);
        if !(FIRST..=LAST).contains(&code) {
            return None;
        }
        let at = code - FIRST;
        Some(Self { lead: at / (VOWELS * FINALS), vowel: at / FINALS % VOWELS, last: at % FINALS })
    }
    pub(crate) fn letter(self) -> Option<char> {
        char::from_u32(FIRST + (self.lead * VOWELS + self.vowel) * FINALS + self.last)
    }
    /// It begins with no consonant.
    pub(crate) const fn is_open(self) -> bool {
        self.lead == SILENT
    }
    pub(crate) const fn with_vowel(self, vowel: u32) -> Self {
        Self { vowel, ..self }
    }
    pub(crate) const fn with_last(self, last: u32) -> Self {
        Self { last, ..self }
    }
}

/// How it is heard: letters that sound alike, or differ in a stroke, are one letter here. As many
/// characters and bytes as before.
#[must_use]
pub fn sound(word: &str) -> String {
    word.chars().map(|c| Syllable::of(c).map_or(c, |s| s.heard().letter().unwrap_or(c))).collect()
}

impl Syllable {
    const fn heard(self) -> Self {
        let lead = match self.lead {
            // ㄲ, ㄸ, ㅃ, ㅆ, ㅉ
            1 | 4 | 8 | 10 | 13 => self.lead - 1,
            lead => lead,
        };
        let vowel = match self.vowel {
            vowel::AE | vowel::YAE | vowel::YE => vowel::E,
            vowel::WAE | vowel::WE => vowel::OE,
            vowel::UI => vowel::I,
            vowel => vowel,
        };
        let last = match self.last {
            // ㄲ, ㅄ, ㅆ
            2 | last::BS | last::SS => self.last - 1,
            last::NH => last::N,
            last => last,
        };
        Self { lead, vowel, last }
    }
}

/// A word letter by letter, as fingers type it; what is no syllable stays as it is.
pub(crate) fn jamo(word: &str) -> Vec<char> {
    /// Private use, so that no letter of a text is taken for a part of a syllable.
    const LEADS: u32 = 0xE000;
    const VOWELS_AT: u32 = LEADS + 32;
    const FINALS_AT: u32 = VOWELS_AT + 32;
    let mut letters = Vec::new();
    for c in word.chars() {
        match Syllable::of(c) {
            Some(syllable) => {
                letters.extend(char::from_u32(LEADS + syllable.lead));
                letters.extend(char::from_u32(VOWELS_AT + syllable.vowel));
                if syllable.last > 0 {
                    letters.extend(char::from_u32(FINALS_AT + syllable.last));
                }
            }
            None => letters.push(c),
        }
    }
    letters
}

#[cfg(test)]
mod tests;
