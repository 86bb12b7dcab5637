//! One step: SQL for both SQLite and PostgreSQL, and the tables that it makes append-only.

use crate::append_only;
use sea_orm_migration::{
    MigrationName, MigrationTrait, SchemaManager,
    async_trait::async_trait,
    sea_orm::{ConnectionTrait as _, DbBackend, DbErr},
};

pub(crate) struct Step {
    name: &'static str,
    sql: &'static str,
    on_sqlite: Option<&'static str>,
    on_postgres: Option<&'static str>,
    append_only: &'static [&'static str],
}

impl Step {
    pub(crate) const fn new(name: &'static str, sql: &'static str) -> Self {
        Self { name, sql, on_sqlite: None, on_postgres: None, append_only: &[] }
    }
    /// Then this, where no SQL is read by both.
    pub(crate) const fn on_sqlite(self, sql: &'static str) -> Self {
        Self { on_sqlite: Some(sql), ..self }
    }
    /// The same for the other.
    pub(crate) const fn on_postgres(self, sql: &'static str) -> Self {
        Self { on_postgres: Some(sql), ..self }
    }
    pub(crate) const fn append_only(self, tables: &'static [&'static str]) -> Self {
        Self { append_only: tables, ..self }
    }
}

impl MigrationName for Step {
    fn name(&self) -> &str {
        self.name
    }
}

#[async_trait]
impl MigrationTrait for Step {
    #[expect(elided_lifetimes_in_paths, reason = "the trait leaves this lifetime out")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared(self.sql).await?;
        let backend = manager.get_database_backend();
        let is = |of: DbBackend| backend == of;
        let on_sqlite = self.on_sqlite.filter(|_| is(DbBackend::Sqlite));
        if let Some(sql) = on_sqlite.or(self.on_postgres.filter(|_| is(DbBackend::Postgres))) {
            connection.execute_unprepared(sql).await?;
        }
        for table in self.append_only {
            let trigger = append_only::trigger(backend, table)?;
            connection.execute_unprepared(&trigger).await?;
        }
        Ok(())
    }

    /// SQLite too: a start that is cut off inside a step leaves the database as it was before it.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}
