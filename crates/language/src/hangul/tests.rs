use super::*;

#[test]
fn a_syllable_is_its_parts() {
    let syllable = Syllable::of('줬').unwrap();
    assert_eq!(syllable.vowel, vowel::WEO);
    assert_eq!(syllable.last, last::SS);
    assert_eq!(syllable.letter(), Some('줬'));
    assert_eq!(syllable.with_last(0).letter(), Some('줘'));
    assert_eq!(Syllable::of('ㅋ'), None);
    assert_eq!(jamo("저장").len(), 5);
}

#[test]
fn what_sounds_alike_is_heard_alike() {
    for (one, other) in
        [("제고시스탬", "재고시스템"), ("진헹해줘", "진행해줘"), ("잇는대", "있는데")]
    {
        assert_eq!(sound(one), sound(other));
        assert_eq!(sound(one).len(), one.len());
    }
    assert_ne!(sound("참고"), sound("창고"));
    assert_eq!(sound("skymall ㅋ"), "skymall ㅋ");
}
