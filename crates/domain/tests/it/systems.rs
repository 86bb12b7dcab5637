//! What a registration must keep to.

use wiiiv_domain::{
    Authentication, BODY_SCHEMA_BYTES_MAX, BaseUrl, HttpMethod, Operation, Parameter,
    ParameterPlace, RequestBody, RequestTarget, Risk, Scheme, System, SystemError, SystemName,
};

fn operation(path: &str) -> Operation {
    Operation {
        id: "one".into(),
        method: HttpMethod::Get,
        path: path.into(),
        labels: vec!["상품 목록".into()],
        reads: false,
        idempotent: false,
        parameters: Vec::new(),
        fields: Vec::new(),
        body: None,
    }
}

fn system() -> System {
    System {
        version: System::VERSION,
        name: SystemName::parse("skymall").unwrap(),
        aliases: vec!["스카이몰".into()],
        base_url: BaseUrl {
            scheme: Scheme::Https,
            host: "mall.example".into(),
            port: None,
            segments: vec!["api".into()],
        },
        operations: vec![operation("/products/{id}")],
        authentication: Authentication::Bearer,
        any_path: false,
        risk: Risk::Low,
    }
}

fn on(change: impl FnOnce(&mut System)) -> Result<(), SystemError> {
    let mut system = system();
    change(&mut system);
    system.check()
}

/// Of its version: see `documents`.
#[test]
fn a_system_of_version_1_still_loads() {
    let mut whole = system();
    whole.authentication = Authentication::LogIn {
        path: "/login".into(),
        username_field: "username".into(),
        password_field: "password".into(),
        token_pointer: "/token".into(),
    };
    let id = Parameter { name: "id".into(), place: ParameterPlace::Path, required: true };
    whole.operations[0].parameters.push(id);
    crate::documents::check("system.json", &whole);
}

/// The body came later: a system of before has none.
#[test]
fn a_system_with_a_body_loads_and_is_bounded() {
    let taking = |schema: serde_json::Value| {
        let body = RequestBody { required: true, media_type: "application/json".into(), schema };
        Operation { method: HttpMethod::Post, body: Some(body), ..operation("/employees") }
    };
    let schema = serde_json::json!({"type": "object", "required": ["name"]});
    let mut whole = system();
    whole.operations = vec![taking(schema.clone())];
    crate::documents::check("system_body.json", &whole);
    assert_eq!(whole.check(), Ok(()));
    let long = serde_json::json!({"title": "x".repeat(BODY_SCHEMA_BYTES_MAX)});
    assert!(on(|s| s.operations = vec![taking(long)]).is_err());
    let safe = Operation { method: HttpMethod::Get, ..taking(schema) };
    assert!(on(|s| s.operations = vec![safe]).is_err());
}

#[test]
fn an_operations_path_stays_under_its_base_and_is_whole() {
    assert_eq!(system().check(), Ok(()));
    for path in ["/", "/a/", "/a/{id}/b/{x}"] {
        assert_eq!(on(|s| s.operations = vec![operation(path)]), Ok(()), "{path}");
    }
    for path in [
        "",
        "a",
        "/a?b=c",
        "/a#b",
        "/a\\b",
        "/../a",
        "/a/..",
        "/.",
        "/{id}.json",
        "/x{id}",
        "/{}",
        "/{a{b}}",
        "/}",
        "/a\nb",
        &format!("/{}", "a".repeat(1024)),
    ] {
        let told = on(|s| s.operations = vec![operation(path)]);
        assert!(matches!(told, Err(SystemError::Operation { .. })), "{path}: {told:?}");
    }
    let loose = Parameter { name: "no".into(), place: ParameterPlace::Path, required: true };
    assert!(on(|s| s.operations[0].parameters.push(loose)).is_err());
    let deletes = Operation { method: HttpMethod::Delete, reads: true, ..operation("/a") };
    assert!(on(|s| s.operations = vec![deletes]).is_err());
    assert!(on(|s| s.operations = vec![operation("/a"), operation("/b")]).is_err(), "one id");
}

#[test]
fn a_base_address_is_a_host_and_plain_segments() {
    for host in ["a", "a-b.example", "127.0.0.1", "[::1]", "xn--352b.example"] {
        assert_eq!(on(|s| s.base_url.host = host.into()), Ok(()), "{host}");
    }
    for host in
        ["", "A.example", "a b", "a/b", "user@a", "a:80", "::1", "[::1", "[g]", "몰.example"]
    {
        let told = on(|s| s.base_url.host = host.into());
        assert!(matches!(told, Err(SystemError::BaseUrl(_))), "{host}: {told:?}");
    }
    for segment in ["", ".", "..", "a/b", "a\\b", "{id}", "a\0"] {
        let told = on(|s| s.base_url.segments = vec![segment.into()]);
        assert!(matches!(told, Err(SystemError::BaseUrl(_))), "{segment:?}: {told:?}");
    }
}

#[test]
fn a_log_in_is_a_plain_path_with_named_fields() {
    let log_in = |path: &str, field: &str, pointer: &str| Authentication::LogIn {
        path: path.into(),
        username_field: field.into(),
        password_field: "password".into(),
        token_pointer: pointer.into(),
    };
    assert_eq!(on(|s| s.authentication = log_in("/login", "username", "/token")), Ok(()));
    for odd in [
        log_in("login", "username", "/token"),
        log_in("/../login", "username", "/token"),
        log_in("/{user}/login", "username", "/token"),
        log_in("/login?x=1", "username", "/token"),
        log_in("/login", "", "/token"),
        log_in("/login", "username", "token"),
        Authentication::ApiKey { header: "Cookie".into() },
        Authentication::ApiKey { header: "x y".into() },
    ] {
        let told = on(|s| s.authentication = odd.clone());
        assert!(matches!(told, Err(SystemError::Authentication(_))), "{odd:?}");
    }
}

