//! Refusals of the crates below, as problems. Their texts go to the log only, because they may name
//! files and databases.

mod documents;
mod memory;
mod overrides;
mod profile;

use crate::{
    dto::{
        grant::{ERASED, reason as grant_reason},
        rollout::{FiguresView, PromotionReason},
    },
    problem::{Problem, ProblemCode, advice::REQUESTER},
};
use serde_json::json;
use wiiiv_domain::{NotDrawn, SlotName};
use wiiiv_gate::{EvidenceError, NotGrantable, RuleFault};
use wiiiv_governor::{
    ClearError, DecideError, EditRefused, GrantError, HaltError, KeyError, PolicyChangeError,
    ResolveError, RolloutError, SubmitError, SystemChangeError, TrialError, WebhookError,
};
use wiiiv_store::{
    AccountError, AccountRefused, DELEGATIONS_OPEN_MAX, DelegationRefused, ExportError, FeedError,
    GRANTS_HELD_MAX, GhostRefused, GrantRefused, HaltRefused, MemberError, ProjectError,
    RolloutRefused, RunnerKeyRefused, SetupError, Share, StoreError, SystemRefused,
};

/// Until a place to check a password in may be free.
pub(crate) const BUSY_SECONDS: u64 = 1;

fn unavailable(why: &dyn std::fmt::Display) -> Problem {
    tracing::error!(error = %why, "nothing was decided");
    ProblemCode::Unavailable.into()
}

/// Of a server that is read-only the start has said so, as an error, once.
fn audit_changed(why: &dyn std::fmt::Display) -> Problem {
    tracing::warn!(error = %why, "refused: the audit does not verify");
    ProblemCode::AuditChanged.into()
}

pub(crate) fn internal(why: &dyn std::fmt::Display) -> Problem {
    tracing::error!(error = %why, "the request failed");
    ProblemCode::Internal.into()
}

fn lacks(roles: &[&str]) -> Problem {
    Problem::new(ProblemCode::Forbidden).with("roles", roles)
}

fn changed(current: &dyn std::fmt::Display) -> Problem {
    Problem::new(ProblemCode::VersionChanged).with("current", current.to_string())
}

fn beyond(code: ProblemCode, limit: impl Into<serde_json::Value>) -> Problem {
    Problem::new(code).with("limit", limit)
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound { .. } => ProblemCode::NotFound.into(),
            StoreError::NotPending { state } => {
                Self::new(ProblemCode::ApprovalDecided).with("state", state.as_str())
            }
            StoreError::TooLarge { what, max } => {
                Self::field(what, format!("over the limit of `{max}`"))
            }
            StoreError::TooMany { what, max } => {
                let code = match what {
                    Share::Conversations => ProblemCode::TooManyConversations,
                    Share::Tokens => ProblemCode::TooManyTokens,
                };
                beyond(code, max)
            }
            StoreError::AuthorityGone => ProblemCode::NotFound.into(),
            StoreError::DelegationOver => ProblemCode::DelegationOver.into(),
            StoreError::Unavailable { .. } | StoreError::LeaseLost { .. } => unavailable(&error),
            StoreError::Corrupt { .. } | StoreError::Tampered { .. } => audit_changed(&error),
            StoreError::NeedsSession { .. }
            | StoreError::NoCheckpoints { .. }
            | StoreError::Key(_)
            | StoreError::ForeignClaim
            | StoreError::Foreign { .. } => internal(&error),
        }
    }
}

impl From<ProjectError> for Problem {
    fn from(error: ProjectError) -> Self {
        match error {
            ProjectError::Name => Self::field("name", error.to_string()),
            ProjectError::Policy(_) => internal(&error),
            ProjectError::Store(error) => error.into(),
        }
    }
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Name => Self::field("name", error.to_string()),
            AccountError::Password => Self::field("password", error.to_string()),
            AccountError::NameTaken(_) => ProblemCode::NameTaken.into(),
            AccountError::Busy => Self::new(ProblemCode::TooManyLogins).retry_after(BUSY_SECONDS),
            AccountError::Caller => ProblemCode::Unauthenticated.into(),
            AccountError::Project(error) => error.into(),
            AccountError::Store(error) => error.into(),
        }
    }
}

