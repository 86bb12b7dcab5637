//! A whole house in one process: real gate, store, executors, shop and models.

use secrecy::SecretString;
use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, LazyLock},
    time::Duration,
};
use tempfile::TempDir;
use wiiiv_context::RuleBook;
use wiiiv_domain::{
    EventBody, HostRule, PriceTable, ProjectId, ProjectPolicy, Scheme, SessionEvent, SessionId,
    Timestamp, TurnId,
};
use wiiiv_exec::{Executors, SandboxProgram, metas};
use wiiiv_fakes::Shop;
use wiiiv_gate::{BaseBook, DacsRules, Opened, Principal, RiskRules, Verifier, open, profile};
use wiiiv_governor::{
    Deps, EnvironmentKeys, Governor, GovernorConfig, Incoming, Live, PolicyChangeError, SubmitError,
};
use wiiiv_language::{Lexicon, Messages};
use wiiiv_llm::{Limits, Models};
use wiiiv_net::{Origin, ProviderClient, Resolver, Timeouts, ToolClient};
use wiiiv_store::{
    Location, NewUser, PasswordCost, Store, StoreConfig, TokenScope, UsageFilter, UsageSums,
};
use wiiiv_vault::{MasterKey, MasterKeys};
use wiiiv_workspace::Workspaces;

const DACS: &str = include_str!("../../../../policies/dacs.toml");
const RISK: &str = include_str!("../../../../policies/risk.toml");
const PROFILE: &str = include_str!("../../../../policies/profiles/default.toml");
/// A turn that has not ended by then never will.
const PATIENCE: Duration = Duration::from_secs(30);

/// Read once for all houses: nothing changes them.
static WORDS: LazyLock<(Arc<Lexicon>, Arc<Messages>)> = LazyLock::new(|| {
    (Arc::new(Lexicon::embedded().unwrap()), Arc::new(Messages::embedded().unwrap()))
});

pub struct TestGovernor {
    pub governor: Governor,
    pub shop: Shop,
    pub project: ProjectId,
    pub owner: Person,
    folder: Arc<TempDir>,
    key: String,
    origins: Vec<String>,
    config: GovernorConfig,
    asking: Asking,
}

/// How models are asked.
#[derive(Clone)]
struct Asking {
    pause: Option<Duration>,
    windows: BTreeMap<String, u64>,
}

#[derive(Clone)]
pub struct Person {
    pub token: SecretString,
}

#[derive(Default)]
pub struct Options {
    pub config: GovernorConfig,
    pub origins: Vec<String>,
    pub memory: bool,
    /// How long a model that does not answer is left alone.
    pub pause: Option<Duration>,
    /// Tokens that a model reads at once, by `PROVIDER:model`.
    pub windows: BTreeMap<String, u64>,
}

pub fn now() -> Timestamp {
    Timestamp::since_epoch(
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap(),
    )
}

async fn start(
    folder: &TempDir,
    key: &str,
    origins: &[String],
    config: &GovernorConfig,
    (memory, asking): (bool, &Asking),
) -> Governor {
    wiiiv_net::install_tls_provider();
    let base = BaseBook {
        executors: metas(),
        dacs: DacsRules::parse(DACS).unwrap(),
        risk: RiskRules::parse(RISK).unwrap(),
        prices: PriceTable::default(),
    };
    let Opened { keeper, registrar, verifier } = open(base);
    let location =
        if memory { Location::Memory } else { Location::File(folder.path().join("wiiiv.db")) };
    let password_cost = PasswordCost::new(64, 1).unwrap();
    let store_config = StoreConfig { location, password_cost, ..StoreConfig::memory() };
    let keys = MasterKeys::of(MasterKey::parse(key).unwrap());
    let store = Store::open(store_config, registrar, keys).await.unwrap();
    let workspaces = Workspaces::new(&folder.path().join("workspaces"), verifier.clone()).unwrap();
    let (lexicon, messages) = WORDS.clone();
    let origins = origins.iter().map(|o| Origin::parse(o).unwrap());
    let timeouts = Timeouts {
        connect: Duration::from_secs(2),
        first_byte: Duration::from_secs(2),
        between_chunks: Duration::from_secs(2),
        total: Duration::from_secs(4),
    };
    let provider = ProviderClient::new(origins, timeouts).unwrap();
    let program = SandboxProgram { path: PathBuf::from("/nonexistent/sandbox") };
    let executors = Executors::new(
        verifier.clone(),
        workspaces.clone(),
        ToolClient::new(Resolver::System),
        program,
    );
    let deps = Deps {
        store,
        keeper,
        models: models(verifier, lexicon.clone(), messages.clone(), provider, asking),
        executors,
        workspaces,
        rules: RuleBook::embedded(),
        lexicon,
        messages,
        prices: PriceTable::default(),
        environment: EnvironmentKeys::default(),
    };
    Governor::start(deps, config.clone())
}

