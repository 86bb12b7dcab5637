//! Words of a language belong into `config/lexicons/`: no literal of `language` has Hangul, except
//! for grammar.

use super::finding::{Finding, Rule};
use super::lexer::Kind;
use super::source::Source;

/// Where Hangul is grammar, and of what. The list only shrinks: what no longer needs it must go.
const GRAMMAR: [(&str, &str); 2] = [
    ("crates/language/src/lexicon/conjugation.rs", "the bases of a verb are made by rule"),
    ("crates/language/src/reported.rs", "the marks that a lexicon writes before an ending"),
];

pub fn check(source: &Source<'_>) -> Vec<Finding> {
    if !source.is_crate(&["language"]) || !source.is_library_code() {
        return Vec::new();
    }
    let code = &source.shipped;
    let tokens = (0..code.len()).filter_map(|at| code.get(at));
    let korean =
        tokens.filter(|token| token.kind == Kind::Literal && token.text.contains(is_hangul));
    let mut lines: Vec<usize> = korean.map(|token| token.line).collect();
    lines.dedup();
    let finding = |line: usize, what: &str| Finding::new(source.path, line, Rule::Words, what);
    match GRAMMAR.into_iter().find(|(path, _)| *path == source.path) {
        Some(_) if lines.is_empty() => {
            vec![finding(1, "nothing of it is Hangul any more: take it out of `GRAMMAR`")]
        }
        Some(_) => Vec::new(),
        None => {
            let what = "a word of a language in code: write it into `config/lexicons/`";
            lines.into_iter().map(|line| finding(line, what)).collect()
        }
    }
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{3131}'..='\u{318e}' | '\u{1100}'..='\u{11ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&Source::read(path, text)).len()
    }

    #[test]
    fn words_are_data() {
        let word =
            "/// `회원별`\nconst EACH: char = '별';\nfn f() -> &'static str {\n    \"번\"\n}";
        assert_eq!(count("crates/language/src/column.rs", word), 2);
        assert_eq!(count("crates/language/src/messages/tests.rs", word), 0);
        assert_eq!(count("crates/server/src/request/page.rs", word), 0);
        let tested = format!("#[cfg(test)]\nmod tests {{\n{word}\n}}");
        assert_eq!(count("crates/language/src/column.rs", &tested), 0);
    }

    #[test]
    fn grammar_stays_as_long_as_it_is_one() {
        let (path, _) = GRAMMAR[0];
        assert_eq!(count(path, "const STEM: char = '다';"), 0);
        assert_eq!(count(path, "const STEM: u32 = 5;"), 1);
    }
}
