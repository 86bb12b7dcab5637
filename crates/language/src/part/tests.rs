use super::*;

#[test]
fn a_word_plays_its_parts_at_its_ends() {
    let mut words = PartWords::default();
    words.add(Part::Toward, vec!["로".to_owned(), "으로".to_owned()]);
    words.add(Part::Numbered, vec!["번".to_owned()]);
    let played = words.played("번호로");
    assert!(played.begins.meets(Part::Numbered.into()));
    assert!(played.ends.meets(Part::Toward | Part::Numbered));
    assert!(!played.whole.meets(Part::Numbered | Part::Toward));
    assert_eq!(words.stem(Part::Numbered | Part::Toward, "빵으로"), Some("빵"));
    assert_eq!(words.behind(Part::Toward, "빵으로"), None);
    assert_eq!(words.split(Part::Numbered, "5번이고"), Some(("5", "이고")));
}

#[test]
fn every_part_has_a_place_of_its_own() {
    assert!((Part::Sentence as u32) < u128::BITS);
    assert_ne!(Parts::from(Part::Of), Parts::from(Part::Sentence));
}
