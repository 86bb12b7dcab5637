//! Embedding models of this process: opened at the first text, asked on threads apart from the others.

use crate::{
    call::{CallOptions, Embeddings, ModelError},
    models_error::ModelsError,
};
use futures::future::try_join_all;
use std::{path::PathBuf, sync::Arc, thread::available_parallelism};
use tokio::{
    sync::{OnceCell, Semaphore},
    task::spawn_blocking,
    time::timeout,
};
use wiiiv_domain::{ProposalFailure, Spent};
use wiiiv_embed::{EmbedError, Embedder, Kind, LocalModel, installed};

/// Those below one folder. Which are installed is looked up each time; one that was opened stays.
#[derive(Debug)]
pub(crate) struct LocalModels {
    folder: Option<PathBuf>,
    opened: [OnceCell<Arc<Embedder>>; LocalModel::ALL.len()],
    /// One text a thread, and as many as there are processors.
    threads: Arc<Semaphore>,
}

impl Default for LocalModels {
    fn default() -> Self {
        let threads = available_parallelism().map_or(1, usize::from);
        Self {
            folder: None,
            opened: LocalModel::ALL.map(|_| OnceCell::new()),
            threads: Arc::new(Semaphore::new(threads)),
        }
    }
}

impl LocalModels {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder: Some(folder), ..Self::default() }
    }

    pub(crate) fn installed(&self) -> Vec<LocalModel> {
        self.folder.as_deref().map(installed).unwrap_or_default()
    }

    /// A known model that is installed.
    pub(crate) fn check(&self, name: &str) -> Result<LocalModel, ModelsError> {
        let model: LocalModel = name.parse()?;
        if self.installed().contains(&model) {
            Ok(model)
        } else {
            Err(EmbedError::NotInstalled(model).into())
        }
    }

    /// Costs nothing. Within the call's deadline; a text that is begun is finished, whoever waits for it.
    pub(crate) async fn embed(
        &self,
        (name, kind): (&str, Kind),
        texts: &[String],
        options: &CallOptions,
    ) -> Result<Embeddings, ModelError> {
        let vectors = async {
            let embedder = self.opened(name).await?;
            let each = texts.iter().map(|text| self.vector(embedder.clone(), text.clone(), kind));
            try_join_all(each).await
        };
        let late = |_| {
            ModelError::before(
                ProposalFailure::Timeout,
                "the local model took longer than the call may",
            )
        };
        let vectors = timeout(options.deadline, vectors).await.map_err(late)??;
        Ok(Embeddings { vectors, spent: Spent::default(), attempts: 0, beyond: None })
    }

    async fn opened(&self, name: &str) -> Result<Arc<Embedder>, ModelError> {
        let model = self.check(name).map_err(|error| refused(&error, name))?;
        let (folder, at) = (self.folder.clone().unwrap_or_default(), model as usize);
        let open = || async move {
            let opened = spawn_blocking(move || Embedder::open(&folder, model)).await;
            let opened = opened.map_err(|_| broken())?;
            opened.map(Arc::new).map_err(|error| refused(&error.into(), model.name()))
        };
        match self.opened.get(at) {
            Some(cell) => cell.get_or_try_init(open).await.cloned(),
            None => Err(broken()),
        }
    }

    async fn vector(
        &self,
        embedder: Arc<Embedder>,
        text: String,
        kind: Kind,
    ) -> Result<Vec<f32>, ModelError> {
        let thread = self.threads.clone().acquire_owned().await.map_err(|_| broken())?;
        let name = embedder.model().name();
        let embed = move || {
            let embedded = embedder.embed(&text, kind);
            drop(thread);
            embedded
        };
        let embedded = spawn_blocking(embed).await.map_err(|_| broken())?;
        embedded.map_err(|error| refused(&error.into(), name))
    }
}

/// Where its files lie is the operator's to know: the log has it.
fn refused(error: &ModelsError, name: &str) -> ModelError {
    let unserved = matches!(
        error,
        ModelsError::UnknownLocal(_) | ModelsError::Local(EmbedError::NotInstalled(_))
    );
    if unserved {
        return ModelError::before(ProposalFailure::Unserved, &error.to_string());
    }
    tracing::error!(%error, model = name, "a local model cannot be used");
    let reason = format!("`local:{name}` cannot be read: the server's log says why");
    ModelError::before(ProposalFailure::Unavailable, &reason)
}

fn broken() -> ModelError {
    ModelError::before(ProposalFailure::Unavailable, "the local model's thread ended")
}
