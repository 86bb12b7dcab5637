use super::{Page, read};
use expect_test::{Expect, expect};

const ROOM: usize = 1024 * 1024;

fn page(html: &str) -> Page {
    serde_json::from_slice(&read(html, ROOM).unwrap().lines).unwrap()
}

fn check(html: &str, expected: Expect) {
    let Page { title, text, cut } = page(html);
    assert!(!cut);
    expected.assert_eq(&format!("[{title}]\n{text}"));
}

#[test]
fn an_article_is_read_without_what_stands_around_it() {
    check(
        "<html><head><title>가을  소식</title><script>steal()</script></head><body>
        <nav><a href=/>홈</a><a href=/a>뉴스</a></nav>
        <article><h1>가을 소식</h1><p>첫 문단은 <b>굵게</b> 씁니다.<p>둘째 문단.
        <ul><li>하나</li><li>둘</li></ul></article>
        <aside>광고</aside><footer>회사 소개</footer></body></html>",
        expect![[r#"
            [가을 소식]
            # 가을 소식

            첫 문단은 굵게 씁니다.

            둘째 문단.
            * 하나
            * 둘"#]],
    );
}

#[test]
fn a_page_that_says_nothing_of_its_parts_is_judged_by_its_links() {
    check(
        "<title>t</title><div><a href=1>one</a> <a href=2>two</a> <a href=3>three</a>
        <a href=4>four</a></div><div><p>Words that are to be read, with <a href=5>a link</a>.</div>
        <p hidden>unseen</p><p style='display: none'>unseen</p>",
        expect![[r#"
            [t]
            Words that are to be read, with [a link]."#]],
    );
}

#[test]
fn a_teaser_is_no_article() {
    let long = "word ".repeat(200);
    let page = page(&format!("<article>short</article><p>{long}</p>"));
    assert!(page.text.contains("short") && page.text.contains("word"));
}

#[test]
fn a_page_without_a_word_is_none() {
    assert!(read("<html><script>only()</script></html>", ROOM).is_err());
    assert!(read("", ROOM).is_err());
}

#[test]
fn what_is_too_long_is_cut_and_says_so() {
    let cut = page(&format!("<p>{}", "가".repeat(400_000)));
    assert!(cut.cut && cut.text.len() <= super::TEXT_BYTES_MAX);
    assert!(read("<p>abc", 10).is_err());
}
