//! Markdown: headings, paragraphs, items, tables and code. What stands within a line stays as it is written.

use super::{Part, PartKind, SourceText};
use crate::text::normalized;

/// Lines that a block of settings before the text may have.
const SETTINGS_LINES_MAX: usize = 200;

impl SourceText {
    /// Of Markdown. Its title is the one of its settings, or the first heading of level 1.
    #[must_use]
    pub fn markdown(text: &str) -> Self {
        let text = normalized(text);
        let lines: Vec<&str> = text.split('\n').collect();
        let mut reader = Reader::default();
        let mut at = reader.settings(&lines);
        while let Some(line) = lines.get(at) {
            at = reader.read(&lines, at, line);
        }
        reader.close();
        let first = |part: &&Part| part.kind == PartKind::Heading(1);
        let heading = reader.parts.iter().find(first).map(|part| part.text.clone());
        Self::new(reader.title.or(heading), reader.parts)
    }
}

#[derive(Default)]
struct Reader {
    title: Option<String>,
    parts: Vec<Part>,
    /// A paragraph or an item that the next line may go on with.
    open: Option<Part>,
    /// It has a second line: looked for in its text, each line would cost the whole of the first.
    goes_on: bool,
}

impl Reader {
    /// The settings before the text; answers the line behind them.
    fn settings(&mut self, lines: &[&str]) -> usize {
        let Some((&"---", rest)) = lines.split_first() else { return 0 };
        let mut ends = rest.iter().take(SETTINGS_LINES_MAX);
        let Some(end) = ends.position(|line| matches!(*line, "---" | "...")) else { return 0 };
        let settings = rest.get(..end).unwrap_or_default();
        let title = settings.iter().find_map(|line| line.strip_prefix("title:"));
        let title = title.map(|title| title.trim().trim_matches(['"', '\'']).trim());
        self.title = title.filter(|title| !title.is_empty()).map(str::to_owned);
        self.push(PartKind::Code, &settings.join("\n"));
        end + 2
    }

    /// Reads the line; answers the one behind what was read.
    fn read(&mut self, lines: &[&str], at: usize, line: &str) -> usize {
        let next = at + 1;
        if line.is_empty() {
            self.close();
        } else if let Some(fence) = Fence::opening(line) {
            return self.code(lines, at, fence);
        } else if let Some((level, text)) = heading(line) {
            self.close();
            self.push(PartKind::Heading(level), text);
        } else if let Some(level) = self.underline(line) {
            if let Some(part) = self.open.take() {
                self.push(PartKind::Heading(level), part.text.trim());
            }
        } else if is_rule(line) {
            self.close();
        } else if line.contains('|') && lines.get(next).is_some_and(|next| is_delimiter(next)) {
            return self.table(lines, at);
        } else if is_item(line) {
            self.begin(PartKind::Item, line);
        } else if let Some(part) = &mut self.open {
            part.text.push('\n');
            part.text.push_str(line);
            self.goes_on = true;
        } else {
            self.begin(PartKind::Paragraph, line);
        }
        next
    }

    fn push(&mut self, kind: PartKind, text: &str) {
        if !text.trim().is_empty() {
            self.parts.push(Part::new(kind, text));
        }
    }

    fn begin(&mut self, kind: PartKind, line: &str) {
        self.close();
        (self.open, self.goes_on) = (Some(Part::new(kind, line)), false);
    }

    fn close(&mut self) {
        self.parts.extend(self.open.take());
    }

    /// A line below a paragraph of one line, which makes it a heading.
    fn underline(&self, line: &str) -> Option<u8> {
        let is_paragraph = |part: &Part| part.kind == PartKind::Paragraph;
        if self.goes_on || !self.open.as_ref().is_some_and(is_paragraph) {
            return None;
        }
        let all = |sign: char| line.len() > 1 && line.chars().all(|c| c == sign);
        if all('=') {
            Some(1)
        } else if all('-') {
            Some(2)
        } else {
            None
        }
    }

    fn code(&mut self, lines: &[&str], at: usize, fence: Fence) -> usize {
        self.close();
        let rest = lines.get(at + 1..).unwrap_or_default();
        let end = rest.iter().position(|line| fence.closes(line)).map_or(rest.len(), |end| end + 1);
        let end = at + 1 + end;
        self.push(PartKind::Code, &lines.get(at..end).unwrap_or_default().join("\n"));
        end
    }

