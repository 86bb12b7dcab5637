//! Vectors that a provider's model made of a project's texts. They are kept as `NAME:DIMENSIONS#PROJECT`: each project
//! has its own and pays for its own, so that what it pays, and how long that takes, tells nothing of what others hold.

use super::row::scope;
use crate::{
    database::{
        column::digest,
        number::{from_db, to_db},
        statement::{Reads, Row, Writes, execute, query, query_all},
    },
    error::StoreError,
    store::Store,
    writer::point::Point,
};
use sea_orm::Value;
use std::collections::BTreeSet;
use wiiiv_domain::{ContentDigest, DocumentId, ProjectId, Scope};

const HASH: &str = "the hash of a chunk";
/// Vectors that go in one transaction.
const DROPPED_AT_ONCE: u64 = 1_000;

impl Store {
    /// How many texts of the scope have none.
    pub async fn missing_in(&self, scope: Scope, embedder: &str) -> Result<u64, StoreError> {
        let sql = "SELECT COUNT(DISTINCT own.hash) FROM document_chunk own WHERE own.scope = $1 \
                   AND NOT EXISTS (SELECT 1 FROM chunk_vector \
                   WHERE chunk_vector.hash = own.hash AND chunk_vector.embedder = $2)";
        let values = vec![scope.to_string().into(), embedder.into()];
        let row = query(self.reader(), sql, values).await?;
        Ok(from_db(row.ok_or_else(StoreError::given_up)?.get(0)?))
    }

    /// The same of one document.
    pub async fn missing_of(
        &self,
        document: DocumentId,
        embedder: &str,
    ) -> Result<u64, StoreError> {
        let sql = "SELECT COUNT(DISTINCT own.hash) FROM document_chunk own WHERE own.document = $1 \
                   AND NOT EXISTS (SELECT 1 FROM chunk_vector \
                   WHERE chunk_vector.hash = own.hash AND chunk_vector.embedder = $2)";
        let values = vec![document.uuid().into(), embedder.into()];
        let row = query(self.reader(), sql, values).await?;
        Ok(from_db(row.ok_or_else(StoreError::given_up)?.get(0)?))
    }

    /// Texts of the scope behind that hash that have none.
    pub async fn texts_without_vector_in(
        &self,
        scope: Scope,
        embedder: &str,
        (after, limit): (Option<ContentDigest>, u64),
    ) -> Result<Vec<(ContentDigest, String)>, StoreError> {
        let sql = "SELECT hash, text FROM chunk WHERE hash > $2 \
                   AND EXISTS (SELECT 1 FROM document_chunk own WHERE own.hash = chunk.hash AND own.scope = $4) \
                   AND NOT EXISTS (SELECT 1 FROM chunk_vector \
                   WHERE chunk_vector.hash = chunk.hash AND chunk_vector.embedder = $1) \
                   ORDER BY hash LIMIT $3";
        let after = after.map(|hash| hash.bytes().to_vec()).unwrap_or_default();
        let values: Vec<Value> =
            vec![embedder.into(), after.into(), to_db(limit)?.into(), scope.to_string().into()];
        texts(&query_all(self.reader(), sql, values).await?)
    }

    /// Texts of the document that have none.
    pub async fn texts_without_vector_of(
        &self,
        document: DocumentId,
        embedder: &str,
        limit: u64,
    ) -> Result<Vec<(ContentDigest, String)>, StoreError> {
        let sql = "SELECT hash, text FROM chunk \
                   WHERE hash IN (SELECT own.hash FROM document_chunk own WHERE own.document = $2) \
                   AND NOT EXISTS (SELECT 1 FROM chunk_vector \
                   WHERE chunk_vector.hash = chunk.hash AND chunk_vector.embedder = $1) \
                   ORDER BY hash LIMIT $3";
        let values = vec![embedder.into(), document.uuid().into(), to_db(limit)?.into()];
        texts(&query_all(self.reader(), sql, values).await?)
    }

    /// As which most texts of the project have a vector of the model of that name, whatever its dimensions.
    pub async fn embedder_in(
        &self,
        scope: Scope,
        name: &str,
    ) -> Result<Option<String>, StoreError> {
        let Some(project) = scope.project() else { return Ok(None) };
        let sql = "SELECT made.embedder FROM document_chunk own \
                   JOIN chunk_vector made ON made.hash = own.hash \
                   WHERE own.scope = $1 AND substr(made.embedder, 1, $2) = $3 \
                   GROUP BY made.embedder ORDER BY COUNT(*) DESC, made.embedder";
        let (begins, ends) = (format!("{name}:"), format!("#{project}"));
        let length = to_db(begins.chars().count() as u64)?;
        let values: Vec<Value> =
            vec![scope.to_string().into(), length.into(), begins.clone().into()];
        for row in query_all(self.reader(), sql, values).await? {
            let embedder: String = row.get(0)?;
            if is_between(&embedder, (&begins, &ends)) {
                return Ok(Some(embedder));
            }
        }
        Ok(None)
    }