/// The id of the operation that a request is one of. `path`: decoded segments by ` `.
fn operation_at(system: &System, method: HttpMethod, path: &str, query: &[&str]) -> Option<String> {
    let segments: Vec<_> = path.split(' ').map(Some).collect();
    let target = RequestTarget { method, segments: &segments, query };
    system.operation_at(&target).map(|operation| operation.id.clone())
}

fn with_operations() -> System {
    let named =
        |id: &str, method, path: &str| Operation { id: id.into(), method, ..operation(path) };
    let page = Parameter { name: "page".into(), place: ParameterPlace::Query, required: false };
    let items = Operation { parameters: vec![page], ..named("items", HttpMethod::Get, "/items") };
    let operations = vec![
        items,
        named("item", HttpMethod::Get, "/items/{id}"),
        named("part", HttpMethod::Get, "/items/{id}/parts/{part}"),
        named("add", HttpMethod::Post, "/items"),
        named("folder", HttpMethod::Get, "/folder/"),
        named("root", HttpMethod::Get, "/"),
    ];
    System { operations, ..system() }
}

#[test]
fn a_request_is_one_of_an_operation_by_method_path_and_query() {
    let system = with_operations();
    let get = |path| operation_at(&system, HttpMethod::Get, path, &[]);
    for (path, id) in [
        ("api items", "items"),
        ("api items 7", "item"),
        ("api items 가-1 parts a b", "none"),
        ("api items 가-1 parts a%20b", "part"),
        ("api items 100%", "item"),
        ("api folder ", "folder"),
        ("api", "root"),
    ] {
        assert_eq!(get(path), (id != "none").then(|| id.to_owned()), "{path}");
    }
    for path in [
        "items",
        "api secret",
        "api Items",
        "API items",
        "api items ",
        "api  items",
        "api folder",
        "api items 7 8",
        "api items 7 parts",
        "other items",
        "api {id}",
        "",
    ] {
        assert_eq!(get(path), None, "{path}");
    }
    let of = |method, query: &[&str]| operation_at(&system, method, "api items", query);
    assert_eq!(of(HttpMethod::Get, &["page"]).as_deref(), Some("items"));
    assert_eq!(of(HttpMethod::Get, &["page", "page"]).as_deref(), Some("items"));
    for query in [&["Page"][..], &["page", "_method"], &["page[]"], &[""]] {
        assert_eq!(of(HttpMethod::Get, query), None, "{query:?}");
    }
    assert_eq!(of(HttpMethod::Post, &[]).as_deref(), Some("add"));
    for method in [HttpMethod::Head, HttpMethod::Put, HttpMethod::Delete, HttpMethod::Patch] {
        assert_eq!(of(method, &[]), None, "{method:?}");
    }
    let bound = [Some("api"), Some("items"), None];
    let target = RequestTarget { method: HttpMethod::Get, segments: &bound, query: &[] };
    assert_eq!(system.operation_at(&target).map(|o| o.id.as_str()), Some("item"));
    let target = RequestTarget { segments: &[Some("api"), None], ..target };
    assert_eq!(system.operation_at(&target), None, "what is bound is no word of a template");
}

/// However often it is decoded on its way, a value never becomes a step in the path.
#[test]
fn a_value_stays_one_segment_of_its_path() {
    let mut system = with_operations();
    for value in [
        "",
        ".",
        "..",
        "a/b",
        "../secret",
        "a\\b",
        "%2e%2e",
        "%2E.",
        "..%2fsecret",
        "a%2Fb",
        "a%5Cb",
        "%252e%252e",
        "%25252e%25252e%25252fsecret",
        "..;",
        "..;x=1",
        ";x",
        "%2e%2e%3bx",
        "a\u{0}b",
        "a%00b",
        "a%0d%0ab",
        "%c0%ae%c0%ae",
        "%2525252525252525252e",
    ] {
        let path = ["api", "items", value].map(Some);
        let target = RequestTarget { method: HttpMethod::Get, segments: &path, query: &[] };
        assert_eq!(system.operation_at(&target), None, "{value}");
        assert!(!system.lets_credential_go(&target), "{value}");
    }
    // Any path is any path below the base address, and none that climbs out of it.
    system.any_path = true;
    let goes = |segments: &[&str], query: &[&str]| {
        let segments: Vec<_> = segments.iter().copied().map(Some).collect();
        let method = HttpMethod::Delete;
        system.lets_credential_go(&RequestTarget { method, segments: &segments, query })
    };
    assert!(goes(&["api", "secret", "a/b", "", "x;y"], &["anything"]) && goes(&["api"], &[]));
    for segments in [
        &["secret"][..],
        &["api", ".."],
        &["api", "%2e%2e"],
        &["api", "x/../../secret"],
        &["api", "..;", "secret"],
        &["api", "a%2f%2e%2e%2f%2e%2e%2fsecret"],
        &[],
    ] {
        assert!(!goes(segments, &[]), "{segments:?}");
    }
}

/// The switch came later: a system of before is one whose switch is off, and is written as it was.
#[test]
fn a_system_with_the_switch_for_any_path_loads() {
    let whole = System { any_path: true, ..system() };
    crate::documents::check("system_any_path.json", &whole);
}
