//! Texts as lists of words are compared with them: in lower case, signs left out, one space between words.

use serde::Deserialize;

/// Words of both languages, as a file lists them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListedWords {
    ko: Vec<String>,
    en: Vec<String>,
}

impl ListedWords {
    pub(crate) fn sought(self) -> Vec<SoughtWord> {
        self.ko.into_iter().chain(self.en).map(SoughtWord::of).collect()
    }
}

/// A word or several in a row. In English letters it is found as whole words alone; Korean puts endings behind its words.
#[derive(Debug)]
pub(crate) struct SoughtWord(pub(crate) String);

impl SoughtWord {
    pub(crate) fn of(word: String) -> Self {
        Self(if word.is_ascii() { format!(" {word} ") } else { word })
    }
}

#[derive(Debug)]
pub(crate) struct PlainWords(String);

impl PlainWords {
    pub(crate) fn of(text: &str) -> Self {
        let mut plain = String::with_capacity(text.len().saturating_add(2));
        plain.push(' ');
        for c in text.chars().flat_map(char::to_lowercase) {
            if c.is_alphanumeric() {
                plain.push(c);
            } else if !plain.ends_with(' ') {
                plain.push(' ');
            }
        }
        if !plain.ends_with(' ') {
            plain.push(' ');
        }
        Self(plain)
    }

    pub(crate) fn holds(&self, SoughtWord(word): &SoughtWord) -> bool {
        self.0.contains(word.as_str())
    }

    /// Nothing stands beside it.
    pub(crate) fn is(&self, SoughtWord(word): &SoughtWord) -> bool {
        self.0.trim() == word.trim()
    }

    pub(crate) fn without(&self, SoughtWord(word): &SoughtWord) -> Self {
        Self(self.0.replace(word.as_str(), " "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, word: &str) -> bool {
        PlainWords::of(text).holds(&SoughtWord::of(word.to_owned()))
    }

    #[test]
    fn in_english_whole_words_count_and_in_korean_any_place() {
        assert!(holds("Compare A and B!", "compare") && holds("don't", "don t"));
        assert!(!holds("incomparable", "compare") && !holds("canvas", "vs"));
        assert!(holds("둘을 비교해 줘", "비교") && holds("다른  점은?", "다른 점"));
        assert!(PlainWords::of(" 고마워요! ").is(&SoughtWord::of("고마워요".to_owned())));
        assert!(!PlainWords::of("Hello there").is(&SoughtWord::of("hello".to_owned())));
        let left =
            PlainWords::of("no need to see a doctor").without(&SoughtWord::of("no need".into()));
        assert!(!left.holds(&SoughtWord::of("no".to_owned())));
    }
}
