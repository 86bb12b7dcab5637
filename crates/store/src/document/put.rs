//! One document, put whole: what it held before goes in the same transaction, and so does its ingest's end.

use super::{
    author::may_still,
    capacity::{DocumentKey, IngestBounds, has_room},
    chunks::{add_texts, add_vectors, count_in, drop_content, drop_unused},
    embedding::{AfterPut, after_put},
    job::job,
    job_row::IngestJobRow,
    list::named,
    passage::{self, Columns, NewPassage, columns, place},
    project_vectors::{drop_unheld, texts_of},
    record::{INGESTED, REPLACED, chain_of, changed, content_of},
    refused::DocumentRefused,
    row::DocumentRow,
};
use crate::{
    database::{
        clock::now,
        column::digest,
        id::new_id,
        number::to_db,
        statement::{INSERT_ROWS_MAX, Reads, Row, Writes, execute, query_all, rows},
    },
    error::StoreError,
    store::Store,
    writer::{point::Point, write_transaction::WriteTransaction},
};
use sea_orm::Value;
use std::sync::Arc;
use wiiiv_domain::{ContentDigest, DocumentId, IngestJobId, Scope, Timestamp};
use wiiiv_vault::AuditKey;

/// Chunks of one document.
const CHUNKS_MAX: usize = 50_000;

/// What was made of a file.
#[derive(Debug, Clone)]
pub struct DocumentContent {
    pub title: String,
    pub passages: Vec<NewPassage>,
    pub chunks: Vec<NewChunk>,
    /// `None`: there is no model.
    pub vectors: Option<NewVectors>,
    pub after: AfterPut,
}

/// Of chunks that had none.
#[derive(Debug, Clone)]
pub struct NewVectors {
    /// The model that they are of, such as `local:e5-small`.
    pub embedder: String,
    pub vectors: Vec<(ContentDigest, Vec<u8>)>,
}

#[derive(Debug, Clone)]
pub struct NewChunk {
    /// Number of its passage.
    pub passage: u32,
    pub hash: ContentDigest,
    pub text: String,
    pub terms: Vec<u8>,
}

impl Store {
    /// In the place of the document of its name, under that one's id. Whoever queued it has to have the right still, and
    /// its chunks have to fit.
    pub async fn put_document(
        &self,
        ingest: IngestJobId,
        content: DocumentContent,
        bounds: IngestBounds,
    ) -> Result<DocumentRow, DocumentRefused> {
        if content.chunks.len() > CHUNKS_MAX {
            let max = CHUNKS_MAX as u64;
            return Err(DocumentRefused::TooLarge { what: "the number of chunks", max });
        }
        let job = self.ingest_job(ingest).await?.ok_or(DocumentRefused::Ended)?;
        let key = self.document_key(job.scope).await?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                tx.db.overwrite(true)?;
                let put = put(tx, ingest, (&content, bounds), &key).await;
                tx.db.overwrite(false)?;
                put
            })
        })
        .await
    }

    /// Of a document's chunks, in its order.
    pub async fn chunk_hashes(
        &self,
        document: DocumentId,
    ) -> Result<Vec<ContentDigest>, StoreError> {
        hashes_of(self.reader(), document).await
    }

    /// What its records are keyed with.
    pub(super) async fn document_key(&self, scope: Scope) -> Result<Arc<AuditKey>, StoreError> {
        match scope {
            Scope::Global | Scope::User(_) => Ok(Arc::clone(self.signer().documents())),
            Scope::Project(project) => self.audit_key(project).await,
        }
    }
}

