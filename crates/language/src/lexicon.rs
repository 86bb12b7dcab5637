//! The compiled word lists and rules.

mod compile;
mod conjugation;
mod error;
mod file;
mod inflection;
mod rule;
mod sounds;
mod typo;

use crate::{concept::Concept, part::PartWords, signal::Forms};
use inflection::Inflection;
use sounds::Sounds;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use typo::Typos;

pub use error::LexiconError;
pub(crate) use rule::{Rule, Sign};

/// Several words in a row that carry a meaning.
#[derive(Debug, Clone)]
pub(crate) struct Phrase {
    /// After the first.
    pub(crate) rest: Vec<String>,
    pub(crate) concepts: BTreeSet<Concept>,
}

#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    forms: HashMap<String, BTreeSet<Concept>>,
    /// Forms that stand in a file, and are not made by a rule.
    listed: BTreeSet<String>,
    form_chars_max: usize,
    /// By first word, longest first.
    phrases: HashMap<String, Vec<Phrase>>,
    inflections: Vec<Inflection>,
    typos: Typos,
    pub(crate) sounds: Sounds,
    known: BTreeSet<String>,
    /// Particles, endings and other small words.
    pub(crate) parts: PartWords,
    pub(crate) endings: BTreeSet<String>,
    pub(crate) attributive: Vec<String>,
    pub(crate) connectives: Vec<String>,
    /// What a Korean condition ends in: `지났으면`.
    pub(crate) conditional: Vec<String>,
    /// Particles of what is all that is wanted.
    pub(crate) only: Vec<String>,
    pub(crate) requests: Vec<String>,
    /// What makes a question about an act of it: `should i`, `도돼`.
    pub(crate) wondering: Vec<String>,
    /// What makes a question of a statement: `맞지`.
    pub(crate) tags: Vec<String>,
    /// Opens what only describes a text: `a haiku`.
    pub(crate) indefinite: BTreeSet<String>,
    /// Stands before a name: `called`.
    pub(crate) naming: Vec<String>,
    /// Particles of what something is done to.
    pub(crate) objects: Vec<String>,
    /// Longest first.
    pub(crate) particles: Vec<String>,
    pub(crate) quotes: Vec<String>,
    /// What may stick to a name.
    pub(crate) after_names: BTreeSet<String>,
    /// What the past of a verb ends in where it only tells: `지웠대`.
    pub(crate) telling: Vec<String>,
    /// Who did something.
    pub(crate) subjects: BTreeSet<String>,
    /// Opens what only explains an order: `because`.
    pub(crate) explaining: BTreeSet<String>,
    /// Of that, what does so behind `and` too.
    pub(crate) reasons: BTreeSet<String>,
    /// Asks to hear it once more: `again`.
    pub(crate) repeating: BTreeSet<String>,
    /// Makes a statement of what it stands in: `it is old`.
    pub(crate) stating: BTreeSet<String>,
    /// Heads what is noted, before a colon: `todo`.
    pub(crate) noting: BTreeSet<String>,
    /// Irregular past forms.
    pub(crate) pasts: BTreeSet<String>,
    /// Who will do something or wants it done, and does not ask for it: `he'd`, `라고했~`.
    pub(crate) reporting: Vec<String>,
    /// May stand before a whole utterance: `어`, `um`.
    pub(crate) hesitations: BTreeSet<String>,
    /// What whole utterances are made of, as written and as heard.
    pub(crate) bare: Forms,
    pub(crate) bare_heard: Forms,
    /// What a yes may repeat, with what it asks for; as written and as heard.
    pub(crate) consents: HashMap<String, BTreeSet<Concept>>,
    pub(crate) consents_heard: HashMap<String, BTreeSet<Concept>>,
    pub(crate) multipliers: BTreeMap<String, u64>,
    /// Names of punctuation marks.
    pub(crate) marks: BTreeMap<String, String>,
    /// What a number in letters is made of, before a multiplier: `삼` of `삼만`.
    pub(crate) digits: BTreeMap<String, u64>,
    pub(crate) numbers: BTreeMap<String, u64>,
    /// 0 is the last.
    pub(crate) ordinals: BTreeMap<String, u64>,
    /// What makes a cancel one of all tasks.
    pub(crate) everything: BTreeSet<String>,
    /// What people call a field: the word, the field.
    pub(crate) field_words: BTreeMap<String, String>,
    /// Files that are called so without an extension.
    pub(crate) file_names: BTreeSet<String>,
    pub(crate) extensions: BTreeSet<String>,
    pub(crate) code_extensions: BTreeSet<String>,
    pub(crate) text_extensions: BTreeSet<String>,
    pub(crate) top_level_domains: BTreeSet<String>,
    pub(crate) programs: BTreeSet<String>,
    /// In lower case, as the file has them.
    pub(crate) technologies: Vec<(String, String)>,
    pub(crate) rules: Vec<Rule>,
}

impl Lexicon {
    pub(crate) fn form(&self, word: &str) -> Option<&BTreeSet<Concept>> {
        self.forms.get(word)
    }
    pub(crate) fn is_listed(&self, word: &str) -> bool {
        self.listed.contains(word)
    }
    /// The forms that this regular form may be of.
    pub(crate) fn lemmas(&self, word: &str) -> impl Iterator<Item = String> {
        self.inflections.iter().filter_map(move |inflection| inflection.lemma(word))
    }
    /// One letter from a form, and another word.
    pub(crate) fn is_known(&self, word: &str) -> bool {
        self.known.contains(word)
    }
    /// The form that this is a slip of.
    pub(crate) fn meant(&self, word: &str) -> Option<&str> {
        if self.known.contains(word) { None } else { self.typos.meant(word) }
    }
    /// In lower case.
    pub(crate) fn is_technology(&self, name: &str) -> bool {
        self.technologies.iter().any(|(known, _)| known == name)
    }
    /// `느낌표`, `exclamation`: a word of the name of a punctuation mark, with an ending.
    pub(crate) fn is_mark_name(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.marks.keys().any(|name| {
            name.split_whitespace().any(|own| own == word)
                || word.strip_prefix(name.as_str()).is_some_and(|rest| rest.chars().count() < 2)
        })
    }
    /// It asks for something: `해줘`, `could you`.
    pub(crate) fn requests_in(&self, text: &str) -> bool {
        self.requests.iter().any(|request| text.contains(request.as_str()))
    }
    /// It is all that is wanted: `이름만`.
    pub(crate) fn ends_in_only(&self, text: &str) -> bool {
        self.only.iter().any(|only| text.ends_with(only.as_str()))
    }
    /// It goes on behind this: `읽고`.
    pub(crate) fn goes_on(&self, text: &str) -> bool {
        self.connectives.iter().any(|end| text.ends_with(end.as_str()))
    }
    /// It quotes what stands before it: `라고`.
    pub(crate) fn quotes_before(&self, text: &str) -> bool {
        self.quotes.iter().any(|quote| text.ends_with(quote.as_str()))
    }
    /// It stands before a name: `called`.
    pub(crate) fn is_naming(&self, word: &str) -> bool {
        self.naming.iter().any(|naming| word.eq_ignore_ascii_case(naming))
    }
    /// `say again`, `say please`: asks to hear it once more.
    pub(crate) fn is_repeating(&self, word: &str) -> bool {
        self.repeating.contains(&word.to_lowercase())
    }
    pub(crate) const fn form_chars_max(&self) -> usize {
        self.form_chars_max
    }
    pub(crate) fn phrases(&self, first: &str) -> &[Phrase] {
        self.phrases.get(first).map_or(&[], Vec::as_slice)
    }
}
