//! Facts about one model.

use serde::{Deserialize, Serialize};

/// `None` and `false`: it is not said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelFacts {
    /// Tokens that it reads at once.
    pub window: Option<u64>,
    /// Tokens that it can write to one call.
    pub max_output: Option<u64>,
    pub json_schema: bool,
    pub tools: bool,
    pub vision: bool,
    pub streaming: bool,
    pub(crate) temperature: bool,
    pub(crate) thinking: Option<Thinking>,
    pub(crate) responses: bool,
}

/// Of a model that thinks before it answers, within the same tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Thinking {
    /// In tokens.
    Budget(u32),
    Level(Level),
}

/// Written to providers as it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Minimal,
    Low,
    Medium,
    High,
}
