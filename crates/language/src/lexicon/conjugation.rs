//! The written bases of a Korean verb, from its dictionary form: `지우다` is `지우`, `지워`, `지운`,
//! `지울`, `지움`, `지웁` and `지웠`. What follows a base is an ending of the file.

use crate::hangul::{Syllable, last, vowel};

/// The lead of `르`.
const LEAD_R: u32 = 5;
/// The lead of `하`.
const LEAD_H: u32 = 18;

/// `None` for what is no dictionary form.
pub(crate) fn bases(form: &str) -> Option<Vec<String>> {
    let stem = form.strip_suffix('다')?;
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
}