impl From<AccountRefused> for Problem {
    fn from(error: AccountRefused) -> Self {
        match error {
            AccountRefused::NotFound => ProblemCode::NotFound.into(),
            AccountRefused::Caller => ProblemCode::Unauthenticated.into(),
            AccountRefused::LastAdministrator => ProblemCode::LastAdministrator.into(),
            AccountRefused::WrongPassword => ProblemCode::WrongPassword.into(),
            AccountRefused::SamePassword => Self::field("new", error.to_string()),
            AccountRefused::Account(error) => error.into(),
            AccountRefused::Store(error) => error.into(),
        }
    }
}

impl From<SetupError> for Problem {
    fn from(error: SetupError) -> Self {
        match error {
            SetupError::WrongToken => ProblemCode::WrongSetupToken.into(),
            SetupError::Done => ProblemCode::AlreadySetUp.into(),
            SetupError::Account(error) => error.into(),
        }
    }
}

impl From<MemberError> for Problem {
    fn from(error: MemberError) -> Self {
        match error {
            MemberError::Stale { current } => changed(&current),
            MemberError::LastOwner => ProblemCode::LastOwner.into(),
            MemberError::Store(error) => error.into(),
        }
    }
}

impl From<FeedError> for Problem {
    fn from(error: FeedError) -> Self {
        match error {
            FeedError::Store(error) => error.into(),
            FeedError::Elsewhere { seq, .. } => {
                Self::new(ProblemCode::AuditElsewhere).with("record", seq)
            }
        }
    }
}

impl From<ExportError> for Problem {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Store(error) => error.into(),
            ExportError::Output(error) => internal(&error),
        }
    }
}

impl From<SubmitError> for Problem {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::NotFound => ProblemCode::NotFound.into(),
            SubmitError::Length { chars, max } => {
                Self::field("text", format!("1 to `{max}` characters")).with("chars", chars)
            }
            SubmitError::RightGone => ProblemCode::Forbidden.into(),
            SubmitError::NotAsked => ProblemCode::FormClosed.into(),
            SubmitError::FormTooLong => Self::field("form", error.to_string()),
            SubmitError::TooManyWaiting { limit } => beyond(ProblemCode::TooManyWaiting, limit),
            SubmitError::TooManyPlans { limit, seconds } => {
                beyond(ProblemCode::TooManyPlans, limit).retry_after(seconds)
            }
            SubmitError::QueueFull { limit } => beyond(ProblemCode::QueueFull, limit),
            SubmitError::AuditChanged => audit_changed(&error),
            SubmitError::Unavailable(why) => unavailable(&why),
        }
    }
}

impl From<TrialError> for Problem {
    fn from(error: TrialError) -> Self {
        match error {
            TrialError::NotFound => ProblemCode::NotFound.into(),
            TrialError::Empty => Self::field("slot", error.to_string()),
            TrialError::Busy => ProblemCode::ModelBeingTried.into(),
            TrialError::Unavailable(why) => unavailable(&why),
        }
    }
}

impl From<DecideError> for Problem {
    fn from(error: DecideError) -> Self {
        match error {
            DecideError::RightGone => ProblemCode::Forbidden.into(),
            DecideError::NotFound => ProblemCode::NotFound.into(),
            DecideError::NotAllowed => lacks(&["owner", "approver"]),
            DecideError::NotRequester => Self::new(ProblemCode::Forbidden).with("only", REQUESTER),
            DecideError::NotAnother => ProblemCode::ApprovalOfOwn.into(),
            DecideError::DelegationOver => ProblemCode::DelegationOver.into(),
            DecideError::AlreadyDecided { state } => {
                Self::new(ProblemCode::ApprovalDecided).with("state", state)
            }
            DecideError::AlreadySaid { tally } => Self::new(ProblemCode::ApprovalAlreadyGiven)
                .with("given", tally.given)
                .with("approvers", tally.approvers),
            DecideError::Expired => ProblemCode::ApprovalExpired.into(),
            DecideError::NoYesOfYours => ProblemCode::NoYesOfYours.into(),
            DecideError::NothingToRevoke { state } => {
                Self::new(ProblemCode::NothingToRevoke).with("state", state)
            }
            DecideError::Halted => ProblemCode::Halted.into(),
            DecideError::Stale { digest } => {
                Self::new(ProblemCode::ApprovalStale).with("digest", digest.to_string())
            }
            DecideError::Edit(why) => edit_refused(&why),
            DecideError::TooManyPlans { limit, seconds } => {
                beyond(ProblemCode::TooManyPlans, limit).retry_after(seconds)
            }
            DecideError::AuditChanged => audit_changed(&error),
            DecideError::Unavailable(why) => unavailable(&why),
        }
    }
}

