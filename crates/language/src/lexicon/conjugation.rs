//! The written bases of a Korean verb, from its dictionary form: `지우다` is `지우`, `지워`, `지운`,
//! `지울`, `지움`, `지웁` and `지웠`. What follows a base is an ending of the file.

use crate::hangul::{Syllable, last, vowel};

/// Particles that end as a dictionary form does: `월요일마다`, `밑에다`.
const PARTICLES: [&str; 2] = ["마다", "에다"];
/// The lead of `르`.
const LEAD_R: u32 = 5;
/// The lead of `하`.
const LEAD_H: u32 = 18;

/// `None` for what is no dictionary form.
pub(crate) fn bases(form: &str) -> Option<Vec<String>> {
    let particle = PARTICLES.iter().any(|particle| form.ends_with(particle));
    let stem = form.strip_suffix('다').filter(|_| !particle)?;
    let at = stem.char_indices().next_back().map(|(at, _)| at)?;
    let (head, end) = stem.split_at_checked(at)?;
    let end = Syllable::of(end.chars().next()?)?;
    let mut ends = vec![(head.to_owned(), end)];
    if end.last == 0 {
        let finals = [last::N, last::L, last::M, last::B];
        ends.extend(finals.map(|last| (head.to_owned(), end.with_last(last))));
        for (head, past) in contracted(head, end) {
            ends.push((head.clone(), past.with_last(last::SS)));
            ends.push((head, past));
        }
    } else if end.last == last::L {
        let open = [0, last::N, last::B];
        ends.extend(open.map(|last| (head.to_owned(), end.with_last(last))));
    }
    let written = |(head, end): (String, Syllable)| Some(format!("{head}{}", end.letter()?));
    Some(ends.into_iter().filter_map(written).collect())
}

/// A verb as it is asked for: `어 주세요` behind the infinitive (`저장해 주세요`), `ㅂ시다` and
/// `세요` behind the stem, `+ 부탁해요` behind what 하다 makes a verb of. A verb of a language without
/// endings is followed by a word: `save it`.
pub(super) fn asked(verb: &str, ending: &str) -> Option<String> {
    let Some(stem) = verb.strip_suffix('다') else { return Some(format!("{verb} {ending}")) };
    if let Some(behind) = ending.strip_prefix('+') {
        return stem.strip_suffix('하').filter(|n| !n.is_empty()).map(|n| format!("{n}{behind}"));
    }
    let at = stem.char_indices().next_back().map(|(at, _)| at)?;
    let (head, end) = stem.split_at_checked(at)?;
    let end = Syllable::of(end.chars().next()?)?;
    let open = end.last == 0;
    if let Some(behind) = ending.strip_prefix('어') {
        let vowel = if is_bright(stem) { '아' } else { '어' };
        let whole = || {
            let (head, end) = contracted(head, end).into_iter().next()?;
            Some(format!("{head}{}", end.letter()?))
        };
        let infinitive = if open { whole()? } else { format!("{stem}{vowel}") };
        return Some(format!("{infinitive}{behind}"));
    }
    match ending.strip_prefix('ㅂ') {
        Some(behind) if open => Some(format!("{head}{}{behind}", end.with_last(last::B).letter()?)),
        Some(behind) => Some(format!("{stem}읍{behind}")),
        None if open || !ending.starts_with(['세', '십', '시']) => {
            Some(format!("{stem}{ending}"))
        }
        None => Some(format!("{stem}으{ending}")),
    }
}

/// The stem with 아 or 어 in it.
fn contracted(head: &str, end: Syllable) -> Vec<(String, Syllable)> {
    let same = |end: Syllable| vec![(head.to_owned(), end)];
    let to = |vowel: u32| same(end.with_vowel(vowel));
    match end.vowel {
        vowel::A if end.lead == LEAD_H => {
            let yeo = Syllable { lead: 11, vowel: vowel::YEO, last: 0 };
            let long = end.letter().map(|ha| (format!("{head}{ha}"), yeo));
            to(vowel::AE).into_iter().chain(long).collect()
        }
        vowel::O => to(vowel::WA),
        vowel::U => to(vowel::WEO),
        vowel::I => to(vowel::YEO),
        vowel::OE => to(vowel::WAE),
        vowel::EU if end.lead == LEAD_R => doubled(head).into_iter().collect(),
        vowel::EU => to(if is_bright(head) { vowel::A } else { vowel::EO }),
        vowel::A | vowel::AE | vowel::EO | vowel::E | vowel::YEO => same(end),
        _ => Vec::new(),
    }
}

/// `고르` is `골라`.
fn doubled(head: &str) -> Option<(String, Syllable)> {
    let at = head.char_indices().next_back().map(|(at, _)| at)?;
    let (before, last) = head.split_at_checked(at)?;
    let closed = Syllable::of(last.chars().next()?)?.with_last(last::L).letter()?;
    let vowel = if is_bright(head) { vowel::A } else { vowel::EO };
    Some((format!("{before}{closed}"), Syllable { lead: LEAD_R, vowel, last: 0 }))
}

/// Its last vowel is ㅏ or ㅗ.
fn is_bright(head: &str) -> bool {
    let last = head.chars().next_back().and_then(Syllable::of);
    last.is_some_and(|last| matches!(last.vowel, vowel::A | vowel::O))
}

#[cfg(test)]
mod tests;
