//! Where one clause ends and the next begins, and which of them ask for nothing.

use crate::{
    concept::Concept,
    hangul::Syllable,
    lexicon::Lexicon,
    part::Part,
    past, place, reported,
    signal::Whole,
    token::{Token, TokenKind},
};
use std::{collections::BTreeSet, ops::Range};
use wiiiv_domain::Lang;

/// Corrections of one message.
const CORRECTIONS_MAX: usize = 8;

/// Places where a clause may begin, in order; the first is 0.
pub(crate) fn begins(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> Vec<usize> {
    let inner = (1..tokens.len()).filter(|at| may_begin(lexicon, lang, tokens, *at));
    std::iter::once(0).chain(inner).collect()
}

pub(crate) fn ranges(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let begins = begins(lexicon, lang, tokens);
    let ends = begins.iter().copied().skip(1).chain([tokens.len()]);
    begins.iter().copied().zip(ends).map(|(a, b)| a..b).collect()
}

fn may_begin(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>], at: usize) -> bool {
    let (Some(before), Some(token)) = (tokens.get(at - 1), tokens.get(at)) else { return false };
    let mark = |token: &Token<'_>| [",", ".", "!", "?", ";"].iter().any(|m| token.is_mark(m));
    // `.. 하면 안 돼` is one.
    if mark(token) || token.has(Concept::Negate) && lang == Lang::Ko {
        return false;
    }
    // `1) .. 2) ..`, `- ..`
    let listed = before.is_mark(")") || (before.is_mark("-") && !token.attached);
    if token.opens_line
        || mark(before)
        || listed
        || before.has(Concept::Then)
        || token.has(Concept::Then)
    {
        return true;
    }
    match lang {
        Lang::En => before.has(Concept::And),
        Lang::Ko => {
            // `번역하고`; what is done with the outcome of it (`번역해서`) stays beside it.
            let undone = || before.has(Concept::Undone) && !is_by(before);
            let says = before.verb().is_some() || before.has(Concept::Negate) || undone();
            let ends = |endings: &[String]| {
                endings.iter().any(|ending| before.text.ends_with(ending.as_str()))
            };
            // `지운 다음`
            let apart = || lexicon.connectives.iter().any(|word| word == before.text);
            let behind = || at.checked_sub(2).and_then(|at| tokens.get(at));
            let then = || apart() && behind().is_some_and(|token| token.verb().is_some());
            let reported = || reported::is_reported(lexicon, lang, tokens, at - 1);
            then() || says && !reported() && (ends(&lexicon.connectives) || ends(&lexicon.requests))
        }
    }
}

