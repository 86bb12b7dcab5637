//! The built-in model and registered systems; and what it says to a review.

use crate::{
    offline::{check, task},
    test_models::parts,
};
use expect_test::expect;
use std::sync::Arc;
use wiiiv_context::PromptParts;
use wiiiv_domain::{Lang, SlotName, System, TaskType};
use wiiiv_fakes::ServiceKind;

/// The demo services, as a project registers them.
fn known(parts: PromptParts) -> PromptParts {
    let place = std::net::SocketAddr::from(([127, 0, 0, 1], 4100));
    let systems: Vec<System> =
        ServiceKind::ALL.iter().map(|service| service.system(place).unwrap()).collect();
    PromptParts { systems: Arc::from(systems), ..parts }
}

#[tokio::test]
async fn a_system_and_an_operation_are_one_execute() {
    check(
        &known(parts("")),
        "
        skymall에서 상품 목록 뽑아서 /report.json에 저장해줘
        Get the product list from skymall and save it to /report.json
        스카이몰의 상품 목록과 재고 시스템의 재고 목록을 합쳐서 all.json에 저장해줘
        스카이몰에서 price가 10,000원 미만인 상품의 name, price 필드만 뽑아서 cheap.json 에 저장해줘
        재고 시스템에서 재고 현황 보여줘
        list the products of the mall
        skymall에 '{\"productId\":\"P001\"}' 로 주문 등록해줘
        ",
        expect![[r#"
            skymall에서 상품 목록 뽑아서 /report.json에 저장해줘
                Execute API_WORKFLOW new domain="skymall" operation="list_products" targetPath="/report.json"
            Get the product list from skymall and save it to /report.json
                Execute API_WORKFLOW new domain="skymall" operation="list_products" targetPath="/report.json"
            스카이몰의 상품 목록과 재고 시스템의 재고 목록을 합쳐서 all.json에 저장해줘
                Ask API_WORKFLOW new domain="skymall,skystock" operation="list_products,list_inventory" targetPath="all.json" unread="합쳐서"  여러 시스템의 답을 무엇으로 맞출지 말해 주세요. 예: 상품번호로 합쳐서. 아니면 jq 식을 백틱 안에 적어
            스카이몰에서 price가 10,000원 미만인 상품의 name, price 필드만 뽑아서 cheap.json 에 저장해줘
                Execute API_WORKFLOW new domain="skymall" operation="list_products" select="[.[] | select(.price < 10000) | {name, price}]" targetPath="cheap.json"
            재고 시스템에서 재고 현황 보여줘
                Execute API_WORKFLOW new domain="skystock" operation="list_inventory"
            list the products of the mall
                Execute API_WORKFLOW new domain="skymall" operation="list_products"
            skymall에 '{"productId":"P001"}' 로 주문 등록해줘
                Execute API_WORKFLOW new body="{\"productId\":\"P001\"}" domain="skymall" operation="create_order"
        "#]],
    )
    .await;
}

#[tokio::test]
async fn an_operation_that_is_not_known_is_asked_for_by_name() {
    check(
        &known(parts("")),
        "
        skymall에서 뭔가 뽑아서 report.json에 저장해줘
        skymall의 상품 목록과 재고 시스템의 뭔가를 가져와
        skymall의 상품 목록과 skystock의 재고 목록에서 price가 100 미만인 것만 뽑아줘
        skymall에서 가격이 10,000원 미만인 상품만 뽑아서 cheap.json 에 저장해줘
        nowhere에서 상품 목록 뽑아줘
        ",
        expect![[r#"
            skymall에서 뭔가 뽑아서 report.json에 저장해줘
                Ask API_WORKFLOW new domain="skymall" targetPath="report.json"  skymall의 어떤 작업을 할까요? 상품 목록 (list_products), 카테고리 목록 (list_ca
            skymall의 상품 목록과 재고 시스템의 뭔가를 가져와
                Ask API_WORKFLOW new domain="skymall,skystock"  skymall의 어떤 작업을 할까요? 상품 목록 (list_products), 카테고리 목록 (list_ca
            skymall의 상품 목록과 skystock의 재고 목록에서 price가 100 미만인 것만 뽑아줘
                Ask API_WORKFLOW new domain="skymall,skystock" operation="list_products,list_inventory" unread="price가"  여러 시스템의 답을 무엇으로 맞출지 말해 주세요. 예: 상품번호로 합쳐서. 아니면 jq 식을 백틱 안에 적어
            skymall에서 가격이 10,000원 미만인 상품만 뽑아서 cheap.json 에 저장해줘
                Execute API_WORKFLOW new domain="skymall" operation="list_products" select="[.[] | select(.price < 10000)]" targetPath="cheap.json"
            nowhere에서 상품 목록 뽑아줘
                Reply CONVERSATION stay  무엇을 할지 알아듣지 못했습니다. 예: "notes/오늘.md에 '회의 3시'라고 써줘", "notes/오늘
        "#]],
    )
    .await;
    let english = PromptParts { language: Lang::En, ..known(parts("")) };
    check(&english, "get something from skymall", expect![[r#"
        get something from skymall
            Ask API_WORKFLOW new domain="skymall"  Which skymall operation? products (list_products), categorie
    "#]]).await;
}

/// What an earlier run or the active task answered with says what fields are called.
#[tokio::test]
async fn conditions_are_read_by_the_labels_of_what_they_speak_of() {
    let stock = [(SlotName::DOMAIN, "skystock"), (SlotName::OPERATION, "list_inventory")];
    let mut ran = wiiiv_domain::Slots::default();
    for (name, value) in stock {
        ran.set(name, value).unwrap();
    }
    check(
        &PromptParts { earlier_run: true, ran, ..known(parts("")) },
        "
        그 결과에서 수량 10개 미만인 것만 low.json 으로 저장해주세요
        그 결과에서 국산만 low.json 으로 저장해주세요
        ",
        expect![[r#"
            그 결과에서 수량 10개 미만인 것만 low.json 으로 저장해주세요
                Execute FILE_WRITE new select="[.[] | select(.quantity < 10)]" sourceRun="last" targetPath="low.json"
            그 결과에서 국산만 low.json 으로 저장해주세요
                Ask FILE_WRITE new sourceRun="last" targetPath="low.json" unread="국산만"  `국산만`: 어떤 것을 말씀하시는지 알아듣지 못했습니다. 조건은 필드 이름으로 말해 주세요. 예: price
        "#]],
    )
    .await;
    let previewed = [
        ("intent", "저장해줘"),
        (SlotName::DOMAIN, "skymall"),
        (SlotName::OPERATION, "list_products"),
        (SlotName::SELECT, "[.[] | select(.price <= 30000)]"),
        (SlotName::TARGET_PATH, "a.json"),
    ];
    check(
        &known(task(TaskType::ApiWorkflow, &previewed)),
        "
        음.. 3만원 말고 2만원 이하로 하자
        파일은 b.json 으로 하고 국산만
        아니 skystock 재고 목록으로 가져와주세요
        ",
        expect![[r#"
            음.. 3만원 말고 2만원 이하로 하자
                Execute API_WORKFLOW stay select="[.[] | select(.price <= 20000)]"
            파일은 b.json 으로 하고 국산만
                Ask API_WORKFLOW stay targetPath="b.json" unread="국산만"  `국산만`: 어떤 것을 말씀하시는지 알아듣지 못했습니다. 조건은 필드 이름으로 말해 주세요. 예: price
            아니 skystock 재고 목록으로 가져와주세요
                Ask API_WORKFLOW stay domain="skystock" operation="list_inventory" unread="[.[] | select(.price <= 30000)]"  `[.[] | select(.price <= 30000)]`: 어떤 것을 말씀하시는지 알아듣지 못했습니다.
        "#]],
    )
    .await;
}

#[tokio::test]
async fn the_answer_settles_it() {
    let asked =
        task(TaskType::ApiWorkflow, &[("intent", "뽑아줘"), (SlotName::DOMAIN, "스카이몰")]);
    check(
        &known(asked),
        "
        상품 목록
        주문 목록이요
        재고 목록
        skystock 재고 목록
        notes/a.md 읽어줘
        ",
        expect![[r#"
            상품 목록
                Execute API_WORKFLOW stay operation="list_products"
            주문 목록이요
                Execute API_WORKFLOW stay operation="list_orders"
            재고 목록
                Ask API_WORKFLOW stay  skymall의 어떤 작업을 할까요? 상품 목록 (list_products), 카테고리 목록 (list_ca
            skystock 재고 목록
                Execute API_WORKFLOW new domain="skystock" operation="list_inventory"
            notes/a.md 읽어줘
                Execute FILE_READ new targetPath="notes/a.md"
        "#]],
    )
    .await;
}

/// Proposed again it would come back again.
#[tokio::test]
async fn what_a_review_wants_is_said_and_asked_for() {
    let write = [(SlotName::TARGET_PATH, "a.md"), (SlotName::CONTENT, "x")];
    let revision = vec!["EFFECT_WIDER_THAN_REQUEST".to_owned(), "PATH_OUTSIDE".to_owned()];
    let sent_back = PromptParts { revision, ..task(TaskType::FileWrite, &write) };
    check(
        &sent_back,
        "
        a.md 에 'x' 라고 써줘
        음 그건 좀
        b.md 에 'x' 라고 써줘
        b.md 로 바꿔줘
        쓰지 마
        ",
        expect![[r#"
            a.md 에 'x' 라고 써줘
                Ask FILE_WRITE stay  이대로는 할 수 없습니다. 무엇을 바꿀지 알려 주세요.
            자세히: EFFECT_WIDER_THAN_REQUES
            음 그건 좀
                Ask FILE_WRITE stay  이대로는 할 수 없습니다. 무엇을 바꿀지 알려 주세요.
            자세히: EFFECT_WIDER_THAN_REQUES
            b.md 에 'x' 라고 써줘
                Execute FILE_WRITE new content="x" targetPath="b.md"
            b.md 로 바꿔줘
                Execute FILE_WRITE stay targetPath="b.md"
            쓰지 마
                Reply CONVERSATION stay  알겠습니다. 아무것도 하지 않았습니다.
        "#]],
    )
    .await;
}

/// What was asked for before is not asked for again.
#[tokio::test]
async fn the_name_of_a_system_answers_which_one_is_meant() {
    let asked = |intent: &str| known(task(TaskType::ApiWorkflow, &[(SlotName::INTENT, intent)]));
    check(
        &asked("가격 3만원 이하인 상품 목록 보여줘"),
        "
        skymall
        스카이몰이요
        ",
        expect![[r#"
            skymall
                Execute API_WORKFLOW stay domain="skymall" operation="list_products" select="[.[] | select(.price <= 30000)]"
            스카이몰이요
                Execute API_WORKFLOW stay domain="skymall" operation="list_products" select="[.[] | select(.price <= 30000)]"
        "#]],
    )
    .await;
    check(
        &asked("show the supplier list"),
        "
        skystock
        ",
        expect![[r#"
            skystock
                Execute API_WORKFLOW stay domain="skystock" operation="list_suppliers"
        "#]],
    )
    .await;
}

#[tokio::test]
async fn the_fields_of_what_is_registered_are_told() {
    check(
        &known(parts("")),
        "
        what fields do products have?
        상품에는 어떤 필드가 있어?
        what fields does the moon have?
        ",
        expect![[r#"
            what fields do products have?
                Reply CONVERSATION stay  상품 목록의 필드: id (상품번호), name (이름), name_en (영문 이름), category (
            상품에는 어떤 필드가 있어?
                Reply CONVERSATION stay  상품 목록의 필드: id (상품번호), name (이름), name_en (영문 이름), category (
            what fields does the moon have?
                Reply CONVERSATION stay  내장 모델은 지식을 묻는 질문에는 답하지 못합니다. 파일과 API 일은 할 수 있습니다.
        "#]],
    )
    .await;
}
