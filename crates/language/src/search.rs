//! What is to be looked for on the web.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    token::{Token, TokenKind},
};

/// Quoted, or the words between the search and where it is done.
pub(crate) fn query<'t>(lexicon: &Lexicon, text: &'t str, tokens: &[Token<'t>]) -> Option<&'t str> {
    let quoted = tokens.iter().find(|token| token.kind == TokenKind::Quoted);
    if let Some(quoted) = quoted {
        return Some(quoted.text);
    }
    let search = tokens.iter().position(|token| token.has(Concept::Search))?;
    let (before, after) = (tokens.get(..search)?, tokens.get(search + 1..)?);
    let after = without_tail(after);
    if tokens.get(search)?.text.starts_with(is_hangul) {
        // `검색해줘 서울 날씨`
        return korean(lexicon, text, before).or_else(|| korean(lexicon, text, after));
    }
    let aside = |t: &Token<'_>| is_aside(t);
    // `search google for ..`
    let named = matches!(after, [place, next, ..] if place.has(Concept::Search) && next.has(Concept::Vague));
    let words = after.get(usize::from(named)..)?;
    let from = match words.iter().rposition(|t| t.has(Concept::Web)) {
        Some(web) if words.iter().take(web).all(aside) => web + 1,
        Some(_) | None => 0,
    };
    let words = words.get(from..)?;
    let begin = words.iter().position(|t| !aside(t))?;
    said(lexicon, text, words.get(begin..)?)
}

/// `웹에서 좀`, `the web for`: where, not what.
fn is_aside(t: &Token<'_>) -> bool {
    t.has(Concept::Web)
        || t.has(Concept::Vague)
        || t.has(Concept::Dest)
        || t.kind == TokenKind::Mark
        || (t.is_particle())
}

/// `웹에서 서울 날씨`, `서울 날씨 웹에서`, `최신 반도체 뉴스를`: a place carries its particle, and an
/// object or nothing stands behind what is looked for.
fn korean<'t>(lexicon: &Lexicon, text: &'t str, words: &[Token<'t>]) -> Option<&'t str> {
    let ends = |t: &Token<'_>, endings: &[String]| {
        endings.iter().any(|ending| t.text.ends_with(ending.as_str()))
    };
    let place = |t: &Token<'_>| {
        t.has(Concept::Web) && ends(t, &lexicon.particles) && !ends(t, &lexicon.objects)
    };
    let told = |words: &[Token<'t>]| {
        let bare = words.iter().take_while(|t| is_aside(t)).count();
        let words = words.get(bare..)?;
        let open = |t: &Token<'_>| !is_aside(t) || t.has(Concept::Web);
        let end = words.iter().rposition(open)?;
        said(lexicon, text, words.get(..=end)?)
    };
    let Some(at) = words.iter().rposition(place) else { return told(words) };
    told(words.get(at + 1..)?).or_else(|| told(words.get(..at)?))
}

/// The words, where they tell anything, without the particle of an object.
fn said<'t>(lexicon: &Lexicon, text: &'t str, words: &[Token<'t>]) -> Option<&'t str> {
    let tells = |t: &Token<'_>| !is_aside(t) && !t.has(Concept::Question) && !t.has(Concept::Only);
    words.iter().find(|t| tells(t))?;
    let said = text.get(words.first()?.start..words.last()?.end)?;
    let object = lexicon.objects.iter().find_map(|object| said.strip_suffix(object.as_str()));
    Some(object.unwrap_or(said)).filter(|said| !said.is_empty())
}

/// Without the mark that closes it, `please` and `for me`.
fn without_tail<'a, 't>(words: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let closes =
        |t: &Token<'_>| t.has(Concept::Vague) || [".", "?", "!"].iter().any(|m| t.is_mark(m));
    let without = |words: &'a [Token<'t>]| {
        let kept = words.len() - words.iter().rev().take_while(|t| closes(t)).count();
        words.get(..kept).unwrap_or_default()
    };
    let said = without(words);
    // `on the web` says where.
    let Some((_, rest)) = said.split_last().filter(|(last, _)| last.has(Concept::Web)) else {
        return said;
    };
    let shorter = without(rest);
    if shorter.len() < rest.len() { shorter } else { said }
}
