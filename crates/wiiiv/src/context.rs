//! Shared inputs of all commands.

use crate::output::Output;
use crate::texts::{ChatTexts, Texts};
use std::borrow::Cow;
use wiiiv_domain::Lang;

pub struct Context {
    pub output: Output,
    pub texts: Texts,
    pub language: Lang,
    /// `--language`: what nobody need be asked for.
    pub asked_language: Option<Lang>,
    /// `--language`, else what was chosen once: it holds for all that is printed.
    pub chosen_language: Option<Lang>,
    /// `--server`.
    pub server: Option<String>,
}

impl Context {
    /// What a conversation says in its own language, where no other was chosen.
    pub fn chat_in(&self, language: Lang) -> Cow<'_, ChatTexts> {
        let language = self.chosen_language.unwrap_or(language);
        let other = (language != self.language).then(|| Texts::of(language).ok()).flatten();
        other.map_or(Cow::Borrowed(&self.texts.chat), |texts| Cow::Owned(texts.chat))
    }
}
