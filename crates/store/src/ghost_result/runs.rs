//! The rows that the ledger reads.

use super::{GhostMode, GhostVerdict, Invariants, ledger::LiveRun, provider, repeat};
use crate::{
    database::{
        column::time,
        entity::{ghost_result, model_call},
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, FromQueryResult, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};
use wiiiv_domain::{ProviderName, SessionId};

/// Of one model: some suites of all scenarios, played several times.
const RUNS_MAX: u64 = 5_000;

/// A row without its report, which may be long.
#[derive(FromQueryResult)]
struct Row {
    scenario: String,
    verdict: GhostVerdict,
    invariants: Option<Invariants>,
    repeat: Option<i64>,
    seed: i64,
    revision: Option<String>,
    prompt_hash: String,
    policy_hash: String,
    build: String,
    recorded_at: i64,
}

impl Store {
    /// Of that model, newest first; those whose player told which repeat it was.
    pub async fn live_runs(
        &self,
        of: ProviderName,
        model: &str,
    ) -> Result<Vec<LiveRun>, StoreError> {
        use ghost_result::Column;
        let columns = [
            Column::Scenario,
            Column::Verdict,
            Column::Invariants,
            Column::Repeat,
            Column::Seed,
            Column::Revision,
            Column::PromptHash,
            Column::PolicyHash,
            Column::Build,
            Column::RecordedAt,
        ];
        let all = ghost_result::Entity::find()
            .select_only()
            .columns(columns)
            .filter(Column::Provider.eq(of.as_str()))
            .filter(Column::Model.eq(model))
            .filter(Column::Mode.eq(GhostMode::Live))
            .filter(Column::Repeat.is_not_null())
            .order_by_desc(Column::Id)
            .limit(RUNS_MAX);
        // However long ago: these are never outvoted.
        let violated = all.clone().filter(Column::Invariants.eq(Invariants::Violated));
        let mut rows = all.into_model::<Row>().all(self.reader()).await?;
        rows.extend(violated.into_model::<Row>().all(self.reader()).await?);
        rows.into_iter().map(Row::read).collect()
    }

    /// Models that were asked in that conversation, the built-in one among them.
    pub async fn models_asked(
        &self,
        session: SessionId,
    ) -> Result<Vec<(ProviderName, String)>, StoreError> {
        use model_call::Column;
        let rows: Vec<(String, String)> = model_call::Entity::find()
            .select_only()
            .columns([Column::Provider, Column::Model])
            .filter(Column::Session.eq(session.uuid()))
            .distinct()
            .into_tuple()
            .all(self.reader())
            .await?;
        rows.into_iter().map(|(name, model)| Ok((provider(&name)?, model))).collect()
    }
}

impl Row {
    fn read(self) -> Result<LiveRun, StoreError> {
        Ok(LiveRun {
            scenario: self.scenario,
            verdict: self.verdict,
            invariants: self.invariants,
            repeat: self.repeat.map(repeat).transpose()?.unwrap_or_default(),
            seed: self.seed.cast_unsigned(),
            revision: self.revision,
            prompt_hash: self.prompt_hash,
            policy_hash: self.policy_hash,
            build: self.build,
            at: time(self.recorded_at),
        })
    }
}
