//! What every command works with.

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
    /// `--server`.
    pub server: Option<String>,
}

impl Context {
    /// What a conversation says in its own language, which need not be that of the program.
    pub fn chat_in(&self, language: Lang) -> Cow<'_, ChatTexts> {
        let other = (language != self.language).then(|| Texts::of(language).ok()).flatten();
        other.map_or(Cow::Borrowed(&self.texts.chat), |texts| Cow::Owned(texts.chat))
    }
}
