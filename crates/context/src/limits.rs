//! What a person forbids or limits in their own words, found by `config/limits.toml`.

use crate::sentence::{MORE, of_line, one_line};
use serde::Deserialize;
use std::{ops::Range, sync::LazyLock};
use wiiiv_domain::unquoted;

const FILE: &str = include_str!("../../../config/limits.toml");
/// Of a longer sentence so much is shown around the words that were found, in Unicode scalar values.
const LIMIT_CHARS_MAX: usize = 400;
/// Of these, before the words that were found.
const CHARS_BEFORE: usize = 160;
/// Of a longer message only so much of its beginning and of its end is read, and of a longer sentence its beginning, in
/// bytes.
const READ_BYTES_MAX: usize = 8 * 1024;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    ko: Vec<String>,
    en: Vec<String>,
    none: Vec<String>,
}

#[derive(Default)]
struct Marks {
    limits: Vec<Mark>,
    none: Vec<Mark>,
}

struct Mark {
    text: String,
    begins: bool,
    ends: bool,
}

/// As they were at build; a test holds that they can be read.
static MARKS: LazyLock<Marks> = LazyLock::new(|| marks(FILE).unwrap_or_default());

fn marks(text: &str) -> Result<Marks, toml::de::Error> {
    let File { ko, en, none } = toml::from_str(text)?;
    let all = |texts: &[String]| {
        // As phones write it.
        let curly =
            texts.iter().filter(|mark| mark.contains('\'')).map(|mark| mark.replace('\'', "’"));
        curly.chain(texts.iter().cloned()).map(|text| Mark::of(&text)).collect::<Vec<_>>()
    };
    Ok(Marks { limits: [all(&ko), all(&en)].into_iter().flatten().collect(), none: all(&none) })
}

impl Mark {
    fn of(text: &str) -> Self {
        let (begins, ends) = (text.starts_with('^'), text.ends_with('$'));
        let text = text.trim_start_matches('^').trim_end_matches('$').to_owned();
        Self { text, begins, ends }
    }

    /// Everywhere it stands in a sentence in lower case.
    fn all_in<'s>(&'s self, sentence: &'s str) -> impl Iterator<Item = Range<usize>> + 's {
        let found = sentence.match_indices(self.text.as_str());
        found.map(|(at, text)| at..at + text.len()).filter(move |at| self.stands(sentence, at))
    }

    fn stands(&self, sentence: &str, at: &Range<usize>) -> bool {
        let latin = |c: char| c.is_ascii_alphanumeric();
        let before = sentence.get(..at.start).unwrap_or_default();
        let behind = sentence.get(at.end..).unwrap_or_default();
        let goes_on = self.text.starts_with(latin) && before.ends_with(latin)
            || self.text.ends_with(latin) && behind.starts_with(latin);
        let begins = !self.begins || !before.contains(char::is_alphanumeric);
        let ends = !self.ends || !behind.contains(char::is_alphanumeric);
        !goes_on && begins && ends
    }
}

/// A line of a message, and the same bytes without what is quoted in it.
#[derive(Clone, Copy)]
struct OwnLine<'t> {
    /// Where it begins in the message.
    at: usize,
    text: &'t str,
    own: &'t str,
}

impl OwnLine<'_> {
    fn is_blank(&self) -> bool {
        self.own.trim().is_empty()
    }

    fn is_item(&self) -> bool {
        let line = self.own.trim_start();
        let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = numbered.len() < line.len() && numbered.starts_with([')', '.']);
        let behind =
            if is_numbered { numbered.get(1..) } else { line.strip_prefix(['-', '*', '•']) };
        behind.is_some_and(|behind| behind.starts_with(char::is_whitespace))
    }

    fn opens(&self) -> bool {
        self.own.trim_end().ends_with([':', '：'])
    }
}

/// What stands behind a line that ends with a colon is no word of the author's, but for the items of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paste {
    No,
    /// A colon ended the line before.
    BehindColon,
    /// And a blank line stands behind it.
    BehindColonApart,
    /// Up to a blank line.
    Lines,
    /// Paragraphs: nobody can tell where they end.
    ToTheEnd,
}

impl Paste {
    fn behind(self, line: &OwnLine<'_>) -> Self {
        match (self, line.is_blank()) {
            (Self::No, _) | (Self::Lines, true) => Self::No,
            (Self::BehindColon | Self::BehindColonApart, true) => Self::BehindColonApart,
            (Self::BehindColon | Self::BehindColonApart, false) if line.is_item() => Self::No,
            (Self::BehindColon | Self::Lines, false) => Self::Lines,
            (Self::BehindColonApart, false) | (Self::ToTheEnd, _) => Self::ToTheEnd,
        }
    }
}

