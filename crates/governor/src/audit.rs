//! Audit entries of the governor: ids, codes, counts, digests and keyed hashes; never text of
//! people or models.

use crate::session::{InFlight, Trial};
use serde_json::{Value, json};
use wiiiv_domain::{
    Amount, ApprovalId, Blueprint, BlueprintDigest, CallId, Currency, DacsResult, KeySource,
    ModelSlot, ProposalFailure, ProviderName, SessionId, SpecDigest, Spent, TaskId, TurnId, Usage,
    UserId,
};
use wiiiv_store::AuditEntry;

fn entry(kind: &str, body: serde_json::Value) -> AuditEntry {
    AuditEntry { kind: kind.to_owned(), body }
}

pub fn turn_accepted(turn: TurnId, user: UserId, text_hmac: &str, language: &str) -> AuditEntry {
    let body = json!({"turn": turn, "user": user, "textHmac": text_hmac, "language": language});
    entry("turn.accepted", body)
}

/// The verdict of rule personas, in every stage.
pub fn deliberated(
    session: SessionId,
    task: TaskId,
    spec: SpecDigest,
    result: &DacsResult,
    binds: bool,
) -> AuditEntry {
    let opinions = result.opinions.iter();
    let votes: Vec<_> = opinions
        .map(|o| json!({"persona": o.persona, "vote": o.vote, "concerns": o.concerns}))
        .collect();
    let body = json!({
        "session": session, "task": task, "spec": spec, "rules": result.rules, "source": result.source,
        "risky": result.risky, "binds": binds, "opinions": votes, "consensus": result.consensus,
    });
    entry("dacs.evaluated", body)
}

/// What became of a question: `rejected`, `expired` or `withdrawn`. A yes is recorded as evidence.
pub fn approval(
    end: &str,
    id: ApprovalId,
    digest: BlueprintDigest,
    by: Option<UserId>,
) -> AuditEntry {
    entry(&format!("approval.{end}"), json!({"approval": id, "digest": digest, "by": by}))
}

pub fn drawn(blueprint: &Blueprint, digest: BlueprintDigest) -> AuditEntry {
    let nodes = blueprint.nodes.iter();
    let steps: Vec<_> = nodes.map(|n| json!({"id": n.id, "type": n.params.step_type()})).collect();
    let body = json!({
        "task": blueprint.task, "blueprint": blueprint.id, "digest": digest, "steps": steps,
        "policy": blueprint.policy,
    });
    entry("blueprint.drawn", body)
}

pub struct Called<'a> {
    pub call: CallId,
    pub turn: TurnId,
    pub provider: &'a str,
    pub model: &'a str,
    pub rules: wiiiv_domain::RulesHash,
    pub prompt: wiiiv_domain::PromptHash,
    pub spent: &'a Spent,
    pub charged: Charge,
    pub attempts: u32,
    pub failure: Option<ProposalFailure>,
    /// Whose key was sent.
    pub key: Option<KeySource>,
    /// As the provider names the model that answered, where that is not the one that was asked.
    pub another: Option<&'a str>,
    /// What the provider told of one attempt, where it is more than was held: it is charged as held.
    pub beyond: Option<Usage>,
    /// Keys that were taken out of what it was shown.
    pub secrets: usize,
}

/// What a call counts as having cost. An unpriced model has no money amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    pub amount: Amount,
    pub currency: Currency,
}

impl Charge {
    fn json(self) -> Value {
        let Amount { tokens, micros } = self.amount;
        json!({"tokens": tokens, "micros": micros, "currency": self.currency})
    }
}

/// Of a model's name as its provider gives it.
const NAME_CHARS_MAX: usize = 200;

fn bounded(name: &str) -> String {
    name.chars().take(NAME_CHARS_MAX).collect()
}

pub fn model_called(called: &Called<'_>) -> AuditEntry {
    let another = called.another.map(bounded);
    let mut body = json!({
        "call": called.call, "turn": called.turn, "slot": ModelSlot::Governor,
        "provider": called.provider,
        "model": called.model, "rulesHash": called.rules, "promptHash": called.prompt,
        "usage": called.spent.total(), "attempts": called.attempts,
        "uncountedAttempts": called.spent.uncounted(), "charged": called.charged.json(),
        "failure": called.failure, "key": called.key, "answeredBy": another,
        "toldBeyondHold": called.beyond,
    });
    if let (1.., Some(fields)) = (called.secrets, body.as_object_mut()) {
        fields.insert("secretsRemoved".to_owned(), json!(called.secrets));
    }
    entry("model.called", body)
}

/// Nobody waits for its answer any more: what was held for it is charged in whole.
pub fn model_cut_off(turn: TurnId, call: &InFlight) -> AuditEntry {
    let body = json!({
        "call": call.id, "turn": turn, "slot": ModelSlot::Governor,
        "provider": call.provider.as_str(), "model": call.model, "rulesHash": call.rules,
        "promptHash": call.prompt, "key": call.key, "charged": call.held.json(),
    });
    entry("model.cut_off", body)
}

/// Nothing of anybody's was sent.
pub fn model_tried(turn: TurnId, call: CallId, trial: &Trial) -> AuditEntry {
    let body = json!({
        "call": call, "turn": turn, "slot": trial.slot, "provider": trial.provider.as_str(),
        "model": trial.model, "usage": trial.usage, "attempts": trial.attempts,
        "rulesHash": trial.hashes.map(|(rules, _)| rules),
        "promptHash": trial.hashes.map(|(_, prompt)| prompt),
        "charged": Charge { amount: trial.amount, currency: trial.currency }.json(),
        "failure": trial.gave.as_ref().err().map(|(failure, _)| failure), "key": trial.key,
        "answeredBy": trial.another.as_deref().map(bounded), "toldBeyondHold": trial.beyond,
    });
    entry("model.tried", body)
}

/// The built-in understanding has answered in place of the model that policy names.
pub fn degraded(
    turn: TurnId,
    call: CallId,
    (provider, model): (ProviderName, &str),
    failure: ProposalFailure,
) -> AuditEntry {
    let body = json!({
        "turn": turn, "call": call, "degraded": true, "provider": provider.as_str(),
        "model": model, "reason": failure,
    });
    entry("model.degraded", body)
}

pub fn fell_back(
    turn: TurnId,
    call: CallId,
    from: (ProviderName, &str),
    to: (ProviderName, &str),
    failure: ProposalFailure,
) -> AuditEntry {
    let body = json!({
        "turn": turn, "call": call, "provider": from.0.as_str(), "model": from.1,
        "toProvider": to.0.as_str(), "toModel": to.1, "reason": failure,
    });
    entry("model.fell_back", body)
}

pub fn turn_ended(turn: TurnId, outcome: &str) -> AuditEntry {
    entry("turn.ended", json!({"turn": turn, "outcome": outcome}))
}

pub fn stale_answer(turn: TurnId, what: &str) -> AuditEntry {
    entry("answer.ignored", json!({"turn": turn, "what": what}))
}

pub fn replay_differed(seq: u64) -> AuditEntry {
    entry("session.replay_differed", json!({"seq": seq.to_string()}))
}
