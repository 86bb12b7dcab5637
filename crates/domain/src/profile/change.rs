//! A change of a slot, as a person or a model puts it.

use super::{
    content::SlotContent,
    text::{ProfileDay, ProfileName, ProfileText},
};
use serde::{Deserialize, Serialize};

/// What is to be done with a slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "op")]
pub enum ProfileEdit {
    /// This value counts, by the policy of the slot.
    Set {
        /// The value.
        text: ProfileText,
        /// Since when, or of which day.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<ProfileDay>,
    },
    /// This value, which goes on, is over.
    End {
        /// The value.
        text: ProfileText,
        /// Since when; without it since the change.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<ProfileDay>,
    },
    /// This value never counted.
    Remove {
        /// The value.
        text: ProfileText,
        /// Of this day alone: the one that it began or was measured, or else was told. Without it, whatever its day.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<ProfileDay>,
    },
    /// No value counts any more.
    Clear,
    /// What the slot held before counts again. An undo alone asks for it.
    Restore {
        /// All of it.
        to: SlotContent,
    },
}

impl ProfileEdit {
    /// The value that it is about.
    #[must_use]
    pub const fn text(&self) -> Option<&ProfileText> {
        match self {
            Self::Set { text, .. } | Self::End { text, .. } | Self::Remove { text, .. } => {
                Some(text)
            }
            Self::Clear | Self::Restore { .. } => None,
        }
    }

    /// The day that it names.
    #[must_use]
    pub const fn day(&self) -> Option<&ProfileDay> {
        match self {
            Self::Set { from, .. } | Self::Remove { from, .. } => from.as_ref(),
            Self::End { until, .. } => until.as_ref(),
            Self::Clear | Self::Restore { .. } => None,
        }
    }

    /// What is done, in a word.
    #[must_use]
    pub const fn op(&self) -> &'static str {
        match self {
            Self::Set { .. } => "set",
            Self::End { .. } => "end",
            Self::Remove { .. } => "remove",
            Self::Clear => "clear",
            Self::Restore { .. } => "restore",
        }
    }
}

/// A change of one slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileChange {
    /// The slot.
    pub slot: ProfileName,
    /// What is to be done with it.
    pub edit: ProfileEdit,
}
