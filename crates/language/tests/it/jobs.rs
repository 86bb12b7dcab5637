//! Messages of many jobs, and what points to the file of one.

use crate::{LEXICON, table::situation_of};
use std::fmt::Write as _;
use wiiiv_domain::{SlotName, Slots, TaskType};
use wiiiv_language::{JOBS_LATER_MAX, Lost, ReadSignal, Reading, Situation, read};

fn heard(text: &str) -> Reading {
    read(&LEXICON, text, &situation_of("fresh"))
}

fn after_file(path: &str) -> Situation {
    let mut ran = Slots::default();
    ran.set(SlotName::TARGET_PATH, path).unwrap();
    Situation { ran, ..situation_of("earlier") }
}

/// In every form: nothing is taken, and the reading says so.
#[test]
fn more_jobs_than_there_is_room_for_are_told() {
    for count in [9, 20, 60, 400] {
        let (mut en, mut ko, mut list) = (String::new(), String::new(), "delete ".to_owned());
        for nth in 0..count {
            let _ = write!(en, "write '{nth}' to f{nth}.txt and ");
            let _ = write!(ko, "f{nth}.txt에 '{nth}' 쓰고 ");
            let _ = write!(list, "f{nth}.txt, ");
        }
        let ends = [format!("{en}read z.txt"), format!("{ko}z.txt 읽어줘"), list];
        for text in ends {
            let reading = heard(&text);
            assert_eq!(reading.lost, Some(Lost::TooMany), "{count}: {text:.60}");
            assert!(reading.task_type.is_none() && reading.later.is_empty());
        }
    }
}

#[test]
fn as_many_as_there_is_room_for_are_taken() {
    let jobs: Vec<String> = (0..=JOBS_LATER_MAX).map(|nth| format!("read f{nth}.txt")).collect();
    let reading = heard(&jobs.join(", "));
    assert_eq!((reading.later.len(), reading.lost), (JOBS_LATER_MAX, None));
}

#[test]
fn what_is_half_understood_is_not_half_done() {
    for text in [
        "a.txt 지우고 노래 불러줘",
        "copy a.txt to b.txt and delete c.txt",
        "a.txt를 b.txt로 복사하고 c.txt 지워줘",
        "write 'hello' to a.txt and delete the old server",
    ] {
        let reading = heard(text);
        assert_eq!((reading.task_type, reading.lost), (None, Some(Lost::Half)), "{text}");
    }
}

#[test]
fn a_file_that_was_spoken_of_is_pointed_to() {
    for (text, task) in [
        ("delete it", TaskType::FileDelete),
        ("그거 지워줘", TaskType::FileDelete),
        ("open that file again", TaskType::FileRead),
        ("아까 그 파일 다시 읽어줘", TaskType::FileRead),
        ("그 파일에 'x' 추가해줘", TaskType::FileWrite),
    ] {
        let reading = read(&LEXICON, text, &after_file("b.txt"));
        assert_eq!(reading.task_type, Some(task), "{text}");
        assert_eq!(reading.slots.get(SlotName::TARGET_PATH), Some("b.txt"), "{text}");
        assert_eq!(reading.signal, ReadSignal::FollowUp, "{text}");
        assert_eq!(heard(text).slots.get(SlotName::TARGET_PATH), None, "{text}");
    }
}

/// The file of what waits, or the one before it: neither is guessed.
#[test]
fn of_two_files_none_is_pointed_to() {
    let mut known = Slots::default();
    known.set(SlotName::TARGET_PATH, "k.txt").unwrap();
    let ran = after_file("b.txt").ran;
    let waiting = Situation { ran, known, ..situation_of("confirming FILE_WRITE") };
    for text in ["delete it", "그거 지워줘", "지워줘"] {
        assert_eq!(read(&LEXICON, text, &waiting).task_type, None, "{text}");
    }
}
