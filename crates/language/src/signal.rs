//! Utterances that are a signal and nothing else.

mod cancelled;
mod forms;
mod murmured;
mod whole;

/// `118, 아니다 취소` behind the question for what is sent.
pub(crate) fn ends_in_cancel(
    lexicon: &Lexicon,
    text: &str,
    tokens: &[Token<'_>],
    situation: &Situation,
) -> bool {
    let tails = tokens.iter().filter(|token| token.is_word() && !token.attached);
    let mut tails = tails.filter_map(|token| text.get(token.start..));
    tails.any(|tail| cancels(lexicon, tail, situation))
}

#[cfg(test)]
mod tests;

use crate::{
    concept::Concept,
    consent,
    hangul::sound,
    lexicon::Lexicon,
    morph,
    reading::{ReadSignal, Situation},
    token::Token,
};
use forms::coverings;
use std::collections::{BTreeSet, HashMap};
use wiiiv_domain::SlotName;

pub(crate) use cancelled::is_of_cancelled;
pub(crate) use forms::Forms;
pub(crate) use whole::Whole;
use whole::{CONSENT, Mask, WHOLE_CHARS_MAX};

/// What a second thought follows.
const SECOND: [&str; 5] = [",", ".", ";", "!", "-"];
/// `어 그.. 네`
const HESITATIONS_MAX: usize = 3;

/// An utterance that is nothing but this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bare {
    Signal(ReadSignal),
    Greeting,
    /// No answer to what was asked.
    Evasion,
    /// Says nothing: `음 ㅋㅋ`.
    Filler,
    Later,
}

/// INVARIANT: `Affirm` only where every reading of the whole utterance is a yes; anything longer,
/// mixed or asking is not.
pub(crate) fn whole(lexicon: &Lexicon, text: &str, situation: &Situation) -> Option<Bare> {
    if text.chars().count() > WHOLE_CHARS_MAX * 2 {
        return None;
    }
    if lexicon.bare.is_murmur(text) || murmured::agrees(lexicon, text, situation) {
        return AFFIRM;
    }
    let mut rest = text.trim();
    for _ in 0..HESITATIONS_MAX {
        let found = bare(lexicon, rest, situation);
        let Some((first, after)) = rest.split_once(char::is_whitespace) else { return found };
        // `어 아니요`
        if found.is_some_and(|bare| bare != Bare::Filler)
            || !lexicon.hesitations.contains(&Whole::key(first))
        {
            return found;
        }
        rest = after.trim_start();
    }
    bare(lexicon, rest, situation)
}

impl Bare {
    /// Answers what was asked for with nothing; laughter may be a name, but it is no content.
    pub(crate) fn answers_nothing(self, situation: &Situation) -> bool {
        match self {
            Self::Evasion => situation.is_asked(),
            Self::Filler => situation.is_asked() && situation.asks_for(SlotName::CONTENT),
            Self::Signal(_) | Self::Greeting | Self::Later => false,
        }
    }
}

/// What was done is to be brought back, and nothing waits that it could call off: `undo that`.
pub(crate) fn brings_back(lexicon: &Lexicon, text: &str, situation: &Situation) -> bool {
    let restores = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        morph::concepts(lexicon, &word).contains(&Concept::Restore)
    };
    situation.active.is_none()
        && situation.aside.is_empty()
        && text.split_whitespace().any(restores)
}

/// `whatever`, `아무거나`
pub(crate) fn is_evasion(lexicon: &Lexicon, word: &str) -> bool {
    let wholes = lexicon.bare.closed.get(&Whole::key(word));
    wholes.is_some_and(|wholes| wholes.contains(&Whole::Evasion))
}

/// `again`, `please`: says nothing by itself.
pub(crate) fn is_aside(lexicon: &Lexicon, word: &str) -> bool {
    let aside = |whole: &Whole| matches!(whole, Whole::Aside | Whole::Filler);
    lexicon.bare.closed.get(&Whole::key(word)).is_some_and(|wholes| wholes.iter().any(aside))
}

/// `cancel everything`, `전부 취소`; `cancel both` only where there are two in all and one of them was
/// put aside: what waits behind the active one is cancelled with it anyway.
pub(crate) fn is_of_all(lexicon: &Lexicon, text: &str, situation: &Situation) -> bool {
    let words = text.split_whitespace().map(Whole::key).collect::<Vec<_>>();
    let pairs = words.windows(2).map(<[String]>::concat);
    let said = words.iter().cloned().chain(pairs).collect::<BTreeSet<_>>();
    let counted = |word: &String| {
        let wholes = lexicon.bare.closed.get(word);
        wholes.is_some_and(|wholes| wholes.contains(&Whole::Both))
    };
    let tasks =
        situation.aside.len() + situation.waiting.len() + usize::from(situation.active.is_some());
    if said.iter().any(counted) {
        return tasks == 2 && situation.waiting.is_empty();
    }
    said.iter().any(|word| lexicon.everything.contains(word))
}

/// Where the first clause ends, if it calls off what is being done.
pub(crate) fn called_off(lexicon: &Lexicon, text: &str, situation: &Situation) -> Option<usize> {
    let (first, _) = text.split_once([',', '.', ';', '!'])?;
    cancels(lexicon, first, situation).then_some(first.len())
}

/// The same without a mark: where the longest row of words ends that calls it off.
pub(crate) fn called_off_first(
    lexicon: &Lexicon,
    text: &str,
    situation: &Situation,
) -> Option<usize> {
    let spaces = text.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
    let ends: Vec<usize> = spaces.take_while(|at| *at < WHOLE_CHARS_MAX).collect();
    ends.into_iter()
        .rev()
        .find(|at| text.get(..*at).is_some_and(|first| cancels(lexicon, first, situation)))
}

