//! A condition that is not understood is asked about, whatever it is said in: all rows are never
//! meant by it.

use crate::LEXICON;
use crate::table::situation_of;
use wiiiv_domain::{SlotName, Slots, Spec, TaskType};
use wiiiv_language::{ReadSignal, Situation, read};

/// Less sure than this, it asks.
const CONFIDENCE_MIN: f32 = 0.4;

const REQUESTS: &str = "
    skymall 상품 목록에서 식품이 아닌 것만 nf.json에 저장해줘
    skymall 상품 목록에서 국산이면 저장해줘 k.json
    스카이몰에서 노트북 상품만 저장해줘 laptop.json
    몰 상품 가운데 인기 많은 것만 hot.json에 저장
    skymall 상품에서 가전제품류만 골라 appliances.json에 저장해주세요
    skymall 고객 중 VIP만 vip.json에 저장해줘
    skymall 회원 목록에서 서울 사는 사람만 seoul.json에 저장해줘
    skymall 주문 중 어제 들어온 것만 y.json으로 저장
    재고 시스템 재고 목록 부산 창고 것만 busan.json에 저장해줘
    재고 시스템 거래처 중에서 납기가 짧은 곳만 fast.json 저장해줘
    스카이몰 상품 비싼 순으로 상위 몇 개만 top.json에 저장해줘
    스카이몰 상품 절반만 half.json에 저장해줘
    스카이몰 상품에서 중복 제거하고 uniq.json에 저장해줘
    스카이몰 상품 중 이름이 긴 것만 long.json에 저장해줘
    skymall 주문을 고객별로 정리해서 c.json에 저장해줘
    skymall 상품 카테고리가 식품이거나 도서인 것만 fb.json에 저장해줘
    skymall 상품 카테고리가 식품이 아닌 것만 nf.json에 저장해줘
    skymall 상품 평균보다 비싼 것만 above.json에 저장해줘
    skymall 상품 목록에서 품절 상품은 제외하고 저장해줘 avail.json
    skymall 상품 중에 하나만 골라서 one.json에 저장해줘
    skymall 상품 마지막 3개만 last3.json에 저장해줘
    save the skymall products customers liked to liked.json
    save skymall users from seoul to s.json
    save the pending skymall orders to p.json
    export skymall orders over the last week to w.json
    save half of the skymall products to h.json
    save every other product from skymall to e.json
    save skymall products whose name contains pro to pro.json
    save products above average price from skymall to a.json
    give me only vip customers of skymall in vip.json
    save skymall products excluding books to nb.json
    save skymall products that aren't food to nf.json
    save the discounted ones among skymall products to d.json
    keep just the unpaid orders of skymall in u.json
    save the top products from skymall to t.json
    save a random skymall product list to r.json
    스카이몰 상품 중에 전자제품만 a.json 에 저장해줘
    skymall 상품 목록에서 식품 빼고 a.json 에 저장해줘
    스카이몰 인기 상품을 a.json 에 저장해줘
    스카이몰 재고 있는 상품만 a.json 에 저장해줘
    스카이몰 상품을 창고별로 묶어서 a.json 에 저장해줘
    스카이몰 상품이랑 재고 시스템 재고 목록 합쳐서 a.json 에 저장해줘
    skymall 김철수 주문 목록을 a.json 에 저장해줘
    skymall 이번 달 주문만 a.json 으로 저장
    스카이몰 비싼 상품만 a.json 에 저장해줘
    스카이몰 노트북보다 비싼 상품만 a.json 에 저장해줘
    스카이몰 상품 5개만 a.json 에 저장해줘
    스카이몰 상품 중 가격 3만원 이하이거나 식품인 것만 a.json 에 저장해줘
    스카이몰 상품 카테고리 식품 a.json 에 저장해줘
    스카이몰 품절된 상품을 a.json 에 저장해줘
    스카이몰에서 새로운 상품만 뽑아서 a.json 에 저장해줘
    재고 시스템 재고 현황에서 얼마 안 남은 것만 a.json 에 저장해줘
    재고 시스템에서 재고가 부족한 것들만 a.json 으로 저장해줘
    스카이몰 상품을 식품 말고 a.json 에 저장해줘
    스카이몰 상품 하나만 a.json 에 저장해줘
    skymall 주문 목록 중 배송 중인 것만 a.json 저장해줘
    get the products from skymall except food and save them to a.json
    save only the electronics products from skymall to a.json
    get the red products from skymall and save them to a.json
    get the products in electronics from skymall and save them to a.json
    save skymall products that are in stock to a.json
    save the skymall orders from last month to a.json
    save the expensive products from skymall to a.json
    get skymall orders placed today and save them to a.json
    get the products from skymall, only the ones on sale, and save to a.json
    save skymall products without a price to a.json
    save the 5 products from skymall to a.json
    save products from skymall with Seoul under 5000 to a.json
    save orders from skymall per customer to a.json
    save skymall products that cost a lot to a.json
    save skymall products by category to a.json
    스카이몰 할인 중인 상품만 a.json 에 저장해줘
    재고 시스템 서울 창고 재고만 a.json 으로 저장해줘
    스카이몰 상품을 담당자별로 나눠서 a.json 에 저장해줘
    skymall 상품 중 식품하고 도서만 a.json 에 저장
    스카이몰 주문 목록에서 취소된 건 빼고 a.json 에 저장해줘
    save the skymall products people like most to a.json
    get the skymall orders of john and save them to a.json
    put the new skymall products into a.json
    save skymall products, not the food, to a.json
    skymall products where category_id = food, top 3 by price, only name and price
    skymall products where category_id = food, only name and price
    skymall 상품 중 category_id = food 인 것 이름이랑 가격만
    skymall 주문 5001 취소해줘
    cancel order 5001 of skymall
    skymall 상품 몇 개만 보여줘
