//! What the fields of a system's rows are called, as its operation has registered them.

use crate::{
    character::is_hangul,
    hangul::sound,
    lexicon::Lexicon,
    morph,
    part::Part,
    query::{Query, text},
    reading::Situation,
    token::Token,
};
use wiiiv_domain::{Field, FieldValue, Operation, Scalar, SlotName, Slots, System};

/// What people call a field by, as `[fields]` of a lexicon has it.
pub(crate) const PRICE: &str = "price";
pub(crate) const QUANTITY: &str = "quantity";
pub(crate) const DATE: &str = "date";
pub(crate) const DURATION: &str = "duration";
const MEASURES: [&str; 2] = [PRICE, QUANTITY];
/// What a field's name and its labels end in that holds the number of a row of another list.
pub(crate) const KEY: &str = "_id";
const STATE_PREFIXES: [&str; 2] = ["is_", "has_"];

/// A value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Called {
    /// In lower case.
    pub(crate) label: String,
    pub(crate) field: String,
    /// As JSON has it.
    pub(crate) value: String,
}

/// Words for fields, in lower case, and the fields.
#[derive(Default)]
pub(crate) struct Rows {
    words: Vec<(String, String)>,
    /// Each of those words as it is heard; nothing for what is too short.
    heard: Vec<String>,
    /// Those of the fields that are so or are not so.
    states: Vec<(String, String)>,
    /// What people call a value, in lower case, its field, and the value as JSON has it.
    values: Vec<Called>,
    /// Of a task that is being changed: they have their order.
    pub(crate) ordered: bool,
    /// It was asked which rows are meant: a field is its value.
    pub(crate) told: bool,
}

impl Rows {
    /// Of what the last run answered with, as long as they are those of the operation.
    pub(crate) fn ran(lexicon: &Lexicon, situation: &Situation) -> Self {
        let known = situation.ran.get(SlotName::SELECT);
        let changed = known.is_some_and(|known| Query::read(known).is_none_or(|q| q.reshapes()));
        Self::with(lexicon, fields(&situation.systems, &situation.ran).filter(|_| !changed))
    }

    /// Of the task that waits.
    pub(crate) fn active(lexicon: &Lexicon, situation: &Situation) -> Self {
        Self::with(lexicon, fields(&situation.systems, &situation.known))
    }

    /// Of a task that is being changed, or of which it was asked which rows are meant.
    pub(crate) fn awaited(self, ordered: bool, told: bool) -> Self {
        Self { ordered, told, ..self }
    }

