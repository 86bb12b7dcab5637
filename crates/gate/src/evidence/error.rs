//! Why an event is no evidence for what is claimed of it.

use crate::snapshot::PolicyError;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    #[error("this event is not about that: its kind or its ids differ; ask again")]
    OtherSubject,
    #[error("this event or question is of another opening of the gate")]
    Foreign,
    #[error("this event belongs to another project")]
    OtherProject,
    #[error("the digest is not that of the blueprint that was shown; look at the new preview")]
    StaleDigest,
    #[error("the question expired at `{at}`; ask for a new one")]
    Expired { at: String },
    #[error("this person may not do that here; ask somebody with the right to")]
    NotAllowed,
    #[error(transparent)]
    Policy(#[from] PolicyError),
    #[error("not a persona's answer: {0}")]
    Opinions(&'static str),
    #[error("the document cannot be digested")]
    Undigestible,
}
