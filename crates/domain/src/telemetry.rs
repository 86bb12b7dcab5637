//! Names of spans, attributes and metrics. Names only: nothing is counted here.
//!
//! `gen_ai.` and `error.type` follow the OpenTelemetry semantic conventions for generative AI as of
//! version 1.41.0 (2026-04-28, status Development), the last release that holds their text: since
//! 1.42.0 (2026-06-12) they live in a repository of their own. `http.` follows 1.44.0 (Stable). Of the
//! attributes that carry content (`gen_ai.input.messages`, `gen_ai.output.messages`,
//! `gen_ai.system_instructions`) none is here, and no setting turns them on.

mod metric;

use crate::provider_name::ProviderName;
pub use metric::{METRICS, Metric, MetricKind, MetricUnit};

/// Target of every span that may be sent out; spans of other targets are not.
pub const SPANS: &str = "wiiiv::span";

/// Names of spans.
pub mod span {
    /// One turn, from message to answer.
    pub const TURN: &str = "turn";
    /// Documents are looked through for the prompt.
    pub const DOCUMENTS: &str = "documents";
    /// The prompt is put together.
    pub const CONTEXT: &str = "context";
    /// A model call; it is sent with the name `chat {model}`.
    pub const CHAT: &str = "chat";
    /// One transition of the flow.
    pub const FLOW: &str = "flow";
    /// The review of a spec.
    pub const DACS: &str = "dacs";
    /// A ruling of the gates.
    pub const GATE: &str = "gate";
    /// One run of a plan.
    pub const RUN: &str = "run";
    /// One attempt of a step.
    pub const STEP: &str = "step";
}

/// Attributes of spans.
pub mod attribute {
    /// What a model call does: [`super::CHAT`] or [`super::EMBEDDINGS`].
    pub const OPERATION_NAME: &str = "gen_ai.operation.name";
    /// The provider, as [`super::provider`] names it.
    pub const PROVIDER_NAME: &str = "gen_ai.provider.name";
    /// The model that was asked.
    pub const REQUEST_MODEL: &str = "gen_ai.request.model";
    /// The most output tokens that were asked for.
    pub const REQUEST_MAX_TOKENS: &str = "gen_ai.request.max_tokens";
    /// Whether the answer was streamed.
    pub const REQUEST_STREAM: &str = "gen_ai.request.stream";
    /// The model that answered, as it names itself.
    pub const RESPONSE_MODEL: &str = "gen_ai.response.model";
    /// The session's id.
    pub const CONVERSATION_ID: &str = "gen_ai.conversation.id";
    /// The form of the answer, e.g. `json`.
    pub const OUTPUT_TYPE: &str = "gen_ai.output.type";
    /// Tokens of the prompt.
    pub const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
    /// Tokens of the answer.
    pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
    /// `input` or `output`.
    pub const TOKEN_TYPE: &str = "gen_ai.token.type";
    /// Stable code of what failed.
    pub const ERROR_TYPE: &str = "error.type";

    /// Method of the HTTP request.
    pub const HTTP_METHOD: &str = "http.request.method";
    /// Route template, without values.
    pub const HTTP_ROUTE: &str = "http.route";
    /// Status of the HTTP answer.
    pub const HTTP_STATUS: &str = "http.response.status_code";
    /// `http` or `https`.
    pub const URL_SCHEME: &str = "url.scheme";

