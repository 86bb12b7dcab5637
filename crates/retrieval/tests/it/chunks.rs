//! Nothing is lost, and every piece has its size.

use crate::{body, body_of, letters, tokens};
use expect_test::{Expect, expect, expect_file};
use proptest::prelude::*;
use std::fmt::Write as _;
use wiiiv_retrieval::{Chunking, Part, PartKind, Passage, SourceText, cut};

const KINDS: [Chunking; 2] = [Chunking::ParentChild, Chunking::Flat];

fn part(kind: PartKind, text: &str) -> Part {
    Part { kind, text: text.to_owned(), page: None }
}

/// Words of both languages, signs that end sentences, and what is not easily cut.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => "[a-z]{1,9}[.?!]? ",
        8 => "[가-힣]{1,6}(은|를|에서|다\\.|습니다\\.|요)? ",
        1 => "[a-z]{300,600}",
        1 => "\\PC{0,40}",
        1 => Just("\n".to_owned()),
        1 => Just("👩\u{200d}👩\u{200d}👧e\u{301}\u{1f1f0}\u{1f1f7}".to_owned()),
    ];
    prop::collection::vec(word, 0..140).prop_map(|words| words.concat())
}

fn kind() -> impl Strategy<Value = PartKind> {
    prop_oneof![
        2 => (0..9_u8).prop_map(PartKind::Heading),
        6 => Just(PartKind::Paragraph),
        2 => Just(PartKind::Item),
        2 => Just(PartKind::Row),
        2 => Just(PartKind::Code),
    ]
}

fn source() -> impl Strategy<Value = SourceText> {
    let part = (kind(), text()).prop_map(|(kind, text)| match kind {
        PartKind::Heading(_) => part(kind, &text.chars().take(60).collect::<String>()),
        _ => part(kind, &text),
    });
    prop::collection::vec(part, 0..16).prop_map(|parts| SourceText::new(None, parts))
}

/// Whether all of these letters stand in the text in this order.
fn holds_in_order(text: &str, letters: &str) -> bool {
    let mut rest = text.chars();
    letters.chars().all(|letter| rest.any(|c| c == letter))
}

/// A chunk without its first line.
fn piece<'c>(chunk: &'c str, title: &str) -> &'c str {
    assert!(chunk.starts_with(title), "{chunk}");
    chunk.split_once('\n').unwrap().1
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Without headings and tables the passages are the text and nothing else.
    #[test]
    fn passages_are_the_text_in_its_order(texts in prop::collection::vec(text(), 0..12)) {
        let kinds = [PartKind::Paragraph, PartKind::Code, PartKind::Item].into_iter().cycle();
        let parts = texts.iter().zip(kinds).map(|(text, kind)| part(kind, &wiiiv_retrieval::normalized(text)));
        let source = SourceText::new(None, parts.collect());
        for kind in KINDS {
            prop_assert_eq!(body(&cut("t", &source, kind, &tokens)), body_of(&source));
        }
    }

    /// With them every part stands in its order, and every heading over its text.
    #[test]
    fn nothing_is_lost_of_any_kind(source in source()) {
        for kind in KINDS {
            let passages = cut("t", &source, kind, &tokens);
            let all = body(&passages);
            let mut shown: Vec<String> =
                passages.iter().flat_map(|passage| &passage.headings).map(|text| letters(text)).collect();
            shown.sort();
            let mut due = String::new();
            for part in &source.parts {
                let text = letters(&wiiiv_retrieval::normalized(&part.text));
                match part.kind {
                    PartKind::Heading(_) => {
                        let found = shown.binary_search(&text).is_ok() || all.contains(&text);
                        prop_assert!(found || text.is_empty(), "{text}");
                    }
                    _ => due.push_str(&text),
                }
            }
            prop_assert!(holds_in_order(&all, &due));
        }
    }

    #[test]
    fn every_piece_has_its_size(source in source()) {
        for passage in cut("제목", &source, Chunking::ParentChild, &tokens) {
            prop_assert!(tokens(&passage.text) <= 1_200);
            let whole = tokens(&passage.text);
            for chunk in &passage.chunks {
                let size = tokens(piece(&chunk.text, "제목"));
                prop_assert!(size <= 300, "{size}");
                // White space weighs nothing in the whole, but something in a piece of it.
                prop_assert!(size >= whole.min(180), "{size} of {whole}");
                prop_assert!(tokens(&chunk.text) - size <= 64 + 1);
            }
        }
        for passage in cut("제목", &source, Chunking::Flat, &tokens) {
            prop_assert!(tokens(&passage.text) <= 512);
            prop_assert_eq!(passage.chunks.len(), 1);
            prop_assert_eq!(piece(&passage.chunks[0].text, "제목"), passage.text);
        }
    }

    /// From the beginning to the end, without a gap; what two have in common is no more than 15 %, but before the end.
    #[test]
    fn chunks_cover_their_passage(texts in prop::collection::vec(text(), 1..8)) {
        let parts = texts.iter().map(|text| part(PartKind::Paragraph, text)).collect();
        for passage in cut("t", &SourceText::new(None, parts), Chunking::ParentChild, &tokens) {
            check_cover(&passage);
        }
    }

    /// No piece begins with a mark that belongs to the letter before it.
    #[test]
    fn no_letter_is_parted(letters in prop::collection::vec(prop_oneof![
        Just("e\u{301}\u{323}"), Just("👩\u{200d}👩\u{200d}👧"), Just("\u{1f1f0}\u{1f1f7}"), Just("क\u{94d}षि"), Just("한"),
    ], 0..900)) {
        let source = SourceText::plain(&letters.concat());
        for chunk in cut("t", &source, Chunking::ParentChild, &str::len).iter().flat_map(|passage| &passage.chunks) {
            let mut rest = piece(&chunk.text, "t");
            while !rest.is_empty() {
                let known = ["\u{1eb9}\u{301}", "👩\u{200d}👩\u{200d}👧", "\u{1f1f0}\u{1f1f7}", "क\u{94d}षि", "한"];
                let next = known.iter().find_map(|letter| rest.strip_prefix(letter));
                prop_assert!(next.is_some(), "{rest:?}");
                rest = next.unwrap();
            }
        }
    }
}