async fn put(
    tx: &mut WriteTransaction,
    ingest: IngestJobId,
    (content, bounds): (&DocumentContent, IngestBounds),
    key: &AuditKey,
) -> Result<DocumentRow, DocumentRefused> {
    let at = now();
    let is_open = |job: &IngestJobRow| !job.state.has_ended() && job.document.is_none();
    let job = job(&tx.db, ingest).await?.filter(is_open);
    let job = job.ok_or(DocumentRefused::Ended)?;
    if !may_still(&tx.db, job.author, job.scope).await? {
        return Err(StoreError::AuthorityGone.into());
    }
    has_room(&tx.db, DocumentKey::of(&job), content.chunks.len() as u64, bounds).await?;
    let before = named(&tx.db, (job.scope, job.origin, &job.file_name)).await?;
    let passages = content.passages.iter().map(columns).collect::<Result<Vec<_>, _>>()?;
    let row = row_of(&job, before.as_ref(), (content, passages.as_slice()), at);
    if let Some(before) = &before
        && is_same(before, &row)
        && holds(&tx.db, before.id, &content.chunks).await?
    {
        return keep(tx, ingest, before, content).await;
    }
    let kind = if before.is_some() { REPLACED } else { INGESTED };
    let seq = tx.record(chain_of(row.scope), at, changed(kind, &row, key)?).await?;
    let former = texts_of(&tx.db, row.scope, row.id).await?;
    if before.is_some() {
        drop_content(&tx.db, row.id).await?;
    }
    save(&tx.db, &row, seq).await?;
    fill(&tx.db, &row, content, &passages).await?;
    drop_unheld(&tx.db, row.scope, former).await?;
    drop_unused(&tx.db).await?;
    after_put(tx, ingest, (row.id, content.after)).await?;
    Ok(row)
}

/// The same file once more, called as it was, whatever its sender takes it for: what was cited of it stands there still, and no version is new.
fn is_same(before: &DocumentRow, row: &DocumentRow) -> bool {
    before.digest == row.digest
        && before.content == row.content
        && (&before.title, before.title_given) == (&row.title, row.title_given)
}

/// Whether its chunks are these: another version of what cuts them gives others.
async fn holds<C: Reads>(
    db: &C,
    document: DocumentId,
    chunks: &[NewChunk],
) -> Result<bool, StoreError> {
    Ok(hashes_of(db, document).await?.iter().eq(chunks.iter().map(|chunk| &chunk.hash)))
}

async fn hashes_of<C: Reads>(
    db: &C,
    document: DocumentId,
) -> Result<Vec<ContentDigest>, StoreError> {
    let sql = "SELECT hash FROM document_chunk WHERE document = $1 ORDER BY number";
    let rows = query_all(db, sql, vec![document.uuid().into()]).await?;
    let hash = |row: &Row| digest(row.get(0)?, ContentDigest::from_bytes, "the hash of a chunk");
    rows.iter().map(hash).collect()
}

/// Its ingest ends with the document as it was.
async fn keep(
    tx: &mut WriteTransaction,
    ingest: IngestJobId,
    row: &DocumentRow,
    content: &DocumentContent,
) -> Result<DocumentRow, DocumentRefused> {
    let sql = "UPDATE document SET stale = $2 WHERE id = $1";
    execute(&tx.db, sql, vec![row.id.uuid().into(), false.into()]).await?;
    if let Some(NewVectors { embedder, vectors }) = &content.vectors {
        add_vectors(&tx.db, embedder, vectors).await?;
    }
    after_put(tx, ingest, (row.id, content.after)).await?;
    Ok(DocumentRow { stale: false, ..row.clone() })
}

