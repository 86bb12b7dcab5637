//! One set, as `wiiiv rag eval` reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::pages::{Page, Pages};
use crate::fault::Fault;

/// Of a page, in Unicode scalar values: what an embedder reads at once. Figures of whole pages compare with no others.
const PAGE_CHARS_MAX: usize = 1_500;
/// A shorter page says too little, and a shorter query asks for nothing.
const PAGE_CHARS_MIN: usize = 201;
const KOREAN_CHARS_MIN: usize = 5;
const ENGLISH_CHARS_MIN: usize = 9;

pub struct Collection {
    /// Of its folder.
    pub name: &'static str,
    title: &'static str,
    source: &'static str,
    /// So many pages are translated and long enough; others would be another collection.
    pages: usize,
}

impl Collection {
    pub const GNOME: Self = Self {
        name: "gnome",
        title: "GNOME user documentation",
        source: "Debian package gnome-user-docs, CC-BY-SA-3.0; queries are the summaries of pages",
        pages: 261,
    };
    pub const LIBREOFFICE: Self = Self {
        name: "libreoffice",
        title: "LibreOffice help",
        source: "Debian packages libreoffice-help-ko and libreoffice-help-en-us, MPL-2.0; queries are the titles of pages",
        pages: 475,
    };

    /// Answers how many pages it has.
    pub fn write(&self, [korean, english]: [Pages; 2], folder: &Path) -> Result<usize, Fault> {
        let pairs = pairs(korean, english);
        if pairs.len() != self.pages {
            let (found, known) = (pairs.len(), self.pages);
            return Err(format!("{}: `{found}` pages, and not `{known}`", self.name).into());
        }
        let own = folder.join(self.name);
        if own.exists() {
            fs::remove_dir_all(&own)?;
        }
        for language in ["ko", "en"] {
            fs::create_dir_all(own.join("documents").join(language))?;
        }
        for (number, pair) in (1..).zip(&pairs) {
            for (language, page) in ["ko", "en"].into_iter().zip(pair) {
                fs::write(own.join("documents").join(name(language, number)), markdown(page))?;
            }
        }
        let about = format!("title = {}\nsource = {}\n", quoted(self.title)?, quoted(self.source)?);
        fs::write(own.join("set.toml"), about)?;
        fs::write(own.join("queries.toml"), queries(&pairs)?)?;
        Ok(pairs.len())
    }
}

/// A page's name tells nothing of what is in it.
fn name(language: &str, number: usize) -> String {
    format!("{language}/{number:04}.md")
}

/// The beginning of a page, its title as a heading.
fn markdown(page: &Page) -> String {
    let text: String = page.text.chars().take(PAGE_CHARS_MAX).collect();
    match text.strip_prefix(&page.title) {
        Some(rest) if !page.title.is_empty() => format!("# {}\n\n{}\n", page.title, rest.trim()),
        Some(_) | None => format!("{text}\n"),
    }
}

/// Pages that are translated, each Korean query once.
fn pairs(mut korean: Pages, english: Pages) -> Vec<[Page; 2]> {
    let mut known = BTreeSet::new();
    let both = english.into_iter().filter_map(|(path, en)| Some([korean.remove(&path)?, en]));
    both.filter(|[ko, en]| {
        let is_long = |page: &Page| page.text.chars().count() >= PAGE_CHARS_MIN;
        is_long(ko)
            && is_long(en)
            && is_korean(&ko.query)
            && is_korean(&ko.text)
            && ko.query.chars().count() >= KOREAN_CHARS_MIN
            && en.query.chars().count() >= ENGLISH_CHARS_MIN
            && known.insert(ko.query.clone())
    })
    .collect()
}

/// More than half of its letters are.
fn is_korean(text: &str) -> bool {
    let (syllables, letters) = text
        .chars()
        .filter(|c| c.is_alphabetic())
        .fold((0, 0), |sums, c| (sums.0 + usize::from(matches!(c, '가'..='힣')), sums.1 + 1));
    syllables * 2 > letters
}

