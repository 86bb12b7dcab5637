//! Who can write the database file, and has no key: what is taken away, moved, or put back from an
//! older copy is found at the next start, or where it would have been built on.

use crate::test_store::{
    TestStore, cheap, inspected, keys, new_id, opened, permissive, policy, store_on,
};
use sea_orm::{ConnectionTrait as _, DatabaseConnection, Statement, Value};
use std::path::Path;
use wiiiv_domain::ProjectId;
use wiiiv_store::{AuditFit, Boundary, Chain, Point, Store, StoreConfig, StoreError, Writer};

/// Another program's hand in the file, without triggers and without foreign keys.
pub struct Hand {
    db: DatabaseConnection,
    triggers: Vec<String>,
}

impl Hand {
    pub async fn on(folder: &Path) -> Self {
        let url = format!("sqlite:{}?mode=rw", folder.join("wiiiv.db").display());
        let mut one = sea_orm::ConnectOptions::new(url);
        one.max_connections(1);
        let db = sea_orm::Database::connect(one).await.unwrap();
        let triggers = "SELECT sql FROM sqlite_master WHERE type = 'trigger'";
        let mut hand = Self { db, triggers: Vec::new() };
        hand.triggers = hand.texts(triggers).await;
        hand.run("PRAGMA foreign_keys = OFF").await;
        hand.drop_triggers().await;
        hand
    }
    async fn drop_triggers(&self) {
        for name in self.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'").await {
            self.run(&format!("DROP TRIGGER {name}")).await;
        }
    }
    /// Leaves the schema as it was: that alone would give it away.
    async fn put_triggers(&self) {
        for trigger in &self.triggers {
            self.run(trigger).await;
        }
    }
    pub async fn gone(self) {
        self.put_triggers().await;
        self.db.close().await.unwrap();
    }
    pub async fn run(&self, sql: &str) {
        self.db.execute_unprepared(sql).await.unwrap();
    }
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        let asked = Statement::from_string(self.db.get_database_backend(), sql);
        let rows = self.db.query_all_raw(asked).await.unwrap();
        rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
    }
    pub async fn with(&self, sql: &str, values: Vec<Value>) -> u64 {
        let asked = Statement::from_sql_and_values(self.db.get_database_backend(), sql, values);
        self.db.execute_raw(asked).await.unwrap().rows_affected()
    }
}

/// One change, by somebody who has the file.
pub async fn by_hand(folder: &Path, sql: &str) {
    let hand = Hand::on(folder).await;
    hand.run(sql).await;
    hand.gone().await;
}

/// What `doctor` finds.
pub async fn looked(folder: &Path) -> AuditFit {
    inspected(&folder.join("wiiiv.db"), Some(&keys("07"))).await.unwrap().audit
}

/// Two projects, the second with this many records added.
async fn test(folder: &Path, records: usize) -> (TestStore, ProjectId) {
    let test = TestStore::on_disk(folder, permissive()).await;
    let other = test.store.create_project("other", test.user, policy()).await.unwrap();
    let other = other.body().document().project;
    add(&test.store, other, records).await.unwrap();
    (test, other)
}

async fn add(store: &Store, project: ProjectId, records: usize) -> Result<(), StoreError> {
    for n in 0..records {
        let boundary = Boundary::new(Point::P).entry("test.counted", serde_json::json!({ "n": n }));
        store.append(&Writer::Project(project), boundary).await?;
    }
    Ok(())
}

/// What the next start says; nothing is written by it where it says something.
async fn fault(folder: &Path) -> Option<String> {
    let store = store_on(folder).await;
    let fault = store.fault().map(ToString::to_string);
    if fault.is_some() {
        assert!(matches!(store.check_writable().await, Err(StoreError::Tampered { .. })));
    }
    fault
}

