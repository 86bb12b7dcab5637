//! Which of several jobs that wait is not wanted: `skip the delete`, `삭제는 취소`, `not the second
//! one`, `k2.txt는 하지 마`; or which one alone is: `no, only k2.txt`. The others stay. What was put
//! aside is declined by what it does: `그럼 지우지 마`.

mod described;
mod named;

use crate::{
    clause,
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    reading::Situation,
    signal::{self, Whole},
    token::{Token, TokenKind},
    tokenizer,
};
use described::{Described, is_act, ordinal};
use std::collections::BTreeSet;
use wiiiv_domain::{Lang, Slots, TaskType};

/// A line that says more than which one.
const WORDS_MAX: usize = 12;

/// Say no more of a job than which one it is, and that it is to be done.
const LIGHT: [Concept; 8] = [
    Concept::Vague,
    Concept::Pronoun,
    Concept::Thing,
    Concept::That,
    Concept::File,
    Concept::Only,
    Concept::Wish,
    Concept::And,
];

/// Of the jobs that are shown and wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unwanted {
    One(usize),
    /// More than one: only all of them can be called off at once.
    Several,
}

/// Its place: 0 is the active one, the others are those of [`Situation::waiting`] and then of
/// [`Situation::aside`]. `None` where nothing is left out, or where it may be another.
pub(crate) fn unwanted(
    lexicon: &Lexicon,
    lang: Lang,
    tokens: &[Token<'_>],
    situation: &Situation,
) -> Option<Unwanted> {
    let words = tokens.iter().filter(|token| token.is_word()).count();
    if words > WORDS_MAX {
        return None;
    }
    let Some(jobs) = shown(situation) else {
        return put_aside(lexicon, lang, tokens, situation);
    };
    let Some(named) = named::written_out(lexicon, tokens, &jobs) else {
        return leaves_out(lexicon, lang, tokens).then_some(Unwanted::Several);
    };
    let found = of_several(lexicon, lang, &named, (situation, &jobs));
    // A no to something else is none to what is shown.
    let strange = || {
        let refuses = situation.is_confirming() && leaves_out(lexicon, lang, &named);
        refuses && !named.iter().any(Token::is_entity) && named::names_a_stranger(lexicon, &named)
    };
    found.or_else(|| strange().then_some(Unwanted::Several))
}

fn of_several(
    lexicon: &Lexicon,
    lang: Lang,
    tokens: &[Token<'_>],
    (situation, jobs): (&Situation, &[(TaskType, &Slots)]),
) -> Option<Unwanted> {
    if is_kept_up(lexicon, lang, tokens) {
        return Described::of(lexicon, tokens, jobs).map(|_| Unwanted::Several);
    }
    if let Some((refused, kept)) = refused_first(lexicon, lang, tokens) {
        let refused = one(lexicon, refused, jobs);
        let other = all_but(lexicon, kept, jobs).filter(|_| situation.is_confirming());
        if refused.is_some() && other.is_some() {
            // `첫번째 말고 첫번째만`
            let same = jobs.len() > 2 || other == refused.map(Unwanted::One);
            return other.filter(|_| same).or(Some(Unwanted::Several));
        }
    }
    if !leaves_out(lexicon, lang, tokens) {
        return all_but(lexicon, tokens, jobs).filter(|_| situation.is_confirming());
    }
    one(lexicon, tokens, jobs).map(Unwanted::One)
}

/// The only one that is spoken of.
fn one(lexicon: &Lexicon, tokens: &[Token<'_>], jobs: &[(TaskType, &Slots)]) -> Option<usize> {
    let described = Described::of(lexicon, tokens, jobs)?;
    let mut fitting = jobs.iter().enumerate().filter(|(at, job)| described.fits(*at, **job));
    let (at, _) = fitting.next()?;
    fitting.next().is_none().then_some(at)
}

/// `첫번째 건 됐고 두번째만`, `not the first, just the second`: what is not wanted, and then what alone is.
fn refused_first<'a, 't>(
    lexicon: &Lexicon,
    lang: Lang,
    tokens: &'a [Token<'t>],
) -> Option<(&'a [Token<'t>], &'a [Token<'t>])> {
    let out = [Concept::Negate, Concept::NotThis, Concept::Unlike, Concept::Except, Concept::Skip];
    let refuses = |t: &Token<'_>| {
        let aside = || signal::is_aside(lexicon, t.text) && t.ends(Part::GoesOn);
        t.has_any(&out) || aside()
    };
    let joins = |t: &Token<'_>| t.is_mark(",") || t.is_mark(".") || t.has(Concept::And);
    let (end, next) = match lang {
        Lang::Ko => tokens.iter().position(refuses).map(|at| (at, at + 1))?,
        Lang::En => {
            tokens.first().filter(|first| refuses(first))?;
            tokens.iter().position(joins).map(|at| (at, at + 1))?
        }
    };
    Some((tokens.get(..end)?, tokens.get(next..)?)).filter(|(_, kept)| !kept.is_empty())
}

