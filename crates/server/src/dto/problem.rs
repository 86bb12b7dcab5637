//! RFC 9457 problems, for the API description.

use serde::Serialize;
use utoipa::ToSchema;

/// `application/problem+json`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody {
    /// `urn:wiiiv:problem:` and the code.
    pub r#type: String,
    /// In the language of `Accept-Language`: Korean or English.
    pub title: String,
    pub status: u16,
    /// Stable; clients translate it.
    pub code: String,
    #[schema(value_type = Object)]
    pub params: serde_json::Value,
    /// What can be done about it.
    pub suggestion: String,
    /// Of this request; the operator finds the log by it.
    pub trace_id: Option<String>,
}
