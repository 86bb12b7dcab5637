//! The administrator's folder: what is new or changed there is ingested, and what is gone from it is shown as stale.

use super::{deps::WatchedFolder, ingest::Ingests, seen::Seen, upload::media_type_of};
use crate::runtime::Runtime;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{ContentDigest, IngestJobId};
use wiiiv_store::{
    DocumentAuthor, DocumentOrigin, DocumentRefused, FolderDocument, IngestState, NewIngest,
    StoreError,
};
use wiiiv_workspace::{DocumentFile, WorkspaceError};

/// What is being ingested, by its name: of several of a name the one that was queued last.
type Waiting = BTreeMap<String, (ContentDigest, IngestJobId)>;

/// Why an ingest failed that may go well with the same file.
const PASSING: [&str; 7] = [
    "SANDBOX_UNAVAILABLE",
    "TIMED_OUT",
    "INTERRUPTED",
    "SERVER_FAULT",
    "POLICY_UNREADABLE",
    "DOCUMENTS_FULL",
    "SERVER_FULL",
];
/// Of a file that will not be read until it changes.
const TOO_LARGE: &str = "FILE_TOO_LARGE";

/// What came of a file at one look.
enum Taken {
    /// It needs not be ingested, or cannot be until it changes.
    Done(Option<ContentDigest>),
    Queued(ContentDigest, IngestJobId),
    /// It may go well the next time.
    Failed,
    /// The queue is full.
    NotNow,
}

/// Of one look.
#[derive(Debug, thiserror::Error)]
enum LookFailed {
    #[error(transparent)]
    Folder(#[from] WorkspaceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("it was broken off")]
    BrokenOff,
}

/// At the start, and again and again.
pub async fn watch(runtime: Arc<Runtime>, ingests: Ingests, stop: CancellationToken) {
    let Some(watched) = runtime.deps.documents.folder.clone() else { return };
    let mut tick = tokio::time::interval(watched.every);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut seen = Seen::default();
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        if runtime.retrieval.wait_loaded().await.is_err() || runtime.deps.store.fault().is_some() {
            continue;
        }
        let look = Look { runtime: &runtime, ingests: &ingests, watched: &watched };
        let looked = tokio::select! {
            () = stop.cancelled() => return,
            looked = look.look(&mut seen) => looked,
        };
        if let Err(error) = looked {
            tracing::warn!(%error, "the folder of documents cannot be looked at");
        }
    }
}

struct Look<'a> {
    runtime: &'a Runtime,
    ingests: &'a Ingests,
    watched: &'a WatchedFolder,
}

