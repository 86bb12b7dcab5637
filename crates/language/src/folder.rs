//! The folder that a bare file name lies in: `notes 폴더에 있는 today.md`, `today.md in the notes folder`.

use crate::{
    character::is_path,
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    paths,
    token::{Token, TokenKind},
};

/// Tokens from `in` to the folder: `in the notes folder`.
const IN_TOKENS_MAX: usize = 3;

/// Where a bare name is looked for.
pub(crate) enum Folder<'t> {
    /// Nothing is said of it, or it is the one that everything lies in.
    Here,
    Named(&'t str),
    /// It cannot be told which one is meant: then the file is not known either.
    Unclear,
}

pub(crate) fn folder<'t>(lexicon: &Lexicon, tokens: &[Token<'t>]) -> Folder<'t> {
    let spoken = |at: &usize| tokens.get(*at).is_some_and(|token| token.has(Concept::Folder));
    let mut places = (0..tokens.len()).filter(spoken).filter(|at| !is_here(tokens, *at));
    let Some(at) = places.next() else { return Folder::Here };
    let name = name(lexicon, tokens, at).filter(|_| places.next().is_none());
    let name = name.filter(|name| is_place(tokens, at) && is_beside(lexicon, tokens, at, name));
    name.map_or(Folder::Unclear, Folder::Named)
}

/// The one folder that is named as a place, where no file is and nothing is dictated.
pub(crate) fn only<'t>(lexicon: &Lexicon, tokens: &[Token<'t>]) -> Option<&'t str> {
    if tokens.iter().any(Token::is_entity) {
        return None;
    }
    let spoken = |at: &usize| tokens.get(*at).is_some_and(|token| token.has(Concept::Folder));
    let mut places = (0..tokens.len()).filter(spoken).filter(|at| !is_here(tokens, *at));
    let at = places.next().filter(|_| places.next().is_none())?;
    name(lexicon, tokens, at).filter(|_| is_place(tokens, at))
}

/// Of the file: `음악 폴더에 있는 파일 목록을 list.txt에` says where something else lies.
fn is_beside(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize, name: &str) -> bool {
    let light = |t: &Token<'_>| {
        let light = [Concept::Vague, Concept::Being, Concept::Dest, Concept::Within];
        let naming = lexicon.is_naming(t.text);
        let light = t.has_any(&light);
        let own = t.text.trim_end_matches('/') == name;
        t.attached && t.is_word() || t.kind == TokenKind::Mark || light || naming || own
    };
    // `in the notes folder, delete b.txt`
    let opens = |t: &Token<'_>| t.text.is_ascii() && t.verb().is_some();
    let plain = |range: std::ops::Range<usize>, verb: bool| {
        let mut between = tokens.get(range).unwrap_or_default().iter();
        between.all(|t| light(t) || verb && opens(t))
    };
    let first = tokens.iter().take(at).all(|t| light(t) || t.has(Concept::Vague));
    let path = |t: &Token<'_>| t.kind == TokenKind::Path;
    let mut paths = (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(path));
    paths
        .any(|path| if path < at { plain(path + 1..at, false) } else { plain(at + 1..path, first) })
}

/// `이 폴더`, `the current folder`
fn is_here(tokens: &[Token<'_>], at: usize) -> bool {
    let here = [Concept::Pronoun, Concept::That, Concept::Here];
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    before.is_some_and(|token| token.has_any(&here))
}

/// Something lies there: `폴더에 있는`, `in the notes folder`; not `사진 폴더 정리하기`.
fn is_place(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(folder) = tokens.get(at) else { return false };
    if folder.text.is_ascii() {
        let near = tokens.get(at.saturating_sub(IN_TOKENS_MAX)..at).unwrap_or_default();
        let opens = |t: &Token<'_>| t.has(Concept::Within) || t.has(Concept::Dest);
        return near.iter().any(opens);
    }
    let ends = |token: &Token<'_>| token.ends(Part::Into | Part::From | Part::Of | Part::Within);
    let next = tokens.get(at + 1);
    ends(folder) || next.is_some_and(|next| next.is_path() || ends(next))
}

/// One word before it, or behind it: `notes 폴더`, `folder notes`, `the folder called notes`.
fn name<'t>(lexicon: &Lexicon, tokens: &[Token<'t>], at: usize) -> Option<&'t str> {
    let token = tokens.get(at)?;
    let before = at.checked_sub(1).filter(|before| is_name(tokens, *before));
    let name = |at: usize| tokens.get(at).map(|token| token.text.trim_end_matches('/'));
    if let Some(before) = before {
        let more = before.checked_sub(1).is_some_and(|ahead| goes_on(lexicon, tokens, ahead));
        return name(before).filter(|_| !more);
    }
    let naming = |t: &Token<'_>| lexicon.is_naming(t.text);
    let next = at + 1;
    let next = next + usize::from(tokens.get(next).is_some_and(naming));
    let english = token.text.is_ascii() && is_name(tokens, next);
    let plain = tokens.get(next).is_some_and(|token| token.verb().is_none() && token.is_nameless());
    name(next).filter(|_| english && plain)
}

/// It may be called so.
fn is_name(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let other = [
        Concept::Vague,
        Concept::Dest,
        Concept::New,
        Concept::Question,
        Concept::Among,
        Concept::Within,
        Concept::And,
        Concept::Then,
        Concept::Earlier,
        Concept::Where,
        Concept::Wish,
        Concept::Elsewhere,
    ];
    let kind = matches!(token.kind, TokenKind::Word | TokenKind::LoosePath | TokenKind::Quoted);
    kind && token.text.chars().all(is_path)
        && token.text.starts_with(char::is_alphanumeric)
        && !token.has_any(&other)
        && !token.is(Part::The)
}

/// The name may begin before this already: `회의 자료 폴더`, `meeting notes folder`.
fn goes_on(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> bool {
    let Some(token) = tokens.get(at).filter(|_| is_name(tokens, at)) else { return false };
    let leads = token.leads();
    let korean = token.is_korean();
    let particle = tokens.get(at + 1).is_some_and(|next| next.attached && next.is_word());
    !particle && if korean { paths::is_plain_name(lexicon, token) } else { !leads }
}
