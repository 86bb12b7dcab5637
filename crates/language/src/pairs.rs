//! One verb that writes, for several files with a text of its own each: `a.txt에는 사과, b.txt에는 바나나라고
//! 써줘`, `put apples in a.txt and bananas in b.txt`.

use crate::{
    concept::Concept,
    found::Told,
    heard::Heard,
    lexicon::Lexicon,
    reading::{Job, ReadSignal},
    shared,
    token::{Token, TokenKind},
};
use std::ops::Range;
use wiiiv_domain::{Lang, SlotName, TaskType};

/// Each of them as a job of its own; `None` where one of them is not clear by itself.
pub(crate) fn told(heard: &Heard<'_>, tokens: &[Token<'_>], signal: ReadSignal) -> Option<Told> {
    let verb = only_verb(tokens)?;
    let groups = match heard.language {
        Lang::Ko => behind_places(heard.lexicon, tokens, verb)?,
        Lang::En => up_to_places(heard.lexicon, tokens, verb)?,
    };
    shared::apart(heard, tokens, signal, (verb, groups), is_clear)
}

/// The one verb, where it writes.
fn only_verb(tokens: &[Token<'_>]) -> Option<usize> {
    let mut verbs = tokens.iter().enumerate().filter(|(_, token)| token.leads());
    let (at, verb) = verbs.next().filter(|_| verbs.next().is_none())?;
    let writes = [Concept::Write, Concept::Save, Concept::Add];
    verb.has_any(&writes).then_some(at)
}

fn is_path(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Path
}

fn joins(token: &Token<'_>) -> bool {
    token.is_mark(",") || token.has(Concept::And) || token.has(Concept::Then)
}

/// `a.txt에 우유`, `b.txt에 빵`: from each file to the next; nothing is said before the first. `.. 우유
/// 있고` says what is there, and no text.
fn behind_places(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    verb: usize,
) -> Option<Vec<Range<usize>>> {
    let files: Vec<usize> = (0..verb).filter(|at| tokens.get(*at).is_some_and(is_path)).collect();
    let before = tokens.get(..*files.first()?)?;
    if before.iter().any(|token| !token.has(Concept::Vague) && token.kind != TokenKind::Mark) {
        return None;
    }
    let goes_on = |text: &str| lexicon.goes_on(text);
    let states = |t: &Token<'_>| !t.attached && t.is_word() && goes_on(t.text) && t.is_ending();
    let ends = files.iter().skip(1).copied().chain([verb]);
    let group = |(from, end): (&usize, usize)| {
        let said = tokens.get(*from..end)?;
        let joined = said.iter().rev().take_while(|token| joins(token)).count();
        let own = said.get(..said.len() - joined)?;
        let apart = joined > 0 || end == verb;
        (apart && !own.iter().any(states)).then_some(*from..end - joined)
    };
    files.iter().zip(ends).map(group).collect()
}

/// `apples in a.txt`, `bananas in b.txt`: up to each file; nothing is said behind the last. `.., because
/// eggs are in b.txt` is no text.
fn up_to_places(lexicon: &Lexicon, tokens: &[Token<'_>], verb: usize) -> Option<Vec<Range<usize>>> {
    let (mut groups, mut from) = (Vec::new(), verb + 1);
    let mut joined = true;
    for at in (verb + 1..tokens.len()).filter(|at| tokens.get(*at).is_some_and(is_path)) {
        let said = tokens.get(from..at)?;
        if !joined || !groups.is_empty() && states(lexicon, said) {
            return None;
        }
        groups.push(from..at + 1);
        let rest = tokens.get(at + 1..).unwrap_or_default();
        let joins = rest.iter().take_while(|token| joins(token)).count();
        (from, joined) = (at + 1 + joins, joins > 0);
    }
    let light = |token: &Token<'_>| token.kind == TokenKind::Mark || token.has(Concept::Vague);
    tokens.get(from..)?.iter().all(light).then_some(groups)
}

/// It explains, or says how something is.
fn states(lexicon: &Lexicon, said: &[Token<'_>]) -> bool {
    let word = |t: &Token<'_>| t.text.to_lowercase().replace('’', "'");
    let explains = |t: &Token<'_>| lexicon.explaining.contains(&word(t));
    said.first().is_some_and(explains) || said.iter().any(|t| lexicon.stating.contains(&word(t)))
}

fn is_clear(job: &Job) -> bool {
    let has = |name: &str| job.slots.get(name).is_some();
    job.task_type == TaskType::FileWrite && has(SlotName::TARGET_PATH) && has(SlotName::CONTENT)
}
