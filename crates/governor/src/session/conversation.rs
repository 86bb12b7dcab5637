//! History, language and what was shown last. All of it is restored from the journal.

use crate::{
    config::HISTORY_MESSAGES_MAX,
    history_text,
    reply_kind::{self, ReplyKind},
    session::seen::Sight,
};
use std::collections::VecDeque;
use wiiiv_domain::{
    BlueprintDigest, Envelope, EventBody, FlowInput, Lang, LaterJob, Proposal, ProposalOutcome,
    ReplyCode, Slots, Sources, TaskSwitch, UserId, ValueSources,
};
use wiiiv_flow::TaskView;
use wiiiv_hlx::of_names;
use wiiiv_language::{ReadSignal, Reading};

/// One message or reply, for the next prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub by_user: bool,
    pub text: String,
}

pub struct Conversation {
    pub language: Lang,
    history: VecDeque<Line>,
    /// Whose the last message is; `None`: there is none.
    pub speaker: Option<UserId>,
    /// The first language that was clearly spoken here.
    spoken: Option<Lang>,
    /// The last preview, if nothing was shown since: what a typed yes is about.
    shown: Option<BlueprintDigest>,
    /// A preview whose time ran out, if that was the last reply: a yes comes too late for it.
    expired: Option<BlueprintDigest>,
    pub sight: Sight,
    /// The model that answered last had read what came from outside.
    pub foreign: bool,
    /// What the history holds beside the user's words: sources of names that a model wrote, which previews and
    /// questions show, and memories of others, which stand behind a model's answers whatever became of them since.
    pub read: ValueSources,
    /// Slots from a form's answer, until the flow asks for them.
    pub filled: Option<Slots>,
    /// The last request, with its latest slots.
    pub wished: Option<LaterJob>,
    /// Its outcome.
    pub came_to: Option<ReplyCode>,
}

impl Default for Conversation {
    fn default() -> Self {
        Self {
            language: Lang::En,
            history: VecDeque::new(),
            speaker: None,
            spoken: None,
            shown: None,
            expired: None,
            sight: Sight::default(),
            foreign: false,
            read: ValueSources::default(),
            filled: None,
            wished: None,
            came_to: None,
        }
    }
}

impl Conversation {
    pub const fn history(&self) -> &VecDeque<Line> {
        &self.history
    }
    pub const fn shown(&self) -> Option<BlueprintDigest> {
        self.shown
    }

    fn add(&mut self, by_user: bool, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.history.len() >= HISTORY_MESSAGES_MAX {
            self.history.pop_front();
        }
        self.history.push_back(Line { by_user, text: text.to_owned() });
    }

    /// A button and a decision have no text.
    pub fn note_message(&mut self, by: UserId, text: &str) {
        if !text.is_empty() {
            self.speaker = Some(by);
        }
        self.add(true, text);
    }

    /// Applies a journalled reply, question or preview.
    pub fn note(&mut self, body: &EventBody) {
        match body {
            EventBody::Replied { reply, text, foreign } => {
                self.add(false, &history_text::reply(reply, text, *foreign));
                (self.shown, self.expired) = (None, reply_kind::expired(reply));
                if ReplyKind::of(reply).ends_request {
                    self.came_to = Some(reply.clone());
                }
            }
            EventBody::Asked { message, text, foreign, .. } => {
                self.add(false, &history_text::question(message, text, *foreign));
                (self.shown, self.expired) = (None, None);
            }
            EventBody::Previewed { digest, text, .. } => {
                self.add(false, history_text::sentences(text));
                (self.shown, self.expired) = (Some(*digest), None);
            }
            EventBody::TurnAccepted { .. }
            | EventBody::Input { .. }
            | EventBody::StepStarted { .. }
            | EventBody::StepFinished { .. }
            | EventBody::RiskCleared { .. }
            | EventBody::ApprovalRevoked { .. }
            | EventBody::TurnEnded { .. } => {}
        }
    }

    /// This preview was shown once more.
    pub const fn show(&mut self, digest: BlueprintDigest) {
        self.shown = Some(digest);
    }
    pub const fn take_shown(&mut self) -> Option<BlueprintDigest> {
        self.shown.take()
    }
    /// No yes is about this preview any more.
    pub fn hide(&mut self, digest: BlueprintDigest) {
        self.shown.take_if(|shown| *shown == digest);
    }

    /// An answer to an expired question gets that as the reason.
    pub fn answer_to(&self, code: ReplyCode) -> ReplyCode {
        match (code, self.expired) {
            (ReplyCode::NothingToConfirm, Some(digest)) => ReplyCode::Expired { digest },
            (code, _) => code,
        }
    }

    /// Sets the language of the answer: the author's setting, else the first that was clearly
    /// spoken. A system's name (`is_name`), a bare yes or no, a place, a file or a value has no
    /// language.
    pub fn follow(&mut self, set: Option<Lang>, reading: &Reading, is_name: bool) {
        let bare = is_name
            || !reading.speaks
            || matches!(reading.signal, ReadSignal::Affirm | ReadSignal::Deny);
        if !bare {
            self.spoken.get_or_insert(set.unwrap_or(reading.language));
        }
        let quiet = self.history.is_empty();
        let fallback = if quiet { reading.language } else { self.language };
        self.language = set.or(self.spoken).unwrap_or(fallback);
    }

