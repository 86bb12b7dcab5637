//! `전자제품만`, `재고 있는 상품`, `상품 중에 새 것`.

use super::words::{Restriction, is_name};
use crate::{
    comparison,
    concept::Concept,
    hangul::{Syllable, last},
    morph,
    part::Part,
    token::{Token, TokenKind},
};

/// What was done with all of it: `읽은 것`, `조회한 상품`.
const KNOWN: [Concept; 5] =
    [Concept::Result, Concept::Read, Concept::Get, Concept::Save, Concept::Earlier];
/// A shorter word ends in what only looks like a particle: `노랑`.
const STEM_CHARS_MIN: usize = 2;

/// `담당자별로`
pub(super) fn is_each(said: &Restriction<'_, '_>, token: &Token<'_>) -> bool {
    let cut = said.lexicon.parts.split(Part::Each, token.text).filter(|_| token.is_word());
    let ends = |tail: &str| tail.is_empty() || morph::is_endings(said.lexicon, tail);
    cut.is_some_and(|(stem, tail)| stem.chars().count() >= STEM_CHARS_MIN && ends(tail))
}

/// The token that narrows because of this one.
pub(super) fn narrows(said: &Restriction<'_, '_>, at: usize) -> Option<usize> {
    let token = said.token(at)?;
    if said.has(at, Concept::Among) && said.read.is_empty() {
        return Some(at);
    }
    // `국산이면 저장해줘`
    if said.is_unknown(at, true) && token.ends(Part::IfIs) {
        return Some(at);
    }
    if is_left(said, at) {
        return None;
    }
    if is_stuck_thing(said, at) || is_numbered(said, at) {
        return Some(at);
    }
    if let Some(only) = only(said, at) {
        return Some(only);
    }
    let thing = said.has(at, Concept::Thing) && token.is_korean();
    let label = said.begins_label(at) && token.is_korean();
    if let Some(kind) = of_a_kind(said, at).filter(|_| label) {
        return Some(kind);
    }
    if let Some(which) = before_value(said, at).filter(|_| label) {
        return Some(which);
    }
    if label || (thing && is_taken(said, at)) {
        return modifier(said, at, false);
    }
    None
}

/// `국산으로, 상품 보여줘`: of which kind; not `우선적으로 상품 보여줘`.
fn of_a_kind(said: &Restriction<'_, '_>, label: usize) -> Option<usize> {
    let mark = |at: usize| said.is(at, TokenKind::Mark);
    let at = (0..label).rev().find(|at| !mark(*at)).filter(|at| !said.is_read(*at))?;
    let stem = said.lexicon.parts.stem(Part::As, said.token(at)?.text)?;
    let kind = stem.chars().count() >= STEM_CHARS_MIN
        && said.lexicon.parts.stem(Part::Adverbial, stem).is_none();
    (kind && said.is_unknown(at, true)).then_some(at)
}

/// `매운 식품 상품`: what describes a value that stands right before the label.
fn before_value(said: &Restriction<'_, '_>, label: usize) -> Option<usize> {
    let value = said.before(label).filter(|at| said.is_read(*at))?;
    let at = (0..value).rev().find(|at| !said.is_read(*at))?;
    let token = said.token(at)?;
    let ends = token.text.chars().next_back().and_then(Syllable::of);
    let describes = ends.is_some_and(|end| end.last == last::N);
    // `팀장님은 식품 상품 보여줘`: somebody, and not which.
    (describes && said.is_unknown(at, true) && !is_inflected(said, token)).then_some(at)
}

/// `10개 이하로 남은거`: says no more than the number before it.
fn is_left(said: &Restriction<'_, '_>, at: usize) -> bool {
    let remains = |at: usize| said.has(at, Concept::Remaining);
    let aside = |at: &usize| said.token(*at).is_some_and(|t| t.attached && t.is_word());
    let behind = |at: usize| (0..at).rev().find(|at| !aside(at)).is_some_and(|at| said.is_read(at));
    let before = || said.before(at).is_some_and(|at| remains(at) && behind(at));
    (remains(at) && behind(at)) || before()
}

/// `배송중인거`: what describes, written into one with the thing.
fn is_stuck_thing(said: &Restriction<'_, '_>, at: usize) -> bool {
    let Some(token) = said.token(at).filter(|_| said.is_unknown(at, true)) else { return false };
    let thing = |text: &str| comparison::is_thing(said.lexicon, text);
    let mut cuts = token.text.char_indices().map(|(at, _)| at).skip(STEM_CHARS_MIN);
    cuts.any(|cut| {
        token
            .text
            .split_at_checked(cut)
            .is_some_and(|(head, rest)| morph::is_attributive(said.lexicon, head) && thing(rest))
    })
}

/// `주문 5003번`: one of them, by its number.
fn is_numbered(said: &Restriction<'_, '_>, at: usize) -> bool {
    let open = |token: &Token<'_>| token.is_word() && is_number(token);
    let number = said.token(at).is_some_and(open) && !said.is_read(at);
    let counts = |next: &&Token<'_>| next.begins(Part::Numbered) || next.has(Concept::Pieces);
    let next = said.token(at + 1).filter(|next| next.attached).filter(counts);
    let label = said.before(at).is_some_and(|before| said.is(before, TokenKind::Operation));
    number && label && next.is_some()
}

/// Something is done with it: `품절된 거 저장해줘`, and not `매달 하는 거 있잖아요`.
fn is_taken(said: &Restriction<'_, '_>, at: usize) -> bool {
    let done = |token: &Token<'_>| token.is_entity() || token.verb().is_some();
    said.token(at + 1).is_some_and(done)
}