/// The active one and those behind it; `None` where there are none behind it.
fn shown(situation: &Situation) -> Option<Vec<(TaskType, &Slots)>> {
    let (active, _) = situation.active.as_ref().filter(|_| !situation.waiting.is_empty())?;
    let waiting = situation.waiting.iter().map(|(task, slots)| (*task, slots));
    Some(std::iter::once((*active, &situation.known)).chain(waiting).collect())
}

/// `그럼 지우지 마`, `then don't delete it`: what alone it can mean, and nothing else is asked for.
/// It is not the active one, which is declined by a no.
fn put_aside(
    lexicon: &Lexicon,
    lang: Lang,
    tokens: &[Token<'_>],
    situation: &Situation,
) -> Option<Unwanted> {
    let aside = situation.aside.iter().map(|(task, slots)| (*task, slots));
    let jobs: Vec<(TaskType, &Slots)> = aside.collect();
    if jobs.is_empty() || !leaves_out(lexicon, lang, tokens) || !declines(lexicon, lang, tokens) {
        return None;
    }
    let described = Described::of(lexicon, tokens, &jobs)?;
    let active = situation.active.as_ref().map(|(task, _)| (*task, &situation.known));
    if active.is_some_and(|active| described.fits(0, active)) {
        return None;
    }
    let own = |verb: &Concept| verb.is_weak_verb() || described.acts.contains(verb);
    let verbs: Vec<Concept> = tokens.iter().filter_map(Token::verb).collect();
    let mut fitting = jobs.iter().enumerate().filter(|(at, job)| described.fits(*at, **job));
    let (at, _) = fitting.next().filter(|_| !verbs.is_empty() && verbs.iter().all(own))?;
    fitting.next().is_none().then_some(Unwanted::One(at + 1))
}

/// `ok no, keep it`, `그냥 놔둬`, where nothing is active and the only one that was put aside is a delete.
pub(crate) fn spares_aside(lexicon: &Lexicon, text: &str, situation: &Situation) -> bool {
    let deletes = matches!(situation.aside.as_slice(), [(TaskType::FileDelete, _)]);
    let keeps = |t: &Token<'_>| t.has(Concept::Keep) || t.has(Concept::Negate) || t.is(Part::Keep);
    let alone = situation.active.is_none() && situation.waiting.is_empty();
    deletes && alone && tokenizer::tokens(lexicon, text).iter().any(keeps)
}

/// Where its language has the verb of an order: `됐고 아까 하던 거 마저 해` goes on with it.
fn declines(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> bool {
    let mut words = tokens.iter().filter(|token| token.is_word() && !token.has(Concept::Vague));
    let leads = match lang {
        Lang::Ko => words.next_back(),
        Lang::En => words.next(),
    };
    let off = [Concept::Cancel, Concept::Skip];
    let called_off = leads.is_some_and(|token| token.has_any(&off));
    let negated = clause::is_negated(lexicon, lang, tokens);
    called_off || negated && !clause::is_called_off(lang, tokens)
}

/// `no, only temp.txt`, `아니 old.log만`, `just the second one`: it names one, and the
/// others are not wanted.
fn all_but(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    jobs: &[(TaskType, &Slots)],
) -> Option<Unwanted> {
    let ends = |text: &str| lexicon.ends_in_only(text);
    let only = |(at, token): (usize, &Token<'_>)| {
        let particle = lexicon.only.iter().any(|only| token.attached && token.text == only);
        // `두번째만`, `두 번째만`, `삭제만`, `쓰는 것만`
        let nth = |at: usize| ordinal(lexicon, tokens, at, jobs.len()).is_some();
        let which = || {
            let acts = token.leads();
            acts || token.has(Concept::Thing) || nth(at) || at.checked_sub(1).is_some_and(nth)
        };
        let own = || ends(token.text) && which();
        particle || token.has(Concept::Only) || own()
    };
    let entities = || tokens.iter().filter(|token| token.is_entity());
    let asks = tokens.iter().any(|t| t.is_mark("?") || t.has(Concept::Question));
    let paths = entities().all(Token::is_path) && entities().count() < 2;
    let only = tokens.iter().enumerate().position(only).filter(|_| !asks && paths)?;
    let named = entities().next();
    let described = match named {
        Some(path) => Described { paths: BTreeSet::from([path.text]), ..Described::default() },
        None => Described::of(lexicon, tokens, jobs).filter(|_| is_bare(tokens))?,
    };
    let mut kept = jobs.iter().enumerate().filter(|(at, job)| described.fits(*at, **job));
    let (kept, (task, _)) = kept.next().filter(|_| kept.next().is_none())?;
    let light = |at: usize| is_light(lexicon, tokens, at, (*task, jobs.len()));
    let denies = |at: usize| at < only && tokens.get(at).is_some_and(|t| is_no(lexicon, t));
    if !(0..tokens.len()).all(|at| denies(at) || light(at)) {
        // What is done to a file that waits is no other place for the first; `just read b.txt` does more.
        let other = |t: &Token<'_>| {
            let other = |verb: Concept| !(verb.is_weak_verb() || verb.changes());
            t.verb().is_some_and(other) && !t.has(Concept::Keep)
        };
        let asks = named.is_some() && !tokens.iter().any(|t| other(t) || t.has(Concept::Later));
        return asks.then_some(Unwanted::Several);
    }
    match jobs.len() {
        2 => Some(Unwanted::One(1 - kept)),
        _ => Some(Unwanted::Several),
    }
}

/// Says which job is meant, or that it is to be done; not `later`, `만 보류`, `.. can wait`, which may as well
/// be said of the one that is not wanted.
fn is_light(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    at: usize,
    (task, jobs): (TaskType, usize),
) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let says = [Whole::Affirm, Whole::Murmur, Whole::Aside, Whole::Filler];
    let bare = |wholes: &BTreeSet<Whole>| wholes.iter().all(|whole| says.contains(whole));
    let closed = lexicon.bare.closed.get(&Whole::key(token.text));
    // `삭제만 그만`, `only b.txt is off`
    let says_how = token.is(Part::Is | Part::Was);
    if says_how || closed.is_some_and(|wholes| !bare(wholes)) && !token.is_path() {
        return false;
    }
    let known = !token.concepts.is_empty();
    let light = token.concepts.iter().all(|c| LIGHT.contains(c) || is_act(task, *c));
    let counts = |part| lexicon.parts.split(part, token.text).is_some_and(|(n, _)| n.is_empty());
    let nth = || counts(Part::Nth) || token.attached && counts(Part::Numbered);
    let place = || ordinal(lexicon, tokens, at, jobs).is_some() || nth();
    let thing = token.has(Concept::Thing) && !token.has(Concept::Correct);
    let key = token.is(Part::Key) && ordinal(lexicon, tokens, at + 1, jobs).is_some();
    let small =
        thing || key || token.is(Part::The | Part::Article | Part::One | Part::Ones | Part::Thing);
    let ending = || token.attached && token.is_ending();
    let own = known && light || !token.has(Concept::Correct) && (closed.is_some() || place());
    token.is_path() || token.kind == TokenKind::Mark || own || small || ending()
}

