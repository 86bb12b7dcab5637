//! What a replay of a session's journal is given where it begins behind the first event.

use crate::{dacs::Grounds, digest::SpecDigest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Specs that the review of one session refused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RefusedSpecs {
    /// Each with its grounds: `None` in a journal of version 1, which kept none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub closed: BTreeMap<SpecDigest, Option<Grounds>>,
    /// Refused under other grounds than those that came after, and not asked for since.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reopened: BTreeMap<SpecDigest, Reopening>,
}

/// The grounds of a refusal that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reopening {
    /// Those of the refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Grounds>,
    /// Those that ended it.
    pub to: Grounds,
}

/// The document that is kept of a point at which a session's flow has no task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReplaySeed {
    /// [`ReplaySeed::VERSION`] of the build that wrote it.
    pub version: u32,
    /// All that the flow remembers there.
    pub refused: RefusedSpecs,
}

impl ReplaySeed {
    /// Version of the document that this build writes.
    pub const VERSION: u32 = 1;

    /// A document of the current version.
    #[must_use]
    pub const fn new(refused: RefusedSpecs) -> Self {
        Self { version: Self::VERSION, refused }
    }

    /// `None`: it is no such document, or one of another version.
    #[must_use]
    pub fn read(text: &str) -> Option<RefusedSpecs> {
        let seed: Self = serde_json::from_str(text).ok()?;
        (seed.version == Self::VERSION).then_some(seed.refused)
    }
}
