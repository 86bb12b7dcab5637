//! The demo services over the wire.

use crate::{Caller, status};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use wiiiv_fakes::{DemoService, Dropped, Fault, LogIn, ServiceKind, TokenState};
use wiiiv_net::{Credential, Origin, ProviderError};

const ORDER: &str = r#"{"user_id":2,"product_id":105,"quantity":3,"memo":"빨리"}"#;

fn user() -> LogIn {
    LogIn { username: "buyer".to_owned(), password: "canary-one".to_owned().into() }
}

async fn open(kind: ServiceKind) -> (DemoService, Caller) {
    let service = DemoService::open(kind, 0, user()).await.unwrap();
    let caller = Caller::to(&service.url());
    (service, caller)
}

async fn logged_in(kind: ServiceKind) -> (DemoService, Caller) {
    let (service, caller) = open(kind).await;
    let token = token_of(&caller).await;
    let credential = bearer(&caller, token);
    (service, Caller { credential: Some(credential), ..caller })
}

fn bearer(caller: &Caller, token: String) -> Credential {
    Credential::bearer(Origin::parse(&caller.base).unwrap(), token.into())
}

async fn token_of(caller: &Caller) -> String {
    let answer = caller.post("/login", r#"{"username":"buyer","password":"canary-one"}"#).await;
    let answer: Value = serde_json::from_str(&answer.unwrap()).unwrap();
    answer.get("token").unwrap().as_str().unwrap().to_owned()
}

async fn get(caller: &Caller, path: &str) -> Value {
    serde_json::from_str(&caller.get(path).await.unwrap()).unwrap()
}

fn numbers(rows: &Value, field: &str) -> Vec<u64> {
    rows.as_array().unwrap().iter().map(|row| row.get(field).unwrap().as_u64().unwrap()).collect()
}

fn fault(path: &str) -> Fault {
    let path = path.to_owned();
    Fault { path, method: None, status: None, delay_ms: 0, drop: None, times: 1 }
}

#[tokio::test]
async fn nobody_gets_in_with_a_wrong_missing_expired_or_foreign_token() {
    let (mall, stranger) = open(ServiceKind::Skymall).await;
    assert_eq!(status(stranger.get("/products").await), Some(401));
    let wrong = stranger.post("/login", r#"{"username":"buyer","password":"no"}"#).await;
    assert_eq!(status(wrong), Some(401));
    assert_eq!(status(stranger.post("/login", "{}").await), Some(400));
    let (_stock, other) = open(ServiceKind::Skystock).await;
    let credential = bearer(&stranger, token_of(&other).await);
    let foreign = Caller { credential: Some(credential), ..Caller::to(&mall.url()) };
    assert_eq!(status(foreign.get("/products").await), Some(401));
    let token = token_of(&stranger).await;
    let own = Caller { credential: Some(bearer(&stranger, token.clone())), ..stranger };
    own.get("/products").await.unwrap();
    mall.expire_tokens();
    assert_eq!(status(own.get("/products").await), Some(401));
    assert_eq!(mall.tokens(), [token], "an expired one is a secret all the same");
    let states: Vec<_> = mall.calls().iter().map(|call| call.token).collect();
    let (missing, foreign) = (TokenState::Missing, TokenState::Invalid);
    let (valid, expired) = (TokenState::Valid, TokenState::Expired);
    let seen = [missing, missing, missing, foreign, missing, valid, expired];
    assert_eq!(states, seen);
}

#[tokio::test]
async fn lists_are_filtered() {
    let (_mall, caller) = logged_in(ServiceKind::Skymall).await;
    for (path, ids) in [
        ("/products?max_price=10000", vec![112, 113, 114, 122]),
        (
            "/products?category=electronics&min_price=100000&available=true",
            vec![101, 102, 103, 105],
        ),
        ("/products?category=%EB%8F%84%EC%84%9C", vec![123, 124, 125]),
        ("/orders?user_id=2", vec![5003, 5005, 5012]),
        ("/orders?status=%EC%B7%A8%EC%86%8C", vec![5005, 5011]),
    ] {
        assert_eq!(numbers(&get(&caller, path).await, "id"), ids, "{path}");
    }
    assert_eq!(get(&caller, "/products/101").await["name"], "노트북 프로 16");
    for (path, refused) in [
        ("/products?color=red", 400),
        ("/products?min_price=x", 400),
        ("/products/1", 404),
        ("/x", 404),
    ] {
        assert_eq!(status(caller.get(path).await), Some(refused), "{path}");
    }
    let found = caller.post("/products/search", r#"{"keyword":"무선","max_price":50000}"#).await;
    assert_eq!(numbers(&serde_json::from_str(&found.unwrap()).unwrap(), "id"), [106]);
    let (_stock, caller) = logged_in(ServiceKind::Skystock).await;
    let low = get(&caller, "/inventory?below=10").await;
    assert_eq!(numbers(&low, "product_id"), [101, 103, 104, 111, 116, 119, 121, 202]);
}

#[tokio::test]
async fn what_is_created_is_shown_and_what_names_nothing_is_refused() {
    let (mall, caller) = logged_in(ServiceKind::Skymall).await;
    let made: Value = serde_json::from_str(&caller.post("/orders", ORDER).await.unwrap()).unwrap();
    let whole = json!({"id": 5013, "user_id": 2, "product_id": 105, "quantity": 3,
        "total": 300_000, "status": "결제완료", "memo": "빨리"});
    assert_eq!(made, whole);
    assert_eq!(get(&caller, "/orders/5013").await, whole);
    for body in [
        r#"{"user_id":2,"product_id":999,"quantity":3}"#,
        r#"{"user_id":2,"product_id":101,"quantity":0}"#,
        r#"{"user_id":2,"product_id":101}"#,
        r#"{"user_id":2,"product_id":101,"quantity":1,"total":1}"#,
    ] {
        assert_eq!(status(caller.post("/orders", body).await), Some(422), "{body}");
    }
    assert_eq!(mall.rows("orders").len(), 13);
    mall.reset();
    assert_eq!((mall.rows("orders").len(), mall.calls().len()), (12, 0));

    let (stock, caller) = logged_in(ServiceKind::Skystock).await;
    let wanted = r#"{"supplier_id":301,"product_id":202,"quantity":30}"#;
    caller.post("/purchase-orders", wanted).await.unwrap();
    assert_eq!(stock.rows("purchase_orders")[3]["id"], 7004);
    assert_eq!(numbers(&get(&caller, "/purchase-orders").await, "id"), [7001, 7002, 7003, 7004]);
}

#[tokio::test]
async fn the_log_tells_what_came_and_no_secret() {
    let (mall, caller) = logged_in(ServiceKind::Skymall).await;
    get(&caller, "/products?category=%EC%8B%9D%ED%92%88").await;
    caller.post("/orders", ORDER).await.unwrap();
    let doors = mall.open_doors(0).await.unwrap();
    let stranger = Caller::to(&doors.url());
    let log = get(&stranger, "/log").await;
    assert_eq!(numbers(&log, "number"), [1, 2, 3]);
    assert_eq!((&log[0]["path"], &log[0]["body"]), (&json!("/login"), &Value::Null));
    assert_eq!(log[1]["query"], json!({"category": "식품"}));
    assert_eq!(log[1]["token"], "valid");
    assert_eq!((&log[2]["method"], &log[2]["status"]), (&json!("POST"), &json!(201)));
    assert_eq!(log[2]["body"], serde_json::from_str::<Value>(ORDER).unwrap());
    let text = log.to_string();
    assert!(!text.contains("canary-one") && !text.contains(&mall.tokens()[0]));
    assert_eq!(get(&stranger, "/rows/orders").await.as_array().unwrap().len(), 13);
}

#[tokio::test]
async fn no_door_stands_where_a_caller_of_the_service_could_reach_it() {
    let (mall, caller) = logged_in(ServiceKind::Skymall).await;
    let _doors = mall.open_doors(0).await.unwrap();
    let known = mall.calls().len();
    let paths = ["/log", "/rows/users", "/reset", "/expire", "/fault"];
    for path in paths.iter().flat_map(|path| [(*path).to_owned(), format!("/_{path}")]) {
        assert_eq!(status(caller.get(&path).await), Some(404), "{path}");
        assert_eq!(status(caller.post(&path, "{}").await), Some(404), "{path}");
    }
    assert_eq!(mall.calls().len(), known + 4 * paths.len(), "and what came is logged");
    let site = wiiiv_fakes::TestSite::open(0).await.unwrap();
    let doors = site.open_doors(0).await.unwrap();
    assert_eq!(status(Caller::to(&site.url()).get("/log").await), Some(404));
    let told = get(&Caller::to(&doors.url()), "/log").await;
    assert_eq!(told[0]["path"], "/log");
}

#[tokio::test]
async fn faults_come_in_line_and_as_often_as_said() {
    let (mall, caller) = logged_in(ServiceKind::Skymall).await;
    let doors = mall.open_doors(0).await.unwrap();
    let stranger = Caller::to(&doors.url());
    let wanted = r#"{"path":"/orders","method":"POST","status":503,"times":2}"#;
    stranger.post("/fault", wanted).await.unwrap();
    for _ in 0..2 {
        assert_eq!(status(caller.post("/orders", ORDER).await), Some(503));
        caller.get("/orders").await.unwrap();
    }
    caller.post("/orders", ORDER).await.unwrap();
    assert_eq!(mall.rows("orders").len(), 13, "a status has no effect");

    mall.fault(Fault { delay_ms: 150, ..fault("*") }).unwrap();
    let start = Instant::now();
    caller.get("/users").await.unwrap();
    assert!(start.elapsed() >= Duration::from_millis(150));
    for odd in [r#"{"path":"/x","status":200}"#, r#"{"path":"/x","when":"now"}"#] {
        assert_eq!(status(stranger.post("/fault", odd).await), Some(400), "{odd}");
    }
    let both = Fault { drop: Some(Dropped::After), status: Some(500), ..fault("/x") };
    mall.fault(both).unwrap_err();
}

#[tokio::test]
async fn a_dropped_connection_carries_no_byte_and_may_have_had_its_effect() {
    let (mall, caller) = logged_in(ServiceKind::Skymall).await;
    for (dropped, orders) in [(Dropped::Before, 12), (Dropped::After, 13)] {
        mall.fault(Fault { drop: Some(dropped), ..fault("/orders") }).unwrap();
        let lost = caller.post("/orders", ORDER).await.unwrap_err();
        assert!(!matches!(lost, ProviderError::Status { .. }), "{lost:?}");
        assert_eq!(mall.rows("orders").len(), orders);
        assert_eq!(mall.calls().last().unwrap().status, None);
    }
    mall.fault(Fault { drop: Some(Dropped::After), ..fault("/users") }).unwrap();
    let mut stream = tokio::net::TcpStream::connect(mall.address()).await.unwrap();
    stream.write_all(b"GET /users HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert_eq!(answer, b"");
}

#[tokio::test]
async fn connections_end_with_their_service() {
    let (mall, caller) = logged_in(ServiceKind::Skymall).await;
    let port = mall.address().port();
    drop(mall);
    let mut again = DemoService::open(ServiceKind::Skymall, port, user()).await;
    for _ in 0..200 {
        if again.is_ok() {
            break;
        }
        // The abandoned connections need a moment to go.
        tokio::time::sleep(Duration::from_millis(10)).await;
        again = DemoService::open(ServiceKind::Skymall, port, user()).await;
    }
    let again = again.unwrap();
    let _old_connection = caller.get("/products").await;
    assert_eq!(status(caller.get("/products").await), Some(401));
    assert!(!again.calls().is_empty());
}

#[test]
fn registrations_hold_and_share_no_word() {
    let at = |port: u16| ([127, 0, 0, 1], port).into();
    let [mall, stock] =
        [ServiceKind::Skymall, ServiceKind::Skystock].map(|kind| kind.system(at(8)).unwrap());
    assert!(mall.is_called("스카이몰") && stock.is_called("재고 시스템"));
    assert!(!stock.aliases.iter().any(|alias| mall.is_called(alias)));
    assert_eq!(mall.operation("상품 목록").unwrap().id, "list_products");
    assert_eq!(stock.operation("inventory").unwrap().id, "list_inventory");
    let rule = mall.proposed_rule(true);
    assert_eq!(rule.read_operations, ["POST /products/search".to_owned()].into());
    assert!(rule.idempotent_methods.is_empty() && rule.private);
    for system in [&mall, &stock] {
        let labels = system.operations.iter().flat_map(|operation| &operation.labels);
        for label in labels {
            let owner = system.operation(label).unwrap();
            assert!(owner.labels.contains(label), "`{label}` leads to `{}`", owner.id);
        }
        let mut all: Vec<_> = system.operations.iter().flat_map(|o| &o.labels).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count, "a label of `{}` stands twice", system.name);
    }
}

/// What a registration says of an operation's rows is what they hold.
#[tokio::test]
async fn registered_fields_are_those_of_the_rows() {
    for kind in ServiceKind::ALL {
        let (service, caller) = logged_in(kind).await;
        for operation in &service.system().operations {
            let mut fields: Vec<&str> = operation.fields.iter().map(|f| f.name.as_str()).collect();
            fields.sort_unstable();
            assert!(!fields.is_empty(), "{}", operation.id);
            if operation.method.is_safe() && !operation.path.contains('{') {
                let rows = get(&caller, &operation.path).await;
                let mut held: Vec<&String> = rows[0].as_object().unwrap().keys().collect();
                held.sort_unstable();
                assert_eq!(fields, held, "{}", operation.id);
            }
            let labels = operation.fields.iter().flat_map(|field| &field.labels);
            let all: Vec<&String> = labels.collect();
            let different: std::collections::BTreeSet<&&String> = all.iter().collect();
            assert_eq!(all.len(), different.len(), "a label of `{}` stands twice", operation.id);
        }
    }
}

/// What scenario authors read is what the services hold.
#[tokio::test]
async fn the_page_of_data_is_true() {
    let page = std::fs::read_to_string("../../ghost-scenarios/DATA.md").unwrap();
    let mut compared = 0;
    for kind in ServiceKind::ALL {
        let (service, _) = open(kind).await;
        let own = page.split(&format!("\n## {}\n", kind.name())).nth(1).unwrap();
        for part in own.split("\n## ").next().unwrap().split("\n### ").skip(1) {
            let (table, text) = part.split_once('\n').unwrap();
            let mut lines = text.lines().filter(|line| line.starts_with('|'));
            let cells = |line: &str| -> Vec<String> {
                line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
            };
            let heads = cells(lines.next().unwrap());
            let told: Vec<_> = lines.skip(1).map(cells).collect();
            let plain = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
            let held: Vec<Vec<String>> = service
                .rows(table)
                .iter()
                .map(|row| heads.iter().map(|head| plain(&row[head])).collect())
                .collect();
            assert_eq!(told, held, "{table}");
            compared += 1;
        }
        for operation in &service.system().operations {
            let route =
                format!("| {} | {} {}", operation.id, operation.method.as_str(), operation.path);
            assert!(page.contains(&route), "{route}");
        }
    }
    assert_eq!(compared, 8);
}
