//! Checks a model's message beside facts: a number or quotation that was not shown drops it (llm.md
//! 2).

mod written;

use std::collections::BTreeSet;
use written::{Written, parts, written};

/// Each opening mark with its closing one.
const QUOTES: &str = "\"\"''``“”‘’「」『』《》〈〉«»‹›„“";

/// Step outputs, and the user's messages.
#[derive(Debug, Default)]
pub struct Known {
    text: String,
    numbers: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Known {
    pub fn add(&mut self, text: &str) {
        self.numbers.extend(parts(text));
        for shown in written(text) {
            match shown {
                Written::Number(number) => self.numbers.insert(number),
                Written::Name { whole, .. } => self.names.insert(whole),
            };
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Whether every number and quotation was shown. Numbers compare as a whole: `12` is not in
    /// `2012`.
    #[must_use]
    pub fn founds(&self, message: &str) -> bool {
        written(message).iter().all(|claimed| self.has(claimed))
            && quotations(message).iter().all(|literal| self.text.contains(literal))
    }

    fn has(&self, claimed: &Written) -> bool {
        match claimed {
            // A version stands behind its `v`.
            Written::Number(number) if number.matches('.').count() > 1 => {
                self.numbers.contains(number) || self.names.contains(&format!("v{number}"))
            }
            Written::Number(number) => self.numbers.contains(number),
            Written::Name { whole, number } => {
                let unit = number.as_ref().is_some_and(|number| self.numbers.contains(number));
                unit || self.names.contains(whole)
            }
        }
    }
}

fn quotations(message: &str) -> Vec<&str> {
    let (opens, closes) = (QUOTES.chars().step_by(2), QUOTES.chars().skip(1).step_by(2));
    opens.zip(closes).flat_map(|(open, close)| quoted(message, open, close)).collect()
}

fn quoted(message: &str, open: char, close: char) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = message;
    while let Some((_, after)) = rest.split_once(open) {
        let Some((inside, behind)) = after.split_once(close) else { break };
        found.push(inside);
        rest = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(texts: &[&str]) -> Known {
        let mut known = Known::default();
        texts.iter().for_each(|text| known.add(text));
        known
    }

    #[test]
    fn what_was_shown_may_be_said() {
        let known = known(&[r#"[{"name":"사과","price":1290.50},{"n":25}]"#, "3개만 '품절'로"]);
        for said in [
            "총 25개, 1,290.5원입니다.",
            "The price is 1290.50, of 3.",
            "‘사과’와 \"품절\"입니다.",
            "끝났습니다. All done.",
        ] {
            assert!(known.founds(said), "{said}");
        }
    }

    #[test]
    fn a_number_is_not_founded_by_a_piece_of_another() {
        let known = known(&["2012-11-21T10:25:03Z 01a1fe9b-26d0 v1.2.3 [7,500,90]"]);
        for said in ["12개입니다.", "There are 2.", "제일 싼 것은 5원", "7,590원", "\"fe9c\""]
        {
            assert!(!known.founds(said), "{said}");
        }
        for said in ["7개, 500원, 90원", "version 1.2.3"] {
            assert!(known.founds(said), "{said}");
        }
    }

    #[test]
    fn a_piece_of_an_id_or_a_time_founds_nothing() {
        let known = known(&["2012-11-21T10:25:03Z 01a1fe9b-26d0 P001 12kg 10:30"]);
        for said in ["26개", "총 25개", "3건", "1개", "12개", "P002", "10:25", "30분"] {
            assert!(!known.founds(said), "{said}");
        }
        for said in ["P001입니다", "12kg, 10:30", "01a1fe9b-26d0"] {
            assert!(known.founds(said), "{said}");
        }
    }

    #[test]
    fn a_number_is_one_in_whatever_digits() {
        let known = known(&["99 and 12, stock:7, 2024-01-05"]);
        for said in ["총 ９８개", "②", "۹", "Ⅳ", "½"] {
            assert!(!known.founds(said), "{said}");
        }
        for said in ["총 ９９개", "12kg", "7개", "2024년 1월 5일"] {
            assert!(known.founds(said), "{said}");
        }
        let circled = self::known(&["② 둘째"]);
        assert!(circled.founds("②"));
    }

    #[test]
    fn whatever_the_quotes_are() {
        let known = known(&["품절"]);
        for said in ["«매진»", "『매진』", "„매진“", "《매진》"] {
            assert!(!known.founds(said), "{said}");
        }
        assert!(known.founds("『품절』"));
    }
}
