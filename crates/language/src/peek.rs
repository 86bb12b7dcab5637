//! The file of a preview that waits, looked at instead of or before what waits: `아니 지우지 말고 내용만
//! 보여줘`, `show me what's in it first`.

use crate::{
    concept::Concept,
    consent,
    heard::Found,
    keeping::previews_a_file,
    morph,
    reading::{Job, Situation},
    slots::Said,
    token::{Token, TokenKind},
};
use wiiiv_domain::{SlotName, Slots, TaskType};

/// As sure as a rule on the file that was just spoken of.
const CONFIDENCE: f32 = 0.85;
/// What says that it is to be seen, and nothing of another thing.
const LIGHT: [Concept; 17] = [
    Concept::Read,
    Concept::Tell,
    Concept::Question,
    Concept::Content,
    Concept::File,
    Concept::Pronoun,
    Concept::That,
    Concept::Only,
    Concept::Vague,
    Concept::Then,
    Concept::And,
    Concept::First,
    Concept::Correct,
    Concept::Within,
    Concept::There,
    Concept::Unlike,
    Concept::Saying,
];

/// `None` where anything else is named, or nothing is asked to be seen.
pub(crate) fn peek(situation: &Situation, said: &Said<'_, '_>) -> Option<Found> {
    let file = situation.known.get(SlotName::TARGET_PATH).filter(|_| previews_a_file(situation))?;
    let own = |t: &Token<'_>| t.kind == TokenKind::Path && t.text == file;
    let light = |t: &Token<'_>| {
        let aside = matches!(t.kind, TokenKind::Mark | TokenKind::Dropped) || t.attached;
        aside || own(t) || LIGHT.into_iter().any(|concept| t.has(concept)) || t.concepts.is_empty()
    };
    let shows = [Concept::Read, Concept::Tell].into_iter().any(|concept| said.signs.says(concept));
    let points = [Concept::Content, Concept::Pronoun, Concept::File].into_iter();
    let points = points.into_iter().any(|concept| said.signs.says(concept));
    // `지우지 말고 보여줘`: what waits is spoken of, and not to be done.
    let (task, _) = situation.active.as_ref()?;
    let waits = |t: &Token<'_>| {
        let meant = morph::concepts(said.lexicon, t.text);
        t.concepts.is_empty()
            && meant.into_iter().any(|verb| consent::fitting(*task).contains(&verb))
    };
    let points = points || said.tokens.iter().any(waits);
    if !(shows && points && said.tokens.iter().all(light)) {
        return None;
    }
    let mut slots = Slots::default();
    slots.set(SlotName::TARGET_PATH, file).ok()?;
    let job = Job { task_type: TaskType::FileRead, slots, text: said.part().to_owned() };
    Some(Found { job, confidence: CONFIDENCE })
}
