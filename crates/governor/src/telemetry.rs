//! Spans and metrics of turns, rulings and runs: ids, counts, codes and durations, never text,
//! names or paths.

use crate::{runtime::Deps, session::call::Charge, turn_documents::ShownPassages};
use std::time::Instant;
use tracing::{Span, field::Empty};
use wiiiv_context::{Part, TokenPlan};
use wiiiv_domain::{
    ArgSources, Blueprint, DacsResult, ExecutionId, HaltScope, Opinion, ProviderName, RunOutcome,
    StepOutcome, StepType, TurnId, Vote,
    telemetry::{self, SPANS, attribute as a, metric_name as name, span},
};
use wiiiv_flow::FlowState;
use wiiiv_gate::{Answer, Claim, DecisionRecord, RiskSignal, RuledOn};
use wiiiv_store::{IngestState, SessionRow};

/// Of a step's code, in bytes.
const CODE_BYTES_MAX: usize = 64;
const ALLOW: &str = "ALLOW";
const NOT_ASKED: &str = "NOT_ASKED";

/// The root of a turn's trace.
pub fn turn(id: TurnId, row: &SessionRow) -> Span {
    tracing::info_span!(
        target: SPANS,
        parent: None,
        span::TURN,
        { a::SESSION_ID } = %row.id,
        { a::PROJECT_ID } = %row.project,
        { a::TURN_ID } = %id,
        { a::TURN_OUTCOME } = Empty,
    )
}

pub fn turn_ended(span: &Span, begun: Instant, outcome: &'static str) {
    span.record(a::TURN_OUTCOME, outcome);
    metrics::counter!(name::TURNS, a::TURN_OUTCOME => outcome).increment(1);
    metrics::histogram!(name::TURN_DURATION, a::TURN_OUTCOME => outcome).record(begun.elapsed());
}

/// Documents are looked through for a turn.
pub fn documents(turn: &Span) -> Span {
    tracing::info_span!(
        target: SPANS,
        parent: turn,
        span::DOCUMENTS,
        { a::CONSULT_OUTCOME } = Empty,
        { a::CONSULT_PASSAGES } = Empty,
    )
}

/// On that span, which is the current one: `found`, `nothing` or `failed`.
pub fn consulted(outcome: &'static str, passages: usize) {
    let span = Span::current();
    span.record(a::CONSULT_OUTCOME, outcome);
    span.record(a::CONSULT_PASSAGES, passages);
    metrics::counter!(name::CONSULTS, a::CONSULT_OUTCOME => outcome).increment(1);
}

pub fn context(turn: Option<&Span>) -> Span {
    let Some(turn) = turn else { return Span::none() };
    tracing::info_span!(
        target: SPANS,
        parent: turn,
        span::CONTEXT,
        { a::PROMPT_PASSAGES } = Empty,
        { a::PROMPT_PASSAGE_TOKENS } = Empty,
        { a::PROMPT_USED_TOKENS } = Empty,
        { a::PROMPT_MEMORY_TOKENS } = Empty,
        { a::PROMPT_PROFILE_TOKENS } = Empty,
        { a::PROMPT_SUMMARY_TOKENS } = Empty,
        { a::PROMPT_RELATED_TOKENS } = Empty,
        { a::PROMPT_RECENT_TOKENS } = Empty,
        { a::PROMPT_RECENT_DROPPED } = Empty,
        { a::PROMPT_STAGES_LESS } = Empty,
    )
}

/// What each part of a conversation's context takes in a prompt.
pub fn laid_out(span: &Span, plan: &TokenPlan) {
    if span.is_disabled() {
        return;
    }
    let of = |part: Part| plan.parts.iter().find(|of| of.part == part);
    let tokens = |part: Part| of(part).map_or(0, |of| of.used);
    let memories = [Part::UserMemory, Part::ProjectMemory].map(tokens);
    span.record(a::PROMPT_USED_TOKENS, plan.used());
    span.record(a::PROMPT_MEMORY_TOKENS, memories.into_iter().fold(0, u64::saturating_add));
    span.record(a::PROMPT_PROFILE_TOKENS, tokens(Part::Profile));
    span.record(a::PROMPT_SUMMARY_TOKENS, tokens(Part::Summary));
    span.record(a::PROMPT_RELATED_TOKENS, tokens(Part::Related));
    span.record(a::PROMPT_RECENT_TOKENS, tokens(Part::Recent));
    span.record(a::PROMPT_RECENT_DROPPED, of(Part::Recent).map_or(0, |of| of.dropped));
    span.record(a::PROMPT_STAGES_LESS, plan.stages.len());
}

