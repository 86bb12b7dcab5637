//! What nothing reads beside what is done to files: it is asked about, and what only explains is not.

use crate::{LEXICON, table::situation_of};
use wiiiv_domain::{SlotName, Slots, TaskType};
use wiiiv_language::{Lost, Reading, read};

/// A part of each would be lost.
const UNHEARD: [&str; 66] = [
    "delete old.txt and tell the boss it's finished",
    "delete old.txt and warn ann i am home",
    "delete old.txt and water the roses that we have",
    "delete b.txt and that report",
    "delete b.txt and for ann the copy",
    "delete b.txt and can you walk the dog",
    "delete b.txt and i need you to walk the dog",
    "delete b.txt, walk the dog",
    "delete b.txt, sing me something",
    "write bread to b.txt and eat bread",
    "delete recipes.txt and frame the recipes",
    "write milk to b.txt and write bread",
    "b.txt에 우유라고 적고 우유 데워줘",
    "b.txt에 '꽃 사기' 적고 꽃병 닦아줘",
    "b.txt에 '손 씻기' 적고 손톱 깎아줘",
    "메모.txt 읽고 이어서 에어컨 꺼줘",
    "메모.txt 보여주고 마지막에 문 닫아줘",
    "b.txt 읽고 마지막에 창문 열어줘",
    "b.txt에 '끝' 적어줘. 맨 끝에 불 켜줘",
    "b.txt 지우고 나가줘",
    "b.txt 읽고 도와줘",
    "메모.txt 읽고 에어컨 꺼",
    "메모.txt 읽고 노래 틀어",
    "청소하고 노트.txt 읽어줘",
    "밥 먹고 노트.txt 읽어줘",
    "b.txt 복구해서 보여줘",
    "restore b.txt and show it",
    "read b.txt and dance",
    "write 'x' to b.txt from my phone three times",
    "write hello to b.txt and thanks",
    "b.txt에 '안녕' 네 번 적어줘",
    "write hi to b.txt and 'bye' too",
    "put eggs into b.txt and 'milk' as well",
    "read notes.txt and dim the screen",
    "read notes.txt, then water the plants",
    "메모.txt 읽고 창문 닫아줘",
    "노트.txt 지우고 노래 불러줘",
    "노래 틀고 노트.txt 읽어줘",
    "sing something and delete b.txt",
    "delete b.txt and book a table for two",
    "delete b.txt, book me a flight",
    "write 'hi' to b.txt and wake the kids",
    "write 'hi' to b.txt twice",
    "write 'hi' to b.txt five times",
    "write 'hi' to b.txt in french",
    "write 'hi' to b.txt with the current time",
    "b.txt에 '안녕' 세 번 적어줘",
    "b.txt에 '안녕' 3번 써줘",
    "b.txt에 '안녕'이랑 오늘 날짜 적어줘",
    "delete b.txt and every pdf",
    "delete b.txt and the backups",
    "delete b.txt plus the drafts",
    "b.txt 지우고 강아지 산책시켜줘",
    "b.txt 지우고 커튼 좀 쳐주세요",
    "b.txt 읽고 커피 한 잔 타줘",
    "b.txt에 '끝'이라고 적고 회의실 잡아줘",
    "read b.txt and pour me a drink",
    "read b.txt and play the next song",
    "delete b.txt and restart the computer",
    "delete b.txt, then lock the door",
    "delete b.txt and reboot",
    "show b.txt and brew coffee",
    "b.txt 읽어줘. 그리고 에어컨 켜줘",
    "delete b.txt. then feed the cat",
    "read b.txt and vacuum the floor",
    "list the products and write 'ok' to b.txt and hum a tune",
];
/// What each is to do, beside what only says when, why or how kindly.
const EXPLAINED: [(&str, &str); 68] = [
    ("참고 자료.txt 읽어줘", "FILE_READ 자료.txt"),
    ("보고 문서.txt 보여줘", "FILE_READ 문서.txt"),
    ("경고 목록.txt 읽어줘", "FILE_READ 목록.txt"),
    ("b.txt 한 번 지워줘", "FILE_DELETE b.txt"),
    ("b.txt 한번만 보여줘", "FILE_READ b.txt"),
    ("b.txt에 '안녕' 한 번 적어줘", "FILE_WRITE b.txt"),
    ("복구 절차.txt 보여줘", "FILE_READ 절차.txt"),
    ("복원 순서.txt 읽어줘", "FILE_READ 순서.txt"),
    ("delete b.txt, much obliged", "FILE_DELETE b.txt"),
    ("delete b.txt, old rubbish", "FILE_DELETE b.txt"),
    ("delete b.txt, best regards", "FILE_DELETE b.txt"),
    ("delete b.txt from my laptop", "FILE_DELETE b.txt"),
    ("write 'x' to b.txt from my phone", "FILE_WRITE b.txt"),
    ("delete b.txt and because it is stale", "FILE_DELETE b.txt"),
    ("delete b.txt and so on", "FILE_DELETE b.txt"),
    ("delete b.txt and my boss is fine with it", "FILE_DELETE b.txt"),
    ("delete b.txt because i play there", "FILE_DELETE b.txt"),
    ("i need you to delete b.txt", "FILE_DELETE b.txt"),
    ("b.txt 지워줘 노래 불러야 해서", "FILE_DELETE b.txt"),
    ("b.txt에 우유, 달걀, 빵 이라고 적어줘", "FILE_WRITE b.txt"),
    ("b.txt에 '안녕' 써줘. 맨 끝에 붙여줘", "FILE_WRITE b.txt"),
    ("b.txt에 '안녕' 써줘. 그리고 기존 내용은 남기고", "FILE_WRITE b.txt"),
    ("delete b.txt forever", "FILE_DELETE b.txt"),
    ("delete b.txt and leave c.txt alone", "FILE_DELETE b.txt"),
    ("b.txt 지우고 결과 알려줘", "FILE_DELETE b.txt"),
    ("write 'x' to b.txt and nothing else", "FILE_WRITE b.txt"),
    ("delete b.txt, it's useless", "FILE_DELETE b.txt"),
    ("delete b.txt, bob doesn't need it", "FILE_DELETE b.txt"),
    ("delete b.txt, my boss is fine with it", "FILE_DELETE b.txt"),
    ("delete b.txt since nobody reads it", "FILE_DELETE b.txt"),
    ("delete b.txt as it is outdated", "FILE_DELETE b.txt"),
    ("delete b.txt to free up space", "FILE_DELETE b.txt"),
    ("delete b.txt for the meeting", "FILE_DELETE b.txt"),
    ("delete b.txt please and thank you", "FILE_DELETE b.txt"),
    ("delete b.txt, thanks a lot", "FILE_DELETE b.txt"),
    ("delete b.txt, dear", "FILE_DELETE b.txt"),
    ("hey, delete b.txt quickly", "FILE_DELETE b.txt"),
    ("i'm in a hurry, delete b.txt", "FILE_DELETE b.txt"),
    ("ok so delete b.txt now", "FILE_DELETE b.txt"),
    ("we are done with it so delete b.txt", "FILE_DELETE b.txt"),
    ("delete b.txt permanently", "FILE_DELETE b.txt"),
    ("can you please delete the file b.txt right away", "FILE_DELETE b.txt"),
    ("write 'buy milk' to b.txt so i remember it", "FILE_WRITE b.txt"),
    ("write 'buy milk' to b.txt because i always forget", "FILE_WRITE b.txt"),
    ("write 'buy milk' to b.txt for my wife", "FILE_WRITE b.txt"),
    ("write milk, eggs and bread to b.txt", "FILE_WRITE b.txt"),
    ("create b.txt with eggs, milk and bread in it", "FILE_WRITE b.txt"),
    ("add 'call mom' to b.txt and delete c.txt", "FILE_WRITE b.txt, FILE_DELETE c.txt"),
    ("read b.txt and then delete it", "FILE_READ b.txt, FILE_DELETE b.txt"),
    ("read b.txt and show c.txt", "FILE_READ b.txt, FILE_READ c.txt"),
    ("read b.txt, and be quick", "FILE_READ b.txt"),
    ("read b.txt and that's it", "FILE_READ b.txt"),
    ("b.txt 지워줘 더 이상 필요 없거든", "FILE_DELETE b.txt"),
    ("회의 준비 때문에 b.txt 읽어줘", "FILE_READ b.txt"),
    ("시간이 없으니까 b.txt 빨리 지워줘", "FILE_DELETE"),
    ("내일 발표라서 그런데 b.txt 보여줘", "FILE_READ b.txt"),
    ("b.txt에 '우유'라고 적어줘 까먹을까봐", "FILE_WRITE b.txt"),
    ("b.txt에 우유, 계란, 빵 적어줘", "FILE_WRITE b.txt"),
    ("b.txt 읽고 지워줘", "FILE_READ b.txt, FILE_DELETE b.txt"),
    ("b.txt 읽어주고 c.txt도 보여줘", "FILE_READ b.txt, FILE_READ c.txt"),
    ("b.txt 만들고 '안녕'이라고 써줘", "FILE_WRITE b.txt"),
    ("b.txt에 '안녕' 써주고 보여줘", "FILE_WRITE b.txt, FILE_READ b.txt"),
    ("혹시 b.txt 좀 지워줄 수 있을까?", "FILE_DELETE b.txt"),
    ("b.txt 지워줘 부탁해", "FILE_DELETE b.txt"),
    ("b.txt 지우고 알려줘", "FILE_DELETE b.txt"),
    ("delete b.txt and let me know", "FILE_DELETE b.txt"),
    ("안녕, b.txt 읽어줘", "FILE_READ b.txt"),
    ("배고프네. b.txt 보여줘", "FILE_READ b.txt"),
];
/// What another rule may learn to do: all of so many jobs, or none.
const BOTH: [(&str, usize); 5] = [
    ("delete b.txt and buy 3 of product 7", 2),
    ("delete old.txt and order 2 of product 114 for user 3", 2),
    ("order 2 of product 114 for user 3 and delete old.txt", 2),
    ("delete old.txt, list the suppliers and say hi", 2),
    ("show the suppliers and the warehouses and write 'ok' to a.txt", 3),
];