/// Whether a clause says what is not to be done. English says so before its verb, Korean after.
pub(crate) fn is_negated(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> bool {
    if is_called_off(lang, tokens) || is_spared(lexicon, lang, tokens) || is_kept(lang, tokens) {
        return true;
    }
    let negates = |token: &Token<'_>| token.has(Concept::Negate);
    match lang {
        Lang::En => match (tokens.iter().position(negates), tokens.iter().position(Token::leads)) {
            (Some(negated), Some(verb)) => negated < verb,
            // `the loop in a.rb never ends` only says how something is.
            (Some(negated), None) => {
                !tokens.get(..negated).unwrap_or_default().iter().any(Token::is_entity)
            }
            (None, _) => false,
        },
        Lang::Ko => match (tokens.iter().rposition(negates), tokens.iter().rposition(Token::leads))
        {
            (Some(negated), Some(verb)) => negated >= verb,
            (negated, _) => negated.is_some(),
        },
    }
}

/// `a.txt 삭제 취소해줘`, `cancel deleting a.txt`: what is called off beside it is not to be done.
pub(crate) fn is_called_off(lang: Lang, tokens: &[Token<'_>]) -> bool {
    let acts = [Concept::Delete, Concept::Save, Concept::Write];
    let act = |token: &Token<'_>| token.has_any(&acts);
    let called = |token: &Token<'_>| token.has(Concept::Cancel);
    let aside = |token: &&Token<'_>| {
        !(token.has(Concept::Vague) || token.has(Concept::Thing) || token.has(Concept::That))
    };
    let said: Vec<&Token<'_>> = tokens.iter().filter(aside).collect();
    let kept = tokens.iter().any(|token| token.has(Concept::Negate));
    !kept
        && said.windows(2).any(|pair| match (lang, pair) {
            (Lang::Ko, [first, second]) => act(first) && called(second),
            (Lang::En, [first, second]) => called(first) && act(second),
            _ => false,
        })
}

/// `make sure a.txt is not deleted`: nothing is done to what stands before it.
fn is_spared(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> bool {
    let aside = |token: &&Token<'_>| token.has(Concept::Vague) || token.has(Concept::Get);
    let spared = |at: usize| {
        let before = tokens.get(..at).unwrap_or_default().iter().rev();
        let behind = tokens.get(at + 1..).unwrap_or_default();
        let subject = before.skip_while(aside).map(Token::is_entity).next().unwrap_or(false);
        let done = behind.iter().find(|token| !aside(token));
        subject && done.is_some_and(|token| past::is_participle(lexicon, token))
    };
    let mut places = tokens.iter().enumerate().filter(|(_, token)| token.has(Concept::Spared));
    lang == Lang::En && places.any(|(at, _)| spared(at))
}

/// `leave b.txt alone`, `b.txt는 그대로 두고`: right beside the file, it says that the file is to stay.
fn is_kept(lang: Lang, tokens: &[Token<'_>]) -> bool {
    let path = |token: &&Token<'_>| token.kind == TokenKind::Path;
    // `a.txt에 남겨둬` is where something goes.
    let particle = |t: &Token<'_>| t.attached && t.is_word() && !t.has(Concept::Within);
    let aside = |t: &&Token<'_>| particle(t) || t.has(Concept::Vague);
    let keeps = |at: usize| tokens.get(at).is_some_and(|token| token.has(Concept::Keep));
    let beside = |at: usize| match lang {
        Lang::En => tokens.iter().skip(at + 1).find(|t| !aside(t)).is_some_and(|t| path(&t)),
        Lang::Ko => tokens.iter().take(at).rev().find(|t| !aside(t)).is_some_and(|t| path(&t)),
    };
    let leads = |token: &Token<'_>| token.leads() && !token.has(Concept::Keep);
    let mut kept = (0..tokens.len()).filter(|at| keeps(*at));
    !tokens.iter().any(leads) && kept.any(beside)
}

/// Leaves out what is not to be done; answers whether nothing else was said.
pub(crate) fn silence(lexicon: &Lexicon, lang: Lang, tokens: &mut [Token<'_>]) -> bool {
    let clauses = ranges(lexicon, lang, tokens);
    let of = |clause: &Range<usize>| tokens.get(clause.clone()).unwrap_or_default();
    let quiet: Vec<bool> =
        clauses.iter().map(|clause| is_negated(lexicon, lang, of(clause))).collect();
    if !quiet.contains(&true) {
        return false;
    }
    let told = || clauses.iter().zip(&quiet).filter(|(_, quiet)| !**quiet).flat_map(|(c, _)| of(c));
    let wants = told().any(|token| token.leads());
    let elsewhere = told().any(Token::is_entity);
    let kinds: Vec<TokenKind> = told().filter(|token| token.is_entity()).map(|t| t.kind).collect();
    let verbs: BTreeSet<Concept> = told().filter_map(Token::verb).collect();
    for (clause, _) in clauses.iter().zip(&quiet).filter(|(_, quiet)| **quiet) {
        let quiet = tokens.get_mut(clause.clone()).unwrap_or_default();
        let verb = quiet.iter().filter_map(Token::verb).find(|verb| verbs.contains(verb));
        for token in quiet {
            // `a.txt에 '끝'이라고 쓰지 말고 c.txt에 써줘`: what is to be written is said once.
            let other = match verb {
                None => elsewhere,
                Some(Concept::Delete) => true,
                Some(_) => kinds.contains(&token.kind),
            };
            if other && token.is_entity() {
                token.drop_it();
            } else if wants {
                token.concepts.clear();
            }
        }
    }
    !wants
}

/// Leaves out what is put off (`그건 이따가 볼게요`, `i'll look at it later`), and what it was said of;
/// answers whether nothing else was said.
pub(crate) fn put_off(lexicon: &Lexicon, lang: Lang, tokens: &mut [Token<'_>]) -> bool {
    let clauses = ranges(lexicon, lang, tokens);
    let of = |clause: &Range<usize>| tokens.get(clause.clone()).unwrap_or_default();
    let asked = |clause: &Range<usize>| is_asked(lexicon, lang, of(clause));
    let later = |clause: &Range<usize>| of(clause).iter().any(|token| token.has(Concept::Later));
    let last = clauses.iter().rposition(|clause| later(clause) && !asked(clause));
    let Some(last) = last else { return false };
    // Up to here; what is asked for stays, before it and behind it.
    let quiet: Vec<Range<usize>> =
        clauses.iter().take(last + 1).filter(|clause| !asked(clause)).cloned().collect();
    let all = quiet.len() == clauses.len();
    for clause in quiet {
        tokens.get_mut(clause).unwrap_or_default().iter_mut().for_each(Token::drop_it);
    }
    all
}

/// Korean says that it asks. English asks unless somebody says what they will do themselves.
fn is_asked(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> bool {
    match lang {
        Lang::Ko => {
            let requested = |token: &Token<'_>| lexicon.requests_in(token.text);
            // `나중에 되돌릴 수 있나요?` puts nothing off.
            tokens.iter().any(requested) || tokens.last().is_some_and(|last| last.is_mark("?"))
        }
        Lang::En => {
            let intends = tokens.iter().position(|token| token.has(Concept::Intent));
            let led = tokens.iter().position(Token::leads);
            intends.is_none_or(|intends| led.is_some_and(|led| led < intends))
        }
    }
}

/// `월급이 너무 적어`: what there is little of is written nowhere.
pub(crate) fn scarce(lexicon: &Lexicon, tokens: &mut [Token<'_>]) {
    let asks = |t: &Token<'_>| lexicon.requests_in(t.text);
    // `재고 적은순으로`, `적은거부터`
    for at in 0..tokens.len() {
        let sorts = tokens.get(at + 1).is_some_and(|next| next.has(Concept::Sort));
        let few = |t: &&mut Token<'_>| t.has(Concept::Jot) || t.has(Concept::Pronoun);
        let few = |t: &&mut Token<'_>| {
            t.has(Concept::Lowest)
                && few(t)
                && (sorts || t.has(Concept::Sort) || t.ends(Part::Starting))
        };
        if let Some(token) = tokens.get_mut(at).filter(few) {
            token
                .concepts
                .retain(|c| !c.is_verb() && ![Concept::Jot, Concept::Pronoun].contains(c));
        }
    }
    let Some(at) = tokens.iter().rposition(|t| t.has(Concept::Jot) && !asks(t)) else { return };
    let degree = |t: &&Token<'_>| t.is(Part::Degree);
    let Some(before) = tokens.get(..at) else { return };
    let subject = |t: &Token<'_>| {
        let stem = lexicon.parts.stem(Part::Subject, t.text).unwrap_or_default();
        let syllable = |c: Option<char>| c.and_then(Syllable::of);
        let particle = syllable(t.text.get(stem.len()..).and_then(|p| p.chars().next()));
        let fits = |(p, before): (Syllable, Syllable)| p.is_open() == (before.last != 0);
        particle.zip(syllable(stem.chars().next_back())).is_some_and(fits)
    };
    let apart = |t: &Token<'_>| t.attached && t.is(Part::Subject);
    let few = before.last().is_some_and(|t| degree(&t));
    let of = before.iter().rev().find(|t| !degree(t));
    let object = before.iter().any(|t| t.ends(Part::Object));
    if !object && (few && of.is_none() || of.is_some_and(|t| subject(t) || apart(t))) {
        tokens.iter_mut().skip(at).take(1).for_each(|t| t.concepts.clear());
    }
}

/// Leaves out what only opens the sentence: `sorry, users not products`.
pub(crate) fn excuse(lexicon: &Lexicon, tokens: &mut [Token<'_>]) {
    let aside = |token: &Token<'_>| {
        let wholes = lexicon.bare.closed.get(&Whole::key(token.text));
        let aside = |wholes: &BTreeSet<Whole>| wholes.iter().all(|whole| *whole == Whole::Aside);
        token.is_word() && token.is_nameless() && wholes.is_some_and(aside)
    };
    if let [first, comma, ..] = tokens
        && comma.is_mark(",")
        && aside(first)
    {
        first.drop_it();
    }
}

/// Takes back what was corrected in the same breath: `a.txt 읽어줘 아니다 b.txt 읽어줘`,
/// `a.txt 말고 b.txt`, `b.txt instead of a.txt`.
pub(crate) fn take_back(tokens: &mut [Token<'_>]) {
    let corrects = |at: &usize| tokens.get(*at).is_some_and(|t| t.has(Concept::Correct));
    let places: Vec<usize> = (1..tokens.len()).filter(corrects).take(CORRECTIONS_MAX).collect();
    for at in places {
        correct(tokens, at);
    }
    let replaced = |at: &usize| is_replaced(tokens, *at);
    let places: Vec<usize> = (0..tokens.len()).filter(replaced).collect();
    let points = |at: &usize| is_pointed_away(tokens, *at);
    for at in (0..tokens.len()).filter(points).collect::<Vec<_>>() {
        tokens.iter_mut().skip(at).take(2).for_each(Token::drop_it);
    }
    let names: Vec<&str> =
        places.iter().filter_map(|at| tokens.get(*at)).map(|token| token.text).collect();
    for (at, token) in tokens.iter_mut().enumerate() {
        // `a.txt랑 b.txt 지워줘. a는 말고`
        let named =
            || token.is_path() && names.iter().any(|name| place::is_called(token.text, name));
        if places.contains(&at) || named() {
            token.drop_it();
        }
    }
}

/// What comes after stands for what came before of the same kind.
fn correct(tokens: &mut [Token<'_>], at: usize) {
    let Some((before, after)) = tokens.split_at_mut_checked(at) else { return };
    let verb = after.iter().any(|token| token.leads());
    for token in before {
        if token.is_entity() && after.iter().any(|other| other.kind == token.kind) {
            token.drop_it();
        } else if verb && token.verb().is_some() && after.iter().any(Token::is_entity) {
            token.concepts.clear();
        }
    }
}

/// `그거 말고 재고 보여줘`: something else is to be seen than what was spoken of.
fn is_pointed_away(tokens: &[Token<'_>], at: usize) -> bool {
    let Some([it, not, rest @ ..]) = tokens.get(at..) else { return false };
    let looks = |t: &Token<'_>| t.has(Concept::Read) || t.has(Concept::Get);
    let place = rest.iter().any(|t| t.is_path() || t.verb().is_some_and(Concept::changes));
    it.has(Concept::Pronoun) && not.has(Concept::NotThis) && rest.iter().any(looks) && !place
}

fn is_replaced(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let nameless = token.is_word() && token.is_nameless();
    if !(token.is_entity() || nameless) {
        return false;
    }
    let particle = |token: &&Token<'_>| token.is_particle();
    let after = tokens.get(at + 1);
    let behind = if after.as_ref().is_some_and(particle) { tokens.get(at + 2) } else { after };
    let ahead = |back: usize| at.checked_sub(back).and_then(|before| tokens.get(before));
    let unlike = |back: usize| ahead(back).is_some_and(|t| t.has(Concept::Unlike));
    // `취소된 주문 빼고 보여줘`: nothing else is named instead.
    let not = at + 1 + usize::from(after.as_ref().is_some_and(particle));
    let other = |t: &Token<'_>| t.is_entity() || t.is_word() && t.is_nameless();
    let rest = || tokens.get(not + 1..).unwrap_or_default();
    // `except books`: what is left out is no slip of the tongue.
    let left_out = |t: &Token<'_>| t.has(Concept::Except) && !t.has(Concept::Inverse);
    // `that are not cancelled`: how they are.
    let is = |t: &Token<'_>| t.is(Part::Is | Part::Was);
    let denied = ahead(1).is_some_and(|t| t.has(Concept::Inverse)) && ahead(2).is_some_and(is);
    if nameless && (denied || ahead(1).is_some_and(left_out)) {
        return false;
    }
    let excepts = behind.is_some_and(|t| t.has(Concept::Except));
    let file = tokens.iter().any(Token::is_path);
    if nameless && excepts && !file && !rest().iter().any(other) {
        return false;
    }
    // `instead of` is two words.
    let of = ahead(1).is_some_and(|t| t.has(Concept::Vague)) && unlike(2);
    unlike(1) || of || behind.is_some_and(|t| t.has(Concept::NotThis))
}

/// `번역해서`: what comes next is done with the outcome.
pub(crate) fn is_by(token: &Token<'_>) -> bool {
    token.has(Concept::Undone) && !token.has(Concept::Read) && token.ends(Part::Through)
}
