//! Raw statements of the hot path, through sea-orm's connection. `$1` reads the same on SQLite
//! and PostgreSQL.

use crate::error::StoreError;
use sea_orm::{ConnectionTrait, EntityTrait, QueryResult, Select, Statement, Value};

fn statement<C: ConnectionTrait>(db: &C, sql: &str, values: Vec<Value>) -> Statement {
    Statement::from_sql_and_values(db.get_database_backend(), sql, values)
}

/// How many rows it changed.
pub(crate) async fn execute<C: ConnectionTrait>(
    db: &C,
    sql: &str,
    values: Vec<Value>,
) -> Result<u64, StoreError> {
    Ok(db.execute_raw(statement(db, sql, values)).await?.rows_affected())
}

pub(crate) async fn query<C: ConnectionTrait>(
    db: &C,
    sql: &str,
    values: Vec<Value>,
) -> Result<Option<QueryResult>, StoreError> {
    Ok(db.query_one_raw(statement(db, sql, values)).await?)
}

pub(crate) async fn query_all<C: ConnectionTrait>(
    db: &C,
    sql: &str,
    values: Vec<Value>,
) -> Result<Vec<QueryResult>, StoreError> {
    Ok(db.query_all_raw(statement(db, sql, values)).await?)
}

/// The only row that a selection by a whole key can give.
///
/// The ORM's `one` binds `LIMIT ?`: where SQLite was built without `SQLITE_ENABLE_QPSG`, it parses
/// such a statement again at every execution.
pub(crate) async fn only<E: EntityTrait, C: ConnectionTrait>(
    select: Select<E>,
    db: &C,
) -> Result<Option<E::Model>, StoreError> {
    Ok(select.all(db).await?.pop())
}

/// `($1,$2),($3,$4)`: one multi-row insert instead of many.
pub(crate) fn rows(count: usize, columns: usize) -> String {
    let row = |r: usize| {
        let cells: Vec<String> = (1..=columns).map(|c| format!("${}", r * columns + c)).collect();
        format!("({})", cells.join(","))
    };
    (0..count).map(row).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn placeholders_run_on_from_row_to_row() {
        assert_eq!(rows(2, 3), "($1,$2,$3),($4,$5,$6)");
    }
}
