//! Registered systems, guards and joined inputs, as tables.

use crate::{
    draw::{check, drawn, drawn_by},
    test_plans::{blueprint, policy, slots, spec, systems},
};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::collections::BTreeSet;
use wiiiv_domain::{Effect, Envelope, RequestTarget, Salt, Spec, StepParams, System, TaskType};
use wiiiv_hlx::{Lang, PreImages, explain, preview, registered, validate};

const RUN_1: &str = "00000000-0000-0000-0000-000000000001";

/// As a session does it: code adds what a registered system brings.
fn of(pairs: &[(&str, &str)]) -> Spec {
    let mut slots = slots(pairs);
    let mut envelope = Envelope::default();
    if let Some(found) = registered(&slots, &systems(), &policy()) {
        slots.set("system", found.names).expect("a slot that fits");
        envelope = Envelope { hosts: found.hosts, effects: found.effects, ..envelope };
    }
    Spec::new(Salt::from_bytes([7; 16]), TaskType::ApiWorkflow, slots, &envelope)
}

#[track_caller]
fn calls(pairs: &[(&str, &str)], expected: Expect) {
    let text = match drawn(&of(pairs)) {
        Ok(nodes) => nodes.iter().map(crate::draw::node).collect::<Vec<_>>().join("\n"),
        Err(reasons) => reasons.iter().map(|r| format!("{r:?}")).collect::<Vec<_>>().join("\n"),
    };
    expected.assert_eq(&text);
}

#[test]
fn what_code_adds_to_a_proposal() {
    let added = |pairs: &[(&str, &str)]| registered(&slots(pairs), &systems(), &policy());
    assert_eq!(added(&[("operation", "products")]), None);
    assert_eq!(added(&[("domain", "shop.test")]), None);
    assert_eq!(added(&[("domain", "mall,shop.test")]), None);
    let mall = added(&[("domain", "SKY MALL"), ("operation", "주문")]).expect("registered");
    assert_eq!((mall.names.as_str(), &mall.effects), ("mall", &BTreeSet::from([Effect::Write])));
    assert_eq!(mall.hosts, BTreeSet::from(["mall.test".to_owned()]));
    let both = added(&[("domain", "재고 시스템 , 스카이몰"), ("operation", "inventory,find")]);
    let both = both.expect("registered");
    assert_eq!(
        (both.names.as_str(), &both.effects),
        ("stock,mall", &BTreeSet::from([Effect::Read]))
    );
    assert!(both.hosts.contains("127.0.0.1:8081"));
    let unknown = added(&[("domain", "mall"), ("operation", "nothing of it")]).expect("registered");
    assert!(unknown.effects.is_empty());
}

