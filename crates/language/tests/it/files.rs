use crate::{LEXICON, asked_for, check, check_in, table::situation_of};
use expect_test::expect;
use wiiiv_domain::{SlotName, Slots, TaskType};
use wiiiv_language::{Lost, Situation, read};

#[test]
fn writing_in_korean() {
    check(
        "
        노트 파일 notes/오늘.md 에 '회의 3시' 라고 써줘
        노트 파일 notes/오늘.md에 '회의 3시'라고 써줘
        notes/오늘.md에다가 \"회의 3시\" 라고 적어 주세요
        notes/오늘.md 에 회의 3시 라고 써줘
        notes/오늘.md에 회의 3시라고 적어줘
        “회의 3시”를 notes/오늘.md로 저장해줘
        「회의 3시」 를 메모 notes/오늘.md 에 남겨줘
        notes/오늘.md 에 ‘내일 발표’ 기록해
        notes/오늘.md: 우유, 달걀, 빵 이라고 써줘
        할일.txt 파일 만들어줘
        할일.txt 파일을 만들고 '장보기' 라고 적어줘
        data/값.json 에 {\"a\": [1, 2]} 저장해줘
        notes/오늘.md 에 '삭제해줘' 라고 써줘
        '내 노트/오늘 할일.md' 파일에 '장보기'라고 써줘
        notes/a.md 말고 notes/b.md 에 '안녕' 이라고 써줘
        파일에 써줘
        메모해줘 회의 3시
        notes/오늘.md 에 써줘
        ",
        expect![[r#"
            노트 파일 notes/오늘.md 에 '회의 3시' 라고 써줘
                ko Say FILE_WRITE content="회의 3시" targetPath="notes/오늘.md"
            노트 파일 notes/오늘.md에 '회의 3시'라고 써줘
                ko Say FILE_WRITE content="회의 3시" targetPath="notes/오늘.md"
            notes/오늘.md에다가 "회의 3시" 라고 적어 주세요
                ko Say FILE_WRITE content="회의 3시" targetPath="notes/오늘.md"
            notes/오늘.md 에 회의 3시 라고 써줘
                ko Say FILE_WRITE content="회의 3시" targetPath="notes/오늘.md"
            notes/오늘.md에 회의 3시라고 적어줘
                ko Say FILE_WRITE content="회의 3시" targetPath="notes/오늘.md"
            “회의 3시”를 notes/오늘.md로 저장해줘
                ko Say FILE_WRITE content="회의 3시" targetPath="notes/오늘.md"
            「회의 3시」 를 메모 notes/오늘.md 에 남겨줘
                ko Say FILE_WRITE content="회의 3시" targetPath="notes/오늘.md"
            notes/오늘.md 에 ‘내일 발표’ 기록해
                ko Say FILE_WRITE append="true" content="내일 발표" targetPath="notes/오늘.md"
            notes/오늘.md: 우유, 달걀, 빵 이라고 써줘
                ko Say FILE_WRITE content="우유, 달걀, 빵" targetPath="notes/오늘.md"
            할일.txt 파일 만들어줘
                ko Say FILE_WRITE targetPath="할일.txt"
            할일.txt 파일을 만들고 '장보기' 라고 적어줘
                ko Say FILE_WRITE content="장보기" targetPath="할일.txt"
            data/값.json 에 {"a": [1, 2]} 저장해줘
                ko Say FILE_WRITE content="{\"a\": [1, 2]}" targetPath="data/값.json"
            notes/오늘.md 에 '삭제해줘' 라고 써줘
                ko Say FILE_WRITE content="삭제해줘" targetPath="notes/오늘.md"
            '내 노트/오늘 할일.md' 파일에 '장보기'라고 써줘
                ko Say FILE_WRITE content="장보기" targetPath="내 노트/오늘 할일.md"
            notes/a.md 말고 notes/b.md 에 '안녕' 이라고 써줘
                ko Say FILE_WRITE content="안녕" targetPath="notes/b.md"
            파일에 써줘
                ko Say FILE_WRITE
            메모해줘 회의 3시
                ko Say -
            notes/오늘.md 에 써줘
                ko Say FILE_WRITE targetPath="notes/오늘.md"
        "#]],
    );
}

#[test]
fn writing_in_english() {
    check(
        "
        write '3pm meeting' to the note file notes/today.md
        Please write \"3pm meeting\" to notes/today.md.
        could you save '3pm meeting' in notes/today.md?
        write 3pm meeting to notes/today.md
        write it's fine to notes/today.md
        save milk and eggs into the file shopping.txt
        notes/today.md: write milk and eggs
        write to notes/today.md: milk, eggs and bread
        create a file notes/today.md saying hello world
        make a note notes/today.md that says 'hello'
        add 'milk' to shopping.txt
        write 'a' to notes/b.md instead of notes/c.md
        write to notes/today.md
        write a note
        save the file
        write '# Title' in ./README.md
        put {\"a\":1} in data.json
        write 'a.md' to notes/b.md
        ",
        expect![[r##"
            write '3pm meeting' to the note file notes/today.md
                en Say FILE_WRITE content="3pm meeting" targetPath="notes/today.md"
            Please write "3pm meeting" to notes/today.md.
                en Say FILE_WRITE content="3pm meeting" targetPath="notes/today.md"
            could you save '3pm meeting' in notes/today.md?
                en Say FILE_WRITE content="3pm meeting" targetPath="notes/today.md"
            write 3pm meeting to notes/today.md
                en Say FILE_WRITE content="3pm meeting" targetPath="notes/today.md"
            write it's fine to notes/today.md
                en Say FILE_WRITE content="it's fine" targetPath="notes/today.md"
            save milk and eggs into the file shopping.txt
                en Say FILE_WRITE content="milk and eggs" targetPath="shopping.txt"
            notes/today.md: write milk and eggs
                en Say FILE_WRITE content="write milk and eggs" targetPath="notes/today.md"
            write to notes/today.md: milk, eggs and bread
                en Say FILE_WRITE content="milk, eggs and bread" targetPath="notes/today.md"
            create a file notes/today.md saying hello world
                en Say FILE_WRITE content="hello world" targetPath="notes/today.md"
            make a note notes/today.md that says 'hello'
                en Say FILE_WRITE content="hello" targetPath="notes/today.md"
            add 'milk' to shopping.txt
                en Say FILE_WRITE append="true" content="milk" targetPath="shopping.txt"
            write 'a' to notes/b.md instead of notes/c.md
                en Say FILE_WRITE content="a" targetPath="notes/b.md"
            write to notes/today.md
                en Say FILE_WRITE targetPath="notes/today.md"
            write a note
                en Say FILE_WRITE
            save the file
                en Say FILE_WRITE
            write '# Title' in ./README.md
                en Say FILE_WRITE content="# Title" targetPath="./README.md"
            put {"a":1} in data.json
                en Say FILE_WRITE content="{\"a\":1}" targetPath="data.json"
            write 'a.md' to notes/b.md
                en Say FILE_WRITE content="a.md" targetPath="notes/b.md"
        "##]],
    );
}

#[test]
fn reading() {
    check(
        "
        notes/오늘.md 읽어줘
        notes/오늘.md파일 읽어 줘
        notes/오늘.md 내용 보여줘
        notes/오늘.md 에 뭐라고 써 있어?
        notes/오늘.md 내용이 뭐야?
        /report.json 열어줘
        회의 기록 파일 notes/회의.md 읽어줘
        노트 읽어줘
        read notes/today.md
        Can you show me notes/today.md?
        what's in notes/today.md?
        open 'my notes/today.md'
        read /etc/passwd
        ",
        expect![[r#"
            notes/오늘.md 읽어줘
                ko Say FILE_READ targetPath="notes/오늘.md"
            notes/오늘.md파일 읽어 줘
                ko Say FILE_READ targetPath="notes/오늘.md"
            notes/오늘.md 내용 보여줘
                ko Say FILE_READ targetPath="notes/오늘.md"
            notes/오늘.md 에 뭐라고 써 있어?
                ko Say FILE_READ targetPath="notes/오늘.md"
            notes/오늘.md 내용이 뭐야?
                ko Say FILE_READ targetPath="notes/오늘.md"
            /report.json 열어줘
                ko Say FILE_READ targetPath="/report.json"
            회의 기록 파일 notes/회의.md 읽어줘
                ko Say FILE_READ targetPath="notes/회의.md"
            노트 읽어줘
                ko Say FILE_READ
            read notes/today.md
                en Say FILE_READ targetPath="notes/today.md"
            Can you show me notes/today.md?
                en Say FILE_READ targetPath="notes/today.md"
            what's in notes/today.md?
                en Say FILE_READ targetPath="notes/today.md"
            open 'my notes/today.md'
                en Say FILE_READ targetPath="my notes/today.md"
            read /etc/passwd
                en Say FILE_READ targetPath="/etc/passwd"
        "#]],
    );
}

#[test]
fn deleting() {
    check(
        "
        notes/오늘.md 삭제해줘
        notes/오늘.md 지워 주세요
        notes/오늘.md 파일 없애줘
        파일 삭제해줘
        delete notes/today.md
        please remove the file notes/old.txt
        get rid of notes/today.md
        delete notes/old
        don't delete notes/today.md
        notes/오늘.md 삭제하지 마
        notes/오늘.md 지우지 말아줘
        ",
        expect![[r#"
            notes/오늘.md 삭제해줘
                ko Say FILE_DELETE targetPath="notes/오늘.md"
            notes/오늘.md 지워 주세요
                ko Say FILE_DELETE targetPath="notes/오늘.md"
            notes/오늘.md 파일 없애줘
                ko Say FILE_DELETE targetPath="notes/오늘.md"
            파일 삭제해줘
                ko Say FILE_DELETE
            delete notes/today.md
                en Say FILE_DELETE targetPath="notes/today.md"
            please remove the file notes/old.txt
                en Say FILE_DELETE targetPath="notes/old.txt"
            get rid of notes/today.md
                en Say FILE_DELETE targetPath="notes/today.md"
            delete notes/old
                en Say FILE_DELETE targetPath="notes/old"
            don't delete notes/today.md
                en Say -
            notes/오늘.md 삭제하지 마
                ko Say -
            notes/오늘.md 지우지 말아줘
                ko Say -
        "#]],
    );
}

#[test]
fn earlier_results() {
    let situation = Situation { earlier_run: true, ..Situation::default() };
    check_in(
        &situation,
        "
        아까 그 결과를 copy.json 에 저장해줘
        방금 결과 copy.json으로 저장
        그거 copy.json 에 저장해줘
        결과를 copy.json 파일에 담아줘
        아까 결과에서 name만 뽑아서 names.json 에 저장해줘
        save that result to copy.json
        save it to copy.json
        put the previous output into copy.json
        store the result of the last run in copy.json
        아까 그 결과 저장해줘
        ",
        expect![[r#"
            아까 그 결과를 copy.json 에 저장해줘
                ko FollowUp FILE_WRITE sourceRun="last" targetPath="copy.json"
            방금 결과 copy.json으로 저장
                ko FollowUp FILE_WRITE sourceRun="last" targetPath="copy.json"
            그거 copy.json 에 저장해줘
                ko FollowUp FILE_WRITE sourceRun="last" targetPath="copy.json"
            결과를 copy.json 파일에 담아줘
                ko FollowUp FILE_WRITE sourceRun="last" targetPath="copy.json"
            아까 결과에서 name만 뽑아서 names.json 에 저장해줘
                ko FollowUp FILE_WRITE select="[.[] | {name}]" sourceRun="last" targetPath="names.json"
            save that result to copy.json
                en FollowUp FILE_WRITE sourceRun="last" targetPath="copy.json"
            save it to copy.json
                en FollowUp FILE_WRITE sourceRun="last" targetPath="copy.json"
            put the previous output into copy.json
                en FollowUp FILE_WRITE sourceRun="last" targetPath="copy.json"
            store the result of the last run in copy.json
                en FollowUp FILE_WRITE sourceRun="last" targetPath="copy.json"
            아까 그 결과 저장해줘
                ko FollowUp FILE_WRITE sourceRun="last"
        "#]],
    );
    check(
        "아까 그 결과를 copy.json 에 저장해줘\nsave that to copy.json",
        expect![[r#"
        아까 그 결과를 copy.json 에 저장해줘
            ko FollowUp FILE_WRITE sourceRun="last" targetPath="copy.json"
        save that to copy.json
            en Say FILE_WRITE targetPath="copy.json"
    "#]],
    );
}

#[test]
fn answers_fill_what_was_asked() {
    let content = asked_for(TaskType::FileWrite, &[SlotName::CONTENT]);
    check_in(
        &content,
        "
        회의 3시
        '회의 3시'
        회의 3시라고 써줘
        buy milk, don't forget
        notes/b.md 읽어줘
        취소
        네
        ",
        expect![[r#"
            회의 3시
                ko Say FILE_WRITE content="회의 3시"
            '회의 3시'
                ko Say FILE_WRITE content="회의 3시"
            회의 3시라고 써줘
                ko Say FILE_WRITE content="회의 3시"
            buy milk, don't forget
                en Say FILE_WRITE content="buy milk, don't forget"
            notes/b.md 읽어줘
                ko Say FILE_READ targetPath="notes/b.md"
            취소
                ko Cancel -
            네
                ko Affirm -
        "#]],
    );
    let both = asked_for(TaskType::FileWrite, &[SlotName::TARGET_PATH, SlotName::CONTENT]);
    check_in(
        &both,
        "
        notes/오늘.md
        notes/오늘.md 에 '회의 3시'
        write 'hello' to a.md
        음 글쎄
        ",
        expect![[r#"
            notes/오늘.md
                ko Say FILE_WRITE targetPath="notes/오늘.md"
            notes/오늘.md 에 '회의 3시'
                ko Say FILE_WRITE content="회의 3시" targetPath="notes/오늘.md"
            write 'hello' to a.md
                en Say FILE_WRITE content="hello" targetPath="a.md"
            음 글쎄
                ko Say -
        "#]],
    );
    let path = asked_for(TaskType::FileRead, &[SlotName::TARGET_PATH]);
    check_in(
        &path,
        "notes/오늘.md 요\nthe file notes/today.md\n몰라",
        expect![[r#"
        notes/오늘.md 요
            ko Say FILE_READ targetPath="notes/오늘.md"
        the file notes/today.md
            en Say FILE_READ targetPath="notes/today.md"
        몰라
            ko Say -
    "#]],
    );
}

#[test]
fn a_text_that_waits_is_changed_and_added_to() {
    let mut known = Slots::default();
    for (name, value) in [("targetPath", "a.txt"), ("content", "hello")] {
        known.set(name, value).unwrap();
    }
    let situation = Situation { known, ..asked_for(TaskType::FileWrite, &[]) };
    check_in(
        &situation,
        "actually make it goodbye world
         내용을 잘가로 바꿔줘
         add 'b' to it",
        expect![[r#"
            actually make it goodbye world
                en Modify -
            내용을 잘가로 바꿔줘
                ko Modify FILE_WRITE content="잘가"
            add 'b' to it
                en Modify FILE_WRITE content="hello\nb"
        "#]],
    );
}

#[test]
fn what_may_be_the_text_or_an_order_is_asked_about() {
    let asked = situation_of("asked FILE_WRITE content targetPath=memo.txt");
    for text in ["old.txt 지워줘", "please delete old.txt", "can you remove old.txt"] {
        let reading = read(&LEXICON, text, &asked);
        assert_eq!((reading.task_type, reading.lost), (None, Some(Lost::Either)), "{text}");
    }
}

#[test]
fn why_a_job_on_a_file_is_not_done_is_told() {
    for (text, why) in [
        ("delete the last line of a.txt", Lost::Part),
        ("a.txt 비어 있으면 지워줘", Lost::Bound),
        ("my boss told me to delete a.txt", Lost::Told),
        ("delete a.txt; rm -rf /", Lost::Half),
        ("todo.txt 첫줄 지워줘", Lost::Part),
        ("clean up shopping.txt", Lost::Part),
        ("10분뒤에 old.txt 지워줘", Lost::Bound),
        ("read todo.txt, email it to bob, then delete it", Lost::Half),
        ("write hi to a.txt and also bye", Lost::Half),
        ("delete *.txt", Lost::Wide),
    ] {
        let reading = read(&LEXICON, text, &Situation::default());
        assert_eq!((reading.task_type, reading.lost), (None, Some(why)), "{text}");
    }
}