/// What a prompt shows of documents; nothing where none were looked through.
pub fn passages_shown(span: &Span, shown: Option<&ShownPassages>, plan: &TokenPlan) {
    let Some(shown) = shown else { return };
    let of_documents = plan.parts.iter().find(|of| of.part == Part::Documents);
    span.record(a::PROMPT_PASSAGES, shown.citations.len());
    span.record(a::PROMPT_PASSAGE_TOKENS, of_documents.map_or(0, |of| of.used));
}

pub fn flow(turn: Option<&Span>) -> Span {
    let Some(turn) = turn else { return Span::none() };
    tracing::info_span!(
        target: SPANS,
        parent: turn,
        span::FLOW,
        { a::FLOW_STATE } = Empty,
        { a::FLOW_EFFECTS } = Empty,
    )
}

pub fn stepped(span: &Span, state: &FlowState, effects: usize) {
    span.record(a::FLOW_STATE, state.name().as_str());
    span.record(a::FLOW_EFFECTS, effects);
}

pub fn dacs(turn: Option<&Span>) -> Span {
    let Some(turn) = turn else { return Span::none() };
    tracing::info_span!(
        target: SPANS,
        parent: turn,
        span::DACS,
        { a::CONSENSUS } = Empty,
        { a::RISKY } = Empty,
        { a::BINDING } = Empty,
    )
}

pub fn deliberated(span: &Span, result: &DacsResult, binds: bool) {
    let consensus = result.consensus.as_str();
    span.record(a::CONSENSUS, consensus);
    span.record(a::RISKY, result.risky);
    span.record(a::BINDING, binds);
    let binding = if binds { "true" } else { "false" };
    metrics::counter!(name::VERDICTS, a::CONSENSUS => consensus, a::BINDING => binding)
        .increment(1);
}

/// An opinion of a model persona. The codes of one that was not heard are ours.
pub fn persona(opinion: &Opinion) {
    let vote = match opinion.vote {
        Vote::Approve => "approve",
        Vote::Abstain => "abstain",
        Vote::Reject => "reject",
    };
    let unheard = opinion.concerns.iter().find_map(|code| code.strip_prefix("PERSONA_"));
    let labels = [
        metrics::Label::from_static_parts(a::PERSONA, opinion.persona.as_str()),
        metrics::Label::from_static_parts(a::VOTE, vote),
        metrics::Label::new(a::UNHEARD, unheard.unwrap_or_default().to_lowercase()),
    ];
    metrics::counter!(name::PERSONAS, labels.iter()).increment(1);
}

/// The gates' answers, recorded once their claim is committed.
#[must_use = "told once its claim is committed"]
pub struct Ruling {
    id: String,
    subject: &'static str,
    answers: Vec<(&'static str, &'static str)>,
}

impl Ruling {
    pub fn of(claim: &Claim) -> Self {
        let record: &DecisionRecord = claim.record();
        let subject = match &record.subject {
            RuledOn::Blueprint { .. } => "blueprint",
            RuledOn::Step { .. } => "step",
            RuledOn::ModelCall { .. } => "model_call",
        };
        let answers = record.answers.iter().map(|given| {
            let code = match given.answer {
                Answer::Allow => ALLOW,
                Answer::NotAsked => NOT_ASKED,
                Answer::Deny(code) => code.as_str(),
            };
            (given.gate.as_str(), code)
        });
        Self { id: record.ruling.to_string(), subject, answers: answers.collect() }
    }

    /// One span a gate, below this one.
    pub fn committed(self, parent: Option<&Span>) {
        let none = Span::none();
        let parent = parent.unwrap_or(&none);
        for (gate, code) in self.answers {
            let _gate = tracing::info_span!(
                target: SPANS,
                parent: parent,
                span::GATE,
                otel.name = %format_args!("{} {gate}", span::GATE),
                { a::GATE } = gate,
                { a::GATE_CODE } = code,
                { a::RULING_ID } = self.id.as_str(),
                { a::RULING_SUBJECT } = self.subject,
            );
            metrics::counter!(
                name::RULINGS,
                a::GATE => gate,
                a::GATE_CODE => code,
                a::RULING_SUBJECT => self.subject,
            )
            .increment(1);
        }
    }
}

