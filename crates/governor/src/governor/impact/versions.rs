//! Recorded rulings, and the policies that they were made under.

use crate::governor::policies::{Policies, PolicyChangeError};
use std::{collections::BTreeMap, fmt::Display};
use wiiiv_domain::{OverrideId, PolicyVersionId, ProjectId};
use wiiiv_gate::{DecisionRecord, Policy};
use wiiiv_store::AuditRow;

/// The policies of then, each compiled once.
pub struct Versions<'a> {
    policies: Policies<'a>,
    project: ProjectId,
    kept: BTreeMap<(PolicyVersionId, Option<OverrideId>), Policy>,
}

impl<'a> Versions<'a> {
    pub const fn new(policies: Policies<'a>, project: ProjectId) -> Self {
        Self { policies, project, kept: BTreeMap::new() }
    }

    /// The one that this ruling was made under.
    pub async fn of(&mut self, record: &DecisionRecord) -> Result<&Policy, PolicyChangeError> {
        let (id, by) = (record.policy, record.by_override);
        if !self.kept.contains_key(&(id, by)) {
            let store = &self.policies.runtime.deps.store;
            let version = store.policy_version(self.project, id).await?;
            let version = version
                .ok_or_else(|| unavailable(format_args!("policy version `{id}` is gone")))?;
            let policy = self.policies.compiled(version.body().document().rules(by))?;
            self.kept.insert((id, by), policy);
        }
        self.kept.get(&(id, by)).ok_or(PolicyChangeError::NotFound)
    }
}

pub fn ruling(row: AuditRow) -> Result<DecisionRecord, PolicyChangeError> {
    let AuditRow { seq, body, .. } = row;
    let unreadable = |e| unavailable(format_args!("ruling `{seq}` cannot be read: {e}"));
    serde_json::from_value(body).map_err(unreadable)
}

pub fn unavailable(why: impl Display) -> PolicyChangeError {
    PolicyChangeError::Unavailable(why.to_string())
}
