use crate::{check, check_in};
use expect_test::expect;
use wiiiv_domain::TaskType;
use wiiiv_language::Situation;

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
        expect![[""]],
    );
}

#[test]
fn changing_needs_something_to_change() {
    let active = Situation {
        active: Some((TaskType::FileWrite, Vec::new())),
        ..Situation::default()
    };
    check_in(
        &active,
        "
        notes/b.md 로 바꿔줘
        아니 notes/b.md 말고 notes/c.md 에 써줘
        actually, write 'bye' to notes/c.md
        ",
        expect![[""]],
    );
    check("notes/b.md 로 바꿔줘", expect![[""]]);
}
