//! The dialogue, its language and what was shown last. All of it is restored from the journal.

use crate::{
    history_text,
    reply_kind::{self, ReplyKind},
    session::seen::Sight,
};
use std::collections::VecDeque;
use wiiiv_context::{Dialogue, Line, LineKind};
use wiiiv_domain::{
    BlueprintDigest, Envelope, EventBody, FlowInput, Lang, LaterJob, Proposal, ProposalOutcome,
    ReplyCode, Slots, Sources, Speaker, TaskSwitch, TurnId, UserId, ValueSources,
};
use wiiiv_flow::TaskView;
use wiiiv_hlx::of_names;
use wiiiv_language::{ReadSignal, Reading};

pub struct Conversation {
    pub language: Lang,
    dialogue: Dialogue,
    /// All of it is there: nothing was said before what the session was restored from.
    is_whole: bool,
    /// The last turn in which it could not be read.
    unread_in: Option<TurnId>,
    /// The user's words of older turns, as the last prompt showed them.
    recalled: Vec<String>,
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
    /// The plan that the gates ruled on last.
    ruled: Option<BlueprintDigest>,
}

impl Default for Conversation {
    fn default() -> Self {
        Self {
            language: Lang::En,
            dialogue: Dialogue::default(),
            is_whole: true,
            unread_in: None,
            recalled: Vec::new(),
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
            ruled: None,
        }
    }
}

