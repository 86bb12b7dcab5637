//! Choices of a first run.

use super::localized::LocalizedText;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProviderState {
    /// A policy can name it now.
    Ready,
    /// It is at hand, and an administrator approved its origin.
    Found,
    /// It is at hand; its origin stands not in `llm.approved_origins`.
    NotApproved,
    NotFound,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderItem {
    /// What a policy's `llmProvider` says, in lower case.
    pub id: &'static str,
    pub name: String,
    pub state: ProviderState,
    /// What `llmBaseUrl` begins with.
    pub origin: Option<String>,
    /// As the place itself names them; empty where it was not asked.
    pub models: Vec<String>,
    /// The variable that a key was found in: its name alone.
    pub env: Option<&'static str>,
    pub hint: Option<LocalizedText>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderList {
    pub items: Vec<ProviderItem>,
}
