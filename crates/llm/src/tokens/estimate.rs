//! Estimates tokens from a text's letters, for models without a tokenizer here.

use serde::Deserialize;

/// Of a family of models, in thousandths of a token; fitted to texts in Korean and English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Estimate {
    /// 95 of 100 texts are that near, in percent.
    pub(crate) within: u16,
    letter: u16,
    /// A run of letters.
    word: u16,
    digit: u16,
    /// A run of digits.
    number: u16,
    /// ASCII, and neither letter nor digit.
    sign: u16,
    signs: u16,
    hangul: u16,
    hangul_word: u16,
    /// Chinese and Japanese characters.
    cjk: u16,
    other: u16,
    line: u16,
    /// Each further space of a run.
    indent: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Sign,
    Hangul,
    Cjk,
    Other,
    Space,
    Line,
}

impl Kind {
    const fn of(c: char) -> Self {
        match c {
            '\n' => Self::Line,
            ' ' | '\t' | '\r' => Self::Space,
            'a'..='z' | 'A'..='Z' => Self::Letter,
            '0'..='9' => Self::Digit,
            '\0'..='\u{7f}' => Self::Sign,
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}' => {
                Self::Hangul
            }
            '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}' => Self::Cjk,
            _ => Self::Other,
        }
    }
}

impl Estimate {
    pub(crate) fn count(&self, text: &str) -> u64 {
        let mut before = None;
        let mut thousandths = 0_u64;
        for kind in text.chars().map(Kind::of) {
            thousandths = thousandths.saturating_add(self.weight(kind, before));
            before = Some(kind);
        }
        thousandths.div_ceil(1_000)
    }

    /// With its error: few texts need more.
    pub(crate) fn at_most(&self, counted: u64) -> u64 {
        counted.saturating_add(counted.saturating_mul(u64::from(self.within)).div_ceil(100))
    }

    /// Of so many, what may be counted for [`Self::at_most`] to stay within them.
    pub(crate) fn within_at_most(&self, room: u64) -> u64 {
        room.saturating_mul(100) / (100 + u64::from(self.within))
    }

    fn weight(&self, kind: Kind, before: Option<Kind>) -> u64 {
        let goes_on = before == Some(kind);
        let run =
            |each: u16, begun: u16| u64::from(each) + if goes_on { 0 } else { u64::from(begun) };
        match kind {
            Kind::Letter => run(self.letter, self.word),
            Kind::Digit => run(self.digit, self.number),
            Kind::Sign => run(self.sign, self.signs),
            Kind::Hangul => run(self.hangul, self.hangul_word),
            Kind::Cjk => u64::from(self.cjk),
            Kind::Other => u64::from(self.other),
            Kind::Space if goes_on => u64::from(self.indent),
            Kind::Line if !goes_on => u64::from(self.line),
            Kind::Space | Kind::Line => 0,
        }
    }
}
