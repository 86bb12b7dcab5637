//! Which text belongs to which code.

use wiiiv_domain::{DenyCode, ProposalFailure, ReplyCode, RunOutcome, TaskOutcome, TaskType};

/// One match and, beside it, the list of every key that it can give.
macro_rules! keys {
    ($(#[$doc:meta])* $name:ident($kind:ty), $all:ident: $($pattern:pat => $key:literal),+ $(,)?) => {
        $(#[$doc])*
        pub(super) const fn $name(of: $kind) -> &'static str {
            match of { $($pattern => $key),+ }
        }
        pub(super) const $all: &[&str] = &[$($key),+];
    };
}

/// Sentences of the built-in model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfflineText {
    Greeting,
    /// It understood no task: what it can do.
    Help,
    /// Beside work that is whole: nothing of it was changed, and how it can be.
    Unchanged,
    /// A question that only knowledge could answer.
    NoKnowledge,
    /// "Do not ..": nothing is done.
    LeftAlone,
    /// Fields or conditions over several systems.
    Several,
    /// A condition on something that is no field's name.
    Condition,
    /// What it can do, where that is asked.
    Abilities,
    /// How a yes is given.
    Approval,
    NothingWaits,
    /// Nothing was asked for yet.
    NoRequest,
    /// No task was put aside.
    NothingAside,
    /// What it is.
    Identity,
    NoSystems,
    /// Nothing of what is asked about stands in the conversation.
    NoDeed,
    /// To thanks, or a farewell.
    Welcome,
}

keys! {
    offline_key(OfflineText), OFFLINE:
    OfflineText::Greeting => "offline.greeting",
    OfflineText::Help => "offline.help",
    OfflineText::Unchanged => "offline.unchanged",
    OfflineText::Welcome => "offline.welcome",
    OfflineText::NoKnowledge => "offline.no_knowledge",
    OfflineText::LeftAlone => "offline.left_alone",
    OfflineText::Several => "offline.several",
    OfflineText::Condition => "offline.condition",
    OfflineText::Abilities => "offline.abilities",
    OfflineText::Approval => "offline.approval",
    OfflineText::NothingWaits => "offline.nothing_waits",
    OfflineText::NoRequest => "offline.no_request",
    OfflineText::NothingAside => "offline.nothing_aside",
    OfflineText::Identity => "offline.identity",
    OfflineText::NoSystems => "offline.no_systems",
    OfflineText::NoDeed => "offline.no_deed",
}

/// What there is to say of a model that could be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderHint<'a> {
    Offline,
    /// It answers, and its origin is not approved.
    NotApproved {
        origin: &'a str,
    },
    NoAnswer {
        origin: &'a str,
    },
    NoKey {
        variable: &'a str,
    },
    /// A key is there, for projects that may use the environment.
    KeyFound {
        variable: &'a str,
    },
}

