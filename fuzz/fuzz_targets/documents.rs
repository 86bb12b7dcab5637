//! Any text, as a document of every kind of text, is read and cut to its end, the same way twice.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wiiiv_retrieval::{Chunking, SourceText, Terms, cut, estimated_tokens, normalized};

/// Of one passage.
const TOKENS_MAX: [(Chunking, usize); 2] = [(Chunking::ParentChild, 1_200), (Chunking::Flat, 512)];

const READERS: [fn(&str) -> SourceText; 4] = [
    SourceText::plain,
    SourceText::markdown,
    |text| SourceText::code(text, "rs"),
    |text| SourceText::code(text, "py"),
];

fuzz_target!(|text: &str| {
    let plain = normalized(text);
    assert_eq!(plain, normalized(&plain), "normalised otherwise the second time");
    for read in READERS {
        let source = read(text);
        assert_eq!(source, read(text), "read otherwise the second time");
        let json = serde_json::to_string(&source).expect("JSON");
        assert_eq!(serde_json::from_str::<SourceText>(&json).expect("what was written"), source);
        for (chunking, tokens_max) in TOKENS_MAX {
            check(&source, chunking, tokens_max);
        }
    }
});

fn check(source: &SourceText, chunking: Chunking, tokens_max: usize) {
    let passages = cut("제목", source, chunking, &estimated_tokens);
    assert_eq!(passages, cut("제목", source, chunking, &estimated_tokens), "cut otherwise");
    for passage in &passages {
        let tokens = estimated_tokens(&passage.text);
        assert!(tokens <= tokens_max, "{tokens} tokens in a passage");
        assert!(!passage.chunks.is_empty(), "a passage that nothing finds");
        for chunk in &passage.chunks {
            let terms = Terms::of("제목", "a.md", &chunk.text);
            let kept = Terms::from_bytes(&terms.to_bytes()).expect("what was written");
            assert_eq!(kept.to_bytes(), terms.to_bytes(), "kept otherwise");
        }
    }
}
