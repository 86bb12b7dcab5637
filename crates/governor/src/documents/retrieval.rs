//! What searches read: the library, and the model that its vectors are of.

use super::{embedder::TextEmbedder, error::DocumentError, outgoing::Outgoing, servers::Servers};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{self, Arc, PoisonError, RwLock},
    time::Duration,
};
use tokio::{
    sync::{Mutex, MutexGuard, watch},
    task::spawn_blocking,
    time::timeout,
};
use tokio_util::task::TaskTracker;
use wiiiv_domain::{DocumentId, ProjectId, Scope, UserId};
use wiiiv_retrieval::{Library, Vector};
use wiiiv_store::StoreError;

/// A search waits so long for a start to have filled the library.
const LOAD_WAIT: Duration = Duration::from_secs(10);

/// Questions whose embedding by a provider's model is known: what is asked once more is not sent once more.
const QUESTIONS_MAX: u64 = 256;
/// Models of providers of which it is known what they made last.
const MADE_MAX: usize = 256;
/// A project whose texts lack vectors of the model that its policy names is looked at again after that time.
const LACKING_FOR: Duration = Duration::from_secs(10);
const LACKING_MAX: u64 = 1_024;

/// A person's question of a project, with what its embedding is kept under. Of one person alone: whether a question is known
/// would tell another what somebody asked.
pub type Question = (UserId, ProjectId, String, String);

/// A library and the model that its vectors are of, which change together.
#[derive(Clone)]
pub struct Serving {
    pub library: Arc<Library>,
    /// `None`: lexical only.
    pub embedder: Option<Arc<dyn TextEmbedder>>,
    /// Projects whose documents have vectors of a provider's model in its place, by what those are kept under.
    pub providers: Arc<BTreeMap<ProjectId, String>>,
}

impl Serving {
    /// `None`: that scope's vectors are of the model of this machine.
    pub fn of_provider(&self, scope: Scope) -> Option<&str> {
        self.providers.get(&scope.project()?).map(String::as_str)
    }

    /// What that scope's vectors are kept under.
    pub fn embedder_in(&self, scope: Scope) -> Option<&str> {
        self.of_provider(scope).or_else(|| self.embedder_name())
    }

    pub fn embedder_name(&self) -> Option<&str> {
        self.embedder.as_ref().map(|embedder| embedder.name())
    }
}

/// Documents that were put, named otherwise or taken away.
pub type Changed = BTreeSet<(Scope, DocumentId)>;

pub struct Retrieval {
    /// Read by every search; written when a start has chosen the model, and when another takes its place.
    serving: RwLock<Serving>,
    /// The first one is the one to use.
    embedders: Vec<Arc<dyn TextEmbedder>>,
    /// Held from a change of the store's documents to that of the library's: else a document that was read to be put
    /// could be put after its removal.
    changing: Mutex<()>,
    /// While another library is filled: what changed since that began.
    changed: sync::Mutex<Option<Changed>>,
    loaded: watch::Sender<bool>,
    /// The one that was asked last stays longest.
    pub questions: moka::sync::Cache<Question, Arc<Vector>>,
    pub outgoing: Outgoing,
    pub servers: Servers,
    /// The model of which some text of a project has no vector, as it was looked for last. `None`: the one of this machine.
    pub lacking: moka::sync::Cache<ProjectId, Option<String>>,
    /// By the name of a provider's model the dimensions of its last vectors.
    made: RwLock<BTreeMap<String, usize>>,
    /// All that works beside the actor: a stop waits for it.
    pub tasks: TaskTracker,
}

