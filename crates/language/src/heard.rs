//! The tokens of an utterance, as signal, tasks and slots.

mod signalled;

use crate::{
    again, agreed, also, answer, chosen,
    concept::Concept,
    data, instead, jobs, keeping, leftover,
    lexicon::{Lexicon, Sign},
    part::Part,
    peek,
    reading::{Job, Lost, ReadSignal, Situation},
    replied::{self, Reply},
    reworded,
    rows::Rows,
    sent,
    signs::{Earlier, Signs},
    slots::{self, Said},
    source::Source,
    systems::{self, Named},
    token::Token,
    words,
};
use std::cell::OnceCell;
use wiiiv_domain::{Lang, SlotName, Slots, Spec, TaskType};

/// A rule that holds while something it needs is not said is less sure by this factor.
const INCOMPLETE: f32 = 0.8;
/// It is not clear which rows are meant: acting would leave out what was said of them.
const UNCLEAR: f32 = 0.4;
/// A word was read as what it seems to be a slip of.
const MENDED: f32 = 0.8;
/// An answer to our own question.
const ANSWERED: f32 = 0.9;

pub(crate) struct Heard<'a> {
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) source: &'a Source<'a>,
    pub(crate) language: Lang,
    pub(crate) situation: &'a Situation,
    /// Only what is not to be done was said.
    pub(crate) negated: bool,
}

pub(crate) struct Told {
    pub(crate) signal: ReadSignal,
    pub(crate) jobs: Vec<Job>,
    pub(crate) confidence: f32,
    pub(crate) lost: Option<Lost>,
    /// What of it is not done, as it was said.
    pub(crate) left: Vec<String>,
}

impl Told {
    /// Nothing is to be done.
    pub(crate) const fn none(signal: ReadSignal, lost: Option<Lost>) -> Self {
        Self { signal, jobs: Vec::new(), confidence: 0.0, lost, left: Vec::new() }
    }
}

/// One part of an utterance, by the rules.
pub(crate) struct Found {
    pub(crate) job: Job,
    pub(crate) confidence: f32,
}

