//! What a registration must keep to.

use wiiiv_domain::{
    Authentication, BODY_SCHEMA_BYTES_MAX, BaseUrl, HttpMethod, Operation, Parameter,
    ParameterPlace, RequestBody, Risk, Scheme, System, SystemError, SystemName,
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