/// Sentences in which the author forbids or limits something, word for word but for white space: not what is quoted, or
/// pasted behind a colon.
pub(crate) fn limits_in(text: &str) -> Vec<String> {
    let own = unquoted(text);
    let mut lines = own_lines(text, &own).peekable();
    let (mut limits, mut paste) = (Vec::new(), Paste::No);
    while let Some(line) = lines.next() {
        paste = paste.behind(&line);
        if paste != Paste::No {
            continue;
        }
        let mut is_list = false;
        let sentences = of_line(line.own);
        let last = sentences.len().saturating_sub(1);
        for (nth, range) in sentences.into_iter().enumerate() {
            let Some((sentence, at)) = limit(&line, range, text.len()) else { continue };
            if nth < last || !line.opens() {
                limits.push(around(sentence, at));
                continue;
            }
            // What it is about stands in a list below it.
            is_list = true;
            let mut whole = sentence.trim_end().to_owned();
            while let Some(item) = lines.next_if(OwnLine::is_item) {
                whole.push(' ');
                whole.push_str(item.text.trim());
            }
            limits.push(around(&whole, at));
        }
        if line.opens() && !is_list {
            paste = Paste::BehindColon;
        }
    }
    limits
}

fn own_lines<'t>(text: &'t str, own: &'t str) -> impl Iterator<Item = OwnLine<'t>> {
    let mut from = 0;
    own.split_inclusive('\n').map(move |line| {
        let at = from;
        from += line.len();
        OwnLine { at, text: text.get(at..from).unwrap_or(line), own: line }
    })
}

/// The sentence as it was written, and where in it the words were found.
fn limit<'t>(line: &OwnLine<'t>, range: Range<usize>, length: usize) -> Option<(&'t str, usize)> {
    let begin = line.at + range.start;
    if begin > READ_BYTES_MAX && begin + READ_BYTES_MAX < length {
        return None;
    }
    let at = found_in(line.own.get(range.clone())?)?;
    Some((line.text.get(range)?, at))
}

fn found_in(sentence: &str) -> Option<usize> {
    let mut end = sentence.len().min(READ_BYTES_MAX);
    while !sentence.is_char_boundary(end) {
        end -= 1;
    }
    // Of ASCII alone: bytes stay where they are.
    let lower = sentence.get(..end)?.to_ascii_lowercase();
    let Marks { limits, none } = &*MARKS;
    let mut found: Vec<Range<usize>> = limits.iter().flat_map(|mark| mark.all_in(&lower)).collect();
    if found.is_empty() {
        return None;
    }
    let none: Vec<Range<usize>> = none.iter().flat_map(|mark| mark.all_in(&lower)).collect();
    found.retain(|at| !none.iter().any(|of| of.start <= at.start && at.end <= of.end));
    found.iter().map(|at| at.start).min()
}

