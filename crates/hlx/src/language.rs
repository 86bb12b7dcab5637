//! The two languages of texts.

use serde::Serialize;
pub use wiiiv_domain::Lang;

/// One text in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Localized {
    pub ko: String,
    pub en: String,
}

impl Localized {
    /// The same text written once for each language.
    pub fn of(mut write: impl FnMut(Lang) -> String) -> Self {
        Self { ko: write(Lang::Ko), en: write(Lang::En) }
    }
}
