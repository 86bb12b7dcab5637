use super::*;

fn read(word: &str) -> Vec<Concept> {
    concepts(&Lexicon::embedded().unwrap(), word).into_iter().collect()
}

#[test]
fn endings_follow_forms_and_nothing_else_does() {
    assert_eq!(read("저장해줘요"), [Concept::Save]);
    assert_eq!(read("저장해주십시오"), [Concept::Save]);
    assert_eq!(read("노트파일에다가"), [Concept::File]);
    assert_eq!(read("명령실행해줘"), [Concept::Run, Concept::Command]);
    assert_eq!(read("파일에다저장해줘"), [Concept::Save, Concept::File]);
    assert_eq!(read("저장매체"), []);
    assert_eq!(read("적어도"), [Concept::Vague]);
    assert_eq!(read("deleting"), [Concept::Delete]);
}

#[test]
fn a_slip_is_no_noun_that_looks_like_a_verb() {
    let lexicon = Lexicon::embedded().unwrap();
    let meant = |word: &str| meant(&lexicon, word).into_iter().collect::<Vec<_>>();
    assert_eq!(meant("저잗해줘"), [Concept::Save]);
    assert_eq!(meant("delteing"), []);
    assert_eq!(meant("wrige"), [Concept::Write]);
    assert_eq!(meant("생선을"), []);
    assert_eq!(meant("저잗"), []);
}

#[test]
fn what_sounds_like_a_word_is_one() {
    let lexicon = Lexicon::embedded().unwrap();
    let heard = |word: &str| heard(&lexicon, word).into_iter().collect::<Vec<_>>();
    assert_eq!(heard("저장헤주새요"), [Concept::Save]);
    assert_eq!(heard("보여주새요"), [Concept::Read]);
    assert_eq!(heard("메일로"), []);
    assert_eq!(heard("데려와"), []);
    assert_eq!(heard("저쟝"), []);
}
