//! The web interface: embedded files, and the one page that every address of it is.

mod asset;

use crate::{
    headers::OfUi,
    problem::{Problem, ProblemCode},
    state::AppState,
};
use asset::Asset;
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use std::{collections::BTreeMap, sync::Arc};

const PAGE: &str = "index.html";
/// Names below it carry a hash of their content.
const HASHED: &str = "assets/";
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
const BUILT: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/ui_files.rs"));

/// Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Ui {
    files: Arc<BTreeMap<&'static str, Asset>>,
}

impl Ui {
    /// `web/dist` as it was at build.
    #[must_use]
    pub fn embedded() -> Self {
        Self::of(BUILT)
    }

    /// Files by their path below the root, of which `index.html` is the page.
    #[must_use]
    pub fn of(files: &[(&'static str, &'static [u8])]) -> Self {
        let files = files.iter().map(|(name, bytes)| (*name, Asset::new(name, bytes)));
        Self { files: Arc::new(files.collect()) }
    }

    /// A file by its name, else the page: where in it one is, it reads from the address. What
    /// carries a hash in its name is there or is not.
    fn find(&self, path: &str) -> Option<(&Asset, HeaderValue)> {
        let name = path.trim_start_matches('/');
        let hashed = name.starts_with(HASHED);
        match self.files.get(name) {
            Some(asset) => Some((asset, if hashed { FOREVER } else { ASK_AGAIN })),
            None if hashed || name == "api" || name.starts_with("api/") => None,
            None => self.files.get(PAGE).map(|page| (page, ASK_AGAIN)),
        }
    }
}

/// Whatever no route of the API answers.
pub(crate) async fn serve_ui(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, Problem> {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let found = state.config().ui.find(request.uri().path()).filter(|_| reads);
    let (asset, cache) = found.ok_or(ProblemCode::NotFound)?;
    let mut response = answer(asset, request.headers());
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, cache);
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    response.extensions_mut().insert(OfUi);
    Ok(response)
}

fn answer(asset: &Asset, asked: &HeaderMap) -> Response {
    let form = asset.form(takes_gzip(asked));
    if knows(asked, form.tag) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, form.tag.clone())]).into_response();
    }
    let mut response = Response::new(Body::from(form.bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type()));
    headers.insert(header::ETAG, form.tag.clone());
    if form.gzip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// `gzip` or `*`, and not with a weight of nothing.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|v| v.to_str().ok());
    let lines: Vec<&str> = lines.collect();
    let weight = |name: &str| {
        lines.iter().flat_map(|line| line.split(',')).find_map(|coding| {
            let (coding, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
            let named = coding.trim().eq_ignore_ascii_case(name);
            let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
            named.then(|| weight.unwrap_or(1.0))
        })
    };
    weight("gzip").or_else(|| weight("*")).is_some_and(|weight| weight > 0.0)
}

fn knows(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let tag = tag.to_str().unwrap_or_default();
    let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|v| v.to_str().ok());
    let mut known = lines.flat_map(|line| line.split(','));
    known.any(|known| matches!(known.trim(), "*") || known.trim().trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_whoever_takes_it() {
        let takes = |text: &str| {
            let value = text.parse().expect("a header");
            takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]))
        };
        for yes in ["gzip", "br, GZIP;q=0.5", "*", "deflate, gzip;q=1.0, *;q=0"] {
            assert!(takes(yes), "{yes}");
        }
        for no in ["", "br", "gzip;q=0", "gzip; q=0.0, *", "*;q=0"] {
            assert!(!takes(no), "{no}");
        }
    }

    #[test]
    fn every_address_is_the_page_but_those_of_assets_and_of_the_api() {
        let ui = Ui::of(&[("index.html", b"page"), ("assets/a-1.js", b"1"), ("icon.svg", b"i")]);
        let found = |path: &str| ui.find(path).map(|(_, cache)| cache);
        assert_eq!(found("/assets/a-1.js"), Some(FOREVER));
        for path in ["/", "/icon.svg", "/p/7/chat", "/sign-in", "/apiary", "/index.html"] {
            assert_eq!(found(path), Some(ASK_AGAIN), "{path}");
        }
        for path in ["/assets/a-2.js", "/assets/../index.html", "/api", "/api/v1/health"] {
            assert_eq!(found(path), None, "{path}");
        }
        assert!(Ui::default().find("/").is_none(), "without a page there is nothing");
    }
}
