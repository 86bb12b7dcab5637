use crate::{asked_for, check, check_in};
use expect_test::expect;
use wiiiv_domain::{SlotName, TaskType};
use wiiiv_language::Situation;

#[test]
fn getting() {
    check(
        "
        http://127.0.0.1:4000/items 에서 name, price 필드만 뽑아서 /report.json 에 저장해줘
        get http://127.0.0.1:4000/items, keep only name and price, and save it to report.json
        http://127.0.0.1:4000/items 조회해줘
        http://127.0.0.1:4000/items에서 name과 price만 뽑아줘
        http://127.0.0.1:4000/items 에서 name, price, stock 항목만 골라서 out/a.json으로 저장
        127.0.0.1:4000/items 호출해줘
        localhost:4000/items 가져와서 report.json에 저장해줘
        api.example.com/v1/items 조회해줘
        https://api.example.com/items?limit=5&sort=asc.
        fetch https://api.example.com/items and save the result to items.json
        call GET http://127.0.0.1:4000/items
        get only the fields sku, name and stock from http://127.0.0.1:4000/items
        http://127.0.0.1:4000/items 에서 `map(.name)` 로 걸러서 names.json 에 저장해줘
        http://127.0.0.1:4000/items 를 jq '.[0]' 로 골라줘
        get http://127.0.0.1:4000/items with the filter '.[].name'
        API 호출해줘
        http://127.0.0.1:4000/상품 조회해줘
        http://127.0.0.1:4000/items 로 HEAD 요청해줘
        ",
        expect![[""]],
    );
}

#[test]
fn conditions() {
    check(
        "
        http://127.0.0.1:4000/items 에서 price가 10000 미만인 것만 뽑아줘
        http://127.0.0.1:4000/items 에서 price가 10,000원 이하인 것의 name, price 필드만 r.json에 저장해줘
        http://127.0.0.1:4000/items 에서 stock이 3 이상인 것만
        http://127.0.0.1:4000/items 에서 price가 1만원 미만인 상품만 가져와
        get http://127.0.0.1:4000/items where price < 10000
        get http://127.0.0.1:4000/items where price >= 10000 and stock > 0, only name and price
        get the items whose price is less than 10,000 from http://127.0.0.1:4000/items
        get http://127.0.0.1:4000/items with price under 10k
        get http://127.0.0.1:4000/items where category == 'food'
        get http://127.0.0.1:4000/items where stock is at least 5
        ",
        expect![[""]],
    );
}

#[test]
fn sending() {
    check(
        "
        http://127.0.0.1:4000/orders 에 '{\"sku\":\"A1\"}' 로 POST 해줘
        POST '{\"sku\":\"A1\"}' to http://127.0.0.1:4000/orders
        post {\"sku\":\"A1\"} to http://127.0.0.1:4000/orders
        http://127.0.0.1:4000/orders 에 {\"sku\": \"A1\", \"n\": 2} 보내줘
        send '{\"sku\":\"A1\"}' to http://127.0.0.1:4000/orders
        PUT '{\"n\":3}' to http://127.0.0.1:4000/orders/1
        DELETE http://127.0.0.1:4000/orders/1
        http://127.0.0.1:4000/orders/1 삭제해줘
        http://127.0.0.1:4000/orders 에 POST 해줘
        POST '{\"sku\":\"A1\"}' to http://127.0.0.1:4000/orders and save the answer to o.json
        아까 결과를 http://127.0.0.1:4000/orders 에 POST 해줘
        http://a.test/x 와 http://b.test/y 조회해줘
        ",
        expect![[""]],
    );
}

#[test]
fn answers() {
    let host = asked_for(TaskType::ApiWorkflow, &[SlotName::DOMAIN]);
    check_in(
        &host,
        "
        http://127.0.0.1:4000/items
        127.0.0.1:4000/items 요
        상품 목록
        ",
        expect![[""]],
    );
    let confirming = Situation {
        awaiting_answer: true,
        active: Some((TaskType::ApiWorkflow, Vec::new())),
        earlier_run: false,
    };
    check_in(
        &confirming,
        "
        name만 저장하는 걸로 바꿔줘
        save it to other.json instead
        notes/a.md 읽어줘
        ",
        expect![[""]],
    );
}
