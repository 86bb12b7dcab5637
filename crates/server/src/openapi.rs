//! The API description, generated from the routes.

use std::sync::OnceLock;
use utoipa::{
    Modify, OpenApi,
    openapi::{
        self, Content, Ref, Response, ResponseBuilder,
        security::{
            ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
        },
    },
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "wiiiv",
        version = "2",
        description = "The model proposes, code decides, and every decision can be proved.\n\n\
            Errors are `application/problem+json` with a stable `code`. Where several apply, the \
            first of these is answered: 413 (of a file behind 403), 401, 404 for a \
            malformed id, 400 for a query or header, 404 for an object that is not the caller's, \
            403 for a role, 428 and 412 for `If-Match`, 415, 400 and 422 for the body, 409, 429, \
            503. `Idempotency-Key` is looked at after 401: 409 while the first request is being \
            answered, 422 for another request; answers are kept for 24 hours. Log-in, log-out, set-up, \
            the demo's link, `POST /rag/search` and `POST /auth/password` do not read it: the same change of a password \
            once more is answered 403 `WRONG_PASSWORD`. Somebody else's object is answered like a missing one. \
            An `ETag` names the version that `If-Match` takes, and not all that an answer shows: `If-None-Match` is not read.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    servers((url = "/api/v2")),
    security(("bearer" = []), ("cookie" = [], "page_key" = [])),
    modifiers(&Schemes),
)]
pub(crate) struct Document;

struct Schemes;

impl Modify for Schemes {
    fn modify(&self, openapi: &mut openapi::OpenApi) {
        let components = openapi.components.get_or_insert_default();
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let cookie = ApiKey::Cookie(ApiKeyValue::with_description(
            "wiiiv_session",
            "`wiiiv_session_PORT` where the address names a port, `__Host-wiiiv_session` over TLS. \
             It opens nothing without `X-Page-Key`.",
        ));
        let page_key = ApiKey::Header(ApiKeyValue::new("X-Page-Key"));
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(cookie));
        components.add_security_scheme("page_key", SecurityScheme::ApiKey(page_key));
    }
}

/// Every operation may refuse, in one form, but those that answer anybody and take nothing.
fn with_refusals(mut document: openapi::OpenApi) -> openapi::OpenApi {
    let anybody = SecurityRequirement::default();
    for path in document.paths.paths.values_mut() {
        let operations =
            [&mut path.get, &mut path.put, &mut path.post, &mut path.patch, &mut path.delete];
        for operation in operations.into_iter().flatten() {
            let is_of_system = operation.tags.iter().flatten().any(|tag| tag == "system");
            let is_open = operation.security.iter().flatten().any(|needed| *needed == anybody);
            if !(is_of_system && is_open) {
                operation.responses.responses.insert("4XX".to_owned(), refusal().into());
            }
        }
    }
    document
}

fn refusal() -> Response {
    let body = Content::new(Some(Ref::from_schema_name("Problem")));
    ResponseBuilder::new().content("application/problem+json", body).build()
}

static TEXT: OnceLock<String> = OnceLock::new();

/// The document of this build, pretty-printed; made once.
pub(crate) fn published(document: impl FnOnce() -> openapi::OpenApi) -> &'static str {
    TEXT.get_or_init(|| with_refusals(document()).to_pretty_json().unwrap_or_default())
}

/// Of the router that is running.
pub(crate) fn text() -> &'static str {
    TEXT.get().map_or("", String::as_str)
}
