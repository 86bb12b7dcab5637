//! Documents: who finds, adds and changes them, their ingests, and searches that see one's own scopes alone.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer, now, token},
};
use axum::{
    body::{Body, Bytes, to_bytes},
    http::Request,
};
use futures::{Stream, StreamExt as _, stream};
use serde_json::{Value, json};
use std::{collections::BTreeSet, convert::Infallible, sync::Arc, time::Duration};
use tokio::{sync::mpsc, task::JoinSet};
use tower::ServiceExt as _;
use uuid::Uuid;
use wiiiv_domain::Scope;
use wiiiv_store::{DocumentAuthor, DocumentOrigin, IngestBounds, NewIngest, Role, TokenScope};

/// What does not come by then never will.
const PATIENCE: Duration = Duration::from_secs(30);
const TEXT: &str = "# 서울 사무소\n\n서울에서 열리는 회의는 월요일에 시작합니다.\n\n# Parking\n\nThe garage opens at seven.\n";
/// `안내.md`, as an address has it.
const NAME: &str = "%EC%95%88%EB%82%B4.md";
/// `서울에서 열리는 회의`.
const EUC_KR: &[u8] =
    b"\xbc\xad\xbf\xef\xbf\xa1\xbc\xad \xbf\xad\xb8\xae\xb4\xc2 \xc8\xb8\xc0\xc7\n";
const FILE_BYTES_MAX: usize = 20 * 1024 * 1024;

fn of_project(test: &TestServer) -> String {
    format!("projects/{}", test.project)
}

fn of_user(who: &Person) -> String {
    format!("users/{}", who.user)
}

pub async fn send(
    test: &TestServer,
    (who, at): (&Person, &str),
    query: &str,
    file: &[u8],
) -> Answer {
    let asked = TestRequest::new("POST", &format!("/rag/{at}/ingest?{query}")).by(&who.token);
    test.send(asked.bytes("text/markdown", file.to_vec())).await
}