/// Pages that are asked for in the same words answer one query; every other query is for tuning.
fn queries(pairs: &[[Page; 2]]) -> Result<String, Fault> {
    let mut text = String::new();
    for (at, language) in ["ko", "en"].into_iter().enumerate() {
        let mut asked: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, pair) in (1..).zip(pairs) {
            let query = pair.get(at).map_or("", |page| &page.query);
            asked.entry(query).or_default().push(number);
        }
        for (query, numbers) in asked {
            let is_tuning = numbers.first().is_some_and(|first| first % 2 == 1);
            let part = if is_tuning { "tuning" } else { "scored" };
            let query = quoted(query)?;
            writeln!(text, "[[queries]]\ntext = {query}\nlanguage = \"{language}\"")?;
            writeln!(text, "kind = \"known_item\"\npart = \"{part}\"\nanswers = [")?;
            for number in numbers {
                for language in ["ko", "en"] {
                    let document = quoted(&name(language, number))?;
                    writeln!(text, "    {{ grade = 3, document = {document} }},")?;
                }
            }
            writeln!(text, "]\n")?;
        }
    }
    Ok(text)
}

/// What JSON quotes is quoted for TOML, too.
fn quoted(text: &str) -> Result<String, Fault> {
    Ok(serde_json::to_string(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(texts: &[(&str, &str)]) -> Pages {
        let page = |query: &str| {
            let text = format!("{query} ").repeat(50);
            Page { query: query.to_owned(), title: String::new(), text }
        };
        texts.iter().map(|(path, query)| ((*path).to_owned(), page(query))).collect()
    }

    #[test]
    fn a_page_is_taken_where_both_languages_have_it() {
        let korean = pages(&[
            ("a", "키를 무시합니다"),
            ("b", "untranslated page"),
            ("c", "키를 무시합니다"),
            ("d", "글꼴을 크게 합니다"),
        ]);
        let english = pages(&[
            ("a", "Ignore some keys"),
            ("b", "Untranslated page"),
            ("c", "Ignore other keys"),
            ("d", "Larger"),
            ("e", "English alone"),
        ]);
        let pairs = pairs(korean, english);
        let found: Vec<&str> = pairs.iter().map(|[_, en]| en.query.as_str()).collect();
        assert_eq!(found, ["Ignore some keys"]);
    }

    #[test]
    fn a_title_is_a_heading_and_a_page_is_cut() {
        let page = |title: &str| {
            let (title, text) = (title.to_owned(), format!("Turn on {}", "a".repeat(2_000)));
            markdown(&Page { query: String::new(), title, text })
        };
        assert!(page("Turn on").starts_with("# Turn on\n\naaa"));
        assert!(page("").starts_with("Turn on aaa") && page("Other").starts_with("Turn on aaa"));
        assert_eq!(page("").trim().chars().count(), PAGE_CHARS_MAX);
    }

    #[test]
    fn pages_that_are_asked_for_alike_answer_one_query() {
        let pair = |ko: &str, en: &str| {
            let page = |query: &str| {
                let (query, title) = (query.to_owned(), String::new());
                Page { query, title, text: String::new() }
            };
            [ko, en].map(page)
        };
        let written = queries(&[pair("하나", "\"Same\""), pair("둘", "\"Same\"")]).expect("a text");
        let read: toml::Table = written.parse().expect("toml");
        let list = read["queries"].as_array().expect("a list");
        let answers = |at: usize| list[at]["answers"].as_array().map(Vec::len);
        assert_eq!((list.len(), answers(0), answers(2)), (3, Some(2), Some(4)));
        assert_eq!(list[2]["text"].as_str(), Some("\"Same\""));
        assert_eq!(list[0]["part"].as_str(), Some("scored"));
    }
}
