//! Shared inputs of all commands.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Output, Tone};
use crate::texts::{ChatTexts, Texts, fill};
use serde::Serialize;
use serde_json::Value;
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
    /// Texts in a conversation's own language, where no other was chosen.
    pub fn texts_in(&self, language: Lang) -> Cow<'_, Texts> {
        let language = self.chosen_language.unwrap_or(language);
        let other = (language != self.language).then(|| Texts::of(language).ok()).flatten();
        other.map_or(Cow::Borrowed(&self.texts), Cow::Owned)
    }

    /// What a conversation says in it.
    pub fn chat_in(&self, language: Lang) -> Cow<'_, ChatTexts> {
        match self.texts_in(language) {
            Cow::Borrowed(texts) => Cow::Borrowed(&texts.chat),
            Cow::Owned(texts) => Cow::Owned(texts.chat),
        }
    }

    /// A line for people, with values in it.
    pub fn say(&self, template: &str, values: &[(&str, &str)]) -> Result<(), Failure> {
        self.output.line(&fill(template, values))
    }

    /// The same in the colour of a warning.
    pub fn warn(&self, template: &str, values: &[(&str, &str)]) -> Result<(), Failure> {
        self.output.line(&self.output.toned(Tone::Doubtful, &fill(template, values)))
    }

    /// What was done: the answer for programs, a sentence for people.
    pub fn done(
        &self,
        answer: &impl Serialize,
        template: &str,
        values: &[(&str, &str)],
    ) -> Result<Exit, Failure> {
        self.output.document(answer)?;
        self.say(template, values)?;
        Ok(Exit::Done)
    }

    /// A list: the rows for programs, a table for people; where there is none, that.
    pub fn list<const N: usize>(
        &self,
        rows: &[Value],
        heads: [&String; N],
        cells: impl Fn(&Value) -> [String; N],
    ) -> Result<Exit, Failure> {
        self.output.document(&rows)?;
        if rows.is_empty() {
            self.output.line(&self.texts.list.none)?;
            return Ok(Exit::Done);
        }
        self.table(rows, heads, cells)
    }

    /// One line a row, and the heads above them even where there is none.
    pub fn table<const N: usize>(
        &self,
        rows: &[Value],
        heads: [&String; N],
        cells: impl Fn(&Value) -> [String; N],
    ) -> Result<Exit, Failure> {
        let rows: Vec<_> = rows.iter().map(cells).collect();
        self.output.table(heads.map(String::as_str), &rows)?;
        Ok(Exit::Done)
    }
}
