//! A grant's row, as statements ask by it and as its record vouches for it.

use crate::{
    account::authority::{APPROVERS, REQUESTERS, has_role},
    audit::{Chain, Voucher},
    database::{record_seals::RecordSeals, statement::Row},
    error::StoreError,
};
use uuid::Uuid;
use wiiiv_gate::{GrantGiven, Recorded, Registrar};

/// Grants that one person holds in a project and that still count.
pub const GRANTS_HELD_MAX: u64 = 100;

/// The record that a grant begins with, that of each run that used it, and that of its end before its time.
pub(crate) const GRANTED: &str = "approval.granted";
pub(crate) const USED: &str = "approval.grant_used";
pub(crate) const REVOKED: &str = "approval.grant_revoked";

/// Of a row of `approval_grant`: whoever gave it still is somebody whose yes counts. One's own is of who may
/// ask, any other of who may approve; roles in the project alone count.
pub(crate) fn granter_stands() -> String {
    let (person, project) = ("approval_grant.granter", "approval_grant.project");
    let approver = has_role(person, project, APPROVERS);
    let requester = has_role(person, project, REQUESTERS);
    format!("({approver} OR (approval_grant.granter = approval_grant.holder AND {requester}))")
}

/// Of a row of `approval_grant`: nobody has revoked it.
pub(crate) const STANDS: &str = "NOT EXISTS (SELECT 1 FROM approval_grant_revoked revoked \
    WHERE revoked.grant_id = approval_grant.id)";

/// Of a row of `approval_grant`: at the time of this parameter it has begun and is not over.
pub(crate) fn counts_at(now: &str) -> String {
    format!(
        "(approval_grant.not_before IS NULL OR approval_grant.not_before <= {now}) \
         AND approval_grant.expires_at > {now}"
    )
}

/// Of a row of `approval_grant`: how often it was used.
pub(crate) const TAKEN: &str = "COALESCE((SELECT CAST(SUM(used.taken) AS BIGINT) \
    FROM approval_grant_use used WHERE used.grant_id = approval_grant.id), 0)";

/// Columns that [`restored`] reads; `$1` is the project's chain.
pub(crate) const COLUMNS: &str =
    "approval_grant.id, approval_grant.at_seq, approval_grant.evidence, record.line, record.seal";
pub(crate) const FROM: &str = "approval_grant LEFT JOIN audit_record record \
    ON record.chain = $1 AND record.seq = approval_grant.at_seq";

/// Of [`COLUMNS`], which come first.
pub(crate) fn restored(
    (registrar, seals): (&Registrar, Option<&RecordSeals>),
    chain: Chain,
    row: &Row,
) -> Result<Recorded<GrantGiven>, StoreError> {
    let (at, evidence): (i64, Vec<u8>) = (row.get(1)?, row.get(2)?);
    let voucher = Voucher::in_row((row, 3), (chain, at), GRANTED, seals)?;
    let digest = voucher.digest()?.ok_or_else(|| voucher.changed())?;
    let given: Recorded<GrantGiven> = registrar.restore(voucher.at, &evidence, digest)?;
    let body = given.body();
    let same = body.id().uuid() == row.get::<Uuid>(0)? && Chain::Project(body.project()) == chain;
    same.then_some(given).ok_or_else(|| voucher.changed())
}
