//! Faults of a service.

use super::project::ServiceName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// In place of the next calls that fit; each is used up in turn.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServiceFault {
    pub service: ServiceName,
    /// Without a query; `*` for all.
    pub path: String,
    pub method: Option<String>,
    /// Answers with this status and has no effect.
    pub status: Option<u16>,
    /// Waits so many milliseconds between effect and answer.
    pub delay_ms: Option<u64>,
    /// Closes the connection without an answer, before or after the effect.
    pub drop: Option<Cut>,
    /// So many calls; then it is well again.
    #[serde(default = "once")]
    pub times: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    Before,
    After,
}

const fn once() -> u32 {
    1
}
