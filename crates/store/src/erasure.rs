//! Erasure of texts and salts: an administrator's act. Of a conversation at rest go its journal, the texts of its
//! plans, the opinions of models, what its steps put out, what people were shown, its title and its salt; of the
//! project or the person what was remembered, and told of people for profiles, and their documents. Structure, digests, codes and every
//! audit record stay, so that the chains verify as before.

use crate::{
    account::authority::Authority,
    audit::Chain,
    database::{
        clock::now,
        column::time,
        id::new_id,
        number::{from_db, to_db},
        statement::{Row, execute, query, query_all},
        versions::Part,
    },
    document::EraseDocuments,
    error::StoreError,
    halt,
    profile::ProfileScope,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use sea_orm::Value;
use serde_json::json;
use std::collections::BTreeSet;
use tokio::task::spawn_blocking;
use uuid::Uuid;
use wiiiv_domain::{DocumentId, MemoryOwner, ProjectId, Scope, SessionId, Timestamp, UserId};
use wiiiv_gate::Principal;
use wiiiv_vault::random_bytes;

const SALT_BYTES: usize = 16;
/// Conversations that one act looks at; it says whether there are more.
pub const ERASED_SESSIONS_MAX: u64 = 1_000;
/// Erasures of one list.
pub const ERASURES_SHOWN_MAX: u64 = 100;
/// Specs that the record of one conversation names: a longer list would be no record.
const SPECS_MAX: usize = 10_000;
/// The record that a conversation's texts were erased, by which the checks know that nobody took them away.
pub(crate) const ERASED: &str = "session.erased";
const BEGUN: &str = "texts.erased";

/// Whose texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErasureScope {
    /// All of a project's conversations, its memory, its documents, and everybody's profile in it.
    Project(ProjectId),
    /// All conversations that this person began, their memory, their documents, and their profiles.
    Person(UserId),
}

/// What was asked for, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    pub id: Uuid,
    pub scope: ErasureScope,
    pub before: Option<Timestamp>,
    pub by: UserId,
    pub reason: String,
    pub at: Timestamp,
    pub sessions: u64,
    pub plans: u64,
    /// Of which versions went.
    pub memories: u64,
    pub memory_versions: u64,
    /// Likewise.
    pub profiles: u64,
    pub profile_versions: u64,
    pub documents: u64,
}

/// An erasure, and what it left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erased {
    pub erasure: Erasure,
    /// What is not to be found any more.
    pub documents: Vec<(Scope, DocumentId)>,
    /// At work, or with a question that waits.
    pub busy: u64,
    /// There are more conversations than one act looks at.
    pub more: bool,
}

/// What had been erased by then is gone all the same.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{error}")]
pub struct EraseFailed {
    pub error: StoreError,
    /// What is not to be found any more.
    pub documents: Vec<(Scope, DocumentId)>,
}

/// At rest: nothing of it goes on after a restart.
const AT_REST: &str = "session.erased_at IS NULL AND session.open_turn IS NULL \
    AND NOT EXISTS (SELECT 1 FROM execution WHERE execution.session = session.id \
        AND execution.state IN ('running', 'indeterminate')) \
    AND NOT EXISTS (SELECT 1 FROM approval WHERE approval.session = session.id \
        AND approval.state IN ('pending', 'approved')) \
    AND NOT EXISTS (SELECT 1 FROM model_call WHERE model_call.session = session.id \
        AND model_call.state = 'open')";

impl Store {
    /// One transaction a conversation: what is cut off is erased as far as it got, and says so.
    pub async fn erase_texts(
        &self,
        who: &Principal,
        scope: ErasureScope,
        before: Option<Timestamp>,
        reason: &str,
    ) -> Result<Erased, EraseFailed> {
        let mut documents = Vec::new();
        match self.erase_each(who, (scope, before), reason, &mut documents).await {
            Ok((erasure, busy, more)) => Ok(Erased { erasure, documents, busy, more }),
            Err(error) => Err(EraseFailed { error, documents }),
        }
    }

