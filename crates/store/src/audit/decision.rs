//! Rulings on plans and model calls, and reviews of specs.

use super::{AuditFilter, AuditRow, Chain};
use crate::{
    approval::inbox::ApprovalFilter,
    database::{entity::audit_record, number::to_db},
    error::StoreError,
    run::blueprint::BlueprintRow,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use std::collections::BTreeMap;
use wiiiv_domain::{ProjectId, SessionId, SpecDigest, Timestamp};

const KIND: &str = "decision";
/// In a ruling's line; no text of anybody is in one.
const ON_A_PLAN: &str = "%\"kind\":\"blueprint\"%";
const ON_A_CALL: &str = "%\"kind\":\"model_call\"%";
const DENIED: &str = "%\"outcome\":\"DENY\"%";
/// A ruling that came to nothing stands at most so many records behind the drawing or the yes that
/// it was asked for, and a review behind its conversation's last ruling: others write into the same chain
/// meanwhile.
const BEHIND_RECORDS_MAX: u64 = 10_000;
const REVIEW_KIND: &str = "dacs.evaluated";
/// Reviews of one spec that are looked at for the one of a turn.
const REVIEWS_MAX: u64 = 100;
/// A review is recorded with the event that tells of it, or as soon as the database is back: further
/// away, in milliseconds, is that of another turn.
const REVIEW_AWAY_MS_MAX: i64 = 3_600_000;
/// Rulings of one answer.
const DECISIONS_MAX: u64 = 200;

impl Store {
    /// Oldest first: on the plan itself, and on the steps of its execution.
    pub async fn decisions_on(&self, plan: &BlueprintRow) -> Result<Vec<AuditRow>, StoreError> {
        let chain = Chain::Project(plan.project);
        let mut found = BTreeMap::new();
        if let Some(run) = self.execution_of(plan.id).await? {
            let about = Some(run.id.uuid());
            let kind = Some(KIND.to_owned());
            let limit = Some(DECISIONS_MAX);
            let filter = AuditFilter { kind, about, limit, ..AuditFilter::default() };
            let rows = self.audit_search(chain, &filter).await?;
            found.extend(rows.into_iter().map(|row| (row.seq, row)));
        }
        for asked in self.asked_at(chain, plan).await? {
            let rows = self.decisions_behind(chain, asked, plan).await?;
            found.extend(rows.into_iter().map(|row| (row.seq, row)));
        }
        let most = usize::try_from(DECISIONS_MAX).unwrap_or(usize::MAX);
        Ok(found.into_values().take(most).collect())
    }

    /// The number of the first record of that time or later.
    pub async fn first_record_since(
        &self,
        project: ProjectId,
        since: Timestamp,
    ) -> Result<u64, StoreError> {
        self.first_since(Chain::Project(project), since.unix_ms()).await
    }

    /// Rulings on plans from the record `from` on, newest first, at most so many, and only records before
    /// `before`.
    pub async fn rulings_on_plans(
        &self,
        project: ProjectId,
        from: u64,
        page: (Option<u64>, u64),
    ) -> Result<Vec<AuditRow>, StoreError> {
        self.records_from((project, KIND, &[ON_A_PLAN]), from, page).await
    }

    /// The same of rulings that refused a model call.
    pub async fn refused_calls(
        &self,
        project: ProjectId,
        from: u64,
        page: (Option<u64>, u64),
    ) -> Result<Vec<AuditRow>, StoreError> {
        self.records_from((project, KIND, &[ON_A_CALL, DENIED]), from, page).await
    }

    /// The same of reviews, of whatever they came to.
    pub async fn reviews_from(
        &self,
        project: ProjectId,
        from: u64,
        page: (Option<u64>, u64),
    ) -> Result<Vec<AuditRow>, StoreError> {
        self.records_from((project, REVIEW_KIND, &[]), from, page).await
    }

    /// `lines`: each of them stands in the record's line. A number ends the walk where a time would not: the
    /// chain is read by its numbers.
    async fn records_from(
        &self,
        (project, kind, lines): (ProjectId, &str, &[&str]),
        from: u64,
        (before, limit): (Option<u64>, u64),
    ) -> Result<Vec<AuditRow>, StoreError> {
        use audit_record::Column;
        let mut query = audit_record::Entity::find()
            .filter(Column::Chain.eq(Chain::Project(project).to_string()))
            .filter(Column::Seq.gte(to_db(from)?))
            .filter(Column::Kind.eq(kind));
        for line in lines {
            query = query.filter(Column::Line.like(*line));
        }
        if let Some(before) = before {
            query = query.filter(Column::Seq.lt(to_db(before)?));
        }
        let rows = query.order_by_desc(Column::Seq).limit(limit).all(self.reader()).await?;
        rows.into_iter()
            .map(|row| AuditRow::sealed(row, Some(self.direct().record_seals())))
            .collect()
    }

    /// The last ruling in that conversation before the record of that number, if it stands near.
    pub async fn ruling_before(
        &self,
        (project, session): (ProjectId, SessionId),
        seq: u64,
    ) -> Result<Option<AuditRow>, StoreError> {
        use audit_record::Column;
        let row = audit_record::Entity::find()
            .filter(Column::Chain.eq(Chain::Project(project).to_string()))
            .filter(Column::Seq.gte(to_db(seq.saturating_sub(BEHIND_RECORDS_MAX))?))
            .filter(Column::Seq.lt(to_db(seq)?))
            .filter(Column::Kind.eq(KIND))
            .filter(Column::Line.like(format!("%\"session\":\"{session}\"%")))
            .order_by_desc(Column::Seq)
            .one(self.reader())
            .await?;
        row.map(|row| AuditRow::sealed(row, Some(self.direct().record_seals()))).transpose()
    }

    /// The session's review of that spec which was recorded nearest to that time.
    pub async fn review_of(
        &self,
        (project, session): (ProjectId, SessionId),
        spec: SpecDigest,
        at: Timestamp,
    ) -> Result<Option<AuditRow>, StoreError> {
        use audit_record::Column;
        let near = |away: i64| at.unix_ms().saturating_add(away);
        let rows = audit_record::Entity::find()
            .filter(Column::About.eq(session.uuid()))
            .filter(Column::Chain.eq(Chain::Project(project).to_string()))
            .filter(Column::Kind.eq(REVIEW_KIND))
            .filter(Column::At.between(near(-REVIEW_AWAY_MS_MAX), near(REVIEW_AWAY_MS_MAX)))
            .filter(Column::Line.like(format!("%\"spec\":\"{spec}\"%")))
            .order_by_desc(Column::Seq)
            .limit(REVIEWS_MAX)
            .all(self.reader())
            .await?;
        let nearest = rows.into_iter().min_by_key(|row| row.at.abs_diff(at.unix_ms()));
        nearest.map(|row| AuditRow::sealed(row, Some(self.direct().record_seals()))).transpose()
    }

    /// Numbers of the records of its drawing and of every yes to it.
    async fn asked_at(&self, chain: Chain, plan: &BlueprintRow) -> Result<Vec<u64>, StoreError> {
        let filter = ApprovalFilter { blueprint: Some(plan.id), ..ApprovalFilter::default() };
        let approvals = self.approvals(&filter).await?.into_iter();
        let ids = std::iter::once(plan.id.uuid()).chain(approvals.map(|row| row.request.id.uuid()));
        let mut asked = Vec::new();
        for about in ids {
            let filter = AuditFilter { about: Some(about), ..AuditFilter::default() };
            let rows = self.audit_search(chain, &filter).await?.into_iter();
            let starts = |kind: &str| matches!(kind, "blueprint.drawn" | "approval.given");
            asked.extend(rows.filter(|row| starts(&row.kind)).map(|row| row.seq));
        }
        Ok(asked)
    }

    async fn decisions_behind(
        &self,
        chain: Chain,
        asked: u64,
        plan: &BlueprintRow,
    ) -> Result<Vec<AuditRow>, StoreError> {
        use audit_record::Column;
        let named = format!("%\"blueprint\":\"{}\"%", plan.id);
        let rows = audit_record::Entity::find()
            .filter(Column::Chain.eq(chain.to_string()))
            .filter(Column::Seq.gt(to_db(asked)?))
            .filter(Column::Seq.lte(to_db(asked.saturating_add(BEHIND_RECORDS_MAX))?))
            .filter(Column::Kind.eq(KIND))
            .filter(Column::Line.like(named))
            .order_by_asc(Column::Seq)
            .limit(DECISIONS_MAX)
            .all(self.reader())
            .await?;
        rows.into_iter()
            .map(|row| AuditRow::sealed(row, Some(self.direct().record_seals())))
            .collect()
    }
}
