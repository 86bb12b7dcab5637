//! Utterances that are a signal and nothing else.

use crate::{lexicon::Lexicon, reading::ReadSignal};
use serde::Deserialize;
use std::collections::BTreeSet;

/// Longer utterances say more than one of these.
const WHOLE_CHARS_MAX: usize = 48;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Whole {
    Affirm,
    Deny,
    Cancel,
    Reset,
    /// Turns what it stands beside around: `취소하지 마`, `don't cancel`.
    Negate,
    /// May stand beside any of them.
    Filler,
}

impl Whole {
    /// Lower case, without spaces and light punctuation. A question mark stays: `네?` is no yes.
    pub(crate) fn key(text: &str) -> String {
        let light = |c: char| c.is_whitespace() || ".,!~^-…·。！、".contains(c);
        let plain = |word: &str| -> String {
            // `don't`, but not `'yes'`.
            let inside = word.trim_matches(['\'', '’']).len() == word.len();
            let dropped = |c: char| light(c) || (inside && matches!(c, '\'' | '’'));
            word.chars().filter(|c| !dropped(*c)).flat_map(char::to_lowercase).collect()
        };
        text.split_whitespace().map(plain).collect()
    }

    const fn bit(self) -> u8 {
        match self {
            Self::Affirm => 1,
            Self::Deny => 2,
            Self::Cancel => 4,
            Self::Reset => 8,
            Self::Negate => 16,
            Self::Filler => 0,
        }
    }
}

/// INVARIANT: `Affirm` only where every reading of the whole utterance is a yes; anything longer,
/// mixed or asking is not.
pub(crate) fn whole(lexicon: &Lexicon, text: &str) -> Option<ReadSignal> {
    if text.chars().count() > WHOLE_CHARS_MAX * 2 {
        return None;
    }
    let key = Whole::key(text);
    if key.is_empty() || key.chars().count() > WHOLE_CHARS_MAX {
        return None;
    }
    let readings = coverings(lexicon, &key);
    let said = |whole: Whole| readings.iter().any(|mask| mask & whole.bit() != 0);
    let may_be = |whole: Whole| readings.contains(&whole.bit());
    let must_be = |whole: Whole| readings.iter().all(|mask| *mask == whole.bit());
    if readings.is_empty() || readings.contains(&0) {
        None
    } else if said(Whole::Cancel) {
        (!said(Whole::Negate)).then_some(ReadSignal::Cancel)
    } else if may_be(Whole::Reset) {
        Some(ReadSignal::Reset)
    } else if may_be(Whole::Deny) {
        Some(ReadSignal::Deny)
    } else if must_be(Whole::Affirm) {
        Some(ReadSignal::Affirm)
    } else {
        None
    }
}

/// Every way to cover the whole text with known forms, as the set of what they say.
fn coverings(lexicon: &Lexicon, key: &str) -> BTreeSet<u8> {
    let bounds: Vec<usize> = key.char_indices().map(|(at, _)| at).chain([key.len()]).collect();
    let mut reached: Vec<BTreeSet<u8>> = vec![BTreeSet::new(); bounds.len()];
    if let Some(first) = reached.first_mut() {
        first.insert(0);
    }
    for (from, start) in bounds.iter().enumerate() {
        let masks = reached.get(from).cloned().unwrap_or_default();
        if masks.is_empty() {
            continue;
        }
        for (to, end) in bounds.iter().enumerate().skip(from + 1) {
            let form = key.get(*start..*end).and_then(|piece| lexicon.wholes.get(piece));
            for whole in form.into_iter().flatten() {
                if let Some(there) = reached.get_mut(to) {
                    there.extend(masks.iter().map(|mask| mask | whole.bit()));
                }
            }
        }
    }
    reached.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(texts: &[&str], expected: Option<ReadSignal>) {
        let lexicon = Lexicon::embedded().unwrap();
        for text in texts {
            assert_eq!(whole(&lexicon, text), expected, "{text}");
        }
    }

    #[test]
    fn a_yes_and_nothing_else() {
        let yes = [
            "네",
            "네!",
            "넵",
            "응",
            "ㅇㅇ",
            "그래",
            "좋아요",
            "네, 진행해 주세요",
            "승인",
            "승인할게요",
            "네 그렇게 해줘",
            "응 실행해줘",
            "yes",
            "Yes.",
            "ok",
            "OK, go ahead",
            "approve",
            "sure, do it",
            "yes please",
            "go ahead",
            "looks good",
            "👍",
        ];
        check(&yes, Some(ReadSignal::Affirm));
        let more = [
            "네?",
            "ok?",
            "yes but change the file name",
            "네 근데 파일 이름 바꿔줘",
            "네가 해줘",
            "아니 좋아",
            "yes no",
            "승인하지 마",
            "not ok",
            "그래서?",
            "okra",
            "'yes'",
            "the user said yes",
            "",
            "?",
            "please",
            "그럼",
        ];
        check(&more, None);
    }

    #[test]
    fn no_stop_and_again() {
        check(
            &[
                "아니",
                "아니요.",
                "싫어",
                "하지 마",
                "거절할게",
                "no",
                "nope",
                "don't do it",
                "reject",
            ],
            Some(ReadSignal::Deny),
        );
        check(
            &[
                "취소",
                "취소해줘",
                "그만",
                "그거 취소해 주세요",
                "네 취소해줘",
                "cancel",
                "stop it",
                "never mind",
                "ok cancel that",
                "please cancel the task",
            ],
            Some(ReadSignal::Cancel),
        );
        check(
            &["처음부터 다시", "초기화해줘", "reset", "start over please"],
            Some(ReadSignal::Reset),
        );
        check(
            &["주문 취소해줘", "cancel the order o-17", "취소?", "취소하지 마", "don't cancel"],
            None,
        );
    }
}
