//! A text that is said before its file, where both were asked for: `치과 예약 금요일 2시`, `dentist friday
//! at 2`. Nothing is written for that: the file is asked for, and both are previewed.

use crate::{
    concept::Concept,
    jobs,
    lexicon::Sign,
    part::Part,
    reading::Situation,
    replied,
    said::Said,
    signal,
    token::{Token, TokenKind},
};
use wiiiv_domain::{SlotName, TaskType};

/// One word alone may as well be the name of the file.
const WORDS_MIN: usize = 2;
/// Speak of the file, of what was asked, or with somebody.
const OTHERS: [Concept; 15] = [
    Concept::Title,
    Concept::File,
    Concept::Folder,
    Concept::Content,
    Concept::Pronoun,
    Concept::Result,
    Concept::Question,
    Concept::Greet,
    Concept::Talk,
    Concept::Wish,
    Concept::Negate,
    Concept::Later,
    // `아직 안 정했어`, `let me check my calendar`
    Concept::Inverse,
    Concept::Read,
    Concept::Get,
];

/// All that was said is the text; `read` is what else it may be.
pub(crate) fn is_text(situation: &Situation, said: &Said<'_, '_>, read: Option<TaskType>) -> bool {
    let writes = situation.active.as_ref().is_some_and(|(task, _)| *task == TaskType::FileWrite);
    let asked = [SlotName::TARGET_PATH, SlotName::CONTENT];
    let both = writes && asked.into_iter().all(|name| situation.asks_for(name));
    let named = |token: &Token<'_>| {
        let naming = said.lexicon.is_naming(token.text);
        token.is_entity()
            || naming
            || matches!(token.kind, TokenKind::Dropped | TokenKind::System | TokenKind::Operation)
    };
    let other = |token: &Token<'_>| {
        let said_of_it = token.has_any(&OTHERS);
        // `메모해줘 회의 3시` asks once more, and `아무거나` leaves it open.
        let writes = token.verb().is_some_and(|verb| jobs::fits(TaskType::FileWrite, verb));
        named(token) || said_of_it || writes || signal::is_evasion(said.lexicon, token.text)
    };
    let words = said.tokens.iter().filter(|token| token.is_word() && !token.attached).count();
    let tells = |token: &Token<'_>| token.is_word() && token.is_nameless();
    both && read.is_none()
        && words >= WORDS_MIN
        && said.tokens.iter().any(tells)
        && !said.tokens.iter().any(other)
        && !said.signs.has(Sign::Asks)
        && !said.tokens.last().is_some_and(|last| last.is_mark("?"))
        // `바탕 화면에`: where, and not what.
        && !said.tokens.last().is_some_and(|last| last.is(Part::Into) || last.ends(Part::Into))
        && !replied::turns(said)
        && !replied::requests(said)
}
