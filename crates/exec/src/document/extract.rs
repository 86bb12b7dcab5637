//! Collects the parts of one document within its limits.

use super::{
    limits::{Limits, within},
    refused::{Bound, DocumentRefused},
};
use std::ops::Range;
use wiiiv_retrieval::{Part, PartKind, SourceText};

/// Between the cells of a row.
const CELLS: &str = " | ";
/// Of a title, in Unicode scalar values.
const TITLE_CHARS_MAX: usize = 300;

/// The parts of one document so far.
pub(super) struct Extract<'a> {
    limits: &'a Limits,
    title: Option<String>,
    parts: Vec<Part>,
    chars: usize,
    /// Of the parts that follow.
    pub(super) page: Option<u32>,
}

impl<'a> Extract<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self { limits, title: None, parts: Vec::new(), chars: 0, page: None }
    }

    pub(super) fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// The first one counts; one without a word is none.
    pub(super) fn title(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        if self.title.is_none() && !words.is_empty() {
            self.title = Some(words.join(" ").chars().take(TITLE_CHARS_MAX).collect());
        }
    }

    /// Adds a part; one without a word is left out.
    pub(super) fn push(&mut self, kind: PartKind, text: &str) -> Result<(), DocumentRefused> {
        let text = match kind {
            PartKind::Code => text.trim_matches('\n').trim_end(),
            PartKind::Heading(_) | PartKind::Paragraph | PartKind::Item | PartKind::Row => {
                text.trim()
            }
        };
        if text.chars().all(is_blank) {
            return Ok(());
        }
        let text: String = text.chars().filter(|c| is_written(*c)).collect();
        self.chars += text.chars().count();
        within(self.chars, self.limits.chars_max, Bound::Characters)?;
        within(self.parts.len() + 1, self.limits.parts_max, Bound::Parts)?;
        self.parts.push(Part { kind, text, page: self.page });
        Ok(())
    }

    /// Adds a row; cells at its end without a word are left out.
    pub(super) fn row<'c>(
        &mut self,
        cells: impl IntoIterator<Item = &'c str>,
    ) -> Result<(), DocumentRefused> {
        let mut row = String::new();
        let mut open = 0;
        for (at, cell) in cells.into_iter().enumerate() {
            open += usize::from(at > 0);
            let mut words = cell.split_whitespace();
            let Some(first) = words.next() else { continue };
            (0..open).for_each(|_| row.push_str(CELLS));
            open = 0;
            row.push_str(first);
            words.for_each(|word| {
                row.push(' ');
                row.push_str(word);
            });
            within(row.len(), self.limits.chars_max.saturating_mul(4), Bound::Characters)?;
        }
        self.push_row(&row)
    }

    /// A row that begins without a cell keeps its blank ones: its columns are those of the header.
    fn push_row(&mut self, row: &str) -> Result<(), DocumentRefused> {
        if row.chars().all(|c| is_blank(c) || c == '|') {
            return Ok(());
        }
        let text: String = row.chars().filter(|c| is_written(*c)).collect();
        self.push(PartKind::Row, &text)
    }

    /// Parts so far.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// Text so far, in Unicode scalar values.
    pub(super) fn chars(&self) -> usize {
        self.chars
    }

    /// Leaves the parts that stand in one of these ranges.
    pub(super) fn keep(&mut self, ranges: &[Range<usize>]) {
        let mut at = 0..;
        self.parts
            .retain(|_| at.next().is_some_and(|at| ranges.iter().any(|range| range.contains(&at))));
    }

    /// Everything; a document without a part is refused by `why`.
    pub(super) fn finish(self, why: DocumentRefused) -> Result<SourceText, DocumentRefused> {
        if self.parts.is_empty() {
            return Err(why);
        }
        Ok(SourceText::new(self.title, self.parts))
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || !is_written(c)
}

/// No control character but ends of lines and tabs, and no mark of a byte order.
fn is_written(c: char) -> bool {
    (!c.is_control() || matches!(c, '\n' | '\t')) && c != '\u{feff}'
}
