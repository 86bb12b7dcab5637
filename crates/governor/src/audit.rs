//! Audit entries of the governor: ids, codes, counts, digests and keyed hashes, never text.

use crate::{
    session::{
        call::{CallReport, Charge, SentCall},
        held_answer::AnswerReview,
        panel::ReviewCase,
    },
    trial::Trial,
    turn_documents::ShownPassages,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wiiiv_context::{PlanBounds, PlannedPart, StageNote, TokenPlan};
use wiiiv_domain::{
    Amount, AnswerStage, ApprovalId, ArgSources, Blueprint, BlueprintDigest, CallId, ContentDigest,
    DacsResult, DenyCode, ExecutionId, KeySource, ModelSlot, OnBehalfOf, Opinion, ProposalFailure,
    ProviderName, SessionId, SlotName, SpecDigest, TurnId, UserId,
};
use wiiiv_gate::{ApprovalRequest, ModelCall};
use wiiiv_store::AuditEntry;

pub fn turn_accepted(turn: TurnId, user: UserId, text_hmac: &str, language: &str) -> AuditEntry {
    let body = json!({"turn": turn, "user": user, "textHmac": text_hmac, "language": language});
    AuditEntry::new("turn.accepted", body)
}

/// The verdict of rule personas, and of model personas where they were asked, in every stage. The
/// hashes of the models' reasons stand in `dacs.opinions`. Turn, task type and the project's model stand in it
/// because nothing else tells them of a request that was denied: there is no plan.
pub fn deliberated(session: SessionId, case: &ReviewCase, result: &DacsResult) -> AuditEntry {
    let votes = |opinions: &[Opinion]| -> Vec<_> {
        let opinions = opinions.iter();
        let vote =
            |o: &Opinion| json!({"persona": o.persona, "vote": o.vote, "concerns": o.concerns});
        opinions.map(vote).collect()
    };
    let mut body = json!({
        "session": session, "turn": case.turn, "task": case.task, "taskType": case.task_type, "spec": case.spec,
        "governor": case.model, "rules": result.rules, "source": result.source, "risky": result.risky, "binds": case.binds,
        "opinions": votes(&result.opinions), "consensus": result.consensus,
    });
    if let (Some(review), Some(fields)) = (&result.model, body.as_object_mut()) {
        let model = json!({"by": review.by, "opinions": votes(&review.opinions)});
        fields.insert("model".to_owned(), model);
    }
    AuditEntry::new("dacs.evaluated", body)
}

/// The reason's text stands in the session's journal alone.
pub fn risk_cleared(session: SessionId, by: UserId, score: u32, reason_hmac: &str) -> AuditEntry {
    let body = json!({"session": session, "by": by, "score": score, "reasonHmac": reason_hmac});
    AuditEntry::new("session.risk_cleared", body)
}

/// What became of a question: `expired` or `withdrawn`, and [`rejected`]. A yes is recorded as evidence.
pub fn approval(
    end: &str,
    id: ApprovalId,
    digest: BlueprintDigest,
    by: Option<UserId>,
) -> AuditEntry {
    AuditEntry::new(format!("approval.{end}"), json!({"approval": id, "digest": digest, "by": by}))
}

/// What was asked about, what takes its place, and who decided that. Of the values their salted digests.
pub fn edited(
    asked: &ApprovalRequest,
    (from, to): (SpecDigest, SpecDigest),
    by: UserId,
    values: &[(SlotName, ContentDigest, ContentDigest)],
    note_hmac: Option<&str>,
) -> AuditEntry {
    let value = |(slot, from, to): &(SlotName, ContentDigest, ContentDigest)| json!({"slot": slot, "from": from, "to": to});
    let values: Vec<_> = values.iter().map(value).collect();
    let mut body = json!({
        "approval": asked.id, "blueprint": asked.blueprint, "digest": asked.digest, "by": by,
        "requester": asked.requester, "from": from, "to": to, "values": values,
    });
    if let (Some(hmac), Some(members)) = (note_hmac, body.as_object_mut()) {
        members.insert("noteHmac".to_owned(), json!(hmac));
    }
    AuditEntry::new("approval.edited", body)
}

/// A yes is taken back; `run`: the one that rests on it. By another name than `execution`, because the record is
/// about the question. The reason's text stands in the session's journal alone.
pub fn revoked(
    asked: &ApprovalRequest,
    by: UserId,
    run: Option<ExecutionId>,
    (approver, reason_hmac): (UserId, &str),
) -> AuditEntry {
    let mut body = json!({
        "approval": asked.id, "blueprint": asked.blueprint, "digest": asked.digest, "by": by,
        "reasonHmac": reason_hmac,
    });
    // Whoever had said it, where somebody in whose right that was takes it back.
    if let (true, Some(members)) = (approver != by, body.as_object_mut()) {
        members.insert("approver".to_owned(), json!(approver));
    }
    if let (Some(run), Some(members)) = (run, body.as_object_mut()) {
        members.insert("run".to_owned(), json!(run));
    }
    AuditEntry::new("approval.revoked", body)
}

/// With whose right it was, where that is another person's.
pub fn rejected(
    id: ApprovalId,
    digest: BlueprintDigest,
    by: UserId,
    of: Option<OnBehalfOf>,
) -> AuditEntry {
    let mut entry = approval("rejected", id, digest, Some(by));
    if let (Some(lent), Some(members)) = (of, entry.body.as_object_mut()) {
        members.insert("delegation".to_owned(), json!(lent.delegation));
        members.insert("onBehalfOf".to_owned(), json!(lent.delegator));
    }
    entry
}

pub fn drawn(blueprint: &Blueprint, digest: BlueprintDigest) -> AuditEntry {
    let nodes = blueprint.nodes.iter();
    let steps: Vec<_> = nodes.map(|n| json!({"id": n.id, "type": n.params.step_type()})).collect();
    let mut body = json!({
        "task": blueprint.task, "blueprint": blueprint.id, "digest": digest, "steps": steps,
        "policy": blueprint.policy,
    });
    if !blueprint.sources.is_empty() {
        let places = |of: &ArgSources| of.keys().copied().collect::<Vec<_>>();
        let foreign: BTreeMap<_, _> =
            blueprint.sources.iter().map(|(step, of)| (step, places(of))).collect();
        // Which places, and not what stands in them.
        if let Some(members) = body.as_object_mut() {
            members.insert("foreign".to_owned(), json!(foreign));
        }
    }
    let edits = &blueprint.spec_snapshot.spec.edits;
    if let (false, Some(members)) = (edits.is_empty(), body.as_object_mut()) {
        members.insert("edits".to_owned(), json!(edits));
        members.insert("spec".to_owned(), json!(blueprint.spec_snapshot.spec.digest().ok()));
    }
    AuditEntry::new("blueprint.drawn", body)
}

fn charged(charge: Charge) -> Value {
    let Charge { amount: Amount { tokens, micros }, currency } = charge;
    json!({"tokens": tokens, "micros": micros, "currency": currency})
}

/// Of a model's name as its provider gives it.
const NAME_CHARS_MAX: usize = 200;

fn bounded(name: &str) -> String {
    name.chars().take(NAME_CHARS_MAX).collect()
}

pub fn model_called(sent: &SentCall, told: CallReport<'_>, charge: Charge) -> AuditEntry {
    let CallReport { spent, attempts, beyond, failure, another } = told;
    let mut body = json!({
        "call": sent.id, "turn": sent.turn, "slot": ModelSlot::Governor,
        "provider": sent.provider.as_str(),
        "model": sent.model, "rulesHash": sent.rules, "promptHash": sent.prompt,
        "usage": spent.total(), "attempts": attempts,
        "uncountedAttempts": spent.uncounted(), "charged": charged(charge),
        "failure": failure, "key": sent.key, "answeredBy": another.map(bounded),
        "toldBeyondHold": beyond,
    });
    if let (1.., Some(fields)) = (sent.secrets, body.as_object_mut()) {
        fields.insert("secretsRemoved".to_owned(), json!(sent.secrets));
    }
    AuditEntry::new("model.called", of_prompt(sent, body))
}

/// What was asked with it: as a persona, or by which plan of the prompt.
fn of_prompt(sent: &SentCall, mut body: Value) -> Value {
    let Some(fields) = body.as_object_mut() else { return body };
    if let Some(persona) = sent.persona {
        fields.insert("persona".to_owned(), json!(persona));
    }
    if let Some(stage) = sent.stage {
        fields.insert("stage".to_owned(), json!(stage));
    }
    if let Some(plan) = &sent.plan {
        fields.insert("plan".to_owned(), planned(plan));
    }
    if let Some(shown) = &sent.documents {
        fields.insert("documents".to_owned(), passages(shown));
    }
    body
}

/// How many were found and how many its prompt shows, and which, by a digest.
fn passages(shown: &ShownPassages) -> Value {
    let ShownPassages { found, citations } = shown;
    json!({"found": found, "shown": citations.len(), "digest": shown.digest()})
}

/// What came of looking at an answer in words before it was given, and which stage was left out for which reason: codes
/// alone. `call`: the one that it is an answer to.
pub fn answer_checked(sent: &SentCall, review: &AnswerReview) -> AuditEntry {
    let AnswerReview { findings, by_model, refined, left_out } = review;
    let reason = |(stage, reason): &(AnswerStage, &str)| json!({"stage": stage, "reason": reason});
    let left_out: Vec<_> = left_out.iter().map(reason).collect();
    let body = json!({
        "turn": sent.turn, "call": sent.id, "by": if *by_model { "model" } else { "rules" },
        "findings": findings, "refined": refined, "leftOut": left_out,
    });
    AuditEntry::new("answer.checked", body)
}

/// In tokens; of each part its name, what it was granted, what it takes, and how much of it was left out. Of each stage
/// that gave way its name and why.
fn planned(TokenPlan { bounds, parts, stages, .. }: &TokenPlan) -> Value {
    let row = |of: &PlannedPart| json!([of.part.as_str(), of.granted, of.used, of.dropped]);
    let parts: Vec<_> = parts.iter().map(row).collect();
    let PlanBounds { total, window, error_percent } = bounds;
    let mut plan =
        json!({"total": total, "window": window, "errorPercent": error_percent, "parts": parts});
    if let (false, Some(fields)) = (stages.is_empty(), plan.as_object_mut()) {
        let row = |note: &StageNote| json!([note.stage.as_str(), note.why.as_str()]);
        fields.insert("stages".to_owned(), stages.iter().map(row).collect());
    }
    plan
}

/// Nobody waits for its answer any more: what was held for it is charged in whole.
pub fn model_cut_off(turn: TurnId, sent: &SentCall) -> AuditEntry {
    let body = json!({
        "call": sent.id, "turn": turn, "slot": ModelSlot::Governor,
        "provider": sent.provider.as_str(), "model": sent.model, "rulesHash": sent.rules,
        "promptHash": sent.prompt, "key": sent.key, "charged": charged(sent.held()),
    });
    AuditEntry::new("model.cut_off", of_prompt(sent, body))
}

/// Nothing of anybody's was sent.
pub fn model_tried(turn: TurnId, call: CallId, trial: &Trial) -> AuditEntry {
    let body = json!({
        "call": call, "turn": turn, "slot": trial.slot, "provider": trial.provider.as_str(),
        "model": trial.model, "usage": trial.usage, "attempts": trial.attempts,
        "rulesHash": trial.hashes.map(|(rules, _)| rules),
        "promptHash": trial.hashes.map(|(_, prompt)| prompt),
        "charged": charged(Charge { amount: trial.amount, currency: trial.currency }),
        "failure": trial.gave.as_ref().err().map(|(failure, _)| failure), "key": trial.key,
        "answeredBy": trial.another.as_deref().map(bounded), "toldBeyondHold": trial.beyond,
    });
    AuditEntry::new("model.tried", body)
}

/// Texts of documents, or a question about them, were sent to a provider: how many, and no word of them.
pub fn model_embedded(
    call: &ModelCall,
    (key, texts): (Option<KeySource>, usize),
    told: CallReport<'_>,
    charge: Charge,
) -> AuditEntry {
    let CallReport { spent, attempts, beyond, failure, another: _ } = told;
    let body = json!({
        "call": call.call, "turn": call.turn, "slot": call.slot, "provider": call.provider.as_str(),
        "model": call.model, "texts": texts, "usage": spent.total(), "attempts": attempts,
        "uncountedAttempts": spent.uncounted(), "charged": charged(charge), "failure": failure,
        "key": key, "toldBeyondHold": beyond,
    });
    AuditEntry::new("model.embedded", body)
}

/// The built-in understanding has answered in place of the model that policy names.
pub fn degraded(sent: &SentCall, failure: ProposalFailure) -> AuditEntry {
    let body = json!({
        "turn": sent.turn, "call": sent.id, "degraded": true, "provider": sent.provider.as_str(),
        "model": sent.model, "reason": failure,
    });
    AuditEntry::new("model.degraded", body)
}

pub fn fell_back(
    sent: &SentCall,
    to: (ProviderName, &str),
    failure: ProposalFailure,
) -> AuditEntry {
    let body = json!({
        "turn": sent.turn, "call": sent.id, "provider": sent.provider.as_str(),
        "model": sent.model, "toProvider": to.0.as_str(), "toModel": to.1, "reason": failure,
    });
    AuditEntry::new("model.fell_back", body)
}

pub fn turn_ended(turn: TurnId, outcome: &str) -> AuditEntry {
    AuditEntry::new("turn.ended", json!({"turn": turn, "outcome": outcome}))
}

pub fn requester_gone() -> AuditEntry {
    AuditEntry::new("ruling.requester_gone", json!({ "codes": [DenyCode::RequesterNotAllowed] }))
}

pub fn stale_answer(turn: TurnId, what: &str) -> AuditEntry {
    AuditEntry::new("answer.ignored", json!({"turn": turn, "what": what}))
}

pub fn replay_differed(seq: u64) -> AuditEntry {
    AuditEntry::new("session.replay_differed", json!({"seq": seq.to_string()}))
}
