//! XLSX: sheets in their order, each with its name as a heading and its rows.

mod number;

use super::{
    extract::Extract,
    limits::within,
    package::Package,
    refused::{Bound, Damaged, DocumentRefused},
    xml::{Element, Node},
};
use number::Formats;
use wiiiv_retrieval::PartKind;

/// Columns that a row may leave blank before a cell; a cell farther away follows the one before it.
const BLANKS_MAX: usize = 256;

pub(super) fn read(
    package: &mut Package<'_>,
    main: &str,
    extract: &mut Extract<'_>,
) -> Result<(), DocumentRefused> {
    let (sheets, since_1904) = sheets(package, main)?;
    extract.limits().check_pages(sheets.len())?;
    let relations = package.relations(main)?;
    let part = |kind: &str| {
        let mut found = relations.iter().filter(|relation| relation.kind == kind);
        found.next().map(|relation| relation.target.clone())
    };
    let texts = match part("sharedStrings").filter(|part| package.has(part)) {
        Some(part) => shared(package, &part, extract.limits().chars_max)?,
        None => Vec::new(),
    };
    let formats = match part("styles").filter(|part| package.has(part)) {
        Some(part) => Formats::read(package, &part, since_1904)?,
        None => Formats::default(),
    };
    for Sheet { name, id } in sheets {
        let sheet = relations.iter().find(|relation| relation.id == id);
        let sheet = sheet.ok_or(DocumentRefused::Damaged(Damaged::Office))?;
        if sheet.kind != "worksheet" {
            continue;
        }
        let mut rows = Rows::new(&texts, &formats, &name, extract);
        package.walk(&sheet.target, &mut |node| rows.visit(node))?;
    }
    Ok(())
}

struct Sheet {
    name: String,
    id: String,
}

/// Those that are not hidden, and whether days are counted from 1904.
fn sheets(package: &mut Package<'_>, main: &str) -> Result<(Vec<Sheet>, bool), DocumentRefused> {
    let (mut sheets, mut since_1904) = (Vec::new(), false);
    package.walk(main, &mut |node| {
        let Node::Open(element) = node else { return Ok(()) };
        match element.name() {
            "sheet" => {
                let hidden = element.attribute("state").is_some_and(|state| state != "visible");
                let named = element.attribute("name").zip(element.relation());
                sheets.extend(named.filter(|_| !hidden).map(|(name, id)| Sheet { name, id }));
            }
            "workbookPr" => {
                let value = element.attribute("date1904");
                since_1904 = value.is_some_and(|value| value == "1" || value == "true");
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok((sheets, since_1904))
}

/// Texts that cells name by their number.
fn shared(
    package: &mut Package<'_>,
    part: &str,
    chars_max: u64,
) -> Result<Vec<String>, DocumentRefused> {
    let mut texts: Vec<String> = Vec::new();
    let (mut in_text, mut spoken, mut bytes) = (false, false, 0);
    package.walk(part, &mut |node| {
        match node {
            Node::Open(element) => match element.name() {
                "si" => texts.push(String::new()),
                // How the text is spoken.
                "rPh" => spoken = true,
                "t" => in_text = !spoken,
                _ => {}
            },
            Node::Text(text) if in_text => {
                bytes += text.len();
                within(bytes, chars_max.saturating_mul(4), Bound::Characters)?;
                if let Some(last) = texts.last_mut() {
                    last.push_str(text);
                }
            }
            Node::Text(_) => {}
            Node::Close("t") => in_text = false,
            Node::Close("rPh") => spoken = false,
            Node::Close(_) => {}
        }
        Ok(())
    })?;
    Ok(texts)
}

#[derive(Default)]
struct Cell {
    /// From zero, where it is said.
    column: Option<usize>,
    kind: String,
    style: usize,
    value: String,
}

struct Rows<'b, 'e> {
    texts: &'b [String],
    formats: &'b Formats,
    /// Of the sheet, until its first row.
    name: Option<&'b str>,
    extract: &'b mut Extract<'e>,
    row: Vec<String>,
    cell: Cell,
    in_value: bool,
    spoken: bool,
}

impl<'b, 'e> Rows<'b, 'e> {
    fn new(
        texts: &'b [String],
        formats: &'b Formats,
        name: &'b str,
        extract: &'b mut Extract<'e>,
    ) -> Self {
        let (row, cell) = (Vec::new(), Cell::default());
        Self {
            texts,
            formats,
            name: Some(name),
            extract,
            row,
            cell,
            in_value: false,
            spoken: false,
        }
    }

    fn visit(&mut self, node: Node<'_>) -> Result<(), DocumentRefused> {
        match node {
            Node::Open(element) => self.open(&element),
            Node::Text(text) if self.in_value => self.cell.value.push_str(text),
            Node::Text(_) => {}
            Node::Close("v" | "t") => self.in_value = false,
            Node::Close("rPh") => self.spoken = false,
            Node::Close("c") => self.end_cell(),
            Node::Close("row") => return self.end_row(),
            Node::Close(_) => {}
        }
        Ok(())
    }

    fn open(&mut self, element: &Element<'_>) {
        match element.name() {
            "row" => self.row.clear(),
            "c" => {
                let style = element.attribute("s").and_then(|style| style.parse().ok());
                self.cell = Cell {
                    column: element.attribute("r").and_then(|name| column(&name)),
                    kind: element.attribute("t").unwrap_or_default(),
                    style: style.unwrap_or_default(),
                    value: String::new(),
                };
            }
            "v" => self.in_value = true,
            "t" => self.in_value = !self.spoken,
            "rPh" => self.spoken = true,
            _ => {}
        }
    }

    fn end_cell(&mut self) {
        let Cell { column, kind, style, value } = std::mem::take(&mut self.cell);
        let text = match kind.as_str() {
            "s" => {
                let index = value.trim().parse::<usize>().ok();
                index.and_then(|index| self.texts.get(index)).cloned().unwrap_or_default()
            }
            "b" => if value.trim() == "1" { "TRUE" } else { "FALSE" }.to_owned(),
            "str" | "inlineStr" | "e" | "d" => value,
            _ => self.formats.shown(&value, style),
        };
        let column = column.filter(|column| *column <= self.row.len() + BLANKS_MAX);
        while column.is_some_and(|column| column > self.row.len()) {
            self.row.push(String::new());
        }
        self.row.push(text);
    }

    fn end_row(&mut self) -> Result<(), DocumentRefused> {
        let row = std::mem::take(&mut self.row);
        if row.iter().all(|cell| cell.trim().is_empty()) {
            return Ok(());
        }
        if let Some(name) = self.name.take() {
            self.extract.push(PartKind::Heading(1), name)?;
        }
        self.extract.row(row.iter().map(String::as_str))
    }
}

/// Of a cell's name: `AB12` is column 27.
fn column(name: &str) -> Option<usize> {
    let letters = name.bytes().take_while(u8::is_ascii_alphabetic);
    let number = letters.take(4).fold(0_usize, |number, letter| {
        number * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    number.checked_sub(1)
}
