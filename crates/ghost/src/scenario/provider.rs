//! The model that a scenario is played with.

use schemars::JsonSchema;
use serde::Deserialize;
use wiiiv_domain::ProviderName;

/// What the project's policy names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// A model server that says what the turns have recorded.
    #[default]
    Recorded,
    /// The product's built-in model: turns say only what the person says, facts judge.
    Offline,
}

impl Provider {
    /// Provider and model, as a result names them.
    #[must_use]
    pub const fn model(self) -> (ProviderName, &'static str) {
        match self {
            Self::Recorded => (ProviderName::Custom, "recorded"),
            Self::Offline => (ProviderName::Offline, "offline"),
        }
    }
}
