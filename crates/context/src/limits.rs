//! What a person forbids or limits in their own words, found by `config/limits.toml`.

use crate::sentence::{MORE, of_line, one_line};
use regex::Regex;
use serde::Deserialize;
use std::{ops::Range, sync::LazyLock};
use wiiiv_domain::{MESSAGE_CHARS_MAX, unquoted};

#[cfg(test)]
mod sentences;

const FILE: &str = include_str!("../../../config/limits.toml");
/// Of a longer sentence so much is shown around the words that were found, in Unicode scalar values.
const LIMIT_CHARS_MAX: usize = 400;
/// Of these, before the words that were found.
const CHARS_BEFORE: usize = 160;
/// Of a text so much is read, in bytes: all of the longest message, whatever its letters.
const READ_BYTES_MAX: usize = 4 * MESSAGE_CHARS_MAX;
/// Stands for a few words in a text of the file.
const GAP: &str = " … ";
/// Of these words, in bytes.
const GAP_BYTES_MAX: usize = 60;

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
    /// One pass for the many texts that hold none of `limits`.
    any: Option<Regex>,
}

struct Mark {
    text: String,
    /// Behind a few words.
    then: Option<String>,
    begins: bool,
    ends_word: bool,
}

/// As they were at build; a test holds that they can be read.
static MARKS: LazyLock<Marks> = LazyLock::new(|| marks(FILE).unwrap_or_default());

fn marks(text: &str) -> Result<Marks, toml::de::Error> {
    let File { ko, en, none } = toml::from_str(text)?;
    let all = |texts: &[String]| {
        // As phones write it, and as people do in a hurry.
        let other = |text: &String| ["’", ""].map(|mark| text.replace('\'', mark));
        let other = texts.iter().filter(|text| text.contains('\'')).flat_map(other);
        other.chain(texts.iter().cloned()).map(|text| Mark::of(&text)).collect::<Vec<_>>()
    };
    let limits: Vec<Mark> = [all(&ko), all(&en)].into_iter().flatten().collect();
    let texts: Vec<String> = limits.iter().map(|mark| regex::escape(&mark.text)).collect();
    Ok(Marks { any: Regex::new(&texts.join("|")).ok(), limits, none: all(&none) })
}

impl Marks {
    /// Whether one of the limits may stand in a text in lower case.
    fn may_stand_in(&self, lower: &str) -> bool {
        self.any.as_ref().is_none_or(|any| any.is_match(lower))
    }
}

impl Mark {
    fn of(text: &str) -> Self {
        let (begins, ends_word) = (text.starts_with('^'), text.ends_with('|'));
        let text = text.trim_start_matches('^').trim_end_matches('|');
        let (text, then) = match text.split_once(GAP) {
            Some((text, then)) => (text, Some(then.to_owned())),
            None => (text, None),
        };
        Self { text: text.to_owned(), then, begins, ends_word }
    }

    /// Everywhere it stands in a sentence in lower case.
    fn all_in<'s>(&'s self, sentence: &'s str) -> impl Iterator<Item = Range<usize>> + 's {
        let found = sentence.match_indices(self.text.as_str());
        // Behind the first of them none begins a sentence.
        let found = found.take(if self.begins { 1 } else { usize::MAX });
        let found = found.map(|(at, text)| at..at + text.len());
        let found = found.filter(move |at| self.stands(sentence, at));
        found.filter_map(move |at| self.whole(sentence, at))
    }

    fn stands(&self, sentence: &str, at: &Range<usize>) -> bool {
        let before = sentence.get(..at.start).unwrap_or_default();
        let behind = sentence.get(at.end..).unwrap_or_default();
        let begins = !self.begins || !before.contains(char::is_alphanumeric);
        let ends_word = !self.ends_word || !behind.starts_with(is_letter);
        is_apart(sentence, at) && begins && ends_word
    }

    /// With what has to stand behind it.
    fn whole(&self, sentence: &str, at: Range<usize>) -> Option<Range<usize>> {
        let Some(then) = &self.then else { return Some(at) };
        let behind = sentence.get(at.end..)?;
        let near = behind.get(..behind.floor_char_boundary(GAP_BYTES_MAX))?;
        let near = near.split([',', ';']).next()?;
        let places = near.match_indices(then.as_str());
        let mut places = places.map(|(from, text)| at.end + from..at.end + from + text.len());
        let end = places.find(|place| is_apart(sentence, place))?.end;
        Some(at.start..end)
    }
}

