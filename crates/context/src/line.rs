//! One message or reply of a conversation.

use wiiiv_domain::{BlueprintDigest, Speaker};

/// For the prompts that come behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub speaker: Speaker,
    pub kind: LineKind,
    pub text: String,
}

/// What a line is, for turns that are shown in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// A message, a question or an answer in words.
    Words,
    /// What code says that a request came to; of a run and of a question that ran out, with its plan.
    Report { plan: Option<BlueprintDigest> },
    /// The sentences of a plan's preview.
    Preview { plan: BlueprintDigest },
    /// That something was refused; of a previewed plan, which.
    Refusal { plan: Option<BlueprintDigest> },
}

impl Line {
    #[must_use]
    pub const fn by_user(&self) -> bool {
        matches!(self.speaker, Speaker::User)
    }
}