#[tokio::test]
async fn what_was_done_to_the_heads_is_found_at_the_next_start() {
    let missing = "one is missing, or an older one";
    let forged = "has not the seal of this server";
    for (done, found) in [
        ("DELETE FROM audit_head WHERE chain = '$P'", missing),
        ("DELETE FROM audit_head WHERE chain = 'heads'", missing),
        ("DELETE FROM audit_head", missing),
        ("UPDATE audit_head SET seal = NULL", forged),
        ("UPDATE audit_head SET seal = NULL WHERE chain = '$P'", forged),
        (
            "UPDATE audit_head SET chain = 'x' WHERE chain = '$P'; UPDATE audit_head SET chain = '$P' WHERE chain = '$O'; UPDATE audit_head SET chain = '$O' WHERE chain = 'x'",
            forged,
        ),
        ("UPDATE audit_head SET size = 1, checkpoint = 1 WHERE chain = 'heads'", missing),
        // As a chain of one's own.
        (
            "INSERT INTO audit_head SELECT 'ffffffff-0000-7000-8000-000000000000', size, hash, peaks, checkpoint, seal FROM audit_head WHERE chain = '$P'",
            forged,
        ),
        // Under another spelling, behind which the older head would be read.
        (
            "INSERT INTO audit_head SELECT upper(chain), size, hash, peaks, checkpoint, seal FROM audit_head WHERE chain = '$P'",
            "is no chain's name",
        ),
        (
            "INSERT INTO audit_record SELECT chain, 0, kind, at, about, hash, line, seal FROM audit_record WHERE chain = '$P' AND seq = 1",
            "a number that is none",
        ),
        (
            "INSERT INTO audit_record SELECT upper(chain), seq, kind, at, about, hash, line, seal FROM audit_record WHERE chain = '$P' AND seq = 1",
            "is no chain's name",
        ),
        ("INSERT INTO audit_checkpoint VALUES ('heads', 0, '{}')", "is no chain's name"),
        (
            "INSERT INTO audit_checkpoint SELECT chain, 0, line FROM audit_checkpoint LIMIT 1",
            "its head says",
        ),
        ("DELETE FROM audit_checkpoint", "its head says"),
        // As if an earlier build had left it.
        (
            "ALTER TABLE audit_head DROP COLUMN seal; DELETE FROM seaql_migrations WHERE version = '0018_seals'",
            forged,
        ),
        ("UPDATE policy_head SET halted = 1", "or another halt"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (test, other) = test(folder.path(), 3).await;
        test.store.checkpoint_all().await.unwrap();
        drop(test.store);
        let hand = Hand::on(folder.path()).await;
        let projects = "SELECT chain FROM audit_head WHERE chain NOT IN ('server', 'heads')";
        let ids = hand.texts(projects).await;
        let first = ids.iter().find(|id| **id != other.to_string()).unwrap();
        let done = done.replace("$P", &other.to_string()).replace("$O", first);
        hand.run(&done).await;
        hand.gone().await;
        let told = fault(folder.path()).await.unwrap_or_default();
        assert!(told.contains(found), "{done}: {told}");
        let looked = inspected(&folder.path().join("wiiiv.db"), Some(&keys("07"))).await.unwrap();
        assert!(matches!(looked.audit, AuditFit::Changed(_)), "{done}: {looked:?}");
    }
}

/// A project with all that was ever written of it.
#[tokio::test]
async fn a_chain_that_was_taken_away_whole_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let (test, other) = test(folder.path(), 1).await;
    drop(test);
    let hand = Hand::on(folder.path()).await;
    for table in ["audit_head", "audit_record", "audit_checkpoint"] {
        hand.run(&format!("DELETE FROM {table} WHERE chain = '{other}'")).await;
    }
    for table in ["member", "policy_head", "policy_version"] {
        let delete = format!("DELETE FROM {table} WHERE project = $1");
        assert!(hand.with(&delete, vec![other.uuid().into()]).await > 0);
    }
    hand.with("DELETE FROM project WHERE id = $1", vec![other.uuid().into()]).await;
    hand.gone().await;
    let told = fault(folder.path()).await.unwrap();
    assert!(told.contains("one is missing"), "{told}");
}

/// The head of one chain as it was, with the seal that it had then, and the rest as it is now.
async fn put_back(hand: &Hand, chain: ProjectId, size: usize) {
    hand.run(&format!("DELETE FROM audit_record WHERE chain = '{chain}' AND seq > {size}")).await;
    hand.run(&format!("DELETE FROM audit_checkpoint WHERE chain = '{chain}' AND size > {size}"))
        .await;
    hand.run(&format!("DELETE FROM audit_head WHERE chain = '{chain}'")).await;
    hand.run(&format!("INSERT INTO audit_head SELECT * FROM older WHERE chain = '{chain}'")).await;
}

