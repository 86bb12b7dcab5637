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
    Greeting,
    /// What is agreed to: a yes only beside a yes (`네 보내세요`).
    Consent,
    /// Turns what it stands beside around: `취소하지 마`, `don't cancel`.
    Negate,
    /// Makes a request of a question: `취소해 줄래?`
    Asking,
    /// May stand beside any of them but a yes.
    Aside,
    /// May stand beside any of them.
    Filler,
}

/// What a covering says, a bit for each kind of form in it.
type Mask = u8;

impl Whole {
    /// Lower case, without spaces and light punctuation. A question mark stays: `네?` is no yes.
    pub(crate) fn key(text: &str) -> String {
        let light = |c: char| c.is_whitespace() || ".,!~^-…·。！、¡¿".contains(c);
        let plain = |word: &str| -> String {
            // `don't`, but not `'yes'`.
            let inside = word.trim_matches(['\'', '’']).len() == word.len();
            let dropped = |c: char| light(c) || (inside && matches!(c, '\'' | '’'));
            word.chars().filter(|c| !dropped(*c)).flat_map(char::to_lowercase).collect()
        };
        text.split_whitespace().map(plain).collect()
    }

    const fn bit(self) -> Mask {
        match self {
            Self::Affirm => 1,
            Self::Deny => 2,
            Self::Cancel => 4,
            Self::Reset => 8,
            Self::Negate => 16,
            Self::Greeting => 32,
            Self::Aside | Self::Asking => 64,
            Self::Consent => 128,
            Self::Filler => 0,
        }
    }
}

/// An utterance that is nothing but this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bare {
    Signal(ReadSignal),
    Greeting,
}

/// INVARIANT: `Affirm` only where every reading of the whole utterance is a yes; anything longer,
/// mixed or asking is not.
pub(crate) fn whole(lexicon: &Lexicon, text: &str) -> Option<Bare> {
    if text.chars().count() > WHOLE_CHARS_MAX * 2 {
        return None;
    }
    let key = Whole::key(text);
    if key.is_empty() || key.chars().count() > WHOLE_CHARS_MAX {
        return None;
    }
    let readings = coverings(lexicon, &key);
    // `주문 취소해줘` calls off an order and not what is being done.
    let agreed = |mask: &Mask| mask & Whole::Consent.bit() != 0;
    let says = |whole: Whole| readings.iter().any(|m| m & whole.bit() != 0 && !agreed(m));
    let may_be =
        |whole: Whole| readings.iter().any(|mask| mask & !Whole::Aside.bit() == whole.bit());
    if readings.is_empty() || readings.iter().any(|mask| mask & !Whole::Aside.bit() == 0) {
        None
    } else if says(Whole::Cancel) {
        (!says(Whole::Negate)).then_some(Bare::Signal(ReadSignal::Cancel))
    } else if says(Whole::Reset) {
        (!says(Whole::Negate)).then_some(Bare::Signal(ReadSignal::Reset))
    } else if may_be(Whole::Deny) {
        Some(Bare::Signal(ReadSignal::Deny))
    } else if is_yes(&readings) {
        Some(Bare::Signal(ReadSignal::Affirm))
    } else if may_be(Whole::Greeting) {
        Some(Bare::Greeting)
    } else {
        None
    }
}

/// All that may be meant is a yes, one of it without an aside.
fn is_yes(readings: &BTreeSet<Mask>) -> bool {
    let yes = [Whole::Affirm.bit(), Whole::Affirm.bit() | Whole::Consent.bit()];
    let bare = |mask: &Mask| mask & !Whole::Aside.bit();
    readings.iter().all(|mask| yes.contains(&bare(mask)))
        && yes.iter().any(|y| readings.contains(y))
}

/// A place in the text, as it was come to: what was said, and whether endings may follow.
type Come = (Mask, bool);

/// Every way to cover the whole text with known forms, as the set of what they say. A question
/// mark stands only at the end of what is asked for: `취소해 줄래?`
fn coverings(lexicon: &Lexicon, key: &str) -> BTreeSet<Mask> {
    let asking = |whole: &Whole| *whole == Whole::Asking;
    let body = key.trim_end_matches('?');
    let asks = body.len() < key.len();
    let polite =
        |form: &str| lexicon.wholes.get(form).is_some_and(|wholes| wholes.iter().any(asking));
    let ends = || body.char_indices().any(|(at, _)| body.get(at..).is_some_and(polite));
    let begins = || body.char_indices().any(|(at, _)| body.get(..at).is_some_and(polite));
    if asks && !(ends() || begins()) {
        return BTreeSet::new();
    }
    let bounds: Vec<usize> = body.char_indices().map(|(at, _)| at).chain([body.len()]).collect();
    let mut reached: Vec<BTreeSet<Come>> = vec![BTreeSet::new(); bounds.len()];
    if let Some(first) = reached.first_mut() {
        first.insert((0, false));
    }
    for (from, start) in bounds.iter().enumerate() {
        let come = reached.get(from).cloned().unwrap_or_default();
        if come.is_empty() {
            continue;
        }
        for (to, end) in bounds.iter().enumerate().skip(from + 1) {
            let Some(piece) = body.get(*start..*end) else { continue };
            if let Some(there) = reached.get_mut(to) {
                there.extend(come.iter().flat_map(|come| onward(lexicon, *come, piece)));
            }
        }
    }
    reached.pop().unwrap_or_default().into_iter().map(|(mask, _)| mask).collect()
}

fn onward(lexicon: &Lexicon, (mask, open): Come, piece: &str) -> Vec<Come> {
    let said = |wholes: Option<&BTreeSet<Whole>>, open: bool| -> Vec<Come> {
        let wholes = wholes.into_iter().flatten();
        wholes.map(|whole| (mask | whole.bit(), open)).collect()
    };
    let mut onward = said(lexicon.wholes.get(piece), false);
    onward.extend(said(lexicon.open_wholes.get(piece), true));
    if open && lexicon.endings.contains(piece) {
        onward.push((mask, true));
    }
    onward
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(texts: &[&str], expected: Option<ReadSignal>) {
        let lexicon = Lexicon::embedded().unwrap();
        for text in texts {
            assert_eq!(whole(&lexicon, text), expected.map(Bare::Signal), "{text}");
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
            "네 저장해 주세요",
            "네 보내세요",
            "네 그렇게 해주실래요",
            "yes, delete it",
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
            "네 잠깐만",
            "저장해 주세요",
            "네 저장했는데",
            "yes, wait",
            "승인할까?",
            "아니 좋아",
            "yes no",
            "승인하지 마",
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
                "not ok",
            ],
            Some(ReadSignal::Deny),
        );
        check(
            &[
                "취소",
                "취소해줘",
                "그만",
                "아 됐고 그냥 취소할게",
                "하던거 취소해줘",
                "취소해 줄래?",
                "취소하고 싶어요",
                "never mind, cancel that",
                "forget it, cancel",
                "could you cancel that?",
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
