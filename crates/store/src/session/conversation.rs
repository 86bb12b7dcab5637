//! Conversations. Each belongs to one project for life.

use crate::{
    approval::state::ApprovalState,
    database::{
        entity::{approval, session},
        number::from_db,
        statement::{only, query, query_all, run},
        versions::Part,
    },
    error::{Share, StoreError},
    halt,
    session::row::SessionRow,
    store::Store,
    writer::point::Point,
};
use sea_orm::{
    ActiveModelTrait as _,
    ActiveValue::{NotSet, Set},
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QuerySelect as _,
};
use std::{collections::BTreeSet, sync::Arc};
use uuid::Uuid;
use wiiiv_domain::{ProjectId, RiskHistory, Salt, SessionId, Timestamp, UserId};
use wiiiv_gate::{Standing, StandingSeq};
use wiiiv_vault::random_bytes;

/// A title, in Unicode scalar values.
pub const TITLE_CHARS_MAX: usize = 200;
/// Conversations that one person keeps at the same time, in all projects together.
pub const CONVERSATIONS_MAX: u64 = 2_000;
const SALT_BYTES: usize = 16;

/// What the owner changes of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionChange {
    pub title: Option<String>,
    pub pinned: Option<bool>,
    pub removed: bool,
}

impl Store {
    /// The owner's newest session for trials; a conversation may have any title.
    pub async fn trials(
        &self,
        project: ProjectId,
        owner: UserId,
    ) -> Result<Option<SessionId>, StoreError> {
        let sql = "SELECT id FROM session WHERE project = $1 AND owner = $2 \
                   AND trial AND removed_at IS NULL ORDER BY created_at DESC LIMIT 1";
        let values = vec![project.uuid().into(), owner.uuid().into()];
        let row = query(self.direct(), sql, values).await?;
        row.map(|row| Ok(row.get::<Uuid>(0)?.into())).transpose()
    }

    pub async fn create_session(
        &self,
        project: ProjectId,
        owner: UserId,
        title: &str,
        now: Timestamp,
    ) -> Result<SessionRow, StoreError> {
        self.new_session((project, owner), title, now, false).await
    }

    /// Where models are tried: it stands in no list of conversations.
    pub async fn create_trials(
        &self,
        project: ProjectId,
        owner: UserId,
        title: &str,
        now: Timestamp,
    ) -> Result<SessionRow, StoreError> {
        self.new_session((project, owner), title, now, true).await
    }

