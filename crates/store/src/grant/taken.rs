//! Uses of a grant, each taken in the commit of the plan that rests on it.

use crate::{
    audit::Chain,
    database::{number::to_db, statement::execute},
    error::StoreError,
    grant::row::{STANDS, TAKEN, USED, counts_at, granter_stands},
    writer::{boundary::AuditEntry, write_transaction::WriteTransaction},
};
use serde_json::json;
use std::sync::LazyLock;
use wiiiv_domain::{ExecutionId, ProjectId, Timestamp};
use wiiiv_gate::GrantKey;

/// All that the ruling rested on has to be so still: of two that come at once, the second finds what the first
/// has left.
static TAKE: LazyLock<String> = LazyLock::new(|| {
    let (stands, counts) = (granter_stands(), counts_at("$7"));
    format!(
        "INSERT INTO approval_grant_use (grant_id, execution, blueprint, digest, taken, at_seq, \
         used_at) SELECT id, $2, $3, $4, $5, $6, $7 FROM approval_grant WHERE id = $1 \
         AND project = $8 AND holder = $9 AND granter = $10 AND {counts} AND {STANDS} \
         AND {stands} AND {TAKEN} + $5 <= uses"
    )
});

/// `false`: it is used up, revoked, expired or not begun, or its giver may no longer give it.
pub(crate) async fn take(
    tx: &mut WriteTransaction,
    key: &GrantKey,
    (project, execution): (ProjectId, ExecutionId),
    now: Timestamp,
) -> Result<bool, StoreError> {
    let body = json!({
        "blueprint": key.blueprint, "digest": key.digest, "execution": execution,
        "grant": key.id, "granter": key.granter, "holder": key.holder, "taken": key.taken,
    });
    let entry = AuditEntry::new(USED, body);
    let at = tx.record(Chain::Project(project), now, entry).await?;
    let values = vec![
        key.id.uuid().into(),
        execution.uuid().into(),
        key.blueprint.uuid().into(),
        key.digest.bytes().to_vec().into(),
        i64::from(key.taken).into(),
        to_db(at)?.into(),
        now.unix_ms().into(),
        project.uuid().into(),
        key.holder.uuid().into(),
        key.granter.uuid().into(),
    ];
    Ok(execute(&tx.db, &TAKE, values).await? == 1)
}
