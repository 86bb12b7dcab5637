//! A source in one text, with its atoms: what passages and chunks are slices of.

use super::atom::{Atom, Count, Joint, Lines, atoms};
use crate::{
    source::{Part, PartKind, SourceText},
    text::normalized,
};
use std::ops::Range;

/// A longer heading is a paragraph, in Unicode scalar values.
const HEADING_CHARS_MAX: usize = 200;
/// And one beyond so many.
const HEADINGS_MAX: usize = 10_000;
/// Deeper headings count as this deep.
const LEVEL_MAX: u8 = 6;
/// Of a table's header where it stands before every piece of the table; of a longer one nothing is repeated.
const HEADER_TOKENS_MAX: usize = 80;

/// The whole text, and what each atom of it belongs to.
#[derive(Default)]
pub(crate) struct Layout {
    text: String,
    pub(crate) atoms: Vec<Atom>,
    /// For each atom.
    belongs: Vec<Belongs>,
    /// Headings from the outermost on.
    paths: Vec<Vec<String>>,
    headers: Vec<Header>,
}

/// What an atom stands in.
#[derive(Clone, Copy, Default)]
struct Belongs {
    path: Option<usize>,
    page: Option<u32>,
    header: Option<usize>,
}

/// The first row of a table.
struct Header {
    range: Range<usize>,
    tokens: usize,
}

/// What headings do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Headings {
    /// They bound sections, and are not part of the text.
    Bound,
    /// They are lines of the text.
    Inline,
}

