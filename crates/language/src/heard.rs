//! The tokens of an utterance, as signal, tasks and slots.

use crate::{
    again, also, answer,
    character::is_hangul,
    chosen, clause,
    concept::Concept,
    data, filled,
    hangul::{Syllable, last},
    instead, jobs, keeping, leftover,
    lexicon::{Lexicon, Sign},
    peek,
    reading::{Job, Lost, ReadSignal, Situation},
    replied::{self, Reply},
    reworded,
    rows::Rows,
    signal,
    signs::{Earlier, Signs},
    slots::{self, Said},
    source::Source,
    systems::Named,
    token::{Token, TokenKind},
    told,
};
use std::cell::OnceCell;
use wiiiv_domain::{Lang, SlotName, Slots, Spec, TaskType};

/// A rule that holds while something it needs is not said is less sure by this factor.
const INCOMPLETE: f32 = 0.8;
/// It is not clear which rows are meant: acting would leave out what was said of them.
const UNCLEAR: f32 = 0.4;
/// A word was read as what it seems to be a slip of.
const MENDED: f32 = 0.8;
/// Longer refusals say more than no.
const REFUSAL_WORDS_MAX: usize = 8;
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
            let signal = self.signal(said, found.as_ref());
            let read = found.as_ref().map(|found| (found.job.task_type, &found.job.slots));
            let reply = replied::reply(self.situation, said, read);
            if reply == Some(Reply::Either) || reworded::is_either(self.situation, tokens) {
                return jobs::nothing(ReadSignal::Say, Lost::Either);
            }
            if keeping::declines(self.situation, said) {
                let own = keeping::names_target(self.situation, said);
                let signal = if own { ReadSignal::Deny } else { ReadSignal::Say };
                let (jobs, left) = (Vec::new(), Vec::new());
                return Told { signal, jobs, confidence: 0.0, lost: None, left };
            }
            if let Some(slots) = self.answered(said, signal, found.as_ref())
                && let Some((task_type, _)) = self.situation.active
            {
                let clear = clearness(&slots, said, task_type);
                let job = Job { task_type, slots, text: said.part().to_owned() };
                let confidence = ANSWERED * clear;
                return Told { signal, jobs: vec![job], confidence, lost: None, left: Vec::new() };
            }
            let silent =
                matches!(signal, ReadSignal::Cancel | ReadSignal::Deny | ReadSignal::Remember);
            if silent || self.negated || keeping::spares(self.situation, said) {
                return Told {
                    signal,
                    jobs: Vec::new(),
                    confidence: 0.0,
                    lost: None,
                    left: Vec::new(),
                };
            }
            if found.is_none() && said.signs.is_declined(said.lexicon) {
                let lost = Some(Lost::Undone);
                let (jobs, left) = (Vec::new(), Vec::new());
                return Told { signal, jobs, confidence: 0.0, lost, left };
            }
            leftover::checked(self, tokens, jobs::told(self, tokens, signal, found))
        })
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
        let text: &str = &self.source.text;
        let ran = &Rows::ran(self.lexicon, self.situation);
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

    fn found(&self, said: &Said<'_, '_>) -> Option<Found> {
        if self.negated && !self.situation.is_asked() {
            return None;
        }
        let task = said.signs.task(said.lexicon);
        let other = || again::narrowed(self.situation, said);
        let other = || instead::instead(self.situation, said).or_else(other);
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

    fn signal(&self, said: &Said<'_, '_>, found: Option<&Found>) -> ReadSignal {
        let asks = said.tokens.last().is_some_and(|token| token.is_mark("?"));
        let situation = self.situation;
        if remembers(said.tokens) && !asks && !situation.is_asked() {
            ReadSignal::Remember
        } else if self.calls_off(said) || self.takes_back(said) {
            ReadSignal::Cancel
        } else if self.negated && situation.is_confirming() && refuses(said) {
            let other = keeping::names_another(situation, said);
            if other { ReadSignal::Say } else { ReadSignal::Deny }
        } else if keeping::spares(situation, said) {
            let own = keeping::names_target(situation, said);
            if own { ReadSignal::Deny } else { ReadSignal::Say }
        } else if !self.negated && cancels(said.tokens) {
            ReadSignal::Cancel
        } else if situation.active.is_some() && self.changes(said, found) {
            ReadSignal::Modify
        } else if said.signs.has(Sign::EarlierRun) || said.signs.has(Sign::KnownFile) {
            ReadSignal::FollowUp
        } else {
            ReadSignal::Say
        }
    }

    /// `a.txt 삭제 취소해줘` of what waits.
    fn takes_back(&self, said: &Said<'_, '_>) -> bool {
        let Some((task, _)) = self.situation.active.as_ref().filter(|_| self.negated) else {
            return false;
        };
        let act = |token: &Token<'_>| token.verb().is_none_or(|verb| jobs::fits(*task, verb));
        clause::is_called_off(self.language, said.tokens) && said.tokens.iter().all(act)
    }

    /// `cancel that, wrong ward`: what is behind it asks for nothing else.
    fn calls_off(&self, said: &Said<'_, '_>) -> bool {
        let marked = signal::called_off(self.lexicon, said.part(), self.situation);
        // `cancel it please i picked the wrong one`
        let tells = || told::tells(self.lexicon, self.language, said.tokens);
        let first = || signal::called_off_first(self.lexicon, said.part(), self.situation);
        let end = marked.or_else(|| if tells() { first() } else { None });
        let Some(end) = end else { return false };
        let start = said.tokens.first().map_or(0, |token| token.start);
        let reason = said.tokens.iter().position(|token| token.start >= start + end);
        let reason = reason.and_then(|at| said.tokens.get(at..)).unwrap_or_default();
        // `cancel order 5001` is none.
        if marked.is_none() && !told::tells(self.lexicon, self.language, reason) {
            return false;
        }
        let text = said.part().get(end..).unwrap_or_default();
        let other = [Concept::Correct, Concept::Change, Concept::Negate, Concept::NotThis];
        let asks = |t: &Token<'_>| {
            let leads = t.verb().is_some_and(|verb| !verb.is_weak_verb());
            leads || other.into_iter().any(|concept| t.has(concept))
        };
        let told = told::is_told(self.lexicon, self.language, text, reason);
        reason.iter().all(|t| t.is_word() || t.kind == TokenKind::Mark)
            && !reason.last().is_some_and(|last| last.is_mark("?"))
            && (told || !reason.iter().any(asks))
    }

    /// A change is called one, or answers a preview with a part of what was previewed.
    fn changes(&self, said: &Said<'_, '_>, found: Option<&Found>) -> bool {
        let corrects = [Concept::Change, Concept::Correct, Concept::NotThis, Concept::Unlike];
        let talks = found.is_some_and(|found| found.job.task_type.is_talk());
        // `wait, what will happen to it?`
        let asks = talks && said.signs.has(Sign::Asks);
        if corrects.into_iter().any(|concept| said.signs.says(concept)) {
            return !asks;
        }
        let whole = found.is_some_and(|found| is_whole(&found.job));
        let active = self.situation.active.as_ref();
        // `delete it` is no change of what is to be written.
        let fits = |verb| active.is_some_and(|(task, _)| jobs::fits(*task, verb));
        let sends = filled::corrects(self.lexicon, self.situation, said.tokens);
        // `delete user 5` is no change of what is to be sent.
        let looks = [Concept::Read, Concept::Get, Concept::Search, Concept::Delete];
        let other = |verb: Concept| verb.changes() && !fits(verb) || sends && looks.contains(&verb);
        if said.signs.verb.is_some_and(other) {
            return false;
        }
        if sends && !whole && !said.signs.has(Sign::Asks) {
            return answer::change(self.situation, said, None).is_some();
        }
        self.situation.is_confirming()
            && !said.signs.has(Sign::Asks)
            && !whole
            && answer::change(self.situation, said, None)
                .is_some_and(|changed| !keeping::mentions(self.situation, said, &changed))
    }

    fn answered(
        &self,
        said: &Said<'_, '_>,
        signal: ReadSignal,
        found: Option<&Found>,
    ) -> Option<Slots> {
        let found = found.map(|found| (found.job.task_type, &found.job.slots));
        match signal {
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

/// Asks to keep something in mind; a story in which somebody did so asks for nothing.
fn remembers(tokens: &[Token<'_>]) -> bool {
    let past = |c: char| Syllable::of(c).is_some_and(|syllable| syllable.last == last::SS);
    let leads = |token: &Token<'_>| token.verb().is_some_and(|verb| !verb.is_weak_verb());
    let asked = tokens.iter().rposition(|token| token.has(Concept::Remember));
    let Some((token, rest)) = asked.and_then(|at| tokens.get(at..)?.split_first()) else {
        return false;
    };
    let korean = token.text.starts_with(is_hangul);
    !(korean && (token.text.chars().any(past) || rest.iter().any(leads)))
}

/// Says no and nothing else: neither a question nor a way out.
fn refuses(said: &Said<'_, '_>) -> bool {
    let words = said.tokens.iter().filter(|token| token.is_word()).count();
    let other = [Concept::Cancel, Concept::Question, Concept::Talk, Concept::Result];
    words <= REFUSAL_WORDS_MAX && !other.into_iter().any(|concept| said.signs.says(concept))
}

fn is_whole(job: &Job) -> bool {
    !job.task_type.is_talk() && Spec::missing(job.task_type, &job.slots).is_empty()
}

/// Calls it off in a sentence that names nothing else: not an order, a file or a workflow.
fn cancels(tokens: &[Token<'_>]) -> bool {
    let aside = |token: &Token<'_>| {
        let named =
            [Concept::Thing, Concept::Workflow, Concept::File, Concept::Schedule, Concept::Content];
        let own = token.is_word()
            && !token.is_nameless()
            && !named.into_iter().any(|concept| token.has(concept));
        own || token.is_mark(",") || token.is_mark(".") || token.is_mark("!")
    };
    tokens.iter().any(|token| token.has(Concept::Cancel)) && tokens.iter().all(aside)
}
