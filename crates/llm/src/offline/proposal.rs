//! Proposals that only reply.

use wiiiv_domain::{Action, Envelope, Proposal, Slots, Sources, TaskSwitch, TaskType};
use wiiiv_language::Lexicon;
use wiiiv_messages::{Messages, Topics};

/// What it knows by heart.
pub(crate) struct Offline<'m> {
    pub(crate) lexicon: &'m Lexicon,
    pub(crate) topics: &'m Topics,
    pub(crate) messages: &'m Messages,
}

pub(super) fn talk(message: &str) -> Proposal {
    Proposal {
        action: Action::Reply,
        task_type: TaskType::Conversation,
        message: message.to_owned(),
        slots: Slots::default(),
        task_switch: TaskSwitch::Stay,
        envelope: Envelope::default(),
        later: Vec::new(),
        confidence: None,
        sources: Sources::default(),
    }
}
