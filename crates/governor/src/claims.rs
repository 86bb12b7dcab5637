//! What a model says beside facts: dropped where it holds a number or a quoted literal that
//! nothing has shown (llm.md 2).

use std::collections::BTreeSet;

const QUOTES: [(char, char); 6] =
    [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('「', '」')];

/// What the steps put out, and what the user said.
#[derive(Debug, Default)]
pub struct Known {
    text: String,
    numbers: BTreeSet<String>,
}

impl Known {
    pub fn add(&mut self, text: &str) {
        // `[7,500]` may be two numbers, `7,500` one: either may be said of it.
        self.numbers.extend(written(text).flat_map(|number| number.split(',').map(counted)));
        self.numbers.extend(claimed(text));
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Whether all that the message claims has been shown. A number is compared as a whole: `12`
    /// does not stand in `2012`.
    #[must_use]
    pub fn founds(&self, message: &str) -> bool {
        claimed(message).all(|number| self.numbers.contains(&number))
            && quotations(message).iter().all(|literal| self.text.contains(literal))
    }
}

/// Numbers as they count, not as they are written: `1,290` is `1290`, `3.50` is `3.5`.
fn claimed(text: &str) -> impl Iterator<Item = String> {
    written(text).flat_map(|number| {
        if is_grouped(number) {
            vec![counted(&number.replace(',', ""))]
        } else {
            number.split(',').map(counted).collect()
        }
    })
}

fn written(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
        .map(|number| number.trim_matches(['.', ',']))
        .filter(|number| number.chars().any(|c| c.is_ascii_digit()))
}

/// `1,290` and `1,290,000.5`
fn is_grouped(number: &str) -> bool {
    let whole = number.split('.').next().unwrap_or(number);
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3)
}

fn counted(number: &str) -> String {
    let whole = |digits: &str| match digits.trim_start_matches('0') {
        "" => "0".to_owned(),
        digits => digits.to_owned(),
    };
    match number.split_once('.') {
        // A version or a date is no fraction.
        Some((_, rest)) if rest.contains('.') => number.to_owned(),
        Some((digits, fraction)) => match fraction.trim_end_matches('0') {
            "" => whole(digits),
            fraction => format!("{}.{fraction}", whole(digits)),
        },
        None => whole(number),
    }
}

fn quotations(message: &str) -> Vec<&str> {
    QUOTES.into_iter().flat_map(|(open, close)| quoted(message, open, close)).collect()
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
}