/// Its job when it has ended.
pub async fn ended(test: &TestServer, who: &Person, job: &str) -> Value {
    let path = format!("/rag/jobs/{job}");
    let wait = async {
        loop {
            let job = test.get(who, &path).await;
            assert_eq!(job.status, 200, "{}", job.text);
            if job.body["ended_at"].is_string() {
                return job.body;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect("the ingest must end")
}

/// The id of a document that is found.
async fn put(test: &TestServer, (who, at): (&Person, &str), name: &str, text: &str) -> String {
    let job = send(test, (who, at), &format!("name={name}"), text.as_bytes()).await;
    assert_eq!(job.status, 202, "{}", job.text);
    let job = ended(test, who, job.body["id"].as_str().unwrap()).await;
    assert_eq!(job["state"], "ready", "{job}");
    job["document"].as_str().unwrap().to_owned()
}

/// One that nobody works on, as it waits behind others.
async fn waiting(test: &TestServer, who: &Person, name: &str) -> String {
    // Documents are loaded by then: what stands in the store alone is begun at the next start.
    put(test, (who, &of_project(test)), "first.md", "first").await;
    queued(test, who, name).await
}

async fn queued(test: &TestServer, who: &Person, name: &str) -> String {
    let principal = test.store().authenticate(who.token.as_str(), Some(test.project), now()).await;
    let author = DocumentAuthor::of(&principal.unwrap());
    let new = NewIngest {
        scope: Scope::Project(test.project),
        origin: DocumentOrigin::Upload,
        file_name: name.to_owned(),
        title: None,
        media_type: None,
        file: b"text".to_vec(),
    };
    let bounds = IngestBounds {
        open_max: 64,
        scope_bytes_max: 1024 * 1024,
        scope_chunks_max: 1_000,
        chunks_max: 1_000,
    };
    test.store().queue_ingest(author, new, bounds).await.unwrap().id.to_string()
}

async fn search(test: &TestServer, who: &Person, body: Value) -> Answer {
    test.post(who, "/rag/search", body).await
}

/// Scopes of what is found, and those that were searched.
fn scopes(found: &Answer) -> [BTreeSet<String>; 2] {
    assert_eq!(found.status, 200, "{}", found.text);
    let of = |rows: &Value| {
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| row["scope"].as_str().unwrap().to_owned()).collect()
    };
    [of(&found.body["hits"]), of(&found.body["trace"]["segments"])]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_becomes_a_document_that_is_found_and_opened() {
    let test = TestServer::new().await;
    let (who, at) = (&test.owner, of_project(&test));
    let query = format!("name={NAME}&title=%20Seoul%20");
    let taken = send(&test, (who, &at), &query, TEXT.as_bytes()).await;
    let id = taken.body["id"].as_str().unwrap();
    assert_eq!(taken.header("location"), format!("/api/v2/rag/jobs/{id}"), "{}", taken.text);
    let job = ended(&test, who, id).await;
    let told = ["state", "file_name", "title", "media_type"].map(|field| &job[field]);
    assert_eq!(told, ["ready", "안내.md", "Seoul", "text/markdown"], "{job}");
    assert_eq!((&job["bytes"], &job["author_name"]), (&json!(TEXT.len()), &json!("owner")));

    let document = format!("/rag/documents/{}", job["document"].as_str().unwrap());
    let shown = test.get(who, &document).await;
    assert_eq!((shown.status, shown.header("etag")), (200, "\"1\""), "{}", shown.text);
    let told = ["title", "file_name", "origin", "author_name"].map(|field| &shown.body[field]);
    assert_eq!(told, ["Seoul", "안내.md", "upload", "owner"], "{}", shown.text);
    assert_eq!(shown.body["scope"], format!("project:{}", test.project));
    let list = format!("/rag/documents?scope=project:{}", test.project);
    assert_eq!(test.get(who, &list).await.body["items"], json!([shown.body]));

    let all = test.get(who, &format!("{document}/passages")).await;
    let passages = all.body["items"].as_array().unwrap();
    assert_eq!(shown.body["passages"], passages.len(), "{}", all.text);
    assert!(passages[0]["text"].as_str().unwrap().contains("서울에서"), "{}", all.text);
    assert!(!passages[0]["chunks"].as_array().unwrap().is_empty(), "{}", all.text);
    assert_eq!(passages[0]["chunks"][0]["embedded"], false, "{}", all.text);
    assert_eq!(test.get(who, &format!("{document}/passages/0")).await.body, passages[0]);
    for absent in ["99", "-1", "x", "4294967296"] {
        let absent = test.get(who, &format!("{document}/passages/{absent}")).await;
        assert_eq!((absent.status, absent.code()), (404, "NOT_FOUND"), "{}", absent.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_cites_what_it_found_and_says_how() {
    let test = TestServer::new().await;
    let who = &test.owner;
    let document = put(&test, (who, &of_project(&test)), NAME, TEXT).await;
    let asked = json!({"text": "서울", "project": test.project, "format": "debug"});
    let found = search(&test, who, asked).await;
    let hit = &found.body["hits"][0];
    assert_eq!(
        (&hit["document"], &hit["citation"]),
        (&json!(document), &json!(1)),
        "{}",
        found.text
    );
    assert_eq!((&hit["lexical"]["rank"], &hit["dense"]), (&json!(1), &Value::Null));
    assert_eq!((&found.body["relevant"], &found.body["embedder"]), (&json!(true), &Value::Null));
    assert_eq!(found.body["trace"]["dense"]["off"], "no_query_vector");
    assert!(found.body["trace"]["lexical"]["candidates"].as_u64().unwrap() > 0, "{}", found.text);
    let ranked = &found.body["trace"]["by_words"][0];
    assert_eq!((&ranked["document"], &ranked["file_name"]), (&json!(document), &json!("안내.md")));
    assert_eq!((&ranked["title"], &ranked["headings"]), (&hit["title"], &hit["headings"]));
    let formatted = found.body["formatted"].as_str().unwrap();
    assert!(formatted.starts_with("[1] (안내.md"), "{formatted}");
    let opened = format!("/rag/documents/{document}/passages/{}", hit["passage"]);
    assert_eq!(test.get(who, &opened).await.body["text"], hit["text"]);
    let none = search(&test, who, json!({"text": "zyzzyva", "project": test.project})).await;
    assert_eq!((&none.body["relevant"], &none.body["formatted"]), (&json!(false), &Value::Null));
    let info = test.send(TestRequest::new("GET", "/info")).await;
    let due = json!({"embedder": null, "file_bytes_max": FILE_BYTES_MAX});
    assert_eq!(info.body["documents"], due, "search is lexical only, and says so");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_title_is_a_new_version_and_a_removal_is_at_once() {
    let test = TestServer::new().await;
    let who = &test.owner;
    let document = put(&test, (who, &of_project(&test)), "a.md", TEXT).await;
    let path = format!("/rag/documents/{document}");
    let patch = |tag: Option<&str>, body: Value| {
        let asked = TestRequest::new("PATCH", &path).by(&who.token).json(&body);
        test.send(tag.into_iter().fold(asked, |asked, tag| asked.header("if-match", tag)))
    };
    let body = json!({"title": " 사무소 안내 "});
    let blind = patch(None, body.clone()).await;
    assert_eq!((blind.status, blind.code()), (428, "PRECONDITION_REQUIRED"), "{}", blind.text);
    let renamed = patch(Some("\"1\""), body.clone()).await;
    assert_eq!((renamed.status, renamed.header("etag")), (200, "\"2\""), "{}", renamed.text);
    assert_eq!(renamed.body["title"], "사무소 안내");
    for title in [String::new(), "a".repeat(201), "a\nb".to_owned()] {
        let refused = patch(Some("\"2\""), json!({"title": title})).await;
        assert_eq!((refused.status, refused.code()), (422, "INVALID_FIELD"), "{}", refused.text);
        assert_eq!(refused.body["params"]["field"], "title");
    }
    // Somebody else's title, which was not seen, stays.
    let late = patch(Some("\"1\""), body).await;
    assert_eq!((late.status, late.code()), (412, "VERSION_CHANGED"), "{}", late.text);
    assert_eq!(late.body["params"]["current"], "2");
    let asked = || json!({"text": "garage", "project": test.project});
    assert_eq!(search(&test, who, asked()).await.body["hits"][0]["title"], "사무소 안내");

    // The same file once more is the same document.
    assert_eq!(
        put(&test, (who, &of_project(&test)), "a.md", "# Garden\n\nRoses.\n").await,
        document
    );
    assert_eq!(search(&test, who, asked()).await.body["hits"], json!([]));
    let removed = test.status(TestRequest::new("DELETE", &path).by(&who.token)).await;
    assert_eq!(removed, 204);
    let roses = search(&test, who, json!({"text": "roses", "project": test.project})).await;
    assert_eq!((roses.status, &roses.body["hits"]), (200, &json!([])), "{}", roses.text);
    for below in ["", "/passages", "/passages/0"] {
        assert_eq!(test.get(who, &format!("{path}{below}")).await.status, 404, "{below}");
    }
    let list = format!("/rag/documents?scope=project:{}", test.project);
    assert_eq!(test.get(who, &list).await.body["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_global_everybody_reads_and_an_administrator_changes() {
    let test = TestServer::new().await;
    let document = put(&test, (&test.admin, "global"), "a.md", TEXT).await;
    let path = format!("/rag/documents/{document}");
    let stranger = test.person("stranger").await;
    for who in [&test.owner, &stranger] {
        assert_eq!(test.get(who, &path).await.body["scope"], "global");
        assert_eq!(test.get(who, "/rag/documents?scope=global").await.status, 200);
        let found = search(&test, who, json!({"text": "garage"})).await;
        assert_eq!(found.body["hits"][0]["document"], document, "{}", found.text);
        let mut refused = vec![
            send(&test, (who, "global"), "name=b.md", b"x").await,
            test.get(who, "/rag/jobs?scope=global").await,
            test.post(who, "/rag/reembed", json!({})).await,
        ];
        for (method, body) in [("PATCH", json!({"title": "x"})), ("DELETE", Value::Null)] {
            let asked = TestRequest::new(method, &path).by(&who.token).json(&body);
            refused.push(test.send(asked).await);
        }
        for refused in refused {
            assert_eq!((refused.status, refused.code()), (403, "FORBIDDEN"), "{}", refused.text);
            assert_eq!(refused.body["params"]["roles"], json!(["admin"]));
        }
    }
    let begun = test.post(&test.admin, "/rag/reembed", json!({})).await;
    assert_eq!((begun.status, &begun.body), (202, &json!({"embedder": null, "missing": 0})));
    assert_eq!(test.get(&test.admin, &path).await.body["title"], "서울 사무소");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_s_is_read_by_its_members_and_changed_by_its_editors() {
    let test = TestServer::new().await;
    let at = of_project(&test);
    let document = put(&test, (&test.owner, &at), "a.md", TEXT).await;
    let job = queued(&test, &test.owner, "waits.md").await;
    let (document, job) = (format!("/rag/documents/{document}"), format!("/rag/jobs/{job}"));
    let jobs = format!("/rag/jobs?scope=project:{}", test.project);
    for (name, role) in [("viewer", Role::Viewer), ("approver", Role::Approver)] {
        let who = &test.member(name, role).await;
        assert_eq!(test.get(who, &format!("{document}/passages/0")).await.status, 200, "{name}");
        let mut refused = vec![send(&test, (who, &at), "name=b.md", b"x").await];
        for path in [&jobs, &job] {
            refused.push(test.get(who, path).await);
        }
        for (method, path) in [("PATCH", &document), ("DELETE", &document), ("DELETE", &job)] {
            let asked = TestRequest::new(method, path).by(&who.token);
            refused.push(test.send(asked.json(&json!({"title": "x"}))).await);
        }
        for refused in refused {
            assert_eq!((refused.status, refused.code()), (403, "FORBIDDEN"), "{}", refused.text);
            assert_eq!(refused.body["params"]["roles"], json!(["owner", "editor"]), "{name}");
        }
    }
    let editor = &test.member("editor", Role::Editor).await;
    put(&test, (editor, &at), "b.md", "b").await;
    assert_eq!(test.get(editor, &jobs).await.body["items"].as_array().unwrap().len(), 3);
    let removed = TestRequest::new("DELETE", &document).by(&editor.token);
    assert_eq!(test.status(removed).await, 204);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_only_looks_adds_and_removes_nothing() {
    let test = TestServer::new().await;
    let own = put(&test, (&test.owner, &of_user(&test.owner)), "a.md", TEXT).await;
    let looks = token(test.store(), test.owner.user, TokenScope::Read).await;
    let looking = &Person { token: looks, ..test.owner.clone() };
    let path = format!("/rag/documents/{own}");
    assert_eq!(test.get(looking, &path).await.body["title"], "서울 사무소");
    let jobs = format!("/rag/jobs?scope=user:{}", test.owner.user);
    assert_eq!(test.get(looking, &jobs).await.body["items"][0]["state"], "ready");
    for at in [of_user(looking), of_project(&test), "global".to_owned()] {
        let refused = send(&test, (looking, &at), "name=b.md", b"x").await;
        assert_eq!((refused.status, refused.code()), (403, "FORBIDDEN"), "{at}: {}", refused.text);
    }
    let removed = test.send(TestRequest::new("DELETE", &path).by(&looking.token)).await;
    assert_eq!((removed.status, removed.code()), (403, "FORBIDDEN"), "{}", removed.text);
    let found = search(&test, looking, json!({"text": "garage"})).await;
    assert_eq!(found.body["hits"][0]["document"], own, "{}", found.text);
}

/// The attack: whoever guesses an id learns whether somebody else has a document of it.
#[tokio::test(flavor = "multi_thread")]
async fn somebody_else_s_is_like_one_that_is_not_there() {
    let test = TestServer::new().await;
    let stranger = test.person("stranger").await;
    let own = put(&test, (&test.owner, &of_user(&test.owner)), "a.md", TEXT).await;
    let of_project = put(&test, (&test.owner, &of_project(&test)), "a.md", TEXT).await;
    let job = queued(&test, &test.owner, "waits.md").await;
    let absent = Uuid::now_v7().to_string();
    let calls = |document: &str, job: &str| {
        let document = format!("/rag/documents/{document}");
        [
            ("GET", document.clone()),
            ("PATCH", document.clone()),
            ("DELETE", document.clone()),
            ("GET", format!("{document}/passages")),
            ("GET", format!("{document}/passages/0")),
            ("GET", format!("/rag/jobs/{job}")),
            ("DELETE", format!("/rag/jobs/{job}")),
        ]
    };
    for who in [&stranger, &test.admin] {
        let send = async |(method, path): (&str, String)| {
            let asked = TestRequest::new(method, &path).by(&who.token);
            test.send(asked.json(&json!({"title": "x"}))).await
        };
        for document in [&own, &of_project] {
            for (there, missing) in calls(document, &job).into_iter().zip(calls(&absent, &absent)) {
                let what = format!("{} {}", there.0, there.1);
                let (there, missing) = (send(there).await, send(missing).await);
                assert_eq!((there.status, there.told()), (404, missing.told()), "{what}");
            }
        }
        for list in ["documents", "jobs"] {
            for (scope, id) in
                [("user", test.owner.user.to_string()), ("project", test.project.to_string())]
            {
                let there = test.get(who, &format!("/rag/{list}?scope={scope}:{id}")).await;
                let missing = test.get(who, &format!("/rag/{list}?scope={scope}:{absent}")).await;
                assert_eq!((there.status, there.told()), (404, missing.told()), "{list} {scope}");
            }
        }
    }
    assert_eq!(test.get(&test.owner, &format!("/rag/documents/{own}")).await.status, 200);
    assert_eq!(test.get(&test.owner, &format!("/rag/jobs/{job}")).await.body["state"], "queued");
}

/// The attack: the same word stands in everybody's documents.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_sees_one_s_own_scopes_alone() {
    let test = TestServer::new().await;
    let stranger = test.person("stranger").await;
    let viewer = test.member("viewer", Role::Viewer).await;
    let personal = format!("projects/{}", stranger.personal);
    let places = [
        (&test.admin, "global".to_owned()),
        (&test.owner, of_user(&test.owner)),
        (&test.owner, of_project(&test)),
        (&stranger, of_user(&stranger)),
        (&stranger, personal),
    ];
    for (who, at) in &places {
        put(&test, (who, at), "a.md", &format!("# Quokka\n\nA quokka of {at}.\n")).await;
    }
    let (global, project) = ("global".to_owned(), format!("project:{}", test.project));
    let theirs = format!("project:{}", stranger.personal);
    let own = |who: &Person| format!("user:{}", who.user);
    for (who, named, due) in [
        (&test.owner, None, vec![global.clone(), own(&test.owner)]),
        (&test.owner, Some(test.project), vec![global.clone(), own(&test.owner), project.clone()]),
        (&viewer, Some(test.project), vec![global.clone(), project.clone()]),
        (&stranger, Some(stranger.personal), vec![global.clone(), own(&stranger), theirs]),
        (&test.admin, None, vec![global.clone()]),
    ] {
        let found = search(&test, who, json!({"text": "quokka", "project": named})).await;
        let [hits, searched] = scopes(&found);
        assert_eq!(hits, due.into_iter().collect(), "{}", found.text);
        let allowed = BTreeSet::from([global.clone(), own(who)]);
        let named = named.map(|project| format!("project:{project}"));
        let allowed: BTreeSet<String> = allowed.into_iter().chain(named).collect();
        assert!(searched.is_subset(&allowed), "{searched:?}");
    }
    let absent = Uuid::now_v7();
    for who in [&stranger, &test.admin] {
        let there = search(&test, who, json!({"text": "quokka", "project": test.project})).await;
        let missing = search(&test, who, json!({"text": "quokka", "project": absent})).await;
        assert_eq!((there.status, there.told()), (404, missing.told()));
    }
    // Whoever leaves a project finds nothing of it any more.
    test.store()
        .set_roles(test.project, viewer.user, BTreeSet::new(), test.owner.user)
        .await
        .unwrap();
    let left = search(&test, &viewer, json!({"text": "quokka", "project": test.project})).await;
    assert_eq!((left.status, left.code()), (404, "NOT_FOUND"), "{}", left.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_titles_and_searches_are_checked() {
    let test = TestServer::new().await;
    let (who, at) = (&test.owner, of_project(&test));
    for (query, status, named) in [
        ("", 400, "name"),
        ("name=a.md&colour=1", 400, "colour"),
        ("name=%20", 422, "name"),
        ("name=a%2Fb.md", 422, "name"),
        ("name=a%5Cb.md", 422, "name"),
        ("name=a%0Ab.md", 422, "name"),
        ("name=a.md&title=%20", 422, "title"),
    ] {
        let refused = send(&test, (who, &at), query, b"x").await;
        let params = &refused.body["params"];
        let told = params.get("parameter").or_else(|| params.get("field")).unwrap();
        assert_eq!((refused.status, told), (status, &json!(named)), "{query}: {}", refused.text);
    }
    let long = format!("/rag/{at}/ingest?name={}", "a".repeat(256));
    let long = TestRequest::new("POST", &long).by(&who.token).header("accept-language", "ko");
    let long = test.send(long).await;
    let reason = long.body["params"]["reason"].as_str().unwrap();
    assert!(long.status == 422 && reason.contains("`255`바이트"), "{}", long.text);
    for scope in ["", "everybody", "user", "project:7", "session:1"] {
        let odd = test.get(who, &format!("/rag/documents?scope={scope}")).await;
        assert_eq!(
            (odd.status, &odd.body["params"]["parameter"]),
            (400, &json!("scope")),
            "{scope}"
        );
    }
    for (body, field) in [
        (json!({"text": " "}), "text"),
        (json!({"text": "가".repeat(2_001)}), "text"),
        (json!({"text": "x", "limit": 0}), "limit"),
        (json!({"text": "x", "limit": 51}), "limit"),
        (json!({"text": "x", "format": "poem"}), "format"),
        (json!({"text": "x", "scope": "global"}), "scope"),
    ] {
        let odd = search(&test, who, body).await;
        assert_eq!(
            (odd.status, &odd.body["params"]["field"]),
            (422, &json!(field)),
            "{}",
            odd.text
        );
    }
    let list = format!("/rag/jobs?scope=project:{}", test.project);
    assert_eq!(test.get(who, &list).await.body["items"], json!([]), "nothing was queued");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_may_be_larger_than_other_bodies_and_has_a_limit_of_its_own() {
    let test = TestServer::new().await;
    let (who, at) = (&test.owner, of_project(&test));
    let line = "The garage opens at seven.\n\n".as_bytes();
    let large = line.repeat(1024 * 1024 / line.len() + 100);
    let taken = send(&test, (who, &at), "name=large.md", &large).await;
    assert_eq!((taken.status, &taken.body["bytes"]), (202, &json!(large.len())), "{}", taken.text);
    let job = format!("/rag/jobs/{}", taken.body["id"].as_str().unwrap());
    let stopped = test.send(TestRequest::new("DELETE", &job).by(&who.token)).await;
    assert!(matches!(stopped.status, 200 | 409), "{}", stopped.text);

    let over = vec![b' '; FILE_BYTES_MAX + 1];
    for language in ["ko", "en"] {
        let path = format!("/rag/{at}/ingest?name=over.md");
        let asked = TestRequest::new("POST", &path).by(&who.token);
        let asked = asked.header("accept-language", language).bytes("text/plain", over.clone());
        let refused = test.send(asked).await;
        assert_eq!(
            (refused.status, refused.code()),
            (413, "DOCUMENT_TOO_LARGE"),
            "{}",
            refused.text
        );
        let advice = refused.body["suggestion"].as_str().unwrap();
        assert!(advice.contains(&format!("{} MiB", FILE_BYTES_MAX >> 20)), "{advice}");
    }
    let stranger = test.person("stranger").await;
    assert_eq!(send(&test, (&stranger, &at), "name=over.md", &over).await.status, 404);
    // Nobody else takes such a body.
    let search = TestRequest::new("POST", "/rag/search").by(&who.token);
    let search = test.send(search.bytes("application/json", large)).await;
    assert_eq!((search.status, search.code()), (413, "BODY_TOO_LARGE"), "{}", search.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_gives_no_text_says_why() {
    let test = TestServer::new().await;
    let (who, at) = (&test.owner, of_project(&test));
    for (name, file, code) in [
        ("a.bin", &b"\x00\x01\x02"[..], "UNKNOWN_ENCODING"),
        ("a.md", b"", "EMPTY"),
        ("a.zip", b"PK\x03\x04", "ARCHIVE"),
        ("a.hwp", b"x", "HANGUL_FORMAT"),
    ] {
        let taken = send(&test, (who, &at), &format!("name={name}"), file).await;
        let job = ended(&test, who, taken.body["id"].as_str().unwrap()).await;
        assert_eq!((&job["state"], &job["code"]), (&json!("failed"), &json!(code)), "{job}");
        assert_eq!(job["document"], Value::Null);
    }
    // As old Korean files are.
    let taken = send(&test, (who, &at), "name=old.txt", EUC_KR).await;
    let job = ended(&test, who, taken.body["id"].as_str().unwrap()).await;
    assert_eq!(job["state"], "ready", "{job}");
    let found = search(&test, who, json!({"text": "서울", "project": test.project})).await;
    let text = found.body["hits"][0]["text"].as_str().unwrap();
    assert!(text.contains("서울에서 열리는 회의"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ingest_is_cancelled_once() {
    let test = TestServer::new().await;
    let who = &test.owner;
    let job = format!("/rag/jobs/{}", waiting(&test, who, "waits.md").await);
    let cancel = || test.send(TestRequest::new("DELETE", &job).by(&who.token));
    let cancelled = cancel().await;
    assert_eq!((cancelled.status, &cancelled.body["state"]), (200, &json!("cancelled")));
    assert!(cancelled.body["ended_at"].is_string(), "{}", cancelled.text);
    let again = cancel().await;
    assert_eq!((again.status, again.code()), (409, "INGEST_ENDED"), "{}", again.text);
    let rows = test.get(who, &format!("/rag/jobs?scope=project:{}", test.project)).await;
    let states: Vec<&Value> =
        rows.body["items"].as_array().unwrap().iter().map(|row| &row["state"]).collect();
    assert_eq!(states, ["cancelled", "ready"], "newest first: {}", rows.text);
    let list = test.get(who, &format!("/rag/documents?scope=project:{}", test.project)).await;
    assert_eq!(list.body["items"].as_array().unwrap().len(), 1, "{}", list.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_share_of_the_queue_says_when_to_try_again_and_leaves_the_others_theirs() {
    let test = TestServer::new().await;
    let who = &test.owner;
    let first = waiting(&test, who, "0.md").await;
    for nth in 1..16 {
        queued(&test, who, &format!("{nth}.md")).await;
    }
    let full = send(&test, (who, &of_project(&test)), "name=more.md", b"x").await;
    assert_eq!((full.status, full.code()), (429, "TOO_MANY_INGESTS"), "{}", full.text);
    assert_eq!((full.header("retry-after"), &full.body["params"]["limit"]), ("5", &json!(16)));
    let editor = test.member("editor", Role::Editor).await;
    let other = send(&test, (&editor, &of_project(&test)), "name=other.md", b"x").await;
    assert_eq!(other.status, 202, "{}", other.text);
    let cancelled = TestRequest::new("DELETE", &format!("/rag/jobs/{first}")).by(&who.token);
    assert_eq!(test.status(cancelled).await, 200);
    let taken = send(&test, (who, &of_project(&test)), "name=more.md", b"x").await;
    assert_eq!(taken.status, 202, "{}", taken.text);
}

/// A body that does not say how long it is, of these pieces.
async fn send_pieces(
    test: &TestServer,
    (who, key): (&Person, Option<&str>),
    pieces: impl Stream<Item = Bytes> + Send + 'static,
) -> (u16, Value) {
    let path = format!("/api/v2/rag/{}/ingest?name=pieces.md", of_project(test));
    let mut asked =
        Request::post(path).header("authorization", format!("Bearer {}", who.token.as_str()));
    if let Some(key) = key {
        asked = asked.header("idempotency-key", key);
    }
    let body = Body::from_stream(pieces.map(Ok::<_, Infallible>));
    let answer = test.router.clone().oneshot(asked.body(body).unwrap()).await.unwrap();
    let status = answer.status().as_u16();
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap())
}

/// The attack: files are sent until the memory is full, which the queue was asked for too late.
#[tokio::test(flavor = "multi_thread")]
async fn where_the_queue_is_full_no_file_is_read() {
    let test = TestServer::new().await;
    let who = &test.owner;
    waiting(&test, who, "0.md").await;
    for nth in 1..16 {
        queued(&test, who, &format!("{nth}.md")).await;
    }
    for key in [None, Some("k")] {
        // Read, it would be too large in the end.
        let endless = stream::repeat(Bytes::from_static(&[b'x'; 65_536]));
        let (status, told) = send_pieces(&test, (who, key), endless).await;
        assert_eq!((status, &told["code"]), (429, &json!("TOO_MANY_INGESTS")), "{key:?} {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_so_many_files_of_one_person_are_read_at_a_time() {
    let test = Arc::new(TestServer::new().await);
    let at = of_project(&test);
    let (begun, mut seen) = mpsc::unbounded_channel();
    let mut reads = JoinSet::new();
    for nth in 0..4 {
        let (test, begun) = (Arc::clone(&test), begun.clone());
        // Its second piece never comes.
        let pieces = stream::once(async move {
            let _ = begun.send(nth);
            Bytes::from_static(b"x")
        });
        let key = (nth % 2 == 0).then(|| format!("k{nth}"));
        reads.spawn(async move {
            let pieces = pieces.chain(stream::pending());
            send_pieces(&test, (&test.owner, key.as_deref()), pieces).await
        });
    }
    for _ in 0..4 {
        tokio::time::timeout(PATIENCE, seen.recv()).await.unwrap().unwrap();
    }
    let full = send(&test, (&test.owner, &at), "name=more.md", b"x").await;
    assert_eq!((full.status, full.code()), (429, "TOO_MANY_INGESTS"), "{}", full.text);
    assert_eq!((full.header("retry-after"), &full.body["params"]["limit"]), ("5", &json!(4)));
    let editor = test.member("editor", Role::Editor).await;
    assert_eq!(send(&test, (&editor, &at), "name=other.md", b"x").await.status, 202);
    reads.shutdown().await;
    assert_eq!(send(&test, (&test.owner, &at), "name=more.md", b"x").await.status, 202);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_with_a_key_is_done_once_and_no_search_is_kept() {
    let test = TestServer::new().await;
    let (who, at) = (&test.owner, of_project(&test));
    let upload = |key: &str, file: &[u8]| {
        let asked = TestRequest::new("POST", &format!("/rag/{at}/ingest?name=a.md"));
        let asked = asked.by(&who.token).header("idempotency-key", key);
        test.send(asked.bytes("text/plain", file.to_vec()))
    };
    let first = upload("k", b"garage one").await;
    let again = upload("k", b"garage one").await;
    assert_eq!((first.status, &first.body["file_name"]), (202, &json!("a.md")), "{}", first.text);
    // Its names are not kept: an erasure would not reach them.
    assert_eq!(again.body, json!({"id": first.body["id"], "state": "queued"}));
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(first.header("location"), again.header("location"));
    // As long, and another file.
    let other = upload("k", b"garage two").await;
    assert_eq!((other.status, other.code()), (422, "IDEMPOTENCY_MISMATCH"), "{}", other.text);
    let over = upload("k2", &vec![b' '; FILE_BYTES_MAX + 1]).await;
    assert_eq!((over.status, over.code()), (413, "DOCUMENT_TOO_LARGE"), "{}", over.text);
    ended(&test, who, first.body["id"].as_str().unwrap()).await;

    let asked = |text: &str| {
        let asked = TestRequest::new("POST", "/rag/search").by(&who.token);
        let body = json!({"text": text, "project": test.project});
        test.send(asked.header("idempotency-key", "s").json(&body))
    };
    let (found, other) = (asked("garage").await, asked("roses").await);
    assert_eq!((found.status, other.status), (200, 200), "{}", other.text);
    assert_eq!((&found.body["relevant"], &other.body["relevant"]), (&json!(true), &json!(false)));
    assert_eq!(other.header("idempotency-replayed"), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_key_too_a_file_is_read_for_whoever_may_send_it_alone() {
    let test = TestServer::new().await;
    let stranger = test.person("stranger").await;
    let viewer = test.member("viewer", Role::Viewer).await;
    let (project, own) = (of_project(&test), of_user(&test.owner));
    let over = vec![b' '; FILE_BYTES_MAX + 1];
    for (who, at, status) in [
        (&viewer, project.as_str(), 403),
        (&stranger, project.as_str(), 404),
        (&stranger, "global", 403),
        (&stranger, own.as_str(), 404),
        (&stranger, "users/nobody", 404),
        (&test.owner, own.as_str(), 413),
    ] {
        let asked = TestRequest::new("POST", &format!("/rag/{at}/ingest?name=over.md"));
        let asked = asked.by(&who.token).header("idempotency-key", "k");
        let refused = test.send(asked.bytes("text/plain", over.clone())).await;
        assert_eq!(refused.status, status, "{at}: {}", refused.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_and_passages_go_on_where_the_page_ended() {
    let test = TestServer::new().await;
    let (who, at) = (&test.owner, of_project(&test));
    let text: String = (0..5).map(|nth| format!("# Part {nth}\n\nWord{nth}.\n\n")).collect();
    for name in ["a.md", "b.md", "c.md"] {
        put(&test, (who, &at), name, &text).await;
    }
    for list in ["documents", "jobs"] {
        let path = format!("/rag/{list}?scope=project:{}", test.project);
        let whole = test.get(who, &path).await;
        let first = test.get(who, &format!("{path}&limit=2")).await;
        assert!(first.header("link").contains("scope=project:"), "{}", first.header("link"));
        let cursor = first.body["next_cursor"].as_str().unwrap();
        let rest = test.get(who, &format!("{path}&limit=2&cursor={cursor}")).await;
        let mut all = first.body["items"].as_array().unwrap().clone();
        all.extend(rest.body["items"].as_array().unwrap().clone());
        assert_eq!((json!(all), all.len()), (whole.body["items"].clone(), 3), "{list}");
        assert_eq!(rest.body["next_cursor"], Value::Null);
    }
    let list = test.get(who, &format!("/rag/documents?scope=project:{}", test.project)).await;
    let document = list.body["items"][0].clone();
    let path = format!("/rag/documents/{}/passages", document["id"].as_str().unwrap());
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = test.get(who, &format!("{path}?limit=2{cursor}")).await;
        let rows = page.body["items"].as_array().unwrap();
        assert!(rows.len() <= 2, "{}", page.text);
        seen.extend(rows.iter().map(|row| row["number"].as_u64().unwrap()));
        let Some(next) = page.body["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let due: Vec<u64> = (0..document["passages"].as_u64().unwrap()).collect();
    assert_eq!(seen, due, "each once, in the document's order");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_takes_documents_and_what_waits() {
    let test = TestServer::new().await;
    let who = &test.owner;
    let job = waiting(&test, who, "waits.md").await;
    let own = put(&test, (who, &of_user(who)), "a.md", "first").await;
    let body = json!({"project": test.project.to_string(), "reason": "asked for"});
    let erased = test.post(&test.admin, "/erasures", body).await;
    assert_eq!((erased.status, &erased.body["documents"]), (200, &json!(1)), "{}", erased.text);
    let list = test.get(who, &format!("/rag/documents?scope=project:{}", test.project)).await;
    assert_eq!(list.body["items"], json!([]), "{}", list.text);
    assert_eq!(test.get(who, &format!("/rag/jobs/{job}")).await.status, 404);
    let found = search(&test, who, json!({"text": "first", "project": test.project})).await;
    let [hits, _] = scopes(&found);
    assert_eq!(hits, BTreeSet::from([format!("user:{}", who.user)]), "{}", found.text);
    assert_eq!(test.get(who, &format!("/rag/documents/{own}")).await.status, 200);
}
