//! A cancel at the end of an answer, and what was cancelled, which is none.

use crate::{comparison, concept::Concept, lexicon::Lexicon, morph, part::Part};

/// `취소된거만`, `취소된 것만 보여줘`: what has become of rows, and no order to call anything off.
pub(crate) fn is_of_cancelled(lexicon: &Lexicon, text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let thing = |text: &str| comparison::is_thing(lexicon, text);
    (0..words.len()).any(|at| {
        let Some(word) = words.get(at) else { return false };
        let Some((act, tail)) = lexicon.parts.split(Part::Past, word) else { return false };
        let mut starts = act.char_indices().filter_map(|(from, _)| act.get(from..));
        let called = starts.any(|act| morph::concepts(lexicon, act).contains(&Concept::Cancel));
        let next = || words.get(at + 1).is_some_and(|next| thing(next));
        called && (thing(tail) || tail.is_empty() && next())
    })
}
