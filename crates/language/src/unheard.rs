//! What of a message is in none of its jobs: a clause, a file, a text or a word that nothing reads, beside
//! what is done to files. `delete old.txt and tell bob`, `write 'x' to a.txt three times`, `메모.txt 읽고 불
//! 꺼줘`. It is asked about: what was said and is not done is never dropped without a word.
//!
//! What explains is no part of what is to be done: `.. because it is old`, `회의 때문에 ..`.

mod asked;
mod beside;
mod room;

use crate::{
    clause,
    concept::Concept,
    found::Told,
    heard::Heard,
    jobs::fits,
    morph, place,
    reading::Job,
    token::{Token, TokenKind},
    tokenizer, told,
};
pub(crate) use room::is_file;
use room::{Room, is_settled, points};
use std::ops::Range;
use wiiiv_domain::{SlotName, TaskType};

/// Longer messages are one job.
const TOKENS_MAX: usize = 400;
/// A part of the message is in none of the jobs.
pub(crate) fn is_unheard(heard: &Heard<'_>, tokens: &[Token<'_>], told: &Told) -> bool {
    let (jobs, left) = (&told.jobs, &told.left);
    let of_files = jobs.iter().any(|job| is_file(job.task_type));
    if tokens.len() > TOKENS_MAX || !of_files || !jobs.iter().all(|job| is_known(job.task_type)) {
        return false;
    }
    let room = Room::of(heard, tokens, jobs, left);
    let clauses = clause::ranges(heard.lexicon, heard.language, tokens);
    room.has_another(&clauses) || clauses.into_iter().any(|range| room.is_lost(&range))
}

/// What a job of another kind takes as a whole is its own matter.
const fn is_known(task: TaskType) -> bool {
    is_file(task) || task.is_talk() || matches!(task, TaskType::ApiWorkflow | TaskType::WebFetch)
}

/// `bye` is no part of `goodbye`; a Korean word has its particle behind it.
pub(crate) fn is_within(text: &str, part: &str) -> bool {
    let word = part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    if word { words.any(|one| one == part) } else { text.contains(part) }
}

