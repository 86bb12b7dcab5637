//! The project that a scenario is played in.

use crate::services::ServiceKind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::{collections::BTreeMap, fmt};

#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectSeed {
    /// A JSON merge patch (RFC 7396) on a new project's policy, after the player has added the
    /// model's address and the registered services' hosts.
    #[serde(default)]
    pub policy: Map<String, Value>,
    /// Started for this scenario alone, registered with their credentials, and allowed by policy.
    #[serde(default)]
    pub services: Vec<ServiceName>,
    /// Files of the workspace by path: a text as it is, anything else as JSON.
    #[serde(default)]
    pub files: BTreeMap<String, Value>,
}

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ServiceName {
    Skymall,
    Skystock,
}

impl ServiceName {
    pub const ALL: [Self; 2] = [Self::Skymall, Self::Skystock];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skymall => "skymall",
            Self::Skystock => "skystock",
        }
    }
}

impl ServiceName {
    pub(crate) const fn kind(self) -> ServiceKind {
        match self {
            Self::Skymall => ServiceKind::Skymall,
            Self::Skystock => ServiceKind::Skystock,
        }
    }
}

impl fmt::Display for ServiceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
