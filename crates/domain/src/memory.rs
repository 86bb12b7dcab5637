//! What a person or a project asked to have remembered: one text with an upper bound. Code adds a line where a
//! person asks for it, and never shortens or summarises.

use crate::{ProjectId, UserId};
use serde::{Deserialize, Serialize};
use std::fmt;
use unicode_normalization::UnicodeNormalization as _;
use uuid::Uuid;

/// Of one memory, in Unicode scalar values after NFC.
pub const MEMORY_CHARS_MAX: usize = 2_000;
/// What begins a point of a Markdown list; the first one is written.
const MARKS: [&str; 3] = ["- ", "* ", "+ "];

named! {
    /// Which of the two memories of a conversation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MemoryScope {
        /// A person's own: nobody else reads it.
        User = "user",
        /// A project's: its editors write it, its members read it.
        Project = "project",
    }
}

/// Whose memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryOwner {
    /// A person's, in every project.
    User(UserId),
    /// A project's, for all its members.
    Project(ProjectId),
}

impl MemoryOwner {
    /// Which of the two it is.
    #[must_use]
    pub const fn scope(self) -> MemoryScope {
        match self {
            Self::User(_) => MemoryScope::User,
            Self::Project(_) => MemoryScope::Project,
        }
    }

    /// The id of the person or the project.
    #[must_use]
    pub const fn uuid(self) -> Uuid {
        match self {
            Self::User(user) => user.uuid(),
            Self::Project(project) => project.uuid(),
        }
    }
}

/// Markdown, [`composed`], of at most [`MEMORY_CHARS_MAX`] characters: its lines end with `\n`, it has no control
/// character but tab and line end, and no white space at its end.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct MemoryText(String);

/// Why a text is no memory's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MemoryTextError {
    /// Nothing of it is left out: whoever writes it tidies it up.
    #[error(
        "a memory has at most `{max}` characters, and this one would have `{chars}`: tidy it up by taking out \
         what is no longer needed, then save it again"
    )]
    TooLong {
        /// What it would have.
        chars: usize,
        /// What it may have.
        max: usize,
    },
    /// It would not be seen where the text is shown.
    #[error("character `{at}` of the memory is a control character: take it out")]
    ControlCharacter {
        /// Which one, counted from 1.
        at: usize,
    },
}

impl MemoryText {
    /// From any text: line ends become `\n`, it is [`composed`], white space at the end goes.
    pub fn parse(text: &str) -> Result<Self, MemoryTextError> {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let composed = composed(&text);
        let text = composed.trim_end();
        let hidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        if let Some(before) = text.chars().position(hidden) {
            return Err(MemoryTextError::ControlCharacter { at: before + 1 });
        }
        let (chars, max) = (text.chars().count(), MEMORY_CHARS_MAX);
        if chars > max {
            return Err(MemoryTextError::TooLong { chars, max });
        }
        Ok(Self(text.to_owned()))
    }

    /// Nothing is remembered.
    #[must_use]
    pub const fn empty() -> Self {
        Self(String::new())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its length, in Unicode scalar values.
    #[must_use]
    pub fn chars(&self) -> usize {
        self.0.chars().count()
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// With one more point of its list. The same text where the line is empty, or where one of the text's lines
    /// says that already.
    pub fn with(&self, line: &str) -> Result<Self, MemoryTextError> {
        let line = composed(&one_line(line));
        let point = unmarked(&line);
        if point.is_empty() || self.0.lines().any(|line| unmarked(line) == point) {
            return Ok(self.clone());
        }
        let end = if self.is_empty() { "" } else { "\n" };
        let [mark, ..] = MARKS;
        Self::parse(&format!("{}{end}{mark}{point}", self.0))
    }
}

/// Shows its length alone: no log has the words of a person.
impl fmt::Debug for MemoryText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryText({} chars)", self.chars())
    }
}

/// A text as it is read and kept: its letters in NFC, without characters that nobody sees. A joiner stays where an
/// emoji or a script needs it, which is never behind a letter of Hangul or ASCII.
#[must_use]
pub fn composed(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    for c in text.nfc() {
        let needs = |c: char| !(c.is_ascii() || c.is_whitespace() || is_hangul(c));
        let joins =
            matches!(c, '\u{200c}' | '\u{200d}') && seen.chars().next_back().is_some_and(needs);
        if joins || !is_invisible(c) {
            seen.push(c);
        }
    }
    // What stood apart may join now.
    seen.nfc().collect()
}

/// Letters that nobody sees: they stand where a part of a syllable is missing.
#[must_use]
pub const fn is_hangul_filler(c: char) -> bool {
    matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}

/// Format characters: marks of direction, joiners, tags and the like.
const fn is_invisible(c: char) -> bool {
    is_hangul_filler(c)
        || matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

pub(crate) const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '가'..='힣')
}