/// In one line: whole, or so much around this byte, between words, with a mark where it is cut.
fn around(sentence: &str, at: usize) -> String {
    if sentence.char_indices().nth(LIMIT_CHARS_MAX).is_none() {
        return one_line(sentence);
    }
    let before = sentence.get(..at).unwrap_or_default();
    let far = before.char_indices().rev().nth(CHARS_BEFORE).map(|(far, _)| far);
    let from = far.map_or(0, |far| {
        let gap = before.get(far..).and_then(|near| near.find(char::is_whitespace));
        gap.map_or(at, |gap| far + gap)
    });
    let rest = sentence.get(from..).unwrap_or_default().trim_start();
    let end = rest.char_indices().nth(LIMIT_CHARS_MAX).map(|(end, _)| end);
    let shown = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    let start = sentence.len() - rest.len();
    let gap = end.and_then(|_| shown.rfind(char::is_whitespace)).filter(|gap| start + gap > at);
    let shown = gap.and_then(|gap| shown.get(..gap)).unwrap_or(shown);
    let cut = |is_cut: bool| if is_cut { MORE } else { "" };
    one_line(&[cut(from > 0), shown, cut(end.is_some())].join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_read_and_in_lower_case() {
        let File { ko, en, none } = toml::from_str(FILE).unwrap();
        assert!(ko.len() > 30 && en.len() > 25);
        let mut all = ko.iter().chain(&en).chain(&none);
        assert!(all.all(|mark| *mark == mark.to_lowercase() && !mark.is_empty()));
        assert!(MARKS.limits.len() > ko.len() + en.len(), "with both apostrophes");
        assert!(MARKS.none.len() > none.len(), "these too");
    }

    #[test]
    fn what_is_forbidden_or_limited_is_found_in_both_languages() {
        for (text, found) in [
            (
                "금액은 원화로 써. archive 폴더는 절대 지우지 마. 고마워",
                "archive 폴더는 절대 지우지 마.",
            ),
            ("계단 많은 데는 넣지 마세요", "계단 많은 데는 넣지 마세요"),
            ("새우는 빼줘!", "새우는 빼줘!"),
            ("Write it to a.txt. Never touch b.txt, please. Thanks", "Never touch b.txt, please."),
            ("Don’t ever send it to them", "Don’t ever send it to them"),
            ("No lilies, they are poisonous.", "No lilies, they are poisonous."),
            ("Edit a.txt but don't touch b.txt.", "Edit a.txt but don't touch b.txt."),
            ("You should not delete archive/.", "You should not delete archive/."),
            ("b.txt는 지우지 마 그건 내 거야", "b.txt는 지우지 마 그건 내 거야"),
            ("원본은 건드리지 마, 알겠지?", "원본은 건드리지 마, 알겠지?"),
            (
                "Never mind the draft, but never delete archive/.",
                "Never mind the draft, but never delete archive/.",
            ),
            ("It may take  50 minutes\tat most", "It may take 50 minutes at most"),
            ("저는 페니실린 알레르기가 있어요", "저는 페니실린 알레르기가 있어요"),
        ] {
            assert_eq!(limits_in(text), [found], "{text}");
        }
    }

    #[test]
    fn what_only_looks_so_is_not() {
        for text in [
            "서류까지 마치고 올게요",
            "Nevertheless it was fine",
            "I know it is noon",
            "I don't know where that is",
            "I don’t know, why don't we go",
            "오늘까지 마무리할게요",
            "내일은 뭐 하지?",
            "Is there a way to do that?",
            "No problem, thanks",
            "No. Wait",
        ] {
            assert!(limits_in(text).is_empty(), "{text}: {:?}", limits_in(text));
        }
    }

    #[test]
    fn of_a_long_sentence_what_stands_around_the_words_is_shown() {
        let long = format!(
            "{}never write to b.txt{}",
            "so and so ".repeat(90),
            " or more of it".repeat(90)
        );
        let [found] = limits_in(&long).try_into().unwrap();
        assert!(found.contains("never write to b.txt or more"), "{found}");
        assert!(
            found.chars().count() <= LIMIT_CHARS_MAX + 8 && found.starts_with("[…] so"),
            "{found}"
        );
        assert!(found.ends_with(" […]"), "{found}");
        let [found] =
            limits_in(&format!("{}절대{}", "가".repeat(900), "나".repeat(900))).try_into().unwrap();
        assert!(found.starts_with("[…] 절대") && found.ends_with("나 […]"), "{found}");
        // What it is about stands far before or behind the words.
        let ends = format!("{}to b.txt, c.txt and archive/", "so and so ".repeat(25));
        let whole = format!("never write {ends}");
        assert_eq!(limits_in(&whole), [whole]);
    }

    #[test]
    fn what_is_about_a_list_has_the_list() {
        let list = "Never delete these:\n- a.txt\n- archive/\n\nThanks for that";
        assert_eq!(limits_in(list), ["Never delete these: - a.txt - archive/"]);
        let numbered = "다음은 절대 지우지 마:\n1. a.txt\n2) b.txt";
        assert_eq!(limits_in(numbered), ["다음은 절대 지우지 마: 1. a.txt 2) b.txt"]);
    }

    #[test]
    fn what_is_quoted_or_pasted_is_no_limit_of_the_authors() {
        for text in [
            "Translate \"Never touch the archive.\" for me",
            "이거 번역해줘: “절대 지우지 마세요.”",
            "Summarise this mail:\n\nHi all,\n\nNever touch the archive.\n\nBob",
            "Summarise this:\nNever touch the archive.\nBob",
            "What does it say?\n> never touch the archive",
            "```\nnever touch the archive\n``` fix it",
        ] {
            assert!(limits_in(text).is_empty(), "{text}: {:?}", limits_in(text));
        }
        for (text, found) in [
            ("Never send \"a. b\" to them. Thanks", "Never send \"a. b\" to them."),
            ("Rules:\n- never touch b.txt\n", "- never touch b.txt"),
            ("One thing: never touch b.txt", "One thing: never touch b.txt"),
            ("Summarise this:\nHi all\n\nNever touch b.txt", "Never touch b.txt"),
        ] {
            assert_eq!(limits_in(text), [found], "{text}");
        }
    }

    #[test]
    fn of_a_very_long_message_the_beginning_and_the_end_are_read() {
        let words = "and so on. ".repeat(READ_BYTES_MAX);
        let text =
            format!("Never touch a.txt. {words}Never touch b.txt. {words}Never touch c.txt.");
        assert_eq!(limits_in(&text), ["Never touch a.txt.", "Never touch c.txt."]);
    }
}
