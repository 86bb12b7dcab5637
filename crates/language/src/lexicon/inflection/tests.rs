use super::Inflection;

#[test]
fn inflected_words_are_what_they_are_of() {
    let lemma = |line: &str, word: &str| Inflection::parse(line).unwrap().lemma(word);
    assert_eq!(lemma("ies>y", "copies").as_deref(), Some("copy"));
    assert_eq!(lemma("ing>e", "saving").as_deref(), Some("save"));
    assert_eq!(lemma("+ing>", "running").as_deref(), Some("run"));
    assert_eq!(lemma("s>", "is"), None);
    assert!(Inflection::parse("ing").is_err());
}
