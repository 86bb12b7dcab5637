use super::{ImportError, operations};
use serde_json::{Value, json};
use wiiiv_domain::{HttpMethod, Operation, Parameter, ParameterPlace};

fn document(paths: Value) -> Value {
    json!({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths})
}

fn read(paths: Value) -> Vec<Operation> {
    operations(&document(paths)).unwrap()
}

fn refused(paths: Value) -> String {
    operations(&document(paths)).unwrap_err().to_string()
}

fn parameter(name: &str, place: ParameterPlace, required: bool) -> Parameter {
    Parameter { name: name.into(), place, required }
}

#[test]
fn a_document_in_two_languages_becomes_operations() {
    let mut shop = document(json!({
        "/products": {
            "parameters": [{"$ref": "#/components/parameters/Page"}],
            "get": {
                "operationId": "listProducts",
                "x-labels": ["상품 목록", "products"],
                "parameters": [
                    {"name": "category", "in": "query", "required": true},
                    {"name": "X-Trace", "in": "header"},
                    {"name": "Authorization", "in": "header", "required": true},
                ],
            },
        },
        "/products/search": {
            "post": {"summary": "상품 검색, 조건으로\n찾기", "x-reads": true, "requestBody": {}},
        },
        "/products/{id}": {
            "get": {"operationId": "상품.보기", "parameters": [{"name": "id", "in": "path", "required": true}]},
            "put": {"operationId": "replace product!", "x-idempotent": true},
            "options": {"summary": "not for plans"},
        },
        "x-note": "not a path",
    }));
    shop["components"] = json!({"parameters": {"Page": {"name": "page", "in": "query"}}});
    shop["servers"] = json!([{"url": "https://elsewhere.example"}]);
    let found = operations(&shop).unwrap();
    let list = Operation {
        id: "listProducts".into(),
        method: HttpMethod::Get,
        path: "/products".into(),
        labels: vec!["상품 목록".into(), "products".into()],
        reads: false,
        idempotent: false,
        parameters: vec![
            parameter("page", ParameterPlace::Query, false),
            parameter("category", ParameterPlace::Query, true),
        ],
        fields: Vec::new(),
        body: None,
    };
    assert_eq!(found.first(), Some(&list));
    let ids: Vec<_> = found.iter().map(|o| (o.id.as_str(), o.method)).collect();
    let (get, post, put) = (HttpMethod::Get, HttpMethod::Post, HttpMethod::Put);
    let due = [
        ("listProducts", get),
        ("post-products-search", post),
        ("get-products-id", get),
        ("replace-product", put),
    ];
    assert_eq!(ids, due);
    let search = &found[1];
    assert_eq!(
        (search.labels.as_slice(), search.reads),
        (&["상품 검색 조건으로 찾기".to_owned()][..], true)
    );
    assert!(found[3].idempotent && !found[3].reads);
}

#[test]
fn ids_fit_and_differ() {
    let long = "가".repeat(10) + &"x".repeat(100);
    let found = read(json!({
        "/a": {"get": {"operationId": "same"}, "post": {"operationId": "same"}},
        "/b": {"get": {"operationId": long.clone()}, "post": {"operationId": long}},
        "/": {"get": {}},
    }));
    let ids: Vec<_> = found.iter().map(|o| o.id.clone()).collect();
    let x = |n: usize| "x".repeat(n);
    assert_eq!(
        ids,
        ["get".to_owned(), "same".into(), "same-2".into(), x(64), format!("{}-2", x(62))]
    );
}

#[test]
fn an_operations_own_parameter_stands_for_the_paths() {
    let found = read(json!({"/a": {
        "parameters": [{"name": "q", "in": "query"}],
        "get": {"parameters": [{"name": "q", "in": "query", "required": true}]},
    }}));
    assert_eq!(found[0].parameters, [parameter("q", ParameterPlace::Query, true)]);
}

#[test]
fn what_cannot_be_read_is_refused_at_its_place() {
    for odd in [json!({}), json!({"swagger": "2.0", "paths": {}}), json!({"openapi": 3}), json!([])]
    {
        assert_eq!(operations(&odd), Err(ImportError::Version), "{odd}");
    }
    assert_eq!(operations(&json!({"openapi": "3.0.3"})), Err(ImportError::NoPaths));
    for (paths, words) in [
        (json!({"/a": []}), "at `/a`: a path item is an object"),
        (json!({"/a": {"$ref": "other.json"}}), "at `/a`: a path item elsewhere"),
        (json!({"/a": {"get": 1}}), "at `GET /a`: an operation is an object"),
        (json!({"/a": {"get": {"x-labels": "one"}}}), "at `GET /a`: `x-labels` is an array"),
        (json!({"/a": {"get": {"x-labels": [1]}}}), "at `GET /a`: `x-labels` is an array"),
        (json!({"/a": {"post": {"x-reads": "yes"}}}), "at `POST /a`: `x-reads`"),
        (json!({"/a": {"get": {"parameters": {}}}}), "at `GET /a`: `parameters` is an array"),
        (json!({"/a": {"get": {"parameters": [{"in": "query"}]}}}), "at `GET /a`: a parameter has"),
        (
            json!({"/a": {"get": {"parameters": [{"name": "q", "in": "body"}]}}}),
            "at `GET /a`: a parameter is",
        ),
        (
            json!({"/a": {"get": {"parameters": [{"name": "k", "in": "header", "required": true}]}}}),
            "at `GET /a`: it needs a header",
        ),
        (
            json!({"/a": {"get": {"parameters": [{"$ref": "http://evil.example/p.json"}]}}}),
            "at `GET /a`: a parameter's `$ref`",
        ),
    ] {
        let told = refused(paths.clone());
        assert!(told.starts_with(words), "{paths}: {told}");
    }
    let many: serde_json::Map<String, Value> =
        (0..257).map(|n| (format!("/p{n}"), json!({"get": {}}))).collect();
    assert_eq!(operations(&document(Value::Object(many))), Err(ImportError::TooMany));
}

#[test]
fn references_in_a_ring_end() {
    let mut ring = document(json!({"/a": {"get": {"parameters": [{"$ref": "#/x"}]}}}));
    ring["x"] = json!({"$ref": "#/x"});
    assert!(matches!(operations(&ring), Err(ImportError::At { .. })));
}
