//! A text that is given word for word: what stands behind `write this to a.txt:`, in lines below it,
//! before `라고 써줘`, or behind `make it say`. It becomes one token, so that whatever verbs and files
//! stand in it are never read.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    quote,
    reading::Situation,
    reworded,
    signal::Whole,
    token::{Token, TokenKind},
    wonder,
};
use std::ops::Range;
use wiiiv_domain::{SlotName, TaskType};

/// Formats of rows.
const ROWS: [&str; 2] = ["json", "csv"];
/// Open a line of a list.
const BULLETS: [&str; 4] = ["-", "*", "•", "["];
/// Colons of one message that are tried.
const COLONS_MAX: usize = 16;
/// Longer messages are not looked through for what stands before `라고`.
const TOKENS_MAX: usize = 400;
/// Texts of one message that stand before `라고`.
const QUOTES_MAX: usize = 8;

/// Makes one token of each text that is given.
pub(crate) fn mark<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &mut Vec<Token<'t>>,
    situation: &Situation,
) {
    if let ([only], true) = (tokens.as_mut_slice(), asks_content(situation)) {
        only.dictated |= only.kind == TokenKind::Quoted;
    }
    // `메모: 문 앞` may be a field of what is to be sent.
    let sends = situation.active.as_ref().is_some_and(|(task, _)| *task == TaskType::ApiWorkflow);
    let notes = !sends && !situation.is_asked();
    if let Some(at) = headed(lexicon, text, tokens).filter(|_| notes) {
        one(lexicon, text, tokens, at..tokens.len());
        // Whatever is noted is written; Korean has its verb at the end.
        let korean = tokens.first().is_some_and(|head| head.is_korean());
        let head = tokens.get_mut(if korean { at - 2 } else { 0 });
        head.into_iter().for_each(|head| _ = head.concepts.insert(Concept::Write));
    } else if let Some(at) = opened(lexicon, tokens).or_else(|| listed(tokens)) {
        one(lexicon, text, tokens, at..tokens.len());
    }
    if tokens.len() > TOKENS_MAX {
        return;
    }
    for _ in 0..QUOTES_MAX {
        let Some((range, end)) = reported(lexicon, tokens, situation) else { break };
        until(lexicon, text, tokens, range, end);
    }
    let found =
        || reworded::reworded(lexicon, tokens, situation).or_else(|| noted(lexicon, tokens));
    if let Some((range, end)) = found() {
        until(lexicon, text, tokens, range, end);
    }
}

/// What is in quotation marks then is that, and no file.
fn asks_content(situation: &Situation) -> bool {
    let asked = situation.active.as_ref().filter(|_| situation.is_asked());
    asked.is_some_and(|(_, missing)| missing.iter().all(|name| name.as_str() == SlotName::CONTENT))
}

/// `할일.txt에 빨래하기요`: a place, and what is to be done.
fn noted(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<(Range<usize>, usize)> {
    let [path, into, rest @ ..] = tokens else { return None };
    let last = rest.last()?;
    let plain = |t: &Token<'_>| t.is_word() && t.is_nameless();
    let end = lexicon.parts.stem(Part::Polite, last.text).unwrap_or(last.text);
    let goes = path.kind == TokenKind::Path && into.attached && into.has(Concept::Within);
    let named = lexicon.parts.stem(Part::Naming, end).is_some() && rest.iter().all(plain);
    (goes && named).then_some((2..tokens.len(), last.start + end.len()))
}

fn one<'t>(lexicon: &Lexicon, text: &'t str, tokens: &mut Vec<Token<'t>>, range: Range<usize>) {
    let Some(last) = tokens.get(range.clone()).and_then(<[_]>::last) else { return };
    let end = last.end;
    until(lexicon, text, tokens, range, end);
}

/// Up to a place that may lie within the last of the tokens.
fn until<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &mut Vec<Token<'t>>,
    range: Range<usize>,
    end: usize,
) {
    let Some(said) = tokens.get(range.clone()) else { return };
    let (Some(first), Some(last)) = (said.first(), said.last()) else { return };
    // Said between marks: it has its text already.
    let quoted = said.len() == 1 && first.kind == TokenKind::Quoted;
    let span = (first.start, end);
    let Some(words) = text.get(span.0..span.1).filter(|words| !words.trim().is_empty()) else {
        return;
    };
    let (words, rest) = if quoted { (first.text, last.end) } else { (words.trim_end(), last.end) };
    let mut whole = Token::new(lexicon, TokenKind::Quoted, words, span, first.attached);
    whole.dictated = true;
    let tail = text.get(end..rest).filter(|tail| !quoted && !tail.is_empty());
    let tail = tail.map(|tail| Token::new(lexicon, TokenKind::Word, tail, (end, rest), true));
    if quoted {
        whole.end = rest;
    }
    tokens.splice(range, std::iter::once(whole).chain(tail));
}

