//! Keys of model providers: who holds them, what they are sealed for, what is told of them.

use crate::test_store::{TestStore, permissive};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sea_orm::{ConnectionTrait as _, Database};
use secrecy::{ExposeSecret as _, SecretString};
use wiiiv_domain::{
    KeyHolder::{Project, Server, User},
    KeyVerdict,
    ProviderName::{self, Anthropic, Custom, OpenAi},
};
use wiiiv_store::{AuditFilter, Chain, ModelKeyRefused, ModelKeyRow, StoreError};
use wiiiv_vault::ApiKey;

const SECRET: &str = "sk-CANARY-6f1d0c0ffee";
const ORIGIN: &str = "https://api.openai.com";

fn key() -> ApiKey {
    ApiKey::parse(&SecretString::from(SECRET)).unwrap()
}

impl TestStore {
    async fn give_key(
        &self,
        holder: wiiiv_domain::KeyHolder,
        provider: ProviderName,
        expected: Option<u64>,
    ) -> Result<ModelKeyRow, ModelKeyRefused> {
        let given = (key(), ORIGIN.to_owned());
        self.store.set_model_key(self.user, (holder, provider), given, expected).await
    }
    async fn said_of_keys(&self, chain: Chain) -> Vec<(String, String)> {
        let rows = self.store.audit_search(chain, &AuditFilter::default()).await.unwrap();
        let about = rows.into_iter().rev().filter(|row| row.kind.starts_with("model_key."));
        about.map(|row| (row.kind, row.body.to_string())).collect()
    }
}

#[tokio::test]
async fn a_holder_has_one_key_a_provider_and_changes_the_one_that_was_seen() {
    let test = TestStore::memory(permissive()).await;
    let (mine, ours) = (User(test.user), Project(test.project));
    let first = test.give_key(mine, OpenAi, None).await.unwrap();
    assert_eq!((first.masked.as_str(), first.origin.as_str()), ("sk-****ffee", ORIGIN));
    let again = test.give_key(mine, OpenAi, None).await;
    assert!(matches!(again, Err(ModelKeyRefused::Stale { current }) if current == first.revision));
    let second = test.give_key(mine, OpenAi, Some(first.revision)).await.unwrap();
    assert!(second.revision > first.revision);
    assert!(matches!(
        test.give_key(ours, OpenAi, Some(second.revision)).await,
        Err(ModelKeyRefused::NotFound)
    ));
    let other = test.give_key(mine, Anthropic, None).await.unwrap();
    assert_eq!(test.store.model_keys(mine).await.unwrap(), [other, second.clone()]);
    assert!(test.store.model_keys(ours).await.unwrap().is_empty());
    assert!(test.store.open_model_key(Server, OpenAi).await.unwrap().is_none());

    let opened = test.store.open_model_key(mine, OpenAi).await.unwrap().unwrap();
    assert_eq!(opened.secret.expose_secret(), SECRET);
    assert_eq!((opened.origin.as_str(), opened.revision), (ORIGIN, second.revision));

    let remove = |expected| test.store.remove_model_key(test.user, (mine, OpenAi), expected);
    assert!(matches!(remove(first.revision).await, Err(ModelKeyRefused::Stale { .. })));
    remove(second.revision).await.unwrap();
    assert!(matches!(remove(second.revision).await, Err(ModelKeyRefused::NotFound)));
    assert!(test.store.open_model_key(mine, OpenAi).await.unwrap().is_none());
    let anew = test.give_key(mine, OpenAi, None).await.unwrap();
    assert!(anew.revision > second.revision, "a revision never comes twice");
}

#[tokio::test]
async fn a_check_is_of_the_key_that_was_checked() {
    let test = TestStore::memory(permissive()).await;
    let at = (Project(test.project), OpenAi);
    let first = test.give_key(at.0, at.1, None).await.unwrap();
    assert_eq!(first.checked, None);
    let record = |revision, verdict| test.store.record_key_check(test.user, at, revision, verdict);
    record(first.revision, KeyVerdict::Accepted).await.unwrap();
    let row = test.store.model_key(at.0, at.1).await.unwrap().unwrap();
    assert!(matches!(row.checked, Some((_, KeyVerdict::Accepted))));
    let second = test.give_key(at.0, at.1, Some(first.revision)).await.unwrap();
    assert_eq!(second.checked, None, "another key was not checked");
    record(first.revision, KeyVerdict::Refused).await.unwrap();
    let row = test.store.model_key(at.0, at.1).await.unwrap().unwrap();
    assert_eq!(row.checked, None, "what came late speaks of the key before");
    let kinds: Vec<_> = test.said_of_keys(Chain::Project(test.project)).await;
    let kinds: Vec<_> = kinds.iter().map(|(kind, _)| kind.as_str()).collect();
    let (set, checked) = ("model_key.set", "model_key.checked");
    assert_eq!(kinds, [set, checked, set, checked]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_was_moved_does_not_open() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (mine, ours) = (User(test.user), Project(test.project));
    for (holder, provider) in [(mine, OpenAi), (ours, OpenAi), (mine, Anthropic), (mine, Custom)] {
        test.give_key(holder, provider, None).await.unwrap();
    }
    let url = format!("sqlite:{}?mode=rw", folder.path().join("wiiiv.db").display());
    let db = Database::connect(url).await.unwrap();
    let from =
        format!("SELECT sealed FROM model_key WHERE holder = '{mine}' AND provider = 'OPENAI'");
    let mut changed = 0;
    for sql in [
        format!("UPDATE model_key SET sealed = ({from}) WHERE holder = '{ours}'"),
        format!("UPDATE model_key SET sealed = ({from}) WHERE provider = 'ANTHROPIC'"),
        "UPDATE model_key SET origin = 'https://evil.test' WHERE provider = 'CUSTOM'".to_owned(),
    ] {
        changed += db.execute_unprepared(&sql).await.unwrap().rows_affected();
    }
    assert_eq!(changed, 3, "each statement found its row");
    assert!(test.store.open_model_key(mine, OpenAi).await.unwrap().is_some());
    for (holder, provider) in [(ours, OpenAi), (mine, Anthropic), (mine, Custom)] {
        let error = test.store.open_model_key(holder, provider).await.unwrap_err();
        assert!(matches!(error, StoreError::Key(_)), "{error:?}");
        assert!(!error.to_string().contains("CANARY"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_nowhere_in_the_clear() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    for holder in [User(test.user), Project(test.project), Server] {
        let row = test.give_key(holder, OpenAi, None).await.unwrap();
        assert!(!format!("{row:?}").contains("CANARY"));
        let opened = test.store.open_model_key(holder, OpenAi).await.unwrap();
        assert!(!format!("{opened:?}").contains("CANARY"));
    }
    for chain in [Chain::Server, Chain::Project(test.project)] {
        let told = test.said_of_keys(chain).await;
        assert!(!told.is_empty() && told.iter().all(|(_, body)| !body.contains("CANARY")));
    }
    // The search finds what is there: the masked form is.
    let (mut files, mut masked) = (0, false);
    let forms = [
        SECRET.to_owned(),
        SECRET.chars().rev().collect(),
        hex::encode(SECRET),
        STANDARD.encode(SECRET).trim_end_matches('=').to_owned(),
    ];
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        masked |= holds("sk-****ffee");
        assert!(!forms.iter().any(|form| holds(form)));
        files += 1;
    }
    assert!(files > 0 && masked);
}
