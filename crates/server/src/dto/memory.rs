//! Wire forms of memory. None with a text of it can be printed.

use super::mirror::mirror;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{MEMORY_CHARS_MAX, MemoryScope, UserId};
use wiiiv_store::MemoryRow;

/// Whose memory it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MemoryScopeName {
    User,
    Project,
}

mirror!(MemoryScope => MemoryScopeName: User, Project);

/// Replaces a memory.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutMemory {
    /// The whole memory as Markdown, at most 2,000 characters: Unicode scalar values after NFC. Line ends become `\n`,
    /// white space at the end is left out, and no other control character than tabs and line ends is taken.
    pub text: String,
}

/// A memory as it stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct MemoryView {
    pub scope: MemoryScopeName,
    /// Markdown, in NFC; empty where nothing is kept.
    pub text: String,
    /// From 1, and the `ETag` as well; 0 where nothing was ever kept.
    pub version: u64,
    /// Unicode scalar values of `text`.
    pub chars: usize,
    pub chars_max: usize,
    /// Who wrote this version; `null` where nothing was ever kept.
    pub author: Option<Uuid>,
    pub author_name: Option<String>,
    pub at: Option<String>,
    /// The turn whose message asked for it; `null` where it was edited.
    pub turn: Option<Uuid>,
    /// Somebody else than the reader wrote part of the text.
    pub others: bool,
}

impl MemoryView {
    /// Before anything was kept.
    pub(crate) fn none(scope: MemoryScope) -> Self {
        Self {
            scope: scope.into(),
            text: String::new(),
            version: 0,
            chars: 0,
            chars_max: MEMORY_CHARS_MAX,
            author: None,
            author_name: None,
            at: None,
            turn: None,
            others: false,
        }
    }

    /// `name`: of its author.
    pub(crate) fn of(row: &MemoryRow, name: Option<String>, reader: UserId) -> Self {
        Self {
            text: row.text.as_str().to_owned(),
            version: row.version,
            chars: row.text.chars(),
            author: Some(row.author.uuid()),
            author_name: name,
            at: Some(row.at.to_string()),
            turn: row.turn.map(|turn| turn.uuid()),
            others: row.has_words_of_others(reader),
            ..Self::none(row.owner.scope())
        }
    }
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MemoryChangeKind {
    Added,
    Removed,
}

/// A line that a version added or removed.
#[derive(Serialize, ToSchema)]
pub(crate) struct MemoryChangeView {
    pub kind: MemoryChangeKind,
    pub line: String,
}

/// One version of a memory, without its text.
#[derive(Serialize, ToSchema)]
pub(crate) struct MemoryVersionView {
    pub version: u64,
    pub author: Uuid,
    pub author_name: Option<String>,
    pub at: String,
    /// The turn whose message asked for it; `null` where it was edited.
    pub turn: Option<Uuid>,
    pub chars: usize,
    /// `false`: the version before it is no longer kept, and `changes` is empty because nobody knows them.
    pub before_kept: bool,
    /// Against the version before it, in the order of the text.
    pub changes: Vec<MemoryChangeView>,
}

impl MemoryVersionView {
    /// `changes`: `None` where the version before it is no longer kept.
    pub(crate) fn of(
        row: &MemoryRow,
        name: Option<String>,
        changes: Option<Vec<MemoryChangeView>>,
    ) -> Self {
        Self {
            version: row.version,
            author: row.author.uuid(),
            author_name: name,
            at: row.at.to_string(),
            turn: row.turn.map(|turn| turn.uuid()),
            chars: row.text.chars(),
            before_kept: changes.is_some(),
            changes: changes.unwrap_or_default(),
        }
    }
}
