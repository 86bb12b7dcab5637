//! Files to word lists.

use super::{
    Lexicon, Phrase, conjugation,
    error::{FORM_WORDS_MAX, LexiconError},
    file::{LanguageFile, TasksFile},
    inflection::Inflection,
    rule::Rule,
    sounds::Sounds,
};
use crate::{character::is_hangul, concept::Concept, hangul::sound, signal::Whole};
use std::collections::BTreeSet;

include!(concat!(env!("OUT_DIR"), "/languages.rs"));
const TASKS: &str = include_str!("../../../../config/lexicons/tasks.toml");
/// Behind a form of a whole utterance: endings may follow it.
const OPEN: char = '~';

fn compile<'f>(
    languages: impl IntoIterator<Item = (&'f str, &'f str)>,
    tasks: &str,
) -> Result<Lexicon, LexiconError> {
    let tasks: TasksFile = read("tasks.toml", tasks)?;
    let technology = |name: String| (name.to_lowercase(), name);
    let mut lexicon = Lexicon {
        extensions: &tasks.extensions | &tasks.code_extensions,
        code_extensions: tasks.code_extensions,
        text_extensions: tasks.text_extensions,
        top_level_domains: tasks.top_level_domains,
        file_names: tasks.file_names,
        programs: tasks.programs,
        technologies: tasks.technologies.into_iter().map(technology).collect(),
        rules: tasks.rule.into_iter().map(Rule::compile).collect::<Result<_, _>>()?,
        ..Lexicon::default()
    };
    for (file, text) in languages {
        lexicon.add(read(file, text)?)?;
    }
    lexicon.order();
    lexicon.hear();
    Ok(lexicon)
}

fn read<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, LexiconError> {
    let refused =
        |e: toml::de::Error| LexiconError::Format { file: file.to_owned(), reason: e.to_string() };
    toml::from_str(text).map_err(refused)
}

impl Lexicon {
    /// The files of `config/lexicons/` as they were at build.
    pub fn embedded() -> Result<Self, LexiconError> {
        compile(LANGUAGES.iter().copied(), TASKS)
    }

    fn add(&mut self, language: LanguageFile) -> Result<(), LexiconError> {
        for (concept, forms) in language.words {
            for form in forms {
                self.add_form(concept, &form)?;
            }
        }
        for (whole, forms) in language.whole {
            for form in forms {
                let open = form.ends_with(OPEN);
                let key = Whole::key(form.trim_end_matches(OPEN));
                let wholes = if open { &mut self.bare.open } else { &mut self.bare.closed };
                wholes.entry(key).or_default().insert(whole);
            }
        }
        for verb in &language.consent {
            self.add_consent(verb, &language.consenting);
        }
        for line in &language.inflections {
            self.inflections.push(Inflection::parse(line)?);
        }
        for (field, words) in language.fields {
            self.field_words.extend(words.into_iter().map(|word| (word, field.clone())));
        }
        for (part, forms) in language.parts {
            self.parts.add(part, forms);
        }
        self.known.extend(language.known);
        self.endings.extend(language.endings);
        self.attributive.extend(language.attributive);
        self.connectives.extend(language.connectives);
        self.conditional.extend(language.conditional);
        self.naming.extend(language.naming);
        self.indefinite.extend(language.indefinite);
        self.objects.extend(language.objects);
        self.only.extend(language.only);
        self.requests.extend(language.requests);
        self.wondering.extend(language.wondering.iter().map(|mark| wondering(mark)));
        self.tags.extend(language.tags);
        self.telling.extend(language.telling);
        self.subjects.extend(language.subjects);
        self.explaining.extend(language.explaining);
        self.reasons.extend(language.reasons);
        self.repeating.extend(language.repeating);
        self.stating.extend(language.stating);
        self.noting.extend(language.noting);
        self.pasts.extend(language.pasts);
        self.reporting.extend(language.reporting);
        self.hesitations.extend(language.hesitations);
        self.particles.extend(language.particles);
        self.quotes.extend(language.quotes);
        let heard = language.after_names.iter().map(|particle| sound(particle));
        self.after_names.extend(heard.collect::<Vec<_>>());
        self.after_names.extend(language.after_names);
        self.multipliers.extend(language.multipliers);
        self.marks.extend(language.marks);
        self.digits.extend(language.digits);
        self.numbers.extend(language.numbers);
        self.ordinals.extend(language.ordinals);
        self.everything.extend(language.everything);
        Ok(())
    }

