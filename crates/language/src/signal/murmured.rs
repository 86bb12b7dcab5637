//! A murmur, and behind it what the preview shows: `어 써줘`.

use super::{
    forms::coverings,
    whole::{CONSENT, Mask, WHOLE_CHARS_MAX, Whole},
};
use crate::{consent, lexicon::Lexicon, reading::Situation};

/// Drawn out or left hanging it agrees to nothing: `어.. 써줘`.
pub(super) fn agrees(lexicon: &Lexicon, text: &str, situation: &Situation) -> bool {
    const BESIDE: Mask = CONSENT | Whole::Affirm.bit() | Whole::Aside.bit();
    let Some((first, rest)) = text.trim().split_once(char::is_whitespace) else { return false };
    let key = Whole::key(rest);
    let murmurs = lexicon.bare.is_murmur(first.trim_end_matches(','));
    if !murmurs || rest.contains('?') || key.chars().count() > WHOLE_CHARS_MAX {
        return false;
    }
    let agreed = |piece: &str| {
        let asked = lexicon.consents.get(piece);
        asked.is_some_and(|asked| consent::agrees(situation, asked))
    };
    let masks = coverings(&lexicon.bare, &agreed, &key);
    masks.iter().any(|mask| mask & CONSENT != 0) && masks.iter().all(|mask| mask & !BESIDE == 0)
}
