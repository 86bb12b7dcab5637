//! The question which operation of a system is meant, answered in other words.

use crate::{LEXICON, table::situation_of};
use wiiiv_domain::{SlotName, Slots, Spec, TaskType};
use wiiiv_language::{Situation, lists, read};

/// As a session goes on that asks for what is missing; `None` where a turn leaves it.
fn told(turns: &[&str]) -> Option<Slots> {
    let fresh = situation_of("valued");
    let (first, rest) = turns.split_first()?;
    let mut known = read(&LEXICON, first, &fresh).slots;
    for turn in rest {
        let missing = Spec::missing(TaskType::ApiWorkflow, &known).into_iter();
        let missing = missing.filter_map(|name| SlotName::parse(name).ok());
        let operation = SlotName::parse(SlotName::OPERATION).ok();
        let operation = operation.filter(|_| known.get(SlotName::OPERATION).is_none());
        let active = Some((TaskType::ApiWorkflow, missing.chain(operation).collect()));
        let asked =
            Situation { awaiting_answer: true, active, known: known.clone(), ..fresh.clone() };
        let reading = read(&LEXICON, turn, &asked);
        reading.task_type.filter(|task| *task == TaskType::ApiWorkflow)?;
        known = known.merged(&reading.slots).ok()?;
    }
    Some(known)
}

#[track_caller]
fn check(turns: &[&str], operation: Option<&str>, select: Option<&str>, unread: Option<&str>) {
    let known = told(turns).unwrap();
    let slot = |name| known.get(name);
    assert_eq!(slot(SlotName::OPERATION), operation, "{turns:?}");
    assert_eq!(slot(SlotName::SELECT), select, "{turns:?}");
    assert_eq!(slot(SlotName::UNREAD), unread, "{turns:?}");
}

#[test]
fn what_a_field_holds_says_which_list() {
    let food = Some(r#"[.[] | select(.category == "식품")]"#);
    for turns in [
        &["skymall 식품 보여줘"][..],
        &["skymall 보여줘", "식품"],
        &["skymall 보여줘", "식품만 보여줘"],
        &["skymall 목록 보여줘", "상품", "식품만"],
        &["show me what skymall has", "food"],
    ] {
        check(turns, Some("list_products"), food, None);
    }
    let paid = Some(r#"[.[] | select(.status == "결제완료")]"#);
    check(&["skymall 결제완료된 거 보여줘"], Some("list_orders"), paid, None);
}

#[test]
fn what_narrows_stays_until_the_list_is_said() {
    check(&["skymall 보여줘", "3개만"], None, None, Some("3개만"));
    let turns = ["skymall 보여줘", "3개만", "주문"];
    check(&turns, Some("list_orders"), None, Some("3개만"));
    let cheap = r#"[.[] | select(.category == "의류")] | sort_by(.price)"#;
    check(&["skymall 보여줘", "싼 순서로", "의류"], Some("list_products"), Some(cheap), None);
    let first = format!("{cheap} | .[:3]");
    let turns = ["skymall 보여줘", "금액순으로", "3개만", "의류"];
    check(&turns, Some("list_products"), Some(&first), None);
    let under = Some("[.[] | select(.price < 20000)]");
    let turns = ["show me everything under 20000 won in skymall", "products"];
    check(&turns, Some("list_products"), under, None);
}

#[test]
fn what_is_not_understood_is_never_dropped() {
    for turns in [
        &["skymall 국산만 보여줘", "상품"][..],
        &["skymall 식품 인기 있는 거 보여줘"],
        &["show me the popular ones in skymall", "products"],
        &["skymall 매운 식품 보여줘", "상품"],
        &["skymall 매운 식품 상품 보여줘"],
    ] {
        let known = told(turns).unwrap();
        let asks = Spec::missing(TaskType::ApiWorkflow, &known).contains(&SlotName::SELECT);
        assert!(asks || known.get(SlotName::OPERATION).is_none(), "{turns:?} {known:?}");
    }
}

#[test]
fn something_else_is_no_answer() {
    for turn in
        ["a.txt 지워줘", "그게 무슨 말이야?", "오늘 날씨 좋네", "그만하자", "write hi to a.txt"]
    {
        assert_eq!(told(&["skymall 보여줘", turn]), None, "{turn}");
    }
}

#[test]
fn of_several_lists_those_are_named_that_it_may_be() {
    let systems = situation_of("valued").systems;
    let names = |text: &str| -> Vec<String> {
        let system = systems.iter().find(|system| system.is_called("skymall")).unwrap();
        lists(&LEXICON, system, text).into_iter().map(|operation| operation.id.clone()).collect()
    };
    assert_eq!(names("show me everything under 20000 won"), ["list_products", "list_orders"]);
    assert_eq!(names("전자제품 보여줘"), ["list_products"]);
    assert!(names("보여줘").is_empty());
}
