use crate::{Caller, status};
use serde_json::Value;
use std::time::{Duration, Instant};
use wiiiv_fakes::{Shop, ShopMode};

#[tokio::test]
async fn items_are_read_and_orders_are_counted() {
    let shop = Shop::open(0).await.unwrap();
    let caller = Caller::to(&shop.url());
    let items: Value = serde_json::from_str(&caller.get("/items").await.unwrap()).unwrap();
    assert_eq!(items.as_array().unwrap().len(), 5);
    assert!(items[0]["name"].is_string() && items[0]["price"].is_u64());
    assert!(caller.get("/items/A1").await.unwrap().contains("노트북"));
    assert_eq!(status(caller.get("/items/none").await), Some(404));
    let order = caller.post("/orders", r#"{"sku":"A1"}"#).await.unwrap();
    assert!(order.contains("\"order\":1"));
    assert_eq!(status(caller.post("/orders", "no json").await), Some(400));
    assert_eq!((shop.orders().len(), shop.count("POST", "/orders")), (1, 2));
    assert_eq!(shop.calls()[3].body, r#"{"sku":"A1"}"#);
}

#[tokio::test]
async fn it_can_be_away_or_slow_and_logs_all_the_same() {
    let shop = Shop::open(0).await.unwrap();
    let caller = Caller::to(&shop.url());
    shop.set_mode(ShopMode::Unavailable);
    assert_eq!(status(caller.post("/orders", "{}").await), Some(503));
    assert_eq!((shop.orders().len(), shop.calls().len()), (0, 1));
    shop.set_mode(ShopMode::Slow(Duration::from_millis(200)));
    let start = Instant::now();
    caller.post("/orders", "{}").await.unwrap();
    assert!(start.elapsed() >= Duration::from_millis(200));
    assert_eq!((shop.orders().len(), shop.calls().len()), (1, 2));
}
