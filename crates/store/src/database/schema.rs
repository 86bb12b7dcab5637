//! Checks that tables, indexes and triggers are those of this build. A view in place of a table
//! could change what it shows; a foreign trigger could write.

use crate::{
    config::StoreConfig,
    database::{
        connect::{Access, Origin},
        statement::{Reads, query_all},
    },
    error::StoreError,
};
use sea_orm::{ConnectionTrait, DbBackend};
use std::collections::BTreeSet;
use tokio::sync::OnceCell;
use wiiiv_migrations::{Migrator, MigratorTrait as _};

/// Of SQLite's own, kept where it thinks fit.
const INTERNAL: [&str; 3] = ["sqlite_sequence", "sqlite_stat1", "sqlite_stat4"];
/// Made by the library that takes the steps: another version of it may write it otherwise.
const STEPS: &str = "seaql_migrations";

/// Kind, name, table, and how it is made.
type Object = (String, String, String, String);

static EXPECTED: OnceCell<BTreeSet<Object>> = OnceCell::const_new();

/// Asked once every step is taken.
pub(crate) async fn prove<C: ConnectionTrait>(db: &C) -> Result<(), StoreError> {
    if db.get_database_backend() != DbBackend::Sqlite {
        return Ok(());
    }
    let expected = EXPECTED.get_or_try_init(|| fresh(None)).await?;
    compare(db, expected).await
}

/// Asked of a database that only the first steps are said to be taken in.
pub(crate) async fn prove_after<C: Reads>(db: &C, steps: u32) -> Result<(), StoreError> {
    compare(db, &fresh(Some(steps)).await?).await
}

async fn compare<C: Reads>(db: &C, expected: &BTreeSet<Object>) -> Result<(), StoreError> {
    let found = objects(db).await?;
    match found.symmetric_difference(expected).next() {
        None => Ok(()),
        Some((kind, name, ..)) => {
            let what = format!("the {kind} `{name}` of the database is not as this build makes it");
            Err(StoreError::tampered(what))
        }
    }
}

/// Of a database that nobody else has touched.
async fn fresh(steps: Option<u32>) -> Result<BTreeSet<Object>, StoreError> {
    let db = Origin::of(&StoreConfig::memory())?.orm(Access::Write).await?;
    Migrator::up(&db, steps).await?;
    let made = objects(&db).await?;
    db.close().await?;
    Ok(made)
}

async fn objects<C: Reads>(db: &C) -> Result<BTreeSet<Object>, StoreError> {
    let sql = "SELECT type, name, tbl_name, COALESCE(sql, '') FROM sqlite_master";
    let mut objects = BTreeSet::new();
    for row in query_all(db, sql, Vec::new()).await? {
        let text = |column| row.get::<String>(column);
        let (kind, name, table, made) = (text(0)?, text(1)?, text(2)?, text(3)?);
        if !INTERNAL.contains(&name.as_str()) {
            let made = if table == STEPS { String::new() } else { compared(&made) };
            objects.insert((kind, name, table, made));
        }
    }
    Ok(objects)
}

/// Versions of SQLite differ in how they write a changed table down again: spaces and quotation marks
/// mean nothing here.
fn compared(sql: &str) -> String {
    let means = |c: &char| !c.is_whitespace() && !matches!(c, '"' | '`' | '[' | ']');
    sql.chars().filter(means).collect()
}
