//! No filter is dropped or turned round: it is in the selection, or it is asked about.

use crate::{LEXICON, table::situation_of};
use wiiiv_domain::{SlotName, TaskType};
use wiiiv_language::{Reading, Situation, read};

/// What is not clear.
const ASKED: &str = "asked";
const EACH: &str = "[.[] | ";
/// An utterance a line, and what is kept of each list, in jq.
const FILTERS: &str = r#"
show products except books or groceries => select(.category != "도서") | select(.category != "식품")
show products except books and groceries => select(.category != "도서") | select(.category != "식품")
show products that aren't books or groceries => select(.category != "도서") | select(.category != "식품")
show products that are not groceries, books or clothing => select(.category != "식품") | select(.category != "도서") | select(.category != "의류")
show products that aren't books or are groceries => asked
show products that aren't sold out or books => asked
show products not under 20000 or over 70000 => asked
show products not for sale or over 70000 => asked
show products over 70000 or not for sale => asked
show products under 3000 or over 70000 => select(.price < 3000 or .price > 70000)
show products that are books or under 3000 => select((.category == "도서" or .price < 3000))
show products except books over 30000 => asked
show products over 30000 except books => select(.price > 30000) | select(.category != "도서")
show all orders except the delivered ones of user 3 => asked
show the delivered orders of user 3 => select(.user_id == 3) | select(.status == "배송완료")
show orders that aren't delivered or cancelled => select(.status != "배송완료") | select(.status != "취소")
show products over 3000 and under 7000 => select(.price > 3000) | select(.price < 7000)
show products over 3000 and below 7000 => select(.price > 3000) | select(.price < 7000)
show products under 7000 and over 3000 => select(.price < 7000) | select(.price > 3000)
show products whose price is between 3000 and 7000 => select(.price >= 3000) | select(.price <= 7000)
show orders of user 4, 5 or 6 => select(.user_id == 4 or .user_id == 5 or .user_id == 6)
show orders of user 4, 2 items => asked
show my delivered orders => asked
show my skymall orders => asked
show the orders that are mine => asked
show price of shiny skymall products over 4000 => asked
show the dusty products over 4000 => asked
도서하고 식품이 아닌 상품 보여줘 => select(.category != "도서") | select(.category != "식품")
도서나 식품이 아닌 상품 보여줘 => select(.category != "도서") | select(.category != "식품")
도서, 식품이 아닌 상품 보여줘 => select(.category != "도서") | select(.category != "식품")
도서와 식품 빼고 상품 보여줘 => select(.category != "도서") | select(.category != "식품")
도서하고 식품 상품 보여줘 => select(.category == "도서" or .category == "식품")
도서이거나 식품이 아닌 상품 보여줘 => asked
도서가 아니거나 3천원 이하인 상품 보여줘 => asked
3천원 이상이 아니거나 도서인 상품 보여줘 => asked
도서가 아니며 식품인 상품 보여줘 => select(.category != "도서") | select(.category == "식품")
도서가 아닌 식품 상품 보여줘 => select(.category != "도서") | select(.category == "식품")
도서가 아니든 3천원 이하든 상품 보여줘 => asked
3만원 이상인 도서 빼고 상품 보여줘 => asked
3만원 이상인 도서가 아닌 상품 보여줘 => asked
3만원 이상이고 도서가 아닌 상품 보여줘 => select(.price >= 30000) | select(.category != "도서")
판매중인 도서 빼고 상품 보여줘 => asked
제일 싼 도서 빼고 상품 보여줘 => asked
3번 회원의 배송완료된 주문 빼고 주문 보여줘 => asked
3번 회원 주문에서 배송완료된 거 빼고 보여줘 => select(.user_id == 3) | select(.status != "배송완료")
상품 7번, 회원 3번 주문 보여줘 => select(.product_id == 7) | select(.user_id == 3)
3번, 4번 회원 주문 보여줘 => select(.user_id == 4 or .user_id == 3)
내 배송완료된 주문 보여줘 => asked
내 skymall 주문 보여줘 => asked
3번 회원이 취소한 주문 보여줘 => asked
3번 회원이 반품받은 주문 보여줘 => asked
3번 회원이 한 주문 보여줘 => select(.user_id == 3)
국산 상품만 보여줘 => asked
"#;

