use crate::{LEXICON, asked_for, systems::systems, table::situation_of};
use proptest::prelude::*;
use wiiiv_domain::{MESSAGE_CHARS_MAX, SlotName, Slots, TaskType};
use wiiiv_language::{JOBS_LATER_MAX, ReadSignal, Situation, read};

/// Pieces that readers care about, thrown together.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("'"),
        Just("\""),
        Just("`"),
        Just("{\""),
        Just("[1"),
        Just("}"),
        Just("“"),
        Just("notes/오늘.md"),
        Just("http://h:1/"),
        Just("에"),
        Just("라고"),
        Just("써줘"),
        Just("네"),
        Just("yes"),
        Just("no"),
        Just("cancel"),
        Just("가"),
        Just("ㄱ"),
        Just("\u{1100}"),
        Just(" "),
        Just("\n"),
        Just("\u{200d}"),
        Just("\u{202e}"),
        Just("10,000"),
        Just("<="),
        Just("price"),
        Just("만"),
        Just(":"),
        Just("."),
        Just("/"),
        Just("save"),
        Just("to"),
        Just("결과"),
        Just("아까"),
        Just("\0"),
        Just("𝒳"),
        Just("skymall"),
        Just("sky"),
        Just("-"),
        Just("상품"),
        Just("목록"),
        Just("재고 시스템"),
        Just("orders"),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn situations() -> [Situation; 5] {
    let missing = [SlotName::TARGET_PATH, SlotName::CONTENT];
    let operation = asked_for(TaskType::ApiWorkflow, &[SlotName::OPERATION]);
    [
        Situation { systems: systems(), ..Situation::default() },
        Situation { systems: systems(), ..operation },
        Situation::default(),
        asked_for(TaskType::FileWrite, &missing),
        Situation { earlier_run: true, ..asked_for(TaskType::ApiWorkflow, &[SlotName::DOMAIN]) },
    ]
}

proptest! {
    #[test]
    fn never_panics_and_is_the_same_twice(text in prop_oneof![pieces(), any::<String>()]) {
        for situation in situations() {
            let reading = read(&LEXICON, &text, &situation);
            prop_assert_eq!(&reading, &read(&LEXICON, &text, &situation));
            prop_assert!((0.0..=1.0).contains(&reading.confidence));
        }
    }

    /// A yes never carries a task, and whatever is added to it is no longer one.
    #[test]
    fn a_yes_is_nothing_but_a_yes(text in pieces()) {
        let reading = read(&LEXICON, &text, &Situation::default());
        if reading.signal == ReadSignal::Affirm {
            prop_assert!(reading.task_type.is_none());
            for more in ["notes/a.md", "?", "'x'", "바꿔줘", "but not that"] {
                let longer = read(&LEXICON, &format!("{text} {more}"), &Situation::default());
                prop_assert_ne!(longer.signal, ReadSignal::Affirm);
            }
        }
    }

    /// What is quoted is content, never a command.
    #[test]
    fn quoted_words_say_nothing(inner in "[가-힣a-z ]{0,40}") {
        let text = format!("notes/a.md 에 \"{inner}\" 라고 써줘");
        let reading = read(&LEXICON, &text, &Situation::default());
        prop_assert_eq!(reading.task_type, Some(TaskType::FileWrite));
        prop_assert_eq!(reading.slots.get(SlotName::CONTENT).unwrap_or_default(), inner.trim());
    }
}

/// The committed utterances, cut, joined and sprinkled with what readers stumble over.
#[test]
#[ignore = "minutes: for `cargo xtask test --long`"]
fn mutated_utterances_are_read_to_their_end() {
    let corpus = crate::table::texts();
    let cuts = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let mutated = (cuts, pieces(), 0_usize..80, 0_usize..80);
    let config = ProptestConfig { cases: 5_000, ..ProptestConfig::default() };
    proptest!(config, |(((one, other), piece, from, to) in mutated)| {
        let head: String = one.get(&corpus).chars().take(from).collect();
        let tail: String = other.get(&corpus).chars().skip(to).collect();
        let text = format!("{head}{piece}{tail}");
        for situation in situations() {
            let reading = read(&LEXICON, &text, &situation);
            prop_assert!(reading.later.len() <= JOBS_LATER_MAX);
            prop_assert!((0.0..=1.0).contains(&reading.confidence));
        }
    });
}

