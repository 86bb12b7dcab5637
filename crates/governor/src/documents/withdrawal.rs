//! A folder that is configured no more, or for another scope: its documents go with the setting.

use crate::runtime::Runtime;
use wiiiv_store::{DocumentAuthor, DocumentOrigin, DocumentRefused, StoreError};

/// To be asked before anything is found. Whoever takes a setting back takes back what it did: else what was put before
/// everybody by mistake would stay there. What waited to be read is cancelled.
pub async fn withdraw(runtime: &Runtime) -> Result<(), StoreError> {
    let store = &runtime.deps.store;
    if store.fault().is_some() {
        return Ok(());
    }
    let scope = runtime.deps.documents.folder.as_ref().map(|watched| watched.scope);
    for job in store.open_ingests().await? {
        if job.origin == DocumentOrigin::Folder && Some(job.scope) != scope {
            store.end_ingest(job.id, None).await?;
        }
    }
    for document in store.folder_documents_outside(scope).await? {
        match store.remove_document(DocumentAuthor::folder(), document).await {
            Ok(row) => {
                tracing::info!(%document, scope = %row.scope, "a document of a former folder is gone");
            }
            Err(DocumentRefused::NotFound) => {}
            Err(DocumentRefused::Store(error @ StoreError::Unavailable { .. })) => {
                return Err(error);
            }
            // It would be the same each time, and keeps no other from being found.
            Err(error) => {
                tracing::error!(%error, %document, "a document of a former folder does not go");
            }
        }
    }
    Ok(())
}
