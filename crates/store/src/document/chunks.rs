//! The texts and vectors of chunks, which documents share: each is there as long as a document has it.

use crate::{
    database::statement::{INSERT_ROWS_MAX, Writes, execute, rows},
    error::StoreError,
};
use sea_orm::Value;
use std::collections::BTreeMap;
use wiiiv_domain::{ContentDigest, DocumentId};

/// Texts that are not there yet. Nothing has them until [`count_in`].
pub(super) async fn add_texts<C: Writes>(
    db: &C,
    texts: &BTreeMap<ContentDigest, &str>,
) -> Result<(), StoreError> {
    let texts: Vec<_> = texts.iter().collect();
    for part in texts.chunks(INSERT_ROWS_MAX) {
        let sql = format!(
            "INSERT INTO chunk (hash, text, uses) VALUES {} ON CONFLICT (hash) DO NOTHING",
            rows(part.len(), 3)
        );
        let values = part.iter().flat_map(|(hash, text)| {
            [
                Value::from(hash.bytes().to_vec()),
                Value::from((**text).to_owned()),
                Value::from(0_i64),
            ]
        });
        execute(db, &sql, values.collect()).await?;
    }
    Ok(())
}

/// Of chunks that are there; one of this model that is there already stays.
pub(super) async fn add_vectors<C: Writes>(
    db: &C,
    embedder: &str,
    vectors: &[(ContentDigest, Vec<u8>)],
) -> Result<(), StoreError> {
    // What a model was asked about may be gone by now.
    let sql = "INSERT INTO chunk_vector (hash, embedder, vector) SELECT $1, $2, $3 \
               WHERE EXISTS (SELECT 1 FROM chunk WHERE hash = $1) \
               ON CONFLICT (hash, embedder) DO NOTHING";
    for (hash, vector) in vectors {
        let values = vec![hash.bytes().to_vec().into(), embedder.into(), vector.clone().into()];
        execute(db, sql, values).await?;
    }
    Ok(())
}

/// The rows of this document count as uses of their chunks from now on.
pub(super) async fn count_in<C: Writes>(db: &C, document: DocumentId) -> Result<(), StoreError> {
    count(db, document, '+').await
}

/// And no more: to be asked before they are deleted.
pub(super) async fn count_out<C: Writes>(db: &C, document: DocumentId) -> Result<(), StoreError> {
    count(db, document, '-').await
}

async fn count<C: Writes>(db: &C, document: DocumentId, sign: char) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE chunk SET uses = uses {sign} (SELECT COUNT(*) FROM document_chunk own \
         WHERE own.document = $1 AND own.hash = chunk.hash) \
         WHERE hash IN (SELECT hash FROM document_chunk WHERE document = $1)"
    );
    execute(db, &sql, vec![document.uuid().into()]).await.map(drop)
}

/// With their vectors.
pub(super) async fn drop_unused<C: Writes>(db: &C) -> Result<(), StoreError> {
    let vectors = "DELETE FROM chunk_vector WHERE hash IN (SELECT hash FROM chunk WHERE uses = 0)";
    execute(db, vectors, Vec::new()).await?;
    execute(db, "DELETE FROM chunk WHERE uses = 0", Vec::new()).await.map(drop)
}

/// All that a document has but its own row.
pub(super) async fn drop_content<C: Writes>(
    db: &C,
    document: DocumentId,
) -> Result<(), StoreError> {
    count_out(db, document).await?;
    for table in ["document_chunk", "document_passage"] {
        let sql = format!("DELETE FROM {table} WHERE document = $1");
        execute(db, &sql, vec![document.uuid().into()]).await?;
    }
    Ok(())
}
