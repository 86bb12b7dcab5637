//! Standard output: texts for people, or JSON for programs.

use crate::failure::Failure;
use serde::Serialize;
use std::io::{self, IsTerminal as _, Write as _};
use unicode_width::UnicodeWidthStr as _;

#[derive(Debug, Clone, Copy)]
pub struct Output {
    json: bool,
    colour: bool,
    aside_colour: bool,
}

/// Text of others without what a terminal would obey: controls and direction marks.
pub fn harmless(text: &str) -> String {
    let obeyed = |c: char| {
        let mark = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}');
        mark || (c.is_control() && !matches!(c, '\n' | '\t'))
    };
    text.chars().map(|c| if obeyed(c) { '\u{fffd}' } else { c }).collect()
}

/// On standard error whatever standard output holds: a program's list is no less cut short.
pub fn note(text: &str) -> io::Result<()> {
    writeln!(io::stderr().lock(), "{text}")
}

/// What a terminal gives it: a wide character takes two columns, a mark above another none.
fn columns(text: &str) -> usize {
    harmless(text).width()
}

fn padded(text: &str, width: usize) -> String {
    let rest = width.saturating_sub(columns(text));
    format!("{}{}", harmless(text), " ".repeat(rest))
}

#[derive(Debug, Clone, Copy)]
pub enum Tone {
    Plain,
    Faint,
    Good,
    Doubtful,
    Bad,
}

impl Tone {
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "0",
            Self::Faint => "2",
            Self::Good => "32",
            Self::Doubtful => "33",
            Self::Bad => "31",
        }
    }
}

impl Output {
    /// Colours where a terminal shows them and `NO_COLOR` does not speak against it.
    pub fn new(json: bool) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let colour = wanted && io::stdout().is_terminal();
        Self { json, colour, aside_colour: wanted && io::stderr().is_terminal() }
    }

    pub const fn is_json(&self) -> bool {
        self.json
    }

    /// The document as one line of JSON; nothing where texts are wanted.
    pub fn document(&self, document: &impl Serialize) -> Result<(), Failure> {
        if !self.json {
            return Ok(());
        }
        let text = serde_json::to_string(document).map_err(io::Error::from)?;
        self.raw(&format!("{text}\n"))
    }

    /// A line for people; nothing where JSON is wanted.
    pub fn line(&self, text: &str) -> Result<(), Failure> {
        self.part(&format!("{text}\n"))
    }

    /// The same without an end: words of an answer as they come.
    pub fn part(&self, text: &str) -> Result<(), Failure> {
        if self.json { Ok(()) } else { self.raw(text) }
    }

    /// Beside the answer, on standard error: what a script does not read.
    pub fn aside(&self, text: &str) -> Result<(), Failure> {
        let mut err = io::stderr().lock();
        if self.json {
            return Ok(());
        }
        if self.aside_colour {
            return Ok(writeln!(err, "\x1b[{}m{text}\x1b[0m", Tone::Faint.code())?);
        }
        Ok(writeln!(err, "{text}")?)
    }

    /// A question; the answer is typed behind it.
    pub fn ask(&self, question: &str) -> Result<(), Failure> {
        let mut err = io::stderr().lock();
        write!(err, "{question} ")?;
        Ok(err.flush()?)
    }

    pub fn toned(&self, tone: Tone, text: &str) -> String {
        if !self.colour || matches!(tone, Tone::Plain) {
            return text.to_owned();
        }
        format!("\x1b[{}m{text}\x1b[0m", tone.code())
    }

    /// Columns are as wide as their longest cell; the last one holds free text.
    pub fn table<const N: usize>(
        &self,
        heads: [&str; N],
        rows: &[[String; N]],
    ) -> Result<(), Failure> {
        let widths = std::array::from_fn::<usize, N, _>(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column)).map(String::as_str);
            let all = cells.chain(heads.get(column).copied());
            all.map(columns).max().unwrap_or_default()
        });
        let joined = |cells: &[String]| {
            let padded = cells.iter().zip(widths).map(|(cell, width)| padded(cell, width));
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.line(&self.toned(Tone::Faint, &joined(&heads.map(str::to_owned))))?;
        rows.iter().try_for_each(|row| self.line(&joined(row)))
    }

    /// As it is, in either form: exports, keys, scripts.
    pub fn raw(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::{harmless, padded};

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(padded("답변 대기", 12), "답변 대기   ");
        assert_eq!(padded("pending", 12), "pending     ");
        assert_eq!(padded("e\u{301}", 2), "e\u{301} ");
    }

    #[test]
    fn a_terminal_obeys_nobody_elses_text() {
        assert_eq!(harmless("회의\n\t3시"), "회의\n\t3시");
        assert_eq!(harmless("a\u{1b}[2Jb\u{202e}c\r"), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}");
    }
}
