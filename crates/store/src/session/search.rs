//! Search in one person's conversations: newest activity first, by the words of messages.

use crate::{
    audit::previews_told,
    database::{
        column::document,
        entity::{session, session_event},
        number::from_db,
        page::PAGE_ROWS_MAX,
    },
    error::StoreError,
    session::row::SessionRow,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, Condition, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};
use std::{fmt, str::FromStr};
use uuid::Uuid;
use wiiiv_domain::{
    ApprovalId, DecisionNote, EventBody, ProjectId, SessionEvent, SessionId, Timestamp, UserId,
};

/// Sessions that one search looks into; the next one goes on behind them.
const SEARCHED_SESSIONS_MAX: usize = 500;
/// Messages of one session that are looked at together.
const MESSAGES_PAGE: u64 = 200;
/// Turns that are looked at for the first words.
const FIRST_TURNS_MAX: u64 = 20;
/// As the journal's documents are written.
const ACCEPTED: &str = "%\"event\":\"turn_accepted\"%";
const PREVIEWED: &str = "%\"event\":\"previewed\"%";
const REVOKED: &str = "%\"event\":\"approval_revoked\"%";

/// Where in a list by activity a page ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activity {
    at: Timestamp,
    session: Uuid,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a place in a list by activity: take it from the page before")]
pub struct ParseActivityError;

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.at.unix_ms(), self.session)
    }
}

impl FromStr for Activity {
    type Err = ParseActivityError;
    fn from_str(text: &str) -> Result<Self, ParseActivityError> {
        let (at, session) = text.split_once('.').ok_or(ParseActivityError)?;
        let at = at.parse().map_err(|_| ParseActivityError)?;
        let session = session.parse().map_err(|_| ParseActivityError)?;
        Ok(Self { at: Timestamp::from_unix_ms(at), session })
    }
}

