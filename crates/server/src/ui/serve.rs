//! Serves a file of the web interface: by its tag, compressed if the browser accepts that.

use crate::{
    listen::headers::OfUi,
    problem::{Problem, ProblemCode},
    state::AppState,
    ui::asset::Asset,
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};

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
}
