use super::*;

#[test]
fn a_plain_text_is_itself() {
    let source = Source::new("notes/오늘.md 읽어줘");
    assert!(matches!(source.text, Cow::Borrowed(_)));
    assert_eq!(source.as_written(&source.text[..6]), "notes/");
}

#[test]
fn pieces_are_found_where_they_were_typed() {
    let typed: String = "가각 １２3\u{200b} e\u{301}!".nfd().collect();
    let source = Source::new(&typed);
    assert_eq!(source.text, "가각 123 é!");
    let text: &str = &source.text;
    let digits = text.find("123").unwrap();
    assert_eq!(source.as_written(&text[digits..digits + 3]), "１２3\u{200b}");
    assert_eq!(source.as_written(&text[.."가각".len()]), &typed[..15]);
    assert_eq!(source.as_written(text), typed);
}
