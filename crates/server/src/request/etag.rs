//! Versions of mutable resources: `ETag` in answers, `If-Match` in requests.

use crate::problem::{Problem, ProblemCode};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use std::str::FromStr;

/// `ETag` of a version id.
pub(crate) fn etag(version: impl std::fmt::Display) -> [(HeaderName, HeaderValue); 1] {
    let text = format!("\"{version}\"");
    let value = HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("\"\""));
    [(header::ETAG, value)]
}

/// The one version that the client says it changes. `*` is refused: it says nothing.
pub(crate) fn if_match<V: FromStr>(headers: &HeaderMap) -> Result<V, Problem> {
    let mut values = headers.get_all(header::IF_MATCH).iter();
    let Some(value) = values.next() else {
        return Err(ProblemCode::PreconditionRequired.into());
    };
    let malformed = || Problem::new(ProblemCode::InvalidHeader).with("header", "If-Match");
    if values.next().is_some() {
        return Err(malformed());
    }
    let text = value.to_str().map_err(|_| malformed())?.trim();
    let tag = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).ok_or_else(malformed)?;
    // A well-formed tag that is no version of ours is simply not the current one.
    tag.parse().map_err(|_| ProblemCode::VersionChanged.into())
}

/// The version that is replaced; `None` where the client names none: what it sends is to be new.
pub(crate) fn if_match_where_given<V: FromStr>(headers: &HeaderMap) -> Result<Option<V>, Problem> {
    headers.contains_key(header::IF_MATCH).then(|| if_match(headers)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::PolicyVersionId;

    fn read(values: &[&str]) -> Result<PolicyVersionId, ProblemCode> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::IF_MATCH, value.parse().expect("a header"));
        }
        if_match(&headers).map_err(|problem| problem.code())
    }

    #[test]
    fn exactly_one_strong_tag_names_the_version() {
        let id = "0190a000-0000-7000-8000-000000000001";
        let tag = format!("\"{id}\"");
        assert_eq!(read(&[&tag]).map(|v| v.to_string()), Ok(id.to_owned()));
        assert_eq!(read(&[]), Err(ProblemCode::PreconditionRequired));
        assert_eq!(read(&["*"]), Err(ProblemCode::InvalidHeader));
        assert_eq!(read(&[id]), Err(ProblemCode::InvalidHeader));
        assert_eq!(read(&[&tag, &tag]), Err(ProblemCode::InvalidHeader));
        assert_eq!(read(&["\"7\""]), Err(ProblemCode::VersionChanged));
        assert_eq!(read(&[&format!("W/{tag}")]), Err(ProblemCode::InvalidHeader));
    }
}
