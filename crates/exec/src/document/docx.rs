//! DOCX: paragraphs by their styles, rows of tables, notes at the foot.

mod styles;

use super::{
    extract::Extract,
    package::Package,
    refused::DocumentRefused,
    xml::{Element, Node},
};
use styles::Styles;
use wiiiv_retrieval::PartKind;

/// What is not read: the older twin of a drawing, and instructions of fields.
const SKIPPED: [&str; 3] = ["Fallback", "instrText", "delText"];
/// Of a paragraph's own level: this one is the body.
const BODY_LEVEL: u8 = 9;

pub(super) fn read(
    package: &mut Package<'_>,
    main: &str,
    extract: &mut Extract<'_>,
) -> Result<(), DocumentRefused> {
    let relations = package.relations(main)?;
    let part = |kind: &str| {
        let mut found = relations.iter().filter(|relation| relation.kind == kind);
        found.next().map(|relation| relation.target.clone())
    };
    let styles = match part("styles").filter(|part| package.has(part)) {
        Some(part) => Styles::read(package, &part)?,
        None => Styles::default(),
    };
    let notes = ["footnotes", "endnotes"].into_iter().filter_map(part);
    for part in std::iter::once(main.to_owned()).chain(notes) {
        if part == main || package.has(&part) {
            let mut body = Body::new(&styles, extract);
            package.walk(&part, &mut |node| body.visit(node))?;
        }
    }
    Ok(())
}

/// A text with its properties; one in a drawing stands within another.
#[derive(Default)]
struct Paragraph {
    text: String,
    style: Option<String>,
    level: Option<u8>,
    listed: bool,
}

/// The row that a table is at.
#[derive(Default)]
struct Table {
    cells: Vec<String>,
    cell: String,
}

struct Body<'b, 'e> {
    styles: &'b Styles,
    extract: &'b mut Extract<'e>,
    paragraphs: Vec<Paragraph>,
    tables: Vec<Table>,
    /// Elements that are open within one that is not read.
    skipped: usize,
    in_run: bool,
    /// Within properties, `tab` and the like define and do not write.
    in_properties: usize,
    in_text: bool,
    hidden: bool,
}

impl<'b, 'e> Body<'b, 'e> {
    fn new(styles: &'b Styles, extract: &'b mut Extract<'e>) -> Self {
        Self {
            styles,
            extract,
            paragraphs: Vec::new(),
            tables: Vec::new(),
            skipped: 0,
            in_run: false,
            in_properties: 0,
            in_text: false,
            hidden: false,
        }
    }

    fn visit(&mut self, node: Node<'_>) -> Result<(), DocumentRefused> {
        match node {
            Node::Open(_) if self.skipped > 0 => self.skipped += 1,
            Node::Close(_) if self.skipped > 0 => self.skipped -= 1,
            Node::Open(element) => self.open(&element),
            Node::Text(text) if self.in_text && self.skipped == 0 => self.write(text),
            Node::Text(_) => {}
            Node::Close(name) => return self.close(name),
        }
        Ok(())
    }

    fn open(&mut self, element: &Element<'_>) {
        match element.name() {
            name if SKIPPED.contains(&name) => self.skipped = 1,
            "p" => {
                self.paragraphs.push(Paragraph::default());
                self.in_run = false;
            }
            "r" => (self.in_run, self.hidden) = (true, false),
            "t" => self.in_text = true,
            "tbl" => self.tables.push(Table::default()),
            "pPr" | "rPr" | "tblPr" | "sectPr" => self.in_properties += 1,
            name if self.in_properties > 0 => self.property(name, element),
            "tab" if self.in_run => self.write("\t"),
            "br" | "cr" if self.in_run => self.write("\n"),
            "noBreakHyphen" if self.in_run => self.write("-"),
            _ => {}
        }
    }

    fn property(&mut self, name: &str, element: &Element<'_>) {
        if name == "vanish" && self.in_run {
            self.hidden = element.is_on();
            return;
        }
        let Some(paragraph) = self.paragraphs.last_mut().filter(|_| !self.in_run) else { return };
        match name {
            "pStyle" => paragraph.style = element.attribute("val"),
            "outlineLvl" => {
                paragraph.level = element.attribute("val").and_then(|level| level.parse().ok());
            }
            "numId" => paragraph.listed = element.is_on(),
            _ => {}
        }
    }

    fn write(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut().filter(|_| !self.hidden) {
            paragraph.text.push_str(text);
        }
    }

    fn close(&mut self, name: &str) -> Result<(), DocumentRefused> {
        match name {
            "t" => self.in_text = false,
            "r" => (self.in_run, self.hidden) = (false, false),
            "pPr" | "rPr" | "tblPr" | "sectPr" => {
                self.in_properties = self.in_properties.saturating_sub(1);
            }
            "p" => return self.end_paragraph(),
            "tc" => {
                if let Some(table) = self.tables.last_mut() {
                    table.cells.push(std::mem::take(&mut table.cell));
                }
            }
            "tr" => return self.end_row(),
            "tbl" => drop(self.tables.pop()),
            _ => {}
        }
        Ok(())
    }

    fn end_paragraph(&mut self) -> Result<(), DocumentRefused> {
        let Some(paragraph) = self.paragraphs.pop() else { return Ok(()) };
        // One in a drawing stands in a run of the paragraph around it.
        self.in_run = !self.paragraphs.is_empty();
        if let Some(table) = self.tables.last_mut() {
            table.cell.push_str(&paragraph.text);
            table.cell.push(' ');
            return Ok(());
        }
        let kind = self.kind(&paragraph);
        if self.styles.is_title(paragraph.style.as_deref()) {
            self.extract.title(&paragraph.text);
        }
        self.extract.push(kind, &paragraph.text)
    }

    fn kind(&self, paragraph: &Paragraph) -> PartKind {
        let style = paragraph.style.as_deref();
        match paragraph.level {
            Some(level) if level < BODY_LEVEL => PartKind::Heading(level + 1),
            Some(_) | None => match self.styles.kind(style) {
                PartKind::Paragraph if paragraph.listed => PartKind::Item,
                kind => kind,
            },
        }
    }

    /// A row of a table in a cell is text of that cell.
    fn end_row(&mut self) -> Result<(), DocumentRefused> {
        let Some(table) = self.tables.last_mut() else { return Ok(()) };
        let cells = std::mem::take(&mut table.cells);
        let outer = self.tables.len().checked_sub(2).and_then(|at| self.tables.get_mut(at));
        match outer {
            Some(outer) => {
                cells.iter().for_each(|cell| outer.cell.push_str(cell));
                Ok(())
            }
            None => self.extract.row(cells.iter().map(String::as_str)),
        }
    }
}
