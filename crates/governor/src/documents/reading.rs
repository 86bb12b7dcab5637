//! A file's bytes become its text.

use wiiiv_exec::Executors;
use wiiiv_retrieval::SourceText;
use wiiiv_store::IngestJobRow;

/// `Err`: the code of why it gave none. Dropping it ends the process that reads.
pub async fn read(
    executors: &Executors,
    job: &IngestJobRow,
    file: Vec<u8>,
) -> Result<SourceText, &'static str> {
    let media_type = job.media_type.as_deref();
    let read = executors.read_document(&job.file_name, media_type, file).await;
    read.map_err(|refused| {
        tracing::info!(job = %job.id, code = refused.code(), "a file gave no text");
        refused.code()
    })
}