impl Heard<'_> {
    pub(crate) fn told(&self, tokens: &[Token<'_>]) -> Told {
        self.with(tokens, |said| {
            let found = self.found(said);
            if let Some(told) = also::also(self.situation, said).filter(|_| !self.negated) {
                return told;
            }
            let agrees = !self.negated && !peek::looks_first(said, found.as_ref());
            if let Some(told) = agreed::agreed(self, tokens).filter(|_| agrees) {
                return told;
            }
            let signal = self.signal(said, found.as_ref());
            let read = found.as_ref().map(|found| (found.job.task_type, &found.job.slots));
            let reply = replied::reply(self.situation, said, read);
            if reply == Some(Reply::Either) || reworded::is_either(self.situation, tokens) {
                return Told::none(ReadSignal::Say, Some(Lost::Either));
            }
            if keeping::declines(self.situation, said) {
                let own = keeping::names_target(self.situation, said);
                return Told::none(if own { ReadSignal::Deny } else { ReadSignal::Say }, None);
            }
            let silent = matches!(signal, ReadSignal::Cancel | ReadSignal::Deny);
            let other = || sent::completed(self.situation, said).is_none();
            if !silent && sent::is_beside(self.situation, said, found.as_ref()) && other() {
                return Told::none(ReadSignal::Say, Some(Lost::Half));
            }
            if let Some(slots) = self.answered(said, signal, found.as_ref())
                && let Some((task_type, _)) = self.situation.active
            {
                let clear = clearness(&slots, said, task_type);
                let job = Job { task_type, slots, text: said.part().to_owned() };
                let confidence = ANSWERED * clear;
                return Told { signal, jobs: vec![job], confidence, lost: None, left: Vec::new() };
            }
            let found = found.filter(|found| !self.only_corrects(signal, found));
            let silent =
                matches!(signal, ReadSignal::Cancel | ReadSignal::Deny | ReadSignal::Remember);
            if silent || self.negated || keeping::spares(self.situation, said) {
                return Told::none(signal, None);
            }
            if found.is_none() && said.signs.is_declined(said.lexicon) {
                return Told::none(signal, Some(Lost::Undone));
            }
            leftover::checked(self, tokens, jobs::told(self, tokens, signal, found))
        })
    }

    /// `점심 약속으로 바꿔줘` greets nobody.
    fn only_corrects(&self, signal: ReadSignal, found: &Found) -> bool {
        let greets = found.job.task_type == TaskType::Conversation;
        greets && signal == ReadSignal::Modify && self.situation.is_confirming()
    }

    /// The same, where something else was done before.
    pub(crate) fn within<'s>(&'s self, situation: &'s Situation) -> Heard<'s> {
        let Heard { lexicon, source, language, negated, .. } = *self;
        Heard { lexicon, source, language, situation, negated }
    }

    /// What the rules make of a part of the utterance.
    pub(crate) fn part(&self, tokens: &[Token<'_>]) -> Option<Found> {
        self.with(tokens, |said| self.found(said))
    }

    pub(crate) fn with<T>(
        &self,
        tokens: &[Token<'_>],
        use_it: impl FnOnce(&Said<'_, '_>) -> T,
    ) -> T {
        let mut tokens = tokens.to_vec();
        let named = Named::mark(self.lexicon, self.language, self.situation, &mut tokens);
        words::mend_looks(self.lexicon, &mut tokens);
        let text: &str = &self.source.text;
        let ran = &Rows::ran(self.lexicon, self.situation);
        self.hush(ran, &mut tokens);
        let earlier =
            Earlier { run: self.situation.earlier_run, file: self.situation.file(), rows: ran };
        let signs = Signs::of(self.lexicon, self.language, (text, &tokens), &named, earlier);
        let (lexicon, source) = (self.lexicon, self.source);
        let (named, rows) = (&named, &Rows::of(self.lexicon, self.situation, &named, &signs));
        let revises = self.situation.active.is_some();
        let file = self.situation.file().filter(|_| signs.has(Sign::KnownFile));
        let keeps_earlier = self.situation.keeps_earlier();
        let (tokens, signs) = (&tokens, &signs);
        use_it(&Said {
            lexicon,
            text,
            source,
            tokens,
            signs,
            named,
            rows,
            revises,
            keeps_earlier,
            file,
            selection: OnceCell::new(),
        })
    }

    /// `only the delivered ones`, `결제된거만` of rows that were shown or are asked about: what has become of
    /// them, and nothing that is to be done.
    fn hush(&self, ran: &Rows, tokens: &mut [Token<'_>]) {
        let past = |t: &Token<'_>| match t.text.is_ascii() {
            true => t.ends(Part::Past),
            false => self.lexicon.parts.split(Part::Past, t.text).is_some(),
        };
        if tokens.iter().any(|t| t.is_word() && t.verb().is_some_and(Concept::changes) && past(t)) {
            let active = Rows::active(self.lexicon, self.situation);
            systems::hush(self.lexicon, if active.is_unknown() { ran } else { &active }, tokens);
        }
    }

    fn found(&self, said: &Said<'_, '_>) -> Option<Found> {
        if self.negated && !self.situation.is_asked() {
            return None;
        }
        let task = said.signs.task(said.lexicon);
        let other = || again::narrowed(self.situation, said);
        let other = || instead::instead(self.situation, said).or_else(other);
        let other = || other().or_else(|| data::saved(self.situation, said));
        let other = || other().or_else(|| peek::peek(self.situation, said));
        if task.is_none_or(|(task, _)| task.is_talk())
            && let Some(found) = other()
        {
            return Some(found);
        }
        // `그 파일 다시 보여줘` beside a preview: the file that waits.
        let reads = task.is_some_and(|(task, _)| task == TaskType::FileRead);
        if reads
            && slots::target(said).or(said.file.map(Into::into)).is_none()
            && let Some(found) = peek::peek(self.situation, said)
        {
            return Some(found);
        }
        let (task_type, sure) = task?;
        if task_type == TaskType::FileWrite
            && let Some(found) = data::kept(self.situation, said)
        {
            return Some(found);
        }
        let slots = slots::slots(task_type, said);
        let slots = again::added(self.situation, said, slots).ok()?;
        let clear = clearness(&slots, said, task_type);
        let factors = [
            (!Spec::missing(task_type, &slots).is_empty(), INCOMPLETE),
            (said.tokens.iter().any(|token| token.mended), MENDED),
        ];
        let held = factors.into_iter().filter(|(holds, _)| *holds);
        let confidence = held.fold(sure * clear, |sure, (_, factor)| sure * factor);
        let job = Job { task_type, slots, text: said.part().to_owned() };
        Some(Found { job, confidence })
    }

    fn answered(
        &self,
        said: &Said<'_, '_>,
        signal: ReadSignal,
        found: Option<&Found>,
    ) -> Option<Slots> {
        let found = found.map(|found| (found.job.task_type, &found.job.slots));
        match signal {
            ReadSignal::Modify if sent::waiting(self.situation).is_some() => {
                sent::completed(self.situation, said)
            }
            ReadSignal::Modify => answer::change(self.situation, said, found),
            ReadSignal::Cancel
            | ReadSignal::Deny
            | ReadSignal::LeaveOut(_)
            | ReadSignal::Remember => None,
            ReadSignal::Affirm | ReadSignal::FollowUp | ReadSignal::Reset | ReadSignal::Say => {
                answer::fill(self.situation, said, found)
            }
        }
    }
}

/// What is said of rows and not understood makes all of it unsure.
fn clearness(slots: &Slots, said: &Said<'_, '_>, task: TaskType) -> f32 {
    // What is sent keeps nothing of the answer.
    let kept = slots.get(SlotName::SELECT).or(slots.get(SlotName::BODY)).is_none();
    let lost = || kept && chosen::chosen(said).expr.is_some();
    let unread = slots.get(SlotName::UNREAD).is_some();
    if unread || (slots::selects(task, slots) && lost()) { UNCLEAR } else { 1.0 }
}
