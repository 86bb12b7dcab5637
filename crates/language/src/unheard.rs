//! What of a message is in none of its jobs: a clause, a file, a text or a word that nothing reads, beside
//! what is done to files. `delete old.txt and tell bob`, `write 'x' to a.txt three times`, `메모.txt 읽고 불
//! 꺼줘`. It is asked about: what was said and is not done is never dropped without a word.
//!
//! What explains is no part of what is to be done: `.. because it is old`, `회의 때문에 ..`.

use crate::{
    character::is_hangul,
    clause,
    concept::Concept,
    heard::{Heard, Told},
    jobs::fits,
    morph, place,
    reading::Job,
    signal::Whole,
    token::{Token, TokenKind},
    tokenizer, told,
    wonder::leads,
};
use std::ops::Range;
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
/// What is done to a file knows nothing of it.
const STRANGE: [Concept; 7] = [
    Concept::Undone,
    Concept::Computed,
    Concept::Letter,
    Concept::Count,
    Concept::Format,
    Concept::Every,
    Concept::Part,
];
/// Ends what is done before something else.
const AND: char = '고';
/// Behind a number: so many times.
const TIMES: &str = "번";

/// A part of the message is in none of the jobs.
pub(crate) fn is_unheard(heard: &Heard<'_>, tokens: &[Token<'_>], told: &Told) -> bool {
    let (jobs, left) = (&told.jobs, &told.left);
    let of_files = jobs.iter().any(|job| is_file(job.task_type));
    if tokens.len() > TOKENS_MAX || !of_files || !jobs.iter().all(|job| is_known(job.task_type)) {
        return false;
    }
    let room = Room { heard, tokens, jobs, left };
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
}

