//! What the keeper needs of a subject; no other crate can call it.

use crate::{
    base::policy::Policy,
    context::{Mismatch, Purpose},
    evidence::EvidenceSet,
    facts::SubjectFacts,
    findings::Findings,
    permit::{seal::Seal, start::Start},
};
use std::collections::BTreeMap;
use wiiiv_domain::{ProjectId, SessionId, SystemName, TaskType};

/// INVARIANT: made in this crate only, so that a bound of `T: Subject` elsewhere cannot clear a
/// gate.
pub struct Key(());

impl Key {
    pub(crate) const fn new() -> Self {
        Self(())
    }
}

/// The arguments of `gather`.
pub struct Given<'a> {
    pub(crate) seal: &'a Seal,
    pub(crate) purpose: &'a Purpose,
    /// The rules that hold for the subject.
    pub(crate) policy: &'a Policy,
    pub(crate) evidence: &'a EvidenceSet,
}

pub trait Sealed: Sized {
    fn project(&self) -> ProjectId;
    fn session(&self) -> SessionId;
    /// Of a plan: what an override of one type goes by.
    fn task_type(&self) -> Option<TaskType>;
    /// Digests are computed here, never passed in.
    fn facts(&self, key: Key, given: &Given<'_>) -> Result<(SubjectFacts, Start), Mismatch>;
    /// Revisions of registrations that must still hold when the subject begins.
    fn systems(&self, key: Key, start: &Start) -> BTreeMap<SystemName, u64>;
    /// `None` unless each gate that rules on this kind said ALLOW.
    fn clear(key: Key, findings: &Findings, start: &Start) -> Option<Self::Trail>
    where
        Self: Subject;
}

/// Sealed: only ModelCall, Blueprint and Step are subjects.
pub trait Subject: Sealed {
    /// The gates that rule on this kind, as witnesses: see [`crate::Cleared`].
    type Trail: std::fmt::Debug;
}
