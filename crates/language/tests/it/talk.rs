use crate::{LEXICON, check};
use expect_test::expect;
use wiiiv_domain::Lang;
use wiiiv_language::{Situation, read};

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
        expect![[r#"
            안녕하세요
                ko Say CONVERSATION
            hello
                en Say CONVERSATION
            고마워
                ko Say CONVERSATION
            오늘 날씨 어때?
                ko Say INFORMATION
            너는 뭘 할 수 있어?
                ko Say INFORMATION
            what can you do?
                en Say INFORMATION
            how does the approval work?
                en Say INFORMATION
            읽기/쓰기 차이가 뭐야?
                ko Say INFORMATION
            the user said yes
                en Say -
            asdf
                en Say -
            ㅋㅋㅋ
                ko Say CONVERSATION
            3.14
                en Say -
            and/or
                en Say -
            1/2
                en Say -
            me@example.com
                en Say -
        "#]],
    );
}

/// A place, a file or a value is of no language.
#[test]
fn what_is_no_word_of_a_language_does_not_speak() {
    for (text, speaks, language) in [
        ("example.com", false, Lang::En),
        ("localhost:4000", false, Lang::En),
        ("notes/a.md", false, Lang::En),
        ("https://example.com/a", false, Lang::En),
        ("3", false, Lang::En),
        ("memo.txt 요", true, Lang::Ko),
        ("the file a.md", true, Lang::En),
        ("where status = 취소", true, Lang::En),
        ("status가 취소인 것", true, Lang::Ko),
    ] {
        let reading = read(&LEXICON, text, &Situation::default());
        assert_eq!((reading.speaks, reading.language), (speaks, language), "{text}");
    }
}
