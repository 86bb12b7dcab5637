//! SPDX expressions against the allowed licences.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::str::SplitWhitespace;

/// Whether one way of reading the expression needs only allowed licences. An
/// expression that cannot be read is not allowed.
pub fn is_allowed(expression: &str, allow: &BTreeSet<String>) -> bool {
    // Before SPDX, crates wrote `MIT/Apache-2.0` for a choice.
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut reader = Reader { words: spaced.split_whitespace().peekable(), allow };
    reader.any_of() == Some(true) && reader.words.next().is_none()
}

struct Reader<'a> {
    words: Peekable<SplitWhitespace<'a>>,
    allow: &'a BTreeSet<String>,
}

impl Reader<'_> {
    fn any_of(&mut self) -> Option<bool> {
        let mut verdict = self.all_of()?;
        while self.words.next_if_eq(&"OR").is_some() {
            verdict |= self.all_of()?;
        }
        Some(verdict)
    }

    fn all_of(&mut self) -> Option<bool> {
        let mut verdict = self.one()?;
        while self.words.next_if_eq(&"AND").is_some() {
            verdict &= self.one()?;
        }
        Some(verdict)
    }

    fn one(&mut self) -> Option<bool> {
        match self.words.next()? {
            "(" => {
                let verdict = self.any_of()?;
                (self.words.next() == Some(")")).then_some(verdict)
            }
            ")" | "AND" | "OR" | "WITH" => None,
            license => match self.words.next_if_eq(&"WITH") {
                Some(_) => {
                    let exception = self.words.next()?;
                    Some(self.allow.contains(&format!("{license} WITH {exception}")))
                }
                None => Some(self.allow.contains(license)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_choices_and_sums() {
        let allow: BTreeSet<String> =
            ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned).into();
        for allowed in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-3.0/MIT",
            "MIT AND ISC",
            "(MIT OR GPL-3.0) AND ISC",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(is_allowed(allowed, &allow), "{allowed}");
        }
        for refused in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR ISC) AND GPL-3.0",
            "Apache-2.0",
            "MIT WITH LLVM-exception",
            "MIT OR",
            "(MIT",
            "MIT ISC",
        ] {
            assert!(!is_allowed(refused, &allow), "{refused}");
        }
    }
}
