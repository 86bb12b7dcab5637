//! Which turns of a conversation, or pieces of a text, are near to a message, by their words: BM25 over words, and over pairs of characters where
//! a script writes endings and particles without a space.

use crate::sentence::shortened;

/// Turns that a prompt shows at most.
pub const RELATED_MAX: usize = 3;
/// Of the user's words in one of them, in bytes.
const SAID_BYTES_MAX: usize = 400;
/// And of the answer.
const ANSWER_BYTES_MAX: usize = 240;
/// Of what a term weighs that stands in one turn alone: whatever shares less than that with the message is not near.
const SHARE_MIN: f64 = 0.6;
/// Of the best score, in percent: what is less near than that is left out.
const SCORE_PERCENT_MIN: f64 = 40.0;
/// Of a message, its first ones.
const ASKED_MAX: usize = 96;
/// Of a turn.
const TERMS_MAX: usize = 256;
/// How soon a term that stands there often counts no more.
const SATURATION: f64 = 1.2;
/// How much the length of a turn counts.
const LENGTH: f64 = 0.75;

/// An older turn, as a prompt shows it: the beginning of what was said in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedTurn {
    /// Its number among the older ones.
    pub(crate) turn: usize,
    pub(crate) said: String,
    /// Empty where nothing of it is kept.
    pub(crate) answer: String,
}

impl RelatedTurn {
    /// The user's words, and what was answered.
    #[must_use]
    pub fn new(turn: usize, said: &str, answer: &str) -> Self {
        let (said, answer) = (shortened(said, SAID_BYTES_MAX), shortened(answer, ANSWER_BYTES_MAX));
        Self { turn, said, answer }
    }

    /// In two lines, so that no answer passes for the user's words.
    pub(crate) fn lines(&self) -> String {
        match self.answer.as_str() {
            "" => format!("- {}", self.said),
            answer => format!("- {}\n  = {answer}", self.said),
        }
    }
}

/// The terms of one turn, as numbers, sorted, each as often as it stands there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Terms(Box<[u32]>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// Letters and digits of words with spaces between them.
    Word,
    /// Syllables and signs that are words by themselves.
    Syllable,
    None,
}

impl Script {
    fn of(c: char) -> Self {
        match c {
            '\u{ac00}'..='\u{d7a3}'
            | '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}' => Self::Syllable,
            c if c.is_alphanumeric() => Self::Word,
            _ => Self::None,
        }
    }
}

impl Terms {
    pub(crate) fn of(text: &str) -> Self {
        let mut terms = terms(text, TERMS_MAX);
        terms.sort_unstable();
        Self(terms.into())
    }

