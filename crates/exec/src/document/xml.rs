//! Reads one part of a DOCX, PPTX or XLSX, element by element, with its nesting bounded.

use super::{
    limits::{Limits, within},
    refused::{Bound, Damaged, DocumentRefused},
};
use quick_xml::{
    Reader,
    events::{BytesRef, BytesStart, Event},
};
use std::io::BufRead;

/// One step through a part, in its order. An empty element is opened and closed.
pub(super) enum Node<'a> {
    Open(Element<'a>),
    Text(&'a str),
    /// By its name without a prefix.
    Close(&'a str),
}

/// An element with its attributes.
pub(super) struct Element<'a>(&'a BytesStart<'a>);

impl Element<'_> {
    /// Without a prefix: which letters stand before the colon is each program's choice.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// By its name without a prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.find(|key| key.rsplit(':').next() == Some(name))
    }

    /// The id of a relation, which has a prefix where the element's own id has none.
    pub(super) fn relation(&self) -> Option<String> {
        self.find(|key| key.split_once(':').is_some_and(|(_, name)| name == "id"))
    }

    /// On unless it says otherwise, as a switch without a value is.
    pub(super) fn is_on(&self) -> bool {
        let off = |value: String| matches!(value.as_str(), "0" | "false" | "off" | "none");
        !self.attribute("val").is_some_and(off)
    }

    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<String> {
        let mut attributes = self.0.attributes();
        let attributes = attributes.with_checks(false).flatten();
        let mut found = attributes.filter(|attribute| wanted(attribute.key.into_inner()));
        let value = found.next()?.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok()?;
        Some(value.into_owned())
    }
}

/// Calls `visit` for each step. A part with a DTD, where entities are declared, is refused: Office writes none,
/// and they are how a short part becomes an endless one.
pub(super) fn walk(
    source: impl BufRead,
    limits: &Limits,
    visit: &mut dyn FnMut(Node<'_>) -> Result<(), DocumentRefused>,
) -> Result<(), DocumentRefused> {
    let mut reader = Reader::from_reader(source);
    let mut buffer = Vec::new();
    let mut levels = 0_usize;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|_| DAMAGED)? {
            Event::Start(start) => {
                levels += 1;
                within(levels, limits.levels_max, Bound::Levels)?;
                visit(Node::Open(Element(&start)))?;
            }
            Event::Empty(start) => {
                let element = Element(&start);
                let name = element.name().to_owned();
                visit(Node::Open(element))?;
                visit(Node::Close(&name))?;
            }
            Event::End(end) => {
                levels = levels.saturating_sub(1);
                visit(Node::Close(end.local_name().into_inner()))?;
            }
            Event::Text(text) => visit(Node::Text(&text))?,
            Event::CData(text) => visit(Node::Text(&text))?,
            Event::GeneralRef(named) => {
                let mut bytes = [0; 4];
                visit(Node::Text(character(&named)?.encode_utf8(&mut bytes)))?;
            }
            Event::DocType(_) => return Err(DocumentRefused::HasDtd),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::Eof if levels == 0 => return Ok(()),
            Event::Eof => return Err(DAMAGED),
        }
    }
}

const DAMAGED: DocumentRefused = DocumentRefused::Damaged(Damaged::Office);

fn character(named: &BytesRef<'_>) -> Result<char, DocumentRefused> {
    if let Some(character) = named.resolve_char_ref().map_err(|_| DAMAGED)? {
        return Ok(character);
    }
    match &**named {
        "amp" => Ok('&'),
        "lt" => Ok('<'),
        "gt" => Ok('>'),
        "quot" => Ok('"'),
        "apos" => Ok('\''),
        _ => Err(DAMAGED),
    }
}
