//! What was answered is there after a restart, and only for the right master key.

use crate::test_store::{
    TestStore, accepted, inspected, keys, new_id, now, opened, permissive, policy,
};
use wiiiv_store::{
    ApprovalState, Boundary, IdempotencyStart, KeyFit, Point, Store, StoreConfig, StoreError,
};

#[tokio::test]
async fn an_approval_survives_and_is_used_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let before = TestStore::on_disk(folder.path(), policy()).await;
    let (plan, id) = before.approved_plan().await;
    let turn = new_id();
    let boundary = Boundary::new(Point::T0).event(accepted(turn, before.user));
    before.store.append(&before.writer(), boundary).await.unwrap();
    let key = before.store.audit_public_key();
    let hmac = before.store.hmac(before.project, b"x").await.unwrap();

    let test = before.reopened(folder.path()).await.unwrap();
    drop(before);
    assert_eq!(test.store.audit_public_key(), key);
    assert_eq!(test.store.hmac(test.project, b"x").await.unwrap(), hmac);
    assert_eq!(test.store.open_sessions().await.unwrap(), [test.session]);
    assert_eq!(test.store.journal(test.session, 1).await.unwrap()[0].1.turn, turn);
    let stored = test.store.blueprint(plan.id).await.unwrap().unwrap();
    assert_eq!(stored.blueprint, plan);
    assert_eq!(stored.canonical, wiiiv_domain::canonical(&plan).unwrap());

    let evidence = test.store.evidence(&plan, now()).await.unwrap();
    assert_eq!(evidence.approvals.len(), 1);
    let (claim, ruled) = test.rule(&plan).await;
    let (done, _) =
        test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap();
    assert!(ruled.seal(done).is_ok());
    let row = test.store.approval(id).await.unwrap().unwrap();
    assert_eq!(row.state, ApprovalState::Consumed);
}

#[tokio::test]
async fn another_master_key_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let config = StoreConfig::file(folder.path().join("wiiiv.db"));
    let wrong = Store::open(config, opened().registrar, keys("08")).await.unwrap_err();
    assert!(matches!(wrong, StoreError::Key(_)), "{wrong}");
    assert!(wrong.to_string().contains("start again with the right key"), "{wrong}");
    assert!(test.reopened(folder.path()).await.is_ok());
}

fn files(folder: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let read = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    let mut files: Vec<_> = entries.map(read).collect();
    files.sort();
    files
}

#[tokio::test]
async fn a_look_tries_the_key_and_changes_nothing() {
    use sea_orm::ConnectionTrait as _;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wiiiv.db");
    assert!(inspected(&file, None).await.is_err() && !file.exists());
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (right, wrong) = (keys("07"), keys("08"));
    let open = inspected(&file, Some(&right)).await.unwrap();
    assert_eq!((open.key, open.pending.len()), (KeyFit::Fits, 0), "while it is open elsewhere");

    let away = tempfile::tempdir().unwrap();
    let copy = away.path().join("wiiiv.db");
    let url = format!("sqlite:{}?mode=rw", file.display());
    let db = sea_orm::Database::connect(url).await.unwrap();
    let into = format!("VACUUM INTO '{}'", copy.display());
    db.execute_unprepared(&into).await.unwrap();
    drop(test);
    let before = files(away.path());
    let look = async |keys| inspected(&copy, keys).await.unwrap();
    assert_eq!(look(Some(&right)).await.key, KeyFit::Fits);
    assert_eq!(look(None).await.key, KeyFit::NotTried);
    let refused = look(Some(&wrong)).await.key;
    assert!(matches!(&refused, KeyFit::Wrong(why) if why.contains("right key")), "{refused:?}");
    assert_eq!(files(away.path()), before, "nothing is changed and nothing is made");
}

/// However long the chain and the journal have grown: SQLite takes the index by itself.
#[tokio::test]
async fn what_is_asked_of_one_thing_walks_neither_chain_nor_journal() {
    use sea_orm::{ConnectionTrait as _, Statement};
    let folder = tempfile::tempdir().unwrap();
    let _world = TestStore::on_disk(folder.path(), permissive()).await;
    let url = format!("sqlite:{}?mode=rw", folder.path().join("wiiiv.db").display());
    let db = sea_orm::Database::connect(url).await.unwrap();
    for (asked, index) in [
        (
            "audit_record WHERE chain = 'c' AND about = x'07' ORDER BY seq DESC LIMIT 9",
            "audit_record_of",
        ),
        ("session_event WHERE session = x'07' AND opens = x'08' LIMIT 1", "session_event_opens"),
    ] {
        let sql = format!("EXPLAIN QUERY PLAN SELECT * FROM {asked}");
        let asked = Statement::from_string(db.get_database_backend(), sql);
        let plan = db.query_all_raw(asked).await.unwrap();
        let steps: Vec<String> =
            plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(steps.len() == 1 && steps[0].contains(index), "{steps:?}");
    }
}

