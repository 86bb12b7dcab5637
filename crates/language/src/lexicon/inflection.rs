//! Regular inflection, as a language file has it: what a form may end in, and what stands there in
//! the form that the file lists.

use super::error::LexiconError;

/// Shorter stems are other words.
const STEM_CHARS_MIN: usize = 3;

/// `ies>y`: `copies` is `copy`. `+ing>`: the letter before is doubled, `running` is `run`.
#[derive(Debug, Clone)]
pub(crate) struct Inflection {
    ending: String,
    base: String,
    doubles: bool,
}

impl Inflection {
    pub(crate) fn parse(line: &str) -> Result<Self, LexiconError> {
        let (ending, base) = line
            .split_once('>')
            .ok_or_else(|| LexiconError::Inflection { line: line.to_owned() })?;
        let doubles = ending.starts_with('+');
        let ending = ending.trim_start_matches('+').to_owned();
        if ending.is_empty() {
            return Err(LexiconError::Inflection { line: line.to_owned() });
        }
        Ok(Self { ending, base: base.to_owned(), doubles })
    }

    /// The listed form that this word may be one of.
    pub(crate) fn lemma(&self, word: &str) -> Option<String> {
        let stem = word.strip_suffix(self.ending.as_str())?;
        let stem = if self.doubles { undoubled(stem)? } else { stem };
        let long = stem.chars().count() >= STEM_CHARS_MIN;
        long.then(|| format!("{stem}{}", self.base))
    }
}

fn undoubled(stem: &str) -> Option<&str> {
    let mut letters = stem.chars().rev();
    let (last, before) = (letters.next()?, letters.next()?);
    (last == before).then(|| stem.strip_suffix(last)).flatten()
}

#[cfg(test)]
mod tests;