impl Look<'_> {
    async fn look(&self, seen: &mut Seen) -> Result<(), LookFailed> {
        let (store, folder) = (&self.runtime.deps.store, self.watched.folder.clone());
        let files = spawn_blocking(move || folder.files()).await;
        let files = files.map_err(|_| LookFailed::BrokenOff)??;
        // Before the documents: what waits is known to wait, or its document is.
        let open = store.open_ingests().await?.into_iter();
        let open = open.filter(|job| job.origin == DocumentOrigin::Folder);
        let open: Waiting = open.map(|job| (job.file_name, (job.digest, job.id))).collect();
        let known = store.folder_documents(self.watched.scope).await?;
        let known: BTreeMap<String, FolderDocument> =
            known.into_iter().map(|document| (document.file_name.clone(), document)).collect();
        self.mark_stale(&files, &known).await?;
        let paths: BTreeSet<String> = files.iter().map(|file| file.path.to_string()).collect();
        seen.retain(&paths);
        self.settle(seen, &known).await?;
        for file in files {
            if !seen.is_due(&file) {
                continue;
            }
            let known = known.get(&file.path.to_string());
            match self.take(&file, known, (seen, &open)).await? {
                Taken::Done(digest) => seen.done(file, digest),
                Taken::Queued(digest, job) => seen.ingesting(file, digest, job),
                Taken::Failed => seen.failed(file),
                // The rest has its turn at the next look.
                Taken::NotNow => return Ok(()),
            }
        }
        Ok(())
    }

    /// What came of files that were queued.
    async fn settle(
        &self,
        seen: &mut Seen,
        known: &BTreeMap<String, FolderDocument>,
    ) -> Result<(), LookFailed> {
        for (file, digest, job) in seen.open() {
            let passes = match self.runtime.deps.store.ingest_job(job).await? {
                Some(job) if !job.state.has_ended() => continue,
                Some(job) => {
                    let code = job.code.as_deref().unwrap_or_default();
                    job.state == IngestState::Failed && PASSING.contains(&code)
                }
                // Its row was taken away since: the document tells.
                None => known.get(&file.path.to_string()).is_none_or(|own| own.digest != digest),
            };
            if passes {
                seen.failed(file);
            } else {
                seen.done(file, Some(digest));
            }
        }
        Ok(())
    }

    async fn mark_stale(
        &self,
        files: &[DocumentFile],
        known: &BTreeMap<String, FolderDocument>,
    ) -> Result<(), LookFailed> {
        let there: BTreeSet<String> = files.iter().map(|file| file.path.to_string()).collect();
        for stale in [true, false] {
            let changed = known.values().filter(|document| {
                document.stale != stale && there.contains(&document.file_name) != stale
            });
            let ids: Vec<_> = changed.map(|document| document.id).collect();
            if !ids.is_empty() {
                self.runtime.deps.store.mark_stale(ids, stale).await?;
            }
        }
        Ok(())
    }

    async fn take(
        &self,
        file: &DocumentFile,
        known: Option<&FolderDocument>,
        (seen, open): (&Seen, &Waiting),
    ) -> Result<Taken, LookFailed> {
        let config = &self.runtime.config.documents;
        let (folder, path) = (self.watched.folder.clone(), file.path.clone());
        let bytes_max = config.upload_bytes_max;
        let read = spawn_blocking(move || folder.read(&path, bytes_max)).await;
        let bytes = match read.map_err(|_| LookFailed::BrokenOff)? {
            Ok(bytes) => bytes,
            Err(error) => {
                let (code, path) = (error.code(), &file.path);
                tracing::warn!(code, %path, "a file of the folder of documents is not read");
                return Ok(if code == TOO_LARGE { Taken::Done(None) } else { Taken::Failed });
            }
        };
        let digest = ContentDigest::of_bytes(&bytes);
        let file_name = file.path.to_string();
        let is_known = known.is_some_and(|document| document.digest == digest);
        match open.get(&file_name) {
            Some((waits, job)) if *waits == digest => Ok(Taken::Queued(digest, *job)),
            None if is_known || seen.has(&file_name, digest) => Ok(Taken::Done(Some(digest))),
            // What waits takes the place of what is known: a file that was put back has its turn behind it.
            Some(_) | None => self.queue((file_name, digest), bytes).await,
        }
    }

    async fn queue(
        &self,
        (file_name, digest): (String, ContentDigest),
        file: Vec<u8>,
    ) -> Result<Taken, LookFailed> {
        let path = file_name.clone();
        let media_type = media_type_of(&path, &file);
        let new = NewIngest {
            scope: self.watched.scope,
            origin: DocumentOrigin::Folder,
            file_name,
            title: None,
            media_type,
            file,
        };
        let bounds = self.runtime.config.documents.bounds();
        let queued =
            self.runtime.deps.store.queue_ingest(DocumentAuthor::folder(), new, bounds).await;
        if queued.is_err() {
            // As for an upload: what fills the queue may be unknown to the actor.
            self.ingests.look_again().await;
        }
        match queued {
            Ok(job) => {
                self.ingests.queued(&job).await;
                Ok(Taken::Queued(digest, job.id))
            }
            Err(DocumentRefused::QueueFull { .. }) => Ok(Taken::NotNow),
            Err(DocumentRefused::Store(error)) => Err(error.into()),
            Err(refused) => {
                tracing::warn!(%refused, %path, "a file of the folder of documents is not taken");
                let passes = matches!(refused, DocumentRefused::Full { .. });
                Ok(if passes { Taken::Failed } else { Taken::Done(Some(digest)) })
            }
        }
    }
}
