//! The words of an utterance, and which of them must stay unchanged.

use crate::{scenario::Speech, seeded_random::SeededRandom};

const OPENING: &str = "'\"`“‘「{";
const TRAILING: &str = ".,!?~…ㅠㅜㅎㅋ";

/// One kind of change; `false`: it found nothing to change.
pub(super) type Change = fn(&mut Words, &mut SeededRandom) -> bool;

/// How an utterance is split into words.
#[derive(Clone, Copy)]
pub(super) struct Spoken<'a> {
    pub(super) language: Speech,
    /// Words that stay unchanged.
    pub(super) data: &'a [String],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) core: String,
    /// A Korean particle after a name or a path.
    pub(super) particle: String,
    /// Punctuation and laughter after it.
    pub(super) trail: String,
    /// It must stay unchanged: a path, a URL, a name, a number or a quotation.
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

/// Splits at white space, except inside quotations and braces.
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
    let joined = |word: &Word| format!("{}{}{}", word.core, word.particle, word.trail);
    words.iter().map(joined).collect::<Vec<_>>().join(" ")
}
