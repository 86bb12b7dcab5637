//! Source of the next master key during rotation; `main` supplies it.

use std::{fmt, sync::Arc};
use wiiiv_vault::MasterKey;

type Look = dyn Fn() -> Result<Option<MasterKey>, String> + Send + Sync;

/// Looks for it each time anew: it may be brought while the server runs.
#[derive(Clone)]
pub struct NextKey(Arc<Look>);

impl NextKey {
    /// `Ok(None)`: there is none. An error says what to do about one that cannot be used, and
    /// nothing of the key.
    pub fn new(
        look: impl Fn() -> Result<Option<MasterKey>, String> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(look))
    }
    pub(crate) fn look(&self) -> Result<Option<MasterKey>, String> {
        (self.0)()
    }
}

impl fmt::Debug for NextKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NextKey(..)")
    }
}
