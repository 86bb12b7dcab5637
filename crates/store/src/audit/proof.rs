//! Whether the audit is as this server left it: asked when a store is opened, before anything is
//! signed or written, and by `doctor`.

use super::{
    Chain, Signer,
    head::Head,
    line::Hash,
    line::Kept,
    merkle::Tree,
    outside::{Anchors, Outside},
    signer::Reading,
};
use crate::{
    entity::{audit_checkpoint, audit_head, audit_record, policy_head},
    error::StoreError,
    number::{from_db, to_db},
    rotation::Ring,
    secret::{self, Purpose},
    statement::{only, query, query_all},
};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
};
use uuid::Uuid;
use wiiiv_domain::ProjectId;
use wiiiv_vault::random_bytes;
use zeroize::Zeroizing;

const PAGE_RECORDS: u64 = 1000;
const SEED_BYTES: usize = 32;
/// Behind the seed, once every head carries a seal: only the master key writes it.
const SEALED: u8 = 1;

/// How far this data has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nothing is there yet.
    First,
    /// A build before the seals left it.
    Unsealed,
    Sealed,
}

/// The signing key as it lies there. Missing beside accounts, it was taken away: another one would
/// sign a history that nobody vouches for.
pub(crate) async fn signing_key<C: ConnectionTrait>(
    db: &C,
    ring: &Ring,
) -> Result<Option<(Signer, Stage)>, StoreError> {
    let key = (Chain::Server, Purpose::SigningKey);
    let Some(kept) = secret::get(db, ring, key).await? else {
        let accounts = query(db, "SELECT id FROM account LIMIT 1", Vec::new()).await?;
        return accounts.map_or(Ok(None), |_| Err(StoreError::corrupt("the signing key")));
    };
    match kept.split_at_checked(SEED_BYTES) {
        Some((seed, [])) => Ok(Some((Signer::from_seed(seed)?, Stage::Unsealed))),
        Some((seed, [SEALED])) => Ok(Some((Signer::from_seed(seed)?, Stage::Sealed))),
        Some(_) | None => Err(StoreError::corrupt("the signing key")),
    }
}

/// What a store is opened with.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) signer: Arc<Signer>,
    pub(crate) outside: Option<Outside>,
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
    let mut settled = Settled { signer: Arc::new(signer), outside: None, fault: None };
    match settled.proved(db, ring, stage, checkpoints).await {
        Ok(()) => {}
        Err(fault @ StoreError::Tampered { .. }) => settled.fault = Some(fault),
        Err(error) => return Err(error),
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
        let read = checkpoints.map(|path| Outside::read(path, &self.signer)).transpose()?;
        let (outside, anchors) =
            read.map_or((None, Anchors::default()), |(outside, anchors)| (Some(outside), anchors));
        self.outside = outside;
        prove(db, &self.signer, stage, &anchors).await?;
        match stage {
            Stage::Unsealed => adopt(db, ring, &self.signer).await,
            Stage::First | Stage::Sealed => Ok(()),
        }
    }
}

async fn first_key<C: ConnectionTrait>(db: &C, ring: &Ring) -> Result<Signer, StoreError> {
    let mut seed = Zeroizing::new(random_bytes::<SEED_BYTES>()?.to_vec());
    let signer = Signer::from_seed(&seed)?;
    seed.push(SEALED);
    secret::put(db, &ring.vault(), (Chain::Server, Purpose::SigningKey), &seed).await?;
    Ok(signer)
}

async fn adopt<C: ConnectionTrait>(db: &C, ring: &Ring, signer: &Signer) -> Result<(), StoreError> {
    let key = (Chain::Server, Purpose::SigningKey);
    let mut heads = BTreeMap::new();
    for row in audit_head::Entity::find().all(db).await? {
        let chain = named(&row.chain)?;
        heads.insert(chain, Head::unsealed(chain, row)?);
    }
    super::head::save(db, signer, heads.iter()).await?;
    if let Some(mut seed) = secret::get(db, ring, key).await? {
        seed.push(SEALED);
        secret::renew(db, &ring.vault(), key, &seed).await?;
    }
    Ok(())
}

