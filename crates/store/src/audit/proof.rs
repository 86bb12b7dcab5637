//! Proves that the audit is as this server left it: when a store is opened, before anything is
//! signed or written, and for `doctor`.

use super::{
    AllHeads, Chain, Signer, all_heads,
    halt_rows::{
        HALTED_PROJECT, HALTED_SERVER, HALTED_SESSION, RESUMED_PROJECT, RESUMED_SERVER,
        RESUMED_SESSION,
    },
    head::Head,
    line::StoredLine,
    name::named,
    named_records::DECISION,
    outside::Anchors,
    stage::{RECORDS_SEALED_KIND, SEALED_KIND, Stage},
    walk::{Walk, fault},
};
use crate::{
    account::presence::has_accounts,
    database::{
        entity::{audit_checkpoint, audit_head, audit_record, halt as halt_row, policy_head},
        number::{from_db, to_db},
        schema,
        statement::{Reads, models, only, query, query_all},
    },
    error::StoreError,
    halt,
};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;
use wiiiv_domain::ProjectId;

const PAGE_RECORDS: u64 = 1000;

/// Walks every chain from its first record to its head, by what was kept outside too. The heads come
/// back where they are sealed together.
pub(super) async fn prove<C: ConnectionTrait>(
    db: &C,
    signer: &Signer,
    stage: Stage,
    outside: &Anchors,
) -> Result<Option<AllHeads>, StoreError> {
    schema::prove(db).await?;
    let together = match stage {
        Stage::Unsealed | Stage::Apart => None,
        Stage::First | Stage::Together | Stage::Records => match AllHeads::load(db, signer).await {
            Ok(together) => Some(together),
            Err(error) => {
                each_head(db, signer).await?;
                return Err(error);
            }
        },
    };
    for chain in chains(db, outside).await? {
        let row = only(audit_head::Entity::find_by_id(chain.to_string()), db).await?;
        let Some(row) = row else {
            outside.reached(chain, 0)?;
            return Err(fault(chain, "has no head"));
        };
        let head = match stage {
            Stage::Unsealed => Head::unsealed(chain, row)?,
            Stage::First | Stage::Apart | Stage::Together | Stage::Records => {
                Head::sealed(signer, chain, row)?
            }
        };
        // Also what stands behind its head.
        let last = last_of(db, (chain, signer), (&head, i64::MAX), outside).await?;
        none_beside(db, chain, head.tree.size).await?;
        signed_up_to(db, chain, &last, head.checkpoint).await?;
        // INVARIANT: the way in from a build without seals is open once.
        if let Some(seq) = last.sealed_after(stage) {
            let what =
                format!("was sealed with record `{seq}`, and its key is one from before that");
            return Err(fault(chain, what));
        }
        if let Chain::Project(project) = chain {
            in_force(db, chain, project.uuid(), &last).await?;
        }
        halts_in_force(db, chain, &last).await?;
    }
    Ok(together)
}

/// Of heads that are not those that were left together: one that has not its own seal is named.
async fn each_head<C: Reads>(db: &C, signer: &Signer) -> Result<(), StoreError> {
    for row in models(audit_head::Entity::find(), db).await? {
        if !all_heads::is_row(&row.chain) {
            Head::sealed(signer, named(&row.chain)?, row)?;
        }
    }
    Ok(())
}

/// One chain, from its first record to its head; what was added since is left out.
pub(super) async fn prove_chain<C: Reads>(
    db: &C,
    signer: &Signer,
    chain: Chain,
    head: &Head,
) -> Result<(), StoreError> {
    let until = to_db(head.tree.size)?;
    last_of(db, (chain, signer), (head, until), &Anchors::default()).await.map(drop)
}

