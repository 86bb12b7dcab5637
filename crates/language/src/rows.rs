//! What the fields of a system's rows are called, as its operation has registered them.

use crate::{character::is_hangul, lexicon::Lexicon, morph, systems::Named, token::Token};

/// Words for fields, in lower case, and the fields.
#[derive(Default)]
pub(crate) struct Rows {
    words: Vec<(String, String)>,
}

impl Rows {
    pub(crate) fn of(named: &Named<'_>) -> Self {
        let mut words = Vec::new();
        for field in named.fields() {
            let labels = field.labels.iter().chain([&field.name]);
            words.extend(labels.map(|label| (label.to_lowercase(), field.name.clone())));
        }
        Self { words }
    }

    /// The field that this word names, registered or plain JSON.
    pub(crate) fn field<'a>(&'a self, lexicon: &Lexicon, token: &'a Token<'_>) -> Option<&'a str> {
        self.registered(lexicon, token).or_else(|| token.identifier())
    }

    pub(crate) fn registered(&self, lexicon: &Lexicon, token: &Token<'_>) -> Option<&str> {
        if !token.is_word() || self.words.is_empty() {
            return None;
        }
        let word = token.text.to_lowercase();
        let fits = |(label, _): &&(String, String)| {
            let after =
                |tail: &str| tail.starts_with(is_hangul) && morph::is_after_name(lexicon, tail);
            word.strip_prefix(label.as_str()).is_some_and(|tail| tail.is_empty() || after(tail))
        };
        let best = self.words.iter().filter(fits).max_by_key(|(label, _)| label.len());
        best.map(|(_, field)| field.as_str())
    }

    /// The field of exactly this label.
    pub(crate) fn labelled(&self, label: &str) -> Option<&str> {
        let found = self.words.iter().find(|(known, _)| known == label);
        found.map(|(_, field)| field.as_str())
    }

    /// The one field that the lexicon's word for a measure (`price`) speaks of.
    pub(crate) fn measure(&self, lexicon: &Lexicon, measure: &str) -> Option<&str> {
        let speaks = |label: &str| lexicon.field_words.get(label).is_some_and(|of| of == measure);
        let found = self.words.iter().find(|(label, _)| speaks(label));
        found.map(|(_, field)| field.as_str())
    }
}