    /// With how many are at work, and whether there are more.
    async fn erase_each(
        &self,
        who: &Principal,
        (scope, before): (ErasureScope, Option<Timestamp>),
        reason: &str,
        documents: &mut Vec<(Scope, DocumentId)>,
    ) -> Result<(Erasure, u64, bool), StoreError> {
        let by = Authority::of(who);
        Authority::check(Some(&by), self.registrar())?;
        let begun =
            Begun { by: by.clone(), user: who.user(), scope, before, reason: reason.to_owned() };
        let mut erasure =
            self.write(Point::P, move |tx| Box::pin(async move { begun.record(tx).await })).await?;
        erasure.memory_versions = self.erase_memory(who, &erasure).await?;
        erasure.memories = u64::from(erasure.memory_versions > 0);
        (erasure.profiles, erasure.profile_versions) = self.erase_told(who, &erasure).await?;
        self.erase_own_documents(&by, &erasure, documents).await?;
        erasure.documents = documents.len() as u64;
        let found = self.conversations_of(scope, before).await?;
        let more = found.len() as u64 > ERASED_SESSIONS_MAX;
        let most = usize::try_from(ERASED_SESSIONS_MAX).unwrap_or(usize::MAX);
        let mut busy = 0;
        for (project, session) in found.into_iter().take(most) {
            let one =
                One { by: by.clone(), user: who.user(), erasure: erasure.id, project, session };
            let erased = self
                .write(Point::P, move |tx| Box::pin(async move { one.erase(tx).await }))
                .await?;
            match erased {
                Some(plans) => {
                    erasure.sessions += 1;
                    erasure.plans += plans;
                }
                None => busy += 1,
            }
        }
        self.empty_log().await?;
        Ok((erasure, busy, more))
    }

    /// What was erased stands in the database's log until that is empty.
    pub(crate) async fn empty_log(&self) -> Result<(), StoreError> {
        let store = self.clone();
        let emptied = spawn_blocking(move || store.direct().empty_log()).await;
        emptied.map_err(|gone| StoreError::Unavailable { reason: gone.to_string() })?
    }

    /// The project's, or the person's: what they wrote in those of projects stays. How many versions went.
    async fn erase_memory(&self, who: &Principal, erasure: &Erasure) -> Result<u64, StoreError> {
        let owner = match erasure.scope {
            ErasureScope::Project(project) => MemoryOwner::Project(project),
            ErasureScope::Person(user) => MemoryOwner::User(user),
        };
        let id = erasure.id;
        let found = self.memory_erasure(who, owner, (id, erasure.before)).await?;
        let Some(memory) = found else { return Ok(0) };
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let versions = memory.erase(tx).await?;
                if versions > 0 {
                    let count = "UPDATE erasure SET memories = memories + 1, \
                                 memory_versions = memory_versions + $2 WHERE id = $1";
                    execute(&tx.db, count, vec![id.into(), to_db(versions)?.into()]).await?;
                }
                Ok::<_, StoreError>(versions)
            })
        })
        .await
    }

    /// Of everybody in the project, or of the person in every project.
    async fn erase_told(
        &self,
        who: &Principal,
        erasure: &Erasure,
    ) -> Result<(u64, u64), StoreError> {
        let scope = match erasure.scope {
            ErasureScope::Project(project) => ProfileScope::Project(project),
            ErasureScope::Person(user) => ProfileScope::Person(user),
        };
        self.erase_profiles_of(who, scope, (erasure.id, erasure.before)).await
    }

    /// Of the project, or the person's own.
    async fn erase_own_documents(
        &self,
        by: &Authority,
        erasure: &Erasure,
        gone: &mut Vec<(Scope, DocumentId)>,
    ) -> Result<(), StoreError> {
        let scope = match erasure.scope {
            ErasureScope::Project(project) => Scope::Project(project),
            ErasureScope::Person(user) => Scope::User(user),
        };
        let (by, user, before) = (by.clone(), erasure.by, erasure.before);
        let erase = EraseDocuments { by, user, scope, erasure: erasure.id, before };
        self.erase_documents(&erase, gone).await
    }

    /// Newest first.
    pub async fn erasures(&self) -> Result<Vec<Erasure>, StoreError> {
        let sql = "SELECT id, project, owner, before, erased_by, reason, at, sessions, plans, memories, \
                   memory_versions, profiles, profile_versions, documents FROM erasure ORDER BY at DESC, id DESC LIMIT $1";
        let rows = query_all(self.reader(), sql, vec![to_db(ERASURES_SHOWN_MAX)?.into()]).await?;
        rows.iter().map(Erasure::read).collect()
    }

    /// Oldest first, without those that are erased already.
    async fn conversations_of(
        &self,
        scope: ErasureScope,
        before: Option<Timestamp>,
    ) -> Result<Vec<(ProjectId, SessionId)>, StoreError> {
        let (column, id) = match scope {
            ErasureScope::Project(project) => ("project", project.uuid()),
            ErasureScope::Person(user) => ("owner", user.uuid()),
        };
        let sql = format!(
            "SELECT project, id FROM session WHERE {column} = $1 AND erased_at IS NULL \
             AND updated_at < $2 ORDER BY id LIMIT $3"
        );
        let before = before.map_or(i64::MAX, |at| at.unix_ms());
        let values = vec![id.into(), before.into(), to_db(ERASED_SESSIONS_MAX + 1)?.into()];
        let rows = query_all(self.reader(), &sql, values).await?;
        let read = |row: &Row| Ok((row.get::<Uuid>(0)?.into(), row.get::<Uuid>(1)?.into()));
        rows.iter().map(read).collect()
    }
}

