//! Makes paragraphs, headings and items of the lines of all pages.

use super::lines::Line;
use crate::document::{extract::Extract, refused::DocumentRefused};
use std::collections::BTreeMap;
use wiiiv_retrieval::PartKind;

/// Of the size of letters: lines further apart belong to different paragraphs.
const APART_SHARE: f64 = 1.9;
/// Of the body's size: what is written larger is a heading, if it is short.
const HEADING_SHARE: f64 = 1.15;
const HEADING_CHARS_MAX: usize = 150;
/// Sizes that differ by less are one.
const SAME_SHARE: f64 = 0.08;
/// A first line that begins further in begins a paragraph.
const INDENT_SHARE: f64 = 1.2;
/// Pages from which on what stands at the edge of most of them is no content.
const EDGE_PAGES_MIN: usize = 4;
/// Of a hundred lines: where so many end with a blank, a line that ends without one ends within a word.
const BLANK_ENDS_PERCENT_MIN: usize = 10;
/// Marks that an item of a list begins with.
const MARKS: [char; 14] = [
    '\u{2022}', '\u{25cf}', '\u{25cb}', '\u{25a0}', '\u{25a1}', '\u{25aa}', '\u{25ab}', '\u{2023}',
    '\u{2043}', '\u{25e6}', '\u{25b6}', '\u{25c6}', '\u{25c7}', '\u{f0b7}',
];

pub(super) fn write(pages: &[Vec<Line>], extract: &mut Extract<'_>) -> Result<(), DocumentRefused> {
    let sizes = Sizes::of(pages);
    let edges = Edges::of(pages);
    let blanks = ends_with_blanks(pages);
    for (number, lines) in (1_u32..).zip(pages) {
        extract.page = Some(number);
        let mut open: Option<Paragraph> = None;
        for (at, line) in lines.iter().enumerate() {
            if (at == 0 || at + 1 == lines.len()) && edges.has(&line.text) {
                continue;
            }
            match &mut open {
                Some(paragraph) if paragraph.goes_on(line) => paragraph.add(line, blanks),
                Some(_) | None => {
                    if let Some(paragraph) = open.replace(Paragraph::new(line)) {
                        paragraph.write(&sizes, extract)?;
                    }
                }
            }
        }
        if let Some(paragraph) = open {
            paragraph.write(&sizes, extract)?;
        }
    }
    Ok(())
}

struct Paragraph {
    text: String,
    first_from: f64,
    last: Line,
    /// Its widest line ends there.
    to: f64,
}

impl Paragraph {
    fn new(line: &Line) -> Self {
        let text = line.text.trim().to_owned();
        Self { text, first_from: line.from, last: line.clone(), to: line.to }
    }

    fn goes_on(&self, line: &Line) -> bool {
        let last = &self.last;
        let size = last.size.max(line.size).max(f64::MIN_POSITIVE);
        let down = last.across - line.across;
        let same = last.quarter == line.quarter
            && (last.size - line.size).abs() <= SAME_SHARE * size
            && (0.0..APART_SHARE * size).contains(&down);
        let dedented = is_item(&self.text) && self.first_from - line.from > size / 2.0;
        let ended = self.text.ends_with(['.', '!', '?', ':', '\u{3002}']);
        let indented = ended && line.from - last.from > INDENT_SHARE * size;
        let short = ended && self.to - last.to > 4.0 * size;
        same && !dedented && !indented && !short && !is_item(line.text.trim_start())
    }

    /// `blanks`: a line whose next one begins with a word ends with a blank.
    fn add(&mut self, line: &Line, blanks: bool) {
        let next = line.text.trim();
        let both = |is: fn(char) -> bool| self.text.ends_with(is) && next.starts_with(is);
        let joined = blanks && !self.last.text.ends_with(char::is_whitespace) && both(is_hangul);
        let joined = joined || both(is_unspaced);
        let parted = self.text.ends_with(['-', '\u{ad}'])
            && next.starts_with(char::is_lowercase)
            && self.text.trim_end_matches(['-', '\u{ad}']).ends_with(char::is_alphabetic);
        if parted {
            self.text.pop();
        } else if !joined {
            self.text.push(' ');
        }
        self.text.push_str(next);
        self.to = self.to.max(line.to);
        self.last = line.clone();
    }

