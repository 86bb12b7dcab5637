//! `나는 짧은 답을 좋아한다고 기억해줘`, `기억해줘: 주간회의는 화요일`.

use super::wish::{Wish, is_in, is_letter, is_mark, kept, trimmed, words};
use wiiiv_domain::MemoryScope;

const MEMORY: &str = "메모리에";
/// A stem, and what makes a request of it: `기억하라고` and `기억나` are none.
const ASKS: [(&str, &str); 4] = [
    ("기억", "해|하세요|하십시오|하도록 해|부탁해|부탁드려|부탁드립니다|바랍니다"),
    ("외", "워|우세요|우십시오"),
    ("잊지", "마|말"),
    (MEMORY, "저장해|기록해|추가해|적어|남겨|넣어|써"),
];
const FILLERS: &str = "을 |좀 |꼭 |잘 ";
/// Verbs behind it, also as words of their own.
const HELPS: &str = "줘|주면 좋겠어|주세요|주십시오|주시겠어요|주실래요|주라|줄래|둬|두세요|두십시오|놔|놓아|놓으세요|드려";
const SUFFIXES: &str = "요|라|아|세요";
/// `기억해 봐`, `기억해 냈어`, `기억해 달래`
const OTHER_VERBS: &str = "봐|냈|낸|달라|달래";
/// They may tell or ask as well.
const PLAIN: &str = "해|해요|워|워요";
/// Words before the asking one that are no part of what is to be kept.
const BESIDE: &str = "꼭|잘|반드시|항상|언제나|절대|좀|제발|잊지 말고|내 메모리에|제 메모리에|메모리에|\
                      이거|이걸|이것|이것을|그거|그걸|그것|그것을|다음을|아래를|이 내용|이 내용을|\
                      다음 내용|다음 내용을";
const PROJECT: &str =
    "프로젝트 메모리에|프로젝트용으로|프로젝트에 대해서|프로젝트에 대해|프로젝트에";
const THIS: &str = "이|우리|저희|본|현재";
/// Behind what is said: the next word is none of a project's name.
const SAID: &str = "다고|라고|자고|거|걸|것|것을|을|를";
/// What quotes, and what is left of it.
const QUOTES: [(&str, &str); 4] =
    [("달라고", "줘"), ("으라고", "다"), ("라고", "다"), ("다고", "다")];
/// The same before a word for a thing: `…라는 걸`.
const QUOTES_A_THING: [(&str, &str); 4] =
    [("다는", "다"), ("라는", "다"), ("단", "다"), ("란", "다")];
const THINGS: &str = "것을|것|걸|거를|거|사실을|사실|점을|점";
/// Last letters of a sentence that needs no `다`.
const CLOSED: &str = "다요야죠";
/// Last letters of a sentence, and of few names of things.
const ENDS: &str = "다요야죠어아여해네음함임기거것걸까";
const QUESTIONS: &str = "뭐|뭘|뭐를|뭐가|뭐라고|무엇|무엇을|무슨|누구|누굴|누구를|누가|어디|언제|왜|\
                         어떻게|어느|얼마|몇";
/// First words of a question without a mark.
const YOU: &str = "너|넌|너는|네가|니가|혹시|아직|아직도";
const THANKS: &str =
    "고마워|고마워요|고맙습니다|감사|감사해요|감사합니다|부탁해|부탁해요|알겠지|알았지";
/// Last consonants, by their number: `는지`, `할지`.
const NIEUN: u32 = 4;
const RIEUL: u32 = 8;

/// By the request that stands with a colon before all else, or the last one of the first line; `None`: there is none.
/// `open`: the same text without what is quoted.
pub(super) fn wish(text: &str, open: &str) -> Option<Wish> {
    let line = open.lines().next().unwrap_or_default();
    let places = ASKS.iter().flat_map(|(stem, forms)| {
        let after = move |at: usize| after_request(line.get(at + stem.len()..)?, forms);
        line.match_indices(stem).filter_map(move |(at, _)| Some((at, *stem, after(at)?)))
    });
    let found = places.map(|(at, stem, behind)| {
        let place = if stem == MEMORY { stem.len() } else { 0 };
        (at, beside(text.get(..at + place).unwrap_or_default()), behind)
    });
    let (_, beside, (after, is_plain)) = found.max_by_key(|(at, beside, (after, _))| {
        let heads = beside.is_some_and(|(_, before)| before.is_empty());
        (heads && after.trim_start().starts_with(':'), *at)
    })?;
    let Some((scope, before)) = beside else { return Some(Wish::Unclear) };
    let behind = without_thanks(text.get(line.len() - after.len()..).unwrap_or_default());
    let wonders = wonders(before);
    if is_plain && (wonders || is_asked(before) || after.starts_with('?')) {
        return Some(Wish::No);
    }
    Some(match (before.is_empty(), behind.is_empty()) {
        (true, false) => kept(scope, behind),
        (false, true) if !wonders && !names_a_speaker(before) => match sentence(before) {
            Some(line) => kept(scope, &line),
            // `내 이름 기억해`
            None if is_plain && !before.ends_with(|c| ENDS.contains(c)) => Wish::Unclear,
            None => kept(scope, without_particle(before)),
        },
        _ => Wish::Unclear,
    })
}

