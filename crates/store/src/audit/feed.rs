//! A chain as it grows: the lines behind a position, for a reader that comes back for more. Format:
//! `docs/audit-export.md`, "Feed".

use super::{
    Chain, all_heads,
    line::{Hash, StoredLine},
    name::named,
    walk::fault,
};
use crate::{
    database::{
        clock::now,
        entity::{audit_checkpoint, audit_record},
        number::{from_db, to_db},
        statement::{Row, execute, query_all},
    },
    error::StoreError,
    store::Store,
    writer::point::Point,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use std::collections::BTreeMap;

/// Records of one page.
pub const FEED_RECORDS_MAX: u64 = 500;
/// Bytes of one page, but for the first of its lines.
const PAGE_BYTES_MAX: usize = 1024 * 1024;

/// Where a reader stands: behind this record, and behind this checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedPosition {
    /// 0 before the first.
    pub seq: u64,
    /// Of that record; zeros before the first.
    pub hash: [u8; 32],
    /// Records that the newest delivered checkpoint covers.
    pub signed: u64,
}

impl FeedPosition {
    pub const START: Self = Self { seq: 0, hash: [0; 32], signed: 0 };
}

/// The next lines, and where their reader stands then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedPage {
    /// Each ends with a newline; empty where there is nothing new.
    pub text: String,
    pub position: FeedPosition,
}

#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// 409: an older copy of the data was put in place, or the position is another chain's.
    #[error(
        "record `{seq}` of the chain `{chain}` is not the one that was delivered: an older copy of the data was \
         put in place, or the position is of another chain"
    )]
    Elsewhere { chain: String, seq: u64 },
}

impl Store {
    /// The lines behind that position. Each record fits the one before, and is as this server wrote it.
    pub async fn feed(&self, chain: Chain, from: FeedPosition) -> Result<FeedPage, FeedError> {
        self.stands_at(chain, from).await?;
        let mut page = FeedPage { text: String::new(), position: from };
        let records = self.records_behind(chain, from.seq).await?;
        let last = records.last().map_or(from.seq, |row| from_db(row.seq));
        let mut signed = self.checkpoints_of(chain, from, last).await?;
        if let Some(line) = signed.remove(&from.seq).filter(|_| from.signed < from.seq) {
            page.sign(&line, from.seq);
        }
        for row in records {
            if !page.text.is_empty() && page.text.len() + row.line.len() > PAGE_BYTES_MAX {
                break;
            }
            let changed = || fault(chain, format!("was changed at record `{}`", row.seq));
            let seq = page.position.seq + 1;
            let kept = StoredLine::of(&row).ok_or_else(changed)?;
            let follows = kept.is(chain, seq)
                && from_db(row.seq) == seq
                && kept.members.prev == hex::encode(page.position.hash)
                && kept.is_sealed(row.seal.as_deref(), Some(self.direct().record_seals()));
            if !follows {
                return Err(changed().into());
            }
            page.position = FeedPosition { seq, hash: kept.hash, ..page.position };
            page.push(&row.line);
            if let Some(line) = signed.remove(&seq) {
                page.sign(&line, seq);
            }
        }
        Ok(page)
    }

    /// The record that was delivered last is there.
    async fn stands_at(&self, chain: Chain, from: FeedPosition) -> Result<(), FeedError> {
        if from.seq == 0 {
            return Ok(());
        }
        let key = (chain.to_string(), to_db(from.seq)?);
        let row = audit_record::Entity::find_by_id(key).one(self.reader()).await;
        let row = row.map_err(StoreError::from)?;
        if row.is_some_and(|row| row.hash == from.hash) {
            return Ok(());
        }
        Err(FeedError::Elsewhere { chain: chain.to_string(), seq: from.seq })
    }

    async fn records_behind(
        &self,
        chain: Chain,
        seq: u64,
    ) -> Result<Vec<audit_record::Model>, StoreError> {
        use audit_record::Column;
        let query = audit_record::Entity::find()
            .filter(Column::Chain.eq(chain.to_string()))
            .filter(Column::Seq.gt(to_db(seq)?))
            .order_by_asc(Column::Seq)
            .limit(FEED_RECORDS_MAX);
        Ok(query.all(self.reader()).await?)
    }

    /// By their size. One that was signed over records which were delivered with what came behind them is
    /// left out: the next one covers them too.
    async fn checkpoints_of(
        &self,
        chain: Chain,
        from: FeedPosition,
        last: u64,
    ) -> Result<BTreeMap<u64, String>, StoreError> {
        use audit_checkpoint::Column;
        let query = audit_checkpoint::Entity::find()
            .filter(Column::Chain.eq(chain.to_string()))
            .filter(Column::Size.gte(to_db(from.seq)?))
            .filter(Column::Size.lte(to_db(last)?));
        let rows = query.all(self.reader()).await?;
        Ok(rows.into_iter().map(|row| (from_db(row.size), row.line)).collect())
    }

    /// Every chain, with the number of its records.
    pub async fn chains(&self) -> Result<Vec<(Chain, u64)>, StoreError> {
        let sql = "SELECT chain, size FROM audit_head ORDER BY chain";
        let rows = query_all(self.reader(), sql, Vec::new()).await?;
        let mut chains = Vec::with_capacity(rows.len());
        for row in &rows {
            let name: String = row.get(0)?;
            if !all_heads::is_row(&name) {
                chains.push((named(&name)?, from_db(row.get(1)?)));
            }
        }
        Ok(chains)
    }

    /// How far this receiver got, chain by chain.
    pub async fn export_positions(
        &self,
        receiver: &str,
    ) -> Result<BTreeMap<Chain, FeedPosition>, StoreError> {
        let sql = "SELECT chain, seq, hash, signed FROM audit_export WHERE receiver = $1";
        let rows = query_all(self.reader(), sql, vec![receiver.into()]).await?;
        let read = |row: &Row| {
            let hash = Hash::try_from(row.get::<Vec<u8>>(2)?);
            let hash = hash.map_err(|_| StoreError::corrupt("an export's position"))?;
            let (seq, signed) = (from_db(row.get(1)?), from_db(row.get(3)?));
            Ok((named(&row.get::<String>(0)?)?, FeedPosition { seq, hash, signed }))
        };
        rows.iter().map(read).collect()
    }

    /// Durable when it is answered. It never goes back.
    pub async fn keep_export_position(
        &self,
        receiver: &str,
        chain: Chain,
        at: FeedPosition,
    ) -> Result<(), StoreError> {
        let values = vec![
            receiver.into(),
            chain.to_string().into(),
            to_db(at.seq)?.into(),
            at.hash.to_vec().into(),
            to_db(at.signed)?.into(),
            now().unix_ms().into(),
        ];
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let sql = "INSERT INTO audit_export (receiver, chain, seq, hash, signed, at) \
                           VALUES ($1, $2, $3, $4, $5, $6) \
                           ON CONFLICT (receiver, chain) DO UPDATE SET seq = excluded.seq, \
                           hash = excluded.hash, signed = excluded.signed, at = excluded.at \
                           WHERE excluded.seq >= audit_export.seq";
                execute(&tx.db, sql, values).await.map(drop)
            })
        })
        .await
    }
}

impl FeedPage {
    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn sign(&mut self, line: &str, size: u64) {
        self.position.signed = size;
        self.push(line);
    }
}
