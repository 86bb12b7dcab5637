//! Registered systems by name and alias, their operations by label.

use crate::{asked_for, check_in};
use expect_test::expect;
use std::sync::Arc;
use wiiiv_domain::{
    Authentication, BaseUrl, HttpMethod, Operation, Risk, Scheme, SlotName, System, SystemName,
    TaskType,
};
use wiiiv_language::Situation;

fn operation(id: &str, method: HttpMethod, path: &str, labels: &[&str]) -> Operation {
    Operation {
        id: id.to_owned(),
        method,
        path: path.to_owned(),
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        reads: false,
        idempotent: false,
        parameters: Vec::new(),
        fields: Vec::new(),
        body: None,
    }
}

fn system(name: &str, aliases: &[&str], operations: Vec<Operation>) -> System {
    let system = System {
        version: System::VERSION,
        name: SystemName::parse(name).unwrap(),
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        base_url: BaseUrl {
            scheme: Scheme::Http,
            host: "127.0.0.1".to_owned(),
            port: Some(4100),
            segments: Vec::new(),
        },
        operations,
        authentication: Authentication::None,
        any_path: false,
        risk: Risk::Low,
    };
    system.check().unwrap();
    system
}

pub fn systems() -> Arc<[System]> {
    use HttpMethod::{Get, Post};
    let mall = vec![
        operation("products", Get, "/products", &["상품 목록", "상품", "product list"]),
        operation(
            "get_product",
            Get,
            "/products/{id}",
            &["상품 상세", "product details", "product"],
        ),
        operation("orders", Get, "/orders", &["주문 목록", "orders"]),
        operation("createOrder", Post, "/orders", &["주문 등록", "place an order"]),
        operation("categories", Get, "/categories", &["카테고리", "categories"]),
    ];
    let stock = vec![
        operation("inventory", Get, "/inventory", &["재고 목록", "재고", "stock"]),
        operation("purchase-orders", Get, "/purchase-orders", &["발주 목록", "orders"]),
    ];
    let mall = system("skymall", &["스카이몰", "몰", "sky mall"], mall);
    let stock = system("skystock", &["스카이스톡", "재고 시스템", "the stock system"], stock);
    Arc::from([mall, stock])
}

fn knowing() -> Situation {
    Situation { systems: systems(), ..Situation::default() }
}

