//! What whole utterances are made of.

use serde::Deserialize;

/// Longer utterances say more than one of these.
pub(crate) const WHOLE_CHARS_MAX: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Whole {
    Affirm,
    /// A yes where it is all that is said, a hesitation where more follows: `어`, but not `어...`.
    Murmur,
    Deny,
    Cancel,
    Reset,
    Greeting,
    /// Turns what it stands beside around: `취소하지 마`, `don't cancel`.
    Negate,
    /// Makes a request of a question: `취소해 줄래?`
    Asking,
    /// Answers a question with nothing: `글쎄`, `dunno`.
    Evasion,
    /// Puts off what waits: `나중에 할게`, `not now`.
    Later,
    /// Two are meant: a yes of it is one only where another job waits.
    Both,
    /// Comes back to what waits: beside what is agreed to it is a yes (`암튼 저장해`), alone nothing.
    Anyway,
    /// May stand beside any of them but a yes.
    Aside,
    /// May stand beside any of them.
    Filler,
}

/// What a covering says, a bit for each kind of form in it.
pub(crate) type Mask = u16;
/// What may be agreed to: a yes only beside a yes (`네 보내세요`).
pub(crate) const CONSENT: Mask = 128;

impl Whole {
    /// Lower case, without spaces and light punctuation. A question mark stays: `네?` is no yes.
    pub(crate) fn key(text: &str) -> String {
        let light = |c: char| c.is_whitespace() || ".,!~^-…·。！、¡¿".contains(c);
        let plain = |word: &str| -> String {
            // `don't`, but not `'yes'`.
            let inside = word.trim_matches(['\'', '’']).len() == word.len();
            let dropped = |c: char| light(c) || (inside && matches!(c, '\'' | '’'));
            word.chars().filter(|c| !dropped(*c)).flat_map(char::to_lowercase).collect()
        };
        text.split_whitespace().map(plain).collect()
    }

    pub(crate) const fn bit(self) -> Mask {
        match self {
            Self::Affirm => 1,
            Self::Deny => 2,
            Self::Cancel => 4,
            Self::Reset => 8,
            Self::Negate => 16,
            Self::Greeting => 32,
            Self::Aside | Self::Asking => 64,
            Self::Evasion => 256,
            Self::Later => 512,
            Self::Both => 1024,
            Self::Murmur => 2048,
            Self::Anyway => 4096,
            Self::Filler => 0,
        }
    }
}
