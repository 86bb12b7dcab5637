//! The compiled word lists and rules.

mod file;
mod rule;

use crate::{concept::Concept, signal::Whole};
use file::{LanguageFile, TasksFile};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wiiiv_domain::Lang;

pub(crate) use rule::{Rule, Sign};

const KO: &str = include_str!("../../../config/lexicons/ko.toml");
const EN: &str = include_str!("../../../config/lexicons/en.toml");
const TASKS: &str = include_str!("../../../config/lexicons/tasks.toml");

/// Longest form that is looked for, in words.
const FORM_WORDS_MAX: usize = 6;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LexiconError {
    #[error("`config/lexicons/{file}` is not as its README has it: {reason}")]
    Format { file: &'static str, reason: String },
    #[error("a rule for `{task}` names `{sign}`: write a concept or an entity of the README")]
    UnknownSign { task: String, sign: String },
    #[error("the form `{form}` has more than `{FORM_WORDS_MAX}` words: shorten it")]
    LongForm { form: String },
}

/// Several words in a row that carry a concept.
#[derive(Debug, Clone)]
pub(crate) struct Phrase {
    /// After the first.
    pub(crate) rest: Vec<String>,
    pub(crate) concept: Concept,
}

#[derive(Debug, Clone)]
pub struct Lexicon {
    forms: HashMap<String, BTreeSet<Concept>>,
    form_chars_max: usize,
    /// By first word, longest first.
    phrases: HashMap<String, Vec<Phrase>>,
    pub(crate) endings: BTreeSet<String>,
    /// Longest first.
    pub(crate) particles: Vec<String>,
    pub(crate) quotes: Vec<String>,
    /// What may stick to a name.
    pub(crate) after_names: BTreeSet<String>,
    pub(crate) wholes: HashMap<String, BTreeSet<Whole>>,
    pub(crate) multipliers: BTreeMap<String, u64>,
    pub(crate) extensions: BTreeSet<String>,
    pub(crate) top_level_domains: BTreeSet<String>,
    pub(crate) rules: Vec<Rule>,
}

impl Lexicon {
    /// The files of `config/lexicons/` as they were at build.
    pub fn embedded() -> Result<Self, LexiconError> {
        Self::parse([(Lang::Ko, KO), (Lang::En, EN)], TASKS)
    }

    fn parse(languages: [(Lang, &str); 2], tasks: &str) -> Result<Self, LexiconError> {
        let tasks: TasksFile = toml::from_str(tasks)
            .map_err(|e| LexiconError::Format { file: "tasks.toml", reason: e.to_string() })?;
        let mut lexicon = Self {
            forms: HashMap::new(),
            form_chars_max: 0,
            phrases: HashMap::new(),
            endings: BTreeSet::new(),
            particles: Vec::new(),
            quotes: Vec::new(),
            after_names: BTreeSet::new(),
            wholes: HashMap::new(),
            multipliers: BTreeMap::new(),
            extensions: tasks.extensions,
            top_level_domains: tasks.top_level_domains,
            rules: tasks.rule.into_iter().map(Rule::compile).collect::<Result<_, _>>()?,
        };
        for (lang, text) in languages {
            let file = match lang {
                Lang::Ko => "ko.toml",
                Lang::En => "en.toml",
            };
            let language: LanguageFile = toml::from_str(text)
                .map_err(|e| LexiconError::Format { file, reason: e.to_string() })?;
            lexicon.add(language)?;
        }
        lexicon.order();
        Ok(lexicon)
    }

    fn add(&mut self, language: LanguageFile) -> Result<(), LexiconError> {
        for (concept, forms) in language.words {
            for form in forms {
                self.add_form(concept, &form)?;
            }
        }
        for (whole, forms) in language.whole {
            for form in forms {
                self.wholes.entry(Whole::key(&form)).or_default().insert(whole);
            }
        }
        self.endings.extend(language.endings);
        self.particles.extend(language.particles);
        self.quotes.extend(language.quotes);
        self.after_names.extend(language.after_names);
        self.multipliers.extend(language.multipliers);
        Ok(())
    }

    fn add_form(&mut self, concept: Concept, form: &str) -> Result<(), LexiconError> {
        let mut words = form.split_whitespace().map(str::to_lowercase);
        let Some(first) = words.next() else { return Ok(()) };
        let rest: Vec<String> = words.collect();
        if rest.len() >= FORM_WORDS_MAX {
            return Err(LexiconError::LongForm { form: form.to_owned() });
        }
        if rest.is_empty() {
            self.form_chars_max = self.form_chars_max.max(first.chars().count());
            self.forms.entry(first).or_default().insert(concept);
        } else {
            self.phrases.entry(first).or_default().push(Phrase { rest, concept });
        }
        Ok(())
    }

    /// INVARIANT: the longer form and the longer particle are tried first.
    fn order(&mut self) {
        for phrases in self.phrases.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.rest.len()));
        }
        self.particles.sort_by_key(|particle| std::cmp::Reverse(particle.len()));
        self.quotes.sort_by_key(|quote| std::cmp::Reverse(quote.len()));
    }

    pub(crate) fn form(&self, word: &str) -> Option<&BTreeSet<Concept>> {
        self.forms.get(word)
    }
    pub(crate) const fn form_chars_max(&self) -> usize {
        self.form_chars_max
    }
    pub(crate) fn phrases(&self, first: &str) -> &[Phrase] {
        self.phrases.get(first).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "endings = []\nparticles = []\nquotes = []\nafter_names = []\n[words]\n[whole]\n[multipliers]";
    const NO_RULES: &str = "extensions = []\ntop_level_domains = []\nrule = []";

    #[test]
    fn what_is_embedded_compiles() {
        let lexicon = Lexicon::embedded().unwrap();
        assert!(lexicon.form("저장").is_some_and(|c| c.contains(&Concept::Save)));
        assert_eq!(lexicon.phrases("less").len(), 2);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let typo = BARE.replace("[words]", "[words]\nraed = []");
        let refused = Lexicon::parse([(Lang::Ko, &typo), (Lang::En, BARE)], NO_RULES);
        assert!(matches!(refused, Err(LexiconError::Format { file: "ko.toml", .. })));
        let rule = "\n[[rule]]\ntask = \"COMMAND\"\nall = [\"run|shout\"]\nconfidence = 1.0";
        let rules = NO_RULES.replace("\nrule = []", rule);
        let refused = Lexicon::parse([(Lang::Ko, BARE), (Lang::En, BARE)], &rules);
        assert!(matches!(refused, Err(LexiconError::UnknownSign { sign, .. }) if sign == "shout"));
    }
}
