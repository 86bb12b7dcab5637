//! How passages look in a text. Each begins with its number in brackets, and no text of a passage looks so.

use super::{
    hit::{PassageHit, has_slides},
    numbers::without_numbers,
};
use crate::{intent::Intent, sentence::one_line};
use std::fmt::Write as _;

/// Of a file's name or a heading, in Unicode scalar values.
const NAME_CHARS_MAX: usize = 120;
/// Behind the number and the file of a passage whose file is gone.
const STALE: &str = " (its file is gone)";

/// What stands around a passage's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PassageFormat {
    /// `[1] title › heading` on a line before the text.
    Simple,
    /// `[1] (file, p.N) title › heading`; of a presentation `slide N`.
    #[default]
    Ranked,
    /// `[1] (file, p.N) [score: 0.850] title › heading`.
    Debug,
    /// `- [1] (file, p.N) title › heading`: a list, for facts.
    List,
    /// A row for each: a table, for a comparison.
    Table,
    /// With section, rank and score: for an analysis.
    Detailed,
}

impl PassageFormat {
    pub const ALL: [Self; 6] =
        [Self::Simple, Self::Ranked, Self::Debug, Self::List, Self::Table, Self::Detailed];

    /// As commands name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Ranked => "ranked",
            Self::Debug => "debug",
            Self::List => "list",
            Self::Table => "table",
            Self::Detailed => "detailed",
        }
    }

    /// Seed 001 has `p.?` in these for a file without pages; the other ones name a page where there is one.
    const fn has_always_a_page(self) -> bool {
        match self {
            Self::Simple | Self::Ranked | Self::Debug => true,
            Self::List | Self::Table | Self::Detailed => false,
        }
    }

    /// By how a question wants to be answered, by rule: the same words give the same format.
    #[must_use]
    pub fn of_question(question: &str) -> Self {
        match Intent::of(question) {
            Some(Intent::Facts) => Self::List,
            Some(Intent::Comparison) => Self::Table,
            Some(Intent::Analysis) => Self::Detailed,
            Some(Intent::Conversation) | None => Self::Ranked,
        }
    }
}

/// Passages as they are shown, each with its rank, from 1.
pub(crate) fn render(format: PassageFormat, shown: &[(usize, &PassageHit)]) -> String {
    let numbered =
        shown.iter().zip(1..).map(|((rank, hit), number)| Numbered { number, rank: *rank, hit });
    let (begin, between) = match format {
        PassageFormat::Simple
        | PassageFormat::Ranked
        | PassageFormat::Debug
        | PassageFormat::Detailed => ("", "\n\n"),
        PassageFormat::List => ("", "\n"),
        PassageFormat::Table => ("| n | source | text |\n|---|---|---|\n", "\n"),
    };
    let passages: Vec<String> = numbered.map(|passage| passage.render(format)).collect();
    format!("{begin}{}", passages.join(between))
}

struct Numbered<'h> {
    number: usize,
    rank: usize,
    hit: &'h PassageHit,
}

impl Numbered<'_> {
    fn render(&self, format: PassageFormat) -> String {
        let Self { number, hit, .. } = self;
        let text = plain(&hit.text);
        match format {
            PassageFormat::Simple => format!("{}\n{text}", self.placed(format!("[{number}]"))),
            PassageFormat::Ranked => format!("{}\n{text}", self.placed(self.sourced(format))),
            PassageFormat::Debug => format!("{}\n{text}", self.placed(self.scored(format))),
            PassageFormat::List => {
                let head = self.placed(self.sourced(format));
                format!("- {head}\n  {}", text.replace('\n', "\n  "))
            }
            PassageFormat::Table => {
                let source = self.placed(self.source(format));
                format!("| [{number}] | {} | {} |", cell(&source), cell(&text))
            }
            PassageFormat::Detailed => format!("{}\n{text}", self.detailed(format)),
        }
    }

    fn source(&self, format: PassageFormat) -> String {
        let file = self.hit.file.as_deref().map_or_else(|| "unknown".to_owned(), name);
        match self.hit.page.as_deref() {
            Some(page) if self.hit.file.as_deref().is_some_and(has_slides) => {
                format!("{file}, slide {}", name(page))
            }
            Some(page) => format!("{file}, p.{}", name(page)),
            None if format.has_always_a_page() => format!("{file}, p.?"),
            None => file,
        }
    }

    fn sourced(&self, format: PassageFormat) -> String {
        format!("[{}] ({})", self.number, self.source(format))
    }

    /// Behind a header: two passages of one file may differ in nothing but their headings.
    fn placed(&self, mut header: String) -> String {
        header.push_str(self.stale());
        let path = self.path();
        if path.is_empty() { header } else { format!("{header} {path}") }
    }

    const fn stale(&self) -> &'static str {
        if self.hit.is_stale { STALE } else { "" }
    }

    /// The document's title and the headings, the outermost first.
    fn path(&self) -> String {
        let names = self.hit.title.iter().chain(&self.hit.headings);
        let mut names: Vec<String> =
            names.map(|text| name(text)).filter(|name| !name.is_empty()).collect();
        // A document often begins with its title.
        names.dedup();
        names.join(" › ")
    }

    fn scored(&self, format: PassageFormat) -> String {
        let mut header = self.sourced(format);
        if let Some(score) = self.hit.score.filter(|score| score.is_finite()) {
            let _ = write!(header, " [score: {score:.3}]");
        }
        header
    }

    fn detailed(&self, format: PassageFormat) -> String {
        let mut header = format!("{}{}", self.scored(format), self.stale());
        let path = self.path();
        if !path.is_empty() {
            let _ = write!(header, "\nsection: {path}");
        }
        let _ = write!(header, "\nrank: {}", self.rank);
        header
    }
}

/// In one line, and without a number in brackets.
fn name(text: &str) -> String {
    let line = one_line(text);
    let end = line.char_indices().nth(NAME_CHARS_MAX).map_or(line.len(), |(end, _)| end);
    without_numbers(line.get(..end).unwrap_or_default())
}

/// In one line of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', "<br>")
}

/// Without a number in brackets. Line ends are all `\n`.
fn plain(text: &str) -> String {
    let text = text.trim_end().trim_start_matches(['\r', '\n']).replace("\r\n", "\n");
    let ends = ['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    without_numbers(&text.replace(ends, "\n"))
}