    /// What the project's texts have of the model of that name with other dimensions than what is kept so; a bounded number at
    /// a time.
    pub async fn drop_other_dimensions(
        &self,
        scope: Scope,
        name: &str,
        kept: &str,
    ) -> Result<(), StoreError> {
        let Some(project) = scope.project() else { return Ok(()) };
        let (begins, ends) = (format!("{name}:"), format!("#{project}"));
        for embedder in self.embedders().await? {
            if embedder != kept && is_between(&embedder, (&begins, &ends)) {
                self.drop_vectors_of(&embedder).await?;
            }
        }
        Ok(())
    }

    async fn drop_vectors_of(&self, embedder: &str) -> Result<(), StoreError> {
        let mut after: Vec<u8> = Vec::new();
        loop {
            let sql = "SELECT hash FROM chunk_vector WHERE hash > $1 AND embedder = $2 \
                       ORDER BY hash LIMIT $3";
            let values = vec![after.into(), embedder.into(), to_db(DROPPED_AT_ONCE)?.into()];
            let rows = query_all(self.reader(), sql, values).await?;
            let hashes: Vec<Vec<u8>> =
                rows.iter().map(|row| row.get(0)).collect::<Result<_, _>>()?;
            let Some(last) = hashes.last().cloned() else { return Ok(()) };
            after = last;
            let embedder = embedder.to_owned();
            self.write(Point::P, move |tx| {
                Box::pin(async move {
                    for hash in hashes {
                        let sql = "DELETE FROM chunk_vector WHERE hash = $1 AND embedder = $2";
                        execute(&tx.db, sql, vec![hash.into(), embedder.clone().into()]).await?;
                    }
                    Ok::<_, StoreError>(())
                })
            })
            .await?;
        }
    }

    /// What vectors are kept under, of all models.
    pub async fn embedders(&self) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT DISTINCT embedder FROM chunk_vector ORDER BY embedder";
        let rows = query_all(self.reader(), sql, Vec::new()).await?;
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// Projects that have documents.
    pub async fn projects_with_documents(&self) -> Result<Vec<ProjectId>, StoreError> {
        let sql = "SELECT DISTINCT scope FROM document WHERE scope LIKE 'project:%' ORDER BY scope";
        let rows = query_all(self.reader(), sql, Vec::new()).await?;
        let read = |row: &Row| Ok(scope(&row.get::<String>(0)?)?.project());
        rows.iter().filter_map(|row| read(row).transpose()).collect()
    }

    /// Of texts that the scope has still.
    pub async fn put_vectors_in(
        &self,
        scope: Scope,
        embedder: &str,
        vectors: Vec<(ContentDigest, Vec<u8>)>,
    ) -> Result<(), StoreError> {
        let (scope, embedder) = (scope.to_string(), embedder.to_owned());
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let sql = "INSERT INTO chunk_vector (hash, embedder, vector) SELECT $1, $2, $3 \
                           WHERE EXISTS (SELECT 1 FROM document_chunk own \
                           WHERE own.hash = $1 AND own.scope = $4) \
                           ON CONFLICT (hash, embedder) DO NOTHING";
                for (hash, vector) in vectors {
                    let hash = hash.bytes().to_vec().into();
                    let (embedder, scope) = (embedder.clone().into(), scope.clone().into());
                    execute(&tx.db, sql, vec![hash, embedder, vector.into(), scope]).await?;
                }
                Ok::<_, StoreError>(())
            })
        })
        .await
    }
}

/// With nothing but dimensions between: a model whose name goes on behind a colon is another one.
fn is_between(embedder: &str, (begins, ends): (&str, &str)) -> bool {
    let rest = embedder.strip_prefix(begins).and_then(|rest| rest.strip_suffix(ends));
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

fn texts(rows: &[Row]) -> Result<Vec<(ContentDigest, String)>, StoreError> {
    let read = |row: &Row| Ok((digest(row.get(0)?, ContentDigest::from_bytes, HASH)?, row.get(1)?));
    rows.iter().map(read).collect()
}

/// What a document of a project has, for [`drop_unheld`] once that is gone.
pub(super) async fn texts_of<C: Reads>(
    db: &C,
    scope: Scope,
    document: DocumentId,
) -> Result<BTreeSet<Vec<u8>>, StoreError> {
    if scope.project().is_none() {
        return Ok(BTreeSet::new());
    }
    let sql = "SELECT DISTINCT hash FROM document_chunk WHERE document = $1";
    let rows = query_all(db, sql, vec![document.uuid().into()]).await?;
    rows.iter().map(|row| row.get(0)).collect()
}

/// Of these texts the project's vectors of those that it has no more. Others may hold the text: added again it is paid for
/// again, whoever else has it.
pub(super) async fn drop_unheld<C: Writes>(
    db: &C,
    scope: Scope,
    texts: BTreeSet<Vec<u8>>,
) -> Result<(), StoreError> {
    let Some(project) = scope.project() else { return Ok(()) };
    let sql = "DELETE FROM chunk_vector WHERE hash = $1 AND embedder LIKE $2 \
               AND NOT EXISTS (SELECT 1 FROM document_chunk own WHERE own.hash = $1 AND own.scope = $3)";
    for hash in texts {
        let values = vec![hash.into(), format!("%#{project}").into(), scope.to_string().into()];
        execute(db, sql, values).await?;
    }
    Ok(())
}