/// What stands behind the request, and whether that is a plain form.
pub(super) fn after_request<'t>(text: &'t str, forms: &str) -> Option<(&'t str, bool)> {
    let start = text.trim_start();
    let filled = words(FILLERS).find_map(|word| start.strip_prefix(word));
    let start = filled.unwrap_or(start).trim_start();
    let mut rest = whole(words(forms).find_map(|form| start.strip_prefix(form))?)?;
    let mut is_plain = is_in(PLAIN, start.get(..start.len() - rest.len())?);
    loop {
        let next = rest.trim_start();
        let begins = |table| words(table).any(|verb| next.starts_with(verb));
        if begins(OTHER_VERBS) {
            return None;
        }
        if !begins(HELPS) {
            return Some((rest, is_plain));
        }
        (rest, is_plain) = (whole(next)?, false);
    }
}

/// What stands behind a word, if nothing of it is left but these verbs and their ends.
fn whole(text: &str) -> Option<&str> {
    let mut rest = text;
    let parts = || words(HELPS).chain(words(SUFFIXES));
    while let Some(shorter) = parts().find_map(|part| rest.strip_prefix(part)) {
        rest = shorter;
    }
    (!rest.starts_with(is_letter)).then_some(rest)
}

/// What is said, without the words beside it, and in whose memory. `None`: it is another project.
fn beside(before: &str) -> Option<(MemoryScope, &str)> {
    let (mut scope, mut before) = (MemoryScope::User, trimmed(before));
    loop {
        if let Some(rest) = words(PROJECT).find_map(|place| before.strip_suffix(place)) {
            let rest = rest.trim_end();
            let this = words(THIS).find_map(|this| without_word(rest, this));
            let apart = rest.is_empty() || rest.ends_with(is_mark);
            let ours = apart || words(SAID).any(|end| rest.ends_with(end));
            before = trimmed(this.or_else(|| ours.then_some(rest))?);
            scope = MemoryScope::Project;
        } else if let Some(rest) = words(BESIDE).find_map(|word| without_word(before, word)) {
            before = trimmed(rest);
        } else {
            return Some((scope, before));
        }
    }
}

pub(super) fn without_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_suffix(word)?;
    (rest.is_empty() || rest.ends_with(is_mark)).then_some(rest)
}

/// `뭘 기억해`, `어디 사는지 기억해`
fn wonders(before: &str) -> bool {
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let stem = last.strip_suffix('지').and_then(|stem| stem.chars().next_back());
    let tells_which = |c| matches!(last_consonant(c), Some(NIEUN | RIEUL));
    is_in(QUESTIONS, last) || stem.is_some_and(tells_which)
}

/// `내가 뭘 좋아한다고 기억해`, `너 내 이름 기억해`
pub(super) fn is_asked(before: &str) -> bool {
    let first = before.split_whitespace().next().unwrap_or_default();
    is_in(YOU, first) || before.split_whitespace().any(|word| is_in(QUESTIONS, word))
}

/// `김부장: 다 승인됐다고`, but not `10:30`.
pub(super) fn names_a_speaker(before: &str) -> bool {
    let mut said = before.split(':').skip(1);
    said.any(|rest| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '/'))
}

/// Of what is quoted, `…라고` or `…다는 걸`.
fn sentence(before: &str) -> Option<String> {
    let thing = words(THINGS).find_map(|thing| before.strip_suffix(thing)).map(str::trim_end);
    let of_thing = thing.and_then(|text| quoted(text, &QUOTES_A_THING));
    of_thing.or_else(|| quoted(before, &QUOTES))
}

fn quoted(text: &str, quotes: &[(&str, &str)]) -> Option<String> {
    quotes.iter().find_map(|(quote, left)| {
        let stem = text.strip_suffix(quote)?;
        let last = stem.chars().next_back()?;
        match (*quote, last_consonant(last)) {
            // `쓰라고`, but `먹으라고`.
            ("으라고", None | Some(0)) | ("단" | "란", None) => None,
            // `'민수'라고`, `나는 탭을 써 라고`, `나는 탭을 쓴다라고`
            (_, None) => Some(stem.trim_end().to_owned()),
            ("라고" | "라는", _) if CLOSED.contains(last) => Some(stem.to_owned()),
            _ => Some(format!("{stem}{left}")),
        }
    })
}

/// Without `을` or `를` where it is a particle: `가을` is a word.
fn without_particle(text: &str) -> &str {
    let fits = |(particle, closed): (char, bool)| {
        let rest = text.strip_suffix(particle)?;
        let last = rest.chars().next_back()?;
        let number = last_consonant(last);
        number.map_or(last.is_ascii_alphanumeric(), |n| (n > 0) == closed).then_some(rest)
    };
    [('을', true), ('를', false)].into_iter().find_map(fits).unwrap_or(text)
}

/// The number of a syllable's last consonant, 0 for none. `None`: it is no syllable.
fn last_consonant(c: char) -> Option<u32> {
    matches!(c, '가'..='힣').then(|| (u32::from(c) - u32::from('가')) % 28)
}

/// Nothing, where it is thanks alone.
pub(super) fn without_thanks(text: &str) -> &str {
    let mut said = text.split(|c| !is_letter(c)).filter(|word| !word.is_empty());
    if said.all(|word| is_in(THANKS, word)) { "" } else { trimmed(text) }
}