/// Behind the colon of `todo: ..`, `note to self: ..`, `메모: ..`.
fn headed(lexicon: &Lexicon, text: &str, tokens: &[Token<'_>]) -> Option<usize> {
    let colon = tokens.iter().position(|token| token.is_mark(":"))?;
    let (first, last) = (tokens.first()?, tokens.get(colon.checked_sub(1)?)?);
    let head = text.get(first.start..last.end)?.to_lowercase();
    let rest = tokens.get(colon + 1..)?;
    // `메모해주세요: ..`
    let asks = || lexicon.requests_in(last.text);
    let noted = lexicon.noting.contains(&head) || last.has(Concept::File) && asks();
    let noted = noted && !rest.is_empty() && !is_marked(rest);
    noted.then_some(colon + 1)
}

/// Behind the colon of `write this to a.txt:`, `a.txt에 이렇게 써줘:`.
fn opened(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<usize> {
    let colons = (1..tokens.len()).filter(|at| is_colon(tokens, *at));
    colons.take(COLONS_MAX).map(|at| at + 1).find(|from| {
        let head = tokens.get(..from - 1).unwrap_or_default();
        let rest = tokens.get(*from..).unwrap_or_default();
        !rest.is_empty() && !is_marked(rest) && dictates(lexicon, head)
    })
}

/// Not that of `10:30`.
fn is_colon(tokens: &[Token<'_>], at: usize) -> bool {
    let digit = |t: &Token<'_>| t.is_numeral();
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let next = tokens.get(at + 1);
    let time = before.is_some_and(digit) && next.is_some_and(|t| digit(t) && t.attached);
    tokens.get(at).is_some_and(|t| t.is_mark(":")) && !time
}

/// It has marks of its own, or is an address that may be opened.
fn is_marked(rest: &[Token<'_>]) -> bool {
    let marked = [TokenKind::Quoted, TokenKind::Code, TokenKind::Json];
    match rest {
        [only] => only.kind == TokenKind::Url || marked.contains(&only.kind),
        [first, ..] => marked.contains(&first.kind),
        [] => false,
    }
}

/// The last that is asked for is that something is written somewhere, or that this is.
fn dictates(lexicon: &Lexicon, head: &[Token<'_>]) -> bool {
    let sentence = wonder::sentences(head).pop().unwrap_or_default();
    let Some(clause) = head.get(sentence) else { return false };
    // `메모: ..`, `note to self: ..`
    let note = |t: &Token<'_>| t.has(Concept::File) && t.has(Concept::Write);
    if clause.first().is_some_and(note) && clause.iter().skip(1).all(|t| t.is_word() && !t.leads())
    {
        return true;
    }
    let Some(verb) = clause.iter().rposition(Token::leads) else { return false };
    let Some(written) = clause.get(verb) else { return false };
    let says = |concept: Concept| written.has(concept);
    let this = clause.iter().any(points);
    let path = |t: &Token<'_>| t.kind == TokenKind::Path;
    let Some(place) = clause.iter().rposition(path) else {
        let there = clause.iter().any(|t| t.has(Concept::There));
        // `메모 남겨줘: ..`
        let note = clause.iter().any(|t| t.has(Concept::File));
        return says(Concept::Write) || there && says(Concept::Add) || note && says(Concept::Save);
    };
    let code = clause.get(place).is_some_and(|t| is_code(lexicon, t.text));
    let light = |t: &Token<'_>| {
        !t.is_word() || t.attached || points(t) || !t.concepts.is_empty() && !t.is_nameless()
    };
    // `save the answer to a.json: ..` may say more of what is kept.
    let rows = clause.get(place).is_some_and(|t| is_rows(t.text));
    let kept = || says(Concept::Save) && (this || !rows && clause.iter().all(light));
    says(Concept::Write)
        || kept()
        || (says(Concept::Add) || says(Concept::Create)) && (this || !code)
}

fn is_code(lexicon: &Lexicon, path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    extension.is_some_and(|extension| lexicon.code_extensions.contains(&extension))
}

/// What an answer is kept in.
fn is_rows(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| ROWS.iter().any(|rows| extension.eq_ignore_ascii_case(rows)))
}

/// `this`, `the following`, `이렇게`
fn points(token: &Token<'_>) -> bool {
    token.has(Concept::Following) || token.has(Concept::Pronoun) || token.has(Concept::Content)
}

/// The lines below `write this to a.txt`; what is to be written is not said on its own line.
fn listed(tokens: &[Token<'_>]) -> Option<usize> {
    let at = tokens.iter().skip(1).position(|token| token.opens_line)? + 1;
    let (head, rest) = tokens.split_at_checked(at)?;
    let bullet = |t: &Token<'_>| BULLETS.iter().any(|mark| t.is_mark(mark));
    let verb = head.iter().rev().find(|t| t.leads())?;
    let writes = verb.has_any(&[Concept::Write, Concept::Add, Concept::Save]);
    let path = head.iter().any(|t| t.kind == TokenKind::Path || t.has(Concept::There));
    let own = head.iter().any(|t| t.is_entity() && t.kind != TokenKind::Path);
    let this = head.iter().any(points);
    // `append to a.txt` says nothing of what.
    let word = |t: &Token<'_>| t.is_word() && !t.attached && t.is_nameless();
    let bare = || rest.first().is_some_and(bullet) && !head.iter().any(word);
    let opens = head.first().is_some_and(bullet);
    // Without a place, that is asked for.
    let following =
        || head.iter().any(|t| t.has(Concept::Following)) || this && verb.has(Concept::Write);
    let placed = path && (this || bare());
    (writes && !own && !opens && (placed || following())).then_some(at)
}

/// `a.txt에 old.txt 지우기라고 써줘`: between the place, or the beginning, and what quotes it, where
/// some of it could be read as more. The second: where the text ends.
fn reported(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    situation: &Situation,
) -> Option<(Range<usize>, usize)> {
    let several = (0..tokens.len()).filter(|at| quote(lexicon, tokens, *at).is_some()).count() > 1;
    (0..tokens.len()).find_map(|at| {
        let end = quote(lexicon, tokens, at)?;
        let last = if tokens.get(at)?.start == end { at } else { at + 1 };
        let placed = situation.known.get(SlotName::TARGET_PATH).is_some();
        let from = begins(lexicon, tokens, at, placed)?;
        let said = tokens.get(from..last)?;
        let risky = |t: &Token<'_>| t.leads() || t.is_path() || t.has(Concept::Negate);
        // It has marks of its own.
        let quoted = said.last()?.kind == TokenKind::Quoted;
        let paths = tokens.iter().filter(|t| t.is_path()).count();
        let takes = said.iter().any(risky) || several || paths > 1;
        (!quoted && takes).then_some((from..last, end))
    })
}

/// Where the text before `라고` ends, if something is written behind it: `.. 라고 써줘`.
fn quote(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let token = tokens.get(at).filter(|t| t.is_word() && t.text.ends_with(is_hangul))?;
    let end = quote::end(lexicon, tokens, at)?;
    let writes = [Concept::Write, Concept::Save, Concept::Add, Concept::Change];
    let own = |t: &&Token<'_>| {
        t.is_path() || t.attached || t.has(Concept::Vague) && !t.has(Concept::File)
    };
    let next = tokens.get(at + 1..)?.iter().find(|t| !own(t))?;
    let writes = next.has_any(&writes);
    writes.then_some(token.start + end)
}

/// Behind the place that it goes to; where that is known, or said behind it, behind what only turns to
/// it: `아니`, `내용은`.
fn begins(lexicon: &Lexicon, tokens: &[Token<'_>], end: usize, placed: bool) -> Option<usize> {
    let before = tokens.get(..end)?;
    let own = |t: &&Token<'_>| {
        let particle = t.attached && t.is_word() && t.is_ending();
        particle || t.has(Concept::File) || t.is_mark(",")
    };
    let has = |at: usize, concept: Concept| before.get(at).is_some_and(|t| t.has(concept));
    let goes = |at: &usize| {
        let path = before.get(*at).is_some_and(|t| t.kind == TokenKind::Path);
        path && has(at + 1, Concept::Within)
    };
    let there = |at: &usize| {
        has(*at, Concept::There) || has(*at, Concept::That) && has(at + 1, Concept::Within)
    };
    // A text before it ends with its verb.
    let from = before.iter().rposition(|t| t.kind == TokenKind::Quoted).unwrap_or(0);
    let pointed = (from..end).rfind(there);
    // `a.txt에는 사과, b.txt에는 바나나라고`
    let joined = |at: &usize| {
        let before = at.checked_sub(1).and_then(|at| before.get(at));
        goes(at) && before.is_some_and(|t| t.is_mark(",") || t.has(Concept::And))
    };
    let first = (from..end).find(goes);
    let another = first.and_then(|first| (first + 2..end).rfind(joined));
    let place =
        pointed.or(another.or(first)).map(|at| at + if has(at, Concept::There) { 1 } else { 2 });
    let turns = |t: &&Token<'_>| {
        let turns = [Concept::Correct, Concept::Change, Concept::Content, Concept::Then];
        let murmurs = lexicon.bare.closed.contains_key(&Whole::key(t.text));
        t.kind == TokenKind::Mark || murmurs || t.has_any(&turns)
    };
    let opening = || before.iter().take_while(turns).count();
    let behind = || tokens.iter().skip(end).any(|t| t.kind == TokenKind::Path);
    match place {
        Some(at) => Some(at + before.get(at..)?.iter().take_while(own).count()),
        None if placed || behind() => Some(opening()),
        None => None,
    }
}