pub fn halt_changed(scope: HaltScope, halted: bool) {
    let change = if halted { "halt" } else { "resume" };
    metrics::counter!(name::HALTS, a::HALT_SCOPE => scope.as_str(), a::HALT_CHANGE => change)
        .increment(1);
}

/// `promote`, `demote` or `bound_exceeded`.
pub fn rollout_changed(change: &'static str) {
    metrics::counter!(name::ROLLOUTS, a::ROLLOUT_CHANGE => change).increment(1);
}

pub fn risk_signal(signal: &RiskSignal) {
    let source = signal.source.as_str();
    metrics::counter!(
        name::RISK_SIGNALS,
        a::RISK_SIGNAL => signal.code.clone(),
        a::RISK_SOURCE => source,
    )
    .increment(1);
}

/// Of a plan that was drawn, asked about or refused.
pub fn foreign_values(blueprint: &Blueprint) {
    for place in blueprint.sources.values().flat_map(ArgSources::keys) {
        metrics::counter!(name::FOREIGN_VALUES, a::FOREIGN_PLACE => place.as_str()).increment(1);
    }
}

pub fn approval_escalated() {
    metrics::counter!(name::APPROVALS_ESCALATED).increment(1);
}

pub fn approval_edited() {
    metrics::counter!(name::APPROVALS_EDITED).increment(1);
}

/// One grant, by one run.
pub fn grant_used() {
    metrics::counter!(name::GRANTS_USED).increment(1);
}

pub fn answered_on_behalf() {
    metrics::counter!(name::APPROVALS_ON_BEHALF).increment(1);
}

pub fn webhook_told(arrived: bool) {
    let name = if arrived { name::WEBHOOKS_DELIVERED } else { name::WEBHOOKS_FAILED };
    metrics::counter!(name).increment(1);
}

/// Ready, failed or cancelled.
pub fn ingest_ended(state: IngestState) {
    metrics::counter!(name::INGESTS, a::INGEST_STATE => state.as_str()).increment(1);
}

pub fn documents_searched(begun: Instant, relevant: bool) {
    let relevant = if relevant { "true" } else { "false" };
    metrics::histogram!(name::DOCUMENT_SEARCH, a::SEARCH_RELEVANT => relevant)
        .record(begun.elapsed());
}

pub fn risk_cleared() {
    metrics::counter!(name::RISK_CLEARS).increment(1);
}

pub fn run(turn: Option<&Span>, execution: ExecutionId) -> Span {
    let Some(turn) = turn else { return Span::none() };
    tracing::info_span!(
        target: SPANS,
        parent: turn,
        span::RUN,
        { a::EXECUTION_ID } = %execution,
        { a::RUN_OUTCOME } = Empty,
    )
}

pub fn run_ended(span: &Span, outcome: &RunOutcome) {
    let outcome = match outcome {
        RunOutcome::Succeeded => "succeeded",
        RunOutcome::Failed { .. } => "failed",
        RunOutcome::Cancelled => "cancelled",
        RunOutcome::Indeterminate => "indeterminate",
    };
    span.record(a::RUN_OUTCOME, outcome);
    metrics::counter!(name::RUNS, a::RUN_OUTCOME => outcome).increment(1);
}

/// One attempt at a step; its gates stand below it.
pub fn step(run: &Span, kind: StepType, attempt: u32) -> Span {
    tracing::info_span!(
        target: SPANS,
        parent: run,
        span::STEP,
        otel.name = %format_args!("{} {kind}", span::STEP),
        otel.status_code = Empty,
        { a::STEP_TYPE } = kind.as_str(),
        { a::STEP_ATTEMPT } = attempt,
        { a::STEP_OUTCOME } = Empty,
        { a::ERROR_TYPE } = Empty,
    )
}

/// `None`: a gate denied the attempt.
pub fn step_ended(span: &Span, kind: StepType, outcome: Option<&StepOutcome>) {
    let outcome = match outcome {
        Some(StepOutcome::Success { .. }) => "success",
        Some(StepOutcome::Failure { failure }) => {
            span.record("otel.status_code", "ERROR");
            span.record(a::ERROR_TYPE, code(&failure.code));
            "failure"
        }
        Some(StepOutcome::Cancelled { .. }) => "cancelled",
        None => "denied",
    };
    span.record(a::STEP_OUTCOME, outcome);
    metrics::counter!(name::STEPS, a::STEP_TYPE => kind.as_str(), a::STEP_OUTCOME => outcome)
        .increment(1);
}

