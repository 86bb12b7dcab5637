//! An HTTP request as an utterance names it.

use crate::{
    concept::Concept,
    place, route, select,
    signs::Signs,
    token::{Token, TokenKind},
};
use wiiiv_domain::HttpMethod;

/// `None` stands for GET.
pub(crate) fn method(tokens: &[Token<'_>], signs: &Signs) -> Option<HttpMethod> {
    let named = route::named_method(tokens);
    if named.is_some() {
        return named.filter(|method| *method != HttpMethod::Get);
    }
    let reads = signs.says(Concept::Get) || signs.says(Concept::Read);
    if signs.says(Concept::Send) && !reads {
        return Some(HttpMethod::Post);
    }
    let elsewhere = tokens.iter().any(Token::is_path);
    let deletes = signs.verb == Some(Concept::Delete) && !elsewhere;
    deletes.then_some(HttpMethod::Delete)
}

/// JSON as it stands, or the first quoted text that is neither a jq expression nor a path.
pub(crate) fn body<'t>(tokens: &[Token<'t>], path: Option<usize>) -> Option<&'t str> {
    let json = tokens.iter().find(|t| t.kind == TokenKind::Json);
    let taken = select::written(tokens);
    let free = |at: usize| Some(at) != path && Some(at) != taken;
    let quoted = || {
        let quoted = tokens.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Quoted);
        quoted.filter(|(at, _)| free(*at)).map(|(_, token)| token).next()
    };
    json.or_else(quoted).map(|token| token.text)
}

/// The only URL or bare place; `None` where several are named.
pub(crate) fn url<'t>(tokens: &[Token<'t>]) -> Option<&'t str> {
    let urls = || tokens.iter().filter(|t| t.kind == TokenKind::Url).map(|t| t.text);
    let longest = urls().max_by_key(|url| url.len())?;
    // `shop.test 에서 가져와. http://shop.test/products 야`
    let same = |url: &str| url == longest || url.eq_ignore_ascii_case(authority(longest));
    urls().all(same).then_some(longest)
}

pub(crate) fn has_scheme(url: &str) -> bool {
    place::scheme(url).is_some()
}

/// `host[:port]` of a URL.
pub(crate) fn authority(url: &str) -> &str {
    let rest = place::scheme(url).and_then(|length| url.get(length..)).unwrap_or(url);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}
