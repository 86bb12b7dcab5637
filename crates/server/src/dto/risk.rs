//! Wire forms of a conversation's risk.

use super::{localized::LocalizedText, mirror::mirror};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::RiskSource;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClearReason {
    /// 1 to 500 characters on one line: kept with the conversation and shown in it.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RiskSourceName {
    /// In what the person wrote.
    Said,
    /// In a page, a file or an answer of a service.
    Read,
    /// In what was to be done.
    Done,
}

mirror!(RiskSource => RiskSourceName: Said, Read, Done);

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SignalView {
    /// As in `policies/risk.toml`.
    pub code: String,
    pub found_in: RiskSourceName,
    pub count: u32,
    /// When it was found last.
    pub at: String,
    /// What the code means.
    pub text: LocalizedText,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClearedView {
    pub by: Uuid,
    pub by_name: Option<String>,
    /// The score before.
    pub score: u32,
    pub at: String,
}

/// A conversation's risk, as rulings see it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RiskView {
    pub session: Uuid,
    pub project: Uuid,
    pub owner: Uuid,
    pub owner_name: Option<String>,
    /// It fades by half in an hour, but a hold does not.
    pub score: u32,
    /// From here on everything in it is risky.
    pub risky_from: u32,
    /// From here on nothing in it is carried out until somebody clears it.
    pub hold_from: u32,
    pub held: bool,
    /// What raised it since it was cleared last, in the order of its first finding.
    pub signals: Vec<SignalView>,
    /// The last time that somebody cleared it.
    pub cleared: Option<ClearedView>,
    /// By the caller, who has the role and did not begin the conversation.
    pub may_clear: bool,
    /// For `If-Match` of a clear; also the `ETag`.
    pub version: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HoldList {
    /// The newest activity first.
    pub items: Vec<RiskView>,
}
