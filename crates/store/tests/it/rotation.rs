//! The master key is rotated while everything goes on: nothing is lost, nothing is mixed up, and at
//! its end nothing is left under the old one.

use crate::{
    profile,
    test_store::{TestStore, inspected, keys, master, now, permissive},
};
use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection};
use secrecy::{ExposeSecret as _, SecretString};
use std::{collections::BTreeMap, path::Path, time::Duration};
use uuid::Uuid;
use wiiiv_domain::{
    Authentication, BaseUrl,
    KeyHolder::{self, Project, Server, User},
    ProviderName::{self, Anthropic, Custom, OpenAi},
    Risk, Scheme, System, SystemName, Timestamp,
};
use wiiiv_store::{
    AuditFilter, Chain, KeyFit, Rotation, RotationBegun, RotationRefused, Store, StoreError,
};
use wiiiv_vault::{ApiKey, Credential, MasterKeys};
use wiiiv_verify::{Anchor, PublicKey, verify};

pub const ORIGIN: &str = "https://api.openai.com";
/// What has not happened by then never will.
const PATIENCE: Duration = Duration::from_secs(60);
const CREDENTIAL: &str = "CANARY-credential";
/// Besides the canary and the signing key.
const HOLDERS: usize = 24;
const ROUNDS: usize = 12;

pub fn key(text: &str) -> ApiKey {
    ApiKey::parse(&SecretString::from(text)).unwrap()
}

pub async fn read(store: &Store, holder: KeyHolder, provider: ProviderName) -> Option<String> {
    let opened = store.open_model_key(holder, provider).await.unwrap();
    opened.map(|key| key.secret.expose_secret().to_owned())
}

