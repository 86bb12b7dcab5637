use crate::check;
use expect_test::expect;

#[test]
fn talk_is_no_task() {
    check(
        "
        안녕하세요
        hello
        고마워
        오늘 날씨 어때?
        너는 뭘 할 수 있어?
        what can you do?
        how does the approval work?
        읽기/쓰기 차이가 뭐야?
        the user said yes
        asdf
        ㅋㅋㅋ
        3.14
        and/or
        1/2
        me@example.com
        ",
        expect![[""]],
    );
}