    async fn new_session(
        &self,
        (project, owner): (ProjectId, UserId),
        title: &str,
        now: Timestamp,
        trial: bool,
    ) -> Result<SessionRow, StoreError> {
        if title.chars().count() > TITLE_CHARS_MAX {
            return Err(StoreError::TooLarge { what: "a title", max: TITLE_CHARS_MAX as u64 });
        }
        let salt = *random_bytes::<SALT_BYTES>()?;
        let row = SessionRow {
            id: crate::database::id::new_id(),
            project,
            owner,
            title: title.to_owned(),
            salt: Salt::from_bytes(salt),
            created_at: now,
            updated_at: now,
            pinned: false,
            removed: false,
            risk: RiskHistory::default(),
        };
        let model = session::ActiveModel {
            id: Set(row.id.uuid()),
            project: Set(project.uuid()),
            owner: Set(owner.uuid()),
            title: Set(row.title.clone()),
            salt: Set(salt.to_vec()),
            created_at: Set(now.unix_ms()),
            standing_seq: Set(0),
            risk_score: Set(0),
            tainted: Set(false),
            replay_from: Set(1),
            updated_at: Set(now.unix_ms()),
            pinned_at: Set(None),
            removed_at: Set(None),
            trial: Set(trial),
            open_turn: Set(None),
            risk_history: Set(None),
        };
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let kept = "SELECT COUNT(*) FROM session WHERE owner = $1 AND removed_at IS NULL";
                let kept = query(&tx.db, kept, vec![owner.uuid().into()]).await?;
                let kept = kept.map(|row| row.get(0)).transpose()?.unwrap_or(0);
                if from_db(kept) >= CONVERSATIONS_MAX {
                    let what = Share::Conversations;
                    return Err(StoreError::TooMany { what, max: CONVERSATIONS_MAX });
                }
                run(&tx.db, &session::Entity::insert(model)).await?;
                Ok(row)
            })
        })
        .await
    }

    /// What is `None` stays as it is.
    pub async fn change_session(
        &self,
        id: SessionId,
        change: SessionChange,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let SessionChange { title, pinned, removed } = change;
        if title.as_ref().is_some_and(|title| title.chars().count() > TITLE_CHARS_MAX) {
            return Err(StoreError::TooLarge { what: "a title", max: TITLE_CHARS_MAX as u64 });
        }
        let set = session::ActiveModel {
            title: title.map_or(NotSet, Set),
            pinned_at: pinned.map_or(NotSet, |pinned| Set(pinned.then(|| now.unix_ms()))),
            removed_at: if removed { Set(Some(now.unix_ms())) } else { NotSet },
            ..<session::ActiveModel as Default>::default()
        };
        if !set.is_changed() {
            return Ok(());
        }
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let one = session::Entity::update_many().set(set);
                let one = one.filter(session::Column::Id.eq(id.uuid()));
                if run(&tx.db, &one).await? != 1 {
                    return Err(StoreError::NotFound { what: "session" });
                }
                tx.touch(Part::Conversations);
                Ok(())
            })
        })
        .await
    }

    /// Of these, those in which something waits for a person.
    pub async fn waiting_sessions(
        &self,
        sessions: &[SessionId],
    ) -> Result<BTreeSet<SessionId>, StoreError> {
        let ids = sessions.iter().map(|session| session.uuid()).collect::<Vec<Uuid>>();
        let found = approval::Entity::find()
            .select_only()
            .column(approval::Column::Session)
            .distinct()
            .filter(approval::Column::Session.is_in(ids))
            .filter(approval::Column::State.eq(ApprovalState::Pending))
            .into_tuple::<Uuid>()
            .all(self.reader())
            .await?;
        Ok(found.into_iter().map(Into::into).collect())
    }

    pub async fn session(&self, id: SessionId) -> Result<Option<SessionRow>, StoreError> {
        let row = only(session::Entity::find_by_id(id.uuid()), self.direct()).await?;
        row.map(SessionRow::read).transpose()
    }

    /// The same, but when it was last active, which every turn changes.
    pub async fn conversation(&self, id: SessionId) -> Result<Option<Arc<SessionRow>>, StoreError> {
        let read = || async { Ok(self.session(id).await?.map(Arc::new)) };
        self.cached().conversations.get(id.uuid(), read).await
    }

    /// How many questions of this person's wait for an answer, in all projects.
    pub async fn waiting_of(&self, user: UserId) -> Result<u64, StoreError> {
        let sql = "SELECT COUNT(*) FROM approval WHERE requester = $1 AND state = 'pending'";
        let read = || async {
            let row = query(self.direct(), sql, vec![user.uuid().into()]).await?;
            let waiting = row.map(|row| row.get(0)).transpose()?;
            Ok(from_db(waiting.unwrap_or_default()))
        };
        self.cached().waiting.get(user.uuid(), read).await
    }

    /// As it would be judged now: risk and taint of the session, and whether it, its project or the server
    /// is halted.
    pub async fn standing(&self, session: SessionId) -> Result<Standing, StoreError> {
        let read = || self.read_standing(session);
        let standing = self.cached().standings.get(session.uuid(), read).await?;
        standing.ok_or(StoreError::NotFound { what: "session" })
    }

    async fn read_standing(&self, session: SessionId) -> Result<Option<Standing>, StoreError> {
        let sql = "SELECT session.standing_seq, session.risk_score, session.tainted, \
                   EXISTS (SELECT 1 FROM halt WHERE resumed_at IS NULL \
                   AND subject IN (session.id, session.project, $2)) \
                   FROM session WHERE session.id = $1";
        let values = vec![session.uuid().into(), halt::SERVER.into()];
        let row = query(self.direct(), sql, values).await?;
        let Some(row) = row else { return Ok(None) };
        let score: i64 = row.get(1)?;
        Ok(Some(Standing {
            session,
            seq: StandingSeq::new(from_db(row.get(0)?)),
            risk_score: u32::try_from(score).unwrap_or(u32::MAX),
            tainted: row.get(2)?,
            halted: row.get(3)?,
            // Which model is verified is the governor's to say, where policy asks.
            unverified: false,
            ledger: None,
        }))
    }

    /// With work that a restart goes on with: a turn that has not ended, an execution that has not
    /// finished, a question that is open or answered and not used, a model's call that holds.
    pub async fn open_sessions(&self) -> Result<Vec<SessionId>, StoreError> {
        let sql = "SELECT id FROM session WHERE open_turn IS NOT NULL \
                   UNION SELECT session FROM execution WHERE state IN ('running', 'indeterminate') \
                   UNION SELECT session FROM approval WHERE state IN ('pending', 'approved') \
                   UNION SELECT session FROM model_call WHERE state = 'open'";
        let rows = query_all(self.reader(), sql, Vec::new()).await?;
        let ids = rows.iter().map(|row| Ok(row.get::<Uuid>(0)?.into()));
        ids.collect()
    }
}