    /// How many there are, each as often as it stands there.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

/// In the order of the text.
fn terms(text: &str, max: usize) -> Vec<u32> {
    let mut found = Vec::new();
    let (mut run, mut script) = (Vec::new(), Script::None);
    let lower = text.chars().flat_map(char::to_lowercase);
    for c in lower.chain([' ']) {
        let next = Script::of(c);
        if next != script {
            add(&mut found, &run, script);
            run.clear();
            script = next;
        }
        if found.len() >= max {
            break;
        }
        run.push(c);
    }
    found.truncate(max);
    found
}

/// A run of characters of one script.
fn add(found: &mut Vec<u32>, run: &[char], script: Script) {
    match (script, run) {
        (Script::None, _) | (_, []) => {}
        (Script::Word, [one]) => found.extend(one.is_numeric().then(|| number(run))),
        // `orders` and `order` are one; so are `pass` and `pass`.
        (Script::Word, [.., before, 's']) if run.len() > 3 && *before != 's' => {
            found.extend(run.split_last().map(|(_, stem)| number(stem)));
        }
        (Script::Word, _) => found.push(number(run)),
        (Script::Syllable, [_]) => {}
        (Script::Syllable, _) => {
            found.extend(run.windows(2).map(number));
            found.extend((run.len() > 2).then(|| number(run)));
        }
    }
}

/// FNV-1a over the characters: two terms that fall together cost a turn its place, and nothing else.
fn number(run: &[char]) -> u32 {
    run.iter().fold(0x811c_9dc5, |hash: u32, c| (hash ^ u32::from(*c)).wrapping_mul(0x0100_0193))
}

/// Positions of the turns that are near to the message, the nearest first; of two that are as near the newer one.
pub(crate) fn nearest(turns: &[&Terms], message: &str) -> Vec<usize> {
    let scored = scores(turns, message).into_iter().enumerate().collect();
    best(scored, SHARE_MIN * weight(1.0, real(turns.len())))
}

/// How near each of them is to the message, the nearer the more; 0: not at all. Nothing where there are none, or no words
/// in the message.
pub(crate) fn scores(turns: &[&Terms], message: &str) -> Vec<f64> {
    let mut asked = terms(message, ASKED_MAX);
    asked.sort_unstable();
    asked.dedup();
    if asked.is_empty() || turns.is_empty() {
        return Vec::new();
    }
    let mut counts = vec![0_u16; turns.len().saturating_mul(asked.len())];
    for (row, Terms(terms)) in counts.chunks_exact_mut(asked.len()).zip(turns) {
        count(row, terms, &asked);
    }
    let mut holding = vec![0_u32; asked.len()];
    for row in counts.chunks_exact(asked.len()) {
        for (turns, count) in holding.iter_mut().zip(row) {
            *turns += u32::from(*count > 0);
        }
    }
    let all = real(turns.len());
    let weights: Vec<f64> = holding.iter().map(|turns| weight(f64::from(*turns), all)).collect();
    let length = turns.iter().map(|terms| real(terms.count())).sum::<f64>() / all;
    let rows = counts.chunks_exact(asked.len()).zip(turns);
    let scored = rows.map(|(row, terms)| {
        let long = 1.0 - LENGTH + LENGTH * real(terms.count()) / length.max(1.0);
        score(row, &weights, long)
    });
    scored.collect()
}

/// Of a term that so many of all turns have.
fn weight(turns: f64, all: f64) -> f64 {
    (1.0 + (all - turns + 0.5) / (turns + 0.5)).ln()
}

/// Both are sorted.
fn count(row: &mut [u16], terms: &[u32], asked: &[u32]) {
    let mut rest = terms.iter().copied().peekable();
    for (count, term) in row.iter_mut().zip(asked) {
        while rest.next_if(|one| one < term).is_some() {}
        while rest.next_if(|one| one == term).is_some() {
            *count = count.saturating_add(1);
        }
    }
}

fn score(row: &[u16], weights: &[f64], long: f64) -> f64 {
    let of = |(count, weight): (&u16, &f64)| {
        let count = f64::from(*count);
        weight * count * (SATURATION + 1.0) / (count + SATURATION * long)
    };
    row.iter().zip(weights).filter(|(count, _)| **count > 0).map(of).sum()
}

fn best(mut scored: Vec<(usize, f64)>, least: f64) -> Vec<usize> {
    scored.retain(|(_, score)| *score >= least);
    scored.sort_by(|(left, one), (right, other)| other.total_cmp(one).then(right.cmp(left)));
    let beside = scored.first().map_or(0.0, |(_, best)| best * SCORE_PERCENT_MIN / 100.0);
    let near = scored.into_iter().filter(|(_, score)| *score >= beside);
    near.map(|(turn, _)| turn).take(RELATED_MAX).collect()
}

fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(turns: &[&str], message: &str) -> Vec<usize> {
        let terms: Vec<Terms> = turns.iter().map(|text| Terms::of(text)).collect();
        nearest(&terms.iter().collect::<Vec<_>>(), message)
    }

    const KOREAN: [&str; 6] = [
        "총예산은 280만 원이고 항공권은 따로 끊어 놨어.",
        "숙소는 중문 해솔빌라로 예약했어",
        "렌터카는 카니발로 빌렸어",
        "둘째 날 저녁은 흑돼지",
        "바람막이 챙겨야겠네",
        "고마워",
    ];

    #[test]
    fn particles_and_endings_hide_no_word() {
        assert_eq!(near(&KOREAN, "총예산이 얼마였지?").first(), Some(&0));
        assert_eq!(near(&KOREAN, "숙소 예약번호가 뭐였지").first(), Some(&1));
        assert_eq!(near(&KOREAN, "렌터카를 바꿀까").first(), Some(&2));
    }

    #[test]
    fn what_shares_nothing_rare_is_not_near() {
        assert!(near(&KOREAN, "내일 회의 몇 시야").is_empty());
        assert!(near(&KOREAN, "?!").is_empty() && near(&[], "예산").is_empty());
        let same = ["the order is late"; 12];
        assert!(near(&same, "the order").is_empty(), "every turn has it");
    }

    #[test]
    fn at_most_three_the_newer_of_two_that_are_as_near_first() {
        let mut turns = vec!["we talk of the weather"; 20];
        turns.extend(["Order 4471 was paid"; 5]);
        assert_eq!(near(&turns, "what about orders like 4471?"), [24, 23, 22]);
    }

    #[test]
    fn the_longest_text_has_no_more_terms_than_are_kept() {
        assert_eq!(Terms::of(&"word ".repeat(9_000)).count(), TERMS_MAX);
        assert_eq!(Terms::of(&"가나다 ".repeat(9_000)).count(), TERMS_MAX);
        let long = "가".repeat(16_000);
        assert!(near(&KOREAN, &long).is_empty());
    }
}
