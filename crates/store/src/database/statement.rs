//! Raw statements of the hot path. `$1` reads the same on SQLite and PostgreSQL; the places of multi-row
//! inserts are SQLite's (ADR 0032).

use crate::{
    database::{entity_row, record_seals::RecordSeals},
    error::StoreError,
};
use rusqlite::types::{FromSql, Value as Cell};
use sea_orm::{
    ConnectionTrait, DbBackend, EntityTrait, FromQueryResult as _, QueryResult, QueryTrait, Select,
    Statement, TryGetable, TryIntoModel, Value,
};

/// What a raw statement is read by: a connection of the ORM, or one whose statements run at once, on
/// the thread that asks.
pub(crate) trait Reads: Sync {
    fn query_all(
        &self,
        sql: &str,
        values: Vec<Value>,
    ) -> impl Future<Output = Result<Vec<Row>, StoreError>> + Send;

    /// What seals the records of the audit that are read by this connection. `None`: whoever reads walks
    /// their chain, as the start and `doctor` do, or shows a record as it stands.
    fn seals(&self) -> Option<&RecordSeals> {
        None
    }
}

/// A connection that may write.
pub(crate) trait Writes: Reads {
    /// How many rows it changed.
    fn execute(
        &self,
        sql: &str,
        values: Vec<Value>,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
}

impl<C: ConnectionTrait> Reads for C {
    async fn query_all(&self, sql: &str, values: Vec<Value>) -> Result<Vec<Row>, StoreError> {
        let rows = self.query_all_raw(statement(self, sql, values)).await?;
        Ok(rows.into_iter().map(Row::Orm).collect())
    }
}

impl<C: ConnectionTrait> Writes for C {
    async fn execute(&self, sql: &str, values: Vec<Value>) -> Result<u64, StoreError> {
        Ok(self.execute_raw(statement(self, sql, values)).await?.rows_affected())
    }
}

/// The ORM's connection for reads that may be long, asking records for their seals.
pub(crate) struct Sealed<'s, C> {
    pub(crate) db: C,
    pub(crate) seals: &'s RecordSeals,
}

impl<C: ConnectionTrait> Reads for Sealed<'_, C> {
    async fn query_all(&self, sql: &str, values: Vec<Value>) -> Result<Vec<Row>, StoreError> {
        Reads::query_all(&self.db, sql, values).await
    }

    fn seals(&self) -> Option<&RecordSeals> {
        Some(self.seals)
    }
}

fn statement<C: ConnectionTrait>(db: &C, sql: &str, values: Vec<Value>) -> Statement {
    Statement::from_sql_and_values(db.get_database_backend(), sql, values)
}

#[derive(Debug)]
pub(crate) enum Row {
    Orm(QueryResult),
    Direct(Vec<Cell>),
}

impl Row {
    /// Of the column at this place, from 0.
    pub(crate) fn get<T: TryGetable + FromSql>(&self, column: usize) -> Result<T, StoreError> {
        match self {
            Self::Orm(row) => Ok(row.try_get_by_index(column)?),
            Self::Direct(cells) => {
                let cell = cells.get(column).ok_or_else(|| unreadable(column))?;
                T::column_result(cell.into()).map_err(|_| unreadable(column))
            }
        }
    }

    /// Whose columns begin at this place, in the entity's order.
    pub(crate) fn model<E: EntityTrait>(&self, from: usize) -> Result<E::Model, StoreError>
    where
        E::ActiveModel: TryIntoModel<E::Model>,
    {
        match self {
            Self::Orm(row) => Ok(E::Model::from_query_result(row, "")?),
            Self::Direct(cells) => entity_row::model::<E>(cells.iter().skip(from)),
        }
    }
}

fn unreadable(column: usize) -> StoreError {
    StoreError::corrupt(format!("an unreadable value (column {column} of what was found)"))
}

/// How many rows it changed.
pub(crate) async fn execute<C: Writes>(
    db: &C,
    sql: &str,
    values: Vec<Value>,
) -> Result<u64, StoreError> {
    db.execute(sql, values).await
}

/// A statement that the ORM builds; how many rows it changed.
pub(crate) async fn run<C: Writes>(db: &C, statement: &impl QueryTrait) -> Result<u64, StoreError> {
    let Statement { sql, values, .. } = statement.build(DbBackend::Sqlite);
    db.execute(&sql, values.map(|values| values.0).unwrap_or_default()).await
}

/// The first row.
pub(crate) async fn query<C: Reads>(
    db: &C,
    sql: &str,
    values: Vec<Value>,
) -> Result<Option<Row>, StoreError> {
    Ok(db.query_all(sql, values).await?.into_iter().next())
}

pub(crate) async fn query_all<C: Reads>(
    db: &C,
    sql: &str,
    values: Vec<Value>,
) -> Result<Vec<Row>, StoreError> {
    db.query_all(sql, values).await
}

/// Rows of the ORM's connection, for what is read by the names of columns.
pub(crate) async fn named_rows<C: ConnectionTrait>(
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
pub(crate) async fn only<E: EntityTrait, C: Reads>(
    select: Select<E>,
    db: &C,
) -> Result<Option<E::Model>, StoreError>
where
    E::ActiveModel: TryIntoModel<E::Model>,
{
    Ok(models(select, db).await?.pop())
}

/// All rows of a selection. One that cannot be read back is told with its table.
pub(crate) async fn models<E: EntityTrait, C: Reads>(
    select: Select<E>,
    db: &C,
) -> Result<Vec<E::Model>, StoreError>
where
    E::ActiveModel: TryIntoModel<E::Model>,
{
    let Statement { sql, values, .. } = select.build(DbBackend::Sqlite);
    let rows = db.query_all(&sql, values.map(|values| values.0).unwrap_or_default()).await?;
    let models: Result<Vec<_>, StoreError> = rows.iter().map(|row| row.model::<E>(0)).collect();
    models.map_err(|error| error.within(|| format!("the table `{}`", E::default().table_name())))
}

/// Rows of one multi-row insert: a statement of each length stays prepared.
pub(crate) const INSERT_ROWS_MAX: usize = 32;

/// `(?,?),(?,?)`: one multi-row insert instead of many. Places without names: a named one is looked up among
/// all others at each execution.
pub(crate) fn rows(count: usize, columns: usize) -> String {
    let row = format!("({})", vec!["?"; columns].join(","));
    vec![row.as_str(); count].join(",")
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn a_row_has_a_place_for_each_column() {
        assert_eq!(rows(2, 3), "(?,?,?),(?,?,?)");
    }
}