/// Each project has one, and the server where there are accounts, whoever took their rows away.
async fn chains<C: Reads>(db: &C, outside: &Anchors) -> Result<BTreeSet<Chain>, StoreError> {
    let sql = "SELECT chain, 1 FROM audit_head UNION SELECT DISTINCT chain, 0 FROM audit_record \
               UNION SELECT DISTINCT chain, 0 FROM audit_checkpoint";
    let rows = query_all(db, sql, Vec::new()).await?;
    let mut chains = BTreeSet::new();
    for row in &rows {
        let (name, is_head): (String, bool) = (row.get(0)?, row.get(1)?);
        if !(is_head && all_heads::is_row(&name)) {
            chains.insert(named(&name)?);
        }
    }
    for row in query_all(db, "SELECT id FROM project", Vec::new()).await? {
        chains.insert(Chain::Project(ProjectId::from(row.get::<Uuid>(0)?)));
    }
    if has_accounts(db).await? {
        chains.insert(Chain::Server);
    }
    chains.extend(outside.chains());
    Ok(chains)
}

/// What a walk through a chain has found: what its newest records say, and how it is signed.
#[derive(Debug, Default)]
struct Last {
    policy: Option<Uuid>,
    /// By what was halted: the halt and the number of its record.
    halts: BTreeMap<Uuid, (Uuid, i64)>,
    /// The record of the day on which the heads were sealed.
    sealed: Option<u64>,
    /// And the one of the day on which records were.
    records_sealed: Option<u64>,
    /// How many checkpoints stand behind its records, and up to where.
    signed: (u64, u64),
}

impl Last {
    /// The record that says that data of this stage was sealed further already.
    fn sealed_after(&self, stage: Stage) -> Option<u64> {
        match stage {
            Stage::Unsealed | Stage::Apart => self.sealed.or(self.records_sealed),
            Stage::Together => self.records_sealed,
            Stage::First | Stage::Records => None,
        }
    }

    /// `false`: it allows what the policy in force did not rule on, or what a halt forbade.
    fn follow(&mut self, chain: Chain, kept: &StoredLine<'_>) -> bool {
        match kept.members.kind.as_str() {
            "policy.recorded" => self.policy = kept.id("policy"),
            HALTED_SESSION | HALTED_PROJECT | HALTED_SERVER => {
                let halt = kept.id("halt").unwrap_or_default();
                let seq = kept.members.seq.parse().unwrap_or_default();
                self.halts.insert(halted(chain, kept), (halt, seq));
            }
            RESUMED_SESSION | RESUMED_PROJECT | RESUMED_SERVER => {
                self.halts.remove(&halted(chain, kept));
            }
            SEALED_KIND => self.sealed = kept.members.seq.parse().ok(),
            RECORDS_SEALED_KIND => self.records_sealed = kept.members.seq.parse().ok(),
            DECISION if kept.allows() => {
                let ruled = self.policy.is_some() && kept.id("policy") == self.policy;
                return ruled && !self.stops(chain, kept);
            }
            _ => {}
        }
        true
    }

    /// A halt of the server is in another chain: it is compared with the rows alone.
    fn stops(&self, chain: Chain, kept: &StoredLine<'_>) -> bool {
        let is_halted = |subject: Uuid| self.halts.contains_key(&subject);
        !self.halts.is_empty()
            && (is_halted(of_chain(chain)) || kept.id("session").is_some_and(is_halted))
    }
}

/// What a record tells of: its session where it names one, else all of its chain.
fn halted(chain: Chain, kept: &StoredLine<'_>) -> Uuid {
    kept.id("session").unwrap_or_else(|| of_chain(chain))
}

fn of_chain(chain: Chain) -> Uuid {
    match chain {
        Chain::Server => halt::SERVER,
        Chain::Project(project) => project.uuid(),
    }
}

