//! The kill switch: a session, a project or the server is halted and resumed here. What is halted is
//! asked for by the statement that guards every claim (`writer/apply/standing.rs`).

mod refused;

use crate::{
    account::authority::Authority,
    audit::Chain,
    database::{
        clock::now,
        column::time,
        entity::halt,
        id::new_id,
        number::to_db,
        statement::{Reads, execute, models, only, query, query_all, run},
    },
    error::StoreError,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
pub use refused::HaltRefused;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, Select,
};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, HaltScope, ProjectId, Salt, SessionId, Timestamp, UserId};
use wiiiv_gate::Principal;
use wiiiv_vault::random_bytes;

const SALT_BYTES: usize = 16;
/// How the server is named where sessions and projects are named by their ids.
pub(crate) const SERVER: Uuid = Uuid::nil();

/// A halt in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Halt {
    pub scope: HaltScope,
    pub by: UserId,
    /// A person's own words.
    pub reason: String,
    pub at: Timestamp,
}

/// Who halts or resumes what, and why.
#[derive(Debug, Clone)]
struct Change {
    scope: HaltScope,
    by: Authority,
    user: UserId,
    reason: String,
}

impl Store {
    /// Nothing new begins in it from here on. Its author still has the rights that they were let in with.
    pub async fn halt(
        &self,
        who: &Principal,
        scope: HaltScope,
        reason: &str,
    ) -> Result<Halt, HaltRefused> {
        let change = self.change(who, scope, reason)?;
        self.write(Point::P, move |tx| Box::pin(async move { change.halt(tx).await })).await
    }

    /// `own_only`: refused where somebody else halted it.
    pub async fn resume(
        &self,
        who: &Principal,
        scope: HaltScope,
        reason: &str,
        own_only: bool,
    ) -> Result<(), HaltRefused> {
        let change = self.change(who, scope, reason)?;
        self.write(Point::P, move |tx| Box::pin(async move { change.resume(tx, own_only).await }))
            .await
    }

    fn change(
        &self,
        who: &Principal,
        scope: HaltScope,
        reason: &str,
    ) -> Result<Change, StoreError> {
        let (by, user, reason) = (Authority::of(who), who.user(), reason.to_owned());
        Authority::check(Some(&by), self.registrar())?;
        Ok(Change { scope, by, user, reason })
    }

    /// Those in force that concern this person, at most [`HALTS_SHOWN_MAX`].
    pub async fn halts_concerning(
        &self,
        user: UserId,
        administrates: bool,
    ) -> Result<Vec<Halt>, StoreError> {
        let values = vec![user.uuid().into(), administrates.into(), to_db(HALTS_SHOWN_MAX)?.into()];
        let rows = query_all(self.direct(), CONCERNING, values).await?;
        let halts = rows.iter().map(|row| Ok(Halt::read(row.model::<halt::Entity>(0)?)));
        halts.collect()
    }

    /// Those in force over this project and this session, the widest first; over the server alone where
    /// neither is given.
    pub async fn halts(
        &self,
        project: Option<ProjectId>,
        session: Option<SessionId>,
    ) -> Result<Vec<Halt>, StoreError> {
        let ids = [session.map(SessionId::uuid), project.map(ProjectId::uuid)];
        let subjects = ids.into_iter().flatten().chain([SERVER]);
        let over = in_force().filter(halt::Column::Subject.is_in(subjects));
        let rows = models(over, self.direct()).await?;
        let mut halts = rows.into_iter().map(Halt::read).collect::<Vec<_>>();
        halts.sort_by_key(|halt| std::cmp::Reverse(halt.scope));
        Ok(halts)
    }
}

/// What a person is shown of halts at once.
pub const HALTS_SHOWN_MAX: u64 = 100;

/// Of the server, of projects that `$1` is a member of, and of sessions that are theirs, or in projects
/// that they own; an administrator (`$2`) is concerned by all. The widest first, then the newest.
const CONCERNING: &str = "SELECT halt.* FROM halt \
    LEFT JOIN session ON session.id = halt.subject \
    WHERE halt.resumed_at IS NULL AND (halt.project IS NULL OR $2 OR EXISTS (SELECT 1 FROM member \
    WHERE member.account = $1 AND member.project = halt.project \
    AND (session.id IS NULL OR session.owner = $1 OR member.role = 'owner'))) \
    ORDER BY halt.project IS NOT NULL, session.id IS NOT NULL, halt.halted_at DESC LIMIT $3";

/// Halts in force, oldest first.
pub(crate) fn in_force() -> Select<halt::Entity> {
    let column = halt::Column::ResumedAt;
    halt::Entity::find().filter(column.is_null()).order_by_asc(halt::Column::HaltedAt)
}