/// The filter, as far as it is one that may be asked of the system.
fn kept(reading: &Reading) -> String {
    let slot = |name: &str| reading.slots.get(name);
    let select = slot(SlotName::SELECT).filter(|_| slot(SlotName::UNREAD).is_none());
    let inner = select.and_then(|select| select.strip_prefix(EACH)?.strip_suffix(']'));
    inner.or(select).unwrap_or(ASKED).to_owned()
}

#[test]
fn no_filter_is_dropped_or_inverted() {
    let situation = situation_of("valued");
    let mut wrong = Vec::new();
    let mut count = 0;
    for (text, expected) in FILTERS.lines().filter_map(|line| line.split_once(" => ")) {
        let reading = read(&LEXICON, text, &situation);
        count += 1;
        let listed = reading.slots.get(SlotName::OPERATION).is_some();
        // Asked about means that it is the rows that are asked for.
        if kept(&reading) != expected || !listed {
            wrong.push(format!("{text}: {expected}, and not {}", kept(&reading)));
        }
    }
    assert!(count >= 40 && wrong.is_empty(), "{count}: {wrong:#?}");
}

const WAITS: &str = "valued confirming API_WORKFLOW domain=skymall operation=create_order \
                     body={\"product_id\":112,\"quantity\":1,\"user_id\":4}";

/// A question beside what is to be sent, and an order for something else, change nothing of it.
#[test]
fn a_body_that_waits_is_changed_by_no_question_and_no_other_order() {
    let situation: Situation = situation_of(WAITS);
    for text in [
        "who is user 6?",
        "what is product 118?",
        "show user 6",
        "delete user 6",
        "show me the orders of user 6",
        "회원 6번은 누구야?",
        "회원 6번 보여줘",
        "회원 6번 삭제해줘",
    ] {
        let body = read(&LEXICON, text, &situation).slots.get(SlotName::BODY).map(str::to_owned);
        assert_eq!(body, None, "{text}");
    }
    for text in ["for user 6 instead", "could you make it for user 6?", "user 6 please"] {
        let reading = read(&LEXICON, text, &situation);
        let body = reading.slots.get(SlotName::BODY);
        assert!(body.is_some_and(|body| body.contains("\"user_id\":6")), "{text}: {reading:?}");
        assert_eq!(reading.task_type, Some(TaskType::ApiWorkflow));
    }
}

/// What people say beside a request says nothing of which rows are meant.
#[test]
fn talk_beside_a_request_narrows_nothing() {
    let situation = situation_of("valued");
    for text in [
        "아 창을 잘못 닫아서 꺼졌네요ㅠ 스카이몰 상품 목록 한번만 다시 보여주세요",
        "말 나온 김에 우리 skymall 주문 목록이나 좀 보여주실래요",
        "아.. 알고 보니까 skymall 로 바뀌었대요 죄송합니다. skymall 상품 목록으로 가져와주세요",
        "제 생각엔 상품 목록부터 보여줘",
        "제가 급해서 그런데 상품 목록 보여줘",
        "내일 회의라서 그런데 상품 목록 보여줘",
        "인수인계 때문에 그런데 skymall 상품 목록을 handover/list.json 으로 저장해주세요",
        "재고 시스템 재고 현황은 now.json, 아니 old/now.json 에 저장해주세요",
    ] {
        let reading = read(&LEXICON, text, &situation);
        let slot = |name: &str| reading.slots.get(name);
        assert!(slot(SlotName::OPERATION).is_some(), "{text}: {reading:?}");
        assert_eq!((slot(SlotName::SELECT), slot(SlotName::UNREAD)), (None, None), "{text}");
    }
}