impl<'a, 't> Room<'a, 't> {
    fn of(
        heard: &'a Heard<'a>,
        tokens: &'a [Token<'t>],
        jobs: &'a [Job],
        left: &'a [String],
    ) -> Self {
        let names = [SlotName::TARGET_PATH, SlotName::CONTENT, SlotName::URL, SlotName::BODY];
        let values = || {
            let of = |job: &'a Job| names.map(|name| Some((name, job.slots.get(name)?)));
            jobs.iter().flat_map(of).flatten()
        };
        let said = |t: &&Token<'_>| values().any(|(name, value)| is_in(heard, name, value, t));
        let held = tokens.iter().filter(said).map(|token| token.start).collect();
        Self { heard, tokens, jobs, left, held }
    }

    /// A file or a text of its own: `write hi to a.txt and 'bye' too`; not `but not b.txt`.
    fn has_another(&self, clauses: &[Range<usize>]) -> bool {
        let kinds = [TokenKind::Path, TokenKind::Quoted];
        let other = |t: &Token<'_>| kinds.contains(&t.kind) && !self.is_held(t);
        let spares = [Concept::Except, Concept::Spared, Concept::Unlike, Concept::NotThis];
        let spared = |t: &Token<'_>| t.has_any(&spares);
        let mut clauses = clauses.iter().filter_map(|range| self.tokens.get(range.clone()));
        self.jobs.iter().all(is_settled)
            && clauses.any(|clause| {
                clause.iter().any(other) && !clause.iter().any(spared) && !self.is_told(clause)
            })
    }

    /// A job says it.
    fn is_held(&self, token: &Token<'_>) -> bool {
        self.held.contains(&token.start)
    }

    fn is_lost(&self, range: &Range<usize>) -> bool {
        let Some(clause) = self.tokens.get(range.clone()) else { return false };
        let named = clause.iter().any(Token::is_entity);
        let held = |t: &Token<'_>| t.is_word() && !t.attached && self.is_held(t);
        let beside = |clause: &[Token<'_>]| {
            self.runs_over(clause)
                || self.goes_on_before(clause)
                || self.is_another_text(clause)
                || self.restores(clause)
        };
        if (named || clause.iter().any(held)) && beside(clause) {
            return true;
        }
        // `write milk to a.txt and drink milk`: more is said than what the job holds.
        let more = |t: &Token<'_>| self.says(t) && !self.is_held(t) && !points(t);
        let all_held = || clause.iter().any(held) && !clause.iter().any(more);
        if named || all_held() || !self.orders(range) {
            return false;
        }
        if self.is_said(clause) || self.is_told(clause) {
            return false;
        }
        match self.heard.part(clause).filter(|found| !found.job.task_type.is_talk()) {
            Some(found) => !self.jobs.iter().any(|job| is_same(job, &found.job)),
            None => !self.is_of_a_call(clause),
        }
    }

    /// It is told to be left out, says how something is written, or repeats what a job does: `read it`.
    fn is_said(&self, clause: &[Token<'_>]) -> bool {
        let has = |t: &Token<'_>, of: &[Concept]| t.has_any(of);
        let text = self.text(clause);
        let writes = |job: &Job| job.task_type == TaskType::FileWrite;
        let empty = |job: &Job| writes(job) && job.slots.get(SlotName::CONTENT).is_none();
        let fitting = |verb: Concept| self.jobs.iter().any(|job| fits(job.task_type, verb));
        let done = |t: &Token<'_>| t.leads() && t.verb().is_some_and(fitting);
        let adds = |t: &Token<'_>| has(t, &[Concept::Append, Concept::Overwrite]);
        let plain =
            |t: &Token<'_>| done(t) || points(t) || adds(t) || self.is_held(t) || !self.says(t);
        self.left.iter().any(|left| left.contains(text) || text.contains(left.as_str()))
            || clause.iter().any(|t| t.has(Concept::Content)) && self.jobs.iter().any(empty)
            || clause.iter().any(adds) && self.jobs.iter().any(writes) && clause.iter().all(plain)
            || clause.iter().any(done) && clause.iter().all(plain)
    }

    /// A part of what is asked of a system, or kept of an earlier answer.
    fn is_of_a_call(&self, clause: &[Token<'_>]) -> bool {
        let text = self.text(clause);
        let earlier = |job: &Job| job.slots.get(SlotName::SOURCE_RUN).is_some();
        let of_file = |job: &Job| is_file(job.task_type) && !earlier(job);
        let calls = |job: &&Job| !of_file(job) && !job.task_type.is_talk();
        self.jobs.iter().filter(calls).any(|job| job.text.contains(text))
    }

    fn text(&self, clause: &[Token<'_>]) -> &str {
        let ends = clause.first().zip(clause.last()).map(|(first, last)| first.start..last.end);
        ends.and_then(|ends| self.heard.source.text.get(ends)).unwrap_or_default()
    }

    /// It says what is not to be done, or what was done; its words were silenced for that.
    fn is_told(&self, clause: &[Token<'_>]) -> bool {
        let (lexicon, lang, text) = (self.heard.lexicon, self.heard.language, self.text(clause));
        let said = tokenizer::tokens(lexicon, text);
        clause::is_negated(lexicon, lang, &said) || told::is_told(lexicon, lang, text, &said)
    }
}

/// A job has it in this value: `물` of `물 사기`, and not of `물통`.
fn is_in(heard: &Heard<'_>, name: &str, value: &str, token: &Token<'_>) -> bool {
    if !token.is_word() {
        return value.contains(heard.source.as_written(token.text).trim());
    }
    if name == SlotName::TARGET_PATH {
        let mut parts = value.split('/');
        return parts.any(|part| part == token.text) || place::is_called(value, token.text);
    }
    if !token.is_korean() {
        return is_within(value, token.text);
    }
    let mut words = value.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let ends = |rest: &str| morph::is_endings(heard.lexicon, rest);
    words.any(|word| {
        let longer = token.text.strip_prefix(word).is_some_and(ends);
        longer || word.strip_prefix(token.text).is_some_and(ends)
    })
}

/// What is asked for once more, or in other words.
fn is_same(job: &Job, found: &Job) -> bool {
    let one = |name| found.slots.get(name).is_none_or(|value| job.slots.get(name) == Some(value));
    let verb = job.task_type == found.task_type;
    verb && [SlotName::DOMAIN, SlotName::OPERATION].into_iter().all(one)
}
