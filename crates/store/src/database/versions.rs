//! Versions of the parts of the database that turns read often: a value read from a part is valid
//! while its version stays the same.
//!
//! SQLite's update hook reports each row that the writer's connection changes, so no statement can
//! be missed. A version rises after COMMIT and before the commit is answered: whoever got the
//! answer never reads older values.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Most are tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Accounts,
    Approvals,
    Grants,
    Halts,
    Members,
    Memories,
    ModelKeys,
    Opinions,
    /// Which version each project is under, and whether it is an override that is taken.
    Policies,
    Profiles,
    Projects,
    Systems,
    Tokens,
    /// What people set of a conversation. Its row is touched by every turn, so whoever sets something
    /// else of it says so.
    Conversations,
    /// Risk and taint of sessions; as above.
    Standings,
}

const PARTS: usize = Part::Standings as usize + 1;

impl Part {
    fn of_table(name: &str) -> Option<Self> {
        Some(match name {
            "account" => Self::Accounts,
            "approval" | "approval_yes" => Self::Approvals,
            "approval_grant" => Self::Grants,
            "halt" => Self::Halts,
            "member" => Self::Members,
            "memory" => Self::Memories,
            "model_key" => Self::ModelKeys,
            "opinion" => Self::Opinions,
            "policy_head" | "policy_override" => Self::Policies,
            "profile" => Self::Profiles,
            "project" => Self::Projects,
            "system" => Self::Systems,
            "token" => Self::Tokens,
            _ => return None,
        })
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

#[derive(Debug, Default)]
pub(crate) struct Versions {
    /// A bit for each part that the transaction at hand has touched.
    touched: AtomicU32,
    versions: [AtomicU64; PARTS],
}

impl Versions {
    /// The writer's connection has changed a row of this table.
    pub(crate) fn changed(&self, table: &str) {
        if let Some(part) = Part::of_table(table) {
            self.touch(part);
        }
    }

    pub(crate) fn touch(&self, part: Part) {
        self.touched.fetch_or(part.bit(), Ordering::Relaxed);
    }

    /// The transaction has ended, however: where it came to nothing, something is read once more.
    // INVARIANT: called after COMMIT and before anybody is told of it.
    pub(crate) fn raise(&self) {
        let touched = self.touched.swap(0, Ordering::AcqRel);
        for (nth, version) in self.versions.iter().enumerate() {
            if touched & (1 << nth) != 0 {
                version.fetch_add(1, Ordering::AcqRel);
            }
        }
    }

    /// Grows whenever one of them has changed. To be taken before what is kept by it is read.
    pub(crate) fn of(&self, parts: &[Part]) -> u64 {
        let version =
            |part: &Part| self.versions.get(*part as usize).map(|own| own.load(Ordering::Acquire));
        parts.iter().filter_map(version).sum()
    }
}
