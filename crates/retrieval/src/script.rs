//! The scripts of a text: a text in one cannot be ranked by words of another.

use std::ops::BitOr;

/// Of a text's letters, in percent: a script with fewer is a guest.
const SHARE_MIN: usize = 25;

/// The scripts that a good part of a text's letters are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Scripts(u8);

impl Scripts {
    /// Korean syllables and letters.
    pub(crate) const HANGUL: Self = Self(1);
    /// The letters of English and its neighbours.
    pub(crate) const LATIN: Self = Self(1 << 1);
    /// Chinese characters and Japanese syllables.
    pub(crate) const HAN: Self = Self(1 << 2);
    /// Every other script, as one.
    pub(crate) const OTHER: Self = Self(1 << 3);

    const ALL: [Self; 4] = [Self::HANGUL, Self::LATIN, Self::HAN, Self::OTHER];

    /// The scripts of at least a quarter of the text's letters; none where it has no letters.
    #[must_use]
    pub(crate) fn of(text: &str) -> Self {
        let mut letters = [0_usize; 4];
        for script in text.chars().filter_map(Self::of_char) {
            let known = Self::ALL.into_iter().zip(&mut letters);
            known.filter(|(known, _)| *known == script).for_each(|(_, count)| *count += 1);
        }
        let all: usize = letters.iter().sum();
        let own = Self::ALL.into_iter().zip(letters);
        let own = own.filter(|(_, count)| *count > 0 && count * 100 >= all * SHARE_MIN);
        own.fold(Self::default(), |scripts, (script, _)| scripts | script)
    }

    /// Whether a text of these scripts can be ranked by the words of a text of those: one is of both,
    /// or either has no letters.
    #[must_use]
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0 || self.0 == 0 || other.0 == 0
    }

    /// As it is kept.
    #[must_use]
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// As it was kept; a bit without a meaning is refused.
    #[must_use]
    pub(crate) const fn from_bits(bits: u8) -> Option<Self> {
        if bits < 1 << 4 { Some(Self(bits)) } else { None }
    }

    fn of_char(c: char) -> Option<Self> {
        match c {
            'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => Some(Self::LATIN),
            _ if is_hangul(c) => Some(Self::HANGUL),
            _ if is_han(c) => Some(Self::HAN),
            _ if c.is_alphabetic() => Some(Self::OTHER),
            _ => None,
        }
    }
}

impl BitOr for Scripts {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Syllables, and the letters that they are made of.
pub(crate) const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{3131}'..='\u{318e}' | '\u{1100}'..='\u{11ff}')
}

/// Scripts without spaces between words, but for Hangul.
pub(crate) const fn is_han(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}'
        | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{20000}'..='\u{3134f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_is_no_script_of_the_text() {
        assert_eq!(Scripts::of("파일 관리자(Files)에서 숨긴 파일을 보는 방법"), Scripts::HANGUL);
        assert_eq!(Scripts::of("Show hidden files"), Scripts::LATIN);
        assert_eq!(Scripts::of("GNOME 설정"), Scripts::HANGUL | Scripts::LATIN);
        assert_eq!(Scripts::of("日本語"), Scripts::HAN);
        assert_eq!(Scripts::of("1984, 42!"), Scripts::default());
    }

    #[test]
    fn numbers_meet_everything() {
        let (korean, english, none) = (Scripts::HANGUL, Scripts::LATIN, Scripts::default());
        assert!(korean.meets(korean | english) && korean.meets(none) && none.meets(english));
        assert!(!korean.meets(english));
    }

    #[test]
    fn bits_go_there_and_back() {
        let both = Scripts::HANGUL | Scripts::LATIN;
        assert_eq!(Scripts::from_bits(both.bits()), Some(both));
        assert_eq!(Scripts::from_bits(1 << 4), None);
    }
}
