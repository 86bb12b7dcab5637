use super::*;
use serde_json::json;

const FILES: [(&str, &[u8]); 2] = [
    ("regex-of-its-own", include_bytes!("../../../tests/it/tokenizers/regex-of-its-own.json")),
    ("byte-level", include_bytes!("../../../tests/it/tokenizers/byte-level.json")),
];
/// By the `tokenizers` package of Python, 0.23.3, which also made the files, from our own docs.
const COUNTS: &str = include_str!("../../../tests/it/tokenizers/counts.json");

#[derive(Deserialize)]
struct Counted {
    file: String,
    texts: Vec<Text>,
}

#[derive(Deserialize)]
struct Text {
    text: String,
    tokens: u64,
}

fn of(name: &str) -> TokenizerFile {
    let (_, bytes) = FILES.iter().find(|(own, _)| *own == name).unwrap();
    TokenizerFile::parse(bytes).unwrap()
}

#[test]
fn texts_count_as_the_format_s_own_program_counts_them() {
    let counts: Vec<Counted> = serde_json::from_str(COUNTS).unwrap();
    assert_eq!(counts.len(), FILES.len());
    for Counted { file, texts } in counts {
        let tokenizer = of(&file);
        assert!(texts.len() > 50);
        for Text { text, tokens } in texts {
            assert_eq!(tokenizer.count(&text), tokens, "{file}: {text:?}");
            assert!(tokens <= token_bound(&text));
        }
    }
}

#[test]
fn a_long_piece_takes_no_time_of_its_square() {
    let tokenizer = of("byte-level");
    let of = |times: usize| tokenizer.count(&"가나다".repeat(times));
    // Far below the bound: it was merged, and not given up.
    assert!(of(100) < token_bound(&"가나다".repeat(100)) * 9 / 10);
    let (less, more) = (of(50_000), of(100_000));
    assert!(more.abs_diff(2 * less) <= 2, "{less} {more}");
}

#[test]
fn what_cannot_be_counted_exactly_is_refused_with_its_part() {
    let whole: Value = serde_json::from_slice(FILES[1].1).unwrap();
    for (part, value, told) in [
        ("/model/type", json!("Unigram"), "model is `Unigram`"),
        ("/model/byte_fallback", json!(true), "byte_fallback"),
        ("/normalizer", json!({"type": "Replace"}), "normalizer is `Replace`"),
        ("/pre_tokenizer", json!({"type": "Metaspace"}), "pre_tokenizer is `Metaspace`"),
        ("/pre_tokenizer", Value::Null, "pre_tokenizer is `none`"),
        ("/pre_tokenizer/add_prefix_space", json!(true), "add_prefix_space"),
        ("/model/end_of_word_suffix", json!("</w>"), "`</w>`"),
        ("/model/vocab", json!({"a": 0}), "each byte"),
        (
            "/pre_tokenizer",
            json!({"type": "Sequence", "pretokenizers": [{"type": "ByteLevel"}, {"type": "Digits"}]}),
            "pre_tokenizer is `Sequence`",
        ),
        ("/model/merges", json!([["nothing", "here"]]), "no token"),
        ("/model/merges", json!(["nothing"]), "no token"),
        ("/model/merges", json!(7), "no tokenizer.json"),
    ] {
        let mut changed = whole.clone();
        *changed.pointer_mut(part).unwrap() = value;
        let refused = TokenizerFile::parse(changed.to_string().as_bytes()).unwrap_err();
        assert!(refused.to_string().contains(told), "{part}: {refused}");
    }
    assert!(TokenizerFile::parse(b"[]").is_err());
}