/// A look from outside, that changes nothing. `None`: there is no signing key yet.
pub(crate) async fn prove_kept<C: ConnectionTrait>(
    db: &C,
    ring: &Ring,
    checkpoints: Option<PathBuf>,
) -> Result<Option<()>, StoreError> {
    let Some((signer, stage)) = signing_key(db, ring).await? else { return Ok(None) };
    let read = checkpoints.map(|path| Outside::read(path, &signer)).transpose()?;
    let anchors = read.map(|(_, anchors)| anchors).unwrap_or_default();
    prove(db, &signer, stage, &anchors).await.map(Some)
}

/// Walks every chain from its first record to its head, by what was kept outside too.
pub(crate) async fn prove<C: ConnectionTrait>(
    db: &C,
    signer: &Signer,
    stage: Stage,
    outside: &Anchors,
) -> Result<(), StoreError> {
    for chain in chains(db, outside).await? {
        let row = only(audit_head::Entity::find_by_id(chain.to_string()), db).await?;
        let Some(row) = row else {
            outside.reached(chain, 0)?;
            return Err(fault(chain, "has no head"));
        };
        let head = match stage {
            Stage::Unsealed => Head::unsealed(chain, row)?,
            Stage::First | Stage::Sealed => Head::sealed(signer, chain, row)?,
        };
        let last = last_of(db, (chain, signer), &head, outside).await?;
        signed_up_to(db, chain, head.checkpoint).await?;
        if let Chain::Project(project) = chain {
            in_force(db, chain, project.uuid(), &last).await?;
        }
    }
    Ok(())
}

fn fault(chain: Chain, what: impl std::fmt::Display) -> StoreError {
    StoreError::tampered(format!("the chain `{chain}` {what}"))
}

fn named(chain: &str) -> Result<Chain, StoreError> {
    chain.parse().map_err(|_| StoreError::tampered("a chain has a name that is none"))
}

/// Each project has one, and the server where there are accounts, whoever took their rows away.
async fn chains<C: ConnectionTrait>(
    db: &C,
    outside: &Anchors,
) -> Result<BTreeSet<Chain>, StoreError> {
    let sql = "SELECT chain FROM audit_head UNION SELECT DISTINCT chain FROM audit_record \
               UNION SELECT DISTINCT chain FROM audit_checkpoint";
    let rows = query_all(db, sql, Vec::new()).await?;
    let mut chains: BTreeSet<Chain> = rows
        .iter()
        .map(|row| named(&row.try_get_by_index::<String>(0)?))
        .collect::<Result<_, _>>()?;
    for row in query_all(db, "SELECT id FROM project", Vec::new()).await? {
        chains.insert(Chain::Project(ProjectId::from(row.try_get_by_index::<Uuid>(0)?)));
    }
    if query(db, "SELECT id FROM account LIMIT 1", Vec::new()).await?.is_some() {
        chains.insert(Chain::Server);
    }
    chains.extend(outside.chains());
    Ok(chains)
}

/// A chain as far as it was read: each record fits the one before.
#[derive(Debug)]
pub(super) struct Walk {
    chain: Chain,
    prev: Hash,
    pub(super) tree: Tree,
}

impl Walk {
    pub(super) const fn new(chain: Chain) -> Self {
        Self { chain, prev: [0; 32], tree: Tree::NONE }
    }

    /// Refused where somebody changed the row, by its number.
    pub(super) fn step<'a>(
        &mut self,
        row: &'a audit_record::Model,
    ) -> Result<Kept<'a>, StoreError> {
        let seq = self.tree.size + 1;
        let changed = || fault(self.chain, format!("was changed at record `{seq}`"));
        let kept = Kept::of(row).ok_or_else(changed)?;
        let follows = kept.is(self.chain, seq) && kept.members.prev == hex::encode(self.prev);
        if !follows || row.chain != self.chain.to_string() || from_db(row.seq) != seq {
            return Err(changed());
        }
        self.prev = kept.hash;
        self.tree.push(&kept.hash);
        Ok(kept)
    }

    pub(super) fn ends_at(&self, head: &Head) -> Result<(), StoreError> {
        let (found, size) = (self.tree.size, head.tree.size);
        if self.is_at(size, &head.hash, &head.tree.root()) {
            return Ok(());
        }
        let what =
            format!("has `{found}` records that do not lead to its head, which has `{size}`");
        Err(fault(self.chain, what))
    }

    /// The checkpoint behind the record at hand is one that this server signed over it.
    fn is_signed(&self, signer: &Signer, line: &str) -> Result<(), StoreError> {
        let size = self.tree.size;
        match signer.read(line) {
            Reading::Ours(anchor)
                if anchor.chain == self.chain
                    && self.is_at(anchor.size, &anchor.head, &anchor.root) =>
            {
                Ok(())
            }
            Reading::Ours(_) | Reading::Foreign | Reading::Broken => {
                Err(fault(self.chain, format!("was changed at its checkpoint of `{size}` records")))
            }
        }
    }

    /// Whether it has come to where a checkpoint says that it was.
    pub(super) fn is_at(&self, size: u64, hash: &Hash, root: &Hash) -> bool {
        (self.tree.size, &self.prev, &self.tree.root()) == (size, hash, root)
    }
}

