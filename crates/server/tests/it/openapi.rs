//! The description is generated, committed and whole.

use serde_json::Value;
use std::collections::BTreeSet;
use wiiiv_server::{RULES, openapi_json};

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

/// `UPDATE_OPENAPI=1 cargo test -p wiiiv-server openapi` writes it anew.
#[test]
fn the_committed_description_is_current() {
    let generated = format!("{}\n", openapi_json());
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(COMMITTED, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(COMMITTED).unwrap_or_default();
    assert!(committed == generated, "docs/openapi.json is stale: set UPDATE_OPENAPI=1 and look");
}

pub fn operations() -> Vec<(String, String, String)> {
    let document: Value = serde_json::from_str(openapi_json()).unwrap();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if let Some(id) = operation["operationId"].as_str() {
                operations.push((id.to_owned(), method.to_uppercase(), path.clone()));
            }
        }
    }
    operations
}

#[test]
fn every_route_has_a_row_and_every_row_a_route() {
    let routes: BTreeSet<String> = operations().into_iter().map(|(id, ..)| id).collect();
    let rows: BTreeSet<String> = RULES.iter().map(|rule| rule.operation.to_owned()).collect();
    assert_eq!(routes, rows);
    assert_eq!(rows.len(), RULES.len(), "an operation has two rows");
}

/// `routes!` takes a route and its description together; anything else would be in no matrix.
#[test]
fn no_route_is_added_beside_the_description() {
    let app = include_str!("../../src/app.rs");
    let lines = app.lines().map(str::trim);
    let beside: Vec<&str> = lines
        .filter(|line| [".route(", ".nest(", "route_service("].iter().any(|way| line.contains(way)))
        .filter(|line| !line.starts_with("//"))
        .collect();
    let known = [
        ".nest(\"/api/v2\", api.with_state(state.clone()))",
        ".route(\"/metrics\", get(system::metrics).layer(limit(REQUEST_TIME_MAX)))",
    ];
    assert_eq!(beside, known, "describe it, and give it a row in `authorization.rs`");
}

#[test]
fn it_is_openapi_3_1_and_says_what_needs_no_log_in() {
    let document: Value = serde_json::from_str(openapi_json()).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(document["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
    for (path, method) in [("/health", "get"), ("/setup", "post"), ("/auth/login", "post")] {
        let security = &document["paths"][path][method]["security"];
        assert_eq!(security, &serde_json::json!([{}]), "{path}");
    }
}

/// Of two forms of one name the description would have only one.
#[test]
fn every_wire_form_has_a_name_of_its_own() {
    let mut names = BTreeSet::new();
    let mut folders = vec![std::path::PathBuf::from("src/dto")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let words: Vec<&str> = text.split_whitespace().collect();
            let named = words.windows(2).filter(|pair| matches!(pair[0], "struct" | "enum"));
            let end = |c: char| !c.is_ascii_alphanumeric();
            for name in named.filter_map(|pair| pair[1].split(end).next()) {
                assert!(names.insert(name.to_owned()), "`{name}` stands twice: {}", path.display());
            }
        }
    }
    assert!(names.len() > 100, "{}", names.len());
}
