//! What a call of a registered system needs beside its permit: handed over for one step, by value.

use std::sync::Arc;
use wiiiv_domain::System;
use wiiiv_net::{Origin, Url};
use wiiiv_vault::Credential;

/// INVARIANT: used for a step that names this very system and stands at its origin, and for
/// nothing else.
#[derive(Debug, Clone)]
pub struct SystemAccess {
    pub system: Arc<System>,
    /// `None`: nobody has set one.
    pub credential: Option<Credential>,
    /// A newer credential never meets a token of an older one.
    pub credential_revision: u64,
}

impl SystemAccess {
    /// Both read by the same parser: no spelling of another place passes for this one.
    pub(crate) fn is_at(&self, url: &Url) -> bool {
        let own = Origin::parse(&self.system.base_url.origin());
        own.is_ok_and(|own| Origin::of(url).is_ok_and(|origin| origin == own))
    }
}

/// What came of trying a system out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionReport {
    pub ok: bool,
    /// `OK`, or why not: a code of a step's failure.
    pub code: String,
    /// Of the last answer, where there was one.
    pub status: Option<u16>,
    /// A credential was taken: exchanged for a token, or not turned away.
    pub logged_in: bool,
}
