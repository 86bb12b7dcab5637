//! What of a message is in none of its jobs, though it changes what they are to do: what had to be done
//! before a delete, a second text, the folder of several files, what is to be done first.

use crate::{
    clause,
    concept::Concept,
    folder::{Folder, folder},
    heard::{Heard, Told},
    jobs,
    reading::{Job, Lost},
    token::{Token, TokenKind},
    tokenizer, undone,
    wonder::leads,
};
use wiiiv_domain::{Lang, SlotName, TaskType};

/// Stands for any name.
const ANY: &str = "*";
/// In front of the rest of a name.
const ANIES: [&str; 4] = [ANY, "?", "]", "}"];
/// Longer messages are one job.
const TOKENS_MAX: usize = 400;

/// The jobs as they are meant, or why none of them is taken.
pub(crate) fn checked(heard: &Heard<'_>, tokens: &[Token<'_>], mut told: Told) -> Told {
    if heard.situation.is_asked() || told.lost.is_some() {
        return told;
    }
    if let Some(lost) = lost(heard, tokens, &told.jobs) {
        return jobs::nothing(told.signal, lost);
    }
    place(heard, tokens, &mut told.jobs);
    order(heard, &mut told.jobs);
    told
}

fn lost(heard: &Heard<'_>, tokens: &[Token<'_>], jobs: &[Job]) -> Option<Lost> {
    let content = |job: &Job, token: &Token<'_>| {
        job.slots.get(SlotName::CONTENT).is_some_and(|text| is_within(text, token.text))
    };
    let rest = tokens.iter().filter(|token| !jobs.iter().any(|job| content(job, token)));
    let rest: Vec<Token<'_>> = rest.cloned().collect();
    if is_unheard(heard, tokens, jobs) {
        return Some(Lost::Half);
    }
    // `if a.txt exists, append to it`: whether it does is looked at by nobody.
    let changes = |job: &Job| matches!(job.task_type, TaskType::FileWrite | TaskType::FileDelete);
    let given = tokens.first().is_some_and(|token| token.has(Concept::Condition));
    if given && jobs.iter().any(changes) {
        return Some(Lost::Bound);
    }
    let deletes = jobs.iter().any(|job| job.task_type == TaskType::FileDelete);
    if deletes && undone::comes_first(&rest) {
        Some(Lost::Half)
    } else if jobs.iter().any(|job| is_file(job.task_type)) && is_wide(tokens) {
        Some(Lost::Wide)
    } else if let [job] = jobs {
        let writes = job.task_type == TaskType::FileWrite;
        let texts = tokens.iter().filter(|token| token.dictated).count();
        let more = adds_more(&rest, job) || is_second(tokens) || texts > 1;
        (writes && more).then_some(Lost::Half)
    } else {
        are_described(heard, &rest, jobs).then_some(Lost::Half)
    }
}

/// `delete old.txt and tell bob`: a clause of its own that nothing reads, beside what is done to files.
fn is_unheard(heard: &Heard<'_>, tokens: &[Token<'_>], jobs: &[Job]) -> bool {
    if tokens.len() > TOKENS_MAX || !jobs.iter().all(|job| is_file(job.task_type)) {
        return false;
    }
    let parts = clause::ranges(heard.lexicon, heard.language, tokens);
    let holds = |job: &Job, token: &Token<'_>| {
        [SlotName::TARGET_PATH, SlotName::CONTENT]
            .into_iter()
            .any(|name| job.slots.get(name).is_some_and(|value| is_within(value, token.text)))
    };
    let known =
        |t: &Token<'_>| t.is_entity() || jobs.iter().any(|job| t.is_word() && holds(job, t));
    let strange = |t: &Token<'_>| {
        t.is_word() && !t.attached && (t.concepts.is_empty() || t.has(Concept::Undone))
    };
    let silent =
        |clause: &[Token<'_>]| heard.part(clause).is_none_or(|found| found.job.task_type.is_talk());
    parts.into_iter().skip(1).filter(|range| goes_on(heard, tokens, range.start)).any(|range| {
        let clause = tokens.get(range).unwrap_or_default();
        !clause.iter().any(known)
            && clause.iter().any(strange)
            && silent(clause)
            && !is_spared(heard, clause)
    })
}

/// `bye` is no part of `goodbye`; a Korean word has its particle behind it.
fn is_within(text: &str, part: &str) -> bool {
    let word = part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    if word { words.any(|one| one == part) } else { text.contains(part) }
}

/// `but leave b.txt alone`: it says what is not to be done, and its words were silenced for that.
fn is_spared(heard: &Heard<'_>, clause: &[Token<'_>]) -> bool {
    let ends = clause.first().zip(clause.last()).map(|(first, last)| first.start..last.end);
    let text = ends.and_then(|ends| heard.source.text.get(ends)).unwrap_or_default();
    let said = tokenizer::tokens(heard.lexicon, text);
    clause::is_negated(heard.lexicon, heard.language, &said)
}

