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
        assert_eq!(read(&LEXICON, text, &waiting).slots.get(SlotName::TARGET_PATH), None, "{text}");
    }
}

/// A write is asked about; a deletion and a reading wait behind it.
fn several() -> Situation {
    let file = |path: &str| {
        let mut slots = Slots::default();
        slots.set(SlotName::TARGET_PATH, path).unwrap();
        slots
    };
    let waiting = vec![(TaskType::FileDelete, file("b.txt")), (TaskType::FileRead, file("c.md"))];
    Situation { waiting, ..situation_of("confirming FILE_WRITE targetPath=k1.txt content=a") }
}

#[test]
fn one_of_several_is_left_out_and_the_others_stay() {
    for (text, signal) in [
        ("wait don't delete b.txt", ReadSignal::LeaveOut(1)),
        ("skip the delete", ReadSignal::LeaveOut(1)),
        ("cancel the delete", ReadSignal::LeaveOut(1)),
        ("삭제는 취소", ReadSignal::LeaveOut(1)),
        ("지우는 건 빼줘", ReadSignal::LeaveOut(1)),
        ("not the second one", ReadSignal::LeaveOut(1)),
        ("마지막 건 건너뛰어줘", ReadSignal::LeaveOut(2)),
        ("don't touch c.md", ReadSignal::LeaveOut(2)),
        ("첫번째는 취소", ReadSignal::Deny),
        ("k1.txt는 쓰지 마", ReadSignal::Deny),
        ("don't touch other.md", ReadSignal::Say),
        ("취소", ReadSignal::Cancel),
        ("c.md 말고 d.md 읽어줘", ReadSignal::Modify),
    ] {
        assert_eq!(read(&LEXICON, text, &several()).signal, signal, "{text}");
    }
}

/// Nothing is active: what alone can be meant of what was put aside is declined, and what is asked
/// for beside it is no such no.
#[test]
fn what_was_put_aside_is_declined_by_what_it_does() {
    let aside = several().waiting;
    let held = || Situation { aside: aside.clone(), ..Situation::default() };
    let two = || Situation { aside: vec![aside[0].clone(); 2], ..Situation::default() };
    let deletes = || Situation { aside: aside.clone(), ..situation_of("confirming FILE_DELETE") };
    for (text, signal) in [
        ("그럼 지우지 마", ReadSignal::LeaveOut(1)),
        ("then don't delete it", ReadSignal::LeaveOut(1)),
        ("b.txt는 지우지 말아줘", ReadSignal::LeaveOut(1)),
        ("skip the delete", ReadSignal::LeaveOut(1)),
        ("don't delete other.txt", ReadSignal::Say),
    ] {
        assert_eq!(read(&LEXICON, text, &held()).signal, signal, "{text}");
        assert!(!matches!(read(&LEXICON, text, &two()).signal, ReadSignal::LeaveOut(_)), "{text}");
    }
    for other in ["b.txt 지우지 말고 읽어줘", "don't delete b.txt, write 'x' to it"] {
        let signal = read(&LEXICON, other, &held()).signal;
        assert!(!matches!(signal, ReadSignal::LeaveOut(_)), "{other}: {signal:?}");
    }
    assert_eq!(read(&LEXICON, "지우지 마", &deletes()).signal, ReadSignal::Deny);
}

/// A word more and the other would be deleted: it is out, by whichever end it was said.
#[test]
fn the_one_that_is_named_alone_is_kept() {
    let two = || Situation { waiting: several().waiting[..1].to_vec(), ..several() };
    for (text, signal) in [
        ("no, only k1.txt", ReadSignal::LeaveOut(1)),
        ("just k1.txt please", ReadSignal::LeaveOut(1)),
        ("아니 k1.txt만", ReadSignal::LeaveOut(1)),
        ("no, only b.txt", ReadSignal::Deny),
        ("b.txt만 해줘", ReadSignal::Deny),
        ("no, only other.txt", ReadSignal::Modify),
    ] {
        assert_eq!(read(&LEXICON, text, &two()).signal, signal, "{text}");
    }
    // Of three two would go, and which is asked.
    let reading = read(&LEXICON, "no, only b.txt", &several());
    assert_eq!((reading.signal, reading.lost), (ReadSignal::Say, Some(Lost::Half)));
}

#[test]
fn a_cancel_of_everything_says_so() {
    for (text, everything) in [
        ("cancel everything", true),
        ("전부 취소", true),
        ("다 취소해줘", true),
        ("취소합니다", false),
    ] {
        let reading = read(&LEXICON, text, &several());
        assert_eq!(
            (reading.signal, reading.everything),
            (ReadSignal::Cancel, everything),
            "{text}"
        );
    }
}
