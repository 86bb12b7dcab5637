//! Opening the audit: loads the signing key, and proves that the audit is as this server left it.

use super::{
    AllHeads, AuditBatch, Chain, Signer, all_heads,
    head::{self, Head},
    name::named,
    outside::{Anchors, Outside},
    proof::prove,
    stage::{RECORDS_SEALED_KIND, SEALED_KIND, Stage},
};
use crate::{
    account::presence::has_accounts,
    database::{
        clock::now,
        entity::audit_head,
        statement::{Reads, Writes, execute, models, query, query_all},
    },
    error::StoreError,
    keys::{
        rotation::Ring,
        secret::{self, Purpose},
    },
    writer::boundary::AuditEntry,
};
use sea_orm::{ConnectionTrait, EntityTrait as _};
use serde_json::json;
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};
use wiiiv_vault::random_bytes;
use zeroize::Zeroizing;

/// Records that are sealed at a time.
const PAGE: u32 = 1000;
const SEED_BYTES: usize = 32;
/// Behind the seed, where only the master key writes: each head carries a seal of its own.
const APART: u8 = 1;
/// And all of them one together.
const TOGETHER: u8 = 2;
/// And each record one of its own.
const RECORDS: u8 = 3;

/// The signing key as it lies there. Missing beside accounts, it was taken away: another one would
/// sign a history that nobody vouches for.
async fn signing_key<C: Reads>(db: &C, ring: &Ring) -> Result<Option<(Signer, Stage)>, StoreError> {
    let key = (Chain::Server, Purpose::SigningKey);
    let Some(kept) = secret::get(db, ring, key).await? else {
        return match has_accounts(db).await? {
            true => Err(StoreError::corrupt("the signing key")),
            false => Ok(None),
        };
    };
    let stage = match kept.get(SEED_BYTES..) {
        Some([]) => Stage::Unsealed,
        Some([APART]) => Stage::Apart,
        Some([TOGETHER]) => Stage::Together,
        Some([RECORDS]) => Stage::Records,
        Some(_) | None => return Err(StoreError::corrupt("the signing key")),
    };
    let seed = kept.get(..SEED_BYTES).unwrap_or_default();
    Ok(Some((Signer::from_seed(seed)?, stage)))
}

#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) signer: Arc<Signer>,
    pub(crate) outside: Option<Outside>,
    pub(crate) heads: Option<AllHeads>,
    /// The audit is not as this server left it.
    pub(crate) fault: Option<StoreError>,
}

/// The signing key, and what is wrong with the audit, if anything is. At the first start the key is
/// drawn; what an earlier build left is proved by its chains, then sealed, once.
pub(crate) async fn settle<C: ConnectionTrait>(
    db: &C,
    ring: &Ring,
    checkpoints: Option<PathBuf>,
) -> Result<Settled, StoreError> {
    let (signer, stage) = match signing_key(db, ring).await? {
        Some(found) => found,
        None => (first_key(db, ring).await?, Stage::First),
    };
    let signer = Arc::new(signer);
    let mut settled = Settled { signer, outside: None, heads: None, fault: None };
    if let Err(error) = settled.proved(db, ring, stage, checkpoints).await {
        settled.fault = Some(error.into_fault()?);
    }
    Ok(settled)
}

impl Settled {
    async fn proved<C: ConnectionTrait>(
        &mut self,
        db: &C,
        ring: &Ring,
        stage: Stage,
        checkpoints: Option<PathBuf>,
    ) -> Result<(), StoreError> {
        let mut anchors = Anchors::default();
        if let Some(path) = checkpoints {
            if stage == Stage::First {
                Outside::begin(&path)?;
            }
            let (outside, read) = Outside::read(path, &self.signer)?;
            outside.close();
            (self.outside, anchors) = (Some(outside), read);
        }
        let proved = prove(db, &self.signer, stage, &anchors).await?;
        lacks_seals(db, stage).await?;
        self.heads = match stage {
            Stage::First | Stage::Records => proved,
            Stage::Unsealed | Stage::Apart | Stage::Together => {
                Some(adopt(db, ring, &self.signer, (stage, proved)).await?)
            }
        };
        Ok(())
    }
}

