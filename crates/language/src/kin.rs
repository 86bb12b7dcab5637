//! What a text that waits holds just once of its kind, for another of that kind that is said: `아니 8시로
//! 바꿔줘`, `i meant tuesday`, `make it 8`, `no, lunch at 7`.

mod value;

use crate::{character::is_hangul, concept::Concept, lexicon::Lexicon, morph, part::Part};
use std::ops::Range;
use value::{Value, values};

/// Of one syllable: a longer one is no part of a word.
const PARTICLE_BYTES: usize = 3;
/// Say of what stands beside them what becomes of it.
const DENIALS: [Concept; 6] = [
    Concept::Negate,
    Concept::Keep,
    Concept::Except,
    Concept::Skip,
    Concept::Cancel,
    Concept::Unlike,
];

/// One value of what is said, and what it stands for.
struct Swap {
    /// In what is said, with its particle.
    said: Range<usize>,
    by: String,
    /// In what is known.
    old: Range<usize>,
}

/// The known text with what is said in the place of the only one of its kind; `None` where nothing is
/// of its kind, or more than one.
pub(crate) fn renewed(lexicon: &Lexicon, known: &str, said: &str) -> Option<String> {
    let swaps = swaps(lexicon, known, said)?;
    let (first, last) = (swaps.first()?, swaps.last()?);
    let behind = said.get(last.said.end..)?.trim();
    // `8시 반으로`, `8시 30분으로`
    let smaller = stem(lexicon, behind);
    let half = is_half(lexicon, behind) || is_number(smaller);
    let with = |by: &str| {
        // `8시로` of `7시 30분`
        let end = minutes_end(lexicon, known, &first.old).unwrap_or(first.old.end);
        let (before, after) = (known.get(..first.old.start)?, known.get(end..)?);
        Some(format!("{before}{by}{after}")).filter(|new| new != known)
    };
    if swaps.len() == 1 && first.said.start == 0 && behind.is_empty() {
        return with(&first.by);
    }
    let old = rewritten(said, &swaps, |swap| known.get(swap.old.clone()))?;
    let new = rewritten(said, &swaps, |swap| Some(swap.by.as_str()))?;
    let (old, new) = (without_particle(lexicon, &old), without_particle(lexicon, &new));
    if known.matches(old).count() == 1 {
        if behind.is_empty() && minutes_end(lexicon, known, &last.old).is_some() {
            return None;
        }
        return (old != new).then(|| known.replacen(old, new, 1));
    }
    (swaps.len() == 1 && first.said.start == 0 && half).then(|| with(new))?
}

/// `feed the dog` of `feed the cat`: all of what is said stands there but for one word, and that is not the
/// verb (`no, forget eggs`): English begins with it, Korean ends in it.
pub(crate) fn by_one_word(lexicon: &Lexicon, known: &str, said: &str) -> Option<String> {
    let said = without_particle(lexicon, said);
    let news: Vec<&str> = words(said).filter_map(|word| said.get(word)).collect();
    let olds: Vec<Range<usize>> = words(known).collect();
    let others = |run: &[Range<usize>]| {
        let other = |(old, new): (&Range<usize>, &&str)| {
            let same = known.get(old.clone()).is_some_and(|old| old.eq_ignore_ascii_case(new));
            (!same).then(|| (old.clone(), (*new).to_owned()))
        };
        run.iter().zip(&news).filter_map(other).collect::<Vec<_>>()
    };
    if news.len() < 2 {
        return None;
    }
    let mut runs = olds.windows(news.len()).map(others).filter(|others| others.len() == 1);
    let found = runs.next().filter(|_| runs.next().is_none())?;
    let (old, new) = found.into_iter().next()?;
    let other = |concept: &Concept| concept.is_verb() || DENIALS.contains(concept);
    let acts = morph::concepts(lexicon, &new.to_lowercase()).iter().any(other);
    let last = news.last().is_some_and(|last| *last == new);
    if acts || last == said.ends_with(is_hangul) {
        return None;
    }
    Some(format!("{}{new}{}", known.get(..old.start)?, known.get(old.end..)?))
}

/// Where the minutes end that stand behind an hour: `7시 30분`, `7시 반`.
fn minutes_end(lexicon: &Lexicon, known: &str, hour: &Range<usize>) -> Option<usize> {
    let ends = |part, range| known.get(range).and_then(|word| lexicon.parts.stem(part, word));
    ends(Part::Hour, hour.clone())?;
    let rest = known.get(hour.end..)?;
    let start = hour.end + rest.len() - rest.trim_start().len();
    let word = words(known).find(|word| word.start == start)?;
    if is_half(lexicon, known.get(word.clone())?) {
        return Some(word.end);
    }
    let digits = known.get(start..)?.find(|c: char| !c.is_ascii_digit()).filter(|at| *at > 0)?;
    let behind = known.get(start + digits..word.end)?;
    let minutes = behind.char_indices().skip(1).map(|(at, _)| at).chain([behind.len()]);
    let is = |at: &usize| behind.get(..*at).is_some_and(|m| lexicon.parts.is(Part::Minutes, m));
    minutes.into_iter().find(is).map(|at| start + digits + at)
}

/// Nothing but a number and what it counts, or a word of which another of its kind is there: it stands
/// for a part of the text, and never for all of it.
pub(crate) fn is_part(lexicon: &Lexicon, known: &str, said: &str) -> bool {
    let said = said.trim();
    let number = is_number(said);
    let word = || listed(lexicon, known, said, 0..said.len());
    let some = |kind: &Option<Swap>| kind.is_some() || is_of(lexicon, known, said);
    number || word().is_some_and(|kind| some(&kind))
}

