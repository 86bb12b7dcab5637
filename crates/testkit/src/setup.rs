//! What a test's governor is opened with, and the opening.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, LazyLock},
    time::Duration,
};
use tempfile::TempDir;
use wiiiv_context::RuleBook;
use wiiiv_domain::{PriceTable, Timestamp};
use wiiiv_exec::{Executors, SandboxProgram, metas};
use wiiiv_gate::{BaseBook, DacsRules, Opened, RiskRules, Verifier, open};
use wiiiv_governor::{Deps, DocumentDeps, EnvironmentKeys, Governor, GovernorConfig};
use wiiiv_language::Lexicon;
use wiiiv_llm::{Limits, Models};
use wiiiv_messages::Messages;
use wiiiv_net::{Origin, ProviderClient, Resolver, Timeouts, ToolClient};
use wiiiv_store::{Location, PasswordCost, Store, StoreConfig};
use wiiiv_vault::{MasterKey, MasterKeys};
use wiiiv_workspace::Workspaces;

const DACS: &str = include_str!("../../../policies/dacs.toml");
const RISK: &str = include_str!("../../../policies/risk.toml");
/// A test's provider answers at once or never.
const TIMEOUTS: Timeouts = Timeouts {
    connect: Duration::from_secs(2),
    first_byte: Duration::from_secs(2),
    between_chunks: Duration::from_secs(2),
    total: Duration::from_secs(4),
};

/// Read once for all governors of a process: nothing changes them.
static WORDS: LazyLock<(Arc<Lexicon>, Arc<Messages>)> = LazyLock::new(|| {
    (Arc::new(Lexicon::embedded().unwrap()), Arc::new(Messages::embedded().unwrap()))
});

/// Read once for all governors of a process.
static BOOK: LazyLock<BaseBook> = LazyLock::new(|| BaseBook {
    executors: metas(),
    dacs: DacsRules::parse(DACS).unwrap(),
    risk: RiskRules::parse(RISK).unwrap(),
    prices: PriceTable::default(),
});

#[derive(Clone)]
pub struct Setup {
    pub config: GovernorConfig,
    /// Origins of models that an administrator approved.
    pub origins: Vec<String>,
    /// Keeps the database in memory, not in `folder`.
    pub memory: bool,
    /// How long a provider is waited for.
    pub timeouts: Timeouts,
    /// How long a model that does not answer is left alone.
    pub pause: Option<Duration>,
    /// Tokens that a model reads at once, by `PROVIDER:model`.
    pub windows: BTreeMap<String, u64>,
    pub environment: EnvironmentKeys,
    /// Models for documents, and a folder of them.
    pub documents: DocumentDeps,
    /// Database and workspaces.
    pub folder: Arc<TempDir>,
    /// The master key, as text.
    pub key: String,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            config: GovernorConfig::default(),
            origins: Vec::new(),
            memory: false,
            timeouts: TIMEOUTS,
            pause: None,
            windows: BTreeMap::new(),
            environment: EnvironmentKeys::default(),
            documents: DocumentDeps::default(),
            folder: Arc::new(TempDir::new().unwrap()),
            key: MasterKey::generate().unwrap().to_text().to_string(),
        }
    }
}

impl Setup {
    /// Opens the gate and the store, and starts a governor over them.
    pub async fn start(&self) -> Governor {
        wiiiv_net::install_tls_provider();
        let Opened { keeper, registrar, verifier } = open(BOOK.clone());
        let keys = MasterKeys::of(MasterKey::parse(&self.key).unwrap());
        let store = Store::open(self.store_config(), registrar, keys).await.unwrap();
        let workspaces = self.folder.path().join("workspaces");
        let workspaces = Workspaces::new(&workspaces, verifier.clone()).unwrap();
        let (lexicon, messages) = WORDS.clone();
        let sandbox = SandboxProgram { path: PathBuf::from("/nonexistent/sandbox") };
        let tools = ToolClient::new(Resolver::System);
        let deps = Deps {
            store,
            keeper,
            models: self.models(verifier.clone(), lexicon.clone(), messages.clone()),
            executors: Executors::new(verifier, workspaces.clone(), tools, sandbox),
            workspaces,
            rules: RuleBook::embedded(),
            lexicon,
            messages,
            prices: PriceTable::default(),
            environment: self.environment.clone(),
            documents: self.documents.clone(),
        };
        Governor::start(deps, self.config.clone())
    }

    fn store_config(&self) -> StoreConfig {
        let location = match self.memory {
            true => Location::Memory,
            false => Location::File(self.folder.path().join("wiiiv.db")),
        };
        let password_cost = PasswordCost::new(64, 1).unwrap();
        StoreConfig { location, password_cost, ..StoreConfig::memory() }
    }

    fn models(&self, verifier: Verifier, lexicon: Arc<Lexicon>, messages: Arc<Messages>) -> Models {
        let origins = self.origins.iter().map(|origin| Origin::parse(origin).unwrap());
        let provider = ProviderClient::new(origins, self.timeouts).unwrap();
        let usual = Limits::default();
        let limits = Limits { pause: self.pause.unwrap_or(usual.pause), ..usual };
        let models = Models::new(verifier, lexicon, messages, provider).unwrap();
        models.with_limits(limits).with_windows(self.windows.clone())
    }
}

#[must_use]
pub fn now() -> Timestamp {
    let elapsed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp::since_epoch(elapsed.expect("a clock"))
}