    /// The line that parts the header from its rows stays with the header.
    fn table(&mut self, lines: &[&str], at: usize) -> usize {
        self.close();
        let header = lines.get(at..at + 2).unwrap_or_default();
        self.push(PartKind::Row, &header.join("\n"));
        let rest = lines.get(at + 2..).unwrap_or_default();
        let rows = rest.iter().take_while(|line| line.contains('|'));
        let mut end = at + 2;
        for row in rows {
            self.push(PartKind::Row, row);
            end += 1;
        }
        end
    }
}

/// Three or more of one sign before code.
#[derive(Clone, Copy)]
struct Fence {
    sign: char,
    length: usize,
}

impl Fence {
    fn opening(line: &str) -> Option<Self> {
        let line = line.trim_start();
        let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = line.chars().take_while(|c| *c == sign).count();
        let info = line.get(length..).unwrap_or_default();
        (length >= 3 && !(sign == '`' && info.contains('`'))).then_some(Self { sign, length })
    }

    fn closes(self, line: &str) -> bool {
        let line = line.trim_start();
        line.chars().count() >= self.length && line.chars().all(|c| c == self.sign)
    }
}

fn heading(line: &str) -> Option<(u8, &str)> {
    let text = line.strip_prefix("   ").or(line.strip_prefix("  ")).or(line.strip_prefix(' '));
    let text = text.unwrap_or(line);
    let rest = text.trim_start_matches('#');
    let level =
        u8::try_from(text.len() - rest.len()).ok().filter(|level| (1..=6).contains(level))?;
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    let rest = rest.trim();
    let closed = rest.trim_end_matches('#');
    let is_closed = closed.is_empty() || closed.ends_with([' ', '\t']);
    Some((level, if is_closed { closed.trim_end() } else { rest }))
}

/// Three or more of one sign, which part what stands before from what stands behind.
fn is_rule(line: &str) -> bool {
    let mut signs = line.chars().filter(|c| !c.is_whitespace());
    let Some(sign) = signs.next().filter(|c| matches!(c, '-' | '*' | '_')) else { return false };
    let mut count = 1;
    signs.all(|c| {
        count += 1;
        c == sign
    }) && count >= 3
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = line.len() - behind.len();
    let is_mark = |c: char| match digits {
        0 => matches!(c, '-' | '*' | '+' | '•'),
        1..=9 => matches!(c, '.' | ')'),
        _ => false,
    };
    behind.strip_prefix(is_mark).is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// `|---|:--:|`, the line below a table's header.
fn is_delimiter(line: &str) -> bool {
    line.contains('|')
        && line.contains('-')
        && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(text: &str, expect: Expect) {
        let SourceText { title, parts, .. } = SourceText::markdown(text);
        let lines = parts.iter().map(|part| format!("{:?} {:?}\n", part.kind, part.text));
        expect.assert_eq(&format!("title {title:?}\n{}", lines.collect::<String>()));
    }

    #[test]
    fn every_kind_of_block() {
        let text = "---\ntitle: \"휴가 정책\"\n---\n# 휴가 #\nFirst line\nsecond.\n\nSetext\n---\n- one\n  more\n\
                    - two\n\n1. eins\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n***\n```rust\n# no heading\n\n\
                    fn a() {}\n```\n#hash is text\n~~~\nnever closed";
        check(
            text,
            expect![[r##"
                title Some("휴가 정책")
                Code "title: \"휴가 정책\""
                Heading(1) "휴가"
                Paragraph "First line\nsecond."
                Heading(2) "Setext"
                Item "- one\n  more"
                Item "- two"
                Item "1. eins"
                Row "| a | b |\n|---|---|"
                Row "| 1 | 2 |"
                Row "| 3 | 4 |"
                Code "```rust\n# no heading\n\nfn a() {}\n```"
                Paragraph "#hash is text"
                Code "~~~\nnever closed"
            "##]],
        );
    }

    #[test]
    fn what_only_looks_so_is_text() {
        check(
            "a\nb\n---\nc | d\n\n#\n\n---\n2024.12\n** bold\n",
            expect![[r#"
                title None
                Paragraph "a\nb"
                Paragraph "c | d"
                Paragraph "2024.12\n** bold"
            "#]],
        );
        check(
            "# Title C# #\n ####### seven",
            expect![[r##"
                title Some("Title C#")
                Heading(1) "Title C#"
                Paragraph " ####### seven"
            "##]],
        );
    }
}