/// `no, ..`, `아니 ..`
fn is_no(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    let wholes = lexicon.bare.closed.get(&Whole::key(token.text));
    let denies = wholes.is_some_and(|wholes| wholes.contains(&Whole::Deny));
    token.has(Concept::Correct) || denies && !token.has(Concept::Negate)
}

/// `쓰기만 취소하지 마`, `don't skip the delete`: what is not to be left out.
fn is_kept_up(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> bool {
    let off = |t: &Token<'_>| t.has(Concept::Cancel) || t.has(Concept::Skip);
    let not = |t: &Token<'_>| t.has(Concept::Negate);
    let mut clauses = clause::ranges(lexicon, lang, tokens).into_iter();
    clauses.any(|clause| {
        let clause = tokens.get(clause).unwrap_or_default();
        clause.iter().any(off) && clause.iter().any(not)
    })
}

/// Nothing is said but which one: `only the delete`, and not `just delete the first line`.
fn is_bare(tokens: &[Token<'_>]) -> bool {
    let other = [Concept::Part, Concept::Content, Concept::Question, Concept::Except];
    !tokens.iter().any(|token| token.has_any(&other))
}

/// Nothing is asked for beside it.
fn leaves_out(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> bool {
    let out = [Concept::Cancel, Concept::Skip, Concept::Except, Concept::NotThis, Concept::Unlike];
    let says = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    let own = |kind: TokenKind| tokens.iter().any(|token| token.kind == kind);
    let instead = [TokenKind::Quoted, TokenKind::Code, TokenKind::Json, TokenKind::Url];
    let asks = tokens.last().is_some_and(|last| last.is_mark("?"));
    let left = out.into_iter().any(says) || clause::is_negated(lexicon, lang, tokens);
    left && !asks && !instead.into_iter().any(own)
}
