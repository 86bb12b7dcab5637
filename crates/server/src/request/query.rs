//! Query parameters: an unknown or malformed one is refused by name.

use crate::{
    limits::SEARCH_CHARS_MAX,
    problem::{Problem, ProblemCode},
};
use axum::{
    extract::{FromRequestParts, Query},
    http::request::Parts,
};
use serde::de::DeserializeOwned;

/// Words to look for; `None` where there are none.
pub(crate) fn searched(text: Option<&str>) -> Result<Option<String>, Problem> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    if text.is_some_and(|text| text.chars().count() > SEARCH_CHARS_MAX) {
        return Err(Problem::new(ProblemCode::InvalidQuery).with("parameter", "q"));
    }
    Ok(text.map(str::to_owned))
}

#[derive(Debug)]
pub(crate) struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        read.map(|Query(params)| Self(params)).map_err(|rejection| {
            let text = rejection.body_text();
            // `...: unknown field `x`, expected ...` or `...: x: invalid digit ...`
            let named = text.split('`').nth(1).map(str::to_owned);
            let named = named.or_else(|| Some(text.split(": ").nth(1)?.to_owned()));
            Problem::new(ProblemCode::InvalidQuery).with("parameter", named.unwrap_or_default())
        })
    }
}
