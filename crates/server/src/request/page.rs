//! Cursor pagination: `?limit=&cursor=`, newest first, with `Link: <...>; rel="next"`.

use crate::{
    limits::{PAGE_ROWS_DEFAULT, PAGE_ROWS_MAX},
    problem::{Problem, ProblemCode},
};
use axum::{
    Json,
    http::{HeaderValue, Uri, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use utoipa::{IntoParams, ToSchema};

/// Where a page begins and how long it may be.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// Rows, 1 to 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

impl PageQuery {
    pub(crate) fn limit(&self) -> Result<u32, Problem> {
        match self.limit {
            None => Ok(PAGE_ROWS_DEFAULT),
            Some(limit) if (1..=PAGE_ROWS_MAX).contains(&limit) => Ok(limit),
            Some(_) => Err(Problem::new(ProblemCode::InvalidQuery).with("parameter", "limit")),
        }
    }
    /// One row more than the page holds tells whether another page follows.
    pub(crate) fn rows(&self) -> Result<u64, Problem> {
        Ok(u64::from(self.limit()?) + 1)
    }
    pub(crate) fn page(&self) -> Result<wiiiv_store::Page, Problem> {
        Ok(wiiiv_store::Page { before: self.after()?, limit: Some(self.rows()?) })
    }
    /// The row behind which the page begins.
    pub(crate) fn after<T: FromStr>(&self) -> Result<Option<T>, Problem> {
        let parsed = self.cursor.as_deref().map(str::parse).transpose();
        parsed.map_err(|_| Problem::new(ProblemCode::InvalidQuery).with("parameter", "cursor"))
    }
}

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Page<T> {
    pub items: Vec<T>,
    /// `null` on the last page.
    pub next_cursor: Option<String>,
}

impl<T: Serialize> Page<T> {
    /// Another page follows where there are more `rows` than this one may hold: see
    /// [`PageQuery::rows`].
    pub(crate) fn of<R>(
        mut rows: Vec<R>,
        limit: u32,
        cursor: impl Fn(&R) -> String,
        item: impl Fn(R) -> T,
    ) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next_cursor = if more { rows.last().map(cursor) } else { None };
        Self { items: rows.into_iter().map(item).collect(), next_cursor }
    }
    /// Goes on at `rest` where the rows themselves do not say that more follows.
    pub(crate) fn going_on_at(self, rest: Option<String>) -> Self {
        Self { next_cursor: self.next_cursor.or(rest), ..self }
    }
    pub(crate) fn answer(self, uri: &Uri) -> Response {
        let link = self.next_cursor.as_deref().and_then(|cursor| next_link(uri, cursor));
        let mut response = Json(self).into_response();
        if let Some(link) = link {
            response.headers_mut().insert(header::LINK, link);
        }
        response
    }
}

/// The same address with another cursor. Cursors are ids and numbers: they need no encoding.
fn next_link(uri: &Uri, cursor: &str) -> Option<HeaderValue> {
    let pairs = uri.query().unwrap_or_default().split('&');
    let mut query: Vec<&str> =
        pairs.filter(|pair| !pair.is_empty() && !pair.starts_with("cursor=")).collect();
    let cursor = format!("cursor={cursor}");
    query.push(&cursor);
    HeaderValue::from_str(&format!("<{}?{}>; rel=\"next\"", uri.path(), query.join("&"))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_with_more_behind_it_links_to_the_next_and_keeps_the_filters() {
        let page = Page::of(vec![9_u32, 8, 7], 2, u32::to_string, |row| row);
        assert_eq!(page.next_cursor.as_deref(), Some("8"));
        let uri = Uri::from_static("/api/v2/approvals?state=pending&cursor=11&limit=2");
        let response = page.answer(&uri);
        let link = response.headers().get(header::LINK).and_then(|v| v.to_str().ok());
        let next = "</api/v2/approvals?state=pending&limit=2&cursor=8>; rel=\"next\"";
        assert_eq!(link, Some(next));
        for rows in [vec![7_u32], vec![7, 6]] {
            let last = Page::of(rows, 2, u32::to_string, |row| row);
            assert!(last.next_cursor.is_none(), "also where it is full");
            assert!(last.answer(&uri).headers().get(header::LINK).is_none());
        }
    }

    #[test]
    fn limits_and_cursors_are_checked() {
        let page =
            |limit, cursor: Option<&str>| PageQuery { limit, cursor: cursor.map(Into::into) };
        assert_eq!(page(None, None).limit().ok(), Some(PAGE_ROWS_DEFAULT));
        assert!(page(Some(0), None).limit().is_err());
        assert!(page(Some(101), None).limit().is_err());
        assert!(page(None, Some("x")).after::<u64>().is_err());
        assert_eq!(page(None, Some("4")).after::<u64>().ok(), Some(Some(4)));
    }
}
