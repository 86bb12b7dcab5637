//! Parts of a message that nothing here can do, beside those that something can: `email it to bob`,
//! `파일 목록도 보여줘`. They are told, and neither dropped without a word nor in the way of the others.

use crate::{
    clause,
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    token::{Token, TokenKind},
};
use std::ops::Range;
use wiiiv_domain::Lang;

/// Drops such parts where others are left, and answers them as they were said; `None`: nothing
/// else is asked for.
pub(crate) fn leave_out(
    lexicon: &Lexicon,
    lang: Lang,
    text: &str,
    tokens: &mut [Token<'_>],
) -> Option<Vec<String>> {
    let clauses = clause::ranges(lexicon, lang, tokens);
    let said = Clauses { lexicon, lang, tokens };
    let undone: Vec<Range<usize>> =
        clauses.iter().filter(|clause| said.is_undone(clause)).cloned().collect();
    let digests = clauses.iter().filter_map(|clause| digest(text, tokens.get(clause.clone())?));
    let mut left: Vec<String> = digests.collect();
    if undone.is_empty() {
        return Some(left);
    }
    let outside = |at: usize| !undone.iter().any(|clause| clause.contains(&at));
    let mut others = tokens.iter().enumerate().filter(|(at, _)| outside(*at));
    if !others.any(|(_, token)| token.leads()) {
        // Nothing of it is done: neither is what was to be done with the outcome.
        for clause in undone {
            let clause = tokens.get_mut(clause).unwrap_or_default();
            let from = clause.iter().position(clause::is_by).unwrap_or(clause.len());
            let mut rest = clause.iter_mut().skip(from);
            rest.by_ref().filter(|token| token.leads()).for_each(Token::drop_it);
        }
        return None;
    }
    left.extend(undone.iter().filter_map(|clause| part(text, tokens.get(clause.clone())?)));
    for clause in undone {
        tokens.get_mut(clause).unwrap_or_default().iter_mut().for_each(Token::drop_it);
    }
    Some(left)
}

/// Something that may have to be done first, and cannot be: `백업하고 지워줘`.
pub(crate) fn comes_first(tokens: &[Token<'_>]) -> bool {
    let sends = tokens.iter().position(|token| token.has(Concept::Send));
    let undone = |token: &Token<'_>| {
        token.is_word() && token.has(Concept::Undone) && !token.has(Concept::Read)
            // `메일로 보내고 지워줘`
            || token.has(Concept::Letter) && sends.is_some_and(|sends| {
                tokens.iter().skip(sends).any(deletes)
            })
    };
    let first = tokens.iter().position(undone).unwrap_or(tokens.len());
    tokens.iter().skip(first).any(deletes)
}

fn deletes(token: &Token<'_>) -> bool {
    token.leads() && token.has(Concept::Delete)
}

/// `notes.md 요약해줘`: it is read, and shown whole.
fn digest(text: &str, clause: &[Token<'_>]) -> Option<String> {
    let read = clause.iter().any(is_read);
    // `a.txt 번역해서 보여줘`
    if let Some(by) = clause.iter().position(clause::is_by).filter(|_| is_shown(clause)) {
        return part(text, clause.get(by..=by)?).filter(|_| read);
    }
    let short = |t: &Token<'_>| t.has(Concept::Undone) && t.has(Concept::Read);
    let at = clause.iter().position(short)?;
    part(text, clause.get(at..)?).filter(|_| read)
}

/// A file, or what points to it.
fn is_read(token: &Token<'_>) -> bool {
    token.is_entity() || token.has(Concept::Pronoun)
}

/// Nothing but to see it is asked for behind that.
fn is_shown(clause: &[Token<'_>]) -> bool {
    let by = clause.iter().position(clause::is_by).unwrap_or_default();
    let mut behind = clause.iter().skip(by).filter(|token| token.leads()).peekable();
    behind.peek().is_some() && behind.all(|token| token.has(Concept::Read))
}

/// Without what joins it to the others.
fn part(text: &str, clause: &[Token<'_>]) -> Option<String> {
    let joins = |token: &&Token<'_>| {
        let and = token.has(Concept::And) || token.has(Concept::Then);
        token.kind == TokenKind::Mark || and && !token.leads()
    };
    let first = clause.iter().find(|token| !joins(token))?;
    let last = clause.iter().rev().find(|token| !joins(token))?;
    text.get(first.start..last.end).map(str::to_owned)
}

struct Clauses<'a, 't> {
    lexicon: &'a Lexicon,
    lang: Lang,
    tokens: &'a [Token<'t>],
}

impl Clauses<'_, '_> {
    fn is_undone(&self, range: &Range<usize>) -> bool {
        let Some(clause) = self.tokens.get(range.clone()) else { return false };
        let letter = clause.iter().any(|t| t.has(Concept::Letter));
        let own = |t: &Token<'_>| t.has(Concept::Undone) || letter && t.has(Concept::Send);
        // `a.txt 복사해서 백업 폴더에 넣어줘`: what is done with the outcome goes with it.
        let first = clause.iter().position(clause::is_by);
        // `email bob that i'm running late`: what is told to him.
        let tells = |t: &Token<'_>| t.has(Concept::That) || t.has(Concept::Saying);
        let told = || clause.iter().position(tells).filter(|_| self.lang == Lang::En);
        let until = first.or_else(told).unwrap_or(clause.len());
        let until = clause.get(..until).unwrap_or_default();
        let works = until.iter().any(|t| t.leads() && !own(t));
        let acts = match self.lang {
            Lang::En => self.opens(clause),
            Lang::Ko => self.orders(clause),
        };
        let reads = clause.iter().any(|t| t.has(Concept::Undone) && t.has(Concept::Read));
        let whole = (reads || is_shown(clause)) && clause.iter().any(is_read);
        let behind = self.tokens.get(range.start..).unwrap_or_default();
        (acts && !works && !whole && !comes_first(behind)
            || is_sent(clause)
            || is_listing(self.lexicon, clause))
            && !self.is_dictated(range)
    }

    /// An English verb opens what it orders.
    fn opens(&self, clause: &[Token<'_>]) -> bool {
        let aside = [Concept::Vague, Concept::And, Concept::Then, Concept::Too, Concept::Wish];
        let aside = |t: &&Token<'_>| t.has_any(&aside) && !t.has(Concept::Undone);
        let says = |t: &&Token<'_>| t.is_entity() || t.is_word() && !t.has(Concept::And);
        let mut said = clause.iter().skip_while(aside).filter(says);
        let first = said.next().filter(|token| token.has(Concept::Undone));
        first.is_some_and(|t| self.lexicon.is_listed(&t.text.to_lowercase()))
            && said.next().is_some()
    }

    /// A Korean one ends in what asks for it, or goes on.
    fn orders(&self, clause: &[Token<'_>]) -> bool {
        let Some(at) =
            clause.iter().rposition(|t| t.has(Concept::Undone) || t.has(Concept::Letter))
        else {
            return false;
        };
        if is_told(clause, at) {
            return false;
        }
        let behind = clause.get(at..).unwrap_or_default();
        let asks = |t: &Token<'_>| self.lexicon.requests_in(t.text);
        let goes_on = |t: &Token<'_>| self.lexicon.goes_on(t.text);
        behind.iter().any(|token| asks(token) || goes_on(token))
    }

    /// It is, or may be, what is to be written.
    fn is_dictated(&self, clause: &Range<usize>) -> bool {
        let before = self.tokens.get(..clause.start).unwrap_or_default();
        let behind = self.tokens.get(clause.end..).unwrap_or_default();
        let opens =
            |t: &Token<'_>| t.is_mark(":") || t.has(Concept::Saying) || t.has(Concept::Holding);
        let quoted = |t: &Token<'_>| {
            self.lexicon.quotes.iter().any(|quote| t.text.starts_with(quote.as_str()))
        };
        // `add call mom, email bob to todo.txt`
        let place = behind.iter().position(Token::is_path);
        let goes = |place: usize| !behind.iter().take(place).any(Token::leads);
        before.iter().any(opens)
            || behind.first().is_some_and(quoted)
            || self.lang == Lang::En && place.is_some_and(goes)
    }
}

/// `공급업체 이메일 알려줘`: what it is, and to nobody else; not `메일로 알려줘`.
fn is_told(clause: &[Token<'_>], at: usize) -> bool {
    let looks = [Concept::Tell, Concept::Read, Concept::Get];
    let looks = |t: &&Token<'_>| t.has_any(&looks);
    let aside = |t: &&Token<'_>| t.has(Concept::Vague) || t.attached && !t.is(Part::Toward);
    let letter = clause.get(at).is_some_and(|t| t.has(Concept::Letter) && !t.ends(Part::Toward));
    let next = clause.iter().skip(at + 1).find(|t| !aside(t));
    let dative = |t: &Token<'_>| t.ends(Part::Dative);
    letter && next.as_ref().is_some_and(looks) && !clause.iter().any(dative)
}

/// `send a.txt to bob`, `a.txt 서버에 올려줘`: a file that is no place something goes to.
fn is_sent(clause: &[Token<'_>]) -> bool {
    let sends = |t: &Token<'_>| t.leads() && t.verb() == Some(Concept::Send);
    let other = |t: &Token<'_>| {
        let text = [TokenKind::Quoted, TokenKind::Code, TokenKind::Json, TokenKind::Url];
        let named = [TokenKind::System, TokenKind::Operation].contains(&t.kind);
        named || text.contains(&t.kind) || t.has(Concept::Result) || t.has(Concept::Content)
    };
    let Some(path) = clause.iter().position(|t| t.kind == TokenKind::Path) else { return false };
    let before = path.checked_sub(1).and_then(|at| clause.get(at));
    let behind = clause.get(path + 1).filter(|token| token.attached);
    let goes = before.is_some_and(|t| t.has(Concept::Dest))
        || behind.is_some_and(|t| t.has(Concept::Within) || t.ends(Part::Toward));
    clause.iter().any(sends) && !goes && !clause.iter().any(other)
}

/// `list the files in archive`, `파일 목록도 보여줘`: of none that is named.
fn is_listing(lexicon: &Lexicon, clause: &[Token<'_>]) -> bool {
    let says = |concept: Concept| clause.iter().any(|token| token.has(concept));
    let changes = |t: &Token<'_>| t.verb().is_some_and(Concept::changes);
    let plural = |text: &str| lexicon.parts.split(Part::Plural, text).is_some();
    let several = |t: &Token<'_>| {
        let korean = t.has(Concept::File) && plural(t.text);
        t.is(Part::Files) || korean && t.is_korean()
    };
    let shows = [Concept::Read, Concept::Get, Concept::Manage].into_iter().any(says);
    let list = clause.iter().any(several) || says(Concept::File) && says(Concept::Listing);
    shows
        && list
        && !clause.iter().any(|t| t.is_entity() || t.kind == TokenKind::System || changes(t))
}