    fn add_form(&mut self, concept: Concept, form: &str) -> Result<(), LexiconError> {
        let words: Vec<String> = form.split_whitespace().map(str::to_lowercase).collect();
        if words.len() > FORM_WORDS_MAX {
            return Err(LexiconError::LongForm { form: form.to_owned() });
        }
        match words.as_slice() {
            [] => {}
            [word] => self.add_word(concept, word),
            [first, rest @ ..] => {
                self.add_phrase(concept, first, rest);
                // Spaces are left out as often as not.
                if form.starts_with(is_hangul) {
                    self.add_word(concept, &words.concat());
                }
            }
        }
        Ok(())
    }

    fn add_word(&mut self, concept: Concept, word: &str) {
        let bases = if word.starts_with(is_hangul) { conjugation::bases(word) } else { None };
        if bases.is_none() {
            self.listed.insert(word.to_owned());
        }
        for form in bases.unwrap_or_else(|| vec![word.to_owned()]) {
            self.form_chars_max = self.form_chars_max.max(form.chars().count());
            self.typos.add(&form);
            self.forms.entry(form).or_default().insert(concept);
        }
    }

    /// `저장하다` in `네 저장해 주세요`, `save` in `yes, save it`.
    fn add_consent(&mut self, verb: &str, endings: &[String]) {
        let forms = conjugation::bases(verb).unwrap_or_else(|| vec![verb.to_owned()]);
        let asked = forms.iter().find_map(|form| self.form(form)).cloned().unwrap_or_default();
        for said in endings.iter().filter_map(|ending| conjugation::asked(verb, ending)) {
            self.consents.entry(Whole::key(&said)).or_default().extend(asked.iter().copied());
        }
    }

    fn add_phrase(&mut self, concept: Concept, first: &str, rest: &[String]) {
        let phrases = self.phrases.entry(first.to_owned()).or_default();
        match phrases.iter_mut().find(|phrase| phrase.rest == rest) {
            Some(phrase) => {
                phrase.concepts.insert(concept);
            }
            None => {
                phrases.push(Phrase { rest: rest.to_vec(), concepts: BTreeSet::from([concept]) })
            }
        }
    }

    /// What was read, by how it is heard.
    fn hear(&mut self) {
        self.sounds = Sounds::new(self.forms.iter(), &self.endings);
        self.bare.endings.clone_from(&self.endings);
        self.bare_heard = self.bare.heard();
        for (said, asked) in &self.consents {
            self.consents_heard.entry(sound(said)).or_default().extend(asked);
        }
    }

    /// INVARIANT: the longer form and the longer particle are tried first.
    fn order(&mut self) {
        for phrases in self.phrases.values_mut() {
            let length = |phrase: &Phrase| (phrase.rest.len(), phrase.rest.concat().len());
            phrases.sort_by_key(|phrase| std::cmp::Reverse(length(phrase)));
        }
        self.particles.sort_by_key(|particle| std::cmp::Reverse(particle.len()));
        self.quotes.sort_by_key(|quote| std::cmp::Reverse(quote.len()));
        self.technologies.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    }
}

/// Words stand alone; a Korean ending is a part of one.
fn wondering(mark: &str) -> String {
    if mark.contains(is_hangul) { mark.to_owned() } else { format!(" {mark} ") }
}

#[cfg(test)]
mod tests;
