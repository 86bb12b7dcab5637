//! Rows that were just shown, and what speaks of them.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    reading::Situation,
    rows::Rows,
    token::{Token, TokenKind},
    valued,
};
use wiiiv_domain::{Operation, SlotName};

/// What the last run asked of a registered system, where nothing else waits.
pub(crate) fn operation(situation: &Situation) -> Option<&Operation> {
    let ran = &situation.ran;
    let idle = situation.earlier_run && situation.active.is_none();
    let name = ran.get(SlotName::DOMAIN).filter(|_| idle)?;
    let system = situation.systems.iter().find(|system| system.is_called(name))?;
    system.operation(ran.get(SlotName::OPERATION)?)
}

/// `거래처별로` behind rows that have a field of that: by what they are put together.
pub(crate) fn is_grouped(lexicon: &Lexicon, rows: &Rows, token: Option<&Token<'_>>) -> bool {
    let cut = token.and_then(|token| lexicon.parts.split(Part::Each, token.text));
    cut.is_some_and(|(stem, _)| rows.labelled(stem).or(rows.key(lexicon, stem)).is_some())
}

/// `부산 창고꺼만` behind what lies there: a field of the rows that were shown, and its value, where no more
/// of them are wanted.
pub(crate) fn is_held(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>], at: usize) -> bool {
    let (Some(field), Some(before)) = (tokens.get(at), at.checked_sub(1)) else { return false };
    let value = tokens.get(before).is_some_and(|t| valued::is_called(lexicon, rows, t.text));
    let only = |t: &Token<'_>| {
        let ends = lexicon.ends_in_only(t.text);
        t.has(Concept::Only) || t.is(Part::Ones) || t.is_korean() && ends
    };
    value && rows.registered(lexicon, field).is_some() && tokens.iter().any(only)
}

/// Does not say which of the rows are meant, and asks for no more than to see them.
pub(crate) fn says_nothing(token: &Token<'_>) -> bool {
    let light = [
        Concept::Vague,
        Concept::Read,
        Concept::Get,
        Concept::Pick,
        Concept::Manage,
        Concept::Question,
        Concept::Pronoun,
        Concept::Among,
        Concept::Only,
        Concept::Every,
        Concept::And,
        Concept::Then,
        Concept::Thing,
        Concept::That,
        Concept::Result,
        Concept::Earlier,
        Concept::Within,
        Concept::Where,
        Concept::Field,
        Concept::Currency,
        Concept::Pieces,
    ];
    // `just their emails`
    let theirs = token.is(Part::Owner) && !token.has(Concept::Mine);
    token.kind == TokenKind::Mark || token.has_any(&light) || token.is(Part::Ones) || theirs
}
