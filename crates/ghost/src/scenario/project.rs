//! The project that a scenario is played in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, fmt};
use wiiiv_fakes::ServiceKind;

#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectSeed {
    /// A JSON merge patch (RFC 7396) on a new project's policy, after the player has added the
    /// model's address and the registered services' hosts.
    #[serde(default)]
    pub policy: Map<String, Value>,
    /// Started for this scenario alone and allowed by policy; all but `testsite` registered with
    /// their credentials.
    #[serde(default)]
    pub services: Vec<ServiceName>,
    /// Files of the workspace by path: a text as it is, anything else as JSON.
    #[serde(default)]
    pub files: BTreeMap<String, Value>,
    /// What is kept in mind already.
    #[serde(default)]
    pub memory: MemorySeed,
    /// Documents that are found already.
    #[serde(default)]
    pub documents: Vec<DocumentSeed>,
}

/// One document as the scenario finds it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentSeed {
    /// Its file's name, whose ending says what it is: `leave.md`.
    pub name: String,
    pub text: String,
    /// `true`: of a project of somebody else, which the person of the scenario is no member of.
    #[serde(default)]
    pub elsewhere: bool,
}

/// The two memories as the scenario finds them. Of what the same person kept in another one nothing is left.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemorySeed {
    /// The person's own.
    #[serde(default)]
    pub user: String,
    /// The project's.
    #[serde(default)]
    pub project: String,
    /// `true`: somebody else wrote the project's, an editor of it.
    #[serde(default)]
    pub by_editor: bool,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ServiceName {
    Skymall,
    Skystock,
    /// A web site without a log-in: no registered system, only allowed by policy.
    Testsite,
}

impl ServiceName {
    pub const ALL: [Self; 3] = [Self::Skymall, Self::Skystock, Self::Testsite];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skymall => "skymall",
            Self::Skystock => "skystock",
            Self::Testsite => "testsite",
        }
    }

    /// `None` for a party that a project does not register.
    pub(crate) const fn kind(self) -> Option<ServiceKind> {
        match self {
            Self::Skymall => Some(ServiceKind::Skymall),
            Self::Skystock => Some(ServiceKind::Skystock),
            Self::Testsite => None,
        }
    }
}

impl fmt::Display for ServiceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