    pub(crate) fn with<'f>(lexicon: &Lexicon, fields: impl Iterator<Item = &'f Field>) -> Self {
        let (mut words, mut states, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for field in fields {
            values.extend(field.values.iter().flat_map(|value| called(field, value)));
            let (labels, first) = (field.labels.iter().chain([&field.name]), words.len());
            for label in labels {
                let label = label.to_lowercase();
                // Korean leaves spaces out as often as not.
                let whole = label.contains(' ') && label.starts_with(is_hangul);
                let whole = whole.then(|| label.replace(' ', ""));
                let labels = whole.into_iter().chain([label]);
                words.extend(labels.map(|label| (label, field.name.clone())));
            }
            if is_state(lexicon, field) {
                let own = words.get(first..).unwrap_or_default().to_vec();
                states.extend(own);
            }
        }
        values.dedup();
        let sound = |label: &str| if is_long(label) { sound(label) } else { String::new() };
        let heard = words.iter().map(|(label, _): &(String, String)| sound(label)).collect();
        Self { words, heard, states, values, ordered: false, told: false }
    }

    /// The field that this word names: registered or, where nothing is, plain JSON.
    pub(crate) fn field<'a>(&'a self, lexicon: &Lexicon, token: &'a Token<'_>) -> Option<&'a str> {
        let plain = || token.identifier().filter(|name| !self.lacks(name));
        self.registered(lexicon, token).or_else(plain)
    }

    /// A field is called so, letter for letter.
    pub(crate) fn is_label(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.words.iter().any(|(label, _)| *label == word)
    }
    /// A name of this field begins so.
    pub(crate) fn begins(&self, field: &str, word: &str) -> bool {
        self.words.iter().any(|(label, own)| own == field && label.starts_with(word))
    }
    pub(crate) fn is_unknown(&self) -> bool {
        self.words.is_empty()
    }
    /// The fields are known, and this is none of them.
    pub(crate) fn lacks(&self, name: &str) -> bool {
        !self.words.is_empty() && !self.words.iter().any(|(_, field)| field == name)
    }

    pub(crate) fn registered(&self, lexicon: &Lexicon, token: &Token<'_>) -> Option<&str> {
        if token.is_word() { self.called(lexicon, token.text) } else { None }
    }

    /// The field of the longest label that this begins with, particles behind it.
    pub(crate) fn called(&self, lexicon: &Lexicon, text: &str) -> Option<&str> {
        if self.words.is_empty() {
            return None;
        }
        let text = text.to_lowercase();
        let fits = |text: &str, label: &str| {
            let after =
                |tail: &str| tail.starts_with(is_hangul) && morph::is_after_name(lexicon, tail);
            let plural = |tail: &str| label.is_ascii() && lexicon.parts.is(Part::Plural, tail);
            let ends = |tail: &str| tail.is_empty() || plural(tail) || after(tail);
            text.strip_prefix(label).is_some_and(ends)
        };
        let longest = |fits: &dyn Fn(&str, &str) -> bool| {
            let words = self.words.iter().zip(&self.heard);
            let fitting = words.filter(|((label, _), heard)| fits(label, heard));
            fitting.max_by_key(|((label, _), _)| label.len()).map(|((_, field), _)| field.as_str())
        };
        let said = sound(&text);
        longest(&|label, _| fits(&text, label))
            .or_else(|| longest(&|_, heard| !heard.is_empty() && fits(&said, heard)))
    }

    /// The field of two English words: `lead days`.
    pub(crate) fn of_two(&self, one: &Token<'_>, other: &Token<'_>) -> Option<&str> {
        let plain = one.is_word() && other.is_word() && one.text.is_ascii();
        plain.then(|| self.labelled(&format!("{} {}", one.text, other.text).to_lowercase()))?
    }

    /// The field of this label, as it is written or else as it is heard.
    pub(crate) fn labelled(&self, label: &str) -> Option<&str> {
        let of = |fits: &dyn Fn(&str, &str) -> bool| {
            let found =
                self.words.iter().zip(&self.heard).find(|((known, _), own)| fits(known, own));
            found.map(|((_, field), _)| field.as_str())
        };
        let heard = sound(label);
        of(&|known, _| known == label).or_else(|| of(&|_, own| !own.is_empty() && own == heard))
    }

    /// The field that holds the number of a row of what is called so: `user_id`, `회원번호`.
    pub(crate) fn key(&self, lexicon: &Lexicon, word: &str) -> Option<&str> {
        let word = word.to_lowercase();
        let own = |(label, field): &&(String, String)| {
            let named = field.strip_suffix(KEY).is_some_and(|stem| stem == word);
            let tail = label.strip_prefix(&word).filter(|_| !word.is_empty());
            named || tail.is_some_and(|tail| lexicon.parts.is(Part::Key, tail.trim_start()))
        };
        self.words.iter().find(own).map(|(_, field)| field.as_str())
    }

    /// A row is so or it is not: `available`, `판매 여부`.
    pub(crate) fn is_state(&self, field: &str) -> bool {
        self.states.iter().any(|(_, of)| of == field)
    }

    /// The field of the only measure that they have.
    pub(crate) fn only_measure(&self, lexicon: &Lexicon) -> Option<&str> {
        let mut found = MEASURES.into_iter().filter_map(|measure| self.measure(lexicon, measure));
        found.next().filter(|_| found.next().is_none())
    }

    /// What people call by a name.
    pub(crate) fn values(&self) -> &[Called] {
        &self.values
    }

    /// The value of this field that is called so, as JSON has it.
    pub(crate) fn value(&self, field: &str, word: &str) -> Option<&str> {
        let word = word.to_lowercase();
        let own = |called: &&Called| called.field == field && called.label == word;
        self.values.iter().find(own).map(|called| called.value.as_str())
    }

    /// What such fields are called.
    pub(crate) fn states(&self) -> impl Iterator<Item = (&str, &str)> {
        self.states.iter().map(|(label, field)| (label.as_str(), field.as_str()))
    }

    /// The one field that the lexicon's word for a measure (`price`) speaks of.
    pub(crate) fn measure(&self, lexicon: &Lexicon, measure: &str) -> Option<&str> {
        let speaks = |label: &str| lexicon.field_words.get(label).is_some_and(|of| of == measure);
        let found = self.words.iter().find(|(label, _)| speaks(label));
        found.map(|(_, field)| field.as_str())
    }
}

/// By itself and by every label.
fn called(field: &Field, named: &FieldValue) -> Vec<Called> {
    let (value, own) = match &named.value {
        Scalar::Bool(value) => (value.to_string(), None),
        Scalar::Number(value) => (value.to_string(), None),
        Scalar::Text(value) => (text(value), Some(value)),
    };
    let labels = named.labels.iter().chain(own).map(|label| label.to_lowercase());
    let field = &field.name;
    labels.map(|label| Called { label, field: field.clone(), value: value.clone() }).collect()
}

/// By its name, or by a label that says so: not `table`.
fn is_state(lexicon: &Lexicon, field: &Field) -> bool {
    let whether = |name: &str| lexicon.parts.stem(Part::Whether, name).is_some();
    whether(&field.name)
        || STATE_PREFIXES.iter().any(|begin| field.name.starts_with(begin))
        || field.labels.iter().any(|label| label.ends_with(is_hangul) && whether(label))
}

/// Shorter labels are read only as they are written.
fn is_long(label: &str) -> bool {
    label.chars().count() > 1
}

/// Of the rows that a known request answers with.
pub(crate) fn fields<'s>(systems: &'s [System], known: &Slots) -> impl Iterator<Item = &'s Field> {
    operation(systems, known).into_iter().flat_map(|operation| &operation.fields)
}

/// That a request names.
pub(crate) fn operation<'s>(systems: &'s [System], known: &Slots) -> Option<&'s Operation> {
    let name = known.get(SlotName::SYSTEM).or_else(|| known.get(SlotName::DOMAIN))?;
    systems.iter().find(|s| s.is_called(name))?.operation(known.get(SlotName::OPERATION)?)
}
