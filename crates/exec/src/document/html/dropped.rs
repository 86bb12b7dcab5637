//! An element that is not read, and where it ends: the end of some may be left out.

use super::tags::{is_block, is_scope, may_omit_end, raw};
use html5ever::tokenizer::{Tag, TagKind, TokenSinkResult};

/// What a tag is to an element that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Met {
    Inside,
    /// Its own end.
    End,
    /// It has ended before this tag, which is read.
    Behind,
}

#[derive(Debug)]
pub(super) struct Dropped {
    name: String,
    /// How often it stands open in itself.
    open: usize,
    /// Of one whose end may be left out: the elements in it that end nothing but themselves.
    inner: Vec<String>,
}

impl Dropped {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), open: 1, inner: Vec::new() }
    }

    /// It holds no tags: what stands behind it without its end is its own by the standard.
    pub(super) fn is_raw(&self) -> bool {
        !matches!(raw(&self.name), TokenSinkResult::Continue)
    }

    /// Reads on. What closes itself opens nothing.
    pub(super) fn meet(&mut self, tag: &Tag) -> Met {
        let name = &*tag.name;
        match tag.kind {
            TagKind::StartTag if tag.self_closing => Met::Inside,
            TagKind::StartTag if may_omit_end(&self.name) => self.start(name),
            TagKind::StartTag => {
                self.open += usize::from(self.name == name);
                Met::Inside
            }
            TagKind::EndTag if may_omit_end(&self.name) => self.end(name),
            TagKind::EndTag => {
                self.open -= usize::from(self.name == name);
                if self.open == 0 { Met::End } else { Met::Inside }
            }
        }
    }

    fn start(&mut self, name: &str) -> Met {
        if self.inner.is_empty() && ends_at_start(&self.name, name) {
            return Met::Behind;
        }
        if is_scope(name) {
            self.inner.push(name.to_owned());
        }
        Met::Inside
    }

    /// Linear over all tags: what is looked through is taken away, or the whole ends.
    fn end(&mut self, name: &str) -> Met {
        if self.inner.is_empty() && self.name == name {
            return Met::End;
        }
        if self.inner.is_empty() && ends_at_end(&self.name, name) {
            return Met::Behind;
        }
        if !is_scope(name) {
            return Met::Inside;
        }
        match self.inner.iter().rposition(|open| open == name) {
            Some(at) => {
                self.inner.truncate(at);
                Met::Inside
            }
            None => Met::Behind,
        }
    }
}

fn ends_at_start(dropped: &str, name: &str) -> bool {
    let is_group = matches!(name, "thead" | "tbody" | "tfoot");
    match dropped {
        "p" => is_block(name) || matches!(name, "nav" | "aside" | "footer" | "menu" | "dialog"),
        "li" => name == "li",
        "dt" | "dd" => matches!(name, "dt" | "dd"),
        "td" | "th" => is_group || matches!(name, "tr" | "td" | "th"),
        "caption" | "tr" => is_group || name == "tr",
        "thead" | "tbody" | "tfoot" => is_group,
        "option" => matches!(name, "option" | "optgroup"),
        _ => false,
    }
}

/// At the end of what it stands in, whose own end may be left out.
fn ends_at_end(dropped: &str, name: &str) -> bool {
    let is_group = matches!(name, "thead" | "tbody" | "tfoot");
    match dropped {
        "p" => is_block(name),
        "td" | "th" => is_group || name == "tr",
        "tr" => is_group,
        _ => false,
    }
}
