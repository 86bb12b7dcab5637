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
mod tests {
    use super::bases;

    #[track_caller]
    fn check(verb: &str, expected: &[&str]) {
        let bases = bases(verb).unwrap();
        for form in expected {
            assert!(bases.iter().any(|base| base == form), "{verb}: no {form} in {bases:?}");
        }
    }

    #[test]
    fn verbs_by_rule() {
        check("지우다", &["지우", "지워", "지운", "지울", "지웁", "지웠"]);
        check("보내다", &["보내", "보낸", "보냈"]);
        check("쓰다", &["쓰", "써", "썼", "쓴"]);
        check("모으다", &["모아", "모았"]);
        check("고르다", &["고르", "골라", "골랐", "고른"]);
        check("남기다", &["남겨", "남긴", "남겼"]);
        check("가져오다", &["가져와", "가져온", "가져왔"]);
        check("만들다", &["만들", "만드", "만든", "만듭"]);
        check("저장하다", &["저장하", "저장해", "저장할", "저장했", "저장하여"]);
        check("읽다", &["읽"]);
        assert!(super::bases("저장").is_none());
    }

    #[test]
    fn verbs_as_they_are_asked_for() {
        for (verb, ending, said) in [
            ("저장하다", "어 주세요", "저장해 주세요"),
            ("저장하다", "ㅂ시다", "저장합시다"),
            ("저장하다", "+ 부탁해요", "저장 부탁해요"),
            ("보내다", "세요", "보내세요"),
            ("지우다", "어", "지워"),
            ("적다", "어 줘", "적어 줘"),
            ("적다", "세요", "적으세요"),
            ("적다", "자", "적자"),
            ("save", "it", "save it"),
        ] {
            assert_eq!(super::asked(verb, ending).as_deref(), Some(said));
        }
        assert_eq!(super::asked("하다", "+"), None);
        assert_eq!(super::asked("적다", "+"), None);
    }
}