impl Retrieval {
    pub fn new(embedders: Vec<Arc<dyn TextEmbedder>>) -> Self {
        let embedder = embedders.first().cloned();
        let (library, providers) = (Arc::new(Library::new()), Arc::default());
        let questions = moka::sync::Cache::builder()
            .max_capacity(QUESTIONS_MAX)
            .eviction_policy(moka::policy::EvictionPolicy::lru());
        let lacking = moka::sync::Cache::builder();
        let lacking = lacking.max_capacity(LACKING_MAX).time_to_live(LACKING_FOR);
        Self {
            serving: RwLock::new(Serving { library, embedder, providers }),
            embedders,
            changing: Mutex::new(()),
            changed: sync::Mutex::new(None),
            loaded: watch::channel(false).0,
            questions: questions.build(),
            outgoing: Outgoing::default(),
            servers: Servers::default(),
            lacking: lacking.build(),
            made: RwLock::default(),
            tasks: TaskTracker::new(),
        }
    }

    pub fn serving(&self) -> Serving {
        self.serving.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn serve(&self, serving: Serving) {
        *self.serving.write().unwrap_or_else(PoisonError::into_inner) = serving;
    }

    /// `None`: that project's vectors are of the model of this machine. To be asked under [`Self::changing`].
    pub fn set_provider(&self, project: ProjectId, kept: Option<String>) {
        let mut serving = self.serving.write().unwrap_or_else(PoisonError::into_inner);
        let providers = Arc::make_mut(&mut serving.providers);
        match kept {
            Some(kept) => drop(providers.insert(project, kept)),
            None => drop(providers.remove(&project)),
        }
    }

    /// That model gave vectors of so many dimensions.
    pub fn note_made(&self, name: &str, dimensions: usize) {
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        if made.len() >= MADE_MAX && !made.contains_key(name) {
            made.pop_first();
        }
        made.insert(name.to_owned(), dimensions);
    }

    /// Of that model's last vectors; `None`: it has given none since the start.
    pub fn last_made(&self, name: &str) -> Option<usize> {
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        made.get(name).copied()
    }

    /// The one to use, and all others.
    pub fn embedders(&self) -> &[Arc<dyn TextEmbedder>] {
        &self.embedders
    }

    /// What is changed in the store and in the library until it is dropped is changed by nobody else.
    pub async fn changing(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().await
    }

    /// To be asked under [`Self::changing`], after the store.
    pub async fn forget(&self, documents: Vec<(Scope, DocumentId)>) -> Result<(), StoreError> {
        for (scope, document) in &documents {
            self.note(*scope, *document);
        }
        let library = self.serving().library;
        beside(move || {
            for (scope, document) in documents {
                library.remove(scope, document);
            }
        })
        .await
    }

    /// What changes from now on is noted.
    pub fn note_changes(&self) {
        *self.changed() = Some(Changed::new());
    }

    /// Of a document that changes, under [`Self::changing`].
    pub fn note(&self, scope: Scope, document: DocumentId) {
        if let Some(changed) = &mut *self.changed() {
            changed.insert((scope, document));
        }
    }

    /// What was noted. Nothing more is.
    pub fn noted_changes(&self) -> Changed {
        self.changed().take().unwrap_or_default()
    }

    fn changed(&self) -> sync::MutexGuard<'_, Option<Changed>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_loaded(&self) -> bool {
        *self.loaded.borrow()
    }

    pub fn set_loaded(&self) {
        self.loaded.send_replace(true);
    }

    pub async fn wait_loaded(&self) -> Result<(), DocumentError> {
        let mut loaded = self.loaded.subscribe();
        let waited = timeout(LOAD_WAIT, loaded.wait_for(|loaded| *loaded)).await;
        match waited {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(_)) | Err(_) => {
                Err(DocumentError::Unavailable("the documents are being loaded".to_owned()))
            }
        }
    }
}

/// For what changes the library: a document may be long, a scope may have to be closed up, and searches under way are
/// waited for. What others wait for goes on meanwhile.
pub async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    let done = spawn_blocking(work).await;
    done.map_err(|error| match error.is_panic() {
        // It would be the same each time.
        true => StoreError::Corrupt { what: "a document".to_owned() },
        false => StoreError::Unavailable { reason: error.to_string() },
    })
}
