//! Names of spans, their attributes and metrics, said once. Words only: nothing is counted here.
//!
//! `gen_ai.` and `error.type` follow the OpenTelemetry semantic conventions for generative AI as of
//! version 1.41.0 (2026-04-28, status Development), the last release that holds their text: since
//! 1.42.0 (2026-06-12) they live in a repository of their own. `http.` follows 1.44.0 (Stable). Of the
//! attributes that carry content (`gen_ai.input.messages`, `gen_ai.output.messages`,
//! `gen_ai.system_instructions`) there is none here, and nothing turns them on.

mod metric;

use crate::policy::ProviderName;
pub use metric::{METRICS, Metric, MetricKind, MetricUnit};

/// Target of every span that may be sent out; nothing of another target is.
pub const SPANS: &str = "wiiiv::span";

pub mod span {
    pub const TURN: &str = "turn";
    pub const CONTEXT: &str = "context";
    /// Its name is `chat {model}` where it is sent.
    pub const CHAT: &str = "chat";
    pub const FLOW: &str = "flow";
    pub const DACS: &str = "dacs";
    pub const GATE: &str = "gate";
    pub const RUN: &str = "run";
    pub const STEP: &str = "step";
}

/// Attributes of spans, and labels of metrics where a metric's list names them.
pub mod attribute {
    pub const OPERATION_NAME: &str = "gen_ai.operation.name";
    pub const PROVIDER_NAME: &str = "gen_ai.provider.name";
    pub const REQUEST_MODEL: &str = "gen_ai.request.model";
    pub const REQUEST_MAX_TOKENS: &str = "gen_ai.request.max_tokens";
    pub const REQUEST_STREAM: &str = "gen_ai.request.stream";
    pub const RESPONSE_MODEL: &str = "gen_ai.response.model";
    pub const CONVERSATION_ID: &str = "gen_ai.conversation.id";
    pub const OUTPUT_TYPE: &str = "gen_ai.output.type";
    pub const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
    pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
    pub const TOKEN_TYPE: &str = "gen_ai.token.type";
    pub const ERROR_TYPE: &str = "error.type";

    pub const HTTP_METHOD: &str = "http.request.method";
    pub const HTTP_ROUTE: &str = "http.route";
    pub const HTTP_STATUS: &str = "http.response.status_code";
    pub const URL_SCHEME: &str = "url.scheme";

    pub const SESSION_ID: &str = "wiiiv.session.id";
    pub const PROJECT_ID: &str = "wiiiv.project.id";
    pub const TURN_ID: &str = "wiiiv.turn.id";
    pub const TURN_OUTCOME: &str = "wiiiv.turn.outcome";
    pub const CALL_ID: &str = "wiiiv.call.id";
    pub const CALL_ATTEMPTS: &str = "wiiiv.call.attempts";
    pub const FLOW_STATE: &str = "wiiiv.flow.state";
    pub const FLOW_EFFECTS: &str = "wiiiv.flow.effects";
    pub const CONSENSUS: &str = "wiiiv.dacs.consensus";
    pub const RISKY: &str = "wiiiv.dacs.risky";
    pub const BINDING: &str = "wiiiv.dacs.binding";
    pub const RULING_ID: &str = "wiiiv.ruling.id";
    pub const RULING_SUBJECT: &str = "wiiiv.ruling.subject";
    pub const GATE: &str = "wiiiv.gate";
    /// `ALLOW`, `NOT_ASKED`, or the code of the denial.
    pub const GATE_CODE: &str = "wiiiv.gate.code";
    pub const EXECUTION_ID: &str = "wiiiv.execution.id";
    pub const RUN_OUTCOME: &str = "wiiiv.run.outcome";
    pub const STEP_TYPE: &str = "wiiiv.step.type";
    pub const STEP_ATTEMPT: &str = "wiiiv.step.attempt";
    pub const STEP_OUTCOME: &str = "wiiiv.step.outcome";
    pub const CURRENCY: &str = "wiiiv.currency";
}

pub mod metric_name {
    pub const TOKEN_USAGE: &str = "gen_ai.client.token.usage";
    pub const OPERATION_DURATION: &str = "gen_ai.client.operation.duration";
    pub const HTTP_DURATION: &str = "http.server.request.duration";
    pub const TURNS: &str = "wiiiv.turns";
    pub const TURN_DURATION: &str = "wiiiv.turn.duration";
    pub const RULINGS: &str = "wiiiv.gate.rulings";
    pub const VERDICTS: &str = "wiiiv.dacs.verdicts";
    pub const APPROVALS_WAITING: &str = "wiiiv.approvals.waiting";
    pub const RUNS: &str = "wiiiv.runs";
    pub const STEPS: &str = "wiiiv.steps";
    pub const BREAKERS_OPEN: &str = "wiiiv.breakers.open";
    pub const HELD: &str = "wiiiv.spend.held";
    pub const SETTLED: &str = "wiiiv.spend.settled";
    pub const SESSIONS_AWAKE: &str = "wiiiv.sessions.awake";
    pub const AUDIT_RECORDS: &str = "wiiiv.audit.records";
    pub const SECRETS_REMOVED: &str = "wiiiv.secrets.removed";
}

/// `gen_ai.operation.name` of a model call.
pub const CHAT: &str = "chat";
pub const EMBEDDINGS: &str = "embeddings";

/// The conventions' own word where they have one, ours in lower case where not.
#[must_use]
pub const fn provider(name: ProviderName) -> &'static str {
    match name {
        ProviderName::Offline => "wiiiv",
        ProviderName::OpenAi => "openai",
        ProviderName::Anthropic => "anthropic",
        ProviderName::Google => "gcp.gemini",
        ProviderName::Ollama => "ollama",
        ProviderName::Custom => "custom",
    }
}
