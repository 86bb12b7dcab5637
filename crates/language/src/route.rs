//! A call that is dictated beside the name of a system: `skymall GET /orders/5006`.

use crate::token::{Token, TokenKind};
use wiiiv_domain::HttpMethod;

pub(crate) struct Route {
    pub(crate) method: HttpMethod,
    /// Under the system's base address.
    pub(crate) path: String,
}

impl Route {
    /// As the slot `operation` has it.
    pub(crate) fn written(&self) -> String {
        format!("{} {}", self.method.as_str(), self.path)
    }
}

/// With the place of its method, the path behind it; `None` where several are dictated, or where
/// something is written into one with the path that is not read here, such as a query.
pub(crate) fn dictated(tokens: &[Token<'_>]) -> Option<(usize, Route)> {
    let mut routes = (0..tokens.len()).filter_map(|at| Some((at, route(tokens, at)?)));
    let first = routes.next()?;
    routes.next().is_none().then_some(first)
}

fn route(tokens: &[Token<'_>], at: usize) -> Option<Route> {
    let method = tokens.get(at).filter(|token| token.is_word())?;
    let method = HttpMethod::parse(method.text)?;
    let path = tokens.get(at + 1).filter(|token| token.is_path() && token.text.starts_with('/'))?;
    let goes_on =
        |next: &Token<'_>| next.attached && next.kind == TokenKind::Mark && next.text == "?";
    let ends = !tokens.get(at + 2).is_some_and(goes_on);
    ends.then(|| Route { method, path: path.text.to_owned() })
}

/// Named as a method, not meant as a verb: in capitals, or one that is no everyday word, or right
/// before the URL.
pub(crate) fn named_method(tokens: &[Token<'_>]) -> Option<HttpMethod> {
    let methods = tokens.iter().enumerate().filter(|(_, token)| token.is_word());
    let mut methods = methods.filter_map(|(at, t)| Some((at, t, HttpMethod::parse(t.text)?)));
    let spoken = |at: usize, method: HttpMethod| {
        let url = tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Url);
        url || matches!(method, HttpMethod::Post | HttpMethod::Patch)
    };
    methods.find_map(|(at, token, method)| {
        (token.text == method.as_str() || spoken(at, method)).then_some(method)
    })
}
