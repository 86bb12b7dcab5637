//! One utterance, read as far as its words: what all that fills slots asks.

use crate::{
    lexicon::Lexicon,
    reading::Reread,
    rows::Rows,
    select::{self, Selection},
    signs::Signs,
    source::Source,
    systems::Named,
    token::Token,
};
use std::cell::OnceCell;

/// An intent is a line, not a message.
const INTENT_CHARS_MAX: usize = 200;

/// One utterance, read as far as its words.
pub(crate) struct Said<'a, 't> {
    pub(crate) lexicon: &'a Lexicon,
    /// As it is read; the tokens are a part of it.
    pub(crate) text: &'t str,
    pub(crate) source: &'a Source<'a>,
    pub(crate) tokens: &'a [Token<'t>],
    pub(crate) signs: &'a Signs,
    pub(crate) named: &'a Named<'a>,
    pub(crate) rows: &'a Rows,
    /// There is a task that it may change.
    pub(crate) revises: bool,
    /// The file of an earlier run that is pointed to.
    pub(crate) file: Option<&'a str>,
    /// That task writes down an earlier result.
    pub(crate) keeps_earlier: bool,
    /// Reads another text as this was read.
    pub(crate) reread: Reread,
    /// What is said of rows, read when it is first asked for.
    pub(crate) selection: OnceCell<Selection>,
}

impl<'t> Said<'_, 't> {
    /// The same, said of other rows.
    pub(crate) fn with_rows<'b>(&'b self, rows: &'b Rows) -> Said<'b, 't> {
        let Self { lexicon, text, source, reread, tokens, signs, named, revises, file, .. } = *self;
        let (keeps_earlier, selection) = (self.keeps_earlier, OnceCell::new());
        Said {
            lexicon,
            text,
            source,
            tokens,
            signs,
            named,
            rows,
            revises,
            file,
            keeps_earlier,
            reread,
            selection,
        }
    }
    /// A part of what was said, or what is left of it.
    pub(crate) fn with_tokens<'b>(&'b self, tokens: &'b [Token<'t>]) -> Said<'b, 't> {
        Said { tokens, ..self.with_rows(self.rows) }
    }
    pub(crate) fn selection(&self) -> &Selection {
        self.selection.get_or_init(|| select::select(self.lexicon, self.rows, self.tokens))
    }
    /// The text of its tokens.
    pub(crate) fn part(&self) -> &'t str {
        let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last()) else {
            return "";
        };
        self.text.get(first.start..last.end).unwrap_or_default()
    }
    /// Nothing is said before it.
    pub(crate) fn opens(&self) -> bool {
        let start = self.tokens.first().map_or(0, |token| token.start);
        self.text.get(..start).unwrap_or_default().trim().is_empty()
    }
    /// The text up to where its tokens end.
    pub(crate) fn until(&self) -> &'t str {
        self.tokens.last().and_then(|last| self.text.get(..last.end)).unwrap_or_default()
    }
}

/// The utterance on one line.
pub(crate) fn intent(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(INTENT_CHARS_MAX).collect()
}
