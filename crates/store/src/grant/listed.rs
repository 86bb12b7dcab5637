//! Grants as people look at them, with each of their uses.

use crate::{
    audit::Chain,
    database::{
        column::{digest, time},
        number::from_db,
        page::Page,
        statement::{Reads as _, Row, query_all},
    },
    error::StoreError,
    grant::row::{COLUMNS, FROM, TAKEN, granter_stands, restored},
    store::Store,
};
use std::{collections::BTreeMap, sync::LazyLock};
use uuid::Uuid;
use wiiiv_domain::{
    BlueprintDigest, BlueprintId, ExecutionId, GrantId, ProjectId, Timestamp, UserId,
};
use wiiiv_gate::{GrantGiven, Recorded};

/// One use, by one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantUse {
    pub grant: GrantId,
    /// Who gave it.
    pub granter: UserId,
    pub execution: ExecutionId,
    pub blueprint: BlueprintId,
    pub digest: BlueprintDigest,
    /// So many of its uses.
    pub taken: u32,
    pub at: Timestamp,
}

#[derive(Debug)]
pub struct GrantRow {
    pub given: Recorded<GrantGiven>,
    pub used: u32,
    /// By whom, and when.
    pub revoked: Option<(UserId, Timestamp)>,
    /// Whoever gave it still is somebody whose yes counts.
    pub granter_stands: bool,
    /// Newest first.
    pub uses: Vec<GrantUse>,
}

impl GrantRow {
    /// How often it still counts, if it does at all.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.given.body().uses().saturating_sub(self.used)
    }
    /// Whether a plan may rest on it at that time, as far as it goes.
    #[must_use]
    pub fn counts(&self, now: Timestamp) -> bool {
        self.revoked.is_none()
            && self.granter_stands
            && self.left() > 0
            && self.has_begun(now)
            && self.given.body().expires_at() > now
    }
    /// Whether its beginning, if it has one, is not ahead.
    #[must_use]
    pub fn has_begun(&self, now: Timestamp) -> bool {
        self.given.body().not_before().is_none_or(|from| from <= now)
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct GrantFilter {
    /// Only this one.
    pub id: Option<GrantId>,
    /// Only those that this person gave or holds.
    pub of: Option<UserId>,
    pub page: Page,
}

static LIST: LazyLock<String> = LazyLock::new(|| {
    let stands = granter_stands();
    format!(
        "SELECT {COLUMNS}, {TAKEN}, revoked.revoked_by, revoked.revoked_at, \
         CASE WHEN {stands} THEN 1 ELSE 0 END FROM {FROM} \
         LEFT JOIN approval_grant_revoked revoked ON revoked.grant_id = approval_grant.id \
         WHERE approval_grant.project = $2 AND ($3 IS NULL OR approval_grant.id = $3) \
         AND ($4 IS NULL OR approval_grant.granter = $4 OR approval_grant.holder = $4) \
         AND ($5 IS NULL OR approval_grant.id < $5) ORDER BY approval_grant.id DESC LIMIT $6"
    )
});

impl Store {
    /// Of one project, newest first.
    pub async fn grants(
        &self,
        project: ProjectId,
        filter: GrantFilter,
    ) -> Result<Vec<GrantRow>, StoreError> {
        let chain = Chain::Project(project);
        let GrantFilter { id, of, page } = filter;
        let values = vec![
            chain.to_string().into(),
            project.uuid().into(),
            id.map(GrantId::uuid).into(),
            of.map(UserId::uuid).into(),
            page.before.into(),
            i64::try_from(page.rows()).unwrap_or(i64::MAX).into(),
        ];
        let rows = query_all(self.direct(), &LIST, values).await?;
        let by = (self.registrar(), self.direct().seals());
        let mut found = Vec::new();
        for row in &rows {
            found.push(read(restored(by, chain, row)?, row)?);
        }
        let mut uses: BTreeMap<GrantId, Vec<GrantUse>> = BTreeMap::new();
        let ids: Vec<Uuid> = found.iter().map(|row| row.given.body().id().uuid()).collect();
        for used in self.grant_uses("used.grant_id", &ids).await? {
            uses.entry(used.grant).or_default().push(used);
        }
        for row in &mut found {
            row.uses = uses.remove(&row.given.body().id()).unwrap_or_default();
        }
        Ok(found)
    }

    /// What the runs of these plans used; those that rest on no grant are left out.
    pub async fn grants_used_by(&self, plans: &[BlueprintId]) -> Result<Vec<GrantUse>, StoreError> {
        let ids: Vec<Uuid> = plans.iter().map(|plan| plan.uuid()).collect();
        self.grant_uses("used.blueprint", &ids).await
    }

    async fn grant_uses(&self, column: &str, ids: &[Uuid]) -> Result<Vec<GrantUse>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let places: Vec<String> = (1..=ids.len()).map(|nth| format!("${nth}")).collect();
        let sql = format!(
            "SELECT used.grant_id, used.execution, used.blueprint, used.digest, used.taken, \
             used.used_at, approval_grant.granter FROM approval_grant_use used \
             JOIN approval_grant ON approval_grant.id = used.grant_id WHERE {column} IN ({}) \
             ORDER BY used.used_at DESC, used.execution DESC",
            places.join(", ")
        );
        let values = ids.iter().map(|id| (*id).into()).collect();
        query_all(self.direct(), &sql, values).await?.iter().map(used).collect()
    }
}

fn read(given: Recorded<GrantGiven>, row: &Row) -> Result<GrantRow, StoreError> {
    let (by, at): (Option<Uuid>, Option<i64>) = (row.get(6)?, row.get(7)?);
    let stands: i64 = row.get(8)?;
    Ok(GrantRow {
        given,
        used: count(row.get(5)?),
        revoked: by.zip(at).map(|(by, at)| (by.into(), time(at))),
        granter_stands: stands == 1,
        uses: Vec::new(),
    })
}

fn used(row: &Row) -> Result<GrantUse, StoreError> {
    let (grant, execution): (Uuid, Uuid) = (row.get(0)?, row.get(1)?);
    Ok(GrantUse {
        grant: grant.into(),
        granter: row.get::<Uuid>(6)?.into(),
        execution: execution.into(),
        blueprint: row.get::<Uuid>(2)?.into(),
        digest: digest(row.get(3)?, BlueprintDigest::from_bytes, "the digest of a grant's use")?,
        taken: count(row.get(4)?),
        at: time(row.get(5)?),
    })
}

fn count(number: i64) -> u32 {
    u32::try_from(from_db(number)).unwrap_or(u32::MAX)
}
