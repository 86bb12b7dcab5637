//! One text in both languages.

use serde::Serialize;
use utoipa::ToSchema;
use wiiiv_domain::Lang;
use wiiiv_hlx::Localized;
use wiiiv_messages::Messages;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LocalizedText {
    pub ko: String,
    pub en: String,
}

impl LocalizedText {
    /// What a code of that family means; of one that this build has no words for, the code.
    pub(crate) fn meaning(messages: &Messages, family: &str, code: &str) -> Self {
        let key = format!("{family}.{code}");
        let of = |lang| messages.find(lang, &key).unwrap_or(code).to_owned();
        Self { ko: of(Lang::Ko), en: of(Lang::En) }
    }
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