/// Names the value that does not fit, where it is one.
fn edit_refused(why: &EditRefused) -> Problem {
    let of = |slot: &SlotName| format!("changes.{slot}");
    let field = match why {
        EditRefused::NotAValue { slot, .. } => of(slot),
        EditRefused::NotDrawable(reasons) => {
            let slots = reasons.iter().find_map(|reason| match reason {
                NotDrawn::Slot { name, .. } => Some(of(name)),
                NotDrawn::NoExecutor { .. }
                | NotDrawn::OutsideEnvelope { .. }
                | NotDrawn::Denied { .. } => None,
            });
            slots.unwrap_or_else(|| "changes".to_owned())
        }
        EditRefused::Unchanged | EditRefused::OtherPlan { .. } | EditRefused::NobodyLeft => {
            "changes".to_owned()
        }
    };
    Problem::field(&field, why.to_string())
}

impl From<DelegationRefused> for Problem {
    fn from(error: DelegationRefused) -> Self {
        match error {
            DelegationRefused::Yourself | DelegationRefused::NotMember => {
                Self::field("to", error.to_string())
            }
            DelegationRefused::Overlaps => ProblemCode::DelegationOverlaps.into(),
            DelegationRefused::TooMany => {
                beyond(ProblemCode::TooManyDelegations, DELEGATIONS_OPEN_MAX)
            }
            DelegationRefused::Over => ProblemCode::DelegationOver.into(),
            DelegationRefused::NotProven(EvidenceError::Window) => {
                Self::field("until", error.to_string())
            }
            DelegationRefused::NotProven(_) => lacks(&["owner", "approver"]),
            // Taken away since the request was let in: whoever asks sees the project.
            DelegationRefused::Store(StoreError::AuthorityGone) => ProblemCode::Forbidden.into(),
            DelegationRefused::Store(error) => error.into(),
        }
    }
}

impl From<HaltError> for Problem {
    fn from(error: HaltError) -> Self {
        match error {
            HaltError::NotFound => ProblemCode::NotFound.into(),
            HaltError::CutOff => internal(&error),
            HaltError::NotAllowed | HaltError::Refused(HaltRefused::HaltedByAnother) => {
                lacks(&["owner", "admin"])
            }
            HaltError::Refused(HaltRefused::AlreadyHalted) => ProblemCode::AlreadyHalted.into(),
            HaltError::Refused(HaltRefused::NotHalted) => ProblemCode::NotHalted.into(),
            HaltError::Refused(HaltRefused::Store(error)) => error.into(),
        }
    }
}

impl From<ClearError> for Problem {
    fn from(error: ClearError) -> Self {
        match error {
            ClearError::NotFound => ProblemCode::NotFound.into(),
            ClearError::NotAllowed => lacks(&["admin", "owner", "approver"]),
            ClearError::RightGone => ProblemCode::Forbidden.into(),
            ClearError::Own => ProblemCode::OwnHold.into(),
            ClearError::NotHeld => ProblemCode::NotHeld.into(),
            ClearError::Changed { current } => changed(&current),
            ClearError::AuditChanged => audit_changed(&error),
            ClearError::Unavailable(why) => unavailable(&why),
        }
    }
}

impl From<WebhookError> for Problem {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::NotFound => ProblemCode::NotFound.into(),
            WebhookError::NotAllowed => lacks(&["owner", "admin"]),
            WebhookError::Address(why) => Self::field("url", why),
            WebhookError::RightGone => ProblemCode::Forbidden.into(),
            WebhookError::Unavailable(why) => unavailable(&why),
        }
    }
}