keys! {
    provider_key(&ProviderHint<'_>), PROVIDERS:
    ProviderHint::Offline => "provider.offline",
    ProviderHint::NotApproved { .. } => "provider.not_approved",
    ProviderHint::NoAnswer { .. } => "provider.no_answer",
    ProviderHint::NoKey { .. } => "provider.no_key",
    ProviderHint::KeyFound { .. } => "provider.key_found",
}

pub(super) fn provider_arguments(hint: &ProviderHint<'_>) -> Vec<(&'static str, String)> {
    match hint {
        ProviderHint::Offline => Vec::new(),
        ProviderHint::NotApproved { origin } | ProviderHint::NoAnswer { origin } => {
            vec![("origin", (*origin).to_owned())]
        }
        ProviderHint::NoKey { variable } | ProviderHint::KeyFound { variable } => {
            vec![("variable", (*variable).to_owned())]
        }
    }
}

keys! {
    failure_key(ProposalFailure), FAILURES:
    ProposalFailure::RateLimited => "failure.rate_limited",
    ProposalFailure::Unavailable => "failure.unavailable",
    ProposalFailure::Timeout => "failure.timeout",
    ProposalFailure::InvalidOutput => "failure.invalid_output",
    ProposalFailure::KeySaid => "failure.key_said",
    ProposalFailure::Rejected => "failure.rejected",
    ProposalFailure::Refused => "failure.refused",
    ProposalFailure::ContextTooLong => "failure.context_too_long",
    ProposalFailure::Auth => "failure.auth",
    ProposalFailure::Budget => "failure.budget",
    ProposalFailure::Unpriced => "failure.unpriced",
    ProposalFailure::Unpaid => "failure.unpaid",
    ProposalFailure::Unserved => "failure.unserved",
    ProposalFailure::Halted => "failure.halted",
    ProposalFailure::NotAllowed => "failure.not_allowed",
}

keys! {
    outcome_key(&RunOutcome), OUTCOMES:
    RunOutcome::Succeeded => "run.succeeded",
    RunOutcome::Failed { .. } => "run.failed",
    RunOutcome::Cancelled => "run.cancelled",
    RunOutcome::Indeterminate => "run.indeterminate",
}

keys! {
    closed_key(&TaskOutcome), CLOSED:
    TaskOutcome::Done => "closed.done",
    TaskOutcome::Cancelled => "closed.cancelled",
    TaskOutcome::Refused => "closed.refused",
    TaskOutcome::Denied => "closed.denied",
    TaskOutcome::Failed => "closed.failed",
    TaskOutcome::Expired => "closed.expired",
    TaskOutcome::Abandoned => "closed.abandoned",
}

keys! {
    reply_key(&ReplyCode), REPLIES:
    ReplyCode::Model { .. } | ReplyCode::Told { .. } => "reply.model",
    ReplyCode::Facts { .. } => "reply.facts",
    ReplyCode::Cancelled => "reply.cancelled",
    ReplyCode::NothingToCancel => "reply.nothing_to_cancel",
    ReplyCode::Refused { .. } => "reply.refused",
    ReplyCode::NothingToConfirm => "reply.nothing_to_confirm",
    ReplyCode::Stale { .. } => "reply.stale",
    ReplyCode::Expired { .. } => "reply.expired",
    ReplyCode::Edited { .. } => "reply.edited",
    ReplyCode::NeedsRevision { .. } => "reply.needs_revision",
    ReplyCode::DacsNo { .. } => "reply.dacs_no",
    ReplyCode::Reopened { .. } => "reply.reopened",
    ReplyCode::NotDrawable { .. } => "reply.not_drawable",
    ReplyCode::Denied { .. } => "reply.denied",
    ReplyCode::Unavailable => "reply.unavailable",
    ReplyCode::RunFailed { .. } => "reply.run_failed",
    ReplyCode::RunCancelled { .. } => "reply.run_cancelled",
    ReplyCode::RunIndeterminate { .. } => "reply.run_indeterminate",
    ReplyCode::RoundLimit => "reply.round_limit",
    ReplyCode::TooManyTasks { .. } => "reply.too_many_tasks",
    ReplyCode::JobsTaken { .. } => "reply.jobs_taken",
    ReplyCode::TooManyJobs { .. } => "reply.too_many_jobs",
    ReplyCode::JobsDeclined { .. } => "reply.jobs_declined",
    ReplyCode::JobClosed { next: None, .. } => "reply.job_closed",
    ReplyCode::JobClosed { next: Some(_), left: 0, .. } => "reply.job_closed_last",
    ReplyCode::JobClosed { next: Some(_), .. } => "reply.job_closed_next",
    ReplyCode::JobsDropped { .. } => "reply.jobs_dropped",
    ReplyCode::JobsLeftOut { .. } => "reply.jobs_left_out",
    ReplyCode::StillWaits { aside: false, .. } => "reply.still_waits",
    ReplyCode::StillWaits { aside: true, .. } => "reply.still_aside",
    ReplyCode::ModelFailed { .. } => "reply.model_failed",
    ReplyCode::Degraded { .. } => "reply.degraded",
    ReplyCode::FellBack { .. } => "reply.fell_back",
    ReplyCode::Waiting { .. } => "reply.waiting",
    ReplyCode::Busy => "reply.busy",
    ReplyCode::Remember => "reply.remember",
    ReplyCode::Reset => "reply.reset",
    ReplyCode::Resumed { .. } => "reply.resumed",
    ReplyCode::UnknownTask => "reply.unknown_task",
}

/// Named values of a reply whose text stands alone.
pub(super) fn reply_arguments(reply: &ReplyCode) -> Vec<(&'static str, String)> {
    match reply {
        ReplyCode::Reopened { from, to } => {
            vec![("from", from.policy.to_string()), ("to", to.policy.to_string())]
        }
        ReplyCode::Stale { digest }
        | ReplyCode::Expired { digest }
        | ReplyCode::Waiting { digest } => vec![("digest", digest.short())],
        ReplyCode::NeedsRevision { concerns } | ReplyCode::DacsNo { concerns } => {
            vec![("concerns", concerns.join(", "))]
        }
        ReplyCode::RunFailed { execution, code } => {
            vec![("execution", execution.to_string()), ("code", code.clone())]
        }
        ReplyCode::RunCancelled { execution }
        | ReplyCode::RunIndeterminate { execution }
        | ReplyCode::Facts { execution, .. } => vec![("execution", execution.to_string())],
        ReplyCode::TooManyTasks { suspended } => {
            let tasks: Vec<String> = suspended.iter().map(ToString::to_string).collect();
            vec![("tasks", tasks.join(", "))]
        }
        ReplyCode::Degraded { provider, model, .. } => {
            vec![("provider", provider.to_string()), ("model", model.clone())]
        }
        ReplyCode::FellBack { provider, model, to_provider, to_model, .. } => vec![
            ("provider", provider.to_string()),
            ("model", model.clone()),
            ("to_provider", to_provider.to_string()),
            ("to_model", to_model.clone()),
        ],
        // Told with names in the language of the turn.
        ReplyCode::Edited { .. }
        | ReplyCode::JobsTaken { .. }
        | ReplyCode::TooManyJobs { .. }
        | ReplyCode::JobsDeclined { .. }
        | ReplyCode::JobClosed { .. }
        | ReplyCode::JobsDropped { .. }
        | ReplyCode::JobsLeftOut { .. }
        | ReplyCode::StillWaits { .. }
        | ReplyCode::Model { .. }
        | ReplyCode::Told { .. }
        | ReplyCode::NotDrawable { .. }
        | ReplyCode::Denied { .. }
        | ReplyCode::ModelFailed { .. }
        | ReplyCode::Cancelled
        | ReplyCode::NothingToCancel
        | ReplyCode::Refused { .. }
        | ReplyCode::NothingToConfirm
        | ReplyCode::Unavailable
        | ReplyCode::RoundLimit
        | ReplyCode::Busy
        | ReplyCode::Remember
        | ReplyCode::Reset
        | ReplyCode::Resumed { .. }
        | ReplyCode::UnknownTask => Vec::new(),
    }
}

const OTHERS: [&str; 52] = [
    "reply.edited_by",
    "reply.edited_by_approver",
    "reply.edited_value",
    "recall.nothing",
    "recall.why",
    "recall.why_done",
    "recall.why_waits",
    "recall.why_waits_other",
    "result.files",
    "ask.open",
    "reply.dacs_no_again",
    "reply.reopened_rules",
    "reply.reopened_changed",
    "failure.budget_window",
    "budget.tokens",
    "reply.waiting_other",
    "offline.approval_other",
    "suggest.show",
    "suggest.save",
    "suggest.write",
    "suggest.denied",
    "suggest.systems",
    "ask.fields",
    "ask.operations",
    "ask.systems",
    "run.redirected_to",
    "run.step_skipped",
    "run.rows",
    "preview.confirm",
    "preview.seek_approval",
    "preview.work_order",
    "not_drawn.no_executor",
    "not_drawn.slot",
    "not_drawn.outside_envelope",
    "not_drawn.denied",
    "slot_code.other",
    "offline.reasons",
    "offline.operations",
    "offline.waits",
    "offline.request",
    "offline.unread",
    "offline.sent",
    "offline.too_many",
    "offline.half",
    "offline.part",
    "offline.wide",
    "offline.systems",
    "offline.deed",
    "offline.bound",
    "offline.told",
    "offline.either",
    "offline.undone",
];
const DENIAL_PARTS: [&str; 4] = ["text", "user", "operator", "administrator"];

/// Every key that some code needs.
pub(super) fn required() -> Vec<String> {
    let fixed =
        [OFFLINE, PROVIDERS, FAILURES, OUTCOMES, CLOSED, REPLIES, &OTHERS].into_iter().flatten();
    let mut keys: Vec<String> = fixed.map(|key| (*key).to_owned()).collect();
    for code in DenyCode::ALL {
        keys.extend(DENIAL_PARTS.iter().map(|part| format!("deny.{code}.{part}")));
    }
    for task in TaskType::ALL {
        keys.extend([format!("task.{task}"), format!("job.{task}")]);
        let slots = task.required_slots().iter();
        keys.extend(slots.flat_map(|slot| [format!("slot.{slot}"), format!("question.{slot}")]));
    }
    keys
}