";

const OF_AN_EARLIER_RESULT: &str = "
    방금 거에서 식품만 남기고 f.json에 저장해줘
    그 결과 중 절반만 h.json에 저장해줘
    그 목록에서 비싼 것들만 x.json에 저장해줘
    그거 카테고리별로 c.json에 저장해줘
    save the expensive ones from that result to x.json
    save that result but only the food to f.json
    from the last result keep the books and save to b.json
    방금 결과에서 전자제품만 a.json 에 저장해주세요
    그 결과에서 재고 있는 거 a.json 에 저장해줘
    그중에 식품을 a.json 에 저장해줘
    아까 결과 중 새 상품만 a.json 에 저장해줘
    방금 결과 둘을 합쳐서 a.json 에 저장해줘
    그 결과에서 식품은 제외하고 a.json 에 저장해줘
    save only the food from that result to a.json
    save the result without the books to a.json
    그 결과에서 카테고리별로 나눠서 a.json 에 저장해줘
";

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// Nothing runs: a slot is missing, or it is not sure.
fn asks(text: &str, situation: &Situation) -> bool {
    let reading = read(&LEXICON, text, situation);
    let whole = |task| Spec::missing(task, &reading.slots).is_empty();
    let acts = reading.confidence >= CONFIDENCE_MIN && reading.task_type.is_some_and(whole);
    !acts || reading.slots.get(SlotName::OPERATION).is_none() && !reads_earlier(&reading.slots)
}

fn reads_earlier(slots: &Slots) -> bool {
    slots.get(SlotName::SOURCE_RUN).is_some()
}

fn after_products() -> Situation {
    let mut ran = Slots::default();
    for (name, value) in [("domain", "skymall"), ("operation", "list_products")] {
        ran.set(name, value).unwrap();
    }
    Situation { ran, ..situation_of("earlier") }
}

#[test]
fn a_condition_that_is_not_understood_is_asked_about() {
    let ran: Vec<&str> =
        lines(REQUESTS).filter(|text| !asks(text, &situation_of("fresh"))).collect();
    assert!(ran.is_empty(), "{ran:#?}");
    let after = after_products();
    let ran: Vec<&str> = lines(OF_AN_EARLIER_RESULT).filter(|text| !asks(text, &after)).collect();
    assert!(ran.is_empty(), "{ran:#?}");
}

/// And it is missing to every model: without what is to be kept no plan is drawn.
#[test]
fn what_is_not_understood_is_named_in_the_slots() {
    for (text, words) in [
        ("스카이몰 상품 중에 가격 3만원 이하인 식품만 a.json 에 저장해줘", "식품만"),
        ("save only the electronics products from skymall to a.json", "electronics"),
    ] {
        let reading = read(&LEXICON, text, &situation_of("fresh"));
        assert_eq!(reading.slots.get(SlotName::UNREAD), Some(words), "{text}");
        assert_eq!(Spec::missing(TaskType::ApiWorkflow, &reading.slots), [SlotName::SELECT]);
    }
}

/// What a plan keeps back is kept where the plan is changed.
#[test]
fn a_change_drops_no_condition() {
    let mut known = Slots::default();
    let select = "[.[] | select(.category == \"식품\") | select(.price <= 30000)]";
    for (name, value) in [
        ("domain", "skymall"),
        ("operation", "list_products"),
        ("targetPath", "a.json"),
        ("select", select),
    ] {
        known.set(name, value).unwrap();
    }
    let changing = Situation { known, ..situation_of("confirming API_WORKFLOW") };
    let changed = |text| {
        let reading = read(&LEXICON, text, &changing);
        let select = reading.slots.get(SlotName::SELECT).unwrap_or_default().to_owned();
        (select, reading.confidence >= CONFIDENCE_MIN)
    };
    let cheaper = select.replace("30000", "20000");
    assert_eq!(changed("3만원 말고 2만원 이하로 하자"), (cheaper.clone(), true));
    assert_eq!(changed("make it price under 20000"), (cheaper.replace("<=", "<"), true));
    let fields = select.replace("30000)]", "30000) | {name, price}]");
    assert_eq!(changed("파일은 b.json 으로 하고 이름이랑 가격만 남겨줘"), (fields.clone(), true));
    assert_eq!(changed("only name and price"), (fields, true));
    assert_eq!(changed("가격순으로 해줘"), (format!("{select} | sort_by(.price)"), true));
    assert_eq!(changed("상위 3개만"), (format!("{select} | .[:3]"), true));
    assert_eq!(changed("just the top 3"), (format!("{select} | .[:3]"), true));
    assert_eq!(changed("파일은 b.json 으로 하고 국산만"), (String::new(), false));
    // The rows of another system have no price.
    assert_eq!(changed("아니 skystock 재고 목록으로 바꿔줘"), (String::new(), false));
}

