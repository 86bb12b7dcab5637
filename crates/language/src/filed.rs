//! A file and its text in one answer to the question for both: `장보기.txt에 계란이랑 두부`, `eggs and
//! milk, in a.txt`, `file: a.txt, text: eggs`. What is neither is asked about once more.

use crate::{
    concept::Concept,
    lexicon::Sign,
    part::Part,
    reading::Situation,
    said::Said,
    signal,
    token::{Token, TokenKind},
};

/// Between a file, or what it is called by, and a text.
const JOINTS: [&str; 4] = [",", ":", "-", "="];

/// The text beside the only file that is named.
pub(crate) fn text(said: &Said<'_, '_>) -> Option<String> {
    let path = said.tokens.iter().position(|t| t.kind == TokenKind::Path)?;
    let asks = said.signs.has(Sign::Asks) || said.tokens.iter().any(|t| t.is_mark("?"));
    let (before, behind) = said.tokens.split_at_checked(path)?;
    let behind = behind.get(1..)?;
    let others = before.iter().chain(behind).any(Token::is_path);
    if asks || others {
        return None;
    }
    let goes = behind.first().is_some_and(|t| t.attached && t.has(Concept::Within));
    let leads = before.last().is_some_and(|t| t.has(Concept::Dest)) || goes;
    let (text, rest) = (before_place(said, before), behind_place(behind));
    let joined = |words: &[Token<'_>]| words.iter().any(is_joint);
    let words = match (text, rest) {
        ([], words) if goes || joined(behind) => words,
        (words, []) if leads || joined(before) => words,
        _ => return None,
    };
    let (first, last) = (words.first()?, words.last()?);
    let written = said.source.as_written(said.text.get(first.start..last.end)?).trim();
    // `hmm, a.txt`, `a.txt, thanks`
    let nothing = signal::whole(said.lexicon, written, &Situation::default()).is_some()
        || signal::is_evasion(said.lexicon, written);
    let plain = words.iter().all(|t| is_plain(said, t)) && words.iter().any(|t| t.is_word());
    (plain && !nothing).then(|| written.to_owned())
}

/// `text: eggs`, `the text is eggs`: what stands behind what was asked for.
pub(crate) fn labelled(said: &Said<'_, '_>) -> Option<String> {
    let names = |t: &&Token<'_>| is_label(t) || t.is(Part::The) || t.is(Part::Owner);
    let label = said.tokens.iter().take_while(names).count();
    let is = said.tokens.get(label).filter(|t| t.is_mark(":") || t.is(Part::Is))?;
    let called = said.tokens.get(..label)?.iter().any(is_label);
    let text = said.source.as_written(said.text.get(is.end..said.tokens.last()?.end)?).trim();
    let nothing = text.is_empty() || signal::is_evasion(said.lexicon, text);
    (called && !nothing).then(|| text.to_owned())
}

/// Between a file and a text, or between their names and them.
fn is_joint(token: &Token<'_>) -> bool {
    let mark = JOINTS.iter().any(|mark| token.is_mark(mark));
    mark || token.has(Concept::And) || is_label(token)
}

/// `text`, `content`
fn is_label(token: &Token<'_>) -> bool {
    token.is_word() && (token.has(Concept::Content) || token.is(Part::Text))
}

/// Without what leads to the file: `.., in`, `file:`, `the file is`.
fn before_place<'a, 't>(said: &Said<'_, 't>, words: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let leads = [Concept::Dest, Concept::File, Concept::Title];
    let aside = |t: &&Token<'_>| {
        let mark = JOINTS.iter().any(|mark| t.is_mark(mark));
        let naming = said.lexicon.is_naming(t.text);
        let topic = t.attached && t.is(Part::Topic);
        let light = t.has(Concept::Vague) || t.is(Part::Is | Part::The) || naming || topic;
        mark || t.is_word() && (light || t.has_any(&leads))
    };
    let end = words.len() - words.iter().rev().take_while(aside).count();
    words.get(..end).unwrap_or_default()
}

/// Without what follows a file: its particle, `, text:`, `and the text is`.
fn behind_place<'a, 't>(words: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let particle = |t: &&Token<'_>| t.is_particle();
    let from = words.iter().take_while(particle).count();
    let aside = |t: &&Token<'_>| {
        let mark = JOINTS.iter().any(|mark| t.is_mark(mark));
        mark || t.has(Concept::And) || t.is(Part::The)
    };
    let from = from + words.iter().skip(from).take_while(aside).count();
    let label = words.get(from).is_some_and(is_label);
    let is = words.get(from + 1).is_some_and(|t| t.is_mark(":") || t.is(Part::Is));
    let from = if label && is { from + 2 } else { from };
    let ends = |t: &&Token<'_>| t.is_mark(".") || t.is_mark("!") || t.is_mark(",");
    let end = words.len() - words.iter().rev().take_while(ends).count();
    words.get(from..end.max(from)).unwrap_or_default()
}

/// A word of a text, and not of what is to be done.
fn is_plain(said: &Said<'_, '_>, token: &Token<'_>) -> bool {
    let particle = token.attached && token.is_ending();
    let joins = [Concept::And, Concept::Greet, Concept::Moment];
    let meant = token.concepts.iter().all(|concept| joins.contains(concept));
    let counts = said.lexicon.numbers.contains_key(token.text) || token.has(Concept::Pieces);
    let meant = meant || counts || token.is(Part::Article | Part::The | Part::Owner);
    let mark = [",", "&", "+", "-"].iter().any(|mark| token.is_mark(mark));
    mark || token.is_word()
        && (particle || token.is_nameless() || token.mended || meant)
        && !is_other(token)
}

/// `맨 아래`, `same as before`
fn is_other(token: &Token<'_>) -> bool {
    let other =
        [Concept::Title, Concept::Later, Concept::Inverse, Concept::Folder, Concept::Undone];
    token.has_any(&other)
}