fn check_cover(passage: &Passage) {
    let (mut start, mut end) = (0, 0);
    for (nth, chunk) in passage.chunks.iter().enumerate() {
        let piece = piece(&chunk.text, "t");
        let found = passage.text.get(start..).unwrap().find(piece).unwrap() + start;
        let gap = passage.text.get(end..found).unwrap_or_default();
        assert!(gap.trim().is_empty(), "{gap:?} is in no chunk");
        let common = passage.text.get(found..end).unwrap_or_default();
        let is_last = nth + 1 == passage.chunks.len();
        assert!(is_last || tokens(common) <= 45, "{common}");
        start = found + piece.chars().next().map_or(0, char::len_utf8);
        end = found + piece.len();
    }
    assert_eq!(end, passage.text.len());
}

const POLICY: &str = "# 휴가 정책\n\n연차는 입사 1년차에 15일입니다. 2년차부터 16일이 부여됩니다.\n\n## 경조사\n\n\
                      - 결혼 5일\n- 출산 10일\n\n## 표\n\n| 직급 | 일수 |\n|---|---|\n| 사원 | 15 |\n| 대리 | 16 |\n\n\
                      ## 비어 있음\n";

#[track_caller]
fn check(chunking: Chunking, expect: Expect) {
    let mut shown = String::new();
    for passage in cut("정책.md", &SourceText::markdown(POLICY), chunking, &tokens) {
        let _ = writeln!(shown, "## {:?}\n{}", passage.headings, passage.text);
        for chunk in &passage.chunks {
            let _ = writeln!(shown, "--\n{}", chunk.text);
        }
    }
    expect.assert_eq(&shown);
}

