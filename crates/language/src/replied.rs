//! What was said when the content of a file was asked for: a text, whatever verbs and files stand in it,
//! unless it turns to something else. What may be both is asked about.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    reading::Situation,
    said::Said,
    signal,
    token::{Token, TokenKind},
};
use wiiiv_domain::{SlotName, Slots, TaskType};

/// Close a sentence, and say nothing.
const TONE: [char; 4] = ['.', ',', '!', '~'];
/// Turn away from what was asked.
const TURNS: [Concept; 5] =
    [Concept::NotThis, Concept::Change, Concept::Correct, Concept::Cancel, Concept::Unlike];
/// A longer one is a text.
const ORDER_WORDS_MAX: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    Text,
    Order,
    /// It cannot be told which.
    Either,
}

/// `None` where something else was asked for, or what is read changes nothing.
pub(crate) fn reply(
    situation: &Situation,
    said: &Said<'_, '_>,
    read: Option<(TaskType, &Slots)>,
) -> Option<Reply> {
    let (task, missing) = situation.active.as_ref().filter(|_| situation.is_asked())?;
    let asked = missing.iter().all(|name| name.as_str() == SlotName::CONTENT);
    let writes = *task == TaskType::FileWrite && asked;
    if writes && copies(situation, said) {
        return Some(Reply::Either);
    }
    read.filter(|read| writes && changes(*read)).map(|_| meant(situation, said))
}

/// `메모.txt에 있는 거 그대로`, `the same as in memo.txt`: what another file holds, and no word of a text.
fn copies(situation: &Situation, said: &Said<'_, '_>) -> bool {
    let target = situation.known.get(SlotName::TARGET_PATH);
    let other = |t: &Token<'_>| t.kind == TokenKind::Path && Some(t.text) != target;
    let of = [
        Concept::Content,
        Concept::Being,
        Concept::Pronoun,
        Concept::Elsewhere,
        Concept::Question,
        Concept::Undone,
    ];
    let copies = |t: &Token<'_>| {
        let whatever = signal::is_evasion(said.lexicon, t.text);
        t.has_any(&of) || whatever
    };
    let light = |t: &Token<'_>| {
        let plain = t.is_path() || t.attached || t.kind == TokenKind::Mark;
        let known = !t.concepts.is_empty() && !t.has(Concept::Greet);
        plain || copies(t) || t.is_word() && (known || t.is_ending())
    };
    // `delete old.txt` may be a text, and `read b.md` is a job of its own.
    let orders = said.signs.verb.is_some();
    target.is_some()
        && !orders
        && said.tokens.iter().any(other)
        && said.tokens.iter().any(copies)
        && said.tokens.iter().all(light)
}

/// Another file in a text is no other place for it: `우유 사고 old.txt 지우고 ..`.
pub(crate) fn kept(situation: &Situation, said: &Said<'_, '_>, mut filled: Slots) -> Slots {
    let known = situation.known.get(SlotName::TARGET_PATH);
    let moved = known.is_some() && filled.get(SlotName::TARGET_PATH) != known;
    let written = filled.get(SlotName::TARGET_PATH).is_some();
    let goes = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| said.tokens.get(at));
        let behind = said.tokens.get(at + 1).filter(|token| token.attached);
        before.is_some_and(|t| t.has(Concept::Dest) || t.has(Concept::File))
            || behind.is_some_and(|t| t.has(Concept::Within) || t.has(Concept::Dest))
    };
    let turns = turns(said);
    let path = |at: &usize| said.tokens.get(*at).is_some_and(Token::is_path);
    let placed = (0..said.tokens.len()).filter(path).any(goes);
    let alone = said.tokens.iter().filter(|t| t.is_word() && !t.attached).count() == 0;
    let content = filled.get(SlotName::CONTENT).is_some();
    if moved && written && content && !(turns || placed || alone) {
        let whole = said.source.as_written(said.part()).trim();
        // Removing is never refused, and a message fits.
        let _ = filled.set(SlotName::TARGET_PATH, "");
        let _ = filled.set(SlotName::CONTENT, whole);
    }
    filled
}

fn changes((task, slots): (TaskType, &Slots)) -> bool {
    matches!(task, TaskType::FileDelete | TaskType::CodeEdit | TaskType::Command)
        || task == TaskType::ApiWorkflow && slots.get(SlotName::BODY).is_some()
}

fn meant(situation: &Situation, said: &Said<'_, '_>) -> Reply {
    let text = said.part();
    let words = || said.tokens.iter().filter(|token| token.is_word());
    let off = || signal::called_off(said.lexicon, text, situation).is_some();
    // `delete that file`: of what was spoken of, and no text of its own.
    let points = |t: &Token<'_>| t.has(Concept::Pronoun) || t.has(Concept::That);
    let path = said.tokens.iter().any(|t| t.kind == TokenKind::Path);
    let quoted = said.tokens.iter().any(|t| t.kind == TokenKind::Quoted);
    // `delete` alone is no text.
    let alone = words().count() == 1 && !path;
    let turns = turns(said);
    if text.contains('\n') || quoted {
        Reply::Text
    } else if words().count() > ORDER_WORDS_MAX {
        if turns { Reply::Either } else { Reply::Text }
    } else if turns || off() || alone || !path && said.tokens.iter().any(points) {
        Reply::Order
    } else if requests(said) {
        Reply::Either
    } else {
        Reply::Text
    }
}

/// It takes back or changes what was said before.
pub(crate) fn turns(said: &Said<'_, '_>) -> bool {
    said.tokens.iter().any(|token| token.has_any(&TURNS))
}

/// As one asks somebody: `.. 지워줘`, `please ..`
pub(crate) fn requests(said: &Said<'_, '_>) -> bool {
    asks_for(said.lexicon, said.part())
}

/// The same of a text that nothing was read of, and of a question.
#[must_use]
pub fn wants(lexicon: &Lexicon, text: &str) -> bool {
    let clauses = text.split(['!', '.', ',', '~']);
    text.trim_end().ends_with('?') || clauses.into_iter().any(|text| asks_for(lexicon, text.trim()))
}

fn asks_for(lexicon: &Lexicon, text: &str) -> bool {
    let text = without_tone(lexicon, text).to_lowercase();
    let (opens, closes) = (format!("{text} "), text.as_str());
    lexicon.requests.iter().any(|request| {
        if request.is_ascii() {
            opens.starts_with(&format!("{request} ")) || closes.ends_with(&format!(" {request}"))
        } else {
            closes.ends_with(request.as_str())
        }
    })
}

/// Without what only closes a sentence, or says it politely: `지워줘요~`.
pub(crate) fn without_tone<'t>(lexicon: &Lexicon, text: &'t str) -> &'t str {
    let bare =
        |text: &'t str| text.trim_end_matches(|c: char| c.is_whitespace() || TONE.contains(&c));
    let mut text = bare(text);
    while let Some(stem) = lexicon.parts.stem(Part::Polite, text) {
        text = bare(stem);
    }
    text
}