#[tokio::test]
async fn an_older_head_of_one_chain_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (test, other) = test(folder.path(), 3).await;
    let hand = Hand::on(folder.path()).await;
    hand.run("CREATE TEMP TABLE older AS SELECT * FROM audit_head").await;
    add(&test.store, other, 2).await.unwrap();
    drop(test);
    put_back(&hand, other, 5).await;
    hand.gone().await;
    let told = fault(folder.path()).await.unwrap();
    assert!(told.contains("an older one"), "{told}");
}

/// The server stands already, and has not looked at that chain since it was started.
#[tokio::test]
async fn nothing_is_added_to_an_older_head_nor_to_a_chain_that_was_taken_away() {
    for taken_away in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let (test, other) = test(folder.path(), 3).await;
        let hand = Hand::on(folder.path()).await;
        hand.run("CREATE TEMP TABLE older AS SELECT * FROM audit_head").await;
        add(&test.store, other, 2).await.unwrap();
        // Nothing is left to be signed, so that the next start looks at no head again.
        test.store.checkpoint_all().await.unwrap();
        drop(test);
        hand.put_triggers().await;
        let store = store_on(folder.path()).await;
        assert!(store.fault().is_none());
        hand.drop_triggers().await;
        if taken_away {
            for table in ["audit_head", "audit_record", "audit_checkpoint"] {
                hand.run(&format!("DELETE FROM {table} WHERE chain = '{other}'")).await;
            }
        } else {
            put_back(&hand, other, 5).await;
        }
        let refused = add(&store, other, 1).await;
        assert!(matches!(refused, Err(StoreError::Tampered { .. })), "{refused:?}");
        let signed = store.checkpoint_now(Chain::Project(other)).await;
        assert!(matches!(signed, Err(StoreError::Tampered { .. })), "{signed:?}");
        drop(store);
        hand.gone().await;
        let told = fault(folder.path()).await.unwrap();
        assert!(told.contains("the heads of the chains") || told.contains("has no head"), "{told}");
    }
}

/// What a view shows can change from one moment to the next, and a trigger writes what nobody asked for.
#[tokio::test]
async fn the_schema_is_that_of_this_build() {
    for done in [
        "ALTER TABLE audit_record RENAME TO kept; CREATE VIEW audit_record AS SELECT * FROM kept",
        "CREATE TRIGGER own AFTER INSERT ON audit_record BEGIN DELETE FROM member; END",
        "DROP TRIGGER audit_record_no_DELETE",
        "CREATE TABLE own (a)",
        "DROP INDEX audit_record_of",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL PRIMARY KEY', 'COLLATE NOCASE NOT NULL PRIMARY KEY') WHERE name = 'audit_head'",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (test, _) = test(folder.path(), 1).await;
        drop(test);
        let url = format!("sqlite:{}?mode=rw", folder.path().join("wiiiv.db").display());
        let db = sea_orm::Database::connect(url).await.unwrap();
        db.execute_unprepared(done).await.unwrap();
        db.close().await.unwrap();
        let told = fault(folder.path()).await.unwrap_or_default();
        assert!(told.contains("is not as this build makes it"), "{done}: {told}");
    }
}

/// A job that came to nothing, or that had nothing to sign, leaves no head: the next start is sound.
#[tokio::test]
async fn a_chain_without_a_record_has_no_head() {
    let folder = tempfile::tempdir().unwrap();
    let (test, _) = test(folder.path(), 1).await;
    assert_eq!(test.store.checkpoint_now(Chain::Project(new_id())).await.unwrap(), 0);
    drop(test);
    assert_eq!(fault(folder.path()).await, None);
}

