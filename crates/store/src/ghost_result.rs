//! Stored results of GHOST runs, for people and for the ledger.

pub(crate) mod counted;
mod filter;
mod ledger;
pub(crate) mod outcome;
mod record;
mod runs;
mod signature;
mod suite;

pub use filter::GhostFilter;
pub use ledger::{LedgerKey, LiveRun, ModelStanding, Part, standing};
pub use outcome::{GhostMode, GhostVerdict, Invariants};
pub use signature::ResultSignature;
pub use suite::{Barred, Listed, SUITE, Suite};

use crate::{
    database::{
        column::{document, time},
        entity::ghost_result,
        number::{from_db, to_db},
        page::Page,
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use serde_json::Value;
use wiiiv_domain::{GhostResultId, ProviderName, RunnerKeyId, Timestamp, UserId};

/// A report as JSON text, in bytes.
pub const GHOST_REPORT_BYTES_MAX: usize = 256 * 1024;
/// A scenario's id: letters, digits, `-`, `_` and `.`, in bytes.
const SCENARIO_BYTES_MAX: usize = 64;
/// Each of the words that a result is known by, in bytes.
const WORD_BYTES_MAX: usize = 200;
/// The sentence on the first violation, in bytes.
const VIOLATION_BYTES_MAX: usize = 4096;

#[derive(Debug, Clone, PartialEq)]
pub struct GhostResult {
    pub id: GhostResultId,
    pub scenario: String,
    pub mode: GhostMode,
    pub verdict: GhostVerdict,
    pub build: String,
    pub seed: u64,
    pub policy_hash: String,
    pub prompt_hash: String,
    /// `None`: the model is nobody's, such as a hostile one.
    pub provider: Option<ProviderName>,
    pub model: String,
    /// As the provider's answers named the model.
    pub revision: Option<String>,
    /// From 1; `None`: its player did not tell.
    pub repeat: Option<u32>,
    /// `None`: they were not looked at.
    pub invariants: Option<Invariants>,
    pub first_violation: Option<String>,
    pub duration_ms: u64,
    pub at: Timestamp,
    pub report: Value,
    /// The key that signed it; `None`: nobody did, and it is claimed. Set by the store.
    pub signed_by: Option<RunnerKeyId>,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum GhostRefused {
    #[error("`{field}` is 1 to `{max}` bytes")]
    Field { field: &'static str, max: usize },
    /// 422.
    #[error(
        "the signature is not that of this result by this key: it was changed, or another key signed it"
    )]
    WrongSignature,
    /// 422.
    #[error(
        "no such runner key is registered: an administrator registers it with `wiiiv ghost keys add`"
    )]
    UnknownKey,
    /// 422.
    #[error("the runner key `{name}` was revoked: sign with another one")]
    RevokedKey { name: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Newest first.
    pub async fn ghost_results(
        &self,
        filter: &GhostFilter,
        page: Page,
    ) -> Result<Vec<GhostResult>, StoreError> {
        use ghost_result::Column;
        let mut query = ghost_result::Entity::find().filter(filter.fits());
        if let Some(of) = filter.suite {
            let found = ghost_result::Entity::find_by_id(of.uuid()).one(self.reader()).await?;
            let Some(one) = found else { return Ok(Vec::new()) };
            query = query.filter(filter::same_suite(&one));
        }
        if filter.one_per_suite {
            query = query.filter(Column::Id.in_subquery(filter.newest_of_suites()));
        }
        if let Some(before) = page.before {
            query = query.filter(Column::Id.lt(before));
        }
        let rows = query.order_by_desc(Column::Id).limit(page.rows()).all(self.reader()).await?;
        rows.into_iter().map(GhostResult::read).collect()
    }
}

impl GhostResult {
    /// The report's text.
    fn check(&self) -> Result<String, GhostRefused> {
        let fits = |field, text: &str, max| {
            if (1..=max).contains(&text.len()) {
                Ok(())
            } else {
                Err(GhostRefused::Field { field, max })
            }
        };
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
        let named = if self.scenario.bytes().all(plain) { self.scenario.as_str() } else { "" };
        fits("scenario", named, SCENARIO_BYTES_MAX)?;
        fits("build", &self.build, WORD_BYTES_MAX)?;
        fits("policyHash", &self.policy_hash, WORD_BYTES_MAX)?;
        fits("promptHash", &self.prompt_hash, WORD_BYTES_MAX)?;
        fits("model", &self.model, WORD_BYTES_MAX)?;
        if let Some(revision) = &self.revision {
            fits("revision", revision, WORD_BYTES_MAX)?;
        }
        if let Some(violation) = &self.first_violation {
            fits("firstViolation", violation, VIOLATION_BYTES_MAX)?;
        }
        let report = self.report.to_string();
        fits("report", &report, GHOST_REPORT_BYTES_MAX)?;
        Ok(report)
    }

    fn into_row(self, by: UserId, report: String) -> Result<ghost_result::Model, StoreError> {
        Ok(ghost_result::Model {
            id: self.id.uuid(),
            scenario: self.scenario,
            mode: self.mode,
            verdict: self.verdict,
            build: self.build,
            seed: self.seed.cast_signed(),
            policy_hash: self.policy_hash,
            prompt_hash: self.prompt_hash,
            provider: self.provider.map(|provider| provider.as_str().to_owned()),
            model: self.model,
            revision: self.revision,
            repeat: self.repeat.map(i64::from),
            invariants: self.invariants,
            first_violation: self.first_violation,
            duration_ms: to_db(self.duration_ms)?,
            recorded_by: by.uuid(),
            recorded_at: self.at.unix_ms(),
            report,
            signed_by: None,
            signature: None,
        })
    }

    fn read(row: ghost_result::Model) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id.into(),
            scenario: row.scenario,
            mode: row.mode,
            verdict: row.verdict,
            build: row.build,
            seed: row.seed.cast_unsigned(),
            policy_hash: row.policy_hash,
            prompt_hash: row.prompt_hash,
            provider: row.provider.as_deref().map(provider).transpose()?,
            model: row.model,
            revision: row.revision,
            repeat: row.repeat.map(repeat).transpose()?,
            invariants: row.invariants,
            first_violation: row.first_violation,
            duration_ms: from_db(row.duration_ms),
            at: time(row.recorded_at),
            report: document(&row.report, "a ghost report")?,
            signed_by: row.signed_by.map(Into::into),
        })
    }
}

fn provider(name: &str) -> Result<ProviderName, StoreError> {
    let known = ProviderName::ALL.into_iter().find(|known| known.as_str() == name);
    known.ok_or_else(|| StoreError::corrupt(format!("a ghost result of the provider `{name}`")))
}

fn repeat(nth: i64) -> Result<u32, StoreError> {
    u32::try_from(nth).map_err(|_| StoreError::corrupt(format!("a ghost result's repeat `{nth}`")))
}