impl Layout {
    pub(crate) fn of(source: &SourceText, headings: Headings, count: Count<'_>) -> Self {
        let mut writer = Writer::new(headings, count);
        source.parts.iter().for_each(|part| writer.part(part));
        writer.end_section(0);
        writer.layout
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The tokens of the header that stands before a piece which begins with this atom.
    pub(crate) fn header_tokens(&self, first: usize) -> usize {
        self.header(first).map_or(0, |header| header.tokens)
    }

    /// These atoms, with the header of the table that they begin in.
    pub(crate) fn slice(&self, atoms: &Range<usize>) -> String {
        let bounds = self.atoms.get(atoms.clone()).unwrap_or_default();
        let (Some(first), Some(last)) = (bounds.first(), bounds.last()) else {
            return String::new();
        };
        let text = self.text.get(first.range.start..last.range.end).unwrap_or_default();
        let text = text.trim_end().trim_start_matches('\n');
        match self.header(atoms.start) {
            Some(Header { range, .. }) => {
                let header = self.text.get(range.clone()).unwrap_or_default();
                format!("{}\n{text}", header.trim_end())
            }
            None => text.to_owned(),
        }
    }

    /// The headings over an atom.
    pub(crate) fn headings(&self, atom: usize) -> &[String] {
        let path = self.belongs.get(atom).and_then(|belongs| belongs.path);
        path.and_then(|path| self.paths.get(path)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn page(&self, atom: usize) -> Option<u32> {
        self.belongs.get(atom).and_then(|belongs| belongs.page)
    }

    fn header(&self, atom: usize) -> Option<&Header> {
        self.headers.get(self.belongs.get(atom)?.header?)
    }
}

struct Writer<'a> {
    layout: Layout,
    count: Count<'a>,
    headings: Headings,
    /// The headings over what comes next, each with its level.
    path: Vec<(u8, String)>,
    /// Nothing was written below the last heading, which stands on this page.
    bare: Option<Option<u32>>,
    /// The joint before what comes next, if that is no part like the one before.
    joint: Joint,
    before: Option<PartKind>,
    /// On which the last text stands.
    page: Option<u32>,
    header: Option<usize>,
}

impl<'a> Writer<'a> {
    fn new(headings: Headings, count: Count<'a>) -> Self {
        Self {
            layout: Layout::default(),
            count,
            headings,
            path: Vec::new(),
            bare: None,
            joint: Joint::Section,
            before: None,
            page: None,
            header: None,
        }
    }

    fn part(&mut self, part: &Part) {
        let text = normalized(&part.text);
        let text = text.trim_start_matches('\n');
        if text.trim().is_empty() {
            return;
        }
        if let PartKind::Heading(level) = part.kind {
            let heading = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_short = heading.chars().nth(HEADING_CHARS_MAX).is_none();
            if is_short && self.layout.paths.len() < HEADINGS_MAX {
                self.heading(level.clamp(1, LEVEL_MAX), heading, part.page);
                return;
            }
        }
        self.write(part.kind, text, part.page);
    }

    fn heading(&mut self, level: u8, heading: String, page: Option<u32>) {
        match self.headings {
            Headings::Bound => self.end_section(level),
            Headings::Inline => {}
        }
        self.path.retain(|(above, _)| *above < level);
        self.path.push((level, heading.clone()));
        let path = self.path.iter().map(|(_, heading)| heading.clone()).collect();
        self.layout.paths.push(path);
        (self.bare, self.joint, self.before) = (Some(page), Joint::Section, None);
        if self.headings == Headings::Inline {
            self.write(PartKind::Heading(level), &heading, page);
        }
    }

    /// A heading that stands over nothing, nor over another heading, is text itself: nothing is lost.
    fn end_section(&mut self, level: u8) {
        let Some(page) = self.bare else { return };
        let over = self.path.last().filter(|(above, _)| *above >= level);
        if let Some((_, heading)) = over.cloned() {
            self.write(PartKind::Paragraph, &heading, page);
        }
    }

    fn write(&mut self, kind: PartKind, text: &str, page: Option<u32>) {
        let is_like = self.before == Some(kind);
        let (gap, joint) = match kind {
            PartKind::Item | PartKind::Row if is_like => ("\n", Joint::Line),
            // What a paragraph begins goes on in its list.
            PartKind::Item | PartKind::Row if self.before == Some(PartKind::Paragraph) => {
                ("\n\n", Joint::Line)
            }
            _ => ("\n\n", self.joint),
        };
        let joint = if self.turns(page) { Joint::Section } else { joint };
        if !self.layout.text.is_empty() {
            self.extend_last(gap);
        }
        let from = self.layout.text.len();
        self.layout.text.push_str(text);
        let range = from..self.layout.text.len();
        let lines = if kind == PartKind::Code { Lines::Fixed } else { Lines::Flowing };
        let found = atoms((&self.layout.text, range.clone()), (joint, lines), self.count);
        let header = self.header.filter(|_| is_like && kind == PartKind::Row);
        let belongs = Belongs { path: self.layout.paths.len().checked_sub(1), page, header };
        self.layout.belongs.extend(std::iter::repeat_n(belongs, found.len()));
        if kind == PartKind::Row && !is_like {
            self.header = self.note_header(range, &found);
        }
        self.layout.atoms.extend(found);
        // A heading that is a line of the text stays with what it stands over.
        let is_heading = matches!(kind, PartKind::Heading(_));
        self.joint = if is_heading { Joint::Wrapped } else { Joint::Part };
        (self.bare, self.before) = (None, Some(kind));
    }

    /// Text of another page is a section of its own: a passage is cited by the page that its words stand on.
    fn turns(&mut self, page: Option<u32>) -> bool {
        let before = self.page;
        self.page = page.or(before);
        let is_other = page.is_some() && before.is_some() && before != page;
        is_other && self.headings == Headings::Bound
    }

    /// White space between two parts belongs to the one before.
    fn extend_last(&mut self, gap: &str) {
        self.layout.text.push_str(gap);
        if let Some(last) = self.layout.atoms.last_mut() {
            last.range.end = self.layout.text.len();
        }
    }

    fn note_header(&mut self, range: Range<usize>, atoms: &[Atom]) -> Option<usize> {
        let tokens = atoms.iter().map(|atom| atom.tokens).sum();
        if tokens > HEADER_TOKENS_MAX {
            return None;
        }
        self.layout.headers.push(Header { range, tokens });
        Some(self.layout.headers.len() - 1)
    }
}
