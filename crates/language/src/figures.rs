//! What is to be reckoned of a file, which is only read and shown: `count the rows in a.csv`,
//! `orders.csv 읽고 몇 건인지 세줘`.

use crate::{
    clause,
    concept::Concept,
    heard::Heard,
    place,
    reading::Job,
    signal,
    token::{Token, TokenKind},
};
use wiiiv_domain::{SlotName, TaskType};

const FIGURES: [Concept; 3] = [Concept::Count, Concept::Sum, Concept::Average];

fn reckons(token: &Token<'_>) -> bool {
    token.has_any(&FIGURES)
}

/// The words that ask for it beside a file that is read.
pub(crate) fn of_file(heard: &Heard<'_>, tokens: &[Token<'_>], job: &Job) -> Option<String> {
    let at = tokens.iter().position(reckons).filter(|_| job.task_type == TaskType::FileRead)?;
    let clauses = clause::ranges(heard.lexicon, heard.language, tokens);
    let clause = clauses.into_iter().find(|clause| clause.contains(&at))?;
    let said = tokens.get(clause)?;
    let path = |token: &&Token<'_>| !(token.is_path() || token.kind == TokenKind::Mark);
    let korean = said.iter().any(|token| token.is_word() && token.is_korean());
    // English names the file last, Korean first.
    let named = said.iter().position(Token::is_path).filter(|_| korean).map_or(0, |at| at + 1);
    let rest = said.get(named..)?.iter().skip_while(|t| t.attached || t.has(Concept::And));
    let words: Vec<&Token<'_>> = rest.take_while(path).collect();
    let (first, last) = (words.first()?, words.last()?);
    heard.source.text.get(first.start..last.end).map(str::to_owned)
}

/// `only the title of example.com`, `example.com 제목만`: a page is read and kept as a whole.
pub(crate) fn of_page(heard: &Heard<'_>, tokens: &[Token<'_>], job: &Job) -> Option<String> {
    let page = job.task_type == TaskType::WebFetch && job.slots.get(SlotName::URL).is_some();
    let only = |t: &Token<'_>| {
        let ends = heard.lexicon.ends_in_only(t.text);
        let korean = ends && t.is_korean();
        t.is_word() && (t.has(Concept::Only) || korean && !is_light(heard, t))
    };
    let at = tokens.iter().position(only).filter(|_| page)?;
    let said = tokens.get(at)?;
    let words: &[Token<'_>] = if said.is_korean() {
        let noun = at.checked_sub(1).filter(|_| said.attached).unwrap_or(at);
        tokens.get(noun..=at)?
    } else {
        let rest = tokens.get(at + 1..)?;
        let named = rest.iter().take_while(|t| t.is_word() && !t.has(Concept::Within)).count();
        let light = |t: &&Token<'_>| t.has(Concept::Vague) || t.has(Concept::Dest);
        let own = rest.get(..named)?;
        let tail = own.iter().rev().take_while(light).count();
        tokens.get(at..=at + named - tail).filter(|_| named > tail)?
    };
    let plain = |t: &Token<'_>| t.is_word() && !t.leads() && !t.has(Concept::Pronoun);
    let (first, last) = (words.first()?, words.last()?);
    let part = heard.source.text.get(first.start..last.end)?;
    words.iter().all(plain).then(|| part.to_owned())
}

/// `한번만`, `잠깐만`: names no part of anything.
fn is_light(heard: &Heard<'_>, token: &Token<'_>) -> bool {
    let light = [Concept::Vague, Concept::Correct];
    let aside = || signal::is_aside(heard.lexicon, token.text);
    token.has_any(&light) || aside()
}

/// Asked of a system that nobody named, behind a file that is read: of the rows of that file.
pub(crate) fn is_of_file(read: &[Job], tokens: &[Token<'_>], job: &Job) -> bool {
    let file = read.iter().rev().find(|job| job.task_type == TaskType::FileRead);
    let path = file.and_then(|job| job.slots.get(SlotName::TARGET_PATH));
    let called = |path: &str| tokens.iter().any(|token| place::is_called(path, token.text));
    let figures = tokens.iter().any(reckons);
    let calls =
        job.task_type == TaskType::ApiWorkflow && job.slots.get(SlotName::TARGET_PATH).is_none();
    calls && path.is_some_and(|path| figures && called(path))
}
