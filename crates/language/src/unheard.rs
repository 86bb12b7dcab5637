//! What of a message is in none of its jobs: a clause, a file, a text or a word that nothing reads, beside
//! what is done to files. `delete old.txt and tell bob`, `write 'x' to a.txt three times`, `메모.txt 읽고 불
//! 꺼줘`. It is asked about: what was said and is not done is never dropped without a word.
//!
//! What explains is no part of what is to be done: `.. because it is old`, `회의 때문에 ..`.

mod beside;

use crate::{
    character::is_hangul,
    clause,
    concept::Concept,
    heard::{Heard, Told},
    jobs::fits,
    lexicon::Lexicon,
    morph, place,
    reading::Job,
    signal::Whole,
    token::{Token, TokenKind},
    tokenizer, told,
    wonder::leads,
};
use std::{collections::BTreeSet, ops::Range};
use wiiiv_domain::{Lang, SlotName, TaskType};

/// Longer messages are one job.
const TOKENS_MAX: usize = 400;
/// Say how and how much, and nothing of what: they ask for nothing by themselves.
const LIGHT: [Concept; 13] = [
    Concept::Vague,
    Concept::And,
    Concept::Then,
    Concept::Too,
    Concept::Tell,
    Concept::Pronoun,
    Concept::That,
    Concept::You,
    Concept::Beforehand,
    Concept::Only,
    Concept::Wish,
    Concept::Following,
    Concept::Result,
];
/// Stands behind what somebody is told to do: `feed the cat`, but not `much appreciated`.
const OBJECTS: [&str; 12] =
    ["the", "a", "an", "my", "me", "us", "your", "our", "him", "her", "them", "it"];

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

const fn is_file(task: TaskType) -> bool {
    matches!(task, TaskType::FileRead | TaskType::FileWrite | TaskType::FileDelete)
}

/// What a job of another kind takes as a whole is its own matter.
const fn is_known(task: TaskType) -> bool {
    is_file(task) || task.is_talk() || matches!(task, TaskType::ApiWorkflow | TaskType::WebFetch)
}

/// Nothing of it is asked for.
fn is_settled(job: &Job) -> bool {
    let has = |name: &str| job.slots.get(name).is_some();
    let text = job.task_type != TaskType::FileWrite || has(SlotName::CONTENT);
    is_file(job.task_type) && has(SlotName::TARGET_PATH) && text
}

/// `bye` is no part of `goodbye`; a Korean word has its particle behind it.
pub(crate) fn is_within(text: &str, part: &str) -> bool {
    let word = part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    if word { words.any(|one| one == part) } else { text.contains(part) }
}

