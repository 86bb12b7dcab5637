//! What an executor declares of itself. The permission gate uses it, and not what a plan says.

use crate::{
    effect::{Capability, Risk},
    step_type::StepType,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt};

/// Stable name of an executor, as plans and records hold it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExecutorId(String);

impl ExecutorId {
    /// From the name that the executor declares.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }
    /// The name.
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

/// What an executor can do, as its own code declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutorMeta {
    /// Its name.
    pub id: ExecutorId,
    /// Version of the parameters' meaning; a plan names the version that it was drawn for.
    pub contract_version: u32,
    /// The step types that it runs.
    pub step_types: BTreeSet<StepType>,
    /// Every kind of access that its steps may need.
    pub capabilities: BTreeSet<Capability>,
    /// The greatest harm that its steps can do.
    pub risk: Risk,
}
