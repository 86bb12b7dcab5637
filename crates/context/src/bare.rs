//! Messages that only answer, greet or thank, by the words of both languages' lexicons: no turn of their own.

use crate::intent::Intent;
use serde::Deserialize;
use std::{collections::BTreeSet, sync::LazyLock};

const FILES: [&str; 2] = [
    include_str!("../../../config/lexicons/ko.toml"),
    include_str!("../../../config/lexicons/en.toml"),
];

/// Of a lexicon, as much as is read here.
#[derive(Default, Deserialize)]
struct File {
    whole: Whole,
}

/// What is said with nothing beside it.
#[derive(Default, Deserialize)]
struct Whole {
    greeting: Vec<String>,
    affirm: Vec<String>,
    deny: Vec<String>,
}

/// As they were at build; a test holds that they can be read.
static WORDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let files = FILES.into_iter().map(|text| toml::from_str::<File>(text).unwrap_or_default());
    let all = files.flat_map(|File { whole }| [whole.greeting, whole.affirm, whole.deny].concat());
    all.map(|word| letters(&word)).collect()
});

/// Nothing but a yes, a no, a greeting or thanks, or no word at all.
pub(crate) fn is_bare(message: &str) -> bool {
    let letters = letters(message);
    letters.is_empty()
        || WORDS.contains(&letters)
        || Intent::of(message) == Some(Intent::Conversation)
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yes_a_no_and_thanks_are_bare_and_an_answer_in_one_word_is_not() {
        for text in FILES {
            let File { whole } = toml::from_str(text).unwrap();
            assert!(whole.affirm.len() > 9 && whole.deny.len() > 9 && whole.greeting.len() > 5);
        }
        for text in [
            "네",
            "응!",
            "아니요",
            "진행해 줘",
            "고마워요",
            "👍",
            "...",
            "Yes.",
            "don't",
            "OK",
            "thanks!",
        ] {
            assert!(is_bare(text), "{text}");
        }
        for text in ["땅콩", "peanuts", "Busan", "7", "네, 땅콩"] {
            assert!(!is_bare(text), "{text}");
        }
    }
}