impl Erasure {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let (project, owner): (Option<Uuid>, Option<Uuid>) = (row.get(1)?, row.get(2)?);
        let scope = match (project, owner) {
            (Some(project), None) => ErasureScope::Project(project.into()),
            (None, Some(owner)) => ErasureScope::Person(owner.into()),
            (Some(_), Some(_)) | (None, None) => return Err(StoreError::corrupt("an erasure")),
        };
        Ok(Self {
            id: row.get(0)?,
            scope,
            before: row.get::<Option<i64>>(3)?.map(time),
            by: row.get::<Uuid>(4)?.into(),
            reason: row.get(5)?,
            at: time(row.get(6)?),
            sessions: from_db(row.get(7)?),
            plans: from_db(row.get(8)?),
            memories: from_db(row.get(9)?),
            memory_versions: from_db(row.get(10)?),
            profiles: from_db(row.get(11)?),
            profile_versions: from_db(row.get(12)?),
            documents: from_db(row.get(13)?),
        })
    }
}

/// Who asks, for what.
struct Begun {
    by: Authority,
    user: UserId,
    scope: ErasureScope,
    before: Option<Timestamp>,
    reason: String,
}

impl Begun {
    /// The reason is a person's text: it stays out of the audit.
    async fn record(self, tx: &mut WriteTransaction) -> Result<Erasure, StoreError> {
        let at = now();
        if !self.by.stands(&tx.db, None, at).await? {
            return Err(StoreError::AuthorityGone);
        }
        let (id, salt) = (new_id::<Uuid>(), *random_bytes::<SALT_BYTES>()?);
        let (project, owner) = match self.scope {
            ErasureScope::Project(project) => (Some(project), None),
            ErasureScope::Person(owner) => (None, Some(owner)),
        };
        let body = json!({
            "before": self.before, "by": self.user, "erasure": id, "owner": owner,
            "project": project, "reason": halt::digest(&salt, &self.reason)?,
        });
        let seq = tx.record(Chain::Server, at, AuditEntry::new(BEGUN, body)).await?;
        let insert = "INSERT INTO erasure (id, project, owner, before, erased_by, reason, salt, at, at_seq, \
                      sessions, plans) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0)";
        let values: Vec<Value> = vec![
            id.into(),
            project.map(|project| project.uuid()).into(),
            owner.map(|owner| owner.uuid()).into(),
            self.before.map(|before| before.unix_ms()).into(),
            self.user.uuid().into(),
            self.reason.clone().into(),
            salt.to_vec().into(),
            at.unix_ms().into(),
            to_db(seq)?.into(),
        ];
        execute(&tx.db, insert, values).await?;
        let (scope, before, by, reason) = (self.scope, self.before, self.user, self.reason);
        Ok(Erasure {
            id,
            scope,
            before,
            by,
            reason,
            at,
            sessions: 0,
            plans: 0,
            memories: 0,
            memory_versions: 0,
            profiles: 0,
            profile_versions: 0,
            documents: 0,
        })
    }
}

/// One conversation.
struct One {
    by: Authority,
    user: UserId,
    erasure: Uuid,
    project: ProjectId,
    session: SessionId,
}

