//! The grants that a plan may rest on.

use crate::{
    audit::Chain,
    database::{
        number::from_db,
        statement::{Reads as _, Row, query, query_all},
    },
    error::StoreError,
    grant::row::{
        COLUMNS, FROM, GRANTS_HELD_MAX, REVOKED, STANDS, TAKEN, USED, counts_at, granter_stands,
        restored,
    },
    store::Store,
};
use std::sync::LazyLock;
use wiiiv_domain::{ProjectId, Timestamp, UserId};
use wiiiv_gate::{DecisionRecord, GrantGiven, GrantUses, Recorded};

/// One whose record of a revocation is there counts no more, whatever became of the row; nor one with fewer or
/// more uses than the audit tells of, or with one that took another number. `taken` is the last member of its record.
static HELD: LazyLock<String> = LazyLock::new(|| {
    let (stands, counts) = (granter_stands(), counts_at("$4"));
    format!(
        "SELECT {COLUMNS}, {TAKEN} FROM {FROM} WHERE approval_grant.project = $2 \
         AND approval_grant.holder = $3 AND {counts} AND {STANDS} \
         AND {stands} AND {TAKEN} < approval_grant.uses AND NOT EXISTS (SELECT 1 \
         FROM audit_record gone WHERE gone.about = approval_grant.id AND gone.chain = $1 \
         AND gone.kind = '{REVOKED}') \
         AND (SELECT COUNT(*) FROM audit_record told WHERE told.about = approval_grant.id \
         AND told.chain = $1 AND told.kind = '{USED}') = (SELECT COUNT(*) \
         FROM approval_grant_use used WHERE used.grant_id = approval_grant.id) \
         AND NOT EXISTS (SELECT 1 FROM approval_grant_use used LEFT JOIN audit_record told \
         ON told.chain = $1 AND told.seq = used.at_seq AND told.kind = '{USED}' \
         WHERE used.grant_id = approval_grant.id AND (told.line IS NULL \
         OR told.line NOT LIKE '%\"taken\":' || used.taken || '}}%')) \
         ORDER BY approval_grant.expires_at, approval_grant.id LIMIT {GRANTS_HELD_MAX}"
    )
});

impl Store {
    /// Those of this person that count at that time, each with how often it was used, the first to end
    /// first. In a project that never gave any, nothing is asked for.
    pub async fn grants_held(
        &self,
        project: ProjectId,
        holder: UserId,
        now: Timestamp,
    ) -> Result<Vec<GrantUses>, StoreError> {
        let any = || async {
            let any = "SELECT EXISTS (SELECT 1 FROM approval_grant WHERE project = $1 \
                       AND expires_at > $2)";
            let values = vec![project.uuid().into(), now.unix_ms().into()];
            let row = query(self.direct(), any, values).await?;
            row.ok_or_else(StoreError::given_up)?.get(0)
        };
        // Time makes of one that may count one that may not, and never the reverse: one that begins later is
        // there already.
        if !self.cached().granting.get(project.uuid(), any).await? {
            return Ok(Vec::new());
        }
        let chain = Chain::Project(project);
        let values = vec![
            chain.to_string().into(),
            project.uuid().into(),
            holder.uuid().into(),
            now.unix_ms().into(),
        ];
        let rows = query_all(self.direct(), &HELD, values).await?;
        let by = (self.registrar(), self.direct().seals());
        let uses = |row: &Row| {
            let given = restored(by, chain, row)?;
            let used = u32::try_from(from_db(row.get(5)?)).unwrap_or(u32::MAX);
            Ok(GrantUses { given, used })
        };
        rows.iter().map(uses).collect()
    }

    /// Those that a ruling rests on, whatever became of them since. For looking back.
    pub async fn grants_behind(
        &self,
        project: ProjectId,
        ruling: &DecisionRecord,
    ) -> Result<Vec<Recorded<GrantGiven>>, StoreError> {
        let used = ruling.grants_used();
        if used.is_empty() {
            return Ok(Vec::new());
        }
        let chain = Chain::Project(project);
        let places: Vec<String> = (2..used.len() + 2).map(|nth| format!("${nth}")).collect();
        let places = places.join(", ");
        let sql = format!("SELECT {COLUMNS} FROM {FROM} WHERE approval_grant.id IN ({places})");
        let ids = used.iter().map(|of| of.grant.uuid().into());
        let values = std::iter::once(chain.to_string().into()).chain(ids).collect();
        let rows = query_all(self.direct(), &sql, values).await?;
        let by = (self.registrar(), self.direct().seals());
        rows.iter().map(|row| restored(by, chain, row)).collect()
    }
}