/// The newest rotation, when it has ended.
pub async fn ended(store: &Store) -> Rotation {
    let end = tokio::time::Instant::now() + PATIENCE;
    loop {
        let rotation = store.master_key_rotation().await.unwrap().rotation.unwrap();
        if rotation.finished_at.is_some() {
            return rotation;
        }
        assert!(tokio::time::Instant::now() < end, "{rotation:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn intruder(folder: &Path) -> DatabaseConnection {
    let url = format!("sqlite:{}?mode=rw", folder.join("wiiiv.db").display());
    Database::connect(url).await.unwrap()
}

/// Of every sealed value, as it lies in the file.
pub async fn versions(folder: &Path) -> BTreeMap<u32, u64> {
    let db = intruder(folder).await;
    let mut versions = BTreeMap::new();
    let places = [
        ("secret", "sealed"),
        ("model_key", "sealed"),
        ("system", "credential"),
        ("profile", "sealed"),
    ];
    for (table, column) in places {
        let sql = format!("SELECT {column} AS sealed FROM {table} WHERE {column} IS NOT NULL");
        let asked = sea_orm::Statement::from_string(db.get_database_backend(), sql);
        for row in db.query_all_raw(asked).await.unwrap() {
            let sealed: Vec<u8> = row.try_get("", "sealed").unwrap();
            let version = u32::from_be_bytes(sealed[1..5].try_into().unwrap());
            *versions.entry(version).or_default() += 1;
        }
    }
    versions
}

fn shop() -> System {
    System {
        version: System::VERSION,
        name: SystemName::parse("shop").unwrap(),
        aliases: Vec::new(),
        base_url: BaseUrl {
            scheme: Scheme::Http,
            host: "127.0.0.1".into(),
            port: Some(9),
            segments: Vec::new(),
        },
        operations: Vec::new(),
        authentication: Authentication::Basic,
        any_path: false,
        risk: Risk::Medium,
    }
}

impl TestStore {
    async fn set_key(&self, holder: KeyHolder, provider: ProviderName, secret: &str) {
        let row = self.store.model_key(holder, provider).await.unwrap();
        let expected = row.map(|row| row.revision);
        let given = (key(secret), ORIGIN.to_owned());
        self.store.set_model_key(self.user, (holder, provider), given, expected).await.unwrap();
    }
    /// A key of each kind of holder, a system's credential, and a profile.
    async fn furnished(self) -> Self {
        self.set_key(Server, OpenAi, "sk-of-the-server").await;
        self.set_key(Project(self.project), Anthropic, "sk-of-the-project").await;
        self.set_key(User(self.user), Custom, "sk-of-the-person").await;
        let row = self.store.save_system(self.user, self.project, shop(), None).await.unwrap();
        let given = Credential::new("ann".into(), CREDENTIAL.into()).unwrap();
        let name = row.system.name;
        let set =
            self.store.set_credential(self.user, self.project, &name, Some(given), row.revision);
        set.await.unwrap();
        profile::tell(&self, &self.principal().await, "age", "35").await;
        self
    }
    async fn is_whole(&self) {
        let store = &self.store;
        assert_eq!(read(store, Server, OpenAi).await.unwrap(), "sk-of-the-server");
        let ours = read(store, Project(self.project), Anthropic).await;
        assert_eq!(ours.unwrap(), "sk-of-the-project");
        assert_eq!(read(store, User(self.user), Custom).await.unwrap(), "sk-of-the-person");
        let (credential, _) = store.credential(self.project, &shop().name).await.unwrap().unwrap();
        assert_eq!(credential.secret().expose_secret(), CREDENTIAL);
        let told = profile::current(self, &self.principal().await).await.unwrap();
        assert_eq!(profile::values(&told, "age"), ["35"]);
    }
    async fn rotate(&self, digits: &str) -> Result<RotationBegun, RotationRefused> {
        self.store.rotate_master_key(self.user, Some(master(digits))).await
    }
    async fn said_of_it(&self) -> Vec<String> {
        let rows = self.store.audit_search(Chain::Server, &AuditFilter::default()).await.unwrap();
        let about = rows.into_iter().rev().filter(|row| row.kind.starts_with("master_key."));
        about.map(|row| row.kind).collect()
    }
}

fn both(old: &str, new: &str) -> MasterKeys {
    keys(old).with_next(master(new))
}

async fn refused(test: &TestStore, folder: &Path, keys: MasterKeys) -> String {
    match test.reopened_with(folder, keys).await {
        Err(StoreError::Key(why)) => why,
        other => panic!("{other:?}", other = other.map(drop)),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_moves_and_the_old_key_is_neither_needed_nor_enough() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await.furnished().await;
    let (public, digest) =
        (test.store.audit_public_key(), test.store.hmac(test.project, b"x").await.unwrap());
    let before = versions(folder.path()).await;
    assert_eq!(before.keys().copied().collect::<Vec<_>>(), [1]);
    assert_eq!(test.rotate("08").await.unwrap(), RotationBegun::Going);
    let rotation = ended(&test.store).await;
    test.is_whole().await;
    assert_eq!(versions(folder.path()).await, BTreeMap::from([(2, before[&1])]));
    assert_eq!((rotation.from, rotation.to, rotation.started_by), (1, 2, test.user));
    assert!(rotation.tables.iter().all(|table| table.left == 0 && table.done > 0), "{rotation:?}");
    assert_eq!(test.said_of_it().await, ["master_key.rotation_started", "master_key.rotated"]);
    // What comes after it is under the new one, and the signing key is what it was.
    test.store.create_project("more", test.user, permissive()).await.unwrap();
    assert_eq!(test.store.audit_public_key(), public);
    assert_eq!(test.rotate("08").await.unwrap(), RotationBegun::Over);
    assert!(matches!(test.rotate("07").await, Err(RotationRefused::Former { version: 1 })));

    let again = test.reopened_with(folder.path(), keys("08")).await.unwrap();
    drop(test);
    again.is_whole().await;
    assert_eq!(again.store.audit_public_key(), public);
    assert_eq!(again.store.hmac(again.project, b"x").await.unwrap(), digest);
    let why = refused(&again, folder.path(), keys("07")).await;
    assert!(why.contains("was rotated away from") && why.contains("the right key"), "{why}");
    // A start between the end and the putting away of the old one.
    again.reopened_with(folder.path(), both("07", "08")).await.unwrap().is_whole().await;
    let file = folder.path().join("wiiiv.db");
    let fit = async |keys: MasterKeys| inspected(&file, Some(&keys)).await.unwrap().key;
    assert_eq!(fit(both("07", "08")).await, KeyFit::Outlived { version: 1 });
    assert_eq!(fit(both("08", "09")).await, KeyFit::NextWaits);
    assert_eq!(fit(keys("08")).await, KeyFit::Fits);
    assert!(matches!(fit(keys("07")).await, KeyFit::Wrong(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_certificate_is_a_record_under_a_signed_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await.furnished().await;
    test.rotate("08").await.unwrap();
    let certificate = ended(&test.store).await.certificate.unwrap();
    assert_eq!((&certificate["from"], &certificate["to"]), (&1.into(), &2.into()));
    assert_eq!((&certificate["left"], &certificate["sealed"]["model_key"]), (&0.into(), &3.into()));
    let filter = AuditFilter { kind: Some("master_key.rotated".into()), ..AuditFilter::default() };
    let rows = test.store.audit_search(Chain::Server, &filter).await.unwrap();
    assert_eq!(certificate["record"], rows[0].seq.to_string());
    assert_eq!(rows[0].body["sealed"], certificate["sealed"]);
    // By the verifier that shares no code with the store.
    let mut export = std::io::Cursor::new(Vec::new());
    test.store.export_audit(Chain::Server, &mut export).await.unwrap();
    let export = export.into_inner();
    let public = PublicKey::parse(&test.store.audit_public_key()).unwrap();
    let checkpoint = certificate["checkpoint"].to_string();
    let anchor = Anchor::read(checkpoint.as_bytes(), Some(&public)).unwrap();
    let report = verify(export.as_slice(), Some(&public), Some(&anchor)).unwrap();
    assert!(report.records >= rows[0].seq);
    let text = format!("{certificate}{}", String::from_utf8_lossy(&export));
    for canary in ["0707070707", "0808080808", "CANARY", "sk-of-the"] {
        assert!(!text.contains(canary), "{canary}");
    }
}

#[tokio::test]
async fn what_is_not_fit_to_be_the_next_key_is_refused_and_changes_nothing() {
    let test = TestStore::memory(permissive()).await.furnished().await;
    let none = test.store.rotate_master_key(test.user, None).await;
    assert!(matches!(none, Err(RotationRefused::NoNextKey)));
    assert!(matches!(test.rotate("07").await, Err(RotationRefused::SameKey)));
    let status = test.store.master_key_rotation().await.unwrap();
    assert_eq!((status.version, status.rotation), (1, None));
    assert!(test.said_of_it().await.is_empty());
    test.rotate("08").await.unwrap();
    assert_eq!(ended(&test.store).await.to, 2);
    test.rotate("09").await.unwrap();
    assert_eq!(ended(&test.store).await.to, 3);
    test.is_whole().await;
}

/// One writer a holder sets and removes, one reader opens all of them, and the key moves under them.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_writes_meanwhile_goes_before_and_whoever_reads_finds_it() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await.furnished().await;
    let holders: Vec<KeyHolder> = (0..HOLDERS).map(|_| User(Uuid::now_v7().into())).collect();
    for holder in &holders {
        test.set_key(*holder, OpenAi, "sk-before-0000").await;
    }
    let mut writers = tokio::task::JoinSet::new();
    for holder in holders.iter().copied().step_by(2) {
        let test = test.clone();
        writers.spawn(async move {
            for round in 0..ROUNDS {
                test.set_key(holder, OpenAi, &format!("sk-meanwhile-{round:04}")).await;
                if round % 4 == 3 {
                    let row = test.store.model_key(holder, OpenAi).await.unwrap().unwrap();
                    let at = (holder, OpenAi);
                    test.store.remove_model_key(test.user, at, row.revision).await.unwrap();
                    assert_eq!(read(&test.store, holder, OpenAi).await, None);
                }
            }
            test.set_key(holder, OpenAi, &format!("sk-last-{holder}")).await;
        });
    }
    let (looking, seen) = (test.clone(), holders.clone());
    let reader = tokio::spawn(async move {
        let mut reads = 0;
        loop {
            for holder in &seen {
                read(&looking.store, *holder, OpenAi).await;
                reads += 1;
            }
            looking.is_whole().await;
            let rotation = looking.store.master_key_rotation().await.unwrap().rotation;
            if rotation.is_some_and(|rotation| rotation.to == 4 && rotation.finished_at.is_some()) {
                return reads;
            }
        }
    });
    for (digits, to) in [("08", 2), ("09", 3), ("0a", 4)] {
        test.rotate(digits).await.unwrap();
        assert_eq!(ended(&test.store).await.to, to);
    }
    writers.join_all().await;
    assert!(reader.await.unwrap() > HOLDERS);
    for (nth, holder) in holders.iter().enumerate() {
        let due =
            if nth % 2 == 0 { format!("sk-last-{holder}") } else { "sk-before-0000".to_owned() };
        assert_eq!(read(&test.store, *holder, OpenAi).await, Some(due));
    }
    let again = test.reopened_with(folder.path(), keys("0a")).await.unwrap();
    again.is_whole().await;
    assert_eq!(versions(folder.path()).await.into_keys().collect::<Vec<_>>(), [4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_does_not_open_is_named_and_never_made_to_open() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await.furnished().await;
    let (mine, other) = (User(test.user), User(Uuid::now_v7().into()));
    test.set_key(other, Custom, "sk-of-another").await;
    let db = intruder(folder.path()).await;
    let copy = format!(
        "UPDATE model_key SET sealed = (SELECT sealed FROM model_key WHERE holder = '{mine}') \
         WHERE holder = '{other}'"
    );
    assert_eq!(db.execute_unprepared(&copy).await.unwrap().rows_affected(), 1);
    test.rotate("08").await.unwrap();
    let named = format!("model_key {other} CUSTOM");
    let end = tokio::time::Instant::now() + PATIENCE;
    let rotation = loop {
        let rotation = test.store.master_key_rotation().await.unwrap().rotation.unwrap();
        if rotation.tables.iter().map(|table| table.left).sum::<u64>() == 1 {
            break rotation;
        }
        assert!(tokio::time::Instant::now() < end, "{rotation:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    assert_eq!(rotation.unreadable, [named]);
    assert_eq!(rotation.finished_at, None::<Timestamp>);
    assert!(matches!(test.store.open_model_key(other, Custom).await, Err(StoreError::Key(_))));
    // Until it has ended, a start needs both.
    let why = refused(&test, folder.path(), keys("07")).await;
    assert!(why.contains("only version `1` was given"), "{why}");
    let why = refused(&test, folder.path(), keys("08")).await;
    assert!(why.contains("version `1` was not given"), "{why}");
    let file = folder.path().join("wiiiv.db");
    let look = inspected(&file, Some(&both("07", "08"))).await.unwrap();
    assert_eq!(look.key, KeyFit::Rotating { from: 1, to: 2, left: 1 });

    test.set_key(other, Custom, "sk-set-again").await;
    assert_eq!(test.rotate("08").await.unwrap(), RotationBegun::Going);
    ended(&test.store).await;
    assert_eq!(read(&test.store, other, Custom).await.unwrap(), "sk-set-again");
    test.is_whole().await;
    assert!(now() >= rotation.started_at);
}