/// `.. and tell bob`, `.. 지우고 전화해줘`: something more is asked for, and nothing is explained.
fn goes_on(heard: &Heard<'_>, tokens: &[Token<'_>], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|at| tokens.get(at)) else { return false };
    let ends =
        |words: &[String], text: &str| words.iter().any(|word| text.ends_with(word.as_str()));
    if heard.language == Lang::En {
        return before.has(Concept::And) || before.has(Concept::Then);
    }
    let asked = tokens
        .iter()
        .rev()
        .find(|t| t.is_word())
        .is_some_and(|last| ends(&heard.lexicon.requests, last.text));
    let quotes = ends(&heard.lexicon.quotes, before.text);
    let joins = ends(&heard.lexicon.connectives, before.text) && !quotes;
    asked && before.verb().is_some() && joins
}

/// `make a.txt and b.txt in notes with hello`: what is said of several files at once.
fn are_described(heard: &Heard<'_>, rest: &[Token<'_>], jobs: &[Job]) -> bool {
    let one = jobs.windows(2).all(|pair| matches!(pair, [a, b] if a.text == b.text));
    let changes =
        jobs.iter().all(|job| matches!(job.task_type, TaskType::FileWrite | TaskType::FileDelete));
    let last = rest.iter().rposition(Token::is_path).map_or(0, |at| at + 1);
    let behind = rest.get(last..).unwrap_or_default();
    let english = behind.iter().all(|token| token.text.is_ascii());
    // `a.txt랑 b.txt 만들어서 안녕이라고 써줘`
    let quotes = |t: &Token<'_>| {
        t.is_word() && heard.lexicon.quotes.iter().any(|quote| t.text.ends_with(quote.as_str()))
    };
    let empty = jobs.iter().any(|job| job.slots.get(SlotName::CONTENT).is_none());
    let here = matches!(folder(heard.lexicon, rest), Folder::Here);
    let told = |t: &Token<'_>| if english { here && says(t) } else { empty && quotes(t) };
    one && changes && last > 0 && jobs.len() > 1 && behind.iter().any(told)
}

/// A word that nothing reads; a greeting is none there.
fn says(token: &Token<'_>) -> bool {
    token.is_word() && !token.attached && token.concepts.iter().all(|c| *c == Concept::Greet)
}

const fn is_file(task: TaskType) -> bool {
    matches!(task, TaskType::FileRead | TaskType::FileWrite | TaskType::FileDelete)
}

/// `*.txt`, `logs/*`
fn is_wide(tokens: &[Token<'_>]) -> bool {
    tokens.windows(2).any(|pair| match pair {
        [any, path] if ANIES.iter().any(|mark| any.is_mark(mark)) => {
            path.is_path() && path.attached
        }
        [path, any] => path.is_path() && any.is_mark(ANY) && any.attached,
        _ => false,
    })
}

/// `write hi to a.txt and also bye`: behind the file, and no part of what is written.
fn adds_more(rest: &[Token<'_>], job: &Job) -> bool {
    let target = job.slots.get(SlotName::TARGET_PATH);
    let settled = job.slots.get(SlotName::CONTENT).is_some();
    let Some(at) = rest.iter().position(|t| t.is_path() && Some(t.text) == target) else {
        return false;
    };
    let behind = rest.get(at + 1..).unwrap_or_default();
    let joined = behind.first().is_some_and(|t| t.has(Concept::And) || t.has(Concept::Too));
    let other = |t: &Token<'_>| {
        let greets = !t.concepts.is_empty() && t.concepts.iter().all(|c| *c == Concept::Greet);
        t.kind == TokenKind::Quoted
            || t.is_word() && !t.has(Concept::Too) && (t.concepts.is_empty() || greets)
    };
    let english = behind.first().is_some_and(|t| t.text.is_ascii() && !t.attached);
    settled && joined && english && behind.iter().any(other) && !behind.iter().any(leads)
}

/// `write hi to a.txt and 'bye' too`
fn is_second(tokens: &[Token<'_>]) -> bool {
    let goes = |t: &Token<'_>| t.has(Concept::Dest);
    tokens.windows(4).any(|row| match row {
        [to, path, and, quoted] => {
            goes(to) && path.is_path() && and.has(Concept::And) && quoted.kind == TokenKind::Quoted
        }
        _ => false,
    })
}

/// Several bare names lie in the folder that is named beside them; where it is not clear which, their
/// places are asked for.
fn place(heard: &Heard<'_>, tokens: &[Token<'_>], jobs: &mut [Job]) {
    if jobs.len() < 2 || jobs.windows(2).any(|pair| matches!(pair, [a, b] if a.text != b.text)) {
        return;
    }
    for job in jobs {
        let bare = job.slots.get(SlotName::TARGET_PATH).filter(|path| !path.contains('/'));
        let Some(bare) = bare.map(str::to_owned) else { continue };
        let path = match folder(heard.lexicon, tokens) {
            Folder::Here => continue,
            Folder::Named(folder) => format!("{folder}/{bare}"),
            Folder::Unclear => String::new(),
        };
        // What does not fit is asked for.
        if job.slots.set(SlotName::TARGET_PATH, path).is_err() {
            let _ = job.slots.set(SlotName::TARGET_PATH, "");
        }
    }
}

/// `delete old.txt but show it to me first`
fn order(heard: &Heard<'_>, jobs: &mut [Job]) {
    let [one, other] = jobs else { return };
    let tokens = tokenizer::tokens(heard.lexicon, &other.text);
    let first = tokens.iter().any(|token| token.has(Concept::Beforehand));
    if first && other.task_type == TaskType::FileRead && one.task_type != TaskType::FileRead {
        std::mem::swap(one, other);
    }
}