/// What is written down of an earlier result is changed like what is asked of a system.
#[test]
fn an_earlier_result_that_waits_is_changed() {
    let mut known = Slots::default();
    for (name, value) in [
        (SlotName::SOURCE_RUN, "last"),
        (SlotName::TARGET_PATH, "a.json"),
        (SlotName::SELECT, "[.[] | select(.price <= 30000)]"),
    ] {
        known.set(name, value).unwrap();
    }
    let changing =
        Situation { known, ran: after_products().ran, ..situation_of("confirming FILE_WRITE") };
    for (text, select) in [
        ("이름이랑 가격만", "[.[] | select(.price <= 30000) | {name, price}]"),
        ("상위 3개만", "[.[] | select(.price <= 30000)] | .[:3]"),
        ("sort it by price", "[.[] | select(.price <= 30000)] | sort_by(.price)"),
    ] {
        let reading = read(&LEXICON, text, &changing);
        assert_eq!(reading.slots.get(SlotName::SELECT), Some(select), "{text}");
        assert_eq!(reading.signal, ReadSignal::Modify, "{text}");
        assert_eq!(reading.slots.get(SlotName::TARGET_PATH), None, "{text}");
    }
}

/// What waits goes on waiting: it is neither done nor taken back.
#[test]
fn what_is_put_off_is_neither_done_nor_taken_back() {
    let waiting = situation_of("confirming FILE_WRITE");
    for text in
        ["later", "나중에", "나중에 할게", "not now", "maybe later", "네 나중에 할게요", "이따가요"]
    {
        let reading = read(&LEXICON, text, &waiting);
        let said = (reading.signal, reading.negated, reading.task_type);
        assert_eq!(said, (ReadSignal::Say, true, None), "{text}");
    }
}

/// An order, or a choice of fields, is no answer to the question which rows are meant.
#[test]
fn what_was_not_understood_stays_open_until_it_is_said() {
    let words = "under 30000";
    let mut known = Slots::default();
    for (name, value) in
        [("domain", "skymall"), ("operation", "list_products"), (SlotName::UNREAD, words)]
    {
        known.set(name, value).unwrap();
    }
    let asked = Situation { known: known.clone(), ..situation_of("asked API_WORKFLOW select") };
    let open = |text: &str| {
        let reading = read(&LEXICON, text, &asked);
        let slots = known.merged(&reading.slots).unwrap();
        let same = reading.task_type.is_none_or(|task| task == TaskType::ApiWorkflow);
        assert!(same, "{text}: {:?}", reading.task_type);
        let missing = Spec::missing(TaskType::ApiWorkflow, &slots).contains(&SlotName::SELECT);
        (missing, slots.get(SlotName::UNREAD).unwrap_or_default().to_owned())
    };
    for text in ["sort by price", "가격순으로", "이름이랑 가격만", "only the name and the price"]
    {
        assert_eq!(open(text), (true, words.to_owned()), "{text}");
    }
    let (missing, all) = open("actually only the food ones");
    assert!(missing && all.starts_with(words) && all.contains("food"), "{all}");
    assert_eq!(open("price under 30000"), (false, String::new()));
}

#[test]
fn how_many_there_are_is_counted() {
    for text in ["skymall 상품 개수 알려줘", "how many products does skymall have?"] {
        let reading = read(&LEXICON, text, &situation_of("fresh"));
        assert_eq!(reading.slots.get(SlotName::SELECT), Some("[.[]] | length"), "{text}");
    }
    let reading =
        read(&LEXICON, "skymall 상품 중 price 30000 미만인 거 몇 개야?", &situation_of("fresh"));
    let select = "[.[] | select(.price < 30000)] | length";
    assert_eq!(reading.slots.get(SlotName::SELECT), Some(select));
}

/// What is asked back is not what is to be written.
#[test]
fn a_question_is_no_content() {
    let asked = situation_of("asked FILE_WRITE content");
    for text in ["how are you?", "이게 무슨 뜻이야?"] {
        let reading = read(&LEXICON, text, &asked);
        assert_eq!(reading.slots.get(SlotName::CONTENT), None, "{text}");
    }
    for text in ["음 모르겠다", "글쎄", "안 쓸래", "ㅋㅋ", "no idea", "whatever", "dunno, sorry"]
    {
        let reading = read(&LEXICON, text, &asked);
        assert_eq!((reading.task_type, reading.slots.iter().count()), (None, 0), "{text}");
    }
    let reading = read(&LEXICON, "'how are you?'", &asked);
    assert_eq!(reading.slots.get(SlotName::CONTENT), Some("how are you?"));
}
