//! Append-only tables: triggers refuse to change or delete their rows.

use sea_orm_migration::sea_orm::{DatabaseBackend, DbErr};

pub(crate) fn trigger(backend: DatabaseBackend, table: &str) -> Result<String, DbErr> {
    if backend == DatabaseBackend::Sqlite {
        return Ok(["UPDATE", "DELETE"].map(|verb| sqlite(table, verb)).concat());
    }
    if backend == DatabaseBackend::Postgres {
        return Ok(postgres(table));
    }
    Err(DbErr::Migration(format!("`{backend:?}` is no database of this product")))
}

fn sqlite(table: &str, verb: &str) -> String {
    format!(
        "CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} \
         BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;\n"
    )
}

fn postgres(table: &str) -> String {
    format!(
        "CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;\n\
         CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} \
         FOR EACH ROW EXECUTE FUNCTION append_only();\n"
    )
}
