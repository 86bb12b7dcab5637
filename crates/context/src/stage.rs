//! Stages of a prompt that is made of more than the last messages, and how each of them gave way to a simpler one.

/// What makes older turns short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Key points, and facts of safety.
    Summary,
    /// Turns that are near to the message.
    Related,
}

/// Why less of it is shown, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StageReason {
    /// The conversation's journal could not be read, or its beginning not: it is too long.
    Unread,
    /// Turns before those that are kept at hand.
    TooOld,
    /// There are more limits in the person's words than are kept: the oldest are left out.
    TooManyLimits,
    /// There are more key points than a summary has: the least of them are left out.
    Shortened,
    /// The plan has no room for more of it.
    NoRoom,
    /// No older turn is near to the message.
    NoneNear,
    /// Turns are found by their words alone: the model that compares what they mean gave nothing in time.
    NotCompared,
}

/// A stage that was left out or gave way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StageNote {
    pub stage: Stage,
    pub why: StageReason,
}

impl Stage {
    pub const ALL: [Self; 2] = [Self::Summary, Self::Related];

    /// As records and the API name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Related => "related",
        }
    }
}

impl StageReason {
    pub const ALL: [Self; 7] = [
        Self::Unread,
        Self::TooOld,
        Self::TooManyLimits,
        Self::Shortened,
        Self::NoRoom,
        Self::NoneNear,
        Self::NotCompared,
    ];

    /// As records and the API name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::TooOld => "too_old",
            Self::TooManyLimits => "too_many_limits",
            Self::Shortened => "shortened",
            Self::NoRoom => "no_room",
            Self::NoneNear => "none_near",
            Self::NotCompared => "not_compared",
        }
    }
}
