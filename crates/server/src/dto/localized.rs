//! One text in both languages.

use serde::Serialize;
use utoipa::ToSchema;
use wiiiv_hlx::Localized;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LocalizedText {
    pub ko: String,
    pub en: String,
}

impl LocalizedText {
    /// What is no word of either: a code, a name.
    pub(crate) fn same(text: &str) -> Self {
        Self { ko: text.to_owned(), en: text.to_owned() }
    }
}

impl From<Localized> for LocalizedText {
    fn from(text: Localized) -> Self {
        Self { ko: text.ko, en: text.en }
    }
}
