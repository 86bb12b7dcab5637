//! Words of an utterance, and which of them nobody may touch.

use super::Spoken;
use crate::scenario::Speech;

const OPENING: &str = "'\"`“‘「{";
const TRAILING: &str = ".,!?~…ㅠㅜㅎㅋ";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) core: String,
    /// A Korean particle behind a name or a path.
    pub(super) particle: String,
    /// Punctuation and laughter behind it.
    pub(super) trail: String,
    /// A path, a URL, a name, a number or something quoted.
    pub(super) fixed: bool,
}

/// An utterance, word by word.
pub(super) struct Words(pub(super) Vec<Word>);

impl Word {
    pub(super) fn plain(core: &str) -> Self {
        let core = core.to_owned();
        Self { core, particle: String::new(), trail: String::new(), fixed: false }
    }

    fn of(text: &str, Spoken { language, data }: Spoken<'_>) -> Self {
        let core = text.trim_end_matches(|c| TRAILING.contains(c));
        let trail = text.get(core.len()..).unwrap_or_default().to_owned();
        let value = data.iter().find_map(|value| Some((value, core.strip_prefix(value.as_str())?)));
        if let Some((value, behind)) = value {
            return Self { core: value.clone(), particle: behind.to_owned(), trail, fixed: true };
        }
        let named = |c: char| c.is_ascii_digit() || "/._:@=<>'\"`“‘「{".contains(c);
        let fixed = core.chars().any(|c| match language {
            Speech::Ko => c.is_ascii_alphabetic() || named(c),
            Speech::En => named(c),
        });
        // A number's unit is part of it.
        let name = core.trim_end_matches(is_hangul);
        let is_name = fixed && name.chars().any(|c| c.is_ascii_alphabetic());
        let behind = core.strip_prefix(name).unwrap_or_default();
        let (core, particle) = if is_name { (name, behind) } else { (core, "") };
        Self { core: core.to_owned(), particle: particle.to_owned(), trail, fixed }
    }

    pub(super) fn is_plain_hangul(&self) -> bool {
        !self.fixed && !self.core.is_empty() && self.core.chars().all(is_hangul)
    }

    pub(super) fn syllables(&self) -> usize {
        self.core.chars().count()
    }
}

pub(super) fn is_hangul(c: char) -> bool {
    ('가'..='힣').contains(&c)
}

/// At white space, except inside of what is quoted or in braces.
pub(super) fn split(text: &str, spoken: Spoken<'_>) -> Words {
    let (mut words, mut current) = (Vec::new(), String::new());
    let mut closes: Option<(char, usize)> = None;
    for c in text.chars() {
        match closes.as_mut() {
            Some((close, depth)) => {
                if c == '{' && *close == '}' {
                    *depth += 1;
                } else if c == *close {
                    *depth -= 1;
                }
                if *depth == 0 {
                    closes = None;
                }
            }
            None if OPENING.contains(c) => closes = Some((closing(c), 1)),
            None if c.is_whitespace() => {
                words.push(std::mem::take(&mut current));
                continue;
            }
            None => {}
        }
        current.push(c);
    }
    words.push(current);
    let words = words.iter().filter(|word| !word.is_empty());
    Words(words.map(|word| Word::of(word, spoken)).collect())
}

const fn closing(open: char) -> char {
    match open {
        '“' => '”',
        '‘' => '’',
        '「' => '」',
        '{' => '}',
        other => other,
    }
}

pub(super) fn join(Words(words): &Words) -> String {
    let told = |word: &Word| format!("{}{}{}", word.core, word.particle, word.trail);
    words.iter().map(told).collect::<Vec<_>>().join(" ")
}