/// `반`, `반으로`
pub(crate) fn is_half(lexicon: &Lexicon, word: &str) -> bool {
    lexicon.parts.is(Part::Half, lexicon.parts.stem(Part::Toward, word).unwrap_or(word))
}

/// Of several words: the last may be of one syllable.
fn without_particle<'t>(lexicon: &Lexicon, said: &'t str) -> &'t str {
    lexicon.parts.stem(Part::Toward, said).unwrap_or_else(|| stem(lexicon, said)).trim_end()
}

fn is_number(said: &str) -> bool {
    matches!(values(None, said).as_slice(), [only] if only.range() == (0..said.len()))
}

/// Begins with a number, or is a word of a list: no text of its own (`make it 2 copies`, `make it monday`).
pub(crate) fn is_bare(lexicon: &Lexicon, said: &str) -> bool {
    let word = stem(lexicon, said.trim()).to_lowercase();
    let greets = morph::concepts(lexicon, &word).contains(&Concept::Greet);
    let of_a_list = lexicon.kinds.iter().any(|kind| kind.contains(&word)) && !greets;
    said.trim().starts_with(|c: char| c.is_ascii_digit()) || of_a_list
}

/// A word of the same list stands in what is known.
fn is_of(lexicon: &Lexicon, known: &str, said: &str) -> bool {
    let lists = |word: &str| {
        let word = stem(lexicon, word).to_lowercase();
        lexicon.kinds.iter().position(|kind| kind.contains(&word))
    };
    let own = lists(said);
    words(known).any(|word| own.is_some() && known.get(word).and_then(lists) == own)
}

/// `None` where one of what is said has no counterpart.
fn swaps(lexicon: &Lexicon, known: &str, said: &str) -> Option<Vec<Swap>> {
    let olds = values(Some(lexicon), known);
    let of_value = |new: &Value<'_>| {
        let (old, by) = value::counterpart(lexicon, known, &olds, new)?;
        Some(Swap { said: new.range(), by, old })
    };
    let news = values(Some(lexicon), said);
    let ends = |at: usize| said.get(..at).unwrap_or_default().trim_end().len();
    let smaller =
        |new: &Value<'_>| news.iter().any(|before| before.range().end == ends(new.range().start));
    // `일곱시` may be a word, and `30분` goes with the hour before it.
    let part = |new: &&Value<'_>| !new.worded && !smaller(new) || of_value(new).is_some();
    let numbers = news.iter().filter(part).map(of_value);
    let words = words(said).filter_map(|new| listed(lexicon, known, said, new));
    let mut all = numbers.chain(words).collect::<Option<Vec<Swap>>>()?;
    all.sort_by_key(|swap| swap.said.start);
    Some(all)
}

/// A word of a list, by the only other one of it: `monday` for `tuesday`. The outer `None`: of no list.
fn listed(lexicon: &Lexicon, known: &str, said: &str, new: Range<usize>) -> Option<Option<Swap>> {
    let kind = |word: &str| {
        let of = |word: &str| {
            let lower = word.to_lowercase();
            lexicon.kinds.iter().find(|kind| kind.contains(&lower))
        };
        let short = stem(lexicon, word);
        of(word).map(|kind| (kind, word.len())).or_else(|| Some((of(short)?, short.len())))
    };
    let word = said.get(new.clone())?;
    let (own, length) = kind(word)?;
    let by = word.get(..length)?;
    let same = |old: &Range<usize>| {
        let (kind, length) = known.get(old.clone()).and_then(kind)?;
        (kind == own).then(|| old.start..old.start + length)
    };
    let others: Vec<Range<usize>> = words(known).filter_map(|old| same(&old)).collect();
    let [old] = others.as_slice() else { return Some(None) };
    Some(Some(Swap { said: new, by: by.to_owned(), old: old.clone() }))
}

pub(crate) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let other = |c: char| !c.is_alphanumeric();
    let mut at = 0;
    let pieces = text.split_inclusive(other).map(move |piece| {
        at += piece.len();
        let start = at - piece.len();
        start..start + piece.trim_end_matches(other).len()
    });
    pieces.filter(|word| !word.is_empty())
}

/// What is said, with each of its values as another says it; the last without its particle.
fn rewritten<'s>(
    said: &str,
    swaps: &'s [Swap],
    as_it: impl Fn(&'s Swap) -> Option<&'s str>,
) -> Option<String> {
    let (mut text, mut from) = (String::new(), 0);
    for swap in swaps {
        text.push_str(said.get(from..swap.said.start)?);
        text.push_str(as_it(swap)?);
        from = swap.said.end;
    }
    text.push_str(said.get(from..)?);
    Some(text)
}

/// Without the particle of what it becomes, or of what is changed.
pub(crate) fn stem<'t>(lexicon: &Lexicon, word: &'t str) -> &'t str {
    // `빵으로`
    let toward = lexicon.parts.stem(Part::Toward, word);
    if let Some(stem) = toward.filter(|stem| word.len() - stem.len() > PARTICLE_BYTES) {
        return stem;
    }
    let long = |stem: &&str| stem.chars().count() > 1;
    let mut stems =
        lexicon.particles.iter().filter_map(|particle| word.strip_suffix(particle.as_str()));
    let korean = word.ends_with(crate::character::is_hangul);
    stems.find(long).filter(|_| korean).unwrap_or(word)
}
