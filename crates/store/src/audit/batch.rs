//! Collects the records of one transaction and writes them in as few statements as possible, before
//! its COMMIT.
//!
//! The heads of chains stay in memory between transactions, because there is only one writer.

use super::{
    AllHeads, Chain, Signer,
    all_heads::Total,
    head::{self, Head},
    line::Line,
};
use crate::{
    database::{
        number::to_db,
        statement::{INSERT_ROWS_MAX, Reads, Writes, execute, rows},
    },
    error::StoreError,
    writer::boundary::AuditEntry,
};
use sea_orm::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use wiiiv_domain::Timestamp;

/// Records that may stand behind the newest checkpoint before one is signed with them.
pub const CHECKPOINT_RECORDS: u64 = 1000;
/// Chains whose heads stay in memory.
const HEADS_MAX: usize = 10_000;

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
    /// Chains that no job before it has added to.
    touched: Vec<Chain>,
    lines: usize,
    signed: usize,
}

#[derive(Debug)]
pub(crate) struct AuditBatch {
    signer: Arc<Signer>,
    heads: BTreeMap<Chain, Head>,
    /// As they are written; `None`: to be looked at anew.
    all: Option<AllHeads>,
    /// What they came to before this transaction wrote them.
    before: Option<Total>,
    /// What they may come to where they are looked at anew.
    expected: Option<[Total; 2]>,
    /// Chains that this transaction has added to.
    touched: BTreeSet<Chain>,
    lines: Vec<Line>,
    signed: Vec<Signed>,
    mark: Mark,
}

impl AuditBatch {
    pub(crate) fn new(signer: Arc<Signer>, all: Option<AllHeads>) -> Self {
        Self {
            signer,
            heads: BTreeMap::new(),
            all,
            before: None,
            expected: None,
            touched: BTreeSet::new(),
            lines: Vec::new(),
            signed: Vec::new(),
            mark: Mark::default(),
        }
    }

    /// As they are written, where nothing waits to be.
    pub(super) fn into_heads(self) -> Option<AllHeads> {
        self.all
    }

    pub(crate) async fn record<C: Reads>(
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
    pub(super) async fn checkpoint<C: Reads>(
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

    /// As [`AuditBatch::checkpoint`], with the line that is signed: the chain has a record that no
    /// checkpoint covered before this transaction.
    pub(crate) async fn signed<C: Reads>(
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
    async fn open<C: Reads>(&mut self, db: &C, chain: Chain) -> Result<Head, StoreError> {
        let head = match self.heads.get(&chain) {
            Some(head) => head.clone(),
            None => self.newest(db, chain).await?,
        };
        if !self.mark.heads.iter().any(|(marked, _)| *marked == chain) {
            self.mark.heads.push((chain, head.clone()));
        }
        if self.touched.insert(chain) {
            self.mark.touched.push(chain);
        }
        Ok(head)
    }

    /// Read, and compared with what was written: an older one has a seal too.
    async fn newest<C: Reads>(&mut self, db: &C, chain: Chain) -> Result<Head, StoreError> {
        let all = match &self.all {
            Some(all) => all,
            None => {
                let all = AllHeads::load_one_of(db, &self.signer, self.expected).await?;
                self.all.insert(all)
            }
        };
        let head = Head::load(db, &self.signer, chain).await?;
        let seal = (head.tree.size > 0).then(|| head.seal(&self.signer, chain));
        all.holds(chain, seal.as_ref())?;
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
        let (lines, signed) = (self.lines.len(), self.signed.len());
        self.mark = Mark { lines, signed, ..Mark::default() };
        self.before = None;
    }

    /// What the job at hand added goes with its savepoint.
    pub(crate) fn undo(&mut self) {
        self.heads.extend(std::mem::take(&mut self.mark.heads));
        for chain in std::mem::take(&mut self.mark.touched) {
            self.touched.remove(&chain);
        }
        self.lines.truncate(self.mark.lines);
        self.signed.truncate(self.mark.signed);
    }

    /// After the last job, before COMMIT.
    pub(crate) async fn flush<C: Writes>(&mut self, db: &C) -> Result<(), StoreError> {
        while !self.lines.is_empty() {
            let rest = self.lines.split_off(self.lines.len().min(INSERT_ROWS_MAX));
            insert_records(db, &self.signer, std::mem::replace(&mut self.lines, rest)).await?;
        }
        for signed in self.signed.drain(..) {
            let insert = "INSERT INTO audit_checkpoint (chain, size, line) VALUES ($1, $2, $3)";
            let (chain, size) = (signed.chain.to_string(), to_db(signed.size)?);
            execute(db, insert, vec![chain.into(), size.into(), signed.line.into()]).await?;
        }
        let touched = std::mem::take(&mut self.touched);
        if !touched.is_empty() {
            // A chain was looked at before anything was added to it.
            let all = self.all.as_mut().ok_or_else(|| StoreError::corrupt("the audit's heads"))?;
            self.before = Some(all.total());
            let heads = self.heads.iter().filter(|(chain, _)| touched.contains(chain));
            head::save(db, &self.signer, all, heads).await?;
        }
        if self.heads.len() > HEADS_MAX {
            self.heads.clear();
        }
        Ok(())
    }

    /// The transaction came to nothing, as far as anybody can tell: what is in memory may be ahead of
    /// what is written.
    pub(crate) fn forget(&mut self) {
        let written = self.all.as_ref().map(AllHeads::total);
        let expected = written.map(|written| [self.before.unwrap_or(written), written]);
        let expected = expected.or(self.expected);
        *self = Self { expected, ..Self::new(Arc::clone(&self.signer), None) };
    }
}

async fn insert_records<C: Writes>(
    db: &C,
    signer: &Signer,
    lines: Vec<Line>,
) -> Result<(), StoreError> {
    const COLUMNS: usize = 8;
    let sql = format!(
        "INSERT INTO audit_record (chain, seq, kind, at, about, hash, line, seal) VALUES {}",
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
            signer.records().seal(&line.hash).to_vec().into(),
        ]);
    }
    execute(db, &sql, values).await.map(drop)
}
