//! Korean and mixed text: what a question in another form finds.

use crate::texts::{found, library, search};
use wiiiv_domain::Scope;

#[test]
fn a_noun_finds_itself_with_a_particle_and_the_other_way_round() {
    let library = library(&["서울에서 열린 회의", "부산으로 가는 기차", "프린터를 설정하는 방법"]);
    assert_eq!(found(&library, "서울"), [0]);
    assert_eq!(found(&library, "서울은 어디에 있나요"), [0]);
    assert_eq!(found(&library, "부산"), [1]);
    assert_eq!(found(&library, "프린터"), [2]);
    for query in ["서울", "서울까지", "부산", "프린터가"] {
        assert!(search(&library, &[Scope::Global], query).relevant, "{query}");
    }
}

#[test]
fn an_ending_or_a_space_does_not_hide_a_word() {
    let library = library(&["파일 관리자를 엽니다", "소리를 크게 합니다", "설정을 바꿉니다"]);
    assert_eq!(found(&library, "파일관리자"), [0]);
    assert_eq!(found(&library, "설정하기"), [2]);
    assert_eq!(found(&library, "설정된")[0], 2);
}

#[test]
fn decomposed_text_is_found() {
    let library = library(&["\u{1109}\u{1165}\u{110b}\u{116e}\u{11af}에서", "부산에서"]);
    assert_eq!(found(&library, "서울"), [0]);
}

#[test]
fn an_identifier_is_found_in_every_way_to_write_it() {
    let library = library(&["call getUserName(id) first", "the order of events", "user guide"]);
    for query in ["getUserName", "get_user_name", "get-user-name", "GETUSERNAME", "user name"] {
        assert_eq!(found(&library, query)[0], 0, "{query}");
    }
    assert_eq!(found(&library, "user_guide")[0], 2);
    assert_eq!(found(&library, "orders"), [1]);
}

#[test]
fn an_identifier_in_korean_text_is_found() {
    let library = library(&["getUserName을 부릅니다", "USB를 연결합니다", "utf-8로 저장합니다"]);
    assert_eq!(found(&library, "get_user_name"), [0]);
    assert_eq!(found(&library, "usb"), [1]);
    assert_eq!(found(&library, "UTF8"), [2]);
}

#[test]
fn the_rarer_word_decides() {
    let texts = ["설정을 엽니다", "설정을 닫습니다", "설정의 소리", "설정과 알림"];
    assert_eq!(found(&library(&texts), "소리 설정")[0], 2);
}
