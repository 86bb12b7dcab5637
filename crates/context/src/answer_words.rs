//! Words that code looks for in answers, from `config/answers.toml`, embedded at build.

use serde::{Deserialize, de::Error as _};
use std::sync::LazyLock;

const FILE: &str = include_str!("../../../config/answers.toml");

/// As they were at build; a test holds that they can be read.
static WORDS: LazyLock<AnswerWords> = LazyLock::new(|| parsed(FILE).unwrap_or_default());

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    refusals: BothLanguages,
    reasons: BothLanguages,
    apologies: BothLanguages,
    languages: BothLanguages,
    claims: BothLanguages,
    words: OneLanguage,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BothLanguages {
    ko: Vec<String>,
    en: Vec<String>,
}

impl BothLanguages {
    fn all(self) -> Vec<String> {
        [self.ko, self.en].concat()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneLanguage {
    english: Vec<String>,
    extensions: Vec<String>,
}

/// In lower case, with straight apostrophes.
#[derive(Debug, Default)]
pub struct AnswerWords {
    /// An answer that says so refuses.
    pub refusals: Vec<String>,
    /// Why it refuses.
    pub reasons: Vec<String>,
    /// Whole sentences that say nothing else.
    pub apologies: Vec<String>,
    /// In a message: of a language that the answer may be wanted in.
    pub languages: Vec<String>,
    /// What was done with a file.
    pub claims: Vec<String>,
    /// Whole words of English sentences.
    pub english: Vec<String>,
    /// Of files.
    pub extensions: Vec<String>,
}

impl AnswerWords {
    fn lists(&self) -> [&Vec<String>; 7] {
        let Self { refusals, reasons, apologies, languages, claims, english, extensions } = self;
        [refusals, reasons, apologies, languages, claims, english, extensions]
    }

    /// An answer is looked through as it is written here: a word in capitals would never be found, an empty one always.
    fn checked(self) -> Result<Self, String> {
        let is_word = |word: &String| {
            !word.trim().is_empty() && *word == word.to_lowercase() && !word.contains('’')
        };
        let odd = self.lists().into_iter().flatten().find(|word| !is_word(word));
        if let Some(odd) = odd {
            return Err(format!("`{odd}` is no word in lower case with straight apostrophes"));
        }
        if self.lists().into_iter().any(Vec::is_empty) {
            return Err("a list has no word".to_owned());
        }
        Ok(self)
    }
}

/// An error of a field names its line.
fn parsed(text: &str) -> Result<AnswerWords, toml::de::Error> {
    let File { refusals, reasons, apologies, languages, claims, words } = toml::from_str(text)?;
    let words = AnswerWords {
        refusals: refusals.all(),
        reasons: reasons.all(),
        apologies: apologies.all(),
        languages: languages.all(),
        claims: claims.all(),
        english: words.english,
        extensions: words.extensions,
    };
    words.checked().map_err(toml::de::Error::custom)
}

/// As they were at build.
#[must_use]
pub fn answer_words() -> &'static AnswerWords {
    &WORDS
}

#[cfg(test)]
mod tests {
    use super::{FILE, answer_words, parsed};

    #[test]
    fn the_file_is_read() {
        assert!(parsed(FILE).is_ok(), "{:?}", parsed(FILE));
        assert!(answer_words().lists().iter().all(|list| !list.is_empty()));
    }

    #[test]
    fn what_would_never_or_always_be_found_and_what_is_no_field_is_refused() {
        for (odd, told) in [
            (FILE.replacen("\"sorry\"", "\"Sorry\"", 1), "`Sorry`"),
            (FILE.replacen("\"i'm sorry\"", "\"i’m sorry\"", 1), "straight apostrophes"),
            (FILE.replacen("\"sorry\"", "\"\"", 1), "`` is no word"),
            (FILE.replacen("[claims]", "[claim]", 1), "line "),
            (FILE.replacen("english = ", "french = ", 1), "french"),
        ] {
            let error = parsed(&odd).unwrap_err().to_string();
            assert!(error.contains(told), "{told}: {error}");
        }
    }
}
