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
        expect![[r#"
            http://127.0.0.1:4000/items 에서 name, price 필드만 뽑아서 /report.json 에 저장해줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | {name, price}]" targetPath="/report.json" url="http://127.0.0.1:4000/items"
            get http://127.0.0.1:4000/items, keep only name and price, and save it to report.json
                en Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | {name, price}]" targetPath="report.json" url="http://127.0.0.1:4000/items"
            http://127.0.0.1:4000/items 조회해줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" url="http://127.0.0.1:4000/items"
            http://127.0.0.1:4000/items에서 name과 price만 뽑아줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | {name, price}]" url="http://127.0.0.1:4000/items"
            http://127.0.0.1:4000/items 에서 name, price, stock 항목만 골라서 out/a.json으로 저장
                ko Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | {name, price, stock}]" targetPath="out/a.json" url="http://127.0.0.1:4000/items"
            127.0.0.1:4000/items 호출해줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000/items"
            localhost:4000/items 가져와서 report.json에 저장해줘
                ko Say API_WORKFLOW domain="localhost:4000/items" targetPath="report.json"
            api.example.com/v1/items 조회해줘
                ko Say API_WORKFLOW domain="api.example.com/v1/items"
            https://api.example.com/items?limit=5&sort=asc.
                en Say API_WORKFLOW domain="api.example.com" url="https://api.example.com/items?limit=5&sort=asc"
            fetch https://api.example.com/items and save the result to items.json
                en Say API_WORKFLOW domain="api.example.com" targetPath="items.json" url="https://api.example.com/items"
            call GET http://127.0.0.1:4000/items
                en Say API_WORKFLOW domain="127.0.0.1:4000" url="http://127.0.0.1:4000/items"
            get only the fields sku, name and stock from http://127.0.0.1:4000/items
                en Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | {sku, name, stock}]" url="http://127.0.0.1:4000/items"
            http://127.0.0.1:4000/items 에서 `map(.name)` 로 걸러서 names.json 에 저장해줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" select="map(.name)" targetPath="names.json" url="http://127.0.0.1:4000/items"
            http://127.0.0.1:4000/items 를 jq '.[0]' 로 골라줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" select=".[0]" url="http://127.0.0.1:4000/items"
            get http://127.0.0.1:4000/items with the filter '.[].name'
                en Say API_WORKFLOW domain="127.0.0.1:4000" select=".[].name" url="http://127.0.0.1:4000/items"
            API 호출해줘
                ko Say API_WORKFLOW
            http://127.0.0.1:4000/상품 조회해줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" url="http://127.0.0.1:4000/상품"
            http://127.0.0.1:4000/items 로 HEAD 요청해줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" method="HEAD" url="http://127.0.0.1:4000/items"
        "#]],
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
        expect![[r#"
            http://127.0.0.1:4000/items 에서 price가 10000 미만인 것만 뽑아줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | select(.price < 10000)]" url="http://127.0.0.1:4000/items"
            http://127.0.0.1:4000/items 에서 price가 10,000원 이하인 것의 name, price 필드만 r.json에 저장해줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | select(.price <= 10000) | {name, price}]" targetPath="r.json" url="http://127.0.0.1:4000/items"
            http://127.0.0.1:4000/items 에서 stock이 3 이상인 것만
                ko Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | select(.stock >= 3)]" url="http://127.0.0.1:4000/items"
            http://127.0.0.1:4000/items 에서 price가 1만원 미만인 상품만 가져와
                ko Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | select(.price < 10000)]" url="http://127.0.0.1:4000/items"
            get http://127.0.0.1:4000/items where price < 10000
                en Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | select(.price < 10000)]" url="http://127.0.0.1:4000/items"
            get http://127.0.0.1:4000/items where price >= 10000 and stock > 0, only name and price
                en Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | select(.price >= 10000) | select(.stock > 0) | {name, price}]" url="http://127.0.0.1:4000/items"
            get the items whose price is less than 10,000 from http://127.0.0.1:4000/items
                en Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | select(.price < 10000)]" url="http://127.0.0.1:4000/items"
            get http://127.0.0.1:4000/items with price under 10k
                en Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | select(.price < 10000)]" url="http://127.0.0.1:4000/items"
            get http://127.0.0.1:4000/items where category == 'food'
                en Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | select(.category == \"food\")]" url="http://127.0.0.1:4000/items"
            get http://127.0.0.1:4000/items where stock is at least 5
                en Say API_WORKFLOW domain="127.0.0.1:4000" select="[.[] | select(.stock >= 5)]" url="http://127.0.0.1:4000/items"
        "#]],
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
        expect![[r#"
            http://127.0.0.1:4000/orders 에 '{"sku":"A1"}' 로 POST 해줘
                ko Say API_WORKFLOW body="{\"sku\":\"A1\"}" domain="127.0.0.1:4000" method="POST" url="http://127.0.0.1:4000/orders"
            POST '{"sku":"A1"}' to http://127.0.0.1:4000/orders
                en Say API_WORKFLOW body="{\"sku\":\"A1\"}" domain="127.0.0.1:4000" method="POST" url="http://127.0.0.1:4000/orders"
            post {"sku":"A1"} to http://127.0.0.1:4000/orders
                en Say API_WORKFLOW body="{\"sku\":\"A1\"}" domain="127.0.0.1:4000" method="POST" url="http://127.0.0.1:4000/orders"
            http://127.0.0.1:4000/orders 에 {"sku": "A1", "n": 2} 보내줘
                ko Say API_WORKFLOW body="{\"sku\": \"A1\", \"n\": 2}" domain="127.0.0.1:4000" method="POST" url="http://127.0.0.1:4000/orders"
            send '{"sku":"A1"}' to http://127.0.0.1:4000/orders
                en Say API_WORKFLOW body="{\"sku\":\"A1\"}" domain="127.0.0.1:4000" method="POST" url="http://127.0.0.1:4000/orders"
            PUT '{"n":3}' to http://127.0.0.1:4000/orders/1
                en Say API_WORKFLOW body="{\"n\":3}" domain="127.0.0.1:4000" method="PUT" url="http://127.0.0.1:4000/orders/1"
            DELETE http://127.0.0.1:4000/orders/1
                en Say API_WORKFLOW domain="127.0.0.1:4000" method="DELETE" url="http://127.0.0.1:4000/orders/1"
            http://127.0.0.1:4000/orders/1 삭제해줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" method="DELETE" url="http://127.0.0.1:4000/orders/1"
            http://127.0.0.1:4000/orders 에 POST 해줘
                ko Say API_WORKFLOW domain="127.0.0.1:4000" method="POST" url="http://127.0.0.1:4000/orders"
            POST '{"sku":"A1"}' to http://127.0.0.1:4000/orders and save the answer to o.json
                en Say API_WORKFLOW body="{\"sku\":\"A1\"}" domain="127.0.0.1:4000" method="POST" targetPath="o.json" url="http://127.0.0.1:4000/orders"
            아까 결과를 http://127.0.0.1:4000/orders 에 POST 해줘
                ko FollowUp API_WORKFLOW domain="127.0.0.1:4000" method="POST" sourceRun="last" url="http://127.0.0.1:4000/orders"
            http://a.test/x 와 http://b.test/y 조회해줘
                ko Say API_WORKFLOW
        "#]],
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
        expect![[r#"
            http://127.0.0.1:4000/items
                en Say API_WORKFLOW domain="127.0.0.1:4000" url="http://127.0.0.1:4000/items"
            127.0.0.1:4000/items 요
                ko Say API_WORKFLOW domain="127.0.0.1:4000/items"
            상품 목록
                ko Say -
        "#]],
    );
    let confirming = Situation {
        awaiting_answer: true,
        active: Some((TaskType::ApiWorkflow, Vec::new())),
        ..Situation::default()
    };
    check_in(
        &confirming,
        "
        name만 저장하는 걸로 바꿔줘
        save it to other.json instead
        notes/a.md 읽어줘
        ",
        expect![[r#"
            name만 저장하는 걸로 바꿔줘
                ko Modify API_WORKFLOW select="[.[] | {name}]"
            save it to other.json instead
                en Modify API_WORKFLOW targetPath="other.json"
            notes/a.md 읽어줘
                ko Say FILE_READ targetPath="notes/a.md"
        "#]],
    );
}