#[test]
fn a_document_in_passages_of_its_sections() {
    check(
        Chunking::ParentChild,
        expect![[r###"
        ## ["휴가 정책"]
        연차는 입사 1년차에 15일입니다. 2년차부터 16일이 부여됩니다.
        --
        정책.md › 휴가 정책
        연차는 입사 1년차에 15일입니다. 2년차부터 16일이 부여됩니다.
        ## ["휴가 정책", "경조사"]
        - 결혼 5일
        - 출산 10일
        --
        정책.md › 휴가 정책 › 경조사
        - 결혼 5일
        - 출산 10일
        ## ["휴가 정책", "표"]
        | 직급 | 일수 |
        |---|---|
        | 사원 | 15 |
        | 대리 | 16 |
        --
        정책.md › 휴가 정책 › 표
        | 직급 | 일수 |
        |---|---|
        | 사원 | 15 |
        | 대리 | 16 |
        ## ["휴가 정책", "비어 있음"]
        비어 있음
        --
        정책.md › 휴가 정책 › 비어 있음
        비어 있음
    "###]],
    );
}

#[test]
fn a_document_in_flat_chunks() {
    check(
        Chunking::Flat,
        expect![[r###"
        ## ["휴가 정책"]
        휴가 정책

        연차는 입사 1년차에 15일입니다. 2년차부터 16일이 부여됩니다.

        경조사

        - 결혼 5일
        - 출산 10일

        표

        | 직급 | 일수 |
        |---|---|
        | 사원 | 15 |
        | 대리 | 16 |

        비어 있음
        --
        정책.md › 휴가 정책
        휴가 정책

        연차는 입사 1년차에 15일입니다. 2년차부터 16일이 부여됩니다.

        경조사

        - 결혼 5일
        - 출산 10일

        표

        | 직급 | 일수 |
        |---|---|
        | 사원 | 15 |
        | 대리 | 16 |

        비어 있음
    "###]],
    );
}

#[test]
fn every_piece_of_a_table_has_its_header() {
    let rows = (0..400).map(|row| format!("| {row} | 값 {row} | note number {row} |\n"));
    let table =
        format!("Intro.\n\n| id | 값 | note |\n|---|---|---|\n{}", rows.collect::<String>());
    for kind in KINDS {
        let passages = cut("t", &SourceText::markdown(&table), kind, &tokens);
        assert!(passages.len() > 3);
        for chunk in passages.iter().flat_map(|passage| &passage.chunks) {
            assert_eq!(chunk.text.matches("|---|---|---|").count(), 1, "{}", chunk.text);
        }
        let all =
            passages.iter().map(|passage| passage.text.as_str()).collect::<Vec<_>>().join("\n");
        assert_eq!(all.matches("note number ").count(), 400);
    }
    // A header that is a text of its own is not said again and again.
    let long = table.replacen("note |", &format!("{} |", "word ".repeat(500)), 1);
    let passages = cut("t", &SourceText::markdown(&long), Chunking::ParentChild, &tokens);
    assert_eq!(passages.iter().filter(|passage| passage.text.contains("|---|---|---|")).count(), 1);
}

#[test]
fn code_is_cut_between_definitions() {
    let function = |nth: usize| {
        let lines = (0..12).map(|line| format!("    let value_{line} = compute({nth}, {line});\n"));
        format!("/// Number {nth}.\npub fn function_{nth}() {{\n{}}}\n", lines.collect::<String>())
    };
    let code: Vec<String> = (0..60).map(function).collect();
    let source = SourceText::code(&code.join("\n"), "rust");
    assert_eq!(source.parts.len(), 60);
    for passage in cut("lib.rs", &source, Chunking::ParentChild, &tokens) {
        assert!(passage.text.starts_with("/// Number ") && passage.text.ends_with('}'));
    }
}

/// A citation names one page: the words stand on it.
#[test]
fn no_passage_stands_on_two_pages() {
    let on = |page, kind, text: &str| Part { page: Some(page), ..part(kind, text) };
    let source = SourceText::new(
        None,
        vec![
            on(1, PartKind::Heading(1), "Printer"),
            on(1, PartKind::Paragraph, "The printer stands on the third floor."),
            on(2, PartKind::Paragraph, "Toner is in the cabinet beside it,"),
            on(2, PartKind::Row, "| colour | shelf |"),
            on(3, PartKind::Row, "| cyan | 2 |"),
            on(3, PartKind::Paragraph, "Call 1234 when it is empty."),
        ],
    );
    let passages = cut("Manual", &source, Chunking::ParentChild, &tokens);
    let shown: Vec<_> =
        passages.iter().map(|passage| (passage.page, passage.text.as_str())).collect();
    let due = [
        (Some(1), "The printer stands on the third floor."),
        (Some(2), "Toner is in the cabinet beside it,\n\n| colour | shelf |"),
        (Some(3), "| colour | shelf |\n| cyan | 2 |\n\nCall 1234 when it is empty."),
    ];
    assert_eq!(shown, due);
    assert!(passages.iter().all(|passage| passage.headings == ["Printer"]));
}

#[test]
fn pages_and_long_headings() {
    let heading = Part { page: Some(2), ..part(PartKind::Heading(1), "H") };
    let text = Part { page: Some(3), ..part(PartKind::Paragraph, "text") };
    let long = part(PartKind::Heading(2), &"긴 제목 ".repeat(100));
    let source = SourceText::new(None, vec![heading.clone(), text, heading, long]);
    let passages = cut("", &source, Chunking::ParentChild, &tokens);
    let pages: Vec<_> = passages.iter().map(|passage| passage.page).collect();
    assert_eq!(pages, [Some(3), None], "where its text begins");
    assert!(passages[1].text.starts_with("긴 제목 긴"));
    assert_eq!(passages[0].chunks[0].text, "H\ntext");
    assert!(cut("", &SourceText::plain(" \n"), Chunking::Flat, &tokens).is_empty());
}

/// Other hashes mean that every document is embedded again: then a version has to be another one too.
#[test]
fn hashes_are_the_same_in_every_run() {
    let mut shown = String::new();
    for kind in KINDS {
        for chunk in cut("정책.md", &SourceText::markdown(POLICY), kind, &tokens)
            .iter()
            .flat_map(|passage| &passage.chunks)
        {
            let _ = writeln!(shown, "{}", chunk.hash);
        }
    }
    expect_file!["../fixtures/hashes.txt"].assert_eq(&shown);
}
