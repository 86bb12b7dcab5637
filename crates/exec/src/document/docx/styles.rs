//! What a style makes of a paragraph: a heading, an item, code.

use crate::document::{
    package::Package,
    refused::DocumentRefused,
    xml::{Element, Node},
};
use std::collections::BTreeMap;
use wiiiv_retrieval::PartKind;

/// Styles that one may rest on, one upon the other.
const BASES_MAX: usize = 10;
/// Of an outline, from zero.
const LEVELS: u8 = 9;

/// The styles of one document by their ids, which each language of Office chooses otherwise.
#[derive(Default)]
pub(super) struct Styles(BTreeMap<String, Style>);

#[derive(Default)]
struct Style {
    /// In lower case; of those that Office brings it is English in every language.
    name: String,
    base: Option<String>,
    level: Option<u8>,
    listed: bool,
}

impl Styles {
    pub(super) fn read(package: &mut Package<'_>, part: &str) -> Result<Self, DocumentRefused> {
        let mut styles = BTreeMap::new();
        let mut open: Option<(String, Style)> = None;
        package.walk(part, &mut |node| {
            match node {
                Node::Open(element) if element.name() == "style" => {
                    open = element.attribute("styleId").map(|id| (id, Style::default()));
                }
                Node::Open(element) => {
                    if let Some((_, style)) = &mut open {
                        style.take(&element);
                    }
                }
                Node::Close("style") => styles.extend(open.take()),
                Node::Close(_) | Node::Text(_) => {}
            }
            Ok(())
        })?;
        Ok(Self(styles))
    }

    pub(super) fn is_title(&self, id: Option<&str>) -> bool {
        id.and_then(|id| self.0.get(id)).is_some_and(|style| style.name == "title")
    }

    /// Of a paragraph of this style, else of those that it rests on.
    pub(super) fn kind(&self, id: Option<&str>) -> PartKind {
        let mut next = id.and_then(|id| self.0.get(id));
        for _ in 0..BASES_MAX {
            let Some(style) = next else { break };
            match style.kind() {
                PartKind::Paragraph => {}
                kind => return kind,
            }
            next = style.base.as_ref().and_then(|base| self.0.get(base));
        }
        PartKind::Paragraph
    }
}

impl Style {
    fn take(&mut self, element: &Element<'_>) {
        let value = || element.attribute("val");
        match element.name() {
            "name" => self.name = value().unwrap_or_default().to_lowercase(),
            "basedOn" => self.base = value(),
            "outlineLvl" => self.level = value().and_then(|level| level.parse().ok()),
            "numId" => self.listed = element.is_on(),
            _ => {}
        }
    }

    fn kind(&self) -> PartKind {
        let numbered = || self.name.strip_prefix("heading ")?.parse::<u8>().ok()?.checked_sub(1);
        if self.name == "title" {
            return PartKind::Heading(1);
        }
        if let Some(level) = self.level.or_else(numbered).filter(|level| *level < LEVELS) {
            return PartKind::Heading(level + 1);
        }
        let codes = ["code", "preformatted", "\u{cf54}\u{b4dc}"];
        if codes.iter().any(|code| self.name.contains(code)) {
            return PartKind::Code;
        }
        let listed =
            self.listed || (self.name.starts_with("list ") && self.name != "list paragraph");
        if listed { PartKind::Item } else { PartKind::Paragraph }
    }
}