struct Room<'a, 't> {
    heard: &'a Heard<'a>,
    tokens: &'a [Token<'t>],
    jobs: &'a [Job],
    /// What is told to be left out.
    left: &'a [String],
    /// Where the tokens begin that a job says.
    held: BTreeSet<usize>,
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
        let spared = |t: &Token<'_>| spares.into_iter().any(|concept| t.has(concept));
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
        let has = |t: &Token<'_>, of: &[Concept]| of.iter().any(|concept| t.has(*concept));
        let text = self.text(clause);
        let writes = |job: &Job| job.task_type == TaskType::FileWrite;
        let empty = |job: &Job| writes(job) && job.slots.get(SlotName::CONTENT).is_none();
        let fitting = |verb: Concept| self.jobs.iter().any(|job| fits(job.task_type, verb));
        let done = |t: &Token<'_>| leads(t) && t.verb().is_some_and(fitting);
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

    /// It asks for something that says more than when and how.
    fn orders(&self, range: &Range<usize>) -> bool {
        let Some(clause) = self.tokens.get(range.clone()) else { return false };
        match self.heard.language {
            Lang::En => self.opens(clause, range.start),
            Lang::Ko => self.asks(clause) && clause.iter().any(|token| self.says(token)),
        }
    }

    /// A word of its own.
    fn says(&self, token: &Token<'_>) -> bool {
        let light = LIGHT.into_iter().any(|concept| token.has(concept)) && !leads(token);
        let murmurs = || self.heard.lexicon.bare.closed.contains_key(&Whole::key(token.text));
        let quotes = || self.heard.lexicon.quotes.iter().any(|quote| quote == token.text);
        token.is_word()
            && !token.attached
            && !light
            && !murmurs()
            && !quotes()
            && !self.helps(token)
    }

    /// `적혀 있나`: behind a verb that does not go on; not `지우고 나가줘`.
    fn helps(&self, token: &Token<'_>) -> bool {
        let lexicon = self.heard.lexicon;
        let goes_on = |text: &str| lexicon.connectives.iter().any(|end| text.ends_with(end));
        let before = || self.tokens.iter().rev().find(|before| before.start < token.start);
        let verb = || before().is_some_and(|t| t.verb().is_some() && !goes_on(t.text));
        morph::is_endings(lexicon, token.text) && verb()
    }

    /// Korean asks at the end, or goes on to what is asked for there; `불 꺼` asks by what it says.
    fn asks(&self, clause: &[Token<'_>]) -> bool {
        let lexicon = self.heard.lexicon;
        let requested = |text: &str| lexicon.requests.iter().any(|end| text.contains(end));
        let explains = |text: &str| lexicon.explaining.iter().any(|end| text.ends_with(end));
        let ends = |text: &str| lexicon.connectives.iter().any(|end| text.ends_with(end));
        let joined = |text: &str| ends(text) && !explains(text);
        let quoted = |text: &str| lexicon.quotes.iter().any(|end| text.ends_with(end));
        let ordered = last_word(self.tokens).is_some_and(requested);
        let verb = clause.iter().any(|t| t.verb().is_some());
        let goes_on = |text: &str| ordered && verb && joined(text) && !quoted(text);
        let beyond = clause.iter().any(|t| t.has(Concept::Beyond));
        let acts = |text: &str| beyond && !explains(text);
        last_word(clause).is_some_and(|text| requested(text) || goes_on(text) || acts(text))
    }

    /// English opens with what is to be done, and an explanation with something else.
    fn opens(&self, clause: &[Token<'_>], start: usize) -> bool {
        let lexicon = self.heard.lexicon;
        let silent = |t: &Token<'_>| if greets(t) { !self.adds(start) } else { !self.says(t) };
        let aside = |t: &Token<'_>| t.kind == TokenKind::Mark || silent(t);
        let opening = clause.iter().take_while(|t| aside(t)).count();
        let (before, said) = clause.split_at(opening);
        let Some(first) = said.first().filter(|t| t.is_word()) else { return false };
        let joined = self.is_joined(clause, start);
        // `and that draft`: behind `and` only a reason explains.
        let reasons = if joined { &lexicon.reasons } else { &lexicon.explaining };
        let explains = |t: &Token<'_>| reasons.contains(&word(t)) || states(lexicon, t);
        if !self.is_requested(before) && before.iter().chain([first]).any(explains) {
            return false;
        }
        let rest = said.get(1..).unwrap_or_default();
        let finite =
            if joined { says_of(lexicon, rest) } else { rest.iter().any(|t| states(lexicon, t)) };
        let listed = lexicon.is_listed(&word(first)) && first.verb().is_some();
        let object = |t: &Token<'_>| OBJECTS.contains(&word(t).as_str());
        let told = start > 0 && is_unknown(first) && rest.first().is_some_and(object);
        !finite && (listed || joined || told || start > 0 && first.has(Concept::Beyond))
    }

    /// `can you ..`, `i need you to ..`
    fn is_requested(&self, before: &[Token<'_>]) -> bool {
        let said = self.text(before).to_lowercase();
        let asks = |request: &String| request.contains(' ') && said.contains(request.as_str());
        self.heard.lexicon.requests.iter().any(asks)
    }

    /// `and thanks` says nothing; beside what is written it may be more of that.
    fn adds(&self, start: usize) -> bool {
        let writes = |job: &Job| job.task_type == TaskType::FileWrite;
        start > 0 && self.jobs.iter().all(writes)
    }

    /// `.. and tell bob`, `sing a song and ..`
    fn is_joined(&self, clause: &[Token<'_>], start: usize) -> bool {
        let joins =
            |t: &Token<'_>| t.has(Concept::And) || t.has(Concept::Then) || t.has(Concept::Too);
        let before = start.checked_sub(1).and_then(|at| self.tokens.get(at));
        let opens = start > 0 && clause.first().is_some_and(joins);
        before.is_some_and(joins) || opens || start == 0 && clause.last().is_some_and(joins)
    }
}

/// A job has it in this value: `물` of `물 사기`, and not of `물통`.
fn is_in(heard: &Heard<'_>, name: &str, value: &str, token: &Token<'_>) -> bool {
    if !token.is_word() {
        return value.contains(heard.source.as_written(token.text));
    }
    if name == SlotName::TARGET_PATH {
        let mut parts = value.split('/');
        return parts.any(|part| part == token.text) || place::is_called(value, token.text);
    }
    if !token.text.starts_with(is_hangul) {
        return is_within(value, token.text);
    }
    let mut words = value.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let ends = |rest: &str| morph::is_endings(heard.lexicon, rest);
    words.any(|word| {
        let longer = token.text.strip_prefix(word).is_some_and(ends);
        longer || word.strip_prefix(token.text).is_some_and(ends)
    })
}

fn word(token: &Token<'_>) -> String {
    token.text.to_lowercase().replace('’', "'")
}

/// It makes a statement of what it stands in.
fn states(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    lexicon.stating.contains(&word(token))
}

/// `and bob doesn't need it` says something of bob; `and tell bob it's gone` asks for something.
fn says_of(lexicon: &Lexicon, rest: &[Token<'_>]) -> bool {
    let subject = |t: &Token<'_>| {
        word(t).split('\'').next().is_some_and(|who| lexicon.subjects.contains(who))
    };
    rest.first().is_some_and(|t| states(lexicon, t) && !subject(t))
}

/// Of no job, whatever it may mean.
fn is_unknown(token: &Token<'_>) -> bool {
    token.concepts.is_empty() || token.has(Concept::Beyond)
}

/// Says where, and not what: `in it`.
fn points(token: &Token<'_>) -> bool {
    let places = [Concept::File, Concept::There, Concept::Within, Concept::Dest];
    places.into_iter().any(|concept| token.has(concept))
}

fn greets(token: &Token<'_>) -> bool {
    !token.concepts.is_empty() && token.concepts.iter().all(|c| *c == Concept::Greet)
}

/// What is asked for once more, or in other words.
fn is_same(job: &Job, found: &Job) -> bool {
    let one = |name| found.slots.get(name).is_none_or(|value| job.slots.get(name) == Some(value));
    let verb = job.task_type == found.task_type;
    verb && [SlotName::DOMAIN, SlotName::OPERATION].into_iter().all(one)
}

fn last_word<'t>(tokens: &[Token<'t>]) -> Option<&'t str> {
    tokens.iter().rev().find(|token| token.is_word()).map(|token| token.text)
}