/// What the newest records say of a project.
#[derive(Debug, Default)]
struct Last {
    policy: Option<Uuid>,
    halted: bool,
}

impl Last {
    fn follow(&mut self, kept: &Kept<'_>) {
        match kept.members.kind.as_str() {
            "policy.recorded" => self.policy = kept.id("policy"),
            "project.halted" => self.halted = true,
            "project.resumed" => self.halted = false,
            _ => {}
        }
    }
}

async fn last_of<C: ConnectionTrait>(
    db: &C,
    (chain, signer): (Chain, &Signer),
    head: &Head,
    outside: &Anchors,
) -> Result<Last, StoreError> {
    let (mut walk, mut last) = (Walk::new(chain), Last::default());
    loop {
        let page = audit_record::Entity::find()
            .filter(audit_record::Column::Chain.eq(chain.to_string()))
            .filter(audit_record::Column::Seq.gt(to_db(walk.tree.size)?))
            .order_by_asc(audit_record::Column::Seq)
            .limit(PAGE_RECORDS)
            .all(db)
            .await?;
        if page.is_empty() {
            break;
        }
        let signed = checkpoints(db, chain, &page).await?;
        for row in page {
            last.follow(&walk.step(&row)?);
            outside.met(chain, &walk)?;
            if let Some(line) = signed.get(&row.seq) {
                walk.is_signed(signer, line)?;
            }
        }
    }
    outside.reached(chain, walk.tree.size)?;
    walk.ends_at(head)?;
    Ok(last)
}

/// Those that stand behind one of these records.
async fn checkpoints<C: ConnectionTrait>(
    db: &C,
    chain: Chain,
    page: &[audit_record::Model],
) -> Result<BTreeMap<i64, String>, StoreError> {
    use audit_checkpoint::Column;
    let ends = page.first().zip(page.last()).map_or((0, 0), |(from, to)| (from.seq, to.seq));
    let rows = audit_checkpoint::Entity::find()
        .filter(Column::Chain.eq(chain.to_string()))
        .filter(Column::Size.between(ends.0, ends.1))
        .all(db)
        .await?;
    Ok(rows.into_iter().map(|row| (row.size, row.line)).collect())
}

/// The newest checkpoint stands where the head says.
async fn signed_up_to<C: ConnectionTrait>(
    db: &C,
    chain: Chain,
    size: u64,
) -> Result<(), StoreError> {
    let sql = "SELECT MAX(size) FROM audit_checkpoint WHERE chain = $1";
    let row = query(db, sql, vec![chain.to_string().into()]).await?;
    let newest: Option<i64> = row.map(|row| row.try_get_by_index(0)).transpose()?.flatten();
    let newest = newest.map_or(0, from_db);
    if newest == size {
        return Ok(());
    }
    Err(fault(chain, format!("is signed up to record `{newest}`, its head says `{size}`")))
}

/// The policy in force is the one that was recorded last.
async fn in_force<C: ConnectionTrait>(
    db: &C,
    chain: Chain,
    project: Uuid,
    last: &Last,
) -> Result<(), StoreError> {
    let head = only(policy_head::Entity::find_by_id(project), db).await?;
    if head.is_some_and(|head| Some(head.version) == last.policy && head.halted == last.halted) {
        return Ok(());
    }
    Err(fault(chain, "names another policy, or another halt, than the one in force"))
}
