//! What nothing reads beside what is done to files: it is asked about, and what only explains is not.

use crate::{LEXICON, table::situation_of};
use wiiiv_language::{Lost, Reading, read};

/// A part of each would be lost.
const UNHEARD: [&str; 35] = [
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
/// Each says when, why or how kindly, and no more.
const EXPLAINED: [&str; 46] = [
    "delete b.txt forever",
    "delete b.txt and leave c.txt alone",
    "b.txt 지우고 결과 알려줘",
    "write 'x' to b.txt and nothing else",
    "delete b.txt, it's useless",
    "delete b.txt, bob doesn't need it",
    "delete b.txt, my boss is fine with it",
    "delete b.txt since nobody reads it",
    "delete b.txt as it is outdated",
    "delete b.txt to free up space",
    "delete b.txt for the meeting",
    "delete b.txt please and thank you",
    "delete b.txt, thanks a lot",
    "delete b.txt, dear",
    "hey, delete b.txt quickly",
    "i'm in a hurry, delete b.txt",
    "ok so delete b.txt now",
    "we are done with it so delete b.txt",
    "delete b.txt permanently",
    "can you please delete the file b.txt right away",
    "write 'buy milk' to b.txt so i remember it",
    "write 'buy milk' to b.txt because i always forget",
    "write 'buy milk' to b.txt for my wife",
    "write milk, eggs and bread to b.txt",
    "create b.txt with eggs, milk and bread in it",
    "add 'call mom' to b.txt and delete c.txt",
    "read b.txt and then delete it",
    "read b.txt and show c.txt",
    "read b.txt, and be quick",
    "read b.txt and that's it",
    "b.txt 지워줘 더 이상 필요 없거든",
    "회의 준비 때문에 b.txt 읽어줘",
    "시간이 없으니까 b.txt 빨리 지워줘",
    "내일 발표라서 그런데 b.txt 보여줘",
    "b.txt에 '우유'라고 적어줘 까먹을까봐",
    "b.txt에 우유, 계란, 빵 적어줘",
    "b.txt 읽고 지워줘",
    "b.txt 읽어주고 c.txt도 보여줘",
    "b.txt 만들고 '안녕'이라고 써줘",
    "b.txt에 '안녕' 써주고 보여줘",
    "혹시 b.txt 좀 지워줄 수 있을까?",
    "b.txt 지워줘 부탁해",
    "b.txt 지우고 알려줘",
    "delete b.txt and let me know",
    "안녕, b.txt 읽어줘",
    "배고프네. b.txt 보여줘",
];
/// What another rule may learn to do: both jobs, or none.
const BOTH: [&str; 5] = [
    "delete b.txt and buy 3 of product 7",
    "delete old.txt and order 2 of product 114 for user 3",
    "order 2 of product 114 for user 3 and delete old.txt",
    "delete old.txt, list the suppliers and say hi",
    "show the suppliers and the warehouses and write 'ok' to a.txt",
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

#[test]
fn what_only_explains_stops_nothing() {
    for text in EXPLAINED {
        let reading = heard(text);
        assert_eq!(reading.lost, None, "{text}");
        let job = reading.task_type.filter(|task| !task.is_talk());
        assert!(job.is_some(), "{text}");
    }
}

#[test]
fn all_of_it_is_done_or_nothing() {
    for text in BOTH {
        let reading = heard(text);
        let jobs = reading.later.iter().filter(|job| !job.task_type.is_talk()).count();
        assert!(jobs > 0 || reading.lost == Some(Lost::Half), "{text}: {reading:?}");
    }
}