fn models(
    verifier: Verifier,
    lexicon: Arc<Lexicon>,
    messages: Arc<Messages>,
    provider: ProviderClient,
    asking: &Asking,
) -> Models {
    let usual = Limits::default();
    let limits = Limits { pause: asking.pause.unwrap_or(usual.pause), ..usual };
    let models = Models::new(verifier, lexicon, messages, provider).unwrap();
    models.with_limits(limits).with_windows(asking.windows.clone())
}

impl TestGovernor {
    pub async fn new() -> Self {
        Self::with(Options::default()).await
    }

    pub async fn with(options: Options) -> Self {
        let Options { config, origins, memory, pause, windows } = options;
        let asking = Asking { pause, windows };
        let folder = Arc::new(TempDir::new().unwrap());
        let key = MasterKey::generate().unwrap().to_text().to_string();
        let governor = start(&folder, &key, &origins, &config, (memory, &asking)).await;
        let shop = Shop::open(0).await.unwrap();
        let policy = policy(&shop);
        let (project, owner) = person(governor.store(), "owner", policy).await;
        Self { governor, shop, project, owner, folder, key, origins, config, asking }
    }

    /// The same house after a stop: everything comes from the files.
    pub async fn restarted(self) -> Self {
        self.governor.shutdown().await;
        let Self { governor, shop, project, owner, folder, key, origins, config, asking } = self;
        drop(governor);
        let governor = start(&folder, &key, &origins, &config, (false, &asking)).await;
        governor.recover().await.unwrap();
        Self { governor, shop, project, owner, folder, key, origins, config, asking }
    }

    pub async fn principal(&self, who: &Person) -> Principal {
        use secrecy::ExposeSecret as _;
        let store = self.governor.store();
        store.authenticate(who.token.expose_secret(), Some(self.project), now()).await.unwrap()
    }

    pub async fn session(&self) -> SessionId {
        let who = self.principal(&self.owner).await;
        let store = self.governor.store();
        store.create_session(self.project, who.user(), "test", now()).await.unwrap().id
    }

    /// By somebody who has everything that was journalled so far on the screen.
    pub async fn send(&self, session: SessionId, text: &str) -> Result<TurnId, SubmitError> {
        let seen = self.newest(session).await;
        self.send_having_seen(session, text, Some(seen)).await
    }

    /// The number of the last event.
    pub async fn newest(&self, session: SessionId) -> u64 {
        self.governor.store().next_seq(session).await.unwrap() - 1
    }

    pub async fn send_having_seen(
        &self,
        session: SessionId,
        text: &str,
        seen: Option<u64>,
    ) -> Result<TurnId, SubmitError> {
        let who = self.principal(&self.owner).await;
        let words = Incoming::words(text.to_owned(), None).seen(seen);
        self.governor.submit(&who, session, words).await
    }

    /// Says it and waits for the end of the turn.
    pub async fn say(&self, session: SessionId, text: &str) -> SeenTurn {
        self.say_within(session, text, PATIENCE).await
    }

    pub async fn say_within(&self, session: SessionId, text: &str, patience: Duration) -> SeenTurn {
        let mut told = self.governor.subscribe(session, None).await.unwrap();
        let seen = told.backlog.last().map(|row| row.seq);
        let turn = self.send(session, text).await.unwrap();
        let mut events = Vec::new();
        let end = async {
            loop {
                let Live::Journalled(row) = told.live.recv().await.unwrap() else { continue };
                if seen.is_some_and(|seen| row.seq <= seen) || row.event.turn != turn {
                    continue;
                }
                events.push(row.event.as_ref().clone());
                if let EventBody::TurnEnded { outcome } = &row.event.body {
                    return outcome.clone();
                }
            }
        };
        let outcome = tokio::time::timeout(patience, end).await.expect("the turn must end");
        SeenTurn { outcome, events }
    }