async fn last_of<C: Reads>(
    db: &C,
    (chain, signer): (Chain, &Signer),
    (head, until): (&Head, i64),
    outside: &Anchors,
) -> Result<Last, StoreError> {
    let (mut walk, mut last) = (Walk::new(chain), Last::default());
    loop {
        let page = audit_record::Entity::find()
            .filter(audit_record::Column::Chain.eq(chain.to_string()))
            .filter(audit_record::Column::Seq.gt(to_db(walk.tree.size)?))
            .filter(audit_record::Column::Seq.lte(until))
            .order_by_asc(audit_record::Column::Seq)
            .limit(PAGE_RECORDS);
        let page = models(page, db).await?;
        if page.is_empty() {
            break;
        }
        let signed = checkpoints(db, chain, &page).await?;
        for row in page {
            if !last.follow(chain, &walk.step(&row, signer)?) {
                let what = "allows in record `{}` what the policy in force then did not rule on";
                return Err(fault(chain, what.replace("{}", &row.seq.to_string())));
            }
            outside.met(chain, &walk)?;
            if let Some(line) = signed.get(&row.seq) {
                walk.is_signed(signer, line)?;
                last.signed = (last.signed.0 + 1, walk.tree.size);
            }
        }
    }
    outside.reached(chain, walk.tree.size)?;
    walk.ends_at(head)?;
    Ok(last)
}

/// Those that stand behind one of these records.
async fn checkpoints<C: Reads>(
    db: &C,
    chain: Chain,
    page: &[audit_record::Model],
) -> Result<BTreeMap<i64, String>, StoreError> {
    use audit_checkpoint::Column;
    let ends = page.first().zip(page.last()).map_or((0, 0), |(from, to)| (from.seq, to.seq));
    let behind = audit_checkpoint::Entity::find()
        .filter(Column::Chain.eq(chain.to_string()))
        .filter(Column::Size.between(ends.0, ends.1));
    let rows = models(behind, db).await?;
    Ok(rows.into_iter().map(|row| (row.size, row.line)).collect())
}

/// Not before the first one either: a row could name it.
async fn none_beside<C: Reads>(db: &C, chain: Chain, size: u64) -> Result<(), StoreError> {
    let sql = "SELECT CAST(COUNT(*) AS BIGINT) FROM audit_record WHERE chain = $1";
    let row = query(db, sql, vec![chain.to_string().into()]).await?;
    let kept: i64 = row.ok_or_else(StoreError::given_up)?.get(0)?;
    let fits = u64::try_from(kept) == Ok(size);
    fits.then_some(()).ok_or_else(|| fault(chain, "has a record with a number that is none"))
}

/// The newest checkpoint stands where the head says, and each behind a record.
async fn signed_up_to<C: Reads>(
    db: &C,
    chain: Chain,
    last: &Last,
    size: u64,
) -> Result<(), StoreError> {
    let sql = "SELECT CAST(COUNT(*) AS BIGINT) FROM audit_checkpoint WHERE chain = $1";
    let row = query(db, sql, vec![chain.to_string().into()]).await?;
    let kept = row.ok_or_else(StoreError::given_up)?.get(0)?;
    let (count, newest) = last.signed;
    if (from_db(kept), newest) == (count, size) {
        return Ok(());
    }
    Err(fault(chain, format!("is signed up to record `{newest}`, its head says `{size}`")))
}

/// The policy in force is the one that was recorded last. Its column for a halt, which an earlier build would
/// read, stays as it was made.
async fn in_force<C: Reads>(
    db: &C,
    chain: Chain,
    project: Uuid,
    last: &Last,
) -> Result<(), StoreError> {
    let head = only(policy_head::Entity::find_by_id(project), db).await?;
    if head.is_some_and(|head| Some(head.version) == last.policy && !head.halted) {
        return Ok(());
    }
    Err(fault(chain, "names another policy, or another halt, than the one in force"))
}

/// What is halted is what was halted last and not resumed.
async fn halts_in_force<C: Reads>(db: &C, chain: Chain, last: &Last) -> Result<(), StoreError> {
    let of = match chain {
        Chain::Server => halt_row::Column::Project.is_null(),
        Chain::Project(project) => halt_row::Column::Project.eq(project.uuid()),
    };
    let rows = models(halt::in_force().filter(of), db).await?;
    let kept: BTreeMap<Uuid, (Uuid, i64)> =
        rows.iter().map(|row| (row.subject, (row.id, row.at_seq))).collect();
    let same = kept == last.halts;
    same.then_some(()).ok_or_else(|| fault(chain, "tells of other halts than those in force"))
}