/// Whether there are records that the next start seals. Refused where they had seals before: an earlier
/// build left all of them without, or none.
async fn lacks_seals<C: Reads>(db: &C, stage: Stage) -> Result<bool, StoreError> {
    let unsealed = "SELECT chain, seq, EXISTS (SELECT 1 FROM audit_record WHERE seal IS NOT NULL) \
                    FROM audit_record WHERE seal IS NULL LIMIT 1";
    let Some(row) = query(db, unsealed, Vec::new()).await? else { return Ok(false) };
    let (chain, seq, beside_others): (String, i64, bool) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let left_so = match stage {
        Stage::Unsealed | Stage::Apart => true,
        Stage::Together => !beside_others,
        Stage::First | Stage::Records => false,
    };
    left_so.then_some(true).ok_or_else(|| {
        StoreError::tampered(format!("record `{seq}` of the chain `{chain}` has no seal"))
    })
}

/// Those that a build before the seals of records left, once their chains are proved; how many.
async fn seal_records<C: Writes>(db: &C, signer: &Signer) -> Result<usize, StoreError> {
    let unsealed =
        format!("SELECT chain, seq, hash FROM audit_record WHERE seal IS NULL LIMIT {PAGE}");
    let update = "UPDATE audit_record SET seal = $3 WHERE chain = $1 AND seq = $2";
    let mut sealed = 0;
    loop {
        let rows = query_all(db, &unsealed, Vec::new()).await?;
        if rows.is_empty() {
            return Ok(sealed);
        }
        sealed += rows.len();
        for row in rows {
            let (chain, seq, hash): (String, i64, Vec<u8>) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            let hash = hash.try_into().map_err(|_| StoreError::corrupt("a record's hash"))?;
            let seal = signer.records().seal(&hash).to_vec();
            execute(db, update, vec![chain.into(), seq.into(), seal.into()]).await?;
        }
    }
}

/// With the seal over no head at all: from here on there is always one.
async fn first_key<C: Writes>(db: &C, ring: &Ring) -> Result<Signer, StoreError> {
    let mut seed = Zeroizing::new(random_bytes::<SEED_BYTES>()?.to_vec());
    let signer = Signer::from_seed(&seed)?;
    seed.push(RECORDS);
    secret::put(db, &ring.vault(), (Chain::Server, Purpose::SigningKey), &seed).await?;
    head::save(db, &signer, &mut AllHeads::default(), std::iter::empty()).await?;
    Ok(signer)
}

/// Seals what an earlier build left, and says so: in the log, and in the server's chain, by which a
/// second time is refused. `proved`: heads that are sealed together already.
async fn adopt<C: Writes>(
    db: &C,
    ring: &Ring,
    signer: &Arc<Signer>,
    (from, proved): (Stage, Option<AllHeads>),
) -> Result<AllHeads, StoreError> {
    let records = seal_records(db, signer).await?;
    let is_new = proved.is_none() || records > 0;
    let (all, entry) = match proved {
        Some(all) => (all, AuditEntry::new(RECORDS_SEALED_KIND, json!({ "records": records }))),
        None => {
            let (all, chains) = seal_heads(db, signer).await?;
            let body = json!({ "chains": chains, "from": from.as_str() });
            (all, AuditEntry::new(SEALED_KIND, body))
        }
    };
    let key = (Chain::Server, Purpose::SigningKey);
    if let Some(kept) = secret::get(db, ring, key).await? {
        let mut seed = Zeroizing::new(kept.get(..SEED_BYTES).unwrap_or_default().to_vec());
        seed.push(RECORDS);
        secret::renew(db, &ring.vault(), key, &seed).await?;
    }
    let mut batch = AuditBatch::new(Arc::clone(signer), Some(all));
    batch.record(db, Chain::Server, now(), entry).await?;
    batch.flush(db).await?;
    if is_new {
        tracing::warn!(
            records,
            from = from.as_str(),
            "THE AUDIT IS SEALED NOW, ONCE: an earlier build left it. If this data was started by this \
             build before, somebody has put an older key in its place"
        );
    }
    batch.into_heads().ok_or_else(|| StoreError::corrupt("the audit's heads"))
}

