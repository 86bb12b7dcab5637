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

#[cfg(test)]
mod tests {
    use super::{Access, Migrator, Origin, query_all};
    use crate::config::StoreConfig;
    use sea_orm::ConnectionTrait as _;
    use wiiiv_migrations::MigratorTrait as _;

    /// Up to 0028, and there is no 0027.
    const STEPS_BEFORE: u32 = 27;
    /// Three sessions: one with turns of which the newest counts, one with none, and one with one.
    const BEFORE: &str = "PRAGMA foreign_keys = OFF;
        INSERT INTO session (id, project, owner, title, salt, created_at, standing_seq, risk_score, tainted,
            replay_from) SELECT column1, x'01', x'01', '', x'', 0, 0, 0, false, 1 FROM (VALUES (1), (2), (3));
        INSERT INTO open_turn VALUES (1, x'0a'), (1, x'0b'), (3, x'0c');";

    #[tokio::test]
    async fn turns_that_were_open_before_the_step_are_open_behind_it() {
        let db = Origin::of(&StoreConfig::memory()).unwrap().orm(Access::Write).await.unwrap();
        Migrator::up(&db, Some(STEPS_BEFORE)).await.unwrap();
        db.execute_unprepared(BEFORE).await.unwrap();
        Migrator::up(&db, None).await.unwrap();
        let sql = "SELECT COALESCE(hex(open_turn), '') FROM session ORDER BY id";
        let rows = query_all(&db, sql, Vec::new()).await.unwrap();
        let open: Vec<String> = rows.iter().map(|row| row.get(0).unwrap()).collect();
        assert_eq!(open, ["0B", "", "0C"]);
    }
}
