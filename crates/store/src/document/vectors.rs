//! Vectors of chunks by model: which are there, which are missing, whose chunks a text is.

use super::{chunks::add_vectors, passage::number, row::scope};
use crate::{
    database::{
        column::digest,
        number::{from_db, to_db},
        statement::{Row, execute, query, query_all},
    },
    error::StoreError,
    store::Store,
    writer::point::Point,
};
use sea_orm::Value;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, DocumentId, Scope};

const HASH: &str = "the hash of a chunk";
/// Vectors that go in one transaction.
const DROPPED_AT_ONCE: u64 = 1_000;

/// Of which text, and of which model.
pub type VectorKey = (Vec<u8>, String);

impl Store {
    /// Those of these chunks that have one of this model.
    pub async fn vectors(
        &self,
        embedder: &str,
        of: &[ContentDigest],
    ) -> Result<BTreeMap<ContentDigest, Vec<u8>>, StoreError> {
        let sql = "SELECT vector FROM chunk_vector WHERE hash = $1 AND embedder = $2";
        let (embedder, of) = (embedder.to_owned(), of.to_vec());
        self.beside(move |db| {
            let mut vectors = BTreeMap::new();
            for hash in of {
                let values: [Value; 2] = [hash.bytes().to_vec().into(), embedder.clone().into()];
                if let Some(row) = db.rows(sql, &values)?.pop() {
                    vectors.insert(hash, row.get(0)?);
                }
            }
            Ok(vectors)
        })
        .await
    }

    /// Those of these chunks that a document of this scope has.
    pub async fn chunks_in_scope(
        &self,
        scope: Scope,
        of: &[ContentDigest],
    ) -> Result<BTreeSet<ContentDigest>, StoreError> {
        let sql = "SELECT 1 FROM document_chunk WHERE hash = $1 AND scope = $2 LIMIT 1";
        let (scope, of) = (scope.to_string(), of.to_vec());
        self.beside(move |db| {
            let mut own = BTreeSet::new();
            for hash in of {
                let values: [Value; 2] = [hash.bytes().to_vec().into(), scope.clone().into()];
                if !db.rows(sql, &values)?.is_empty() {
                    own.insert(hash);
                }
            }
            Ok(own)
        })
        .await
    }

    /// How many texts have none of this model.
    pub async fn missing_vectors(&self, embedder: &str) -> Result<u64, StoreError> {
        let sql = "SELECT COUNT(*) FROM chunk WHERE NOT EXISTS (SELECT 1 FROM chunk_vector \
                   WHERE chunk_vector.hash = chunk.hash AND chunk_vector.embedder = $1)";
        let row = query(self.reader(), sql, vec![embedder.into()]).await?;
        Ok(from_db(row.ok_or_else(StoreError::given_up)?.get(0)?))
    }

    /// Texts behind that hash that have none of this model.
    pub async fn texts_without_vector(
        &self,
        embedder: &str,
        after: Option<ContentDigest>,
        limit: u64,
    ) -> Result<Vec<(ContentDigest, String)>, StoreError> {
        let sql = "SELECT hash, text FROM chunk WHERE hash > $2 AND NOT EXISTS (SELECT 1 FROM chunk_vector \
                   WHERE chunk_vector.hash = chunk.hash AND chunk_vector.embedder = $1) \
                   ORDER BY hash LIMIT $3";
        let after = after.map(|hash| hash.bytes().to_vec()).unwrap_or_default();
        let values: Vec<Value> = vec![embedder.into(), after.into(), to_db(limit)?.into()];
        let rows = query_all(self.reader(), sql, values).await?;
        let read =
            |row: &Row| Ok((digest(row.get(0)?, ContentDigest::from_bytes, HASH)?, row.get(1)?));
        rows.iter().map(read).collect()
    }

    /// Of chunks that are there still.
    pub async fn put_vectors(
        &self,
        embedder: &str,
        vectors: Vec<(ContentDigest, Vec<u8>)>,
    ) -> Result<(), StoreError> {
        let embedder = embedder.to_owned();
        self.write(Point::P, move |tx| {
            Box::pin(async move { add_vectors(&tx.db, &embedder, &vectors).await })
        })
        .await
    }

    /// Of models that are none of these, and of no provider, behind that vector; a bounded number at a time. `None`: there are
    /// no more. A provider's have a `#` in what they are kept under: they go with the last document of their project that
    /// has the text.
    pub async fn drop_vectors_but(
        &self,
        embedders: &[&str],
        after: Option<VectorKey>,
    ) -> Result<Option<VectorKey>, StoreError> {
        let places: Vec<String> = (4..embedders.len() + 4).map(|nth| format!("${nth}")).collect();
        let sql = format!(
            "SELECT hash, embedder FROM chunk_vector WHERE (hash, embedder) > ($1, $2) \
             AND embedder NOT IN ({}) AND embedder NOT LIKE '%#%' ORDER BY hash, embedder LIMIT $3",
            places.join(", ")
        );
        let (hash, embedder) = after.unwrap_or_default();
        let mut values: Vec<Value> =
            vec![hash.into(), embedder.into(), to_db(DROPPED_AT_ONCE)?.into()];
        values.extend(embedders.iter().map(|name| Value::from(*name)));
        let rows = query_all(self.reader(), &sql, values).await?;
        let read = |row: &Row| Ok::<VectorKey, StoreError>((row.get(0)?, row.get(1)?));
        let keys = rows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let Some(last) = keys.last().cloned() else { return Ok(None) };
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                for (hash, embedder) in keys {
                    let sql = "DELETE FROM chunk_vector WHERE hash = $1 AND embedder = $2";
                    execute(&tx.db, sql, vec![hash.into(), embedder.into()]).await?;
                }
                Ok::<_, StoreError>(())
            })
        })
        .await?;
        Ok(Some(last))
    }

    /// Whose chunks this text is, by their number in each document.
    pub async fn chunks_of_text(
        &self,
        hash: ContentDigest,
    ) -> Result<Vec<(Scope, DocumentId, u32)>, StoreError> {
        let sql = "SELECT document.scope, own.document, own.number FROM document_chunk own \
                   JOIN document ON document.id = own.document WHERE own.hash = $1";
        let rows = query_all(self.direct(), sql, vec![hash.bytes().to_vec().into()]).await?;
        let read = |row: &Row| {
            let scope = scope(&row.get::<String>(0)?)?;
            Ok((scope, row.get::<Uuid>(1)?.into(), number(row.get(2)?)))
        };
        rows.iter().map(read).collect()
    }
}
