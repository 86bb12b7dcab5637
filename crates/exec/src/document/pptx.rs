//! PPTX: slides in their order, each with its title, items, tables and notes.

use super::{
    extract::Extract,
    package::{Package, Relation},
    refused::{Damaged, DocumentRefused},
    xml::{Element, Node},
};
use wiiiv_retrieval::PartKind;

pub(super) fn read(
    package: &mut Package<'_>,
    main: &str,
    extract: &mut Extract<'_>,
) -> Result<(), DocumentRefused> {
    let mut ids = Vec::new();
    package.walk(main, &mut |node| {
        if let Node::Open(element) = node
            && element.name() == "sldId"
        {
            ids.extend(element.relation());
        }
        Ok(())
    })?;
    extract.limits().check_pages(ids.len())?;
    let relations = package.relations(main)?;
    for (number, id) in (1_u32..).zip(ids) {
        let slide = relations.iter().find(|relation| relation.id == id);
        let slide = slide.ok_or(DocumentRefused::Damaged(Damaged::Office))?;
        extract.page = Some(number);
        let shown = shapes(package, &slide.target, Part::Slide, extract)?;
        let notes: Option<Relation> = if shown {
            package.relations(&slide.target)?.into_iter().find(|of| of.kind == "notesSlide")
        } else {
            None
        };
        if let Some(notes) = notes.filter(|notes| package.has(&notes.target)) {
            shapes(package, &notes.target, Part::Notes, extract)?;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Slide,
    Notes,
}

/// Whether the slide is shown: one that is hidden is left out, as those who look at it do not see it.
fn shapes(
    package: &mut Package<'_>,
    part: &str,
    of: Part,
    extract: &mut Extract<'_>,
) -> Result<bool, DocumentRefused> {
    let mut slide = Slide {
        part: of,
        extract,
        shape: Shape::default(),
        row: None,
        in_text: false,
        shown: true,
    };
    package.walk(part, &mut |node| slide.visit(node))?;
    Ok(slide.shown)
}

/// What the paragraphs of a shape are, by what it stands in for.
#[derive(Default)]
struct Shape {
    stands_for: Option<String>,
    hidden: bool,
    text: String,
    /// The paragraph has no mark of an item.
    unmarked: bool,
}

struct Slide<'b, 'e> {
    part: Part,
    extract: &'b mut Extract<'e>,
    shape: Shape,
    /// Cells of the row that a table is at.
    row: Option<Vec<String>>,
    in_text: bool,
    shown: bool,
}

impl Slide<'_, '_> {
    fn visit(&mut self, node: Node<'_>) -> Result<(), DocumentRefused> {
        match node {
            Node::Open(element) => self.open(&element),
            Node::Text(text) if self.in_text => self.shape.text.push_str(text),
            Node::Text(_) => {}
            Node::Close(name) => return self.close(name),
        }
        Ok(())
    }

    fn open(&mut self, element: &Element<'_>) {
        let is = |name: &str, value: &str| element.attribute(name).is_some_and(|of| of == value);
        match element.name() {
            "sld" => self.shown = !is("show", "0") && !is("show", "false"),
            "sp" | "graphicFrame" => self.shape = Shape::default(),
            "cNvPr" => self.shape.hidden = is("hidden", "1") || is("hidden", "true"),
            // A place without a type is one for the content.
            "ph" => self.shape.stands_for = element.attribute("type").or(Some("obj".to_owned())),
            "p" => {
                self.shape.text.clear();
                self.shape.unmarked = false;
            }
            "buNone" => self.shape.unmarked = true,
            "t" => self.in_text = true,
            "br" => self.shape.text.push('\n'),
            "tab" => self.shape.text.push('\t'),
            "tr" => self.row = Some(Vec::new()),
            "tc" => {
                if let Some(row) = &mut self.row {
                    row.push(String::new());
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) -> Result<(), DocumentRefused> {
        match name {
            "t" => self.in_text = false,
            "p" => return self.end_paragraph(),
            "tr" => {
                let row = self.row.take().filter(|_| self.shown).unwrap_or_default();
                return self.extract.row(row.iter().map(String::as_str));
            }
            // What follows the shape is of no shape.
            "sp" | "graphicFrame" => self.shape = Shape::default(),
            _ => {}
        }
        Ok(())
    }

    fn end_paragraph(&mut self) -> Result<(), DocumentRefused> {
        let text = std::mem::take(&mut self.shape.text);
        if let Some(cell) = self.row.as_mut().and_then(|row| row.last_mut()) {
            cell.push_str(&text);
            cell.push(' ');
            return Ok(());
        }
        let stands_for = self.shape.stands_for.as_deref();
        let kind = match (self.part, stands_for) {
            (_, Some("sldNum" | "dt" | "ftr" | "hdr" | "sldImg")) => return Ok(()),
            (Part::Notes, Some("body")) => PartKind::Paragraph,
            (Part::Notes, Some(_) | None) => return Ok(()),
            (Part::Slide, Some("title" | "ctrTitle")) => PartKind::Heading(1),
            (Part::Slide, Some("subTitle") | None) => PartKind::Paragraph,
            (Part::Slide, Some(_)) if self.shape.unmarked => PartKind::Paragraph,
            (Part::Slide, Some(_)) => PartKind::Item,
        };
        if self.shape.hidden || !self.shown { Ok(()) } else { self.extract.push(kind, &text) }
    }
}