    fn write(&self, sizes: &Sizes, extract: &mut Extract<'_>) -> Result<(), DocumentRefused> {
        let short = self.text.chars().nth(HEADING_CHARS_MAX).is_none();
        let kind = match sizes.heading(self.last.size).filter(|_| short) {
            Some(level) => PartKind::Heading(level),
            None if is_item(&self.text) => PartKind::Item,
            None => PartKind::Paragraph,
        };
        let text = match kind {
            PartKind::Item => self.text.trim_start_matches(MARKS).trim_start(),
            _ => &self.text,
        };
        extract.push(kind, text)
    }
}

/// By its mark or its number: `1.` and `(2)`.
fn is_item(text: &str) -> bool {
    if text.starts_with(MARKS) {
        return true;
    }
    let digits = text.trim_start_matches('(');
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let count = digits.len() - rest.len();
    (1..=3).contains(&count) && rest.starts_with(['.', ')']) && rest.chars().nth(1) == Some(' ')
}

/// Chinese and Japanese, which put no blanks between words. Korean does.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{3001}' | '\u{3002}')
}

/// Korean is divided at the end of a line between any two syllables.
fn is_hangul(c: char) -> bool {
    ('\u{ac00}'..='\u{d7a3}').contains(&c)
}

fn ends_with_blanks(pages: &[Vec<Line>]) -> bool {
    let lines = pages.iter().flatten();
    let blank = lines.clone().filter(|line| line.text.ends_with(char::is_whitespace)).count();
    blank > 0 && blank * 100 >= lines.count() * BLANK_ENDS_PERCENT_MIN
}

/// The size that most of the text has, and the larger ones.
struct Sizes {
    body: f64,
    /// In halves of a point, the largest first.
    headings: Vec<u32>,
}

impl Sizes {
    fn of(pages: &[Vec<Line>]) -> Self {
        let mut chars: BTreeMap<u32, usize> = BTreeMap::new();
        for line in pages.iter().flatten() {
            *chars.entry(halves(line.size)).or_default() += line.text.chars().count();
        }
        let body = chars.iter().max_by_key(|(_, count)| **count).map_or(0, |(size, _)| *size);
        let body = f64::from(body) / 2.0;
        let larger = chars.keys().rev().copied();
        let headings =
            larger.filter(|size| f64::from(*size) / 2.0 >= body * HEADING_SHARE).collect();
        Self { body, headings }
    }

    fn heading(&self, size: f64) -> Option<u8> {
        if size < self.body * HEADING_SHARE {
            return None;
        }
        let rank = self.headings.iter().position(|of| *of <= halves(size)).unwrap_or(2);
        Some(u8::try_from(rank.min(2)).unwrap_or(2) + 1)
    }
}

fn halves(size: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is brought within what fits before"
    )]
    let halves = (size * 2.0).round().clamp(0.0, 100_000.0) as u32;
    halves
}

/// What stands at the edge of most pages: numbers of pages, the document's name.
struct Edges(Vec<String>);

impl Edges {
    fn of(pages: &[Vec<Line>]) -> Self {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for lines in pages {
            let ends = [lines.first(), lines.last().filter(|_| lines.len() > 1)];
            for line in ends.into_iter().flatten() {
                *counts.entry(without_digits(&line.text)).or_default() += 1;
            }
        }
        let many = counts.into_iter().filter(|(_, count)| count * 2 > pages.len());
        if pages.len() < EDGE_PAGES_MIN {
            Self(Vec::new())
        } else {
            Self(many.map(|(text, _)| text).collect())
        }
    }

    fn has(&self, text: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&without_digits(text))
    }
}

fn without_digits(text: &str) -> String {
    text.trim().chars().filter(|c| !c.is_ascii_digit()).collect()
}