    /// Waits until the turn has ended, also one that a button began.
    pub async fn ended(&self, session: SessionId, turn: TurnId) -> SeenTurn {
        let mut told = self.governor.subscribe(session, None).await.unwrap();
        let mut events: Vec<SessionEvent> =
            told.backlog.iter().map(|row| row.event.as_ref().clone()).collect();
        events.retain(|event| event.turn == turn);
        let ends = |event: &SessionEvent| match &event.body {
            EventBody::TurnEnded { outcome } => Some(outcome.clone()),
            _ => None,
        };
        let end = async {
            loop {
                if let Some(outcome) = events.iter().find_map(ends) {
                    return outcome;
                }
                if let Live::Journalled(row) = told.live.recv().await.unwrap()
                    && row.event.turn == turn
                {
                    events.push(row.event.as_ref().clone());
                }
            }
        };
        let outcome = tokio::time::timeout(PATIENCE, end).await.expect("the turn must end");
        SeenTurn { outcome, events }
    }

    pub fn file(&self, path: &str) -> Option<String> {
        let project = self.folder.path().join("workspaces").join(self.project.to_string());
        std::fs::read_to_string(project.join(path)).ok()
    }

    /// As it stood there before anybody asked.
    pub fn put(&self, path: &str, bytes: &[u8]) {
        let project = self.folder.path().join("workspaces").join(self.project.to_string());
        std::fs::create_dir_all(&project).unwrap();
        std::fs::write(project.join(path), bytes).unwrap();
    }

    /// A second connection, as somebody with the file has it.
    pub async fn intruder(&self) -> sea_orm::DatabaseConnection {
        let url = format!("sqlite:{}?mode=rw", self.folder.path().join("wiiiv.db").display());
        sea_orm::Database::connect(url).await.unwrap()
    }

    /// Everything that lies on disk: database, log ahead of it, workspaces.
    pub fn stored(&self) -> Vec<u8> {
        let (mut folders, mut bytes) = (vec![self.folder.path().to_owned()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    bytes.extend(std::fs::read(path).unwrap_or_default());
                }
            }
        }
        bytes
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.shop.url())
    }

    /// Of all calls of the project.
    pub async fn used(&self) -> UsageSums {
        let filter = UsageFilter {
            project: self.project,
            user: None,
            from: Timestamp::from_unix_ms(0),
            until: Timestamp::from_unix_ms(i64::MAX),
        };
        self.governor.store().usage(&filter, &[]).await.unwrap().total
    }

    /// A new version of the project's policy.
    pub async fn change_policy(&self, change: impl FnOnce(&mut ProjectPolicy)) {
        self.try_policy(change).await.unwrap();
    }

    pub async fn try_policy(
        &self,
        change: impl FnOnce(&mut ProjectPolicy),
    ) -> Result<(), PolicyChangeError> {
        let who = self.principal(&self.owner).await;
        let current = self.governor.store().policy(self.project).await.unwrap();
        let document = current.body().document().clone();
        let mut policy = document.policy.clone();
        change(&mut policy);
        let reason = "test".to_owned();
        let set =
            self.governor.policies().set(&who, self.project, document.id, policy, reason).await;
        set.map(drop)
    }
}

pub async fn person(store: &Store, name: &str, policy: ProjectPolicy) -> (ProjectId, Person) {
    let password = SecretString::from(format!("a long password of {name}"));
    let new = NewUser { name: name.to_owned(), password, admin: false };
    let created = store.create_user(new, policy).await.unwrap();
    let issued = store.issue_token(created.user, TokenScope::Full, None).await.unwrap();
    (created.project, Person { token: issued.text })
}

pub fn policy(shop: &Shop) -> ProjectPolicy {
    let mut policy = profile(PROFILE).unwrap();
    policy.allowed_hosts.push(HostRule {
        host: shop.address().ip().to_string(),
        scheme: Some(Scheme::Http),
        port: Some(shop.address().port()),
        private: true,
        idempotent_methods: std::collections::BTreeSet::new(),
        idempotent_operations: std::collections::BTreeSet::new(),
        read_operations: std::collections::BTreeSet::new(),
    });
    policy
}

/// One turn as its client saw it.
pub struct SeenTurn {
    pub outcome: String,
    pub events: Vec<SessionEvent>,
}

impl SeenTurn {
    /// Every text that was shown.
    pub fn text(&self) -> String {
        let texts = self.events.iter().filter_map(|event| match &event.body {
            EventBody::Replied { text, .. }
            | EventBody::Asked { text, .. }
            | EventBody::Previewed { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
    pub fn asked(&self) -> Option<(wiiiv_domain::ApprovalId, wiiiv_domain::BlueprintDigest)> {
        self.events.iter().find_map(|event| match &event.body {
            EventBody::Previewed { approval, digest, .. } => Some((*approval, *digest)),
            _ => None,
        })
    }
}
