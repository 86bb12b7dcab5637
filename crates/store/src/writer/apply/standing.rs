//! Checks what must still be as it was judged: the lease, the policy, that nothing is halted, number
//! and content of the session's standing, the version of the ledger where the ruling asked it, and the
//! registrations of the systems to call. One statement checks all of it.

use super::claimed::Refused;
use crate::{
    account::authority::{self, Authority},
    database::{
        number::to_db,
        statement::{Reads, Row, query},
    },
    error::StoreError,
    halt,
    writer::{boundary::Writer, refused::Moved},
};
use std::{borrow::Cow, sync::LazyLock};
use wiiiv_domain::Timestamp;
use wiiiv_gate::Guard;

/// The first parameter, and the column, of what only some claims ask for.
const MORE_FROM: usize = 13;
const MORE_COLUMN: usize = 6;

/// What is asked for every claim.
static ALWAYS: LazyLock<String> = LazyLock::new(|| {
    let may = authority::may("$6", "$3", authority::REQUESTERS);
    let bits = authority::bits(7, 8, 9, 3);
    format!(
        "SELECT \
    (SELECT 1 FROM lease WHERE session = $1 AND epoch = $2), \
    (SELECT 1 FROM policy_head WHERE project = $3 AND version = $4), \
    (SELECT 1 FROM halt WHERE subject IN ($1, $3, $12) AND resumed_at IS NULL LIMIT 1), \
    (SELECT 1 FROM session WHERE id = $1 AND project = $3 AND standing_seq = $5 \
     AND risk_score = $10 AND tainted = $11), \
    CASE WHEN $6 IS NULL THEN 1 WHEN {may} THEN 1 ELSE 0 END, {bits}"
    )
});

/// Of how many systems, and whether of the ledger: most claims ask for neither.
fn statement_of(systems: usize, ledger: bool) -> Cow<'static, str> {
    if systems == 0 && !ledger {
        return Cow::Borrowed(&ALWAYS);
    }
    let place = |nth: usize| MORE_FROM + 2 * nth;
    let mut sql = ALWAYS.clone();
    if systems > 0 {
        let one = |nth| format!("(name = ${} AND revision = ${})", place(nth), place(nth) + 1);
        let any = (0..systems).map(one).collect::<Vec<_>>().join(" OR ");
        sql = format!("{sql}, (SELECT COUNT(*) FROM system WHERE project = $3 AND ({any}))");
    }
    if ledger {
        sql = format!("{sql}, (SELECT 1 FROM ghost_ledger WHERE version = ${})", place(systems));
    }
    Cow::Owned(sql)
}

pub(super) async fn still<C: Reads>(
    db: &C,
    writer: &Writer,
    guard: &Guard,
    (by, now): (Option<&Authority>, Timestamp),
) -> Result<(), Refused> {
    let lease = writer.lease("a claim")?;
    // Whatever is in force by the database: an override ends by its time.
    if guard.until.is_some_and(|until| until <= now) {
        return Err(Refused::Moved(Moved::PolicyChanged));
    }
    let ((project, version), judged) = (guard.policy, guard.standing);
    let session = judged.session;
    if (lease.project, lease.session) != (project, session) {
        return Err(Refused::Moved(Moved::StandingChanged));
    }
    let mut values = vec![
        session.uuid().into(),
        to_db(lease.epoch)?.into(),
        project.uuid().into(),
        version.uuid().into(),
        to_db(judged.seq.get())?.into(),
        guard.requester.map(|person| person.uuid()).into(),
    ];
    values.extend(Authority::values(by, now));
    values.extend([i64::from(judged.risk_score).into(), judged.tainted.into()]);
    values.push(halt::SERVER.into());
    for (name, revision) in &guard.systems {
        values.extend([name.to_string().into(), to_db(*revision)?.into()]);
    }
    if let Some(ledger) = judged.ledger {
        values.push(to_db(ledger.get())?.into());
    }
    let sql = statement_of(guard.systems.len(), judged.ledger.is_some());
    let row = query(db, &sql, values).await?.ok_or_else(StoreError::given_up)?;
    let flag = |column| row.get::<Option<bool>>(column);
    if flag(0)?.is_none() {
        return Err(StoreError::LeaseLost { session }.into());
    }
    if flag(4)? != Some(true) || !Authority::still(by, authority::bits_in(&row, 5)?) {
        return Err(Refused::Moved(Moved::AuthorityGone));
    }
    match (flag(1)?, flag(2)?, flag(3)?) {
        (_, Some(true), _) => Err(Refused::Moved(Moved::Halted)),
        (None, _, _) => Err(Refused::Moved(Moved::PolicyChanged)),
        (Some(_), _, None) => Err(Refused::Moved(Moved::StandingChanged)),
        (Some(_), _, Some(_)) => same_systems(&row, guard).and_then(|()| same_ledger(&row, guard)),
    }
}

fn same_ledger(row: &Row, guard: &Guard) -> Result<(), Refused> {
    if guard.standing.ledger.is_none() {
        return Ok(());
    }
    let column = MORE_COLUMN + usize::from(!guard.systems.is_empty());
    match row.get::<Option<bool>>(column)? {
        Some(true) => Ok(()),
        Some(false) | None => Err(Refused::Moved(Moved::LedgerChanged)),
    }
}

fn same_systems(row: &Row, guard: &Guard) -> Result<(), Refused> {
    if guard.systems.is_empty() {
        return Ok(());
    }
    let found: i64 = row.get(MORE_COLUMN)?;
    let same = usize::try_from(found).is_ok_and(|found| found == guard.systems.len());
    if same { Ok(()) } else { Err(Refused::Moved(Moved::SystemChanged)) }
}