/// Ends in a no to what it asked for: `delete a.txt, actually don't`, `a.txt 지워줘 아니다 됐어`.
pub(crate) fn thinks_better(
    lexicon: &Lexicon,
    text: &str,
    tokens: &[Token<'_>],
    situation: &Situation,
) -> bool {
    let dictates = |token: &Token<'_>| token.is_mark(":") || token.has(Concept::Saying);
    let ends = |pair: &[Token<'_>]| match pair {
        [before, next] => next.has(Concept::Correct) || SECOND.iter().any(|m| before.is_mark(m)),
        _ => false,
    };
    let refuses = |at: usize| {
        let tail = tokens.get(at).and_then(|token| text.get(token.start..)).unwrap_or_default();
        let no = [ReadSignal::Cancel, ReadSignal::Deny].map(|no| Some(Bare::Signal(no)));
        no.contains(&whole(lexicon, tail, situation))
    };
    let asked = |at: usize| {
        let head = tokens.get(..at).unwrap_or_default();
        head.iter().any(Token::leads) && !head.iter().any(dictates)
    };
    let mut places = tokens.windows(2).enumerate().filter(|(_, pair)| ends(pair));
    !situation.is_asked() && places.any(|(at, _)| asked(at + 1) && refuses(at + 1))
}

fn cancels(lexicon: &Lexicon, text: &str, situation: &Situation) -> bool {
    whole(lexicon, text, situation) == Some(Bare::Signal(ReadSignal::Cancel))
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
    let several = !situation.waiting.is_empty();
    let coverings = |forms: &Forms, agreed: &dyn Fn(&str) -> bool, key: &str| {
        let masks = coverings(forms, &agreed, key).into_iter();
        let counted = |mask: Mask| if several { mask & !Whole::Both.bit() } else { mask };
        masks.map(counted).map(come_back).collect::<BTreeSet<Mask>>()
    };
    let certain = || {
        let mut starts = key.char_indices().filter_map(|(at, _)| key.get(..at));
        starts.any(|start| {
            let said = said(&coverings(&lexicon.bare, &|_| false, start));
            said == AFFIRM || lexicon.bare.is_murmur(start)
        })
    };
    let heard = || {
        let bare = said(&coverings(&lexicon.bare_heard, &heard_agreed, &sound(&key)));
        bare.filter(|_| bare != AFFIRM || certain())
    };
    match said(&coverings(&lexicon.bare, &agreed, &key)) {
        written @ (Some(Bare::Filler) | None) => heard().or(written),
        Some(Bare::Signal(ReadSignal::Cancel)) if is_of_cancelled(lexicon, text) => None,
        written => written,
    }
}

/// `anyway, save it`
const fn come_back(mask: Mask) -> Mask {
    let rest = mask & !Whole::Anyway.bit();
    match (rest == mask, rest & CONSENT != 0) {
        (true, _) => mask,
        (false, true) => rest | Whole::Affirm.bit(),
        (false, false) if rest == 0 => Whole::Aside.bit(),
        (false, false) => rest,
    }
}

/// `몰라 됐어`
const GIVEN_UP: Mask = Whole::Evasion.bit() | Whole::Deny.bit();
const AFFIRM: Option<Bare> = Some(Bare::Signal(ReadSignal::Affirm));

/// What all the ways to cover an utterance say together.
fn said(readings: &BTreeSet<Mask>) -> Option<Bare> {
    // `주문 취소해줘` calls off an order and not what is being done.
    let agreed = |mask: &Mask| mask & CONSENT != 0;
    let says = |whole: Whole| readings.iter().any(|m| m & whole.bit() != 0 && !agreed(m));
    let bare = |mask: &Mask| mask & !Whole::Aside.bit();
    let may_be = |whole: Whole| readings.iter().any(|mask| bare(mask) == whole.bit());
    if readings.is_empty() {
        None
    } else if may_be(Whole::Later) {
        Some(Bare::Later)
    } else if may_be(Whole::Evasion) && !may_be(Whole::Deny) {
        Some(Bare::Evasion)
    } else if readings.iter().any(|mask| bare(mask) & !Whole::Murmur.bit() == 0) {
        Some(Bare::Filler)
    } else if says(Whole::Cancel) {
        (!says(Whole::Negate)).then_some(Bare::Signal(ReadSignal::Cancel))
    } else if says(Whole::Reset) {
        (!says(Whole::Negate)).then_some(Bare::Signal(ReadSignal::Reset))
    } else if may_be(Whole::Deny) || readings.iter().any(|mask| bare(mask) == GIVEN_UP) {
        Some(Bare::Signal(ReadSignal::Deny))
    } else if is_yes(readings) {
        AFFIRM
    } else if may_be(Whole::Greeting) {
        Some(Bare::Greeting)
    } else {
        None
    }
}

/// All that may be meant is a yes, one of it without an aside. An act is agreed to only beside a word
/// that is a yes by itself: said alone (`write it`), it may mean another thing than what waits.
fn is_yes(readings: &BTreeSet<Mask>) -> bool {
    let said = |mask: &Mask, what: Mask| mask & what != 0;
    let beside = CONSENT | Whole::Murmur.bit() | Whole::Aside.bit();
    let agrees = |mask: &Mask| mask & !(Whole::Affirm.bit() | beside) == 0;
    let affirms = |mask: &Mask| said(mask, Whole::Affirm.bit());
    let plain = readings.iter().any(|mask| affirms(mask) && !said(mask, CONSENT));
    readings.iter().all(|mask| agrees(mask) && (plain || affirms(mask)))
        && readings.iter().any(|mask| affirms(mask) && !said(mask, Whole::Aside.bit()))
}