fn row_of(
    job: &IngestJobRow,
    before: Option<&DocumentRow>,
    (content, passages): (&DocumentContent, &[Columns]),
    at: Timestamp,
) -> DocumentRow {
    let texts =
        passages.iter().map(|(headings, page, text)| (headings.as_str(), *page, text.as_str()));
    // What somebody called it stays, also where its next file does not say how to call it.
    let kept = before.filter(|before| before.title_given && job.title.is_none());
    DocumentRow {
        id: before.map_or_else(new_id, |before| before.id),
        scope: job.scope,
        origin: job.origin,
        file_name: job.file_name.clone(),
        title: kept.map_or(&content.title, |before| &before.title).clone(),
        title_given: kept.is_some() || job.title.is_some(),
        media_type: job.media_type.clone(),
        digest: job.digest,
        content: content_of(texts),
        bytes: job.bytes,
        passages: passages.len() as u64,
        chunks: content.chunks.len() as u64,
        version: before.map_or(0, |before| before.version) + 1,
        stale: false,
        author: job.author,
        created_at: before.map_or(at, |before| before.created_at),
        updated_at: at,
    }
}

/// Its own row, `seq` being the record of it.
pub(super) async fn save<C: Writes>(db: &C, row: &DocumentRow, seq: u64) -> Result<(), StoreError> {
    let upsert = "INSERT INTO document (id, scope, origin, file_name, title, media_type, digest, content, bytes, \
                  passages, chunks, version, stale, author, created_at, updated_at, at_seq, title_given) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) \
                  ON CONFLICT (id) DO UPDATE SET title = excluded.title, media_type = excluded.media_type, \
                  digest = excluded.digest, content = excluded.content, bytes = excluded.bytes, \
                  passages = excluded.passages, chunks = excluded.chunks, version = excluded.version, \
                  stale = excluded.stale, author = excluded.author, updated_at = excluded.updated_at, \
                  at_seq = excluded.at_seq, title_given = excluded.title_given";
    let values: Vec<Value> = vec![
        row.id.uuid().into(),
        row.scope.to_string().into(),
        row.origin.as_str().into(),
        row.file_name.clone().into(),
        row.title.clone().into(),
        row.media_type.clone().into(),
        row.digest.bytes().to_vec().into(),
        row.content.bytes().to_vec().into(),
        to_db(row.bytes)?.into(),
        to_db(row.passages)?.into(),
        to_db(row.chunks)?.into(),
        to_db(row.version)?.into(),
        row.stale.into(),
        row.author.map(|author| author.uuid()).into(),
        row.created_at.unix_ms().into(),
        row.updated_at.unix_ms().into(),
        to_db(seq)?.into(),
        row.title_given.into(),
    ];
    execute(db, upsert, values).await.map(drop)
}

async fn fill<C: Writes>(
    db: &C,
    row: &DocumentRow,
    content: &DocumentContent,
    passages: &[Columns],
) -> Result<(), StoreError> {
    let (id, scope) = (row.id, row.scope);
    passage::insert(db, (id, scope), passages).await?;
    let texts = content.chunks.iter().map(|chunk| (chunk.hash, chunk.text.as_str())).collect();
    add_texts(db, &texts).await?;
    insert_chunks(db, (id, scope), &content.chunks).await?;
    count_in(db, id).await?;
    if let Some(NewVectors { embedder, vectors }) = &content.vectors {
        add_vectors(db, embedder, vectors).await?;
    }
    Ok(())
}

async fn insert_chunks<C: Writes>(
    db: &C,
    (document, scope): (DocumentId, Scope),
    chunks: &[NewChunk],
) -> Result<(), StoreError> {
    let scope = scope.to_string();
    let mut at = 0;
    for part in chunks.chunks(INSERT_ROWS_MAX) {
        let sql = format!(
            "INSERT INTO document_chunk (document, number, scope, passage, hash, terms) VALUES {}",
            rows(part.len(), 6)
        );
        let mut values: Vec<Value> = Vec::with_capacity(part.len() * 6);
        for chunk in part {
            let cells: [Value; 6] = [
                document.uuid().into(),
                place(at)?.into(),
                scope.clone().into(),
                place(chunk.passage)?.into(),
                chunk.hash.bytes().to_vec().into(),
                chunk.terms.clone().into(),
            ];
            values.extend(cells);
            at += 1;
        }
        execute(db, &sql, values).await?;
    }
    Ok(())
}
