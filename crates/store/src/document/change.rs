//! Removal and new titles: in one transaction with their record.

use super::{
    author::DocumentAuthor,
    capacity::DocumentKey,
    chunks::{drop_content, drop_unused},
    job::forget,
    list::by_id,
    passage::place,
    project_vectors::{drop_unheld, texts_of},
    put::save,
    record::{RENAMED, chain_of, changed, gone},
    refused::DocumentRefused,
    row::DocumentRow,
};
use crate::{
    database::{
        clock::now,
        statement::{Writes, execute},
    },
    error::StoreError,
    store::Store,
    writer::{point::Point, write_transaction::WriteTransaction},
};
use uuid::Uuid;
use wiiiv_domain::{DocumentId, UserId};
use wiiiv_vault::AuditKey;

impl Store {
    /// What no other document has goes with it. What it was comes back.
    pub async fn remove_document(
        &self,
        author: DocumentAuthor,
        id: DocumentId,
    ) -> Result<DocumentRow, DocumentRefused> {
        let row = self.document(id).await?.ok_or(DocumentRefused::NotFound)?;
        author.may_write(row.scope, self.registrar())?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                author.stands(&tx.db, now()).await?;
                let row = by_id(&tx.db, id).await?.ok_or(DocumentRefused::NotFound)?;
                take_away(tx, &row, (author.user(), None)).await?;
                Ok::<_, DocumentRefused>(row)
            })
        })
        .await
    }

    /// `expected`: the version that its author saw. No text of a chunk changes by it, and so no vector.
    pub async fn rename_document(
        &self,
        author: DocumentAuthor,
        (id, expected): (DocumentId, u64),
        title: String,
    ) -> Result<DocumentRow, DocumentRefused> {
        let row = self.document(id).await?.ok_or(DocumentRefused::NotFound)?;
        author.may_write(row.scope, self.registrar())?;
        let key = self.document_key(row.scope).await?;
        self.write(Point::P, move |tx| {
            Box::pin(async move { rename(tx, &author, (id, expected, title), &key).await })
        })
        .await
    }

    /// Of chunks of this document, by their number: the words of another version are made anew.
    pub async fn set_terms(
        &self,
        id: DocumentId,
        terms: Vec<(u32, Vec<u8>)>,
    ) -> Result<(), StoreError> {
        self.write(Point::P, move |tx| {
            Box::pin(async move { write_terms(&tx.db, id, &terms).await })
        })
        .await
    }

    /// Whether their files are gone from the folder.
    pub async fn mark_stale(&self, ids: Vec<DocumentId>, stale: bool) -> Result<(), StoreError> {
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                for id in ids {
                    let sql = "UPDATE document SET stale = $2 WHERE id = $1";
                    execute(&tx.db, sql, vec![id.uuid().into(), stale.into()]).await?;
                }
                Ok::<_, StoreError>(())
            })
        })
        .await
    }
}

/// With all that it has, and with the ingests of its file, which name it. Nothing of it stays on a page that is free then.
pub(super) async fn take_away(
    tx: &mut WriteTransaction,
    row: &DocumentRow,
    (by, erasure): (Option<UserId>, Option<Uuid>),
) -> Result<(), StoreError> {
    tx.db.overwrite(true)?;
    let dropped = drop_whole(&tx.db, row).await;
    tx.db.overwrite(false)?;
    dropped?;
    let entry = gone((row.id, row.scope), by, erasure);
    tx.record(chain_of(row.scope), now(), entry).await.map(drop)
}

async fn drop_whole<C: Writes>(db: &C, row: &DocumentRow) -> Result<(), StoreError> {
    let former = texts_of(db, row.scope, row.id).await?;
    drop_content(db, row.id).await?;
    drop_unheld(db, row.scope, former).await?;
    execute(db, "DELETE FROM document WHERE id = $1", vec![row.id.uuid().into()]).await?;
    forget(db, DocumentKey::of_document(row)).await?;
    drop_unused(db).await
}

async fn rename(
    tx: &mut WriteTransaction,
    author: &DocumentAuthor,
    (id, expected, title): (DocumentId, u64, String),
    key: &AuditKey,
) -> Result<DocumentRow, DocumentRefused> {
    let at = now();
    author.stands(&tx.db, at).await?;
    let row = by_id(&tx.db, id).await?.ok_or(DocumentRefused::NotFound)?;
    if row.version != expected {
        return Err(DocumentRefused::VersionChanged { current: row.version });
    }
    let version = row.version + 1;
    let author = author.user();
    let row = DocumentRow { title, title_given: true, version, author, updated_at: at, ..row };
    let seq = tx.record(chain_of(row.scope), at, changed(RENAMED, &row, key)?).await?;
    save(&tx.db, &row, seq).await?;
    Ok(row)
}

async fn write_terms<C: Writes>(
    db: &C,
    id: DocumentId,
    terms: &[(u32, Vec<u8>)],
) -> Result<(), StoreError> {
    let sql = "UPDATE document_chunk SET terms = $3 WHERE document = $1 AND number = $2";
    for (number, terms) in terms {
        let values = vec![id.uuid().into(), place(*number)?.into(), terms.clone().into()];
        execute(db, sql, values).await?;
    }
    Ok(())
}