fn one_line(text: &str) -> String {
    let lines = text.split(ends_line).map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

const fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What a line says, without its mark.
fn unmarked(line: &str) -> &str {
    let line = line.trim();
    MARKS.iter().find_map(|mark| line.strip_prefix(*mark)).unwrap_or(line).trim_start()
}

#[cfg(test)]
mod tests {
    use super::{MEMORY_CHARS_MAX, MemoryText, MemoryTextError};
    use proptest::prelude::*;

    fn parsed(text: &str) -> MemoryText {
        MemoryText::parse(text).unwrap()
    }

    #[test]
    fn letters_are_composed_before_they_are_counted() {
        // Three jamo are one syllable, and a letter with its accent is one letter.
        let jamo = parsed("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af} e\u{301}");
        assert_eq!((jamo.as_str(), jamo.chars()), ("한글 é", 4));
        let most = "\u{1112}\u{1161}\u{11ab}".repeat(MEMORY_CHARS_MAX);
        assert_eq!(parsed(&most), parsed(&"한".repeat(MEMORY_CHARS_MAX)));
        let scalars = parsed(&"😀".repeat(MEMORY_CHARS_MAX));
        assert_eq!(scalars.chars(), MEMORY_CHARS_MAX);
    }

    #[test]
    fn nothing_invisible_is_kept_but_what_joins() {
        let joined = "👨\u{200d}👩 می\u{200c}خواهم";
        for (text, seen) in [
            ("re\u{200d}mem\u{200b}ber\u{feff}", "remember"),
            ("\u{2067}기\u{200c}억\u{2069}\u{e0041}", "기억"),
            ("\u{1100}\u{200b}\u{1161} e\u{2060}\u{301}", "가 é"),
            ("기\u{3164}억\u{115f}\u{1160}\u{ffa0}", "기억"),
            ("a\u{200b}", "a"),
            ("a \u{feff}", "a"),
            (joined, joined),
        ] {
            assert_eq!(parsed(text).as_str(), seen, "{text:?}");
        }
        assert_eq!(parsed("- tea").with("t\u{ad}ea").unwrap(), parsed("- tea"));
        assert_eq!(MemoryText::empty().with("\u{200b}").unwrap(), MemoryText::empty());
    }

    #[test]
    fn one_character_more_is_refused_with_both_numbers() {
        let (chars, max) = (MEMORY_CHARS_MAX + 1, MEMORY_CHARS_MAX);
        let refused = MemoryText::parse(&"가".repeat(chars)).unwrap_err();
        assert_eq!(refused, MemoryTextError::TooLong { chars, max });
        let told = refused.to_string();
        assert!(told.contains("`2000`") && told.contains("`2001`") && told.contains("tidy it up"));
        let padded = format!("{}{}", "가".repeat(max), " \n".repeat(9));
        assert_eq!(parsed(&padded).chars(), max, "white space at the end is not counted");
    }

    #[test]
    fn lines_end_alike_and_nothing_stands_behind_the_text() {
        for text in ["# a\r\n- b\r\n", "# a\r- b", "# a\n- b\n \t\n", "# a\n- b\u{3000}"] {
            assert_eq!(parsed(text).as_str(), "# a\n- b", "{text:?}");
        }
        assert_eq!(parsed("  - b").as_str(), "  - b", "white space before it means something");
        assert!(parsed(" \r\n\t ").is_empty() && MemoryText::empty() == MemoryText::default());
    }

    #[test]
    fn control_characters_are_named_by_their_number() {
        for (text, at) in [("\0", 1), ("ab\u{1b}[31m", 3), ("가\r\n\u{7f}x", 3), ("a\u{85}b", 2)] {
            let refused = MemoryText::parse(text);
            assert_eq!(refused, Err(MemoryTextError::ControlCharacter { at }), "{text:?}");
        }
        assert_eq!(parsed("a\tb\nc").as_str(), "a\tb\nc");
        assert!(parsed("a").with("b\0c").is_err());
    }

    #[test]
    fn a_point_is_added_once() {
        let none = MemoryText::empty();
        let one = none.with("  tabs,\r\nnot spaces ").unwrap();
        assert_eq!(one.as_str(), "- tabs, not spaces");
        let two = one.with("* deploy on Fridays").unwrap();
        assert_eq!(two.as_str(), "- tabs, not spaces\n- deploy on Fridays");
        for known in ["deploy on Fridays", "- deploy on Fridays", "tabs, not spaces", " \n"] {
            assert_eq!(two.with(known).unwrap(), two, "{known}");
        }
        let written = parsed("# Style\n\n  + 한국어로 답하기");
        let jamo = "\u{1112}\u{1161}\u{11ab}국어로 답하기";
        assert_eq!(written.with(jamo).unwrap(), written, "composed before it is compared");
        assert_ne!(two.with("deploy on fridays").unwrap(), two);
        let full = parsed(&"a".repeat(MEMORY_CHARS_MAX - 4));
        assert_eq!(full.with("b").unwrap().chars(), MEMORY_CHARS_MAX);
        let chars = MEMORY_CHARS_MAX + 1;
        let refused = full.with("bc");
        assert_eq!(refused, Err(MemoryTextError::TooLong { chars, max: MEMORY_CHARS_MAX }));
    }

    #[test]
    fn what_is_printed_of_it_is_its_length() {
        assert_eq!(format!("{:?}", Some(parsed("hunter2"))), "Some(MemoryText(7 chars))");
    }

    proptest! {
        #[test]
        fn what_was_parsed_is_parsed_to_itself(text in "\\PC{0,40}|[\\s\\pL\\pM\\p{Cf}]{0,60}") {
            if let Ok(memory) = MemoryText::parse(&text) {
                prop_assert_eq!(MemoryText::parse(memory.as_str()).unwrap(), memory.clone());
                prop_assert!(!memory.as_str().ends_with(char::is_whitespace));
                prop_assert_eq!(memory.as_str().chars().count(), memory.chars());
            }
        }
    }
}