fn heard(text: &str) -> Reading {
    read(&LEXICON, text, &situation_of("fresh"))
}

#[test]
fn what_nothing_reads_stops_the_jobs_beside_it() {
    for text in UNHEARD {
        let reading = heard(text);
        assert_eq!((reading.task_type, reading.lost), (None, Some(Lost::Half)), "{text}");
    }
}

/// Each job that does something, with its file.
fn done(reading: &Reading) -> Vec<String> {
    let first = reading.task_type.map(|task| (task, &reading.slots));
    let later = reading.later.iter().map(|job| (job.task_type, &job.slots));
    let jobs = first.into_iter().chain(later).filter(|(task, _)| !task.is_talk());
    let shown = |(task, slots): (TaskType, &Slots)| {
        let path = slots.get(SlotName::TARGET_PATH).unwrap_or_default();
        format!("{} {path}", task.as_str()).trim_end().to_owned()
    };
    jobs.map(shown).collect()
}

#[test]
fn what_only_explains_stops_nothing() {
    for (text, jobs) in EXPLAINED {
        let reading = heard(text);
        assert_eq!((done(&reading).join(", ").as_str(), reading.lost), (jobs, None), "{text}");
    }
}

#[test]
fn all_of_it_is_done_or_nothing() {
    for (text, jobs) in BOTH {
        let reading = heard(text);
        let done = done(&reading).len();
        assert!(done == jobs || done == 0 && reading.lost.is_some(), "{text}: {reading:?}");
    }
}
