//! Appending to a chain, inside the transaction of what the records speak of.

use super::{Chain, Signer, checkpoint, head::Head, line::Line};
use crate::{
    boundary::AuditEntry,
    error::StoreError,
    number::to_db,
    statement::{execute, rows},
};
use sea_orm::{ConnectionTrait, Value};
use serde::Serialize;
use std::sync::Arc;
use wiiiv_domain::Timestamp;

const COLUMNS: usize = 7;
/// Rows of one insert: SQLite takes 32,766 values in a statement.
const INSERT_ROWS_MAX: usize = 1000;

/// Holds the key that checkpoints are signed with.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    pub(super) signer: Arc<Signer>,
}

impl Ledger {
    pub(crate) fn new(signer: Signer) -> Self {
        Self { signer: Arc::new(signer) }
    }
    pub(crate) fn signer(&self) -> &Signer {
        &self.signer
    }
    /// Opens the chain's right edge; what is added is written by `finish`.
    pub(crate) async fn open<C: ConnectionTrait>(
        &self,
        db: &C,
        chain: Chain,
        at: Timestamp,
    ) -> Result<Appending<'_>, StoreError> {
        let head = Head::load(db, chain).await?;
        Ok(Appending { ledger: self, chain, at, head, lines: Vec::new() })
    }
    /// One record. Its number comes back.
    pub(crate) async fn record<C: ConnectionTrait>(
        &self,
        db: &C,
        chain: Chain,
        at: Timestamp,
        entry: AuditEntry,
    ) -> Result<u64, StoreError> {
        let mut appending = self.open(db, chain, at).await?;
        let seq = appending.add(entry)?;
        appending.finish(db).await?;
        Ok(seq)
    }
}

pub(crate) struct Appending<'a> {
    ledger: &'a Ledger,
    chain: Chain,
    at: Timestamp,
    head: Head,
    lines: Vec<Line>,
}

impl Appending<'_> {
    /// The record's number, which other rows of the same transaction may name.
    pub(crate) fn add(&mut self, entry: AuditEntry) -> Result<u64, StoreError> {
        let seq = self.head.tree.size + 1;
        let place = (seq, &self.head.hash);
        let line = Line::write(self.chain, place, &entry.kind, entry.body, self.at)?;
        self.head.hash = line.hash;
        self.head.tree.push(&line.hash);
        self.lines.push(line);
        Ok(seq)
    }
    pub(crate) fn add_document<T: Serialize>(
        &mut self,
        kind: &str,
        document: &T,
    ) -> Result<u64, StoreError> {
        self.add(AuditEntry::new(kind, serde_json::to_value(document)?))
    }

    pub(crate) async fn finish<C: ConnectionTrait>(mut self, db: &C) -> Result<(), StoreError> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let chain = self.chain.to_string();
        while !self.lines.is_empty() {
            let rest = self.lines.split_off(self.lines.len().min(INSERT_ROWS_MAX));
            insert(db, &chain, std::mem::replace(&mut self.lines, rest)).await?;
        }
        checkpoint::when_due(db, &self.ledger.signer, self.chain, &mut self.head, self.at).await?;
        self.head.save(db, self.chain).await
    }
}

async fn insert<C: ConnectionTrait>(
    db: &C,
    chain: &str,
    lines: Vec<Line>,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO audit_record (chain, seq, kind, at, about, hash, line) VALUES {}",
        rows(lines.len(), COLUMNS)
    );
    let mut values: Vec<Value> = Vec::with_capacity(lines.len() * COLUMNS);
    for line in lines {
        values.push(chain.into());
        values.push(to_db(line.seq)?.into());
        values.push(line.kind.into());
        values.push(line.at.unix_ms().into());
        values.push(line.about.into());
        values.push(line.hash.to_vec().into());
        values.push(line.text.into());
    }
    execute(db, &sql, values).await.map(drop)
}
