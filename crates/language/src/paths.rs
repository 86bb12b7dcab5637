//! Which path an utterance is about.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    morph, place,
    token::{Token, TokenKind},
};

/// The quoted text that is a path, where no path is written bare.
pub(crate) fn quoted(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<usize> {
    if tokens.iter().any(|t| t.kind == TokenKind::Path) {
        return None;
    }
    let file = |t: &Token<'_>| {
        t.kind == TokenKind::Quoted && !t.dictated && place::is_file(lexicon, t.text)
    };
    let mut files = tokens.iter().enumerate().filter(|(_, t)| file(t)).map(|(at, _)| at);
    files.next().filter(|_| files.next().is_none())
}

/// The one place in the tokens that is meant; `None` where there is none, or no telling which.
pub(crate) fn target(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<usize> {
    let of = |kind: TokenKind| -> Vec<usize> {
        let found = tokens.iter().enumerate();
        let found = found.filter(|(at, token)| token.kind == kind && !is_told(tokens, *at));
        found.map(|(at, _)| at).collect()
    };
    let mut candidates = of(TokenKind::Path);
    if candidates.is_empty() {
        candidates.extend(quoted(lexicon, tokens));
    }
    if candidates.is_empty() {
        candidates = of(TokenKind::LoosePath);
    }
    let text = |at: &usize| tokens.get(*at).map(|token| token.text);
    let first = candidates.first().copied()?;
    candidates.iter().all(|at| text(at) == text(&first)).then_some(first)
}

/// `a file that says delete b.txt`, `a note to delete b.txt`: of what is written, and no place for it.
fn is_told(tokens: &[Token<'_>], at: usize) -> bool {
    let Some((before, last)) = tokens.get(..at).and_then(|b| b.split_last().map(|(l, b)| (b, l)))
    else {
        return false;
    };
    let english = last.text.is_ascii();
    let goes = last.has(Concept::Dest) || last.has(Concept::Within) || last.has(Concept::File);
    let says = || before.iter().any(|token| token.has(Concept::Saying));
    let note = |token: &Token<'_>| token.has(Concept::File) && token.has(Concept::Write);
    let to = || matches!(before, [.., to] if to.has(Concept::Dest) && to.is_word());
    let does = || last.leads();
    english && !goes && (says() || does() && to() && before.iter().any(note))
}

/// A word that says nothing stands right before a bare name, and may be a part of it: `회의 메모.txt`.
pub(crate) fn may_begin_before(lexicon: &Lexicon, tokens: &[Token<'_>]) -> bool {
    let bare = |token: &Token<'_>| token.kind == TokenKind::Path && !token.text.contains('/');
    tokens.windows(2).enumerate().any(|(at, pair)| match pair {
        // `아 b.txt`
        [word, _] if at == 0 && lexicon.hesitations.contains(&word.text.to_lowercase()) => false,
        [word, path] => bare(path) && is_plain_name(lexicon, word) && path.start == word.end + 1,
        _ => false,
    })
}

/// A word that no lexicon knows, without a particle.
pub(crate) fn is_plain_name(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    let long = |stem: &str| stem.chars().count() > 1;
    let carries = |word: &str| {
        let mut ends = lexicon.particles.iter().chain(&lexicon.attributive);
        ends.any(|end| word.strip_suffix(end.as_str()).is_some_and(long))
    };
    // What is not meant has lost its concepts.
    let unknown = |word: &str| morph::concepts(lexicon, &word.to_lowercase()).is_empty();
    let letters = token.text.starts_with(char::is_alphabetic);
    token.is_word() && letters && token.is_nameless() && unknown(token.text) && !carries(token.text)
}

/// Something is done in this file and not to it: `app.py에서`, `app.py의`, `in app.py`.
pub(crate) fn is_inside(tokens: &[Token<'_>], at: usize) -> bool {
    let path = |token: &Token<'_>| token.kind == TokenKind::Path;
    if !tokens.get(at).is_some_and(path) {
        return false;
    }
    let has = |token: Option<&Token<'_>>| token.is_some_and(|token| token.has(Concept::Within));
    has(tokens.get(at + 1)) || has(at.checked_sub(1).and_then(|before| tokens.get(before)))
}

/// The verb stands right before this path, or right behind it and its particle.
pub(crate) fn is_handled(tokens: &[Token<'_>], at: usize) -> bool {
    let path = |token: &Token<'_>| token.kind == TokenKind::Path;
    if !tokens.get(at).is_some_and(path) {
        return false;
    }
    let korean = |token: &&Token<'_>| token.is_korean();
    let particle = |t: &&Token<'_>| t.is_particle();
    let behind = tokens.get(at + 1);
    let verb = if behind.as_ref().is_some_and(particle) { tokens.get(at + 2) } else { behind };
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|token| token.leads() && !korean(&token))
        || verb.filter(korean).is_some_and(Token::leads)
}