impl One {
    /// How many plans it had. `None`: it is at work.
    async fn erase(self, tx: &mut WriteTransaction) -> Result<Option<u64>, StoreError> {
        let at = now();
        if !self.by.stands(&tx.db, None, at).await? {
            return Err(StoreError::AuthorityGone);
        }
        let id = || vec![Value::from(self.session.uuid())];
        let free = format!("SELECT 1 FROM session WHERE id = $1 AND {AT_REST}");
        if query(&tx.db, &free, id()).await?.is_none() {
            return Ok(None);
        }
        let specs = self.specs(tx).await?;
        tx.db.overwrite(true)?;
        let plans = self.delete(tx, &specs, at).await;
        tx.db.overwrite(false)?;
        let plans = plans?;
        let body = json!({
            "by": self.user, "erasure": self.erasure, "plans": plans, "session": self.session,
            "specs": specs,
        });
        tx.record(Chain::Project(self.project), at, AuditEntry::new(ERASED, body)).await?;
        tx.touch(Part::Conversations);
        tx.touch(Part::Opinions);
        tx.touch(Part::Approvals);
        Ok(Some(plans))
    }

    async fn delete(
        &self,
        tx: &WriteTransaction,
        specs: &BTreeSet<String>,
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        let id = || vec![Value::from(self.session.uuid())];
        let mark = "UPDATE session SET erased_at = $2, removed_at = COALESCE(removed_at, $2), title = '', \
                    salt = $3, risk_history = NULL WHERE id = $1";
        let values =
            vec![self.session.uuid().into(), at.unix_ms().into(), vec![0_u8; SALT_BYTES].into()];
        execute(&tx.db, mark, values).await?;
        // Whoever still has it in memory writes nothing more.
        execute(&tx.db, "UPDATE lease SET epoch = epoch + 1 WHERE session = $1", id()).await?;
        execute(&tx.db, "DELETE FROM session_event WHERE session = $1", id()).await?;
        let texts = "DELETE FROM blueprint_text WHERE blueprint IN \
                     (SELECT id FROM blueprint WHERE session = $1)";
        let plans = execute(&tx.db, texts, id()).await?;
        let outputs = "DELETE FROM step_output WHERE execution IN \
                       (SELECT id FROM execution WHERE session = $1)";
        execute(&tx.db, outputs, id()).await?;
        execute(&tx.db, "UPDATE approval SET preview = NULL WHERE session = $1", id()).await?;
        for spec in specs {
            let opinions = "DELETE FROM opinion WHERE project = $1 AND spec_digest = $2";
            let digest = hex::decode(spec).map_err(|_| StoreError::corrupt("a spec's digest"))?;
            execute(&tx.db, opinions, vec![self.project.uuid().into(), digest.into()]).await?;
        }
        let count = "UPDATE erasure SET sessions = sessions + 1, plans = plans + $2 WHERE id = $1";
        execute(&tx.db, count, vec![self.erasure.into(), to_db(plans)?.into()]).await?;
        Ok(plans)
    }

    /// Digests of all that was reviewed in it, plans or not: no other conversation has the same.
    async fn specs(&self, tx: &WriteTransaction) -> Result<BTreeSet<String>, StoreError> {
        let mut specs = BTreeSet::new();
        let plans = "SELECT spec_digest FROM blueprint WHERE session = $1";
        for row in query_all(&tx.db, plans, vec![self.session.uuid().into()]).await? {
            specs.insert(hex::encode(row.get::<Vec<u8>>(0)?));
        }
        let reviews = "SELECT line FROM audit_record WHERE chain = $1 AND about = $2 \
                       AND kind = 'dacs.evaluated'";
        let chain = Chain::Project(self.project).to_string();
        let values = vec![chain.into(), self.session.uuid().into()];
        for row in query_all(&tx.db, reviews, values).await? {
            let line: serde_json::Value = serde_json::from_str(&row.get::<String>(0)?)?;
            let spec = line.pointer("/body/spec").and_then(serde_json::Value::as_str);
            specs.extend(spec.map(str::to_owned));
        }
        match specs.len() > SPECS_MAX {
            true => Err(StoreError::TooLarge {
                what: "the list of a conversation's specs",
                max: SPECS_MAX as u64,
            }),
            false => Ok(specs),
        }
    }
}
