//! What reaches a session from outside, and what it answers. Refusals are values.

use wiiiv_domain::{ApprovalId, BlueprintDigest, FormAnswer, Lang, Recall, TaskId, TurnId};

#[derive(Debug, Clone)]
pub struct Incoming {
    pub text: String,
    /// What its author set to be answered in; `None`: whatever the conversation is held in.
    pub language: Option<Lang>,
    /// The answer to a form, in place of words.
    pub form: Option<FormAnswer>,
}

impl Incoming {
    #[must_use]
    pub const fn words(text: String, language: Option<Lang>) -> Self {
        Self { text, language, form: None }
    }
    #[must_use]
    pub fn form(answer: FormAnswer, language: Option<Lang>) -> Self {
        Self { text: wiiiv_hlx::answer_text(&answer), language, form: Some(answer) }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Control {
    Cancel,
    Switch(TaskId),
    Reset,
    Recall(Recall),
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
    #[error("this form is not asked for any more; read the last question and answer that")]
    NotAsked,
    #[error("a value of the form is too long")]
    FormTooLong,
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
