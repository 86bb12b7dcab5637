//! What an erasure of texts takes: all documents of a scope, and the ingests of it with their files.

use super::{change::take_away, list::by_id};
use crate::{
    account::authority::Authority,
    database::{
        clock::now,
        number::to_db,
        statement::{execute, query_all},
    },
    error::StoreError,
    store::Store,
    writer::{point::Point, write_transaction::WriteTransaction},
};
use sea_orm::Value;
use uuid::Uuid;
use wiiiv_domain::{DocumentId, Scope, Timestamp, UserId};

/// Documents that are looked for at a time.
const BATCH_MAX: u64 = 256;

/// By an administrator, for one scope.
#[derive(Debug, Clone)]
pub(crate) struct EraseDocuments {
    pub(crate) by: Authority,
    pub(crate) user: UserId,
    pub(crate) scope: Scope,
    pub(crate) erasure: Uuid,
    /// What was changed since stays.
    pub(crate) before: Option<Timestamp>,
}

impl Store {
    /// One transaction a document. `erased`: what went, also where the rest failed, so that nobody finds it any more.
    pub(crate) async fn erase_documents(
        &self,
        erase: &EraseDocuments,
        erased: &mut Vec<(Scope, DocumentId)>,
    ) -> Result<(), StoreError> {
        let ingests = erase.clone();
        self.write(Point::P, move |tx| Box::pin(async move { ingests.drop_ingests(tx).await }))
            .await?;
        let mut after = Uuid::nil();
        loop {
            let found = self.documents_to_erase(erase, after).await?;
            let Some(last) = found.last() else { return Ok(()) };
            after = last.uuid();
            for id in found {
                let one = erase.clone();
                let gone = self
                    .write(Point::P, move |tx| Box::pin(async move { one.take(tx, id).await }))
                    .await?;
                if gone {
                    erased.push((erase.scope, id));
                }
            }
        }
    }

    async fn documents_to_erase(
        &self,
        erase: &EraseDocuments,
        after: Uuid,
    ) -> Result<Vec<DocumentId>, StoreError> {
        let sql = "SELECT id FROM document WHERE scope = $1 AND id > $2 AND updated_at < $3 \
                   ORDER BY id LIMIT $4";
        let values: Vec<Value> = vec![
            erase.scope.to_string().into(),
            after.into(),
            erase.until().into(),
            to_db(BATCH_MAX)?.into(),
        ];
        let rows = query_all(self.reader(), sql, values).await?;
        rows.iter().map(|row| row.get::<Uuid>(0).map(Into::into)).collect()
    }
}

impl EraseDocuments {
    fn until(&self) -> i64 {
        self.before.map_or(i64::MAX, |before| before.unix_ms())
    }

    async fn stands(&self, tx: &WriteTransaction) -> Result<(), StoreError> {
        let stands = self.by.stands(&tx.db, None, now()).await?;
        stands.then_some(()).ok_or(StoreError::AuthorityGone)
    }

    async fn take(self, tx: &mut WriteTransaction, id: DocumentId) -> Result<bool, StoreError> {
        self.stands(tx).await?;
        let row = by_id(&tx.db, id).await?;
        let row =
            row.filter(|row| row.scope == self.scope && row.updated_at.unix_ms() < self.until());
        let Some(row) = row else { return Ok(false) };
        take_away(tx, &row, (Some(self.user), Some(self.erasure))).await?;
        let count = "UPDATE erasure SET documents = documents + 1 WHERE id = $1";
        execute(&tx.db, count, vec![self.erasure.into()]).await?;
        Ok(true)
    }

    /// Names of files are texts, and a file that waits is one: an ingest that runs finds that it has ended.
    async fn drop_ingests(self, tx: &mut WriteTransaction) -> Result<(), StoreError> {
        self.stands(tx).await?;
        let of = || -> Vec<Value> { vec![self.scope.to_string().into(), self.until().into()] };
        let files = "DELETE FROM ingest_file WHERE job IN \
                     (SELECT id FROM ingest_job WHERE scope = $1 AND created_at < $2)";
        tx.db.overwrite(true)?;
        let files = execute(&tx.db, files, of()).await;
        let jobs = "DELETE FROM ingest_job WHERE scope = $1 AND created_at < $2";
        let jobs = match files {
            Ok(_) => execute(&tx.db, jobs, of()).await,
            failed => failed,
        };
        tx.db.overwrite(false)?;
        jobs.map(drop)
    }
}
