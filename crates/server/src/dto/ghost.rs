//! Wire forms of GHOST results.

use super::{mirror::mirror, runner_key::key_bytes};
use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::num::NonZeroU32;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::{GhostResultId, ProviderName, Timestamp};
use wiiiv_store::{
    GhostMode, GhostResult, GhostVerdict, Invariants, ResultSignature, RunnerKeyRow,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ModeName {
    Replay,
    Live,
    Record,
    Adversary,
    Faults,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum VerdictName {
    Pass,
    Fail,
    Error,
    /// The scenario has stages that this build does not have yet.
    Partial,
}

/// What has to hold in every run, whatever its scenario expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InvariantsName {
    Held,
    Violated,
}

/// What a player reports of one run.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGhostResult {
    /// The scenario's id: letters, digits, `-`, `_` and `.`.
    pub scenario: String,
    pub mode: ModeName,
    pub verdict: VerdictName,
    pub build: String,
    pub seed: u64,
    pub policy_hash: String,
    pub prompt_hash: String,
    /// Whose model it was; left out for a model that is nobody's, such as a hostile one.
    #[schema(value_type = Option<String>)]
    pub provider: Option<ProviderName>,
    pub model: String,
    /// As the provider's answers named the model.
    pub revision: Option<String>,
    /// Which one it was of several in a row, from 1. The ledger passes a run by that does not tell.
    #[schema(value_type = Option<u32>, minimum = 1)]
    pub repeat: Option<NonZeroU32>,
    /// Left out: they were not looked at.
    pub invariants: Option<InvariantsName>,
    pub first_violation: Option<String>,
    pub duration_ms: u64,
    /// At most 256 KiB of JSON.
    #[schema(value_type = Object)]
    pub report: Value,
    /// By a registered runner's key. Left out: the result is kept as claimed, and counts for no model.
    pub signed: Option<SignedBy>,
}

/// A signature under a result: Ed25519 over the RFC 8785 form of the statement in ADR 0047.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignedBy {
    /// 64 hexadecimal digits.
    pub public_key: String,
    /// 128 hexadecimal digits.
    pub signature: String,
}

impl SignedBy {
    pub(crate) fn read(&self) -> Result<ResultSignature, Problem> {
        Ok(ResultSignature {
            public_key: key_bytes("public_key", &self.public_key)?,
            signature: key_bytes("signature", &self.signature)?,
        })
    }
}

impl NewGhostResult {
    pub(crate) fn at(self, id: GhostResultId, at: Timestamp) -> GhostResult {
        GhostResult {
            id,
            scenario: self.scenario,
            mode: self.mode.into(),
            verdict: self.verdict.into(),
            build: self.build,
            seed: self.seed,
            policy_hash: self.policy_hash,
            prompt_hash: self.prompt_hash,
            provider: self.provider,
            model: self.model,
            revision: self.revision,
            repeat: self.repeat.map(NonZeroU32::get),
            invariants: self.invariants.map(Into::into),
            first_violation: self.first_violation,
            duration_ms: self.duration_ms,
            at,
            report: self.report,
            signed_by: None,
        }
    }
}

/// Who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WordName {
    /// Whoever reported it: nobody signed, and it counts for no model.
    Claimed,
    /// A registered runner's key.
    Signed,
    /// A key that was revoked since: it counts no more, but for a violated invariant.
    Revoked,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GhostResultView {
    pub id: Uuid,
    pub scenario: String,
    pub mode: ModeName,
    pub verdict: VerdictName,
    pub build: String,
    pub seed: u64,
    pub policy_hash: String,
    pub prompt_hash: String,
    /// `null`: nobody's, or of a build that did not tell.
    pub provider: Option<&'static str>,
    pub model: String,
    pub revision: Option<String>,
    pub repeat: Option<u32>,
    /// `null`: they were not looked at.
    pub invariants: Option<InvariantsName>,
    pub first_violation: Option<String>,
    pub duration_ms: u64,
    pub at: String,
    #[schema(value_type = Object)]
    pub report: Value,
    pub word: WordName,
    /// The name of the key that signed it; `null`: it is claimed.
    pub signed_by: Option<String>,
}

impl GhostResultView {
    /// `keys`: the registered ones.
    pub(crate) fn of(result: GhostResult, keys: &[RunnerKeyRow]) -> Self {
        let key = result.signed_by.and_then(|id| keys.iter().find(|key| key.id == id));
        let word = match (result.signed_by, key) {
            (None, _) => WordName::Claimed,
            (Some(_), Some(key)) if key.revoked.is_none() => WordName::Signed,
            (Some(_), _) => WordName::Revoked,
        };
        Self {
            word,
            signed_by: key.map(|key| key.name.clone()),
            id: result.id.uuid(),
            scenario: result.scenario,
            mode: result.mode.into(),
            verdict: result.verdict.into(),
            build: result.build,
            seed: result.seed,
            policy_hash: result.policy_hash,
            prompt_hash: result.prompt_hash,
            provider: result.provider.map(ProviderName::as_str),
            model: result.model,
            revision: result.revision,
            repeat: result.repeat,
            invariants: result.invariants.map(Into::into),
            first_violation: result.first_violation,
            duration_ms: result.duration_ms,
            at: result.at.to_string(),
            report: result.report,
        }
    }
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct GhostQuery {
    pub scenario: Option<String>,
    #[param(inline)]
    pub mode: Option<ModeName>,
    #[param(inline)]
    pub verdict: Option<VerdictName>,
    pub build: Option<String>,
    #[param(value_type = Option<String>)]
    pub provider: Option<ProviderName>,
    pub model: Option<String>,
    /// Of the suite that this result is of: mode, seed, build, rules, prompts, provider and model are alike.
    pub suite: Option<Uuid>,
    /// `true`: of each suite its newest result that fits the rest.
    pub one_per_suite: Option<bool>,
    /// Rows, 1 to 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

mirror!(ModeName <=> GhostMode: Replay, Live, Record, Adversary, Faults);

mirror!(VerdictName <=> GhostVerdict: Pass, Fail, Error, Partial);

mirror!(InvariantsName <=> Invariants: Held, Violated);