impl From<GrantError> for Problem {
    fn from(error: GrantError) -> Self {
        match error {
            GrantError::NotFound => ProblemCode::NotFound.into(),
            GrantError::NotAllowed => lacks(&["owner", "approver"]),
            GrantError::NotAnother => ProblemCode::ApprovalOfOwn.into(),
            GrantError::NoYes => ProblemCode::NotApproved.into(),
            GrantError::Erased => Self::new(ProblemCode::NotGrantable)
                .with("why", ERASED)
                .with("reason", error.to_string()),
            GrantError::RightGone => ProblemCode::Forbidden.into(),
            GrantError::AuditChanged => audit_changed(&error),
            GrantError::Unavailable(why) => unavailable(&why),
            GrantError::Refused(refused) => refused.into(),
        }
    }
}

impl From<GrantRefused> for Problem {
    fn from(refused: GrantRefused) -> Self {
        match refused {
            GrantRefused::NotFound => ProblemCode::NotFound.into(),
            GrantRefused::NotAllowed => lacks(&["owner"]),
            GrantRefused::NoYes => ProblemCode::NotApproved.into(),
            GrantRefused::Holder => Self::field("holder", refused.to_string()),
            GrantRefused::TooMany => beyond(ProblemCode::TooManyGrants, GRANTS_HELD_MAX),
            GrantRefused::NotGrantable(NotGrantable::NoStep) => {
                Self::field("step", refused.to_string())
            }
            GrantRefused::NotGrantable(NotGrantable::Beginning) => {
                Self::field("not_before", refused.to_string())
            }
            GrantRefused::NotGrantable(ref why) => Self::new(ProblemCode::NotGrantable)
                .with("why", grant_reason(why))
                .with("reason", refused.to_string()),
            GrantRefused::Store(error) => error.into(),
        }
    }
}

impl From<ResolveError> for Problem {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::NotFound => ProblemCode::NotFound.into(),
            ResolveError::NotAllowed => lacks(&["owner", "approver"]),
            ResolveError::NotInDoubt => ProblemCode::NotInDoubt.into(),
            ResolveError::Unavailable(why) => unavailable(&why),
        }
    }
}

/// Each fault with its line and column in the rules; `place` is the first one's in a text around them.
pub(crate) fn fine_rules(faults: &[RuleFault], place: Option<(usize, usize)>) -> Problem {
    let first = faults.first().map(|fault| format!("`fineRules`: {fault}"));
    let problem = Problem::new(ProblemCode::InvalidPolicy)
        .with("field", "fineRules")
        .with("message", first)
        .with("faults", serde_json::to_value(faults).unwrap_or_default());
    match place {
        Some((line, column)) => problem.with("line", line).with("column", column),
        None => problem,
    }
}

impl From<PolicyChangeError> for Problem {
    fn from(error: PolicyChangeError) -> Self {
        match error {
            PolicyChangeError::NotFound => ProblemCode::NotFound.into(),
            PolicyChangeError::NotAllowed => lacks(&["owner"]),
            PolicyChangeError::Stale { current } => changed(&current),
            PolicyChangeError::StageEdited => ProblemCode::StageNotEdited.into(),
            PolicyChangeError::OverrideRuns => ProblemCode::OverrideRuns.into(),
            PolicyChangeError::Invalid(why) => Self::field("policy", why),
            PolicyChangeError::FineRules(faults) => fine_rules(&faults, None),
            PolicyChangeError::Unavailable(why) => unavailable(&why),
        }
    }
}

impl From<RolloutError> for Problem {
    fn from(error: RolloutError) -> Self {
        match error {
            RolloutError::NotFound => ProblemCode::NotFound.into(),
            RolloutError::NotAllowed(roles) => lacks(roles),
            RolloutError::AlreadyThere => ProblemCode::StageAlready.into(),
            RolloutError::OverrideRuns => ProblemCode::OverrideRuns.into(),
            RolloutError::Refused { reasons, figures } => {
                let reasons: Vec<PromotionReason> = reasons.into_iter().map(Into::into).collect();
                Self::new(ProblemCode::PromotionRefused)
                    .with("reasons", json!(reasons))
                    .with("figures", json!(FiguresView::from(figures)))
            }
            RolloutError::Store(refused) => refused.into(),
        }
    }
}