/// No part of a word of Latin letters.
fn is_apart(sentence: &str, at: &Range<usize>) -> bool {
    let latin = |c: char| c.is_ascii_alphanumeric();
    let goes_on = |before: Option<&str>, behind: Option<&str>| {
        before.is_some_and(|text| text.ends_with(latin))
            && behind.is_some_and(|text| text.starts_with(latin))
    };
    let begins_within = goes_on(sentence.get(..at.start), sentence.get(at.start..));
    !begins_within && !goes_on(sentence.get(..at.end), sentence.get(at.end..))
}

/// Of a word. Single sounds of Hangul are written as a mood: `ㅠㅠ`, `ㅋㅋ`.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, '\u{3131}'..='\u{318e}')
}

/// A line of a message, and the same bytes without what is quoted in it.
#[derive(Clone, Copy)]
struct OwnLine<'t> {
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
    let text = text.get(..text.floor_char_boundary(READ_BYTES_MAX)).unwrap_or(text);
    let own = unquoted(text);
    if !MARKS.may_stand_in(&own.to_ascii_lowercase()) {
        return Vec::new();
    }
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
            let Some((sentence, at)) = limit(&line, range) else { continue };
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
        OwnLine { text: text.get(at..from).unwrap_or(line), own: line }
    })
}

/// The sentence as it was written, and where in it the words were found.
fn limit<'t>(line: &OwnLine<'t>, range: Range<usize>) -> Option<(&'t str, usize)> {
    let at = found_in(line.own.get(range.clone())?)?;
    Some((line.text.get(range)?, at))
}

fn found_in(sentence: &str) -> Option<usize> {
    // Of ASCII alone: bytes stay where they are.
    let lower = sentence.to_ascii_lowercase();
    let Marks { limits, none, .. } = &*MARKS;
    if !MARKS.may_stand_in(&lower) {
        return None;
    }
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
    use super::{
        sentences::{LIMITS, NO_LIMITS},
        *,
    };

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
    fn prohibitions_of_both_languages_are_told_apart_from_what_sounds_so() {
        let missed: Vec<&str> =
            LIMITS.into_iter().filter(|text| limits_in(text).is_empty()).collect();
        assert!(missed.is_empty(), "{missed:#?}");
        let found: Vec<&str> =
            NO_LIMITS.into_iter().filter(|text| !limits_in(text).is_empty()).collect();
        assert!(found.is_empty(), "{found:#?}");
    }

    #[test]
    fn a_few_words_are_no_half_sentence() {
        let mark = Mark::of("leave … alone");
        let found = |sentence: &str| mark.all_in(sentence).collect::<Vec<_>>();
        let due = 3..17;
        assert_eq!(found("so leave it alone and go"), [due]);
        assert!(found("leave it, alone it is nothing").is_empty());
        assert!(found("leave it to aloneness").is_empty() && found("cleave it alone").is_empty());
        assert!(found(&format!("leave {} alone", "so ".repeat(20))).is_empty());
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
    fn of_the_longest_message_all_is_read() {
        let words = "날씨 이야기를 했다. ".repeat(MESSAGE_CHARS_MAX / 24 - 4);
        let limits =
            ["a.txt는 절대 지우지 마.", "b.txt는 절대 지우지 마.", "c.txt는 절대 지우지 마."];
        let between = format!(" {words}");
        let text = limits.join(between.as_str());
        assert!(text.chars().count() > MESSAGE_CHARS_MAX - 200 && text.len() > 32 * 1024);
        assert_eq!(limits_in(&text), limits);
        let one = format!("{} never touch b.txt", "so and so".repeat(MESSAGE_CHARS_MAX / 10));
        assert_eq!(limits_in(&one).len(), 1);
    }

    /// Each would take minutes if what is found in it were gone through for all else that is.
    #[test]
    fn a_message_full_of_such_words_is_read_in_time() {
        for (words, due) in [("i don't ", 0), ("지 마. ", MESSAGE_CHARS_MAX / 5), ("no ", 1)] {
            let count = MESSAGE_CHARS_MAX / words.chars().count();
            assert_eq!(limits_in(&words.repeat(count)).len(), due, "{words}");
        }
        let odd = ["!".repeat(MESSAGE_CHARS_MAX / 2), "no ".repeat(MESSAGE_CHARS_MAX / 6)].concat();
        assert_eq!(limits_in(&odd).len(), 1);
    }
}
