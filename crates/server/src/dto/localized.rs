//! One text in both languages.

use serde::Serialize;
use utoipa::ToSchema;
use wiiiv_hlx::Localized;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LocalizedText {
    pub ko: String,
    pub en: String,
}

impl From<Localized> for LocalizedText {
    fn from(text: Localized) -> Self {
        Self { ko: text.ko, en: text.en }
    }
}
