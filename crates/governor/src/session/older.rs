//! The beginning of a long conversation, which a session is not restored from: read from the journal once in the
//! session's life, when a prompt first needs it; where that fails, again in the next turn.

use crate::session::{
    Session,
    conversation::{note_names, reply_line, ruled_on, user_line},
};
use wiiiv_context::Dialogue;
use wiiiv_domain::{BlueprintDigest, EventBody, TurnId, UserId, ValueSources};
use wiiiv_store::{JOURNAL_PAGE_MAX, StoreError};

/// Events that are read, the newest: about 2,000 turns.
const OLDER_EVENTS_MAX: u64 = 20_000;
/// And of their texts so much, in bytes, but for the rest of a page.
const OLDER_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Reads what was said before the session was restored. Where that fails, or there is more than is read, the turn goes on
/// without it, and each plan of a prompt says so.
pub async fn recall(session: &mut Session, turn: TurnId) {
    if !session.conversation.lacks_beginning(turn) {
        return;
    }
    let read = read(session).await;
    if let Err(error) = &read {
        tracing::warn!(session = %session.journal.row.id, %error, "older turns cannot be read");
    }
    session.conversation.recall(turn, read.ok());
}

/// With everything that is not committed yet.
async fn read(session: &Session) -> Result<(Dialogue, ValueSources), StoreError> {
    let (store, row) = (&session.runtime.deps.store, &session.journal.row);
    let mut until = store.next_seq(row.id).await?.max(1);
    let first = until.saturating_sub(OLDER_EVENTS_MAX).max(1);
    // From its end on: where there is more than is read, the oldest of it is left out.
    let (mut pages, mut left) = (Vec::new(), OLDER_BYTES_MAX);
    while until > first && left > 0 {
        let from = until.saturating_sub(JOURNAL_PAGE_MAX).max(first);
        let page = store.journal_page(row.id, from, until - from).await?;
        let page = page.into_iter().filter(|(seq, _)| *seq < until);
        let page: Vec<Noted> = page.filter_map(|(_, event)| Noted::of(event.body)).collect();
        let bytes = page.iter().map(Noted::bytes).fold(0, usize::saturating_add);
        left = left.saturating_sub(bytes);
        pages.push(page);
        until = from;
    }
    let mut reading = Reading::new(row.owner, until <= 1);
    pages.into_iter().rev().flatten().for_each(|noted| reading.note(noted));
    let pending = session.journal.pending.events.iter();
    pending.filter_map(|event| Noted::of(event.body.clone())).for_each(|noted| reading.note(noted));
    Ok((reading.dialogue, reading.read))
}

/// What an event adds, without what it has beside that.
enum Noted {
    Input { read: ValueSources, ruled: Option<BlueprintDigest> },
    Text(EventBody),
}

impl Noted {
    fn of(body: EventBody) -> Option<Self> {
        match body {
            EventBody::Input { input, memories, .. } => {
                let mut read = memories;
                note_names(&mut read, &input);
                let ruled = ruled_on(&input);
                (!read.is_empty() || ruled.is_some()).then_some(Self::Input { read, ruled })
            }
            EventBody::TurnAccepted { .. }
            | EventBody::Replied { .. }
            | EventBody::Asked { .. }
            | EventBody::Previewed { .. } => Some(Self::Text(body)),
            EventBody::StepStarted { .. }
            | EventBody::StepFinished { .. }
            | EventBody::RiskCleared { .. }
            | EventBody::ApprovalRevoked { .. }
            | EventBody::TurnEnded { .. } => None,
        }
    }

    const fn bytes(&self) -> usize {
        match self {
            Self::Text(
                EventBody::TurnAccepted { text, .. }
                | EventBody::Replied { text, .. }
                | EventBody::Asked { text, .. }
                | EventBody::Previewed { text, .. },
            ) => text.len(),
            Self::Text(_) | Self::Input { .. } => 0,
        }
    }
}

struct Reading {
    owner: UserId,
    /// The end of a turn whose beginning is not read is no history: what its model had read stands there.
    has_begun: bool,
    dialogue: Dialogue,
    /// As a restored session has it of what it is restored from.
    read: ValueSources,
    ruled: Option<BlueprintDigest>,
}

impl Reading {
    fn new(owner: UserId, has_begun: bool) -> Self {
        let (mut dialogue, read) = (Dialogue::default(), ValueSources::default());
        // What was forbidden there is not known, and each plan says so.
        if !has_begun {
            dialogue.lose_older();
        }
        Self { owner, has_begun, dialogue, read, ruled: None }
    }

    fn note(&mut self, noted: Noted) {
        let body = match noted {
            Noted::Text(body) => body,
            Noted::Input { read, ruled } => {
                self.read.extend([&read]);
                self.ruled = ruled.or(self.ruled);
                return;
            }
        };
        self.has_begun |= matches!(body, EventBody::TurnAccepted { .. });
        let line = body.message_of(self.owner).map(user_line);
        let line = line.or_else(|| reply_line(&body, self.ruled));
        if let Some(line) = line.filter(|_| self.has_begun) {
            self.dialogue.note(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_context::{Stage, StageNote, StageReason};
    use wiiiv_domain::ReplyCode;

    fn replied(text: &str) -> Noted {
        let reply = ReplyCode::Told { message: text.to_owned() };
        Noted::Text(EventBody::replied(reply, text.to_owned()))
    }

    /// What its model had read stands before what is read.
    #[test]
    fn the_end_of_a_turn_whose_beginning_is_not_read_is_no_history() {
        for (is_whole, lines) in [(true, 1), (false, 0)] {
            let mut reading = Reading::new(UserId::from_uuid(uuid::Uuid::nil()), is_whole);
            reading.note(replied("marmalade"));
            assert_eq!(reading.dialogue.recent().count(), lines);
        }
    }

    #[test]
    fn what_is_read_in_part_says_so() {
        let turn = TurnId::from_uuid(uuid::Uuid::nil());
        let notes = |is_whole| {
            let mut reading = Reading::new(UserId::from_uuid(uuid::Uuid::nil()), is_whole);
            reading.note(replied("marmalade"));
            reading.dialogue.long_term(turn, None).map(|long_term| long_term.notes)
        };
        let unread = |stage| StageNote { stage, why: StageReason::Unread };
        assert_eq!(notes(false), Some(Stage::ALL.map(unread).to_vec()));
        assert_eq!(notes(true), None);
    }
}
