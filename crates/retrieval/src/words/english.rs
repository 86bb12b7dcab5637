//! English: what the forms of a word have in common, and words that say nothing about what a question is about.

/// Sorted. `s` and `t` are what is left of `what's` and `don't`. One whose stem would be another without it gives other
/// terms: then their version has to be another one too.
const FUNCTION_WORDS: [&str; 81] = [
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can",
    "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "how",
    "i", "if", "in", "into", "is", "it", "its", "many", "may", "me", "much", "my", "no", "not",
    "of", "on", "or", "our", "please", "s", "shall", "she", "should", "so", "some", "such", "t",
    "tell", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "to",
    "us", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with",
    "would", "you", "your",
];

/// Whether a word says nothing about what a question is about.
pub(crate) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.binary_search(&word).is_ok()
}

/// Cuts the endings that one word has in several forms: of a plural, by the rules of the S-stemmer (Harman
/// 1991), then `-ing`, `-ed` and a last `-e`. `changes`, `changing` and `changed` are all `chang`: the rest
/// need be no word, it need be the same. What has no vowel before an ending has none: `string`.
pub(super) fn stem(word: &mut String) {
    if word.len() < 4 || !word.is_ascii() || is_function_word(word) {
        return;
    }
    cut_plural(word);
    cut_verb(word);
    if word.len() > 3 && word.ends_with('e') {
        word.pop();
    }
}

fn cut_plural(word: &mut String) {
    let ends = |ending: &str| word.ends_with(ending);
    let cut = if ends("ies") && !ends("eies") && !ends("aies") {
        return replace(word, 3, "y");
    } else if ["sses", "shes", "ches", "xes", "zes"].into_iter().any(ends) {
        2
    } else if ends("s") && !["us", "ss", "aes", "ees", "oes", "is"].into_iter().any(ends) {
        1
    } else {
        0
    };
    word.truncate(word.len() - cut);
}

fn cut_verb(word: &mut String) {
    if word.ends_with("ied") {
        return replace(word, 3, "y");
    }
    let ending = ["ing", "ed"].into_iter().find(|ending| word.ends_with(ending));
    let stem = ending.and_then(|ending| word.strip_suffix(ending));
    let Some(stem) = stem.filter(|stem| stem.len() > 2 && !stem.ends_with('e')) else { return };
    if !stem.bytes().any(|letter| b"aeiouy".contains(&letter)) {
        return;
    }
    // `setting` is `set`, and `calling` is `call`.
    let doubled = match stem.as_bytes() {
        [.., a, b] if a == b && !b"aeioulsz".contains(b) => 1,
        _ => 0,
    };
    word.truncate(stem.len() - doubled);
}

fn replace(word: &mut String, cut: usize, ending: &str) {
    word.truncate(word.len().saturating_sub(cut));
    word.push_str(ending);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_words_are_sorted() {
        assert!(FUNCTION_WORDS.is_sorted());
    }

    #[test]
    fn the_forms_of_a_word_have_one_stem() {
        let known = [
            ("files file filing", "fil"),
            ("directories directory", "directory"),
            ("copies copied copying copy", "copy"),
            ("classes class", "class"),
            ("boxes box boxed", "box"),
            ("pages page paging", "pag"),
            ("changes changing changed change", "chang"),
            ("settings setting", "set"),
            ("calling called calls", "call"),
            ("inserting inserted inserts", "insert"),
        ];
        for (words, stem_of_all) in known {
            for word in words.split(' ') {
                let mut found = word.to_owned();
                stem(&mut found);
                assert_eq!(found, stem_of_all, "{word}");
            }
        }
    }

    #[test]
    fn what_only_looks_like_an_ending_stays() {
        for word in ["status", "bus", "analysis", "this", "string", "thing", "speed", "need", "é"]
        {
            let mut found = word.to_owned();
            stem(&mut found);
            assert_eq!(found, word);
        }
    }
}