/// What carries the particle, where it says that only a part is wanted.
fn only(said: &Restriction<'_, '_>, at: usize) -> Option<usize> {
    let token = said.token(at).filter(|token| token.is_korean())?;
    let particle = said.lexicon.only.iter().find(|only| token.text.ends_with(only.as_str()))?;
    if token.ends(Part::But) {
        return None;
    }
    // `닥그것만`: nothing but what was just named.
    let stem = token.text.strip_suffix(particle.as_str()).unwrap_or_default();
    let points = |at: usize| {
        let form = stem.get(at..).and_then(|tail| said.lexicon.form(tail));
        form.is_some_and(|form| form.contains(&Concept::Pronoun))
    };
    if stem.char_indices().any(|(at, _)| points(at)) {
        return None;
    }
    let apart = token.text == particle && token.attached;
    let head = if apart { said.before(at)? } else { at };
    let carrier = said.token(head)?;
    if is_name(carrier) {
        return modifier(said, first_of_name(said, head), true);
    }
    if said.is_read(head) || carrier.is_entity() || is_number(carrier) {
        return None;
    }
    if said.has(head, Concept::Thing) {
        return modifier(said, head, true);
    }
    let counted = [Concept::Pieces, Concept::Field, Concept::Talk];
    let counts = counted.into_iter().any(|concept| said.has(head, concept));
    // `한번만` is no number.
    let stem = carrier.text.strip_suffix(particle.as_str()).unwrap_or(carrier.text);
    let numeral = || said.lexicon.numbers.contains_key(stem);
    let one = || numeral() && said.before(head).is_some_and(|at| partial(said, at));
    let some = || said.before(head).is_some_and(|at| said.has(at, Concept::Count));
    let unknown = carrier.is_word() && carrier.is_nameless();
    (unknown || counts || said.measures(head) || one() || some()).then_some(head)
}

fn is_number(token: &Token<'_>) -> bool {
    token.is_numeral()
}

fn first_of_name(said: &Restriction<'_, '_>, at: usize) -> usize {
    let kind = said.token(at).map(|token| token.kind);
    let same = |at: &usize| said.token(*at).map(|token| token.kind) == kind;
    (0..at).rev().take_while(same).last().unwrap_or(at)
}

/// What one of is taken: `상품 하나만`, `그중에 하나만`.
fn partial(said: &Restriction<'_, '_>, at: usize) -> bool {
    // `상품 105번 하나만`: there is no more of it.
    let row = |token: &Token<'_>| is_number(token) || token.begins(Part::Numbered);
    said.is(at, TokenKind::Operation) && !said.token(at).is_some_and(row)
        || said.has(at, Concept::Thing)
        || said.has(at, Concept::Among)
}

/// The unread word before a thing that says which of them is meant.
fn modifier(said: &Restriction<'_, '_>, thing: usize, only: bool) -> Option<usize> {
    let mut at = said.before(thing)?;
    let token = said.token(at)?;
    // A particle behind a word of another script.
    if token.is_particle() {
        if !token.is(Part::Of) {
            return None;
        }
        at = said.before(at)?;
    }
    let told = || only && said.has(thing, Concept::Thing) && stands_out(said, at);
    (!said.is_read(at) && (describes(said, at, only) || told())).then_some(at)
}

/// `식품이 아닌 것만`: whatever is said of it, it is said.
fn stands_out(said: &Restriction<'_, '_>, at: usize) -> bool {
    let aside = [Concept::Vague, Concept::Pronoun, Concept::That, Concept::Among];
    let word = |token: &Token<'_>| token.is_word() && !is_number(token);
    let points = KNOWN.into_iter().chain(aside).any(|concept| said.has(at, concept));
    said.token(at).is_some_and(word) && !points
}

/// It says which of what stands behind it is meant.
pub(super) fn describes(said: &Restriction<'_, '_>, at: usize, only: bool) -> bool {
    let Some(token) = said.token(at) else { return false };
    if token.kind == TokenKind::Quoted {
        return true;
    }
    if !token.is_word() || is_number(token) {
        return false;
    }
    if said.has(at, Concept::Being) {
        return only || !is_somewhere(said, at);
    }
    if token.has_any(&KNOWN) {
        return false;
    }
    if said.measures(at) {
        return true;
    }
    let wanted = token.has_any(&[Concept::Wish, Concept::Talk]);
    // `인기`: what counts people is a part of many words.
    let counts = token.is_nameless() || token.concepts.iter().all(|c| *c == Concept::Users);
    let unknown = counts && !is_inflected(said, token);
    let attributive = token.attributive && !token.has(Concept::Vague) && !wanted;
    unknown || attributive || (only && wanted)
}

/// `skymall에 있는`: where, not which.
fn is_somewhere(said: &Restriction<'_, '_>, at: usize) -> bool {
    let Some(before) = said.before(at) else { return false };
    let system = |at: usize| said.is(at, TokenKind::System);
    let behind = said.before(before).is_some_and(system);
    system(before) || (behind && said.token(before).is_some_and(|token| token.attached))
}

/// A word that carries a particle belongs to another part of the sentence.
fn is_inflected(said: &Restriction<'_, '_>, token: &Token<'_>) -> bool {
    let of = |particle: &str| said.lexicon.parts.is(Part::Of, particle);
    let stem =
        |particle: &String| token.text.strip_suffix(particle.as_str()).filter(|_| !of(particle));
    let long = |stem: &str| stem.chars().count() >= STEM_CHARS_MIN;
    // `skymall 으로`: the particle stands alone.
    let alone = |particle: &String| *particle == token.text && long(particle);
    let particles = &said.lexicon.particles;
    particles.iter().any(alone) || particles.iter().filter_map(stem).any(long)
}