    /// The session's id.
    pub const SESSION_ID: &str = "wiiiv.session.id";
    /// The project's id.
    pub const PROJECT_ID: &str = "wiiiv.project.id";
    /// The turn's id.
    pub const TURN_ID: &str = "wiiiv.turn.id";
    /// How the turn ended.
    pub const TURN_OUTCOME: &str = "wiiiv.turn.outcome";
    /// The model call's id.
    pub const CALL_ID: &str = "wiiiv.call.id";
    /// How many attempts the call took.
    pub const CALL_ATTEMPTS: &str = "wiiiv.call.attempts";
    /// State of the flow after the transition.
    pub const FLOW_STATE: &str = "wiiiv.flow.state";
    /// How many effects the transition had.
    pub const FLOW_EFFECTS: &str = "wiiiv.flow.effects";
    /// Result of the review.
    pub const CONSENSUS: &str = "wiiiv.dacs.consensus";
    /// A reviewing persona.
    pub const PERSONA: &str = "wiiiv.dacs.persona";
    /// Its vote.
    pub const VOTE: &str = "wiiiv.dacs.vote";
    /// Why one that was not heard abstains; empty for one that was.
    pub const UNHEARD: &str = "wiiiv.dacs.unheard";
    /// Whether a risk rule matched.
    pub const RISKY: &str = "wiiiv.dacs.risky";
    /// Whether the result binds at the project's stage.
    pub const BINDING: &str = "wiiiv.dacs.binding";
    /// The ruling's id.
    pub const RULING_ID: &str = "wiiiv.ruling.id";
    /// Kind of subject that was ruled on.
    pub const RULING_SUBJECT: &str = "wiiiv.ruling.subject";
    /// The gate.
    pub const GATE: &str = "wiiiv.gate";
    /// `ALLOW`, `NOT_ASKED`, or the code of the denial.
    pub const GATE_CODE: &str = "wiiiv.gate.code";
    /// The run's id.
    pub const EXECUTION_ID: &str = "wiiiv.execution.id";
    /// How the run ended.
    pub const RUN_OUTCOME: &str = "wiiiv.run.outcome";
    /// Type of the step.
    pub const STEP_TYPE: &str = "wiiiv.step.type";
    /// Number of the attempt, from 1.
    pub const STEP_ATTEMPT: &str = "wiiiv.step.attempt";
    /// How the attempt ended.
    pub const STEP_OUTCOME: &str = "wiiiv.step.outcome";
    /// What was halted or resumed: `session`, `project` or `server`.
    pub const HALT_SCOPE: &str = "wiiiv.halt.scope";
    /// `halt` or `resume`.
    pub const HALT_CHANGE: &str = "wiiiv.halt.change";
    /// `promote`, `demote` or `bound_exceeded`.
    pub const ROLLOUT_CHANGE: &str = "wiiiv.rollout.change";
    /// `proposed`, `began`, or why it ended: `expired`, `used`, `ended` or `withdrawn`.
    pub const OVERRIDE_CHANGE: &str = "wiiiv.override.change";
    /// Code of a signal of risk in `policies/risk.toml`.
    pub const RISK_SIGNAL: &str = "wiiiv.risk.signal";
    /// Where it was found: `said`, `read` or `done`.
    pub const RISK_SOURCE: &str = "wiiiv.risk.source";
    /// Place of a plan's value that did not come from the user's words, as `host`.
    pub const FOREIGN_PLACE: &str = "wiiiv.foreign.place";
    /// Of a GHOST result: `signed` by a runner's key, or `claimed`.
    pub const GHOST_STANDING: &str = "wiiiv.ghost.standing";
    /// A receiver of the audit: `syslog` or `webhook`, and its number in the configuration.
    pub const RECEIVER: &str = "wiiiv.audit.receiver";
    /// Part of a prompt, as its plan names it: `system`, `query` and the like.
    pub const PROMPT_PART: &str = "wiiiv.prompt.part";
    /// What came of a value for a profile: `kept`, `asked` or `refused`.
    pub const PROFILE_OUTCOME: &str = "wiiiv.profile.outcome";
    /// How an ingest ended: `ready`, `failed` or `cancelled`.
    pub const INGEST_STATE: &str = "wiiiv.ingest.state";
    /// Whether a search found something relevant: `true` or `false`.
    pub const SEARCH_RELEVANT: &str = "wiiiv.search.relevant";
    /// What came of looking through documents for a turn: `found`, `nothing` or `failed`.
    pub const CONSULT_OUTCOME: &str = "wiiiv.consult.outcome";
    /// How many passages were found for a turn.
    pub const CONSULT_PASSAGES: &str = "wiiiv.consult.passages";
    /// How many passages the prompt shows.
    pub const PROMPT_PASSAGES: &str = "wiiiv.prompt.passages";
    /// Tokens that they take in it.
    pub const PROMPT_PASSAGE_TOKENS: &str = "wiiiv.prompt.passage_tokens";
    /// Tokens of the whole prompt, as it was counted when it was laid out.
    pub const PROMPT_USED_TOKENS: &str = "wiiiv.prompt.used_tokens";
    /// Of both memories.
    pub const PROMPT_MEMORY_TOKENS: &str = "wiiiv.prompt.memory_tokens";
    /// Of the profile.
    pub const PROMPT_PROFILE_TOKENS: &str = "wiiiv.prompt.profile_tokens";
    /// Of older turns in short.
    pub const PROMPT_SUMMARY_TOKENS: &str = "wiiiv.prompt.summary_tokens";
    /// Of older turns that are near to the message.
    pub const PROMPT_RELATED_TOKENS: &str = "wiiiv.prompt.related_tokens";
    /// Of the last messages.
    pub const PROMPT_RECENT_TOKENS: &str = "wiiiv.prompt.recent_tokens";
    /// How many of the last messages are left out.
    pub const PROMPT_RECENT_DROPPED: &str = "wiiiv.prompt.recent_dropped";
    /// How many times a stage gave way.
    pub const PROMPT_STAGES_LESS: &str = "wiiiv.prompt.stages_less";
    /// A stage of older turns: `summary` or `related`.
    pub const PROMPT_STAGE: &str = "wiiiv.prompt.stage";
    /// Why it shows less, as the plan names it: `unread`, `no_room` and the like.
    pub const PROMPT_STAGE_REASON: &str = "wiiiv.prompt.stage_reason";
    /// ISO 4217 code of an amount.
    pub const CURRENCY: &str = "wiiiv.currency";
}

