//! Why evidence was not made from an event.

use crate::base::policy::PolicyError;
use wiiiv_domain::DELEGATION_DAYS_MAX;

/// Why evidence was not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    /// The event is of another kind, or names other ids.
    #[error("this event is not about that: its kind or its ids differ; ask again")]
    OtherSubject,
    /// The event or the question was made in another opening.
    #[error("this event or question is of another opening of the gate")]
    Foreign,
    /// Event and document name different projects.
    #[error("this event belongs to another project")]
    OtherProject,
    /// The event names another digest.
    #[error("the digest is not that of the blueprint that was shown; look at the new preview")]
    StaleDigest,
    /// The question's time has run out.
    #[error("the question expired at `{at}`; ask for a new one")]
    Expired {
        /// When it ran out, RFC 3339.
        at: String,
    },
    /// The person's rights do not suffice.
    #[error("this person may not do that here; ask somebody with the right to")]
    NotAllowed,
    /// A delegation begins in the past, or its window is empty or too long.
    #[error(
        "a delegation begins now or later, and ends after that and within `{DELEGATION_DAYS_MAX}` days"
    )]
    Window,
    /// The policy does not compile.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The answer of the model personas cannot be used; holds why.
    #[error("not a persona's answer: {0}")]
    Opinions(&'static str),
    /// An edit of the policy names another stage than the one in force.
    #[error("`dacsStage` is no part of a policy edit: it changes by `promote` and `demote` alone")]
    StageEdited,
    /// The version in force is an override, or would be changed beside one.
    #[error("an override of the policy runs: end it first, or wait for its end")]
    OverrideRuns,
    /// The version in force is no override.
    #[error("no override of the policy runs")]
    NoOverride,
    /// An override would last too short or too long.
    #[error("an override lasts `60` seconds to `72` hours")]
    OverrideTime,
    /// An override would leave every rule as it is.
    #[error("an override changes nothing of the policy in force: change what it is for")]
    OverrideUnchanged,
    /// An override would let fewer people decide.
    #[error(
        "an override cannot lower how many people approve: leave `approval`, `confirmation` and \
         `readOperations` no weaker than they are"
    )]
    QuorumLowered,
    /// One person gave both yeses.
    #[error("an override takes two people: somebody else has to approve it")]
    SamePerson,
    /// The document has no canonical JSON form.
    #[error("the document cannot be digested")]
    Undigestible,
}
