//! The turn in progress.

use crate::{
    session::{
        call::SentCall,
        consultation::{Asker, Consultation, FirstAnswer},
        held_answer::HeldAnswer,
        panel::Panel,
    },
    telemetry,
};
use std::{collections::BTreeSet, sync::Arc, time::Instant};
use tokio_util::sync::CancellationToken;
use tracing::Span;
use wiiiv_context::PlanRefusal;
use wiiiv_domain::{AnswerFinding, Citation, TurnId};
use wiiiv_store::{ProfileAuthor, SessionRow};

pub struct Turn {
    pub id: TurnId,
    /// Cancelled when the turn is dropped: whatever runs for it stops.
    pub cancel: CancellationToken,
    /// The model call in flight, with the hold that it is settled against.
    pub call: Option<Arc<SentCall>>,
    /// The model personas that were asked about a spec.
    pub panel: Option<Panel>,
    /// An answer in words that is looked at before it is given; the call in flight is about it.
    pub held_answer: Option<Box<HeldAnswer>>,
    /// What was found wrong with an answer in words that is given all the same, until it is told.
    pub findings: BTreeSet<AnswerFinding>,
    /// Who began it with words; `None` where nobody did, or somebody else than the session's owner.
    pub asker: Option<Asker>,
    pub consultation: Consultation,
    /// An answer that was put aside; the call in flight is the second one.
    pub first_answer: Option<Box<FirstAnswer>>,
    /// Passages that the answer which is given cites.
    pub citations: Vec<Citation>,
    /// Its outcome: the last effect that has one decides.
    pub outcome: &'static str,
    /// The stand-in of the built-in understanding was announced.
    pub degraded: bool,
    /// The last fallback that was announced; 0: none.
    pub fell_back: usize,
    /// Keys removed from the prompt of the model that answered last.
    pub secrets: usize,
    /// Its prompt was not sent: by how much it is too long.
    pub too_long: Option<PlanRefusal>,
    /// What came of a wish to keep something in mind, in words.
    pub remembered: Option<String>,
    /// The person whose message it is, until something that it tells of them was kept.
    pub profile_author: Option<ProfileAuthor>,
    /// It proposes the last request once more.
    pub tries_again: bool,
    /// The root of its trace.
    pub span: Span,
    pub begun: Instant,
}

impl Turn {
    pub fn new(id: TurnId, row: &SessionRow) -> Self {
        Self::with(id, telemetry::turn(id, row), Instant::now())
    }

    /// The same turn, with nothing under way.
    pub fn afresh(&self) -> Self {
        let mut turn = Self::with(self.id, self.span.clone(), self.begun);
        turn.asker.clone_from(&self.asker);
        turn
    }

    /// The model calls in flight.
    pub fn calls(&self) -> impl Iterator<Item = &Arc<SentCall>> {
        self.call.iter().chain(self.panel.iter().flat_map(Panel::waiting))
    }

    fn with(id: TurnId, span: Span, begun: Instant) -> Self {
        Self {
            id,
            cancel: CancellationToken::new(),
            call: None,
            panel: None,
            held_answer: None,
            findings: BTreeSet::new(),
            asker: None,
            consultation: Consultation::NotYet,
            first_answer: None,
            citations: Vec::new(),
            outcome: "done",
            degraded: false,
            fell_back: 0,
            secrets: 0,
            too_long: None,
            remembered: None,
            profile_author: None,
            tries_again: false,
            span,
            begun,
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
