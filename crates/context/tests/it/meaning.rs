//! Older turns that are near to a message by what they mean, where somebody gives vectors of both.

use std::sync::Arc;
use wiiiv_context::{
    Dialogue, Line, LineKind, RelatedTurn, Speaker, Stage, StageNote, StageReason, TurnVectors,
};
use wiiiv_domain::TurnId;

/// What is looked for, without a word of the question.
const BUDGET: &str = "우리 팀 예산은 280만 원이야";
const ANSWER: &str = "그렇군요.";
const QUESTION: &str = "얼마까지 쓸 수 있더라?";
const NOT_COMPARED: StageNote = StageNote { stage: Stage::Related, why: StageReason::NotCompared };
const NONE_NEAR: StageNote = StageNote { stage: Stage::Related, why: StageReason::NoneNear };

fn turn(nth: u128) -> TurnId {
    TurnId::from_uuid(uuid::Uuid::from_u128(nth))
}

fn line(speaker: Speaker, text: &str) -> Line {
    Line { speaker, kind: LineKind::Words, text: text.to_owned() }
}

/// So many turns, of which the second names a budget; then the message.
fn dialogue(turns: usize, message: &str) -> Dialogue {
    let mut dialogue = Dialogue::default();
    for nth in 0..turns {
        let said = match nth {
            1 => BUDGET.to_owned(),
            nth => format!("{nth}번째 이야기는 날씨와 점심이야"),
        };
        dialogue.note(line(Speaker::User, &said));
        dialogue.note(line(Speaker::Governor, ANSWER));
    }
    dialogue.note(line(Speaker::User, message));
    dialogue
}

/// As an embedder makes them that knows what a budget is.
fn vector(text: &str) -> Arc<[f32]> {
    let is_near = [BUDGET, QUESTION].contains(&text);
    if is_near { [1.0_f32, 0.1, 0.0].into() } else { [0.1_f32, 1.0, 0.1].into() }
}

fn vectors(dialogue: &Dialogue) -> TurnVectors {
    let turns = dialogue.older_said().map(|said| Some(vector(said))).collect();
    TurnVectors { message: vector(QUESTION), turns }
}

/// Related turns, and how the stage gave way.
fn related(dialogue: &mut Dialogue, nth: u128) -> (Vec<RelatedTurn>, Vec<StageNote>) {
    let long_term = dialogue.long_term(turn(nth), None).unwrap();
    let notes = long_term.notes.into_iter().filter(|note| note.stage == Stage::Related);
    (long_term.related, notes.collect())
}

fn budget() -> Vec<RelatedTurn> {
    vec![RelatedTurn::new(1, BUDGET, ANSWER)]
}

#[test]
fn a_paraphrase_without_a_common_word_is_found_where_there_are_vectors() {
    let mut long = dialogue(20, QUESTION);
    assert_eq!(related(&mut long, 1), (vec![], vec![NONE_NEAR]), "by words alone nothing is");
    assert_eq!(long.to_compare(turn(1)), None, "scored once a turn");
    assert_eq!(long.to_compare(turn(2)), Some(QUESTION));
    let vectors = vectors(&long);
    assert_eq!(vectors.turns.len(), 15);
    long.compare(turn(2), Some(&vectors));
    assert_eq!(related(&mut long, 2), (budget(), vec![]));
    // The next turn knows nothing of it.
    assert_eq!(related(&mut long, 3).1, [NONE_NEAR]);
}

#[test]
fn what_words_find_is_found_whatever_the_vectors_are() {
    let of = |vectors: Option<TurnVectors>| {
        let mut long = dialogue(20, "팀 예산이 얼마였지?");
        long.compare(turn(1), vectors.as_ref());
        related(&mut long, 1)
    };
    let good = vectors(&dialogue(20, QUESTION));
    assert_eq!(of(Some(good.clone())), (budget(), vec![]));
    let turns = good.turns.clone();
    for message in [&[f32::NAN; 3][..], &[0.0; 3], &[1.0; 4], &[]] {
        let hostile = TurnVectors { message: message.into(), turns: turns.clone() };
        assert_eq!(of(Some(hostile)), (budget(), vec![NOT_COMPARED]), "{message:?}");
    }
    let none = TurnVectors { turns: vec![None; turns.len()], ..good.clone() };
    assert_eq!(of(Some(none)), (budget(), vec![NOT_COMPARED]));
    assert_eq!(of(None), (budget(), vec![NOT_COMPARED]));
    // More of them than there are turns.
    let turns = [good.turns.clone(), good.turns.clone()].concat();
    assert_eq!(of(Some(TurnVectors { turns, ..good })), (budget(), vec![]));
}

#[test]
fn a_short_conversation_is_compared_with_nothing() {
    let short = dialogue(5, QUESTION);
    assert_eq!((short.older_said().count(), short.to_compare(turn(1))), (0, None));
    // Behind this turn the conversation may be long.
    let mut nearly = dialogue(9, QUESTION);
    assert_eq!(nearly.to_compare(turn(1)), None);
    nearly.note(line(Speaker::Governor, ANSWER));
    assert!(nearly.older_said().count() > 0);
}
