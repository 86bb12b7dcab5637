//! The sentences of the built-in understanding, from the message catalogue. Their fixed words, examples
//! included, claim nothing; the values that are filled in are claims.

use super::quotation::closing;
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};
use wiiiv_domain::JOBS_LATER_MAX;

const CATALOGUES: [&str; 2] = [
    include_str!("../../../../config/messages/ko.toml"),
    include_str!("../../../../config/messages/en.toml"),
];

/// Empty if a catalogue cannot be read; then every text counts as a claim.
static SENTENCES: LazyLock<Vec<Sentence>> = LazyLock::new(|| {
    let texts = CATALOGUES.iter().filter_map(|text| toml::from_str::<Catalogue>(text).ok());
    texts.flat_map(|catalogue| catalogue.offline.into_values()).map(|s| Sentence::of(&s)).collect()
});

#[derive(Deserialize)]
struct Catalogue {
    offline: BTreeMap<String, String>,
}

/// Its fixed parts, with a value between each two of them.
struct Sentence(Vec<String>);

/// The values in a text that is one of the sentences, one a line; else the text itself.
pub(super) fn values(text: &str) -> String {
    let fits = |sentence: &Sentence| Some((sentence.letters(), sentence.values(text)?));
    let found = SENTENCES.iter().filter_map(fits).max_by_key(|(letters, _)| *letters);
    found.map_or_else(|| text.to_owned(), |(_, values)| values.join("\n"))
}

impl Sentence {
    fn of(text: &str) -> Self {
        // A limit of the product, not a value.
        let text = text.replace("{room}", &(JOBS_LATER_MAX + 1).to_string());
        let mut parts = Vec::new();
        let mut rest = text.trim();
        while let Some((before, (_, behind))) =
            rest.split_once('{').and_then(|(before, named)| Some((before, named.split_once('}')?)))
        {
            parts.push(before.to_owned());
            rest = behind;
        }
        parts.push(rest.to_owned());
        Self(parts)
    }

    fn letters(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }

    /// A value between quotation marks keeps the marks, because it is a quotation.
    fn values(&self, text: &str) -> Option<Vec<String>> {
        let (first, others) = self.0.split_first()?;
        let mut rest = text.trim().strip_prefix(first.as_str())?;
        let (mut values, mut before) = (Vec::new(), first);
        for (at, part) in others.iter().enumerate() {
            let value = match at + 1 == others.len() {
                true => rest.strip_suffix(part.as_str())?,
                false => rest.split_once(part.as_str())?.0,
            };
            let marks = before.chars().next_back().zip(part.chars().next());
            let marks = marks.filter(|(open, close)| closing(*open) == Some(*close));
            values.push(match marks {
                Some((open, close)) => format!("{open}{value}{close}"),
                None => value.to_owned(),
            });
            rest = rest.get(value.len() + part.len()..)?;
            before = part;
        }
        rest.is_empty().then_some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::{CATALOGUES, SENTENCES, Sentence, values};
    use wiiiv_domain::JOBS_LATER_MAX;

    #[test]
    fn both_catalogues_are_read() {
        let offline = |text: &str| {
            let table: toml::Table = text.parse().unwrap();
            table["offline"].as_table().unwrap().len()
        };
        let all: usize = CATALOGUES.into_iter().map(offline).sum();
        assert!(all > 50 && SENTENCES.len() == all, "{all}");
    }

    #[test]
    fn of_a_sentence_only_its_values_are_left() {
        for text in CATALOGUES {
            let table: toml::Table = text.parse().unwrap();
            let help = table["offline"]["help"].as_str().unwrap();
            assert_eq!(values(help), "");
            assert_eq!(values(&format!("{help} 7")), format!("{help} 7"), "it is another text");
        }
        assert_eq!(values("You said: give me 12 of \"them\""), "give me 12 of \"them\"");
        assert_eq!(values("Fields of orders: id, price"), "orders\nid, price");
        let room = JOBS_LATER_MAX + 1;
        let bound = |room| {
            format!(
                "At most {room} tasks fit into one message. Nothing was done. Please split the request."
            )
        };
        assert_eq!(values(&bound(room)), "");
        assert_eq!(values(&bound(room + 1)), bound(room + 1));
        assert_eq!(values("모두 7개입니다."), "모두 7개입니다.");
    }

    #[test]
    fn a_quoted_value_stays_quoted() {
        let sentence = Sentence::of("`{words}`: say it by {field}, such as `a`.");
        let read = sentence.values("`twelve`: say it by price, such as `a`.");
        assert_eq!(read.unwrap(), ["`twelve`", "price"]);
        assert_eq!(sentence.values("`twelve`: say it by price, such as `b`."), None);
    }
}
