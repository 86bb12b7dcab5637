//! Access to a registered system, given to one step by value, beside its permit.

use percent_encoding::percent_decode_str;
use std::{borrow::Cow, sync::Arc};
use wiiiv_domain::{HttpMethod, RequestTarget, System};
use wiiiv_net::{Origin, Url};
use wiiiv_vault::Credential;

/// INVARIANT: used for a step that names this very system and stands at its origin, and for
/// nothing else.
#[derive(Debug, Clone)]
pub struct SystemAccess {
    pub system: Arc<System>,
    /// Of the registration and its credential together.
    pub revision: u64,
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

    /// Whether the credential may go along with a request to this URL, as it will be sent: at the
    /// system's origin, to a registered operation unless the registration says otherwise.
    pub(crate) fn lets_credential_go(&self, method: HttpMethod, url: &Url) -> bool {
        let Some(segments) = decoded(url) else { return false };
        let segments: Vec<_> = segments.iter().map(|segment| Some(segment.as_ref())).collect();
        let pairs: Vec<_> = url.query_pairs().collect();
        let query: Vec<_> = pairs.iter().map(|(name, _)| name.as_ref()).collect();
        let target = RequestTarget { method, segments: &segments, query: &query };
        self.is_at(url) && self.system.lets_credential_go(&target)
    }
}

/// The root has no segment; `None`: one of them is no text.
fn decoded(url: &Url) -> Option<Vec<Cow<'_, str>>> {
    let segments =
        url.path_segments()?.map(|segment| percent_decode_str(segment).decode_utf8().ok());
    let segments: Vec<_> = segments.collect::<Option<_>>()?;
    let is_root = matches!(segments.as_slice(), [only] if only.is_empty());
    Some(if is_root { Vec::new() } else { segments })
}

/// What came of trying a system out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionReport {
    pub ok: bool,
    /// `OK`, or why not: a code of a step's failure.
    pub code: String,
    /// Of the last answer, where there was one.
    pub status: Option<u16>,
    /// The other origin that a redirect pointed to.
    pub redirected_to: Option<String>,
    /// A credential was taken: exchanged for a token, or not turned away.
    pub logged_in: bool,
}
