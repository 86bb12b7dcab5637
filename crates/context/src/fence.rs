//! Fences: one random word for each prompt, which no text below the boundary contains.

use crate::neutral::neutral;
use std::fmt;

const FENCE_DIGITS: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a fence is `{FENCE_DIGITS}` lower-case hexadecimal digits, random for every request")]
pub struct FenceFormat;

/// 128 random bits, drawn by the caller for this request alone.
#[derive(Clone, PartialEq, Eq)]
pub struct Fence(String);

impl Fence {
    pub fn parse(text: &str) -> Result<Self, FenceFormat> {
        let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        let fits = text.len() == FENCE_DIGITS && text.bytes().all(digit);
        if fits { Ok(Self(text.to_owned())) } else { Err(FenceFormat) }
    }
}

/// A fence that was seen is worth less.
impl fmt::Debug for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fence(..)")
    }
}

/// What a block holds. Declaration order is render order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// What the person asked to be kept in mind.
    UserMemory,
    /// What the project's people did.
    ProjectMemory,
    /// What the person told of themselves here.
    Profile,
    /// Older turns in short.
    Summary,
    /// Older turns that are near to the message.
    Related,
    /// Language, and what can be referred to.
    Setting,
    /// What the project may talk to.
    Systems,
    Task,
    /// The whole spec under review.
    Spec,
    Suspended,
    Revision,
    /// Passages that were found for the message.
    Documents,
    Facts,
    /// Earlier words of the user.
    User,
    /// Earlier words of ours.
    Assistant,
    Message,
    /// An answer that did not fit, or that was not given.
    Answer,
    /// Why it did not fit.
    Fault,
    /// What is wrong with it.
    Findings,
}

impl Label {
    const fn as_str(self) -> &'static str {
        match self {
            Self::UserMemory => "USER_MEMORY",
            Self::ProjectMemory => "PROJECT_MEMORY",
            Self::Profile => "PROFILE",
            Self::Summary => "SUMMARY",
            Self::Related => "RELATED",
            Self::Setting => "SETTING",
            Self::Systems => "SYSTEMS",
            Self::Task => "TASK",
            Self::Spec => "SPEC",
            Self::Suspended => "SUSPENDED",
            Self::Revision => "REVISION",
            Self::Documents => "DOCUMENTS",
            Self::Facts => "FACTS",
            Self::User => "USER",
            Self::Assistant => "ASSISTANT",
            Self::Message => "MESSAGE",
            Self::Answer => "ANSWER",
            Self::Fault => "FAULT",
            Self::Findings => "FINDINGS",
        }
    }
}

/// Untrusted text between its fences: data, whatever it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fenced(String);

impl Fenced {
    #[must_use]
    pub fn new(fence: &Fence, label: Label, text: &str) -> Self {
        let Fence(word) = fence;
        let inner = neutral(text, word);
        Self(format!("<<<{word} {}\n{inner}\n{word}>>>\n", label.as_str()))
    }
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