#[tokio::test]
async fn a_look_names_the_steps_that_are_missing_and_those_of_a_later_build() {
    use sea_orm::ConnectionTrait as _;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wiiiv.db");
    let url = format!("sqlite:{}?mode=rwc", file.display());
    let db = sea_orm::Database::connect(url).await.unwrap();
    let table = "CREATE TABLE seaql_migrations (version TEXT, applied_at BIGINT);
        INSERT INTO seaql_migrations VALUES ('0001_accounts', 1), ('9999_newer', 1)";
    db.execute_unprepared(table).await.unwrap();
    db.close().await.unwrap();
    let found = inspected(&file, None).await.unwrap();
    assert_eq!(found.key, KeyFit::NothingSealed);
    assert_eq!(found.unknown, ["9999_newer"]);
    assert_eq!(found.pending.first().map(String::as_str), Some("0002_projects"));
}

#[tokio::test]
async fn opinions_come_back_as_evidence() {
    let test = TestStore::memory(permissive()).await;
    let plan = test.plan().await;
    let spec = plan.spec_snapshot.spec.digest().unwrap();
    let answers = br#"{"opinions":[{"persona":"architect","vote":"APPROVE","concerns":[],"reason":"fine by me"}]}"#;
    let opinions = wiiiv_gate::dacs::parse(spec, answers).unwrap();
    let boundary = Boundary::new(Point::E);
    let (fresh, _) = test.store.record_opinions(&test.writer(), boundary, opinions).await.unwrap();
    let evidence = test.store.evidence(&plan, now()).await.unwrap();
    let again = evidence.deliberation.unwrap();
    assert_eq!(again.at(), fresh.at());
    assert_eq!(again.body(), fresh.body());
}

#[tokio::test]
async fn a_kept_answer_survives_and_an_unfinished_one_may_be_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let begin = |store: Store, key: &'static str, body: &'static [u8]| async move {
        store.idempotency_begin(test.user, key, body).await.unwrap()
    };
    let store = test.store.clone();
    assert_eq!(begin(store.clone(), "a", b"x").await, IdempotencyStart::Fresh);
    assert_eq!(begin(store.clone(), "a", b"x").await, IdempotencyStart::InFlight);
    assert_eq!(begin(store.clone(), "a", b"y").await, IdempotencyStart::OtherRequest);
    store.idempotency_finish(test.user, "a", 201, b"made".to_vec()).await.unwrap();
    let answered = IdempotencyStart::Answered { status: 201, response: b"made".to_vec() };
    assert_eq!(begin(store.clone(), "a", b"x").await, answered);
    assert_eq!(begin(store.clone(), "b", b"x").await, IdempotencyStart::Fresh);
    store.idempotency_forget(test.user, "b").await.unwrap();
    assert_eq!(begin(store.clone(), "b", b"x").await, IdempotencyStart::Fresh);

    let store = test.reopened(folder.path()).await.unwrap().store;
    assert_eq!(begin(store.clone(), "a", b"x").await, answered);
    assert_eq!(begin(store, "b", b"x").await, IdempotencyStart::Fresh);
}

/// The attack: a copy of the database, and guesses of the password in a kept request's body.
#[tokio::test]
async fn guesses_of_a_body_do_not_fit_what_is_kept_of_a_request() {
    use sea_orm::ConnectionTrait as _;
    use sha2::{Digest as _, Sha256};
    let body = b"POST /users\0{\"name\":\"lee\"}";
    let mut kept = Vec::new();
    for _ in 0..2 {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        test.store.idempotency_begin(test.user, "k", body).await.unwrap();
        let url = format!("sqlite:{}?mode=ro", folder.path().join("wiiiv.db").display());
        let db = sea_orm::Database::connect(url).await.unwrap();
        let row = db.query_one_raw(sea_orm::Statement::from_string(
            sea_orm::DatabaseBackend::Sqlite,
            "SELECT request FROM idempotency",
        ));
        kept.push(row.await.unwrap().unwrap().try_get_by_index::<Vec<u8>>(0).unwrap());
    }
    assert_ne!(kept[0], Sha256::digest(body).to_vec());
    assert_ne!(kept[0], kept[1], "each server has a key of its own");
}

#[tokio::test]
async fn a_database_of_a_newer_build_is_refused_by_the_step_s_name() {
    use sea_orm::ConnectionTrait as _;
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let url = format!("sqlite:{}?mode=rw", folder.path().join("wiiiv.db").display());
    let db = sea_orm::Database::connect(url).await.unwrap();
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('9999_newer', 1)";
    db.execute_unprepared(newer).await.unwrap();
    let refused = test.reopened(folder.path()).await.err().unwrap();
    assert!(refused.to_string().contains("9999_newer"), "{refused}");
}
