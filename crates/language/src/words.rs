//! What the words of an utterance mean, one by one and several in a row.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::{Lexicon, Phrase},
    morph,
    part::Part,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;

/// Pieces that one written word was torn into: `저 장 해줘`.
const TORN_TOKENS_MAX: usize = 3;
/// Stands for any number in a form of several words.
const NUMBER: &str = "#";
/// Words of the longest form there may be.
const PHRASE_TOKENS_MAX: usize = 12;
/// Before an amount of money.
const CURRENCIES: [&str; 2] = ["$", "₩"];

pub(crate) fn mark(lexicon: &Lexicon, tokens: &mut [Token<'_>]) {
    let lower: Vec<String> = tokens.iter().map(lower).collect();
    for (token, word) in tokens.iter_mut().zip(&lower) {
        if token.is_word() {
            token.concepts = morph::concepts(lexicon, word);
            token.attributive = morph::is_attributive(lexicon, word);
        }
    }
    let mut at = 0;
    while at < tokens.len() {
        let phrase = phrase(lexicon, tokens, &lower, at);
        at += if phrase > 0 { phrase } else { torn(lexicon, tokens, &lower, at).max(1) };
    }
    mend(lexicon, tokens, &lower);
    describe(lexicon, tokens, &lower);
    ask(tokens);
    count(tokens);
}

/// `재고 적은 순으로`, `제일 적은`: how many, and nothing that was written down.
fn count(tokens: &mut [Token<'_>]) {
    for at in 0..tokens.len() {
        let sorts = tokens.get(at + 1).is_some_and(|next| next.has(Concept::Sort));
        let most = |before: usize| tokens.get(before).is_some_and(|t| t.has(Concept::Most));
        let most = at.checked_sub(1).is_some_and(most);
        let sized = |t: &&mut Token<'_>| t.has(Concept::Lowest) || t.has(Concept::Highest);
        if let Some(token) = tokens.get_mut(at).filter(|t| (sorts || most) && sized(t)) {
            token.concepts.remove(&Concept::Write);
        }
    }
}

/// `주문해줄 수 있어?` asks for it, and describes nothing.
fn ask(tokens: &mut [Token<'_>]) {
    for at in 2..tokens.len() {
        let Some([verb, can, there]) = tokens.get_mut(at - 2..=at) else { continue };
        let may = can.is(Part::Can) && there.begins(Part::There) && !there.attributive;
        if may && verb.is_word() && verb.ends(Part::DoFor) {
            verb.attributive = false;
        }
    }
}

/// `shipped orders`, `with status cancelled`: what was done with something says which it is.
fn describe(lexicon: &Lexicon, tokens: &mut [Token<'_>], lower: &[String]) {
    let several = lower.iter().filter(|word| !word.is_empty()).count() > 1;
    let told = lower.iter().any(|word| lexicon.subjects.contains(word));
    for (token, word) in tokens.iter_mut().zip(lower).filter(|_| several && !told) {
        let acts = [Concept::Alter, Concept::Cancel, Concept::Enter];
        let only = token.concepts.iter().all(|concept| acts.contains(concept));
        // `취소된 주문`
        let done = token.attributive && token.ends(Part::Past);
        let past = word.is_ascii() && token.ends(Part::Past) && !lexicon.is_listed(word);
        if only && (past || done) {
            token.concepts.clear();
        }
    }
}

fn lower(token: &Token<'_>) -> String {
    if token.is_word() { token.text.to_lowercase().replace('’', "'") } else { String::new() }
}

/// Marks the longest phrase that begins here; the number of words that it took.
fn phrase(lexicon: &Lexicon, tokens: &mut [Token<'_>], lower: &[String], at: usize) -> usize {
    let Some(word) = lower.get(at).filter(|word| !word.is_empty()) else { return 0 };
    let follows = |phrase: &&Phrase| {
        phrase.rest.iter().enumerate().all(|(i, expected)| {
            let last = i + 1 == phrase.rest.len();
            lower.get(at + 1 + i).is_some_and(|word| same(lexicon, word, expected, last))
        })
    };
    let lemmas: Vec<String> = if word.is_ascii() { lexicon.lemmas(word).collect() } else { vec![] };
    let number = is_number(word).then_some(NUMBER);
    let firsts = std::iter::once(word.as_str()).chain(lemmas.iter().map(String::as_str));
    let firsts = firsts.chain(number);
    let closes = |phrase: &&Phrase| !is_open(lexicon, (word, phrase), tokens, at);
    let fits = |phrase: &&Phrase| follows(phrase) && closes(phrase);
    let found = firsts.filter_map(|first| lexicon.phrases(first).iter().find(fits)).next();
    if let Some(found) = found {
        for token in tokens.iter_mut().skip(at).take(found.rest.len() + 1) {
            token.concepts = BTreeSet::from([Concept::Vague]);
        }
        if let Some(first) = tokens.get_mut(at) {
            first.concepts.clone_from(&found.concepts);
        }
        return found.rest.len() + 1;
    }
    if let Some((found, token)) = negated(lexicon, word).zip(tokens.get_mut(at)) {
        token.concepts = found;
        return 1;
    }
    let suffix = word.chars().next_back().map(|c| format!("-{c}")).unwrap_or_default();
    if let Some(found) = lexicon.phrases(&suffix).iter().find(follows)
        && let Some(next) = tokens.get_mut(at + 1)
    {
        next.concepts.clone_from(&found.concepts);
        return found.rest.len() + 1;
    }
    0
}

/// `over 10000 and under 50000`: what closes a bound (`10000 and under`) opens the next one there, and
/// is two words.
fn is_open(
    lexicon: &Lexicon,
    (first, phrase): (&str, &Phrase),
    tokens: &[Token<'_>],
    at: usize,
) -> bool {
    let bounds = phrase.concepts.iter().any(|concept| concept.operator().is_some());
    let and = lexicon.form(first).is_some_and(|form| form.contains(&Concept::And));
    let behind = tokens.get(at + 1 + phrase.rest.len());
    let money = |t: &Token<'_>| t.kind == TokenKind::Mark && CURRENCIES.contains(&t.text);
    bounds && and && behind.is_some_and(|t| is_number(t.text) || money(t))
}

/// What the end of a word means that is written into one with the verb before it: `지우지말고`.
fn negated(lexicon: &Lexicon, word: &str) -> Option<BTreeSet<Concept>> {
    let mut places = word.char_indices().skip(1).filter(|(_, c)| is_hangul(*c));
    places.find_map(|(at, c)| {
        let (head, rest) = word.split_at_checked(at + c.len_utf8())?;
        let follows = |phrase: &&Phrase| match phrase.rest.as_slice() {
            [only] => same(lexicon, rest, only, true),
            _ => false,
        };
        let found = lexicon.phrases(&format!("-{c}")).iter().find(follows)?;
        let act = morph::concepts(lexicon, head);
        let negates = found.concepts.contains(&Concept::Negate);
        (negates && act.iter().any(|concept| concept.is_verb())).then(|| &act | &found.concepts)
    })
}

/// How many words follow the first of a form of several that begins here: 1 of `note down`.
pub(crate) fn rest_of_phrase(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> usize {
    let lower: Vec<String> = tokens.iter().skip(at).take(PHRASE_TOKENS_MAX).map(lower).collect();
    let Some(word) = lower.first() else { return 0 };
    let lemmas: Vec<String> = lexicon.lemmas(word).collect();
    let number = is_number(word).then_some(NUMBER);
    let firsts = std::iter::once(word.as_str()).chain(lemmas.iter().map(String::as_str));
    let firsts = firsts.chain(number);
    let follows = |phrase: &&Phrase| {
        let said = lower.iter().skip(1);
        let last = phrase.rest.len();
        let mut pairs = phrase.rest.iter().zip(said).enumerate();
        last < lower.len()
            && pairs.all(|(at, (form, word))| same(lexicon, word, form, at + 1 == last))
    };
    let closes = |phrase: &&Phrase| !is_open(lexicon, (word, phrase), tokens, at);
    let fits = |phrase: &&Phrase| follows(phrase) && closes(phrase);
    let mut found = firsts.filter_map(|first| lexicon.phrases(first).iter().find(fits));
    found.next().map_or(0, |phrase| phrase.rest.len())
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn same(lexicon: &Lexicon, word: &str, expected: &str, last: bool) -> bool {
    if word == expected || (expected == NUMBER && is_number(word)) {
        return true;
    }
    if !expected.starts_with(is_hangul) {
        return last && lexicon.lemmas(word).any(|lemma| lemma == expected);
    }
    let ending = |more: &str| more.chars().all(is_hangul) && morph::is_endings(lexicon, more);
    last && word.strip_prefix(expected).is_some_and(ending)
}

/// Reads a Korean word that was written in pieces; the number of its pieces.
fn torn(lexicon: &Lexicon, tokens: &mut [Token<'_>], lower: &[String], at: usize) -> usize {
    let unknown = |token: &Token<'_>| token.is_word() && token.concepts.is_empty();
    if !tokens.get(at).is_some_and(unknown) {
        return 0;
    }
    let mut whole = String::new();
    for taken in 1..=TORN_TOKENS_MAX {
        let Some(word) = lower.get(at + taken - 1).filter(|w| w.starts_with(is_hangul)) else {
            break;
        };
        whole.push_str(word);
        let concepts = if taken > 1 { morph::concepts(lexicon, &whole) } else { BTreeSet::new() };
        if !concepts.is_empty() {
            for token in tokens.iter_mut().skip(at).take(taken) {
                token.concepts = BTreeSet::from([Concept::Vague]);
            }
            if let Some(last) = tokens.get_mut(at + taken - 1) {
                last.concepts = concepts;
                last.attributive = morph::is_attributive(lexicon, &whole);
            }
            return taken;
        }
    }
    0
}

/// Takes unknown words for the forms that they are slips of.
///
/// INVARIANT: only beside something that is certain, so that noise stays noise.
fn mend(lexicon: &Lexicon, tokens: &mut [Token<'_>], lower: &[String]) {
    let telling = |token: &Token<'_>| match token.kind {
        TokenKind::Word => {
            token.concepts.iter().any(|c| !matches!(c, Concept::Vague | Concept::Dest))
        }
        TokenKind::Mark | TokenKind::Dropped => false,
        TokenKind::Quoted
        | TokenKind::Code
        | TokenKind::Json
        | TokenKind::Path
        | TokenKind::LoosePath
        | TokenKind::Url
        | TokenKind::System
        | TokenKind::Operation => true,
    };
    if !tokens.iter().any(telling) {
        return;
    }
    // A sentence that has its verb needs no other.
    let led = tokens.iter().any(|t| t.leads());
    let glued: Vec<bool> = (0..tokens.len()).map(|at| is_glued(tokens, at)).collect();
    // From the end: what is asked for stands before what asks for it.
    let mut wished = false;
    for ((token, word), glued) in tokens.iter_mut().zip(lower).zip(glued).rev() {
        let asked = std::mem::replace(&mut wished, token.has(Concept::Wish));
        if !token.is_word() || !token.concepts.is_empty() || glued {
            continue;
        }
        let tells = |concepts: &BTreeSet<Concept>| concepts.iter().any(|c| *c != Concept::Vague);
        let verb = if asked { morph::heard_verb(lexicon, word) } else { BTreeSet::new() };
        let heard = if verb.is_empty() { morph::heard(lexicon, word) } else { verb };
        let meant = if heard.is_empty() { morph::meant(lexicon, word) } else { BTreeSet::new() };
        let verb = meant.iter().any(|concept| concept.is_verb());
        if tells(&meant) && !(led && verb) || tells(&heard) {
            token.mended = true;
            token.concepts = &heard | &meant;
            wished = token.has(Concept::Wish);
        }
    }
}

/// `shwo me the prodcts`: beside what a list is called by, a word that may be the slip of one that looks,
/// and of none that changes anything.
pub(crate) fn mend_looks(lexicon: &Lexicon, tokens: &mut [Token<'_>]) {
    let named = |t: &Token<'_>| t.kind == TokenKind::Operation;
    let led = |t: &Token<'_>| t.leads();
    if !tokens.iter().any(named) || tokens.iter().any(led) {
        return;
    }
    let looks = |concept: &Concept| {
        let verb = [Concept::Read, Concept::Get, Concept::Manage].contains(concept);
        verb || !concept.is_verb()
    };
    for at in (0..tokens.len()).filter(|at| !is_glued(tokens, *at)).collect::<Vec<_>>() {
        let Some(token) = tokens.get_mut(at).filter(|t| t.is_word() && t.concepts.is_empty())
        else {
            continue;
        };
        let meant = morph::meant(lexicon, &token.text.to_lowercase());
        if meant.iter().any(|concept| concept.is_verb()) && meant.iter().all(looks) {
            token.mended = true;
            token.concepts = meant;
        }
    }
}

/// A part of a name such as `stock-alert`.
fn is_glued(tokens: &[Token<'_>], at: usize) -> bool {
    let hyphen = |at: Option<usize>| {
        let token = at.and_then(|at| tokens.get(at));
        token.filter(|token| token.is_mark("-") || token.is_mark("_")).is_some()
    };
    let attached = |at: usize| tokens.get(at).is_some_and(|token| token.attached);
    (attached(at) && hyphen(at.checked_sub(1))) || (attached(at + 1) && hyphen(Some(at + 1)))
}