/// A code, such as `HTTP_STATUS`; anything else is no code.
fn code(text: &str) -> &str {
    let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let is_code = text.len() <= CODE_BYTES_MAX && text.bytes().all(fits);
    if is_code { text } else { "OTHER" }
}

/// An unpriced model counts as zero.
pub fn held(provider: ProviderName, charge: Charge) {
    spent(name::HELD, provider, charge);
}

/// Of one prompt that goes out.
pub fn secrets_removed(count: usize) {
    if count > 0 {
        metrics::counter!(name::SECRETS_REMOVED)
            .increment(u64::try_from(count).unwrap_or(u64::MAX));
    }
}

/// Of one prompt that goes out, as it was counted when it was laid out.
pub fn prompt_planned(plan: &TokenPlan) {
    for of in &plan.parts {
        metrics::counter!(name::PROMPT_TOKENS, a::PROMPT_PART => of.part.as_str())
            .increment(of.used);
    }
    for note in &plan.stages {
        let (stage, why) = (note.stage.as_str(), note.why.as_str());
        metrics::counter!(name::PROMPT_STAGES, a::PROMPT_STAGE => stage, a::PROMPT_STAGE_REASON => why)
            .increment(1);
    }
}

/// What models said that messages tell of people: kept, put before them, and refused.
pub fn profile_told(counts: [usize; 3]) {
    for (outcome, count) in ["kept", "asked", "refused"].into_iter().zip(counts) {
        if count > 0 {
            metrics::counter!(name::PROFILE_CHANGES, a::PROFILE_OUTCOME => outcome)
                .increment(u64::try_from(count).unwrap_or(u64::MAX));
        }
    }
}

pub fn settled(provider: ProviderName, charge: Charge) {
    spent(name::SETTLED, provider, charge);
}

fn spent(of: &'static str, provider: ProviderName, Charge { amount, currency }: Charge) {
    let provider = telemetry::provider(provider);
    let labels = [
        metrics::Label::from_static_parts(a::PROVIDER_NAME, provider),
        metrics::Label::from_static_parts(a::CURRENCY, currency.as_str()),
    ];
    metrics::counter!(of, labels.iter()).increment(amount.micros.unwrap_or(0));
}

/// Gauges, before metrics are served or sent. `awake`: sessions.
pub async fn observe(awake: usize, deps: &Deps) {
    set(name::SESSIONS_AWAKE, awake);
    for provider in ProviderName::ALL {
        let open = u32::try_from(deps.models.left_alone_of(provider)).unwrap_or(u32::MAX);
        let provider = telemetry::provider(provider);
        metrics::gauge!(name::BREAKERS_OPEN, a::PROVIDER_NAME => provider).set(open);
    }
    match deps.store.totals().await {
        Ok(figures) => {
            metrics::gauge!(name::APPROVALS_WAITING).set(figures.approvals_waiting as f64);
            metrics::gauge!(name::AUDIT_RECORDS).set(figures.audit_records as f64);
        }
        Err(error) => tracing::warn!(%error, "the store's figures cannot be read"),
    }
    match deps.store.document_totals().await {
        Ok(totals) => {
            metrics::gauge!(name::DOCUMENTS).set(totals.documents as f64);
            metrics::gauge!(name::DOCUMENT_CHUNKS).set(totals.chunks as f64);
            metrics::gauge!(name::INGESTS_OPEN).set(totals.open_ingests as f64);
        }
        Err(error) => tracing::warn!(%error, "the documents cannot be counted"),
    }
}

fn set(of: &'static str, count: usize) {
    metrics::gauge!(of).set(u32::try_from(count).unwrap_or(u32::MAX));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_told_from_words() {
        for (text, told) in [
            ("HTTP_STATUS", "HTTP_STATUS"),
            ("E2BIG", "E2BIG"),
            ("the file secret.txt is not there", "OTHER"),
            ("비밀", "OTHER"),
        ] {
            assert_eq!(code(text), told);
        }
        assert_eq!(code(&"A".repeat(65)), "OTHER");
    }
}
