//! A project's webhook over REST: its secret is shown once, to who may set it.

use crate::{call::TestRequest, test_server::TestServer};
use serde_json::json;
use wiiiv_store::Role;

#[tokio::test(flavor = "multi_thread")]
async fn the_secret_is_shown_once_and_a_new_one_takes_its_place() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/webhook", test.project);
    let none = test.get(&test.owner, &path).await;
    assert_eq!((none.status, &none.body["url"]), (200, &json!(null)), "{}", none.text);
    let url = format!("{}/hook", test.shop.url());
    let put = |url: &str| {
        let put = TestRequest::new("PUT", &path).by(&test.owner.token).json(&json!({"url": url}));
        test.send(put)
    };
    let set = put(&url).await;
    assert_eq!(set.status, 200, "{}", set.text);
    let secret = set.body["secret"].as_str().unwrap().to_owned();
    assert_eq!(secret.len(), 64);
    let seen = test.get(&test.owner, &path).await;
    assert_eq!((&seen.body["url"], &seen.body["set_by_name"]), (&json!(url), &json!("owner")));
    assert!(!seen.text.contains(&secret), "{}", seen.text);
    let again = put(&url).await;
    assert_ne!(again.body["secret"], json!(secret), "another one each time");
    for wrong in ["http://elsewhere.test/x", "file:///etc/passwd", "x"] {
        let refused = put(wrong).await;
        assert_eq!((refused.status, refused.code()), (422, "INVALID_FIELD"), "{}", refused.text);
        assert_eq!(refused.body["params"]["field"], "url");
    }
    let audit = format!("/projects/{}/audit?kind=webhook.set", test.project);
    let records = test.get(&test.owner, &audit).await;
    assert_eq!(records.body["items"].as_array().map(Vec::len), Some(2), "{}", records.text);
    assert!(!records.text.contains(&secret) && !records.text.contains("/hook"), "{}", records.text);

    let viewer = test.member("viewer", Role::Viewer).await;
    assert_eq!(test.get(&viewer, &path).await.status, 403);
    let remove = || test.send(TestRequest::new("DELETE", &path).by(&test.owner.token));
    assert_eq!((remove().await.status, remove().await.status), (204, 204));
    assert_eq!(test.get(&test.owner, &path).await.body["url"], json!(null));
}
