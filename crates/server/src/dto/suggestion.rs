//! Suggested sentences for a project.

use super::localized::LocalizedText;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SuggestionKind {
    /// Reads what a registered system lists.
    Show,
    /// Reads it into a file.
    Save,
    /// Writes a file.
    Write,
    /// Shows how a request is refused, and why.
    Denied,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SuggestionView {
    pub kind: SuggestionKind,
    /// As a person would say it.
    pub text: LocalizedText,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Suggestions {
    pub items: Vec<SuggestionView>,
}
