//! What reaches a session from outside, and what it answers. Refusals are values.

use wiiiv_domain::{ApprovalId, BlueprintDigest, TaskId, TurnId};

#[derive(Debug, Clone)]
pub struct Incoming {
    pub text: String,
}

#[derive(Debug, Clone, Copy)]
pub enum Control {
    Cancel,
    Switch(TaskId),
    Reset,
}

#[derive(Debug, Clone)]
pub enum Decision {
    Approve { digest: BlueprintDigest },
    Reject { digest: BlueprintDigest, reason: String },
}

#[derive(Debug, Clone)]
pub struct Decided {
    pub turn: TurnId,
    pub approval: ApprovalId,
    /// `approved` or `rejected`.
    pub state: &'static str,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum SubmitError {
    #[error("no such session")]
    NotFound,
    #[error("a message is 1 to `{max}` characters, this one has `{chars}`")]
    Length { chars: usize, max: usize },
    #[error("`{limit}` messages are waiting already; send it again when the turn has ended")]
    QueueFull { limit: usize },
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum DecideError {
    #[error("no such approval")]
    NotFound,
    #[error("this approval needs somebody else")]
    NotAllowed,
    #[error("this approval is already `{state}`")]
    AlreadyDecided { state: String },
    #[error("this approval has expired; ask for the action again")]
    Expired,
    #[error("the digest is not the one that was asked for; read the preview of `{digest}` first")]
    Stale { digest: BlueprintDigest },
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}