/// Whether one is in force over any of these; the server's is over all.
pub(crate) async fn is_halted<C: Reads>(
    db: &C,
    project: Option<ProjectId>,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM halt WHERE subject IN ($1, $2) AND resumed_at IS NULL";
    let project = project.map_or(SERVER, ProjectId::uuid);
    Ok(query(db, sql, vec![SERVER.into(), project.into()]).await?.is_some())
}

pub(crate) fn subject(scope: HaltScope) -> Uuid {
    match scope {
        HaltScope::Session { session, .. } => session.uuid(),
        HaltScope::Project(project) => project.uuid(),
        HaltScope::Server => SERVER,
    }
}

pub(crate) fn scope_of(row: &halt::Model) -> HaltScope {
    match row.project {
        None => HaltScope::Server,
        Some(project) if project == row.subject => HaltScope::Project(project.into()),
        Some(project) => {
            HaltScope::Session { project: project.into(), session: row.subject.into() }
        }
    }
}

pub(crate) fn chain_of(scope: HaltScope) -> Chain {
    scope.project().map_or(Chain::Server, Chain::Project)
}

/// What the record says of a reason: nobody guesses the text from it.
pub(crate) fn digest(salt: &[u8], reason: &str) -> Result<ContentDigest, StoreError> {
    let salt = <[u8; SALT_BYTES]>::try_from(salt);
    let salt = salt.map_err(|_| StoreError::corrupt("the salt of a halt"))?;
    Ok(Salt::from_bytes(salt).digest_of(reason))
}

impl Halt {
    fn read(row: halt::Model) -> Self {
        let (scope, at) = (scope_of(&row), time(row.halted_at));
        Self { scope, by: row.halted_by.into(), reason: row.reason, at }
    }
}

impl Change {
    async fn halt(self, tx: &mut WriteTransaction) -> Result<Halt, HaltRefused> {
        let at = now();
        if self.current(tx, at).await?.is_some() {
            return Err(HaltRefused::AlreadyHalted);
        }
        let (id, salt) =
            (new_id::<Uuid>(), *random_bytes::<SALT_BYTES>().map_err(StoreError::from)?);
        let seq = self.record(tx, "halted", (id, &salt), at).await?;
        let row = halt::ActiveModel {
            id: Set(id),
            subject: Set(subject(self.scope)),
            project: Set(self.scope.project().map(|project| project.uuid())),
            at_seq: Set(to_db(seq)?),
            halted_by: Set(self.user.uuid()),
            reason: Set(self.reason.clone()),
            salt: Set(salt.to_vec()),
            halted_at: Set(at.unix_ms()),
            resumed_seq: NotSet,
            resumed_by: NotSet,
            resumed_reason: NotSet,
            resumed_at: NotSet,
        };
        run(&tx.db, &halt::Entity::insert(row)).await?;
        Ok(Halt { scope: self.scope, by: self.user, reason: self.reason, at })
    }

    async fn resume(self, tx: &mut WriteTransaction, own_only: bool) -> Result<(), HaltRefused> {
        let at = now();
        let row = self.current(tx, at).await?.ok_or(HaltRefused::NotHalted)?;
        if own_only && row.halted_by != self.user.uuid() {
            return Err(HaltRefused::HaltedByAnother);
        }
        let seq = self.record(tx, "resumed", (row.id, &row.salt), at).await?;
        let update = "UPDATE halt SET resumed_seq = $2, resumed_by = $3, resumed_reason = $4, \
                      resumed_at = $5 WHERE id = $1 AND resumed_at IS NULL";
        let values = vec![
            row.id.into(),
            to_db(seq)?.into(),
            self.user.uuid().into(),
            self.reason.into(),
            at.unix_ms().into(),
        ];
        execute(&tx.db, update, values).await?;
        Ok(())
    }

    /// The halt in force, for whom may still change it.
    async fn current(
        &self,
        tx: &WriteTransaction,
        at: Timestamp,
    ) -> Result<Option<halt::Model>, StoreError> {
        if !self.by.stands(&tx.db, self.scope.project(), at).await? {
            return Err(StoreError::AuthorityGone);
        }
        let of = in_force().filter(halt::Column::Subject.eq(subject(self.scope)));
        only(of, &tx.db).await
    }

    /// The reason is a person's text: it stays out of the audit.
    async fn record(
        &self,
        tx: &mut WriteTransaction,
        done: &str,
        (id, salt): (Uuid, &[u8]),
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        let mut body =
            json!({ "by": self.user, "halt": id, "reason": digest(salt, &self.reason)? });
        if let Some(members) = body.as_object_mut() {
            // Whoever reads the record alone reads what was stopped, not where the record stands.
            members.extend(self.scope.project().map(|id| ("project".to_owned(), json!(id))));
            if let HaltScope::Session { session, .. } = self.scope {
                members.insert("session".to_owned(), json!(session));
            }
        }
        let entry = AuditEntry::new(format!("{}.{done}", self.scope.as_str()), body);
        tx.record(chain_of(self.scope), at, entry).await
    }
}
