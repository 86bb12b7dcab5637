//! A token in a request: a browser's is valid only as a cookie, a program's only as a bearer token.

use crate::account::{token_kind::TokenKind, token_text::page_hash_of};
use std::fmt;

#[derive(Clone, Copy)]
pub enum Presented<'a> {
    Bearer(&'a str),
    Cookie { token: &'a str, page_key: &'a str },
}

impl fmt::Debug for Presented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bearer(_) => "Bearer(hidden)",
            Self::Cookie { .. } => "Cookie(hidden)",
        })
    }
}

impl<'a> From<&'a str> for Presented<'a> {
    fn from(text: &'a str) -> Self {
        Self::Bearer(text)
    }
}

impl<'a> From<&'a String> for Presented<'a> {
    fn from(text: &'a String) -> Self {
        Self::Bearer(text)
    }
}

impl<'a> Presented<'a> {
    pub(crate) const fn token(self) -> &'a str {
        match self {
            Self::Bearer(token) | Self::Cookie { token, .. } => token,
        }
    }

    /// Whether a token of this kind is shown so.
    pub(crate) fn fits(self, kind: TokenKind, page_sha256: Option<&[u8]>) -> bool {
        match (self, kind) {
            (Self::Bearer(_), TokenKind::Client | TokenKind::Token) => true,
            (Self::Cookie { page_key, .. }, TokenKind::Login) => {
                let given = page_hash_of(page_key);
                given.is_some() && given.as_deref() == page_sha256
            }
            (Self::Bearer(_), TokenKind::Login)
            | (Self::Cookie { .. }, TokenKind::Client | TokenKind::Token) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Presented;
    use crate::account::{token_kind::TokenKind, token_text::page_hash_of};

    #[test]
    fn each_kind_of_token_is_shown_in_one_way() {
        let hash = page_hash_of("wiiivp_key");
        let cookie = |page_key| Presented::Cookie { token: "wiiiv_t", page_key };
        for (shown, kind, due) in [
            (Presented::Bearer("wiiiv_t"), TokenKind::Token, true),
            (Presented::Bearer("wiiiv_t"), TokenKind::Client, true),
            (Presented::Bearer("wiiiv_t"), TokenKind::Login, false),
            (cookie("wiiivp_key"), TokenKind::Login, true),
            (cookie("wiiivp_other"), TokenKind::Login, false),
            (cookie(""), TokenKind::Login, false),
            (cookie("wiiivp_key"), TokenKind::Token, false),
            (cookie("wiiivp_key"), TokenKind::Client, false),
        ] {
            assert_eq!(shown.fits(kind, hash.as_deref()), due, "{kind:?}");
        }
        let nothing = cookie("no key at all");
        assert!(!nothing.fits(TokenKind::Login, None), "an older log-in has no page key");
    }
}
