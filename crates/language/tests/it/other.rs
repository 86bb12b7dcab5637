use crate::check;
use expect_test::expect;

#[test]
fn types_without_an_executor_are_recognised() {
    check(
        "
        명령 실행해줘
        터미널에서 `ls -la` 실행해줘
        run the command `ls -la`
        run 'cargo test' in the shell
        src/main.rs 의 버그 고쳐줘
        fix the bug in src/main.rs
        데이터베이스에서 주문 조회해줘
        query the database for open orders
        show me the tables in the db
        새 프로젝트 만들어줘
        create a backend project
        쇼핑몰 앱 개발해줘
        워크플로 만들어줘
        create a workflow that checks stock every day
        재고 워크플로우 실행해줘
        run the workflow daily-stock
        워크플로 목록 보여줘
        delete the workflow daily-stock
        웹에서 날씨 검색해줘
        search the web for rust news
        https://example.com 웹페이지 읽어줘
        ",
        expect![[""]],
    );
}