impl Room<'_, '_> {
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
        let names = [SlotName::TARGET_PATH, SlotName::CONTENT, SlotName::URL, SlotName::BODY];
        let said = |job: &Job| names.iter().any(|name| self.is_in(job, name, token));
        self.jobs.iter().any(said)
    }

    fn is_in(&self, job: &Job, name: &str, token: &Token<'_>) -> bool {
        let Some(value) = job.slots.get(name) else { return false };
        if !token.is_word() {
            // Around a text stands nothing.
            return value.contains(self.heard.source.as_written(token.text).trim());
        }
        if name == SlotName::TARGET_PATH {
            let mut parts = value.split('/');
            return parts.any(|part| part == token.text) || place::is_called(value, token.text);
        }
        let korean = token.text.starts_with(is_hangul);
        let stem = |word: &str| token.text.starts_with(word);
        is_within(value, token.text) || korean && value.split_whitespace().any(stem)
    }

    fn is_lost(&self, range: &Range<usize>) -> bool {
        let Some(clause) = self.tokens.get(range.clone()) else { return false };
        let own = |t: &Token<'_>| t.is_entity() || t.is_word() && !t.attached && self.is_held(t);
        if clause.iter().any(own) {
            return self.runs_over(clause)
                || self.goes_on_before(clause)
                || self.is_another_text(clause);
        }
        if !self.orders(range) || self.is_said(clause) || self.is_told(clause) {
            return false;
        }
        match self.heard.part(clause).filter(|found| !found.job.task_type.is_talk()) {
            Some(found) => !self.jobs.iter().any(|job| is_same(job, &found.job)),
            None => !self.is_of_a_call(clause),
        }
    }

    /// It is told to be left out, says how something is written, or repeats what a job does: `read it`.
    fn is_said(&self, clause: &[Token<'_>]) -> bool {
        let has = |concept: Concept| clause.iter().any(|token| token.has(concept));
        let text = self.text(clause);
        let empty = |job: &Job| {
            job.task_type == TaskType::FileWrite && job.slots.get(SlotName::CONTENT).is_none()
        };
        let fitting = |verb: Concept| self.jobs.iter().any(|job| fits(job.task_type, verb));
        let done = clause.iter().any(|t| leads(t) && t.verb().is_some_and(fitting));
        let of_file = [Concept::File, Concept::There, Concept::Within, Concept::Dest];
        let points = |t: &Token<'_>| of_file.into_iter().any(|concept| t.has(concept));
        self.left.iter().any(|left| left.contains(text) || text.contains(left.as_str()))
            || [Concept::Append, Concept::Overwrite].into_iter().any(has)
            || has(Concept::Content) && self.jobs.iter().any(empty)
            || done && clause.iter().all(|t| leads(t) || points(t) || !self.says(t))
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
        let ends = || morph::is_endings(self.heard.lexicon, token.text);
        token.is_word() && !token.attached && !light && !murmurs() && !ends()
    }

    /// Korean asks at the end, or goes on to what is asked for there.
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
        last_word(clause).is_some_and(|text| requested(text) || goes_on(text))
    }

    /// English opens with what is to be done, and an explanation with something else.
    fn opens(&self, clause: &[Token<'_>], start: usize) -> bool {
        let lexicon = self.heard.lexicon;
        let word = |t: &Token<'_>| t.text.to_lowercase().replace('’', "'");
        let states = |t: &Token<'_>| lexicon.stating.contains(&word(t));
        let explains = |t: &Token<'_>| lexicon.explaining.contains(&word(t)) || states(t);
        let silent = |t: &Token<'_>| if greets(t) { !self.adds(start) } else { !self.says(t) };
        let aside = |t: &Token<'_>| t.kind == TokenKind::Mark || silent(t);
        let opening = clause.iter().take_while(|t| aside(t)).count();
        let (before, said) = clause.split_at(opening);
        let Some(first) = said.first().filter(|t| t.is_word()) else { return false };
        if before.iter().any(explains) || explains(first) {
            return false;
        }
        let finite = said.iter().skip(1).any(states);
        let more = said.iter().filter(|token| token.is_word()).count() > 1;
        let joined = self.is_joined(clause, start);
        let listed = lexicon.is_listed(&word(first)) && first.verb().is_some();
        !finite && (listed || joined || start > 0 && more && is_unknown(first))
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

    /// `write hi to a.txt and 'bye' too`: what goes there is said twice, and only one of it is read.
    fn is_another_text(&self, clause: &[Token<'_>]) -> bool {
        let writes = [Concept::Write, Concept::Save, Concept::Add];
        let writes = |t: &Token<'_>| t.text.is_ascii() && writes.into_iter().any(|c| t.has(c));
        let said = clause.iter().skip_while(|token| !writes(token)).skip(1);
        let said: Vec<&Token<'_>> = said.take_while(|t| !t.has(Concept::Dest)).collect();
        let placed = clause.iter().skip_while(|t| !t.has(Concept::Dest)).any(Token::is_path);
        let text = |t: &&Token<'_>| t.is_word() && (t.concepts.is_empty() || greets(t));
        let quoted = |t: &Token<'_>| t.kind == TokenKind::Quoted && !t.dictated;
        let mut behind = self.tokens.iter().skip_while(|token| !token.is_path());
        let plain = said.iter().all(|t| t.is_word() && !self.is_held(t));
        placed
            && plain
            && behind.any(quoted)
            && self.jobs.iter().all(is_settled)
            && said.into_iter().any(|t| text(&t))
    }

    /// `노래 틀고 a.txt 읽어줘`: what nothing reads, and then the file.
    fn goes_on_before(&self, clause: &[Token<'_>]) -> bool {
        let entity = clause.iter().position(Token::is_entity).unwrap_or_default();
        let joins = |t: &Token<'_>| t.text.ends_with(AND) && t.text.chars().count() > 1;
        let unknown = |t: &Token<'_>| morph::concepts(self.heard.lexicon, t.text).is_empty();
        let before = clause.iter().take(entity);
        let mut before = before.filter(|t| t.is_word() && !t.attached && unknown(t));
        before.any(|token| joins(token) && !self.is_held(token))
    }

    /// Behind the file and the text stands more: `three times`, `with today's date`.
    fn runs_over(&self, clause: &[Token<'_>]) -> bool {
        let changes = |job: &Job| job.task_type != TaskType::FileRead && is_settled(job);
        if !self.jobs.iter().all(changes) {
            return false;
        }
        let known = |t: &Token<'_>| t.is_entity() || t.is_word() && self.is_held(t);
        let strange = |t: &Token<'_>| STRANGE.into_iter().any(|concept| t.has(concept));
        if self.heard.language == Lang::Ko {
            let first = clause.iter().position(Token::is_entity).unwrap_or(clause.len());
            let rest = clause.get(first..).unwrap_or_default();
            let computed = |t: &Token<'_>| t.has(Concept::Computed) && !self.is_held(t);
            return rest.iter().any(computed) || rest.windows(2).any(|pair| self.is_repeated(pair));
        }
        let last = clause.iter().rposition(known).map_or(0, |at| at + 1);
        let lexicon = self.heard.lexicon;
        let word = |t: &Token<'_>| t.text.to_lowercase().replace('’', "'");
        let explains = |t: &&Token<'_>| {
            [&lexicon.explaining, &lexicon.stating].iter().any(|words| words.contains(&word(t)))
        };
        let rest = clause.iter().skip(last).take_while(|t| !explains(t));
        let how = |t: &Token<'_>| t.text.ends_with("ly");
        let mut rest = rest.filter(|t| self.says(t) || strange(t));
        rest.any(|t| (is_unknown(t) || strange(t)) && !how(t))
    }

    /// `세 번`, `3번`
    fn is_repeated(&self, pair: &[Token<'_>]) -> bool {
        let [number, unit] = pair else { return false };
        let counts = number.text.starts_with(|c: char| c.is_ascii_digit())
            || self.heard.lexicon.numbers.contains_key(number.text);
        counts && unit.text == TIMES && !self.is_held(number)
    }
}

/// Of no job, whatever it may mean.
fn is_unknown(token: &Token<'_>) -> bool {
    token.concepts.is_empty() || token.has(Concept::Beyond)
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
