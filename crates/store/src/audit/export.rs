//! A whole chain as a file, in constant memory: read once for its digest, once for writing.

use super::{Chain, head::Head, walk::Walk};
use crate::{
    database::{
        clock::now,
        entity::{audit_checkpoint, audit_record},
        number::{from_db, to_db},
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use wiiiv_domain::{Timestamp, canonical};

const PAGE_RECORDS: u64 = 500;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the export could not be written: {0}")]
    Output(#[from] std::io::Error),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    pub records: u64,
    pub bytes: u64,
}

/// How a chain stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AuditHead {
    pub records: u64,
    /// Those that the newest checkpoint covers.
    pub signed: u64,
    /// Of the last record; zeros where there is none.
    pub hash: [u8; 32],
}

#[derive(Serialize)]
struct Header<'a> {
    chain: String,
    exported_at: Timestamp,
    first: u32,
    format: &'static str,
    key_id: &'a str,
    records: String,
    sha256: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    version: u32,
}

impl Store {
    /// Signs a checkpoint over the whole chain first, so that an export has no unsigned tail. Refused
    /// where a record is not the one that the sealed head leads to: nothing is signed for it.
    pub async fn export_audit<W: AsyncWrite + Unpin + Send>(
        &self,
        chain: Chain,
        out: &mut W,
    ) -> Result<Exported, ExportError> {
        let head = self.signed_head(chain).await?;
        self.write_export(Pages::new(self, chain, head.tree.size), Some(&head), out).await
    }

    pub async fn audit_head(&self, chain: Chain) -> Result<AuditHead, StoreError> {
        let Head { hash, tree, checkpoint } =
            Head::load(self.reader(), self.signer(), chain).await?;
        Ok(AuditHead { records: tree.size, signed: checkpoint, hash })
    }

    /// The first records of a chain as they are, for a verifier: nothing is signed for it, and
    /// what is missing is left out.
    pub async fn review_audit<W: AsyncWrite + Unpin + Send>(
        &self,
        chain: Chain,
        records: u64,
        out: &mut W,
    ) -> Result<Exported, ExportError> {
        let pages = Pages { gaps: true, ..Pages::new(self, chain, records) };
        self.write_export(pages, None, out).await
    }

    async fn write_export<W: AsyncWrite + Unpin + Send>(
        &self,
        from: Pages<'_>,
        head: Option<&Head>,
        out: &mut W,
    ) -> Result<Exported, ExportError> {
        let (chain, records) = (from.chain, from.size);
        let mut digest = Sha256::new();
        let mut pages = from;
        let mut walk = head.map(|_| Walk::new(chain));
        while let Some(page) = pages.next(walk.as_mut()).await? {
            digest.update(page);
        }
        if let (Some(head), Some(walk)) = (head, walk) {
            walk.ends_at(head)?;
        }
        let header = self.export_header(chain, records, hex::encode(digest.finalize()))?;
        let mut bytes = header.len() as u64;
        out.write_all(&header).await?;
        let mut pages = from;
        while let Some(page) = pages.next(None).await? {
            bytes += page.len() as u64;
            out.write_all(page.as_bytes()).await?;
        }
        out.flush().await?;
        Ok(Exported { records, bytes })
    }

    fn export_header(
        &self,
        chain: Chain,
        records: u64,
        sha256: String,
    ) -> Result<Vec<u8>, StoreError> {
        let signer = self.signer();
        let mut header = Header {
            chain: chain.to_string(),
            exported_at: now(),
            first: 1,
            format: "wiiiv-audit-export",
            key_id: signer.key_id(),
            records: records.to_string(),
            sha256,
            signature: None,
            version: 1,
        };
        header.signature = Some(signer.sign(&canonical(&header)?));
        let mut line = canonical(&header)?;
        line.push(b'\n');
        Ok(line)
    }
}

/// Lines of records and checkpoints, in order, up to a size: what is added meanwhile is left out.
#[derive(Clone, Copy)]
struct Pages<'a> {
    store: &'a Store,
    /// Missing records are a finding of whoever reads it.
    gaps: bool,
    chain: Chain,
    done: u64,
    size: u64,
}

impl<'a> Pages<'a> {
    const fn new(store: &'a Store, chain: Chain, size: u64) -> Self {
        Self { store, chain, gaps: false, done: 0, size }
    }

    /// `walk`: each record is looked at as it comes.
    async fn next(&mut self, mut walk: Option<&mut Walk>) -> Result<Option<String>, StoreError> {
        if self.done >= self.size {
            return Ok(None);
        }
        let end = self.size.min(self.done + PAGE_RECORDS);
        let (from, to) = (to_db(self.done)?, to_db(end)?);
        let mut signed = self.checkpoints(from, to).await?;
        let mut page = String::new();
        for row in self.records(from, to).await? {
            if let Some(walk) = walk.as_deref_mut() {
                walk.step(&row, self.store.signer())?;
            }
            page.push_str(&row.line);
            page.push('\n');
            if let Some(line) = signed.remove(&row.seq) {
                page.push_str(&line);
                page.push('\n');
            }
            self.done = from_db(row.seq);
        }
        if self.gaps {
            self.done = end;
        }
        if self.done == end { Ok(Some(page)) } else { Err(StoreError::corrupt("the audit chain")) }
    }

    async fn records(&self, from: i64, to: i64) -> Result<Vec<audit_record::Model>, StoreError> {
        use audit_record::Column;
        let query = audit_record::Entity::find()
            .filter(Column::Chain.eq(self.chain.to_string()))
            .filter(Column::Seq.gt(from))
            .filter(Column::Seq.lte(to))
            .order_by_asc(Column::Seq)
            .limit(PAGE_RECORDS);
        Ok(query.all(self.store.reader()).await?)
    }

    async fn checkpoints(&self, from: i64, to: i64) -> Result<BTreeMap<i64, String>, StoreError> {
        use audit_checkpoint::Column;
        let query = audit_checkpoint::Entity::find()
            .filter(Column::Chain.eq(self.chain.to_string()))
            .filter(Column::Size.gt(from))
            .filter(Column::Size.lte(to));
        let rows = query.all(self.store.reader()).await?;
        Ok(rows.into_iter().map(|row| (row.size, row.line)).collect())
    }
}
