//! What a slot holds.

use super::{
    schema::{ProfileSlot, ProfileSlotPolicy},
    text::{ProfileDay, ProfileText},
};
use crate::{clock::Timestamp, id::TurnId};
use serde::{Deserialize, Serialize};

const DAY_MS: u64 = 86_400_000;

/// One value, with when it was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProfileEntry {
    /// The value.
    pub text: ProfileText,
    /// When it was told.
    pub at: Timestamp,
    /// The turn whose message told it. `None`: a form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    /// The day that it began, or was measured, where that was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<ProfileDay>,
    /// The day that it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<ProfileDay>,
}

impl ProfileEntry {
    /// The day that it is of.
    #[must_use]
    pub fn day(&self) -> ProfileDay {
        self.from.clone().unwrap_or_else(|| ProfileDay::of(self.at))
    }
}

/// How much a value still counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProfileAge {
    /// As it was told.
    Current,
    /// Older than its half-life, an earlier one of a series, or over.
    Old,
    /// So old that it is left out.
    Gone,
}

/// All values of one slot, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SlotContent(pub(super) Vec<ProfileEntry>);

impl SlotContent {
    /// Of these, oldest first.
    #[must_use]
    pub const fn of(entries: Vec<ProfileEntry>) -> Self {
        Self(entries)
    }

    /// Oldest first.
    #[must_use]
    pub fn entries(&self) -> &[ProfileEntry] {
        &self.0
    }

    /// Whether nothing was told.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each value with how much it counts now, in its order.
    pub fn aged<'c>(
        &'c self,
        slot: &'c ProfileSlot,
        now: Timestamp,
    ) -> impl Iterator<Item = (&'c ProfileEntry, ProfileAge)> {
        let last = self.0.len().saturating_sub(1);
        self.0.iter().enumerate().map(move |(nth, entry)| {
            let age = match slot.policy {
                ProfileSlotPolicy::Overwrite | ProfileSlotPolicy::Accumulate => ProfileAge::Current,
                ProfileSlotPolicy::LatestWithSeries if nth == last => ProfileAge::Current,
                ProfileSlotPolicy::LatestWithSeries => ProfileAge::Old,
                ProfileSlotPolicy::TimeBased => ended(entry, now),
                ProfileSlotPolicy::Decay => decayed(entry, slot, now),
            };
            (entry, age)
        })
    }
}

fn ended(entry: &ProfileEntry, now: Timestamp) -> ProfileAge {
    let is_over = entry.until.as_ref().is_some_and(|until| *until < ProfileDay::of(now));
    if is_over { ProfileAge::Old } else { ProfileAge::Current }
}

fn decayed(entry: &ProfileEntry, slot: &ProfileSlot, now: Timestamp) -> ProfileAge {
    let days = u64::from(slot.half_life_days.unwrap_or(u32::MAX));
    let since = now.since_ms(entry.day().begins()) / DAY_MS;
    if since < days {
        ProfileAge::Current
    } else if since < days.saturating_mul(ProfileSlot::LIVES.into()) {
        ProfileAge::Old
    } else {
        ProfileAge::Gone
    }
}
