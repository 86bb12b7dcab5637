use super::without_particle;
use crate::lexicon::Lexicon;

#[test]
fn a_particle_is_told_from_the_end_of_a_word() {
    let lexicon = Lexicon::embedded().unwrap();
    for (written, name) in [
        ("빵을", "빵"),
        ("우유를", "우유"),
        ("대파도", "대파"),
        ("가을", "가을"),
        ("포도", "포도"),
        ("를", "를"),
    ] {
        assert_eq!(without_particle(&lexicon, written), name);
    }
}
