//! The runs that the ledger counts, and the models that it is asked about.

use super::{counted::CountedRow, ledger::LiveRun, outcome::Invariants, provider, repeat};
use crate::{
    audit::{models_told, runner_keys_told, runs_told},
    database::{column::time, statement::query_all},
    error::StoreError,
    store::Store,
};
use std::collections::BTreeMap;
use uuid::Uuid;
use wiiiv_domain::{ProjectId, ProviderName, SessionId};

/// Of one model: some suites of all scenarios, played several times.
const RUNS_MAX: u64 = 5_000;

impl Store {
    /// Of that model, newest first; those whose player told which repeat it was. Only runs count that are on
    /// record and signed. Refused where one of them is gone or was changed: what it said may have been a
    /// violation.
    pub async fn live_runs(
        &self,
        of: ProviderName,
        model: &str,
    ) -> Result<Vec<LiveRun>, StoreError> {
        let db = (self.reader(), Some(self.direct().record_seals()));
        let mut rows = runs_told(db, (of, model), None, RUNS_MAX).await?;
        // However long ago: these are never outvoted.
        let violated = Some(Invariants::Violated);
        rows.extend(runs_told(db, (of, model), violated, RUNS_MAX).await?);
        self.no_violation_beside(of, model, &rows).await?;
        let mut counted = Vec::with_capacity(rows.len());
        let keys = self.revoked_keys(&rows).await?;
        for row in rows.into_iter().filter(|row| row.repeat.is_some()) {
            // What a revoked key has signed verifies nobody; that an invariant was violated stays.
            match row.signed_by.and_then(|key| keys.get(&key)) {
                Some(false) => counted.push(read(row)?),
                Some(true) if row.invariants == violated => counted.push(read(row)?),
                Some(true) => {}
                None => {
                    let what = format!("no registered key signed the GHOST run `{}`", row.id);
                    return Err(StoreError::tampered(what));
                }
            }
        }
        Ok(counted)
    }

    /// Of each registered key, whether it was revoked.
    async fn revoked_keys(&self, rows: &[CountedRow]) -> Result<BTreeMap<Uuid, bool>, StoreError> {
        if rows.is_empty() {
            return Ok(BTreeMap::new());
        }
        let keys = runner_keys_told(self.direct()).await?.into_iter();
        Ok(keys.map(|key| (key.id, key.revoked_at.is_some())).collect())
    }

    /// A violation whose record was changed would be none that is told.
    async fn no_violation_beside(
        &self,
        of: ProviderName,
        model: &str,
        told: &[CountedRow],
    ) -> Result<(), StoreError> {
        let violated = "SELECT id FROM ghost_result WHERE provider = $1 AND model = $2 \
                        AND mode = 'live' AND invariants = 'violated' AND signed_by IS NOT NULL";
        let values = vec![of.as_str().into(), model.into()];
        for row in query_all(self.reader(), violated, values).await? {
            let id: Uuid = row.get(0)?;
            if !told.iter().any(|row| row.id == id) {
                let what = format!("no record tells of the violation in the GHOST run `{id}`");
                return Err(StoreError::tampered(what));
            }
        }
        Ok(())
    }

    /// Models that were asked in that conversation, the built-in one among them, as the rulings on its calls
    /// tell.
    pub async fn models_asked(
        &self,
        project: ProjectId,
        session: SessionId,
    ) -> Result<Vec<(ProviderName, String)>, StoreError> {
        let told =
            models_told((self.reader(), Some(self.direct().record_seals())), project, session)
                .await?;
        told.into_iter().map(|(name, model)| Ok((provider(&name)?, model))).collect()
    }
}

fn read(row: CountedRow) -> Result<LiveRun, StoreError> {
    Ok(LiveRun {
        scenario: row.scenario,
        verdict: row.verdict,
        invariants: row.invariants,
        repeat: row.repeat.map(repeat).transpose()?.unwrap_or_default(),
        seed: row.seed.cast_unsigned(),
        revision: row.revision,
        prompt_hash: row.prompt_hash,
        policy_hash: row.policy_hash,
        build: row.build,
        at: time(row.recorded_at),
    })
}
