//! What is only told: somebody did it, and nobody asks for it. `김대리가 보고서.xlsx 지웠대`,
//! `I already deleted old.txt myself`.

use crate::{
    clause, concept::Concept, lexicon::Lexicon, past, reported::is_reported, token::Token,
};
use wiiiv_domain::Lang;

/// Takes verbs of clauses that only tell for no verbs; answers whether there are no others.
pub(crate) fn leave_out(
    lexicon: &Lexicon,
    lang: Lang,
    text: &str,
    tokens: &mut [Token<'_>],
) -> bool {
    let mut told = false;
    for clause in clause::ranges(lexicon, lang, tokens) {
        let Some(clause) = tokens.get_mut(clause) else { continue };
        let (Some(first), Some(last)) = (clause.first(), clause.last()) else { continue };
        let said = text.get(first.start..last.end).unwrap_or_default();
        if is_told(lexicon, lang, said, clause) {
            told = true;
            clause.iter_mut().filter(|token| token.leads()).for_each(|t| t.concepts.clear());
        }
    }
    told && !tokens.iter().any(Token::leads)
}

/// There are verbs, and all of them only tell.
pub(crate) fn is_told(lexicon: &Lexicon, lang: Lang, text: &str, tokens: &[Token<'_>]) -> bool {
    let reported = |at: usize| is_reported(lexicon, lang, tokens, at);
    let tells = |at: usize, token: &Token<'_>| match lang {
        _ if reported(at) => true,
        Lang::Ko => token.attributive || past::is_past(lexicon, token),
        Lang::En => is_done(lexicon, tokens.get(..at).unwrap_or_default(), token),
    };
    let mut verbs = tokens.iter().enumerate().filter(|(_, token)| token.leads()).peekable();
    let closes = |at: usize, token: &Token<'_>| !token.attributive || reported(at);
    // `지워달라고 했잖아` asks for nothing by what it reports.
    let last = tokens.iter().rposition(Token::leads).filter(|at| lang == Lang::Ko && reported(*at));
    let from = last.and_then(|at| tokens.get(at)).zip(tokens.first());
    let from = from.map_or(0, |(verb, first)| verb.end - first.start);
    let text = text.get(from..).unwrap_or_default().to_lowercase();
    let asked = || lexicon.requests_in(&text);
    let asks = tokens.last().is_some_and(|last| last.is_mark("?"));
    let wants = |t: &Token<'_>| t.has(Concept::Wish) || t.has(Concept::Question);
    let all_reported = verbs.clone().all(|(at, _)| reported(at));
    verbs.peek().is_some()
        && verbs.clone().any(|(at, token)| closes(at, token))
        && verbs.all(|(at, token)| tells(at, token))
        && !(asks || (!all_reported && tokens.iter().any(wants)) || asked())
}

/// It closes with what somebody did: `제가 잘못 눌렀네요`, `i hit the wrong key`.
pub(crate) fn tells(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> bool {
    match lang {
        Lang::Ko => tokens.last().is_some_and(|last| past::is_past(lexicon, last)),
        Lang::En => tokens
            .iter()
            .enumerate()
            .any(|(at, token)| is_done(lexicon, tokens.get(..at).unwrap_or_default(), token)),
    }
}

/// Somebody did: a past form behind who did it.
fn is_done(lexicon: &Lexicon, before: &[Token<'_>], token: &Token<'_>) -> bool {
    let past = past::is_participle(lexicon, token);
    let subject = |token: &Token<'_>| {
        let word = token.text.to_lowercase().replace('’', "'");
        lexicon.subjects.contains(&word) && token.is_word()
    };
    // `Minsu deleted it`
    let name = |first: &Token<'_>| {
        let capital = first.text.starts_with(char::is_uppercase);
        first.is_word() && capital && first.is_nameless() && !first.is_korean()
    };
    past && (before.iter().any(subject) || before.first().is_some_and(name))
}