#[test]
fn one_system_and_what_it_is_to_do() {
    check_in(
        &knowing(),
        "
        skymall에서 상품 목록 뽑아서 /report.json에 저장해줘
        스카이몰에서 상품 목록 뽑아서 /report.json에 저장해줘
        스카이몰의 상품 목록을 report.json 에 저장해줘
        SkyMall 상품목록 보여줘
        몰에서 상품의 목록만 가져와
        skymall의 상품 중 price가 10,000원 미만인 것의 name, price 필드만 cheap.json에 저장해줘
        skymall에서 products 조회해줘
        skystock의 purchase-orders 조회해줘
        재고 시스템에서 재고 보여줘
        Get the product list from skymall and save it to /report.json
        get the products from Skymall
        show me skymall's product list
        get the orders from the sky mall where total >= 50000, only id and total
        fetch skystock purchase orders and save the result to po.json
        get stock from the stock system
        skymall product details
        get the product from skymall
        skymall get_product
        ",
        expect![[r#"
            skymall에서 상품 목록 뽑아서 /report.json에 저장해줘
                ko Say API_WORKFLOW domain="skymall" operation="products" targetPath="/report.json"
            스카이몰에서 상품 목록 뽑아서 /report.json에 저장해줘
                ko Say API_WORKFLOW domain="skymall" operation="products" targetPath="/report.json"
            스카이몰의 상품 목록을 report.json 에 저장해줘
                ko Say API_WORKFLOW domain="skymall" operation="products" targetPath="report.json"
            SkyMall 상품목록 보여줘
                ko Say API_WORKFLOW domain="skymall" operation="products"
            몰에서 상품의 목록만 가져와
                ko Say API_WORKFLOW domain="skymall" operation="products"
            skymall의 상품 중 price가 10,000원 미만인 것의 name, price 필드만 cheap.json에 저장해줘
                ko Say API_WORKFLOW domain="skymall" operation="products" select="[.[] | select(.price < 10000) | {name, price}]" targetPath="cheap.json"
            skymall에서 products 조회해줘
                ko Say API_WORKFLOW domain="skymall" operation="products"
            skystock의 purchase-orders 조회해줘
                ko Say API_WORKFLOW domain="skystock" operation="purchase-orders"
            재고 시스템에서 재고 보여줘
                ko Say API_WORKFLOW domain="skystock" operation="inventory"
            Get the product list from skymall and save it to /report.json
                en Say API_WORKFLOW domain="skymall" operation="products" targetPath="/report.json"
            get the products from Skymall
                en Say API_WORKFLOW domain="skymall" operation="products"
            show me skymall's product list
                en Say API_WORKFLOW domain="skymall" operation="products"
            get the orders from the sky mall where total >= 50000, only id and total
                en Say API_WORKFLOW domain="skymall" operation="orders" select="[.[] | select(.total >= 50000) | {id, total}]"
            fetch skystock purchase orders and save the result to po.json
                en Say API_WORKFLOW domain="skystock" operation="purchase-orders" targetPath="po.json"
            get stock from the stock system
                en Say API_WORKFLOW domain="skystock" operation="inventory"
            skymall product details
                en Say API_WORKFLOW domain="skymall" operation="get_product"
            get the product from skymall
                en Say API_WORKFLOW domain="skymall" operation="get_product"
            skymall get_product
                en Say API_WORKFLOW domain="skymall" operation="get_product"
        "#]],
    );
}

#[test]
fn what_acts_takes_a_body() {
    check_in(
        &knowing(),
        "
        skymall에 {\"productId\":\"P001\",\"quantity\":2} 로 주문 등록해줘
        place an order in skymall with '{\"productId\":\"P001\"}'
        아까 결과를 skymall에 주문 등록으로 보내줘
        아까 skymall 상품 목록 결과를 copy.json에 저장해줘
        skymall에서 상품 목록 뽑아서 그 결과를 a.json에 저장해줘
        ",
        expect![[r#"
            skymall에 {"productId":"P001","quantity":2} 로 주문 등록해줘
                ko Say API_WORKFLOW body="{\"productId\":\"P001\",\"quantity\":2}" domain="skymall" operation="createOrder"
            place an order in skymall with '{"productId":"P001"}'
                en Say API_WORKFLOW body="{\"productId\":\"P001\"}" domain="skymall" operation="createOrder"
            아까 결과를 skymall에 주문 등록으로 보내줘
                ko FollowUp API_WORKFLOW domain="skymall" operation="createOrder" sourceRun="last"
            아까 skymall 상품 목록 결과를 copy.json에 저장해줘
                ko FollowUp FILE_WRITE sourceRun="last" targetPath="copy.json"
            skymall에서 상품 목록 뽑아서 그 결과를 a.json에 저장해줘
                ko Say API_WORKFLOW domain="skymall" operation="products" targetPath="a.json"
        "#]],
    );
}

#[test]
fn two_systems_are_both_meant() {
    check_in(
        &knowing(),
        "
        skymall의 상품 목록과 skystock의 재고 목록을 합쳐서 all.json에 저장해줘
        get the orders from skymall and the orders from skystock, save both to all.json
        스카이몰 주문 목록이랑 재고 시스템 발주 목록을 `[.[0], .[1]]` 로 합쳐줘
        skymall과 skystock의 orders 조회해줘
        skymall의 상품과 skystock의 재고에서 price가 1000 미만인 것만 뽑아줘
        skymall의 상품 목록과 skystock의 데이터를 가져와
        ",
        expect![[r#"
            skymall의 상품 목록과 skystock의 재고 목록을 합쳐서 all.json에 저장해줘
                ko Say API_WORKFLOW domain="skymall,skystock" operation="products,inventory" targetPath="all.json" unread="합쳐서"
            get the orders from skymall and the orders from skystock, save both to all.json
                en Say API_WORKFLOW domain="skymall,skystock" operation="orders,purchase-orders" targetPath="all.json" unread="both"
            스카이몰 주문 목록이랑 재고 시스템 발주 목록을 `[.[0], .[1]]` 로 합쳐줘
                ko Say API_WORKFLOW domain="skymall,skystock" operation="orders,purchase-orders" select="[.[0], .[1]]"
            skymall과 skystock의 orders 조회해줘
                ko Say API_WORKFLOW domain="skymall,skystock" operation="orders,purchase-orders"
            skymall의 상품과 skystock의 재고에서 price가 1000 미만인 것만 뽑아줘
                ko Say API_WORKFLOW domain="skymall,skystock" operation="products,inventory" unread="price가"
            skymall의 상품 목록과 skystock의 데이터를 가져와
                ko Say API_WORKFLOW domain="skymall,skystock"
        "#]],
    );
}

#[test]
fn without_an_operation_nothing_is_guessed() {
    check_in(
        &knowing(),
        "
        skymall에서 뭔가 뽑아서 report.json에 저장해줘
        get something from skymall and save it to report.json
        skymall 조회해줘
        skymall에서 상품 목록과 주문 목록 가져와
        skystock에서 stock이 5 미만인 것만 뽑아줘
        orders 가져와서 report.json에 저장해줘
        ",
        expect![[r#"
            skymall에서 뭔가 뽑아서 report.json에 저장해줘
                ko Say API_WORKFLOW domain="skymall" targetPath="report.json"
            get something from skymall and save it to report.json
                en Say API_WORKFLOW domain="skymall" targetPath="report.json"
            skymall 조회해줘
                ko Say API_WORKFLOW domain="skymall"
            skymall에서 상품 목록과 주문 목록 가져와
                ko Say API_WORKFLOW domain="skymall"
            skystock에서 stock이 5 미만인 것만 뽑아줘
                ko Say API_WORKFLOW domain="skystock" select="[.[] | select(.stock < 5)]"
            orders 가져와서 report.json에 저장해줘
                ko Say API_WORKFLOW targetPath="report.json"
        "#]],
    );
}

/// What changes something is asked of a system that is named, and what two systems have of neither.
#[test]
fn what_only_one_system_has_needs_no_name() {
    check_in(
        &knowing(),
        "
        상품 목록 뽑아서 report.json에 저장해줘
        카테고리 좀 보여줘
        show me product 103
        재고 있는지 확인 좀 해줘
        show me the orders
        주문 등록해줘
        배민에서 상품 목록 가져와
        get the product list from ebay
        상품 사진 보여줘
        상품 목록이랑 재고 목록 보여줘
        ",
        expect![[r#"
            상품 목록 뽑아서 report.json에 저장해줘
                ko Say API_WORKFLOW domain="skymall" operation="products" targetPath="report.json"
            카테고리 좀 보여줘
                ko Say API_WORKFLOW domain="skymall" operation="categories"
            show me product 103
                en Say API_WORKFLOW arguments="{\"id\":103}" domain="skymall" operation="get_product"
            재고 있는지 확인 좀 해줘
                ko Say API_WORKFLOW domain="skystock" operation="inventory"
            show me the orders
                en Say API_WORKFLOW
            주문 등록해줘
                ko Say -
            배민에서 상품 목록 가져와
                ko Say API_WORKFLOW
            get the product list from ebay
                en Say API_WORKFLOW
            상품 사진 보여줘
                ko Say API_WORKFLOW
            상품 목록이랑 재고 목록 보여줘
                ko Say API_WORKFLOW unread="재고"
        "#]],
    );
}

#[test]
fn what_only_looks_like_a_system_is_none() {
    check_in(
        &knowing(),
        "
        skymall-dev에서 상품 목록 가져와
        skymallx 상품 목록 보여줘
        스카이몰API에서 상품 목록 가져와
        몰라
        skymall.md 읽어줘
        http://skymall.example.com/products 조회해줘
        notes/a.md 에 'skymall에서 상품 목록' 이라고 써줘
        skymall 폴더의 notes/a.md 읽어줘
        skymall 상품 목록을 매일 가져오는 워크플로 만들어줘
        skymall에서 상품 목록 가져오지 마
        ",
        expect![[r#"
            skymall-dev에서 상품 목록 가져와
                ko Say API_WORKFLOW
            skymallx 상품 목록 보여줘
                ko Say API_WORKFLOW unread="skymallx"
            스카이몰API에서 상품 목록 가져와
                ko Say API_WORKFLOW
            몰라
                ko Say -
            skymall.md 읽어줘
                ko Say FILE_READ targetPath="skymall.md"
            http://skymall.example.com/products 조회해줘
                ko Say API_WORKFLOW domain="skymall.example.com" url="http://skymall.example.com/products"
            notes/a.md 에 'skymall에서 상품 목록' 이라고 써줘
                ko Say FILE_WRITE content="skymall에서 상품 목록" targetPath="notes/a.md"
            skymall 폴더의 notes/a.md 읽어줘
                ko Say FILE_READ targetPath="notes/a.md"
            skymall 상품 목록을 매일 가져오는 워크플로 만들어줘
                ko Say WORKFLOW_CREATE domain="skymall 상품 목록을 매일 가져오는 워크플로 만들어줘"
            skymall에서 상품 목록 가져오지 마
                ko Say -
        "#]],
    );
}

#[test]
fn one_name_of_two_systems_names_neither() {
    let mut both = systems().to_vec();
    both[1].aliases.push("몰".to_owned());
    let situation = Situation { systems: both.into(), ..Situation::default() };
    check_in(
        &situation,
        "몰에서 상품 목록 가져와",
        expect![[r#"
        몰에서 상품 목록 가져와
            ko Say API_WORKFLOW
    "#]],
    );
}

#[test]
fn an_operation_answers_the_question_for_it() {
    let asked = asked_for(TaskType::ApiWorkflow, &[SlotName::OPERATION]);
    let asked = Situation { systems: systems()[..1].into(), ..asked };
    check_in(
        &asked,
        "
        상품 목록
        상품 목록이요
        the product list
        아무거나
        skymall 주문 목록
        notes/a.md 읽어줘
        ",
        expect![[r#"
            상품 목록
                ko Say API_WORKFLOW operation="products"
            상품 목록이요
                ko Say API_WORKFLOW operation="products"
            the product list
                en Say API_WORKFLOW operation="products"
            아무거나
                ko Say -
            skymall 주문 목록
                ko Say API_WORKFLOW domain="skymall" operation="orders"
            notes/a.md 읽어줘
                ko Say FILE_READ targetPath="notes/a.md"
        "#]],
    );
}

/// Asked of two systems, one answer is not half of one.
#[test]
fn operations_answer_the_question_for_both() {
    let asked = asked_for(TaskType::ApiWorkflow, &[SlotName::OPERATION]);
    let asked = Situation { systems: systems(), ..asked };
    check_in(
        &asked,
        "
        상품 목록과 재고 목록
        재고 목록
        ",
        expect![[r#"
            상품 목록과 재고 목록
                ko Say API_WORKFLOW operation="products,inventory"
            재고 목록
                ko Say -
        "#]],
    );
}
