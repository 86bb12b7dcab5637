use super::*;
use crate::tokenizer;

fn read(text: &str) -> Option<String> {
    let lexicon = Lexicon::embedded().unwrap();
    Some(at(&lexicon, &tokenizer::tokens(&lexicon, text), 0)?.value)
}

#[test]
fn numbers_are_read_as_they_are_written() {
    for (text, value) in [
        ("10,000원", "10000"),
        ("3만5천원", "35000"),
        ("3만 5천원", "35000"),
        ("3만 5000원", "35000"),
        ("1억2천만원", "120000000"),
        ("만원", "10000"),
        ("십만원", "100000"),
        ("삼만 원", ""),
        ("삼만오천원", "35000"),
        ("이십만원", "200000"),
        ("5천원짜리", "5000"),
        ("20k", "20000"),
        ("2 million", "2000000"),
        ("2.5kg", "2.5"),
        ("7개", "7"),
        ("20kg", "20"),
    ] {
        assert_eq!(read(text).unwrap_or_default(), value, "{text}");
    }
    for text in ["이상", "만", "천천히", "이만", "일주일", "오늘", "이대로", "삼성", "2.5만원"]
    {
        assert_eq!(read(text), None, "{text}");
    }
}
