//! What is to be looked for on the web.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    morph,
    token::{Token, TokenKind},
};

/// Quoted, or the words between the search and where it is done.
pub(crate) fn query<'t>(lexicon: &Lexicon, text: &'t str, tokens: &[Token<'t>]) -> Option<&'t str> {
    let quoted = tokens.iter().find(|token| token.kind == TokenKind::Quoted);
    if let Some(quoted) = quoted {
        return Some(quoted.text);
    }
    let search = tokens.iter().position(|token| token.has(Concept::Search))?;
    let korean = tokens.get(search)?.text.starts_with(is_hangul);
    let words = if korean { tokens.get(..search)? } else { tokens.get(search + 1..)? };
    let words = if korean { words } else { without_tail(words) };
    // `웹에서 좀`, `the web for`: where, not what.
    let aside = |t: &Token<'_>| {
        t.has(Concept::Web)
            || t.has(Concept::Vague)
            || t.has(Concept::Dest)
            || t.kind == TokenKind::Mark
            || (t.attached && morph::is_after_name(lexicon, t.text))
    };
    let from = match words.iter().rposition(|t| t.has(Concept::Web)) {
        Some(web) if korean || words.iter().take(web).all(aside) => web + 1,
        Some(_) | None => 0,
    };
    let words = words.get(from..)?;
    let tells = |t: &Token<'_>| !aside(t) && !t.has(Concept::Question) && !t.has(Concept::Only);
    words.iter().find(|t| tells(t))?;
    let begin = words.iter().position(|t| !aside(t))?;
    let end = if korean { words.iter().rposition(|t| !aside(t))? } else { words.len() - 1 };
    let said = text.get(words.get(begin)?.start..words.get(end)?.end)?;
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