/// Patterns that make a careless reader go over the rest of the text for every word.
#[test]
fn hostile_input_of_full_length_is_read_to_its_end() {
    let hostile = [
        "'a ",
        "\"",
        "{\"",
        "[1",
        "가a",
        "http://",
        "a/",
        "가",
        "저장해줘",
        "-지 ",
        "만 ",
        "a,b ",
        "price < 1 ",
        "'",
        "name, ",
        "라고 써줘 ",
        "<",
        "less than ",
        "네",
        "://",
        "1.",
        "a.b",
        "skymall ",
        "sky-",
        "상품 ",
        "재고 시스템의 상품의 ",
        "skymall orders, ",
        "go ",
        "run go ",
        "wait ",
        "아니다 ",
        "don't ",
        "지우지 마 ",
        "그리고 지워 ",
        "a.txt랑 ",
        "ㅁㄴㅇㄹ",
        "\u{1100}\u{1161}\u{11a8}",
        "e\u{301}\u{302}",
        "\u{301}",
        "\u{200b}",
        "\0",
        "１２",
        "가a1ㄱ\u{202e}",
        "wrlte ",
        "저잗해줘 ",
        "workflow ",
        "-a",
        "카테고리별 ",
        "instead of ",
        "말고 ",
    ];
    for piece in hostile {
        let full = piece.repeat(MESSAGE_CHARS_MAX / piece.chars().count());
        for situation in situations() {
            let reading = read(&LEXICON, &full, &situation);
            assert!((0.0..=1.0).contains(&reading.confidence), "{piece:?}");
        }
    }
}

/// The same of what says which rows are meant, where the systems say what their fields hold.
#[test]
fn hostile_rows_of_full_length_are_read_to_their_end() {
    let situation = situation_of("valued");
    let hostile =
        ["over ", "not ", "or ", "except food ", "cancelled or ", "식품하고 ", "my ", "일이삼사오"];
    for piece in hostile {
        let full = piece.repeat(MESSAGE_CHARS_MAX / piece.chars().count());
        let reading = read(&LEXICON, &full, &situation);
        assert!((0.0..=1.0).contains(&reading.confidence), "{piece:?}");
    }
}

/// What the fuzzer begins with, and whatever it once found.
#[test]
fn the_corpus_of_the_fuzzer_is_read_to_its_end() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/understand");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let texts: Vec<String> = files.map(|file| std::fs::read_to_string(file).unwrap()).collect();
    assert!(texts.len() >= 70, "{} texts in {folder}", texts.len());
    for text in texts {
        for situation in situations() {
            let reading = read(&LEXICON, &text, &situation);
            assert_eq!(reading, read(&LEXICON, &text, &situation), "{text:?}");
            assert!(reading.later.len() <= JOBS_LATER_MAX, "{text:?}");
        }
    }
}

#[test]
fn what_is_longer_than_a_message_is_not_read() {
    for piece in
        ["가", "ㄱ", "\u{301}", "\0", "지워줘 ", "{\"", "'", "a.txt랑 ", "\u{1100}\u{1161}"]
    {
        for chars in [MESSAGE_CHARS_MAX, 100_000] {
            let text = format!("notes/a.md 읽어줘 {}", piece.repeat(chars / piece.chars().count()));
            for situation in situations() {
                let reading = read(&LEXICON, &text, &situation);
                assert_eq!(
                    (reading.task_type, reading.signal),
                    (None, ReadSignal::Say),
                    "{piece:?}"
                );
                assert!(reading.later.is_empty() && reading.slots == Slots::default(), "{piece:?}");
            }
        }
    }
}