impl SessionRow {
    #[must_use]
    pub const fn activity(&self) -> Activity {
        Activity { at: self.updated_at, session: self.id.uuid() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFilter {
    pub project: ProjectId,
    pub owner: UserId,
    /// Part of the title or of something that the owner said, in any case.
    pub text: Option<String>,
    /// Only those that are pinned, or that are not; `None`: both.
    pub pinned: Option<bool>,
    pub before: Option<Activity>,
    pub limit: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionsFound {
    pub rows: Vec<SessionRow>,
    /// Where a search that looked at enough for once goes on.
    pub rest: Option<Activity>,
}

impl Store {
    /// Newest activity first.
    pub async fn sessions(&self, filter: &SessionFilter) -> Result<SessionsFound, StoreError> {
        let Some(text) = &filter.text else {
            let rows = self.by_activity(filter, filter.before, filter.limit).await?;
            return Ok(SessionsFound { rows, rest: None });
        };
        let wanted = text.to_lowercase();
        let (mut found, mut before, mut looked) = (SessionsFound::default(), filter.before, 0);
        loop {
            let page = self.by_activity(filter, before, PAGE_ROWS_MAX).await?;
            let last = page.len() as u64;
            for row in page {
                before = Some(row.activity());
                looked += 1;
                if self.speaks_of(&row, &wanted).await? {
                    found.rows.push(row);
                }
                if found.rows.len() as u64 >= filter.limit {
                    return Ok(found);
                }
                if looked >= SEARCHED_SESSIONS_MAX {
                    return Ok(SessionsFound { rest: before, ..found });
                }
            }
            if last < PAGE_ROWS_MAX {
                return Ok(found);
            }
        }
    }

    async fn by_activity(
        &self,
        filter: &SessionFilter,
        before: Option<Activity>,
        limit: u64,
    ) -> Result<Vec<SessionRow>, StoreError> {
        use session::Column;
        let mut query = session::Entity::find()
            .filter(Column::Project.eq(filter.project.uuid()))
            .filter(Column::Owner.eq(filter.owner.uuid()))
            .filter(Column::RemovedAt.is_null())
            .filter(Column::Trial.eq(false));
        query = match filter.pinned {
            Some(true) => query.filter(Column::PinnedAt.is_not_null()),
            Some(false) => query.filter(Column::PinnedAt.is_null()),
            None => query,
        };
        if let Some(Activity { at, session }) = before {
            let same = Condition::all()
                .add(Column::UpdatedAt.eq(at.unix_ms()))
                .add(Column::Id.lt(session));
            let earlier = Column::UpdatedAt.lt(at.unix_ms());
            query = query.filter(Condition::any().add(earlier).add(same));
        }
        let query = query.order_by_desc(Column::UpdatedAt).order_by_desc(Column::Id);
        let rows = query.limit(limit.min(PAGE_ROWS_MAX)).all(self.reader()).await?;
        rows.into_iter().map(SessionRow::read).collect()
    }

    /// The first words that its owner said in it: a button's turn and a decision have none.
    pub async fn first_message(&self, row: &SessionRow) -> Result<Option<String>, StoreError> {
        let events = self.accepted(row.id, 0, FIRST_TURNS_MAX).await?;
        let mut texts = events.iter().filter_map(|event| said(row, &event.body).transpose());
        texts.next().transpose()
    }

    /// The reason of what was done last with this question: it was decided, or a yes to it was taken back. `None`
    /// where none was given, and in conversations that an older build wrote.
    pub async fn answer_reason(
        &self,
        session: SessionId,
        approval: ApprovalId,
    ) -> Result<Option<String>, StoreError> {
        let decided = self.newest_about(session, (ACCEPTED, approval)).await?;
        let revoked = self.newest_about(session, (REVOKED, approval)).await?;
        let newest = decided.into_iter().chain(revoked).max_by_key(|(seq, _)| *seq);
        let (of, reason) = match newest.map(|(_, event)| event.body) {
            Some(EventBody::TurnAccepted { decision: Some(note), .. }) => {
                (note.approval, note.reason)
            }
            Some(EventBody::ApprovalRevoked { approval, reason, .. }) => (approval, reason),
            Some(_) | None => return Ok(None),
        };
        Ok((of == approval && !reason.is_empty()).then_some(reason))
    }

    /// What the conversation was told of the decision on this question; `None` where nothing is kept of it.
    pub async fn decision_note(
        &self,
        session: SessionId,
        approval: ApprovalId,
    ) -> Result<Option<DecisionNote>, StoreError> {
        let event = self.newest_about(session, (ACCEPTED, approval)).await?;
        let Some((_, event)) = event else { return Ok(None) };
        let EventBody::TurnAccepted { decision, .. } = event.body else { return Ok(None) };
        Ok(decision.filter(|note| note.approval == approval))
    }

    /// The words of the preview as the conversation was told them.
    pub async fn shown_words(
        &self,
        session: SessionId,
        approval: ApprovalId,
    ) -> Result<Option<String>, StoreError> {
        let event = self.newest_about(session, (PREVIEWED, approval)).await?;
        let Some(event) = event else { return Ok(None) };
        previews_told(self.direct(), session, std::slice::from_ref(&event)).await?;
        let EventBody::Previewed { approval: of, text, .. } = event.1.body else { return Ok(None) };
        Ok((of == approval).then_some(text))
    }

    /// The session's newest event of that kind that names this question.
    async fn newest_about(
        &self,
        session: SessionId,
        (kind, approval): (&str, ApprovalId),
    ) -> Result<Option<(u64, SessionEvent)>, StoreError> {
        use session_event::Column;
        let row = session_event::Entity::find()
            .filter(Column::Session.eq(session.uuid()))
            .filter(Column::Body.like(kind))
            .filter(Column::Body.like(format!("%\"approval\":\"{approval}\"%")))
            .order_by_desc(Column::Seq)
            .limit(1)
            .one(self.reader())
            .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some((from_db(row.seq), document(&row.body, "a session event")?)))
    }

    /// `wanted` in lower case.
    async fn speaks_of(&self, row: &SessionRow, wanted: &str) -> Result<bool, StoreError> {
        if row.title.to_lowercase().contains(wanted) {
            return Ok(true);
        }
        let mut after = 0;
        loop {
            let page = self.accepted(row.id, after, MESSAGES_PAGE).await?;
            for event in &page {
                if said(row, &event.body)?.is_some_and(|text| text.to_lowercase().contains(wanted))
                {
                    return Ok(true);
                }
            }
            match page.last() {
                Some(event) if page.len() as u64 == MESSAGES_PAGE => after = event.seq,
                Some(_) | None => return Ok(false),
            }
        }
    }

    /// Events of accepted turns, oldest first.
    async fn accepted(
        &self,
        session: SessionId,
        after: i64,
        limit: u64,
    ) -> Result<Vec<session_event::Model>, StoreError> {
        use session_event::Column;
        let query = session_event::Entity::find()
            .filter(Column::Session.eq(session.uuid()))
            .filter(Column::Seq.gt(after))
            .filter(Column::Body.like(ACCEPTED))
            .order_by_asc(Column::Seq)
            .limit(limit);
        Ok(query.all(self.reader()).await?)
    }
}

fn said(row: &SessionRow, body: &str) -> Result<Option<String>, StoreError> {
    let event: SessionEvent = document(body, "a session event")?;
    Ok(event.body.message_of(row.owner).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::Activity;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        let text = "1790000000000.0190a000-0000-7000-8000-000000000001";
        assert_eq!(text.parse::<Activity>().unwrap().to_string(), text);
        for bad in ["", "7", "7.7", "x.0190a000-0000-7000-8000-000000000001"] {
            assert!(bad.parse::<Activity>().is_err(), "{bad}");
        }
    }
}
