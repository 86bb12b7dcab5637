//! Words of Korean and English text.

use super::*;

fn words(text: &str) -> String {
    let mut words = Vec::new();
    read(text, &mut |piece| {
        words.push(match piece {
            Piece::Surface { text, .. } => text.to_owned(),
            Piece::Form(text) => format!("={text}"),
            Piece::Pair(text) => format!("~{text}"),
            Piece::Long => return,
        });
    });
    words.join(" ")
}

#[test]
fn a_korean_word_is_itself_its_noun_and_its_pairs() {
    assert_eq!(words("서울에서 만나요"), "서울에서 =서울 ~서울 ~울에 ~에서 만나요 ~만나 ~나요");
    assert_eq!(words("책을"), "책을 =책 ~책을");
    assert_eq!(words("물"), "물");
}

#[test]
fn text_is_composed_and_lower_case() {
    assert_eq!(words("\u{1109}\u{1165}\u{110b}\u{116e}\u{11af}"), words("서울"));
    assert_eq!(words("CAFE\u{301}"), words("café"));
    assert_eq!(words("Ünder"), "ünder");
}

#[test]
fn a_particle_behind_letters_is_no_word() {
    assert_eq!(words("USB를 연결"), "usb 연결 ~연결");
    assert_eq!(words("2월에는"), "2 월에는 =월 ~월에 ~에는");
}

#[test]
fn identifiers_have_parts() {
    assert_eq!(words("call getUserName(id)."), "call getusernam =get =user =nam id");
    assert_eq!(words("/etc/apt/sources.list"), "etc apt sourceslist =sourc =list");
    assert_eq!(words("a-b - c"), "ab c");
    assert_eq!(words("don't"), "don t");
}

#[test]
fn scripts_without_spaces_have_pairs() {
    assert_eq!(words("日本語"), "日本語 ~日本 ~本語");
}

#[test]
fn no_word_is_longer_than_its_bound() {
    for text in ["가".repeat(10_000), "a".repeat(10_000), "aB".repeat(10_000), "a_".repeat(10_000)]
    {
        let longest = words(&text).split(' ').map(|word| word.chars().count()).max();
        assert!(longest <= Some(WORD_CHARS_MAX + 1), "{longest:?}");
    }
}

#[test]
fn time_is_linear() {
    let count = |times: usize| {
        let mut pieces = 0;
        read(&"서울에서 getUserName ".repeat(times), &mut |_| pieces += 1);
        pieces
    };
    assert_eq!(count(10_000), 1_000 * count(10));
}
