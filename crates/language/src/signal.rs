//! Utterances that are a signal and nothing else.

mod forms;

use crate::{
    concept::Concept,
    consent,
    hangul::sound,
    lexicon::Lexicon,
    reading::{ReadSignal, Situation},
};
use forms::coverings;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};

pub(crate) use forms::Forms;

/// Longer utterances say more than one of these.
const WHOLE_CHARS_MAX: usize = 64;
/// `어 그.. 네`
const HESITATIONS_MAX: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Whole {
    Affirm,
    Deny,
    Cancel,
    Reset,
    Greeting,
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
/// What is agreed to: a yes only beside a yes (`네 보내세요`).
const CONSENT: Mask = 128;

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
pub(crate) fn whole(lexicon: &Lexicon, text: &str, situation: &Situation) -> Option<Bare> {
    if text.chars().count() > WHOLE_CHARS_MAX * 2 {
        return None;
    }
    let mut rest = text.trim();
    for _ in 0..HESITATIONS_MAX {
        let found = bare(lexicon, rest, situation);
        let Some((first, after)) = rest.split_once(char::is_whitespace) else { return found };
        // `어 아니요`
        if found.is_some() || !lexicon.hesitations.contains(&Whole::key(first)) {
            return found;
        }
        rest = after.trim_start();
    }
    bare(lexicon, rest, situation)
}

/// Where the first clause ends, if it calls off what is being done.
pub(crate) fn called_off(lexicon: &Lexicon, text: &str, situation: &Situation) -> Option<usize> {
    let (first, _) = text.split_once([',', '.', ';', '!'])?;
    (whole(lexicon, first, situation) == Some(Bare::Signal(ReadSignal::Cancel)))
        .then_some(first.len())
}

fn bare(lexicon: &Lexicon, text: &str, situation: &Situation) -> Option<Bare> {
    let key = Whole::key(text);
    if key.is_empty() || key.chars().count() > WHOLE_CHARS_MAX {
        return None;
    }
    let consents = |consents: &HashMap<String, BTreeSet<Concept>>, piece: &str| {
        consents.get(piece).is_some_and(|asked| consent::agrees(situation, asked))
    };
    let agreed = |piece: &str| consents(&lexicon.consents, piece);
    let heard_agreed = |piece: &str| consents(&lexicon.consents_heard, piece);
    // What is mistyped calls nothing into being: a yes has to begin with one that is certain.
    let certain = || {
        let mut starts = key.char_indices().filter_map(|(at, _)| key.get(..at));
        starts.any(|start| said(&coverings(&lexicon.bare, &|_| false, start)) == AFFIRM)
    };
    let heard = || {
        let bare = said(&coverings(&lexicon.bare_heard, &heard_agreed, &sound(&key)));
        bare.filter(|_| bare != AFFIRM || certain())
    };
    said(&coverings(&lexicon.bare, &agreed, &key)).or_else(heard)
}

const AFFIRM: Option<Bare> = Some(Bare::Signal(ReadSignal::Affirm));

/// What all the ways to cover an utterance say together.
fn said(readings: &BTreeSet<Mask>) -> Option<Bare> {
    // `주문 취소해줘` calls off an order and not what is being done.
    let agreed = |mask: &Mask| mask & CONSENT != 0;
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
    } else if is_yes(readings) {
        AFFIRM
    } else if may_be(Whole::Greeting) {
        Some(Bare::Greeting)
    } else {
        None
    }
}

/// All that may be meant is a yes, one of it without an aside.
fn is_yes(readings: &BTreeSet<Mask>) -> bool {
    let yes = [Whole::Affirm.bit(), Whole::Affirm.bit() | CONSENT];
    let bare = |mask: &Mask| mask & !Whole::Aside.bit();
    readings.iter().all(|mask| yes.contains(&bare(mask)))
        && yes.iter().any(|y| readings.contains(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::TaskType;

    #[track_caller]
    fn check(texts: &[&str], expected: Option<ReadSignal>) {
        check_in(&Situation::default(), texts, expected);
    }

    #[track_caller]
    fn check_in(situation: &Situation, texts: &[&str], expected: Option<ReadSignal>) {
        let lexicon = Lexicon::embedded().unwrap();
        for text in texts {
            assert_eq!(whole(&lexicon, text, situation), expected.map(Bare::Signal), "{text}");
        }
    }

    #[test]
    fn a_yes_may_repeat_what_waits_for_it() {
        let confirming = |task| Situation {
            awaiting_answer: true,
            active: Some((task, Vec::new())),
            ..Situation::default()
        };
        let write = confirming(TaskType::FileWrite);
        let yes = [
            "네 저장해 주세요",
            "네네 저장해줘요ㅎㅎ",
            "넵 저장합시다!!",
            "네, 저장 부탁드려요~",
            "응 저장해",
            "네 진헹해주세요",
            "네 저장헤주새요",
            "네 좀 진행해 주시겠어요?",
            "그.. 네그렇개 해주세요",
            "어 흠.. 네!",
            "yes please save it",
            "sure, write it",
        ];
        check_in(&write, &yes, Some(ReadSignal::Affirm));
        let other = [
            "저장해 주세요",
            "네 삭제해 주세요",
            "네 보내주세요",
            "네 근데 저장해 주세요",
            "네 저장했는데",
            "네 저장한다고요?",
            "네 넘겨주세요",
            "내 저장헤줘",
            "yes delete it",
            "save it to b.txt",
        ];
        check_in(&write, &other, None);
        check_in(&Situation::default(), &["네 저장해 주세요", "yes, delete it"], None);
        let delete = confirming(TaskType::FileDelete);
        check_in(&delete, &["yes, delete it", "네 지워주세요ㅋㅋ"], Some(ReadSignal::Affirm));
        let call = confirming(TaskType::ApiWorkflow);
        check_in(&call, &["네 보내세요", "ok send it"], Some(ReadSignal::Affirm));
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
                "어 아니요~",
                "그.. 아뇨",
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
