//! What the index of documents in memory is made of, in bounded batches: nothing is cut or embedded for it.

use super::{
    embedding::{embedded_now, is_shared},
    passage::number,
    row::scope,
};
use crate::{
    database::{
        column::digest,
        direct_reader::DirectReader,
        number::{from_db, to_db},
        statement::{Row, query_all},
    },
    error::StoreError,
    store::Store,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, thread,
};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, DocumentId, Scope};

/// Of one batch, which has one document at least.
const BATCH_DOCUMENTS_MAX: u64 = 512;
const BATCH_CHUNKS_MAX: u64 = 4_096;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryDocument {
    pub id: DocumentId,
    pub scope: Scope,
    pub title: String,
    pub file_name: String,
    /// In the document's order.
    pub chunks: Vec<LibraryChunk>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryChunk {
    /// From 0, in the document's order.
    pub number: u32,
    pub passage: u32,
    pub hash: ContentDigest,
    pub terms: Vec<u8>,
    /// Of the model that was asked for.
    pub vector: Option<Vec<u8>>,
}

/// Some of all documents, by id.
#[derive(Debug, Default)]
pub struct LibraryBatch {
    pub documents: Vec<LibraryDocument>,
    /// What cannot be read back of this batch, and why: the others are found without it.
    pub unreadable: Vec<(DocumentId, StoreError)>,
    /// `None`: there are no more.
    pub last: Option<DocumentId>,
}

impl Store {
    /// The next documents by id, with vectors of this model.
    pub async fn documents_at_start(
        &self,
        embedder: Option<&str>,
        after: Option<DocumentId>,
    ) -> Result<LibraryBatch, StoreError> {
        let embedder = embedder.map(str::to_owned);
        self.beside(move |db| batch(db, embedder, after)).await
    }

    /// The same of one scope alone.
    pub async fn documents_of_scope(
        &self,
        scope: Scope,
        embedder: Option<&str>,
        after: Option<DocumentId>,
    ) -> Result<LibraryBatch, StoreError> {
        let embedder = embedder.map(str::to_owned);
        self.beside(move |db| {
            let sql = "SELECT id, scope, title, file_name, chunks FROM document \
                       WHERE scope = $3 AND id > $1 ORDER BY id LIMIT $2";
            let most = to_db(BATCH_DOCUMENTS_MAX)?.into();
            let values = [behind(after).into(), most, scope.to_string().into()];
            let mut batch = first_of(&db.rows(sql, &values)?);
            for document in std::mem::take(&mut batch.documents) {
                // One by one: what lies between two ids is of others too.
                let id = document.id;
                let mut chunks = chunks_between(db, embedder.as_deref(), (id, id))?;
                with_chunks(&mut batch, document, &mut chunks);
            }
            Ok(batch)
        })
        .await
    }

    /// One of them.
    pub async fn library_document(
        &self,
        embedder: Option<&str>,
        id: DocumentId,
    ) -> Result<Option<LibraryDocument>, StoreError> {
        let embedder = embedder.map(str::to_owned);
        self.beside(move |db| {
            let sql = "SELECT id, scope, title, file_name FROM document WHERE id = $1";
            let Some(row) = db.rows(sql, &[id.uuid().into()])?.pop() else { return Ok(None) };
            let document = without_chunks(&row, id)?;
            let chunks = chunks_between(db, embedder.as_deref(), (id, id))?.remove(&id);
            let chunks = chunks.unwrap_or_else(|| Ok(Vec::new()))?;
            Ok(Some(LibraryDocument { chunks, ..document }))
        })
        .await
    }

    /// Of a document's chunks, by their number: for words that have to be made anew.
    pub async fn chunk_texts(&self, id: DocumentId) -> Result<Vec<(u32, String)>, StoreError> {
        let sql = "SELECT own.number, chunk.text FROM document_chunk own \
                   JOIN chunk ON chunk.hash = own.hash WHERE own.document = $1 ORDER BY own.number";
        let rows = query_all(self.reader(), sql, vec![id.uuid().into()]).await?;
        rows.iter().map(|row| Ok((number(row.get(0)?), row.get(1)?))).collect()
    }
}

/// `Err` for one that cannot be read back.
type ChunksOf = BTreeMap<DocumentId, Result<Vec<LibraryChunk>, StoreError>>;

fn batch(
    db: &DirectReader,
    embedder: Option<String>,
    after: Option<DocumentId>,
) -> Result<LibraryBatch, StoreError> {
    let sql = "SELECT id, scope, title, file_name, chunks FROM document WHERE id > $1 \
               ORDER BY id LIMIT $2";
    let rows = db.rows(sql, &[behind(after).into(), to_db(BATCH_DOCUMENTS_MAX)?.into()])?;
    let mut batch = first_of(&rows);
    let mut chunks = chunks_of(db, embedder.as_deref(), &batch.documents)?;
    for document in std::mem::take(&mut batch.documents) {
        with_chunks(&mut batch, document, &mut chunks);
    }
    Ok(batch)
}

fn behind(after: Option<DocumentId>) -> Uuid {
    after.map_or(Uuid::nil(), DocumentId::uuid)
}

/// Of documents in the order of their ids. One half is read beside the other: by one thread it was half of a start.
fn chunks_of(
    db: &DirectReader,
    embedder: Option<&str>,
    documents: &[LibraryDocument],
) -> Result<ChunksOf, StoreError> {
    let read = |part: &[LibraryDocument]| match (part.first(), part.last()) {
        (Some(first), Some(last)) => chunks_between(db, embedder, (first.id, last.id)),
        (None, _) | (_, None) => Ok(ChunksOf::new()),
    };
    let (one, other) = documents.split_at(documents.len() / 2);
    thread::scope(|threads| {
        let one = thread::Builder::new().spawn_scoped(threads, || read(one));
        let mut all = read(other)?;
        let one = one.map_err(|error| unavailable(&error))?.join();
        let one = one.map_err(|_| unavailable(&"a thread that reads documents stopped"))?;
        all.append(&mut one?);
        Ok(all)
    })
}

fn unavailable(reason: &dyn fmt::Display) -> StoreError {
    StoreError::Unavailable { reason: reason.to_string() }
}

/// As many as a batch has, without their chunks.
fn first_of(rows: &[Row]) -> LibraryBatch {
    let (mut batch, mut chunks) = (LibraryBatch::default(), 0_u64);
    for row in rows {
        let Some(id) = id_of(row) else { continue };
        chunks = chunks.saturating_add(row.get(4).map_or(0, from_db));
        if chunks > BATCH_CHUNKS_MAX && batch.last.is_some() {
            break;
        }
        batch.last = Some(id);
        match without_chunks(row, id) {
            Ok(document) => batch.documents.push(document),
            Err(error) => batch.unreadable.push((id, error)),
        }
    }
    batch
}

fn with_chunks(batch: &mut LibraryBatch, document: LibraryDocument, of: &mut ChunksOf) {
    match of.remove(&document.id).unwrap_or_else(|| Ok(Vec::new())) {
        Ok(chunks) => batch.documents.push(LibraryDocument { chunks, ..document }),
        Err(error) => batch.unreadable.push((document.id, error)),
    }
}

/// `None`: nobody can say what it is of.
fn id_of(row: &Row) -> Option<DocumentId> {
    let told = |error: &StoreError| tracing::error!(%error, "a row of documents has no id");
    row.get::<Uuid>(0).inspect_err(told).ok().map(Into::into)
}

fn without_chunks(row: &Row, id: DocumentId) -> Result<LibraryDocument, StoreError> {
    let (scope, title, file_name) = (scope(&row.get::<String>(1)?)?, row.get(2)?, row.get(3)?);
    Ok(LibraryDocument { id, scope, title, file_name, chunks: Vec::new() })
}

/// Of all documents from the first to the last id; without vectors that scopes share where it is embedded now.
fn chunks_between(
    db: &DirectReader,
    embedder: Option<&str>,
    (first, last): (DocumentId, DocumentId),
) -> Result<ChunksOf, StoreError> {
    let sql = "SELECT own.document, own.number, own.passage, own.hash, own.terms, made.vector \
               FROM document_chunk own LEFT JOIN chunk_vector made \
               ON made.hash = own.hash AND made.embedder = $3 \
               WHERE own.document BETWEEN $1 AND $2 ORDER BY own.document, own.number";
    let unshown = match embedder.is_some_and(is_shared) {
        true => embedded_now(db)?,
        false => BTreeSet::new(),
    };
    let mut all = ChunksOf::new();
    for row in db.rows(sql, &[first.uuid().into(), last.uuid().into(), embedder.into()])? {
        let Some(document) = id_of(&row) else { continue };
        let own = all.entry(document).or_insert_with(|| Ok(Vec::new()));
        if let Ok(chunks) = own {
            match chunk(&row) {
                Ok(chunk) if unshown.contains(&document) => {
                    chunks.push(LibraryChunk { vector: None, ..chunk });
                }
                Ok(chunk) => chunks.push(chunk),
                Err(error) => *own = Err(error),
            }
        }
    }
    Ok(all)
}

fn chunk(row: &Row) -> Result<LibraryChunk, StoreError> {
    Ok(LibraryChunk {
        number: number(row.get(1)?),
        passage: number(row.get(2)?),
        hash: digest(row.get(3)?, ContentDigest::from_bytes, "the hash of a chunk")?,
        terms: row.get(4)?,
        vector: row.get(5)?,
    })
}
