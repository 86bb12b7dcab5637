use crate::{LEXICON, check, check_in};
use expect_test::expect;
use wiiiv_domain::{Slots, TaskType};
use wiiiv_language::{ReadSignal, Situation, read};

#[test]
fn what_a_user_signals() {
    check(
        "
        네
        응 진행해줘
        ㅇㅇ
        yes, go ahead
        approve
        네?
        yes, but to b.md
        아니요
        no thanks
        취소해줘
        never mind
        처음부터 다시 하자
        start over
        내 이름은 민수라고 기억해줘
        remember that I like tea
        do you remember my name?
        아까 그 결과 보여줘
        show me the previous result
        '네' 라고 notes/a.md 에 써줘
        ",
        expect![[r#"
            네
                ko Affirm -
            응 진행해줘
                ko Affirm -
            ㅇㅇ
                ko Affirm -
            yes, go ahead
                en Affirm -
            approve
                en Affirm -
            네?
                ko Say -
            yes, but to b.md
                en Say -
            아니요
                ko Deny -
            no thanks
                en Deny -
            취소해줘
                ko Cancel -
            never mind
                en Cancel -
            처음부터 다시 하자
                ko Reset -
            start over
                en Reset -
            내 이름은 민수라고 기억해줘
                ko Remember -
            remember that I like tea
                en Remember -
            do you remember my name?
                en Say INFORMATION
            아까 그 결과 보여줘
                ko FollowUp -
            show me the previous result
                en FollowUp -
            '네' 라고 notes/a.md 에 써줘
                ko Say FILE_WRITE content="네" targetPath="notes/a.md"
        "#]],
    );
}

#[test]
fn what_stands_behind_remember_and_a_colon_is_kept_whatever_it_asks_for() {
    check(
        "
        기억해줘: archive/는 절대 지우지 마
        기억해: 보고서는 항상 reports/ 폴더에 저장
        Remember: never delete archive/
        remember: write the report to reports/a.md
        ",
        expect![[r#"
            기억해줘: archive/는 절대 지우지 마
                ko Remember -
            기억해: 보고서는 항상 reports/ 폴더에 저장
                ko Remember -
            Remember: never delete archive/
                en Remember -
            remember: write the report to reports/a.md
                en Remember -
        "#]],
    );
}

#[test]
fn changing_needs_something_to_change() {
    let active =
        Situation { active: Some((TaskType::FileWrite, Vec::new())), ..Situation::default() };
    check_in(
        &active,
        "
        notes/b.md 로 바꿔줘
        아니 notes/b.md 말고 notes/c.md 에 써줘
        actually, write 'bye' to notes/c.md
        ",
        expect![[r#"
            notes/b.md 로 바꿔줘
                ko Modify FILE_WRITE targetPath="notes/b.md"
            아니 notes/b.md 말고 notes/c.md 에 써줘
                ko Modify FILE_WRITE targetPath="notes/c.md"
            actually, write 'bye' to notes/c.md
                en Modify FILE_WRITE content="bye" targetPath="notes/c.md"
        "#]],
    );
    check(
        "notes/b.md 로 바꿔줘",
        expect![[r#"
            notes/b.md 로 바꿔줘
                ko Say -
        "#]],
    );
}

#[test]
fn a_yes_to_two_needs_two() {
    let preview = |waiting: Vec<(TaskType, Slots)>| Situation {
        awaiting_answer: true,
        active: Some((TaskType::FileWrite, Vec::new())),
        waiting,
        ..Situation::default()
    };
    let one = preview(Vec::new());
    let two = preview(vec![(TaskType::FileDelete, Slots::default())]);
    for text in ["yes to both", "yes, all of them", "네 둘 다요", "둘 다 해줘"] {
        assert_eq!(read(&LEXICON, text, &two).signal, ReadSignal::Affirm, "{text}");
        assert_ne!(read(&LEXICON, text, &one).signal, ReadSignal::Affirm, "{text}");
    }
    for text in ["both", "둘 다", "both?", "둘 다?"] {
        assert_ne!(read(&LEXICON, text, &two).signal, ReadSignal::Affirm, "{text}");
    }
    assert_eq!(read(&LEXICON, "no to both", &two).signal, ReadSignal::Deny);
    // Both of those that wait together, and none that was put aside.
    let held = |count: usize| vec![(TaskType::FileRead, Slots::default()); count];
    let beside = |count: usize| Situation { aside: held(count), ..one.clone() };
    for text in ["cancel both", "둘 다 취소"] {
        for several in
            [two.clone(), Situation { aside: held(2), ..two.clone() }, beside(2), beside(0)]
        {
            let reading = read(&LEXICON, text, &several);
            assert_eq!((reading.signal, reading.everything), (ReadSignal::Cancel, false), "{text}");
        }
        assert!(read(&LEXICON, text, &beside(1)).everything, "{text}");
    }
    assert!(read(&LEXICON, "cancel everything", &two).everything);
}
