//! The tokens of an utterance, as signal, tasks and slots.

use crate::{
    again, chosen,
    concept::Concept,
    data,
    found::Found,
    lexicon::{Lexicon, Sign},
    part::Part,
    peek,
    reading::{Job, Reread, Situation},
    rows::Rows,
    said::Said,
    signs::{Earlier, Signs},
    slots,
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

pub(crate) struct Heard<'a> {
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) source: &'a Source<'a>,
    pub(crate) language: Lang,
    pub(crate) situation: &'a Situation,
    /// Only what is not to be done was said.
    pub(crate) negated: bool,
    pub(crate) reread: Reread,
}

impl Heard<'_> {
    /// The same, where something else was done before.
    pub(crate) fn within<'s>(&'s self, situation: &'s Situation) -> Heard<'s> {
        let Heard { lexicon, source, language, negated, reread, .. } = *self;
        Heard { lexicon, source, language, situation, negated, reread }
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
        let (named, rows) = (&named, &rows_of(self.lexicon, self.situation, &named, &signs));
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
            reread: self.reread,
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

    pub(crate) fn found(&self, said: &Said<'_, '_>) -> Option<Found> {
        if self.negated && !self.situation.is_asked() {
            return None;
        }
        let task = said.signs.task(said.lexicon);
        let other = || again::narrowed(self.situation, said);
        let other = || again::instead(self.situation, said).or_else(other);
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
}

/// What is said of rows and not understood makes all of it unsure.
pub(crate) fn clearness(slots: &Slots, said: &Said<'_, '_>, task: TaskType) -> f32 {
    // What is sent keeps nothing of the answer.
    let kept = slots.get(SlotName::SELECT).or(slots.get(SlotName::BODY)).is_none();
    let lost = || kept && chosen::chosen(said).expr.is_some();
    let unread = slots.get(SlotName::UNREAD).is_some();
    if unread || (slots::selects(task, slots) && lost()) { UNCLEAR } else { 1.0 }
}

/// Of what is named; else of the task that is being changed, or of the earlier result.
fn rows_of(lexicon: &Lexicon, situation: &Situation, named: &Named<'_>, signs: &Signs) -> Rows {
    if named.fields().next().is_some() {
        Rows::with(lexicon, named.fields())
    } else if named.names_system {
        Rows::default()
    } else if signs.has(Sign::EarlierRun) || situation.keeps_earlier() {
        Rows::ran(lexicon, situation).awaited(situation.is_confirming(), false)
    } else {
        let told = situation.asks_for(SlotName::SELECT);
        Rows::active(lexicon, situation).awaited(situation.is_confirming(), told)
    }
}