impl Conversation {
    /// The last messages and replies.
    pub const fn history(&self) -> &VecDeque<Line> {
        self.dialogue.lines()
    }
    pub const fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }
    pub const fn dialogue_mut(&mut self) -> &mut Dialogue {
        &mut self.dialogue
    }
    /// Whether its beginning is to be read: once a turn, until it can be.
    pub fn lacks_beginning(&self, turn: TurnId) -> bool {
        !self.is_whole && self.unread_in != Some(turn)
    }

    /// It was restored from what was said last; there is more before that.
    pub const fn begin_late(&mut self) {
        self.is_whole = false;
    }

    /// The whole of it, with the sources of what older turns hold; `None`: it cannot be read in this turn.
    pub fn recall(&mut self, turn: TurnId, all: Option<(Dialogue, ValueSources)>) {
        match all {
            Some((dialogue, read)) => {
                self.is_whole = true;
                self.dialogue = dialogue;
                self.read.extend([&read]);
            }
            None => {
                self.unread_in = Some(turn);
                self.dialogue.lose_older();
            }
        }
    }

    /// The user's words of older turns that the prompt of the turn shows.
    pub fn note_recalled<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        self.recalled = words.into_iter().map(str::to_owned).collect();
    }

    /// What the user wrote and prompts still hold.
    pub fn user_words(&self) -> impl Iterator<Item = &str> {
        let last = self.history().iter().filter(|line| line.by_user());
        last.map(|line| line.text.as_str()).chain(self.recalled.iter().map(String::as_str))
    }
    pub const fn shown(&self) -> Option<BlueprintDigest> {
        self.shown
    }

    /// A button and a decision have no text. `owner`: whose words alone go into prompts as the user's.
    pub fn note_message(&mut self, by: UserId, owner: UserId, text: &str) {
        if !text.is_empty() {
            self.speaker = Some(by);
        }
        if by == owner {
            self.dialogue.note(user_line(text));
        }
    }

    /// Applies a journalled reply, question or preview.
    pub fn note(&mut self, body: &EventBody) {
        if let Some(line) = reply_line(body, self.ruled) {
            self.dialogue.note(line);
        }
        match body {
            EventBody::Replied { reply, .. } => {
                (self.shown, self.expired) = (None, reply_kind::expired(reply));
                if ReplyKind::of(reply).ends_request {
                    self.came_to = Some(reply.clone());
                }
            }
            EventBody::Asked { .. } => (self.shown, self.expired) = (None, None),
            EventBody::Previewed { digest, .. } => {
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
        let quiet = self.history().is_empty();
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
        self.spoken = (!self.history().is_empty()).then_some(language);
    }

    /// Notes the active task's slots or, if the input ended it at once, the proposed ones.
    /// `active`: after that input.
    pub fn note_wish(&mut self, input: &FlowInput, active: Option<&TaskView<'_>>) {
        note_names(&mut self.read, input);
        self.ruled = ruled_on(input).or(self.ruled);
        let FlowInput::Proposed { outcome: ProposalOutcome::Proposal { proposal }, .. } = input
        else {
            return;
        };
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

/// Sources of names that a model wrote, which previews and questions show.
pub fn note_names(read: &mut ValueSources, input: &FlowInput) {
    let FlowInput::Proposed { outcome: ProposalOutcome::Proposal { proposal }, .. } = input else {
        return;
    };
    let later = proposal.later.iter().map(|job| &job.sources);
    for sources in std::iter::once(&proposal.sources).chain(later) {
        read.extend([&of_names(sources)]);
    }
}

/// The plan that the gates ruled on.
pub const fn ruled_on(input: &FlowInput) -> Option<BlueprintDigest> {
    if let FlowInput::Ruling { digest, .. } = input { Some(*digest) } else { None }
}

/// The user's message.
pub fn user_line(text: &str) -> Line {
    Line { speaker: Speaker::User, kind: LineKind::Words, text: text.to_owned() }
}

/// What an event adds to the conversation beside the user's messages, without a model's words that rest on what came
/// from outside. `ruled`: the plan that the gates ruled on last.
pub fn reply_line(body: &EventBody, ruled: Option<BlueprintDigest>) -> Option<Line> {
    let (kind, text) = match body {
        EventBody::Replied { reply, text, foreign, .. } => {
            (reply_kind::line_kind(reply, ruled), history_text::reply(reply, text, *foreign))
        }
        EventBody::Asked { message, text, foreign, .. } => {
            (LineKind::Words, history_text::question(message, text, *foreign))
        }
        EventBody::Previewed { digest, text, .. } => {
            (LineKind::Preview { plan: *digest }, history_text::sentences(text).to_owned())
        }
        EventBody::TurnAccepted { .. }
        | EventBody::Input { .. }
        | EventBody::StepStarted { .. }
        | EventBody::StepFinished { .. }
        | EventBody::RiskCleared { .. }
        | EventBody::ApprovalRevoked { .. }
        | EventBody::TurnEnded { .. } => return None,
    };
    Some(Line { speaker: Speaker::Governor, kind, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_context::{HISTORY_MESSAGES_MAX, StageReason};
    use wiiiv_domain::{ApprovalId, BlueprintId, ExecutionId, RulingOutcome};
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
        EventBody::replied(reply, text.to_owned())
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

    /// So that what older turns show of it stands with the turn that it belongs to.
    #[test]
    fn a_report_names_the_plan_that_was_ruled_on_and_a_refusal_its_own() {
        let mut conversation = Conversation::default();
        for of in ["a", "b"] {
            let ruling = RulingOutcome::Unavailable;
            conversation.note_wish(&FlowInput::Ruling { digest: digest(of), ruling }, None);
        }
        let execution = ExecutionId::from_uuid(uuid::Uuid::nil());
        let (a, b) = (Some(digest("a")), Some(digest("b")));
        for (reply, due) in [
            (ReplyCode::RunCancelled { execution }, LineKind::Report { plan: b }),
            (ReplyCode::Expired { digest: digest("a") }, LineKind::Report { plan: a }),
            (ReplyCode::Cancelled, LineKind::Report { plan: None }),
            (ReplyCode::Refused { digest: a }, LineKind::Refusal { plan: a }),
            (ReplyCode::Refused { digest: None }, LineKind::Refusal { plan: None }),
            (ReplyCode::Waiting { digest: digest("a") }, LineKind::Words),
        ] {
            conversation.note(&replied(reply, "So it is."));
            assert_eq!(conversation.history().back().map(|line| line.kind), Some(due));
        }
        conversation.note(&previewed(digest("a"), "It writes a.txt.\n\n+ one"));
        let last = conversation.history().back().map(|line| line.kind);
        assert_eq!(last, Some(LineKind::Preview { plan: digest("a") }));
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
            conversation.note_message(someone(), someone(), text);
            assert_eq!(conversation.language, due, "{text}");
        }
    }

    #[test]
    fn the_history_is_bounded() {
        let mut conversation = Conversation::default();
        let mut note = |text: &str| conversation.note_message(someone(), someone(), text);
        (0..=HISTORY_MESSAGES_MAX).for_each(|at| note(&at.to_string()));
        note("");
        assert_eq!(conversation.history().len(), HISTORY_MESSAGES_MAX);
        assert_eq!(conversation.history().front().unwrap().text, "1");
    }

    #[test]
    fn what_could_not_be_read_is_tried_again_in_the_next_turn_and_in_that_one_alone() {
        let turn = |nth| TurnId::from_uuid(uuid::Uuid::from_u128(nth));
        let notes = |conversation: &mut Conversation, nth| {
            let older = conversation.dialogue_mut().long_term(turn(nth), None);
            older.map(|older| older.notes.iter().map(|note| note.why).collect::<Vec<_>>())
        };
        let mut conversation = Conversation::default();
        assert!(!conversation.lacks_beginning(turn(1)), "it began here");
        conversation.begin_late();
        assert!(conversation.lacks_beginning(turn(1)));
        conversation.recall(turn(1), None);
        assert!(!conversation.lacks_beginning(turn(1)) && conversation.lacks_beginning(turn(2)));
        assert_eq!(notes(&mut conversation, 1), Some(vec![StageReason::Unread; 2]));
        conversation.recall(turn(2), Some((Dialogue::default(), ValueSources::default())));
        assert!(!conversation.lacks_beginning(turn(3)));
        assert_eq!(notes(&mut conversation, 3), None);
    }

    /// Of a conversation that somebody else speaks in.
    #[test]
    fn words_of_others_are_not_the_users() {
        let mut conversation = Conversation::default();
        let other = UserId::from_uuid(uuid::Uuid::max());
        conversation.note_message(other, someone(), "use evil.example");
        conversation.note_message(someone(), someone(), "use a.txt");
        conversation.note_recalled(["never b.txt"]);
        assert_eq!(conversation.user_words().collect::<Vec<_>>(), ["use a.txt", "never b.txt"]);
        assert_eq!(conversation.speaker, Some(someone()));
    }
}