    /// The same for a form's answer, which has no language of its own.
    pub fn follow_form(&mut self, set: Option<Lang>) {
        self.language = set.or(self.spoken).unwrap_or(self.language);
    }

    /// After a replay: a conversation with a history has a language.
    pub fn resume_in(&mut self, language: Lang) {
        self.language = language;
        self.spoken = (!self.history.is_empty()).then_some(language);
    }

    /// Notes the active task's slots or, if the input ended it at once, the proposed ones.
    /// `active`: after that input.
    pub fn note_wish(&mut self, input: &FlowInput, active: Option<&TaskView<'_>>) {
        let FlowInput::Proposed { outcome: ProposalOutcome::Proposal { proposal }, .. } = input
        else {
            return;
        };
        let later = proposal.later.iter().map(|job| &job.sources);
        for sources in std::iter::once(&proposal.sources).chain(later) {
            self.read.extend([&of_names(sources)]);
        }
        if proposal.task_type.is_talk() || proposal.action.recall().is_some() {
            return;
        }
        let active = active.filter(|task| task.task_type == proposal.task_type);
        let (slots, sources) = active.map_or_else(
            || self.slots_of(proposal),
            |task| (task.slots.clone(), task.sources.clone()),
        );
        let (task_type, envelope) = (proposal.task_type, Envelope::default());
        self.wished = Some(LaterJob { task_type, slots, envelope, sources });
    }

    fn slots_of(&self, proposal: &Proposal) -> (Slots, Sources) {
        let goes_on = |job: &&LaterJob| {
            proposal.task_switch == TaskSwitch::Stay && job.task_type == proposal.task_type
        };
        let known = self.wished.as_ref().filter(goes_on);
        let merged = known.and_then(|job| {
            let slots = job.slots.merged(&proposal.slots).ok()?;
            let sources = job.sources.merged(&proposal.sources, &proposal.slots, &slots);
            Some((slots, sources))
        });
        merged.unwrap_or_else(|| (proposal.slots.clone(), proposal.sources.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::{ApprovalId, BlueprintId};
    use wiiiv_language::{Lexicon, Situation, read};

    fn digest(of: &str) -> BlueprintDigest {
        BlueprintDigest::of_bytes(of.as_bytes())
    }

    fn previewed(digest: BlueprintDigest, text: &str) -> EventBody {
        let id = uuid::Uuid::nil();
        let (approval, blueprint) = (ApprovalId::from_uuid(id), BlueprintId::from_uuid(id));
        EventBody::Previewed { approval, blueprint, digest, text: text.to_owned() }
    }

    fn someone() -> UserId {
        UserId::from_uuid(uuid::Uuid::nil())
    }

    fn replied(reply: ReplyCode, text: &str) -> EventBody {
        EventBody::Replied { reply, text: text.to_owned(), foreign: false }
    }

    #[test]
    fn a_yes_is_about_the_last_preview_if_nothing_was_shown_since() {
        let mut conversation = Conversation::default();
        conversation.note(&previewed(digest("a"), "It writes a.txt.\n\n+ one"));
        assert_eq!(conversation.shown(), Some(digest("a")));
        conversation.hide(digest("b"));
        assert_eq!(conversation.shown(), Some(digest("a")));
        conversation.note(&replied(ReplyCode::Told { message: String::new() }, "Because."));
        assert_eq!(conversation.shown(), None);
        let lines: Vec<_> = conversation.history().iter().map(|line| line.text.as_str()).collect();
        assert_eq!(lines, ["It writes a.txt.", "Because."]);
    }

    #[test]
    fn a_yes_that_comes_too_late_is_told_so() {
        let mut conversation = Conversation::default();
        let late = |c: &Conversation| c.answer_to(ReplyCode::NothingToConfirm);
        assert_eq!(late(&conversation), ReplyCode::NothingToConfirm);
        let expired = ReplyCode::Expired { digest: digest("a") };
        conversation.note(&replied(expired.clone(), "Its time is over."));
        assert_eq!(late(&conversation), expired);
        assert_eq!(conversation.came_to, Some(expired));
    }

    #[test]
    fn the_language_is_the_first_that_was_clearly_spoken() {
        let lexicon = Lexicon::embedded().unwrap();
        let mut conversation = Conversation::default();
        for (text, set, due) in [
            ("네", None, Lang::Ko),
            ("show the files", None, Lang::En),
            ("네", None, Lang::En),
            ("파일 보여줘", None, Lang::En),
            ("show the files", Some(Lang::Ko), Lang::Ko),
        ] {
            let reading = read(&lexicon, text, &Situation::default());
            conversation.follow(set, &reading, false);
            conversation.note_message(someone(), text);
            assert_eq!(conversation.language, due, "{text}");
        }
    }

    #[test]
    fn the_history_is_bounded() {
        let mut conversation = Conversation::default();
        let mut note = |text: &str| conversation.note_message(someone(), text);
        (0..=HISTORY_MESSAGES_MAX).for_each(|at| note(&at.to_string()));
        note("");
        assert_eq!(conversation.history().len(), HISTORY_MESSAGES_MAX);
        assert_eq!(conversation.history().front().unwrap().text, "1");
    }
}
