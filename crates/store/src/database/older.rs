//! Of texts that are kept in versions: which of them are from before a time.

use super::{
    number::{from_db, to_db},
    statement::{Reads, query},
};
use crate::error::StoreError;
use sea_orm::Value;
use wiiiv_domain::Timestamp;

/// The newest version before this one that is from before the time, if there is one; 0: there is none. `whose`: what the
/// rows are found by, from `$3` on.
pub(crate) async fn older_than<C: Reads>(
    db: &C,
    (table, whose, of): (&str, &str, Vec<Value>),
    (version, before): (u64, Option<Timestamp>),
) -> Result<u64, StoreError> {
    let Some(before) = before else { return Ok(version.saturating_sub(1)) };
    let sql =
        format!("SELECT MAX(version) FROM {table} WHERE version < $1 AND at < $2 AND {whose}");
    let mut values: Vec<Value> = vec![to_db(version)?.into(), before.unix_ms().into()];
    values.extend(of);
    let found = query(db, &sql, values).await?.ok_or_else(StoreError::given_up)?;
    Ok(found.get::<Option<i64>>(0)?.map_or(0, from_db))
}
