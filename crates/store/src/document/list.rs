//! Documents by id and by scope, and how many there are.

use super::{
    job_row::IngestJobRow,
    row::{COLUMNS, DocumentOrigin, DocumentRow, read},
};
use crate::{
    database::{
        column::digest,
        number::{from_db, to_db},
        page::Page,
        statement::{Reads, query, query_all},
    },
    error::StoreError,
    store::Store,
};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, DocumentId, Scope};

/// Counts over all scopes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DocumentTotals {
    pub documents: u64,
    /// Rows of documents, also of texts that several share.
    pub chunks: u64,
    /// Texts.
    pub texts: u64,
    /// Ingests that wait or run.
    pub open_ingests: u64,
}

/// A document of the administrator's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderDocument {
    pub id: DocumentId,
    pub file_name: String,
    pub digest: ContentDigest,
    pub stale: bool,
}

impl Store {
    pub async fn document(&self, id: DocumentId) -> Result<Option<DocumentRow>, StoreError> {
        by_id(self.direct(), id).await
    }

    /// Whose place that ingest takes.
    pub async fn document_named(
        &self,
        job: &IngestJobRow,
    ) -> Result<Option<DocumentRow>, StoreError> {
        named(self.direct(), (job.scope, job.origin, &job.file_name)).await
    }

    /// Newest first.
    pub async fn documents(
        &self,
        scope: Scope,
        page: Page,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM document WHERE scope = $1 AND (id < $2 OR $2 IS NULL) \
             ORDER BY id DESC LIMIT $3"
        );
        let values = vec![scope.to_string().into(), page.before.into(), to_db(page.rows())?.into()];
        let rows = query_all(self.reader(), &sql, values).await?;
        rows.iter().map(|row| read(row).map(|(document, _)| document)).collect()
    }

    /// All of the folder.
    pub async fn folder_documents(&self, scope: Scope) -> Result<Vec<FolderDocument>, StoreError> {
        let sql =
            "SELECT id, file_name, digest, stale FROM document WHERE scope = $1 AND origin = $2";
        let values = vec![scope.to_string().into(), DocumentOrigin::Folder.as_str().into()];
        let mut documents = Vec::new();
        for row in query_all(self.reader(), sql, values).await? {
            documents.push(FolderDocument {
                id: row.get::<Uuid>(0)?.into(),
                file_name: row.get(1)?,
                digest: digest(row.get(2)?, ContentDigest::from_bytes, "a digest")?,
                stale: row.get(3)?,
            });
        }
        Ok(documents)
    }

    /// Those of the folder in all other scopes than that. `None`: in any.
    pub async fn folder_documents_outside(
        &self,
        scope: Option<Scope>,
    ) -> Result<Vec<DocumentId>, StoreError> {
        let sql = "SELECT id FROM document WHERE origin = $1 AND (scope <> $2 OR $2 IS NULL)";
        let scope = scope.map(|scope| scope.to_string());
        let values = vec![DocumentOrigin::Folder.as_str().into(), scope.into()];
        let rows = query_all(self.reader(), sql, values).await?;
        rows.iter().map(|row| row.get::<Uuid>(0).map(Into::into)).collect()
    }

    pub async fn document_totals(&self) -> Result<DocumentTotals, StoreError> {
        let sql = "SELECT (SELECT COUNT(*) FROM document), (SELECT COUNT(*) FROM document_chunk), \
                   (SELECT COUNT(*) FROM chunk), \
                   (SELECT COUNT(*) FROM ingest_job WHERE ended_at IS NULL)";
        let row = query(self.reader(), sql, Vec::new()).await?.ok_or_else(StoreError::given_up)?;
        Ok(DocumentTotals {
            documents: from_db(row.get(0)?),
            chunks: from_db(row.get(1)?),
            texts: from_db(row.get(2)?),
            open_ingests: from_db(row.get(3)?),
        })
    }
}

pub(super) async fn by_id<C: Reads>(
    db: &C,
    id: DocumentId,
) -> Result<Option<DocumentRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM document WHERE id = $1");
    let row = query(db, &sql, vec![id.uuid().into()]).await?;
    row.as_ref().map(|row| read(row).map(|(document, _)| document)).transpose()
}

/// The one of that name.
pub(super) async fn named<C: Reads>(
    db: &C,
    (scope, origin, file_name): (Scope, DocumentOrigin, &str),
) -> Result<Option<DocumentRow>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM document WHERE scope = $1 AND origin = $2 AND file_name = $3"
    );
    let values = vec![scope.to_string().into(), origin.as_str().into(), file_name.into()];
    let row = query(db, &sql, values).await?;
    row.as_ref().map(|row| read(row).map(|(document, _)| document)).transpose()
}