impl From<RolloutRefused> for Problem {
    fn from(refused: RolloutRefused) -> Self {
        match refused {
            RolloutRefused::Stale { current } => changed(&current),
            RolloutRefused::Moved => ProblemCode::RolloutMoved.into(),
            RolloutRefused::WaiverOpen => ProblemCode::WaiverOpen.into(),
            RolloutRefused::WaiverGone => ProblemCode::WaiverGone.into(),
            RolloutRefused::SamePerson => ProblemCode::WaiverSamePerson.into(),
            RolloutRefused::Store(error) => error.into(),
        }
    }
}

impl From<SystemRefused> for Problem {
    fn from(error: SystemRefused) -> Self {
        match error {
            SystemRefused::Stale { current } => changed(&current),
            SystemRefused::NotFound => ProblemCode::NotFound.into(),
            SystemRefused::TooMany => Self::field("name", error.to_string()),
            SystemRefused::WordTaken { .. } => {
                Self::new(ProblemCode::NameTaken).with("reason", error.to_string())
            }
            SystemRefused::Invalid(error) => crate::registration::refused(&error),
            SystemRefused::Unfit(why) => Self::field("username", why),
            SystemRefused::Credential(error) => Self::field("secret", error.to_string()),
            SystemRefused::Store(error) => error.into(),
        }
    }
}

impl From<KeyError> for Problem {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::NotFound => ProblemCode::NotFound.into(),
            KeyError::NotAllowed => lacks(&["owner"]),
            KeyError::Keyless(_) => Self::field("provider", error.to_string()),
            KeyError::Origin(_) | KeyError::NoOrigin => Self::field("origin", error.to_string()),
            KeyError::Format(format) => Self::field("secret", format.to_string()),
            KeyError::Stale { current } => changed(&current),
            KeyError::Unusable(why) => Self::field("policy", why),
            KeyError::Shared(_) => Self::field("policy", error.to_string()),
            KeyError::Halted => Self::field("project", error.to_string()),
            KeyError::Unreadable => Self::field("key", error.to_string()),
            KeyError::Unavailable(why) => unavailable(&why),
        }
    }
}

impl From<GhostRefused> for Problem {
    fn from(error: GhostRefused) -> Self {
        match error {
            GhostRefused::Field { field, .. } => Self::field(field, error.to_string()),
            GhostRefused::WrongSignature => ProblemCode::SignatureWrong.into(),
            GhostRefused::UnknownKey => ProblemCode::RunnerKeyUnknown.into(),
            GhostRefused::RevokedKey { name } => {
                Self::new(ProblemCode::RunnerKeyRevoked).with("name", name)
            }
            GhostRefused::Store(error) => error.into(),
        }
    }
}

impl From<RunnerKeyRefused> for Problem {
    fn from(error: RunnerKeyRefused) -> Self {
        match error {
            RunnerKeyRefused::Name | RunnerKeyRefused::TooMany => {
                Self::field("name", error.to_string())
            }
            RunnerKeyRefused::PublicKey => Self::field("public_key", error.to_string()),
            RunnerKeyRefused::Known => ProblemCode::RunnerKeyKnown.into(),
            RunnerKeyRefused::NameTaken => ProblemCode::NameTaken.into(),
            RunnerKeyRefused::Revoked => ProblemCode::RunnerKeyRevoked.into(),
            RunnerKeyRefused::Store(error) => error.into(),
        }
    }
}

impl From<SystemChangeError> for Problem {
    fn from(error: SystemChangeError) -> Self {
        match error {
            SystemChangeError::NotFound => ProblemCode::NotFound.into(),
            SystemChangeError::NotAllowed => lacks(&["owner"]),
            SystemChangeError::Refused(refused) => refused.into(),
            SystemChangeError::Unavailable(why) => unavailable(&why),
        }
    }
}