/// How many they are beside them.
async fn seal_heads<C: Writes>(db: &C, signer: &Signer) -> Result<(AllHeads, usize), StoreError> {
    let mut heads = BTreeMap::new();
    for row in models(audit_head::Entity::find(), db).await? {
        if !all_heads::is_row(&row.chain) {
            let chain = named(&row.chain)?;
            heads.insert(chain, Head::unsealed(chain, row)?);
        }
    }
    let mut all = AllHeads::default();
    head::save(db, signer, &mut all, heads.iter()).await?;
    Ok((all, heads.len()))
}

/// The signing key, for a look at what is hashed with a key of it.
pub(super) async fn kept_signer<C: Reads>(
    db: &C,
    ring: &Ring,
) -> Result<Option<Signer>, StoreError> {
    Ok(signing_key(db, ring).await?.map(|(signer, _)| signer))
}

/// A look from outside, that changes nothing: whether all is sealed that will be. `None`: there is no signing
/// key yet.
pub(crate) async fn prove_kept<C: ConnectionTrait>(
    db: &C,
    ring: &Ring,
    checkpoints: Option<PathBuf>,
) -> Result<Option<bool>, StoreError> {
    let Some((signer, stage)) = signing_key(db, ring).await? else { return Ok(None) };
    let read = checkpoints.map(|path| Outside::read(path, &signer)).transpose()?;
    let anchors = read.map(|(_, anchors)| anchors).unwrap_or_default();
    let heads = prove(db, &signer, stage, &anchors).await?;
    let records_lack = lacks_seals(db, stage).await?;
    Ok(Some(heads.is_some() && !records_lack))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        config::StoreConfig,
        database::connect::{Access, Origin},
    };
    use sea_orm::DatabaseConnection;
    use wiiiv_migrations::{Migrator, MigratorTrait as _};
    use wiiiv_vault::{MasterKey, MasterKeys};

    const KEY: (Chain, Purpose) = (Chain::Server, Purpose::SigningKey);

    async fn fresh() -> (DatabaseConnection, Ring) {
        let origin = Origin::of(&StoreConfig::memory()).unwrap();
        let db = origin.orm(Access::Write).await.unwrap();
        Migrator::up(&db, None).await.unwrap();
        let keys = MasterKeys::of(MasterKey::parse(&"07".repeat(32)).unwrap());
        let ring = Ring::new(crate::keys::rotation::opened(&db, &keys).await.unwrap());
        (db, ring)
    }

    async fn run(db: &DatabaseConnection, sql: &str, values: Vec<sea_orm::Value>) {
        execute(db, sql, values).await.unwrap();
    }

    async fn sealed(db: &DatabaseConnection) -> Vec<u8> {
        let sql = "SELECT sealed FROM secret WHERE purpose = 'signing-key'";
        let row = query(db, sql, Vec::new()).await.unwrap().unwrap();
        row.get(0).unwrap()
    }

    async fn records(db: &DatabaseConnection, kind: &str) -> i64 {
        let sql = "SELECT CAST(COUNT(*) AS BIGINT) FROM audit_record WHERE kind = $1";
        let row = query(db, sql, vec![kind.into()]).await.unwrap().unwrap();
        row.get(0).unwrap()
    }

    /// Of records, as somebody does who has the file.
    async fn take_seals(db: &DatabaseConnection, of: &str) {
        let trigger = "SELECT sql FROM sqlite_master WHERE name = 'audit_record_no_UPDATE'";
        let trigger = query(db, trigger, Vec::new()).await.unwrap().unwrap();
        run(db, "DROP TRIGGER audit_record_no_UPDATE", Vec::new()).await;
        run(db, &format!("UPDATE audit_record SET seal = NULL {of}"), Vec::new()).await;
        run(db, &trigger.get::<String>(0).unwrap(), Vec::new()).await;
    }

    async fn sealed_records(db: &DatabaseConnection) -> (i64, i64) {
        let sql = "SELECT COUNT(seal), COUNT(*) FROM audit_record";
        let row = query(db, sql, Vec::new()).await.unwrap().unwrap();
        (row.get(0).unwrap(), row.get(1).unwrap())
    }

    /// A store with one record, as the build of that stage left it.
    async fn left_by(stage: Stage) -> (DatabaseConnection, Ring, Vec<u8>) {
        let (db, ring) = fresh().await;
        let Settled { signer, heads, .. } = settle(&db, &ring, None).await.unwrap();
        let mut batch = AuditBatch::new(signer, heads);
        let entry = AuditEntry::new("server.started", json!({}));
        batch.record(&db, Chain::Server, now(), entry).await.unwrap();
        batch.flush(&db).await.unwrap();
        let kept = secret::get(&db, &ring, KEY).await.unwrap().unwrap();
        let mut seed = kept[..SEED_BYTES].to_vec();
        seed.extend(match stage {
            Stage::Apart => Some(APART),
            Stage::Together => Some(TOGETHER),
            Stage::First | Stage::Unsealed | Stage::Records => None,
        });
        secret::renew(&db, &ring.vault(), KEY, &seed).await.unwrap();
        take_seals(&db, "").await;
        if stage != Stage::Together {
            run(&db, "DELETE FROM audit_head WHERE chain = 'heads'", Vec::new()).await;
        }
        if stage == Stage::Unsealed {
            run(&db, "UPDATE audit_head SET seal = NULL", Vec::new()).await;
        }
        let old = sealed(&db).await;
        (db, ring, old)
    }

    #[tokio::test]
    async fn what_an_earlier_build_left_is_sealed_once_and_never_again() {
        for stage in [Stage::Unsealed, Stage::Apart] {
            let (db, ring, old) = left_by(stage).await;
            let settled = settle(&db, &ring, None).await.unwrap();
            assert!(settled.fault.is_none() && settled.heads.is_some(), "{stage:?}");
            assert_eq!(records(&db, SEALED_KIND).await, 1, "{stage:?}");
            let again = settle(&db, &ring, None).await.unwrap();
            assert_eq!(again.heads, settled.heads);
            assert_eq!(records(&db, SEALED_KIND).await, 1, "{stage:?}");

            // The way in is not opened again by a key from before that day, nor by taking seals off.
            run(
                &db,
                "UPDATE secret SET sealed = $1 WHERE purpose = 'signing-key'",
                vec![old.into()],
            )
            .await;
            run(&db, "UPDATE audit_head SET seal = NULL", Vec::new()).await;
            let records = settle(&db, &ring, None).await.unwrap().fault.unwrap().to_string();
            let expected = match stage {
                Stage::Unsealed => "was sealed with record `2`",
                Stage::First | Stage::Apart | Stage::Together | Stage::Records => {
                    "has not the seal"
                }
            };
            assert!(records.contains(expected), "{stage:?}: {records}");
        }
    }

    /// The records of a build that sealed heads and not records get their seals at one start, and none that is
    /// taken away later is made anew: neither beside others, nor of all of them, nor under the key of that build.
    #[tokio::test]
    async fn records_are_sealed_once_and_a_seal_that_is_gone_is_missed() {
        for stage in [Stage::Unsealed, Stage::Apart, Stage::Together] {
            let (db, ring, old) = left_by(stage).await;
            let settled = settle(&db, &ring, None).await.unwrap();
            assert!(settled.fault.is_none(), "{stage:?}: {:?}", settled.fault);
            assert_eq!(sealed_records(&db).await, (2, 2), "{stage:?}");
            assert_eq!(prove_kept(&db, &ring, None).await.unwrap(), Some(true));
            let told = i64::from(stage == Stage::Together);
            assert_eq!(records(&db, RECORDS_SEALED_KIND).await, told, "{stage:?}");
            for of in ["WHERE seq = 2", ""] {
                take_seals(&db, of).await;
                let fault = settle(&db, &ring, None).await.unwrap().fault.unwrap().to_string();
                assert!(fault.contains("has no seal"), "{stage:?}: {fault}");
                assert!(prove_kept(&db, &ring, None).await.is_err(), "{stage:?}");
            }
            let back = "UPDATE secret SET sealed = $1 WHERE purpose = 'signing-key'";
            run(&db, back, vec![old.into()]).await;
            let fault = settle(&db, &ring, None).await.unwrap().fault.unwrap().to_string();
            assert!(fault.contains("was sealed with record `2`"), "{stage:?}: {fault}");
            assert_eq!(sealed_records(&db).await.0, 0, "{stage:?}");
        }
        let (db, ring, _) = left_by(Stage::Together).await;
        assert_eq!(prove_kept(&db, &ring, None).await.unwrap(), Some(false));
        settle(&db, &ring, None).await.unwrap();
        // A first start makes nothing that could be sealed once more.
        let (db, ring) = fresh().await;
        let settled = settle(&db, &ring, None).await.unwrap();
        let mut batch = AuditBatch::new(settled.signer, settled.heads);
        let entry = AuditEntry::new("server.started", json!({}));
        batch.record(&db, Chain::Server, now(), entry).await.unwrap();
        batch.flush(&db).await.unwrap();
        take_seals(&db, "").await;
        assert!(settle(&db, &ring, None).await.unwrap().fault.is_some());
    }

    /// Genuine, seals included, and from before the newest record.
    #[tokio::test]
    async fn heads_that_are_older_than_a_lost_transaction_are_refused() {
        let (db, ring) = fresh().await;
        let Settled { signer, heads, .. } = settle(&db, &ring, None).await.unwrap();
        let mut batch = AuditBatch::new(signer, heads);
        let entry = || AuditEntry::new("server.started", json!({}));
        let old = "CREATE TEMPORARY TABLE old AS SELECT * FROM audit_head";
        for copied in [old, "SELECT 1"] {
            batch.mark();
            batch.record(&db, Chain::Server, now(), entry()).await.unwrap();
            batch.flush(&db).await.unwrap();
            run(&db, copied, Vec::new()).await;
        }
        batch.mark();
        batch.record(&db, Chain::Server, now(), entry()).await.unwrap();
        batch.forget();
        for back in [
            "DROP TRIGGER audit_record_no_delete",
            "DELETE FROM audit_record WHERE seq = 2",
            "DELETE FROM audit_head",
            "INSERT INTO audit_head SELECT * FROM old",
        ] {
            run(&db, back, Vec::new()).await;
        }
        let refused = batch.record(&db, Chain::Server, now(), entry()).await;
        assert!(matches!(refused, Err(StoreError::Tampered { .. })), "{refused:?}");
    }

    #[tokio::test]
    async fn data_without_its_signing_key_is_not_signed_by_another() {
        let (db, ring, _) = left_by(Stage::Apart).await;
        run(&db, "DELETE FROM secret WHERE purpose = 'signing-key'", Vec::new()).await;
        let settled = settle(&db, &ring, None).await.unwrap();
        assert!(settled.fault.is_some(), "the heads are of another key");
        let account = "INSERT INTO account (id, name, password_hash, admin, created_at) \
                       VALUES (x'00', 'a', 'b', 1, 0)";
        let (db, ring, _) = left_by(Stage::Apart).await;
        run(&db, "DELETE FROM secret WHERE purpose = 'signing-key'", Vec::new()).await;
        run(&db, account, Vec::new()).await;
        assert!(matches!(settle(&db, &ring, None).await, Err(StoreError::Corrupt { .. })));
    }
}
