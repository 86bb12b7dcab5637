//! What a text that waits to be written is to become: `make it say delete old.txt`, `내용은 old.txt
//! 지우기로 바꿔줘`, `change the contents of a.txt to "bye"`. Files and verbs in it are a part of it.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    reading::Situation,
    token::{Token, TokenKind},
};
use std::ops::Range;
use wiiiv_domain::{SlotName, TaskType};

/// So many words that all mean something else are no text.
const BARE_WORDS_MAX: usize = 3;

/// Its tokens, and where it ends.
pub(crate) fn reworded(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    situation: &Situation,
) -> Option<(Range<usize>, usize)> {
    let writes = situation.active.as_ref().is_some_and(|(task, _)| *task == TaskType::FileWrite);
    let waits = writes && situation.known.get(SlotName::CONTENT).is_some();
    let korean = tokens.iter().any(|t| t.is_word() && t.is_korean());
    let found = if korean { into(lexicon, tokens, waits) } else { said(lexicon, tokens, waits) }?;
    let (range, _) = &found;
    let words = tokens.get(range.clone())?;
    let path = words.len() == 1 && words.first().is_some_and(Token::is_path);
    // What another file holds is no text, nor is what only says how it is to be.
    let manner = words.iter().all(|t| t.has(Concept::Manner));
    // `say why`, `say that again`
    let aside = |t: &Token<'_>| lexicon.is_repeating(t.text);
    let bare =
        |t: &Token<'_>| t.is_word() && (!t.is_nameless() && !t.has(Concept::Greet) || aside(t));
    let bare = words.len() <= BARE_WORDS_MAX && words.iter().all(bare);
    (!words.is_empty() && !path && !manner && (korean || !bare)).then_some(found)
}

/// `내용은 .. 로 바꿔줘`; of a text that waits also `반갑습니다로 바꿔줘`, which greets nobody.
fn into(lexicon: &Lexicon, tokens: &[Token<'_>], waits: bool) -> Option<(Range<usize>, usize)> {
    let change = tokens.iter().rposition(|t| t.has(Concept::Change) || t.has(Concept::Edit))?;
    let content = tokens.iter().take(change).position(|t| t.has(Concept::Content));
    let own = |t: &&Token<'_>| t.attached && t.is_word();
    let turns = |t: &&Token<'_>| t.kind == TokenKind::Mark || t.has(Concept::Correct);
    let from = match content {
        Some(at) => at + 1 + tokens.get(at + 1..change)?.iter().take_while(own).count(),
        None => tokens.iter().take_while(turns).count(),
    };
    let greets = |t: &Token<'_>| t.attached || t.has(Concept::Greet);
    let greeting = waits && tokens.get(from..change)?.iter().all(greets);
    content.or(greeting.then_some(from))?;
    let last = tokens.get(from..change)?.last()?;
    let text = last.text;
    let end = lexicon.parts.stem(Part::Toward, text).map(|stem| last.start + stem.len());
    let end = end.filter(|_| last.is_word())?;
    // `내용은 그대로 두고 이름만 b.txt로` speaks of the file.
    let spared = [Concept::NotThis, Concept::Keep, Concept::Title];
    let of_file = |t: &Token<'_>| t.has_any(&spared);
    let range = tokens.get(from..change)?;
    let moves = range.iter().rev().find(|t| !t.attached).is_some_and(Token::is_path);
    if moves || range.iter().any(of_file) {
        return None;
    }
    let whole = end == last.start;
    Some((from..if whole { change - 1 } else { change }, end))
}

/// `make it say ..`, `say .. instead`, `change the content to ..`
fn said(lexicon: &Lexicon, tokens: &[Token<'_>], waits: bool) -> Option<(Range<usize>, usize)> {
    let changes = |t: &Token<'_>| t.has(Concept::Change) || t.has(Concept::Edit);
    let file = || tokens.iter().any(|t| t.kind == TokenKind::Path);
    let change = tokens.iter().position(changes).filter(|_| waits || file());
    let says = tokens.iter().position(|t| t.has(Concept::Saying));
    let says = says.filter(|at| waits && is_told(lexicon, tokens, *at));
    let content = tokens.iter().position(|t| t.has(Concept::Content));
    let becomes = || {
        let content = content.filter(|content| change.is_some_and(|change| change < *content))?;
        let to = |t: &Token<'_>| t.has(Concept::Dest) && !t.has(Concept::Content);
        tokens.iter().skip(content).rposition(to).map(|at| at + content)
    };
    let opens = says.or_else(becomes)?;
    let aside =
        |t: &Token<'_>| t.is_mark(":") || t.has(Concept::Vague) && t.kind != TokenKind::Quoted;
    let from = opens + 1 + tokens.get(opens + 1..)?.iter().take_while(|t| aside(t)).count();
    // `instead`, `please`
    let light = |t: &Token<'_>| {
        let asks = lexicon.requests.iter().any(|word| t.text.eq_ignore_ascii_case(word));
        t.is_word() && (t.has(Concept::Change) || asks)
    };
    let behind = tokens.get(from..)?;
    let tail = behind.iter().rev().take_while(|t| light(t)).count();
    let end = tokens.len() - tail;
    let last = tokens.get(from..end)?.last()?;
    Some((from..end, last.end))
}

/// `make it say ..`, `no, say ..`: it opens what is said, and nothing is asked by it.
fn is_told(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> bool {
    let asks = |t: &Token<'_>| t.is_mark("?") || t.has(Concept::Question);
    let turns =
        [Concept::Create, Concept::Pronoun, Concept::Correct, Concept::Change, Concept::Vague];
    let opens = |t: &Token<'_>| {
        let word = |word: &String| t.text.eq_ignore_ascii_case(word);
        !t.is_word() || t.has_any(&turns) || lexicon.requests.iter().any(word)
    };
    // `it should say ..`
    let it = |at: usize| at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(is_it);
    let mut before = tokens.iter().take(at).enumerate();
    before.all(|(at, t)| opens(t) || it(at)) && !tokens.iter().any(asks)
}

fn is_it(token: &Token<'_>) -> bool {
    token.has(Concept::Pronoun)
}

/// `append delete b.txt`, `change it to delete b.txt`: a text for what waits, or an order of its own.
pub(crate) fn is_either(situation: &Situation, tokens: &[Token<'_>]) -> bool {
    let writes = situation.active.as_ref().is_some_and(|(task, _)| *task == TaskType::FileWrite);
    let waits = writes && situation.is_confirming();
    let says = |t: &Token<'_>| {
        let verbs = [Concept::Write, Concept::Add, Concept::Change, Concept::Edit];
        t.is_word() && t.has_any(&verbs)
    };
    let Some(first) = tokens.iter().position(says).filter(|_| waits) else { return false };
    let behind = tokens.get(first + 1..).unwrap_or_default();
    let deletes = |t: &Token<'_>| t.leads() && t.has(Concept::Delete) && t.text.is_ascii();
    let Some(delete) = behind.iter().position(deletes) else { return false };
    let apart = |t: &Token<'_>| {
        t.has(Concept::And) || t.has(Concept::Then) || t.is_mark(",") || t.is_path()
    };
    let (between, rest) = behind.split_at(delete);
    !between.iter().any(apart) && rest.iter().any(Token::is_path)
}
