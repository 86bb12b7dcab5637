//! Where the records of one transaction are collected, to be written in as few statements as can
//! be, before its COMMIT.
//!
//! The heads of chains stay in memory from one transaction to the next: the writer is alone.

use super::{
    Chain, Signer,
    head::{self, Head},
    line::Line,
};
use crate::{
    boundary::AuditEntry,
    error::StoreError,
    number::to_db,
    statement::{execute, rows},
};
use sea_orm::{ConnectionTrait, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use wiiiv_domain::Timestamp;

/// Records that may stand behind the newest checkpoint before one is signed with them.
pub const CHECKPOINT_RECORDS: u64 = 1000;
/// Chains whose heads stay in memory.
const HEADS_MAX: usize = 10_000;
/// Rows of one insert: SQLite takes 32,766 values in a statement.
const INSERT_ROWS_MAX: usize = 1000;

#[derive(Debug)]
struct Signed {
    chain: Chain,
    size: u64,
    line: String,
}

/// How it was before the job at hand.
#[derive(Debug, Default)]
struct Mark {
    heads: Vec<(Chain, Head)>,
    lines: usize,
    signed: usize,
}

#[derive(Debug)]
pub(crate) struct Desk {
    signer: Arc<Signer>,
    heads: BTreeMap<Chain, Head>,
    /// Chains that this transaction has added to.
    touched: BTreeSet<Chain>,
    lines: Vec<Line>,
    signed: Vec<Signed>,
    mark: Mark,
}

impl Desk {
    pub(crate) fn new(signer: Arc<Signer>) -> Self {
        Self {
            signer,
            heads: BTreeMap::new(),
            touched: BTreeSet::new(),
            lines: Vec::new(),
            signed: Vec::new(),
            mark: Mark::default(),
        }
    }

    pub(crate) async fn record<C: ConnectionTrait>(
        &mut self,
        db: &C,
        chain: Chain,
        at: Timestamp,
        entry: AuditEntry,
    ) -> Result<u64, StoreError> {
        let mut head = self.open(db, chain).await?;
        let seq = head.tree.size + 1;
        let line = Line::write(chain, (seq, &head.hash), &entry.kind, entry.body, at)?;
        head.hash = line.hash;
        head.tree.push(&line.hash);
        self.lines.push(line);
        if head.tree.size - head.checkpoint >= CHECKPOINT_RECORDS {
            self.sign(chain, &mut head, at)?;
        }
        self.heads.insert(chain, head);
        Ok(seq)
    }

    /// Covers every record so far, those of this transaction too; the head as it is then.
    pub(super) async fn checkpoint<C: ConnectionTrait>(
        &mut self,
        db: &C,
        chain: Chain,
        at: Timestamp,
    ) -> Result<Head, StoreError> {
        let mut head = self.open(db, chain).await?;
        if head.tree.size > head.checkpoint {
            self.sign(chain, &mut head, at)?;
        }
        self.heads.insert(chain, head.clone());
        Ok(head)
    }

    /// As [`Desk::checkpoint`], with the line that is signed: the chain has a record that no
    /// checkpoint covered before this transaction.
    pub(crate) async fn signed<C: ConnectionTrait>(
        &mut self,
        db: &C,
        chain: Chain,
        at: Timestamp,
    ) -> Result<String, StoreError> {
        let size = self.checkpoint(db, chain, at).await?.tree.size;
        let newest =
            self.signed.iter().rfind(|signed| signed.chain == chain && signed.size == size);
        let newest = newest.ok_or_else(|| StoreError::corrupt("the newest checkpoint"))?;
        Ok(newest.line.clone())
    }

    /// The head as it is, remembered in case that the job is undone.
    async fn open<C: ConnectionTrait>(&mut self, db: &C, chain: Chain) -> Result<Head, StoreError> {
        let head = match self.heads.get(&chain) {
            Some(head) => head.clone(),
            None => Head::load(db, &self.signer, chain).await?,
        };
        if !self.mark.heads.iter().any(|(marked, _)| *marked == chain) {
            self.mark.heads.push((chain, head.clone()));
        }
        self.touched.insert(chain);
        Ok(head)
    }

    fn sign(&mut self, chain: Chain, head: &mut Head, at: Timestamp) -> Result<(), StoreError> {
        let size = head.tree.size;
        let line = self.signer.checkpoint(chain, size, (&head.hash, &head.tree.root()), at)?;
        self.signed.push(Signed { chain, size, line });
        head.checkpoint = size;
        Ok(())
    }

    /// Before each job.
    pub(crate) fn mark(&mut self) {
        self.mark = Mark { heads: Vec::new(), lines: self.lines.len(), signed: self.signed.len() };
    }

    /// What the job at hand added goes with its savepoint.
    pub(crate) fn undo(&mut self) {
        self.heads.extend(std::mem::take(&mut self.mark.heads));
        self.lines.truncate(self.mark.lines);
        self.signed.truncate(self.mark.signed);
    }

    /// After the last job, before COMMIT.
    pub(crate) async fn flush<C: ConnectionTrait>(&mut self, db: &C) -> Result<(), StoreError> {
        while !self.lines.is_empty() {
            let rest = self.lines.split_off(self.lines.len().min(INSERT_ROWS_MAX));
            insert_records(db, std::mem::replace(&mut self.lines, rest)).await?;
        }
        for signed in self.signed.drain(..) {
            let insert = "INSERT INTO audit_checkpoint (chain, size, line) VALUES ($1, $2, $3)";
            let (chain, size) = (signed.chain.to_string(), to_db(signed.size)?);
            execute(db, insert, vec![chain.into(), size.into(), signed.line.into()]).await?;
        }
        let touched = std::mem::take(&mut self.touched);
        head::save(
            db,
            &self.signer,
            self.heads.iter().filter(|(chain, _)| touched.contains(chain)),
        )
        .await?;
        if self.heads.len() > HEADS_MAX {
            self.heads.clear();
        }
        Ok(())
    }

    /// The transaction came to nothing: what is in memory may be ahead of what is written.
    pub(crate) fn forget(&mut self) {
        *self = Self::new(Arc::clone(&self.signer));
    }
}

async fn insert_records<C: ConnectionTrait>(db: &C, lines: Vec<Line>) -> Result<(), StoreError> {
    const COLUMNS: usize = 7;
    let sql = format!(
        "INSERT INTO audit_record (chain, seq, kind, at, about, hash, line) VALUES {}",
        rows(lines.len(), COLUMNS)
    );
    let mut values: Vec<Value> = Vec::with_capacity(lines.len() * COLUMNS);
    for line in lines {
        values.extend([
            line.chain.to_string().into(),
            to_db(line.seq)?.into(),
            line.kind.into(),
            line.at.unix_ms().into(),
            line.about.into(),
            line.hash.to_vec().into(),
            line.text.into(),
        ]);
    }
    execute(db, &sql, values).await.map(drop)
}
