//! What an executor declares of itself. The permission gate uses this, not what a plan says.

use crate::{
    effect::{Capability, Risk},
    step_type::StepType,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExecutorId(String);

impl ExecutorId {
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
impl fmt::Display for ExecutorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutorMeta {
    pub id: ExecutorId,
    /// Of the parameters' meaning; a plan names the version that it was drawn for.
    pub contract_version: u32,
    pub step_types: BTreeSet<StepType>,
    pub capabilities: BTreeSet<Capability>,
    pub risk: Risk,
}
