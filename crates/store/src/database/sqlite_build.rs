//! Compile-time options of SQLite that the cost of a turn depends on. `.cargo/config.toml` sets
//! them; a build without them works and is slower.

use crate::{database::statement::query_all, error::StoreError};
use sea_orm::{ConnectionTrait, DbBackend};

/// SQLite keeps a prepared statement whatever is bound to it. Without it, a statement with a bound
/// `LIMIT` is parsed again at every execution.
const STABLE_PLANS: &str = "ENABLE_QPSG";
/// A commit synchronises the data of its file, not its times. SQLite does not report this option,
/// so what the build was given is looked at.
const FDATASYNC: &str = "HAVE_FDATASYNC";
/// What this crate was built beside.
const FLAGS: Option<&str> = option_env!("LIBSQLITE3_FLAGS");

/// The options that this build lacks; another database has none of them.
pub(crate) async fn missing<C: ConnectionTrait>(db: &C) -> Result<Vec<&'static str>, StoreError> {
    if db.get_database_backend() != DbBackend::Sqlite {
        return Ok(Vec::new());
    }
    let mut reported: Vec<String> = Vec::new();
    for row in query_all(db, "PRAGMA compile_options", Vec::new()).await? {
        reported.push(row.get(0)?);
    }
    let has_plans = reported.iter().any(|option| option == STABLE_PLANS);
    let has_fdatasync = FLAGS.is_some_and(|flags| flags.contains(FDATASYNC));
    let all = [(STABLE_PLANS, has_plans), (FDATASYNC, has_fdatasync)];
    Ok(all.into_iter().filter(|(_, has)| !has).map(|(name, _)| name).collect())
}

#[cfg(test)]
mod tests {
    use super::missing;
    use sea_orm::Database;

    #[tokio::test]
    async fn a_build_in_this_repository_lacks_nothing() {
        let db = Database::connect("sqlite::memory:").await.unwrap();
        assert_eq!(missing(&db).await.unwrap(), Vec::<&str>::new());
    }
}