/// Names of metrics; their kinds and units are in [`METRICS`].
pub mod metric_name {
    /// Tokens of one model call.
    pub const TOKEN_USAGE: &str = "gen_ai.client.token.usage";
    /// Seconds of one model call.
    pub const OPERATION_DURATION: &str = "gen_ai.client.operation.duration";
    /// Seconds of one HTTP request.
    pub const HTTP_DURATION: &str = "http.server.request.duration";
    /// Turns that ended.
    pub const TURNS: &str = "wiiiv.turns";
    /// Seconds of one turn.
    pub const TURN_DURATION: &str = "wiiiv.turn.duration";
    /// Answers of each gate in committed rulings.
    pub const RULINGS: &str = "wiiiv.gate.rulings";
    /// Deliberations on a spec.
    pub const VERDICTS: &str = "wiiiv.dacs.verdicts";
    /// Opinions of model personas.
    pub const PERSONAS: &str = "wiiiv.dacs.personas";
    /// Questions that wait for an answer now.
    pub const APPROVALS_WAITING: &str = "wiiiv.approvals.waiting";
    /// Runs that ended.
    pub const RUNS: &str = "wiiiv.runs";
    /// Attempts of steps that ended.
    pub const STEPS: &str = "wiiiv.steps";
    /// Halts and resumes.
    pub const HALTS: &str = "wiiiv.halts";
    /// Promotions, demotions and alarms of projects.
    pub const ROLLOUTS: &str = "wiiiv.rollouts";
    /// Overrides of policies that were proposed, began or ended.
    pub const OVERRIDES: &str = "wiiiv.overrides";
    /// Signals of risk that raised a session's score.
    pub const RISK_SIGNALS: &str = "wiiiv.risk.signals";
    /// Plans that rest on a yes that was said beforehand.
    pub const GRANTS_USED: &str = "wiiiv.approvals.granted";
    /// What webhooks were told and took.
    pub const WEBHOOKS_DELIVERED: &str = "wiiiv.webhooks.delivered";
    /// Attempts at that which failed.
    pub const WEBHOOKS_FAILED: &str = "wiiiv.webhooks.failed";
    /// Answers to questions that were given on behalf of somebody else.
    pub const APPROVALS_ON_BEHALF: &str = "wiiiv.approvals.on_behalf";
    /// Questions that nobody answered and that were shown to more people.
    pub const APPROVALS_ESCALATED: &str = "wiiiv.approvals.escalated";
    /// Questions that were answered by changing values of the plan.
    pub const APPROVALS_EDITED: &str = "wiiiv.approvals.edited";
    /// Sessions whose risk a person cleared.
    pub const RISK_CLEARS: &str = "wiiiv.risk.clears";
    /// Places of drawn plans that did not come from the user's words.
    pub const FOREIGN_VALUES: &str = "wiiiv.foreign.values";
    /// Origins of model servers that are not called now, after failures.
    pub const BREAKERS_OPEN: &str = "wiiiv.breakers.open";
    /// Money held before model calls, in micro-units; only rises.
    pub const HELD: &str = "wiiiv.spend.held";
    /// Money spent on model calls, in micro-units; only rises.
    pub const SETTLED: &str = "wiiiv.spend.settled";
    /// Sessions that have an actor now.
    pub const SESSIONS_AWAKE: &str = "wiiiv.sessions.awake";
    /// GHOST results that the ledger took.
    pub const GHOST_RESULTS: &str = "wiiiv.ghost.results";
    /// Records in all audit chains.
    pub const AUDIT_RECORDS: &str = "wiiiv.audit.records";
    /// Audit records that were delivered to a receiver.
    pub const AUDIT_EXPORTED: &str = "wiiiv.audit.exported";
    /// Audit records that a receiver has not got yet.
    pub const AUDIT_EXPORT_LAG: &str = "wiiiv.audit.export.lag";
    /// Deliveries of the audit that failed.
    pub const AUDIT_EXPORT_FAILURES: &str = "wiiiv.audit.export.failures";
    /// Keys removed from texts that models are given.
    pub const SECRETS_REMOVED: &str = "wiiiv.secrets.removed";
    /// Tokens of prompts that were sent, by their part.
    pub const PROMPT_TOKENS: &str = "wiiiv.prompt.tokens";
    /// Stages of prompts that were sent and showed less than they could.
    pub const PROMPT_STAGES: &str = "wiiiv.prompt.stages";
    /// What models said that messages tell of people.
    pub const PROFILE_CHANGES: &str = "wiiiv.profile.changes";
    /// Ingests of files that ended.
    pub const INGESTS: &str = "wiiiv.ingests";
    /// Ingests of files that wait or run.
    pub const INGESTS_OPEN: &str = "wiiiv.ingests.open";
    /// Documents of all scopes.
    pub const DOCUMENTS: &str = "wiiiv.documents";
    /// Chunks of all documents.
    pub const DOCUMENT_CHUNKS: &str = "wiiiv.documents.chunks";
    /// Seconds of one search in documents.
    pub const DOCUMENT_SEARCH: &str = "wiiiv.documents.search.duration";
    /// Turns that documents were looked through for.
    pub const CONSULTS: &str = "wiiiv.documents.consults";
}

/// `gen_ai.operation.name` of a model call.
pub const CHAT: &str = "chat";
/// `gen_ai.operation.name` of a call for vectors.
pub const EMBEDDINGS: &str = "embeddings";

/// The conventions' name of a provider, else ours in lower case.
#[must_use]
pub const fn provider(name: ProviderName) -> &'static str {
    match name {
        ProviderName::Offline | ProviderName::Local => "wiiiv",
        ProviderName::OpenAi => "openai",
        ProviderName::Anthropic => "anthropic",
        ProviderName::Google => "gcp.gemini",
        ProviderName::Ollama => "ollama",
        ProviderName::Custom => "custom",
    }
}
