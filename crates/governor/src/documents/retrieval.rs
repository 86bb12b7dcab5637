//! What searches read: the library, and the model that its vectors are of.

use super::{embedder::TextEmbedder, error::DocumentError};
use std::{
    collections::BTreeSet,
    sync::{self, Arc, PoisonError, RwLock},
    time::Duration,
};
use tokio::{
    sync::{Mutex, MutexGuard, watch},
    task::spawn_blocking,
    time::timeout,
};
use tokio_util::task::TaskTracker;
use wiiiv_domain::{DocumentId, Scope};
use wiiiv_retrieval::Library;
use wiiiv_store::StoreError;

/// A search waits so long for a start to have filled the library.
const LOAD_WAIT: Duration = Duration::from_secs(10);

/// A library and the model that its vectors are of, which change together.
#[derive(Clone)]
pub struct Serving {
    pub library: Arc<Library>,
    /// `None`: lexical only.
    pub embedder: Option<Arc<dyn TextEmbedder>>,
}

impl Serving {
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
    /// All that works beside the actor: a stop waits for it.
    pub tasks: TaskTracker,
}

impl Retrieval {
    pub fn new(embedders: Vec<Arc<dyn TextEmbedder>>) -> Self {
        let embedder = embedders.first().cloned();
        let serving = RwLock::new(Serving { library: Arc::new(Library::new()), embedder });
        let (loaded, _) = watch::channel(false);
        Self {
            serving,
            embedders,
            changing: Mutex::new(()),
            changed: sync::Mutex::new(None),
            loaded,
            tasks: TaskTracker::new(),
        }
    }

    pub fn serving(&self) -> Serving {
        self.serving.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn serve(&self, serving: Serving) {
        *self.serving.write().unwrap_or_else(PoisonError::into_inner) = serving;
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
