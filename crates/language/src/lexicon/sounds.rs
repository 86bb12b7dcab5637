//! Forms and endings of a Korean lexicon by how they are heard (`저장헤주새요`).

use crate::{character::is_hangul, concept::Concept, hangul::sound};
use std::collections::{BTreeSet, HashMap, hash_map::Entry};

/// Shorter forms sound like too much else.
const SYLLABLES_MIN: usize = 2;

#[derive(Debug, Clone, Default)]
pub(crate) struct Sounds {
    forms: HashMap<String, BTreeSet<Concept>>,
    endings: BTreeSet<String>,
}

impl Sounds {
    /// What sounds like forms that mean different things means nothing.
    pub(super) fn new<'f>(
        forms: impl Iterator<Item = (&'f String, &'f BTreeSet<Concept>)>,
        endings: &BTreeSet<String>,
    ) -> Self {
        let mut heard: HashMap<String, BTreeSet<Concept>> = HashMap::new();
        let long = |form: &str| form.chars().count() >= SYLLABLES_MIN;
        let korean = forms.filter(|(form, _)| form.chars().all(is_hangul) && long(form));
        for (form, concepts) in korean {
            match heard.entry(sound(form)) {
                Entry::Occupied(mut known) if known.get() != concepts => known.get_mut().clear(),
                Entry::Occupied(_) => {}
                Entry::Vacant(free) => {
                    free.insert(concepts.clone());
                }
            }
        }
        let endings = endings.iter().map(|ending| sound(ending)).collect();
        Self { forms: heard, endings }
    }

    pub(crate) fn form(&self, heard: &str) -> Option<&BTreeSet<Concept>> {
        self.forms.get(heard).filter(|concepts| !concepts.is_empty())
    }
    pub(crate) fn is_ending(&self, heard: &str) -> bool {
        self.endings.contains(heard)
    }
}
