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
        expect![[r#"
            명령 실행해줘
                ko Say COMMAND
            터미널에서 `ls -la` 실행해줘
                ko Say COMMAND command="ls -la"
            run the command `ls -la`
                en Say COMMAND command="ls -la"
            run 'cargo test' in the shell
                en Say COMMAND command="cargo test"
            src/main.rs 의 버그 고쳐줘
                ko Say CODE_EDIT instruction="src/main.rs 의 버그 고쳐줘" sources="src/main.rs"
            fix the bug in src/main.rs
                en Say CODE_EDIT instruction="fix the bug in src/main.rs" sources="src/main.rs"
            데이터베이스에서 주문 조회해줘
                ko Say DB_QUERY
            query the database for open orders
                en Say DB_QUERY
            show me the tables in the db
                en Say DB_QUERY
            새 프로젝트 만들어줘
                ko Say PROJECT_CREATE
            create a backend project
                en Say PROJECT_CREATE
            쇼핑몰 앱 개발해줘
                ko Say PROJECT_CREATE domain="쇼핑몰 앱 개발해줘"
            워크플로 만들어줘
                ko Say WORKFLOW_CREATE
            create a workflow that checks stock every day
                en Say WORKFLOW_CREATE domain="create a workflow that checks stock every day"
            재고 워크플로우 실행해줘
                ko Say WORKFLOW_RUN workflow="재고"
            run the workflow daily-stock
                en Say WORKFLOW_RUN workflow="daily-stock"
            워크플로 목록 보여줘
                ko Say WORKFLOW_MANAGE
            delete the workflow daily-stock
                en Say WORKFLOW_MANAGE workflow="daily-stock"
            웹에서 날씨 검색해줘
                ko Say WEB_FETCH query="날씨"
            search the web for rust news
                en Say WEB_FETCH query="rust news"
            https://example.com 웹페이지 읽어줘
                ko Say WEB_FETCH url="https://example.com"
        "#]],
    );
}