#[test]
fn one_operation() {
    calls(
        &[("domain", "mall"), ("operation", "products")],
        expect![[
            r#"call Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"products\""] [] None "#
        ]],
    );
    calls(
        &[
            ("domain", "스카이몰"),
            ("operation", "상품"),
            ("arguments", r#"{"id":"a/b 1"}"#),
            ("select", ".name"),
            ("targetPath", "out/x.json"),
        ],
        expect![[r#"
            call Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"products\"", "\"a/b 1\""] [] None 
            filter Transform Read idempotent ["call"]: ".name" of <call . Json 4194304>
            save Act Write idempotent ["filter"]: "out" "x.json" = <filter . Json 1048576>"#]],
    );
    calls(
        &[
            ("domain", "mall"),
            ("operation", "products"),
            ("arguments", r#"{"mall":{"page":2,"category":"책","extra":null}}"#),
        ],
        expect![[
            r#"call Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"products\""] ["category=\"책\"", "page=\"2\""] None "#
        ]],
    );
    calls(
        &[("domain", "mall"), ("operation", "root")],
        expect![[
            r#"call Observe Read idempotent []: GET Https mall@mall.test None ["\"api\""] [] None "#
        ]],
    );
    calls(
        &[("domain", "stock"), ("operation", "all")],
        expect![[
            r#"call Observe Read idempotent []: GET Http stock@127.0.0.1 Some(8081) ["\"inventory\"", "\"\""] [] None "#
        ]],
    );
    calls(
        &[("domain", "mall"), ("operation", "order"), ("body", "{}")],
        expect![[
            r#"call Act Write once []: POST Https mall@mall.test None ["\"api\"", "\"orders\""] [] Some("application/json") "{}""#
        ]],
    );
}

#[test]
fn a_method_and_a_path_under_the_base() {
    calls(
        &[("domain", "mall"), ("operation", "get /orders/a%2Fb?max=1,2&q=%EA%B0%80")],
        expect![[
            r#"call Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"orders\"", "\"a/b\""] ["max=\"1,2\"", "q=\"가\""] None "#
        ]],
    );
    calls(
        &[("domain", "mall"), ("operation", "GET /products/{id}"), ("arguments", r#"{"id":7}"#)],
        expect![[
            r#"call Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"products\"", "\"7\""] [] None "#
        ]],
    );
    calls(
        &[("domain", "mall"), ("operation", "GET /x/{a}"), ("arguments", r#"{"a":1,"b":true}"#)],
        expect![[
            r#"call Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"x\"", "\"1\""] ["b=\"true\""] None "#
        ]],
    );
    calls(
        &[("domain", "mall"), ("operation", "GET /../../admin")],
        expect![[
            r#"call Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"admin\""] [] None "#
        ]],
    );
    calls(
        &[("domain", "mall"), ("operation", "GET //evil.test/x")],
        expect![[
            r#"call Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"\"", "\"evil.test\"", "\"x\""] [] None "#
        ]],
    );
}

/// `stock` has a credential, `mall` has none to keep.
#[test]
fn a_path_of_a_system_with_a_credential_is_that_of_an_operation() {
    calls(
        &[("domain", "stock"), ("operation", "DELETE /inventory/7"), ("arguments", r#"{"id":7}"#)],
        expect![[
            r#"call Act Write once []: DELETE Http stock@127.0.0.1 Some(8081) ["\"inventory\"", "\"7\""] [] None "#
        ]],
    );
    calls(
        &[
            ("domain", "stock"),
            ("operation", "get /inventory?below=3"),
            ("arguments", r#"{"below":"3"}"#),
        ],
        expect![[
            r#"call Observe Read idempotent []: GET Http stock@127.0.0.1 Some(8081) ["\"inventory\""] ["below=\"3\""] None "#
        ]],
    );
    let table: &[&[(&str, &str)]] = &[
        &[("domain", "stock"), ("operation", "GET /secret")],
        &[("domain", "stock"), ("operation", "PUT /inventory/7")],
        &[("domain", "stock"), ("operation", "HEAD /inventory/")],
        &[("domain", "stock"), ("operation", "GET /inventory?below=3&admin=1")],
        &[("domain", "stock"), ("operation", "GET //inventory/")],
        &[("domain", "stock"), ("operation", "GET /inventory/../secret")],
        &[("domain", "stock"), ("operation", "GET /inventory/%2e%2e/secret")],
        &[("domain", "stock"), ("operation", "DELETE /inventory/..%2fsecret")],
        &[("domain", "stock"), ("operation", "GET /Inventory/")],
        &[("domain", "mall,stock"), ("operation", "root,GET /secret")],
        &[("domain", "stock"), ("operation", "GET /inventory")],
        &[("domain", "stock"), ("operation", "DELETE /inventory/7"), ("arguments", r#"{"id":8}"#)],
        &[("domain", "stock"), ("operation", "drop"), ("arguments", r#"{"id":"../secret"}"#)],
        &[("domain", "stock"), ("operation", "drop"), ("arguments", r#"{"id":"%2e%2e"}"#)],
    ];
    let mut text = String::new();
    for slots in table {
        let reasons = drawn(&of(slots)).expect_err("no plan");
        text.push_str(&format!("{reasons:?}\n"));
    }
    expect![[r#"
        [Slot { name: SlotName("operation"), code: "OPERATION_NOT_REGISTERED" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_NOT_REGISTERED" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_NOT_REGISTERED" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_NOT_REGISTERED" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_NOT_REGISTERED" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_NOT_REGISTERED" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_NOT_REGISTERED" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_NOT_REGISTERED" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_NOT_REGISTERED" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_NOT_REGISTERED" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENT_MISSING" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENT_UNFIT" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENT_UNFIT" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENT_UNFIT" }]
    "#]]
    .assert_eq(&text);
    let any: Vec<_> =
        systems().into_iter().map(|system| System { any_path: true, ..system }).collect();
    let free = of(&[("domain", "stock"), ("operation", "GET /secret?x=1")]);
    let nodes = drawn_by(&free, &any).expect("a plan");
    expect![[
        r#"call Observe Read idempotent []: GET Http stock@127.0.0.1 Some(8081) ["\"secret\""] ["x=\"1\""] None "#
    ]]
    .assert_eq(&crate::draw::node(&nodes[0]));
}

#[test]
fn a_label_counts_only_where_the_policy_has_it() {
    calls(
        &[("domain", "mall"), ("operation", "find"), ("body", r#"{"q":1}"#)],
        expect![[
            r#"call Observe Read idempotent []: POST Https mall@mall.test None ["\"api\"", "\"products\"", "\"search\""] [] Some("application/json") "{\"q\":1}""#
        ]],
    );
    let lookup = [("domain", "mall"), ("operation", "lookup"), ("arguments", r#"{"id":1}"#)];
    calls(
        &lookup,
        expect![[
            r#"call Act Write once []: POST Https mall@mall.test None ["\"api\"", "\"products\"", "\"1\"", "\"lookup\""] [] None "#
        ]],
    );
    let drop = [("domain", "stock"), ("operation", "drop"), ("arguments", r#"{"id":1}"#)];
    calls(
        &drop,
        expect![[
            r#"call Act Write once []: DELETE Http stock@127.0.0.1 Some(8081) ["\"inventory\"", "\"1\""] [] None "#
        ]],
    );
    check(
        TaskType::ApiWorkflow,
        &[("url", "https://mall.test/api/products/search"), ("method", "POST"), ("body", "{}")],
        expect![[
            r#"call Observe Read idempotent []: POST Https mall.test None ["\"api\"", "\"products\"", "\"search\""] [] Some("application/json") "{}""#
        ]],
    );
}

#[test]
fn several_systems_at_once() {
    calls(
        &[
            ("domain", "mall, stock"),
            ("operation", "products, inventory"),
            ("arguments", r#"{"스카이몰":{"page":1},"stock":{"below":10}}"#),
            ("select", "[.[0][] as $p | .[1][] | select(.product == $p.id)]"),
            ("targetPath", "joined.json"),
        ],
        expect![[r#"
            call-1 Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"products\""] ["page=\"1\""] None 
            call-2 Observe Read idempotent []: GET Http stock@127.0.0.1 Some(8081) ["\"inventory\""] ["below=\"10\""] None 
            filter Transform Read idempotent ["call-1", "call-2"]: "[.[0][] as $p | .[1][] | select(.product == $p.id)]" of <call-1 . Json 4194304> + <call-2 . Json 4194304>
            save Act Write idempotent ["filter"]: "" "joined.json" = <filter . Json 1048576>"#]],
    );
    calls(
        &[("domain", "mall,stock"), ("operation", "products,all")],
        expect![[r#"
        call-1 Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"products\""] [] None 
        call-2 Observe Read idempotent []: GET Http stock@127.0.0.1 Some(8081) ["\"inventory\"", "\"\""] [] None 
        join Transform Read idempotent ["call-1", "call-2"]: "." of <call-1 . Json 4194304> + <call-2 . Json 4194304>"#]],
    );
    calls(
        &[("domain", "mall"), ("operation", "products,root")],
        expect![[r#"
        call-1 Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"products\""] [] None 
        call-2 Observe Read idempotent []: GET Https mall@mall.test None ["\"api\""] [] None 
        join Transform Read idempotent ["call-1", "call-2"]: "." of <call-1 . Json 4194304> + <call-2 . Json 4194304>"#]],
    );
    calls(
        &[
            ("domain", "mall,stock"),
            ("operation", "products,all"),
            ("when", "(.[1] | length) > 0"),
            ("select", ".[0]"),
            ("targetPath", "x.json"),
        ],
        expect![[r#"
            call-1 Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"products\""] [] None 
            call-2 Observe Read idempotent []: GET Http stock@127.0.0.1 Some(8081) ["\"inventory\"", "\"\""] [] None 
            join Transform Read idempotent ["call-1", "call-2"]: "." of <call-1 . Json 4194304> + <call-2 . Json 4194304>
            filter Transform Read idempotent ["join"]: ".[0]" of <join . Json 4194304>
            save Act Write idempotent ["filter", "join"]: "" "x.json" = <filter . Json 1048576> WHEN <join (.[1] | length) > 0 Json 1048576>"#]],
    );
}

#[test]
fn what_cannot_be_asked_of_a_system() {
    let table: [&[(&str, &str)]; 13] = [
        &[("domain", "mall")],
        &[("domain", "mall"), ("operation", "nothing of it")],
        &[("domain", "mall,stock"), ("operation", "products")],
        &[("domain", "mall,stock"), ("operation", "order,all")],
        &[("domain", "mall"), ("operation", "product")],
        &[("domain", "stock"), ("operation", "inventory")],
        &[("domain", "mall"), ("operation", "products"), ("arguments", r#"{"colour":1}"#)],
        &[("domain", "mall"), ("operation", "products"), ("arguments", r#"{"page":[1]}"#)],
        &[("domain", "mall"), ("operation", "product"), ("arguments", r#"{"id":".."}"#)],
        &[("domain", "mall"), ("operation", "products"), ("arguments", "page=1")],
        &[("domain", "mall,stock"), ("operation", "root,all"), ("arguments", r#"{"x":{}}"#)],
        &[("domain", "mall"), ("operation", "root,root,root,root,root,root,root,root,root")],
        &[("domain", "mall"), ("operation", "products"), ("body", "{}")],
    ];
    let mut text = String::new();
    for slots in table {
        let reasons = drawn(&of(slots)).expect_err("no plan");
        text.push_str(&format!("{reasons:?}\n"));
    }
    expect![[r#"
        [Slot { name: SlotName("operation"), code: "MISSING" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_UNKNOWN" }]
        [Slot { name: SlotName("operation"), code: "OPERATION_COUNT" }]
        [Slot { name: SlotName("operation"), code: "SEVERAL_READ_ONLY" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENT_MISSING" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENT_MISSING" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENT_UNKNOWN" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENT_UNFIT" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENT_UNFIT" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENTS_NOT_OBJECT" }]
        [Slot { name: SlotName("arguments"), code: "ARGUMENT_UNKNOWN" }]
        [Slot { name: SlotName("operation"), code: "TOO_MANY_CALLS" }]
        [Slot { name: SlotName("method"), code: "METHOD_TAKES_NO_BODY" }]
    "#]]
    .assert_eq(&text);
    let mut gone = of(&[("domain", "mall"), ("operation", "products")]);
    gone.slots.set("system", "sold").expect("a slot that fits");
    expect![[r#"Err([Slot { name: SlotName("domain"), code: "SYSTEM_UNKNOWN" }])"#]]
        .assert_eq(&format!("{:?}", drawn(&gone)));
}

#[test]
fn a_condition_guards_what_happens() {
    calls(
        &[
            ("domain", "mall"),
            ("operation", "products"),
            ("when", "any(.[]; .price > 10)"),
            ("select", ".[0]"),
            ("targetPath", "x.json"),
        ],
        expect![[r#"
            call Observe Read idempotent []: GET Https mall@mall.test None ["\"api\"", "\"products\""] [] None 
            filter Transform Read idempotent ["call"]: ".[0]" of <call . Json 4194304>
            save Act Write idempotent ["filter", "call"]: "" "x.json" = <filter . Json 1048576> WHEN <call any(.[]; .price > 10) Json 1048576>"#]],
    );
    calls(
        &[
            ("domain", "mall"),
            ("operation", "order"),
            ("body", "{}"),
            ("sourceRun", "last"),
            ("when", ".[0].left < 3"),
            ("targetPath", "order.json"),
        ],
        expect![[r#"
            call Act Write once []: POST Https mall@mall.test None ["\"api\"", "\"orders\""] [] Some("application/json") "{}" WHEN <00000000-0000-0000-0000-000000000002/filter .[0].left < 3 Json 1048576>
            save Act Write idempotent ["call"]: "" "order.json" = <call . Json 1048576>"#]],
    );
    calls(
        &[
            ("domain", "mall"),
            ("operation", "order"),
            ("sourceRun", "last,last-1"),
            ("when", ".[0].left < 3"),
        ],
        expect![[r#"
            join Transform Read idempotent []: "." of <00000000-0000-0000-0000-000000000002/filter . Json 1048576> + <00000000-0000-0000-0000-000000000001/read . Json 2097152>
            call Act Write once ["join"]: POST Https mall@mall.test None ["\"api\"", "\"orders\""] [] Some("application/json") <join . Json 4194304> WHEN <join .[0].left < 3 Json 1048576>"#]],
    );
    let drop = [("domain", "stock"), ("operation", "drop"), ("arguments", r#"{"id":1}"#)];
    calls(
        &[&drop[..], &[("sourceRun", "last"), ("when", ".gone")]].concat(),
        expect![[
            r#"call Act Write once []: DELETE Http stock@127.0.0.1 Some(8081) ["\"inventory\"", "\"1\""] [] None  WHEN <00000000-0000-0000-0000-000000000002/filter .gone Json 1048576>"#
        ]],
    );
    check(
        TaskType::FileWrite,
        &[("targetPath", "a"), ("content", "x"), ("sourceRun", "last"), ("when", ".a")],
        expect![[
            r#"write Act Write idempotent []: "" "a" = "x" WHEN <00000000-0000-0000-0000-000000000002/filter .a Json 1048576>"#
        ]],
    );
    check(
        TaskType::FileDelete,
        &[("targetPath", "a"), ("sourceRun", "last,last"), ("when", ".a")],
        expect![[r#"
            join Transform Read idempotent []: "." of <00000000-0000-0000-0000-000000000002/filter . Json 1048576> + <00000000-0000-0000-0000-000000000002/filter . Json 1048576>
            delete Act Delete idempotent ["join"]: "" "a" WHEN <join .a Json 1048576>"#]],
    );
}

#[test]
fn a_condition_without_anything_to_guard_or_to_speak_of() {
    let mall = ("domain", "mall");
    let table: [(TaskType, &[(&str, &str)]); 6] = [
        (TaskType::ApiWorkflow, &[mall, ("operation", "products"), ("when", ".a")]),
        (TaskType::ApiWorkflow, &[mall, ("operation", "order"), ("when", ".a")]),
        (TaskType::FileRead, &[("targetPath", "a"), ("when", ".a")]),
        (TaskType::FileDelete, &[("targetPath", "a"), ("when", ".a")]),
        (TaskType::FileWrite, &[("targetPath", "a"), ("content", "x"), ("when", ".a")]),
        (TaskType::FileWrite, &[("targetPath", "a"), ("sourceRun", "last"), ("when", "env")]),
    ];
    let mut text = String::new();
    for (task, slots) in table {
        let spec = if task == TaskType::ApiWorkflow { of(slots) } else { spec(task, slots) };
        text.push_str(&format!("{:?}\n", drawn(&spec).expect_err("no plan")));
    }
    expect![[r#"
        [Slot { name: SlotName("when"), code: "CONDITION_WITHOUT_ACTION" }]
        [Slot { name: SlotName("when"), code: "CONDITION_WITHOUT_SOURCE" }]
        [Slot { name: SlotName("when"), code: "CONDITION_WITHOUT_ACTION" }]
        [Slot { name: SlotName("when"), code: "CONDITION_WITHOUT_SOURCE" }]
        [Slot { name: SlotName("when"), code: "CONDITION_WITHOUT_SOURCE" }]
        [Slot { name: SlotName("when"), code: "JQ_UNKNOWN" }]
    "#]]
    .assert_eq(&text);
}

#[test]
fn earlier_results_are_named_by_their_age() {
    check(
        TaskType::FileWrite,
        &[("targetPath", "a.txt"), ("sourceRun", "LAST-1")],
        expect![[
            r#"write Act Write idempotent []: "" "a.txt" = <00000000-0000-0000-0000-000000000001/read . Text 2097152>"#
        ]],
    );
    check(
        TaskType::FileWrite,
        &[("targetPath", "a.txt"), ("sourceRun", "last, last-1"), ("select", ".[0] + .[1]")],
        expect![[r#"
            filter Transform Read idempotent []: ".[0] + .[1]" of <00000000-0000-0000-0000-000000000002/filter . Json 1048576> + <00000000-0000-0000-0000-000000000001/read . Json 2097152>
            write Act Write idempotent ["filter"]: "" "a.txt" = <filter . Text 1048576>"#]],
    );
    check(
        TaskType::FileWrite,
        &[("targetPath", "a"), ("sourceRun", "last-2")],
        expect![[r#"Slot { name: SlotName("sourceRun"), code: "UNKNOWN_RUN" }"#]],
    );
    let nine = ["last"; 9].join(",");
    check(
        TaskType::FileWrite,
        &[("targetPath", "a"), ("sourceRun", &nine)],
        expect![[r#"Slot { name: SlotName("sourceRun"), code: "TOO_MANY_SOURCES" }"#]],
    );
    let report = "00000000-0000-0000-0000-000000000004";
    check(
        TaskType::FileWrite,
        &[("targetPath", "a"), ("sourceRun", report)],
        expect![[r#"Slot { name: SlotName("sourceRun"), code: "UNKNOWN_RUN" }"#]],
    );
}

#[test]
fn an_earlier_result_is_filtered_without_a_call() {
    let task = TaskType::ApiWorkflow;
    let last = ("sourceRun", "last");
    check(
        task,
        &[last, ("select", ".[0]"), ("targetPath", "x.json")],
        expect![[r#"
        filter Transform Read idempotent []: ".[0]" of <00000000-0000-0000-0000-000000000002/filter . Json 1048576>
        save Act Write idempotent ["filter"]: "" "x.json" = <filter . Json 1048576>"#]],
    );
    check(
        task,
        &[last, ("targetPath", "x.json")],
        expect![[
            r#"save Act Write idempotent []: "" "x.json" = <00000000-0000-0000-0000-000000000002/filter . Json 1048576>"#
        ]],
    );
    check(
        task,
        &[last],
        expect![[
            r#"filter Transform Read idempotent []: "." of <00000000-0000-0000-0000-000000000002/filter . Json 1048576>"#
        ]],
    );
    let both = format!("{RUN_1}, last");
    check(
        task,
        &[("sourceRun", &both), ("when", ".a"), ("targetPath", "x.json")],
        expect![[r#"
        join Transform Read idempotent []: "." of <00000000-0000-0000-0000-000000000001/read . Json 2097152> + <00000000-0000-0000-0000-000000000002/filter . Json 1048576>
        save Act Write idempotent ["join"]: "" "x.json" = <join . Json 1048576> WHEN <join .a Json 1048576>"#]],
    );
    check(
        task,
        &[last, ("select", ".[0]"), ("when", ".a")],
        expect![[r#"Slot { name: SlotName("when"), code: "CONDITION_WITHOUT_ACTION" }"#]],
    );
}

#[test]
fn people_are_told_of_systems_conditions_and_joined_inputs() {
    let spec = of(&[
        ("domain", "mall,stock"),
        ("operation", "products,all"),
        ("when", ".[1] != []"),
        ("select", ".[0]"),
        ("targetPath", "x.json"),
    ]);
    let plan = blueprint(spec.clone(), drawn(&spec).expect("a plan"));
    expect![[r#"
        5 steps, including write
        1. Sends a GET request to `https://mall.test/api/products` of the system `mall`.
        2. Sends a GET request to `http://127.0.0.1:8081/inventory/` of the system `stock`.
        3. Applies the jq expression `.` to the array of [the output of step 1 (JSON, at most 4 MB), the output of step 2 (JSON, at most 4 MB)]. (after step 1, 2)
        4. Applies the jq expression `.[0]` to the output of step 3 (JSON, at most 4 MB). (after step 3)
        5. Writes the output of step 4 (JSON, at most 1 MB) to the file `x.json`. Only if this holds: `.[1] != []` of the output of step 3 (JSON, at most 1 MB). (after step 4, 3)
    "#]].assert_eq(&explain(&plan, Lang::En));
    expect![[r#"
        쓰기 포함 5단계
        1. `mall` 시스템의 `https://mall.test/api/products` 주소로 GET 요청을 보냅니다.
        2. `stock` 시스템의 `http://127.0.0.1:8081/inventory/` 주소로 GET 요청을 보냅니다.
        3. [1단계의 결과(JSON, 최대 4MB), 2단계의 결과(JSON, 최대 4MB)] 값을 차례로 담은 배열에 jq 식을 적용합니다: `.`. (1, 2단계 뒤)
        4. 3단계의 결과(JSON, 최대 4MB)에 jq 식을 적용합니다: `.[0]`. (3단계 뒤)
        5. `x.json` 파일에 4단계의 결과(JSON, 최대 1MB)를 씁니다. 단, 3단계의 결과 중 `.[1] != []` 값(JSON, 최대 1MB)이 참일 때만 합니다. (4, 3단계 뒤)
    "#]].assert_eq(&explain(&plan, Lang::Ko));
    let shown = preview(&plan, &PreImages::new());
    let steps = shown.steps.iter().map(|step| serde_json::to_string(step).expect("JSON"));
    expect![[r#"
        {"number":1,"id":"call-1","type":"API_CALL","effect":"READ","idempotent":true,"dependsOn":[],"sentence":{"ko":"`mall` 시스템의 `https://mall.test/api/products` 주소로 GET 요청을 보냅니다.","en":"Sends a GET request to `https://mall.test/api/products` of the system `mall`."},"path":null,"request":{"system":"mall","method":"GET","url":"https://mall.test/api/products","contentType":null,"body":null},"expr":null,"value":null,"change":null}
        {"number":2,"id":"call-2","type":"API_CALL","effect":"READ","idempotent":true,"dependsOn":[],"sentence":{"ko":"`stock` 시스템의 `http://127.0.0.1:8081/inventory/` 주소로 GET 요청을 보냅니다.","en":"Sends a GET request to `http://127.0.0.1:8081/inventory/` of the system `stock`."},"path":null,"request":{"system":"stock","method":"GET","url":"http://127.0.0.1:8081/inventory/","contentType":null,"body":null},"expr":null,"value":null,"change":null}
        {"number":3,"id":"join","type":"TRANSFORM","effect":"READ","idempotent":true,"dependsOn":["call-1","call-2"],"sentence":{"ko":"[1단계의 결과(JSON, 최대 4MB), 2단계의 결과(JSON, 최대 4MB)] 값을 차례로 담은 배열에 jq 식을 적용합니다: `.`.","en":"Applies the jq expression `.` to the array of [the output of step 1 (JSON, at most 4 MB), the output of step 2 (JSON, at most 4 MB)]."},"path":null,"request":null,"expr":".","value":{"kind":"bound","from":{"ko":"1단계의 결과(JSON, 최대 4MB)","en":"the output of step 1 (JSON, at most 4 MB)"}},"beside":[{"kind":"bound","from":{"ko":"2단계의 결과(JSON, 최대 4MB)","en":"the output of step 2 (JSON, at most 4 MB)"}}],"change":null}
        {"number":4,"id":"filter","type":"TRANSFORM","effect":"READ","idempotent":true,"dependsOn":["join"],"sentence":{"ko":"3단계의 결과(JSON, 최대 4MB)에 jq 식을 적용합니다: `.[0]`.","en":"Applies the jq expression `.[0]` to the output of step 3 (JSON, at most 4 MB)."},"path":null,"request":null,"expr":".[0]","value":{"kind":"bound","from":{"ko":"3단계의 결과(JSON, 최대 4MB)","en":"the output of step 3 (JSON, at most 4 MB)"}},"change":null}
        {"number":5,"id":"save","type":"FILE_WRITE","effect":"WRITE","idempotent":true,"dependsOn":["filter","join"],"sentence":{"ko":"`x.json` 파일에 4단계의 결과(JSON, 최대 1MB)를 씁니다. 단, 3단계의 결과 중 `.[1] != []` 값(JSON, 최대 1MB)이 참일 때만 합니다.","en":"Writes the output of step 4 (JSON, at most 1 MB) to the file `x.json`. Only if this holds: `.[1] != []` of the output of step 3 (JSON, at most 1 MB)."},"path":"x.json","request":null,"expr":null,"value":{"kind":"bound","from":{"ko":"4단계의 결과(JSON, 최대 1MB)","en":"the output of step 4 (JSON, at most 1 MB)"}},"when":{"ko":"3단계의 결과 중 `.[1] != []` 값(JSON, 최대 1MB)","en":"`.[1] != []` of the output of step 3 (JSON, at most 1 MB)"},"change":null}"#]].assert_eq(&steps.collect::<Vec<_>>().join("\n"));
    let order = of(&[("domain", "mall"), ("operation", "order"), ("body", "{}")]);
    let order = blueprint(order.clone(), drawn(&order).expect("a plan"));
    expect![[r#"
        쓰기 포함 1단계
        1. `mall` 시스템의 `https://mall.test/api/orders` 주소로 POST 요청을 보내며 2자 텍스트를 싣습니다. 결과를 알 수 없게 되면 다시 하지 않고 사람에게 묻습니다.
    "#]].assert_eq(&explain(&order, Lang::Ko));
}

proptest! {
    /// Whatever the slots hold: drawing ends, is deterministic, what is drawn is a valid plan,
    /// and a step that names a system stands at that system's place.
    #[test]
    fn what_is_drawn_of_systems_is_valid(
        domain in prop::sample::select(vec!["mall", "stock", "mall,stock", "재고 시스템", "mall,x"]),
        operation in prop_oneof![
            prop::sample::select(vec!["products", "order", "find", "product,products", "all,all"]),
            Just("GET /x"),
        ],
        free in "(GET|POST|PUT|DELETE) /[a-z%0-9./?=&{}:@]{0,12}",
        is_free in any::<bool>(),
        arguments in prop_oneof![Just(String::new()), Just("{\"id\":1}".to_owned()), "\\PC{0,12}"],
        source in prop::sample::select(vec!["", "last", "last-1,last", "last-9"]),
        when in prop::sample::select(vec!["", ".a", "now"]),
        target in prop::sample::select(vec!["", "x.json", "/etc/x"]),
        body in "\\PC{0,8}",
    ) {
        let operation = if is_free { free.as_str() } else { operation };
        let spec = of(&[
            ("domain", domain), ("operation", operation), ("arguments", arguments.as_str()),
            ("sourceRun", source), ("when", when), ("targetPath", target), ("body", body.as_str()),
        ]);
        let first = drawn(&spec);
        prop_assert_eq!(&first, &drawn(&spec));
        if let Ok(nodes) = first {
            prop_assert_eq!(validate(&nodes), Ok(()));
            for node in &nodes {
                let StepParams::ApiCall { method, url, .. } = &node.params else { continue };
                let systems = systems();
                let Some(name) = &url.system else { continue };
                let named = systems.iter().find(|s| s.name == *name).expect("registered");
                prop_assert!(named.base_url.is_at(url.scheme, &url.host, url.port));
                let own = &named.base_url.segments;
                let segments = url.written_segments();
                prop_assert!(segments.iter().zip(own).all(|(a, b)| *a == Some(b)));
                let query: Vec<_> = url.query.iter().map(|(name, _)| name.as_str()).collect();
                let target = RequestTarget { method: *method, segments: &segments, query: &query };
                prop_assert!(!named.sends_credential() || named.operation_at(&target).is_some());
            }
            let told = explain(&blueprint(spec, nodes), Lang::Ko);
            prop_assert!(!told.chars().any(|c| c.is_control() && c != '\n'));
        }
    }
}