#[tokio::test]
async fn the_file_of_checkpoints_has_to_be_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("elsewhere.jsonl");
    let open = async || {
        let config = StoreConfig {
            checkpoints: Some(path.clone()),
            password_cost: cheap(),
            ..StoreConfig::file(folder.path().join("wiiiv.db"))
        };
        Store::open(config, opened().registrar, keys("07")).await
    };
    drop(open().await.unwrap());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "", "begun with the data");
    std::fs::remove_file(&path).unwrap();
    let refused = open().await.err().unwrap();
    assert!(matches!(refused, StoreError::NoCheckpoints { .. }), "{refused}");
    assert!(refused.to_string().contains("mount its disk"), "{refused}");
    std::fs::write(&path, "").unwrap();
    assert!(open().await.unwrap().fault().is_none());
    std::fs::write(&path, "{}\n").unwrap();
    assert!(open().await.unwrap().fault().is_some(), "what is no checkpoint is no proof");
}

/// Made with `touch` under a usual umask: it is closed as the data is.
#[tokio::test]
async fn the_file_of_checkpoints_is_its_owners_alone() {
    use std::{fs, fs::Permissions, os::unix::fs::PermissionsExt as _};
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("checkpoints.jsonl");
    fs::write(&path, "").unwrap();
    for mode in [0o644, 0o660, 0o400] {
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let config = StoreConfig {
            checkpoints: Some(path.clone()),
            password_cost: cheap(),
            ..StoreConfig::file(folder.path().join("wiiiv.db"))
        };
        drop(Store::open(config, opened().registrar, keys("07")).await.unwrap());
        let closed = if mode == 0o400 { 0o400 } else { 0o600 };
        let found = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, closed, "{mode:o}");
    }
}

/// Each project has one from its making: without it, digests of its texts are another project's or nobody's.
#[tokio::test]
async fn an_audit_key_that_is_gone_or_does_not_open_is_missed() {
    let of = "purpose = 'audit-key' AND scope";
    for (done, is_gone) in [
        (format!("DELETE FROM secret WHERE {of} = '$P'"), true),
        (
            format!(
                "UPDATE secret SET scope = 'x' WHERE {of} = '$P'; UPDATE secret SET scope = '$P' WHERE {of} = '$O'; UPDATE secret SET scope = '$O' WHERE {of} = 'x'"
            ),
            false,
        ),
        (format!("UPDATE secret SET sealed = randomblob(length(sealed)) WHERE {of} = '$P'"), false),
        (
            format!(
                "UPDATE secret SET sealed = (SELECT sealed FROM secret WHERE purpose = 'canary') WHERE {of} = '$P'"
            ),
            false,
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (test, other) = test(folder.path(), 1).await;
        let (first, other) = (test.project.to_string(), other.to_string());
        drop(test);
        let done = done.replace("$P", &other).replace("$O", &first);
        let hand = Hand::on(folder.path()).await;
        hand.run(&done).await;
        hand.gone().await;
        let file = folder.path().join("wiiiv.db");
        let found = inspected(&file, Some(&keys("07"))).await.unwrap().audit;
        let AuditFit::Changed(what) = &found else { panic!("{done}: {found:?}") };
        let is_named = what.contains(&other) || (!is_gone && what.contains(&first));
        assert!(what.contains("audit key") && is_named, "{done}: {what}");
        let without = inspected(&file, None).await.unwrap().audit;
        let is_missed = matches!(&without, AuditFit::Changed(what) if what.contains(&other));
        assert!(is_missed || !is_gone, "{done}: {without:?}");
    }
}

/// By a new one, whatever key is given would pass for the right one.
#[tokio::test]
async fn a_canary_that_is_gone_beside_accounts_is_not_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    drop(test(folder.path(), 0).await);
    let hand = Hand::on(folder.path()).await;
    hand.run("DELETE FROM secret WHERE purpose = 'canary'").await;
    hand.gone().await;
    for digits in ["07", "08"] {
        let config = StoreConfig::file(folder.path().join("wiiiv.db"));
        let refused = Store::open(config, opened().registrar, keys(digits)).await.err();
        let Some(StoreError::Corrupt { what }) = &refused else { panic!("{refused:?}") };
        assert!(what.contains("canary"), "{what}");
    }
    let hand = Hand::on(folder.path()).await;
    assert!(hand.texts("SELECT scope FROM secret WHERE purpose = 'canary'").await.is_empty());
    hand.gone().await;
}
