//! HTML: headings, paragraphs, items, rows and code of a page, without its menus and scripts.
//!
//! It reads tags as they come and builds no tree: its cost is bounded by the length of the page, however
//! deep the elements of a hostile one stand in each other.

mod dropped;
mod tags;

use super::{
    encoding::{declared, decoded},
    extract::Extract,
    format::position,
    limits::Limits,
    refused::{Damaged, DocumentRefused},
};
use dropped::{Dropped, Met};
use html5ever::{
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
    },
};
use std::{cell::RefCell, ops::Range};
use wiiiv_retrieval::{PartKind, SourceText};

/// Where a page says which encoding it is in, in bytes (the HTML standard's own bound).
const DECLARED_BYTES_MAX: usize = 1024;
/// An article that holds less of the page's text, in percent of its characters, is a teaser.
const ARTICLE_PERCENT_MIN: usize = 25;
/// The end of a line that the page asks for, among blanks that say nothing.
const BREAK: char = '\u{b}';

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<SourceText, DocumentRefused> {
    let text = text(bytes)?;
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    let tokenizer = Tokenizer::new(Sink(RefCell::new(Page::new(limits))), TokenizerOpts::default());
    // It stops where a script ends, which nobody runs.
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner().finish()
}

/// A page that says its encoding and is no UTF-8 is in it, if it can be.
fn text(bytes: &[u8]) -> Result<String, DocumentRefused> {
    let head = bytes.get(..DECLARED_BYTES_MAX.min(bytes.len())).unwrap_or_default();
    let head = head.to_ascii_lowercase();
    let label = || {
        let rest = head.get(position(&head, b"charset=")? + b"charset=".len()..)?;
        let rest = String::from_utf8_lossy(rest).into_owned();
        let rest = rest.trim_start_matches(['"', '\'', ' ']);
        let ends = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
        declared(bytes, rest.split(ends).next()?)
    };
    let marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if marked || std::str::from_utf8(bytes).is_ok() {
        return decoded(bytes);
    }
    label().map_or_else(|| decoded(bytes), Ok)
}

/// The tokenizer hands tokens to a shared reference.
struct Sink<'a>(RefCell<Page<'a>>);

impl TokenSink for Sink<'_> {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut page = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => return page.tag(&tag),
            Token::CharacterTokens(text) => page.text(&text),
            Token::DoctypeToken(_)
            | Token::CommentToken(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

struct Page<'a> {
    extract: Extract<'a>,
    /// The first one: nothing is collected behind it.
    refused: Option<DocumentRefused>,
    block: String,
    heading: Option<u8>,
    lists: usize,
    in_item: bool,
    /// Of `pre`.
    code: usize,
    tables: usize,
    row: Option<Vec<String>>,
    title: Option<String>,
    /// An element that is not read.
    dropped: Option<Dropped>,
    articles: usize,
    article_start: (usize, usize),
    article_parts: Vec<Range<usize>>,
    article_chars: usize,
}

impl<'a> Page<'a> {
    fn new(limits: &'a Limits) -> Self {
        Self {
            extract: Extract::new(limits),
            refused: None,
            block: String::new(),
            heading: None,
            lists: 0,
            in_item: false,
            code: 0,
            tables: 0,
            row: None,
            title: None,
            dropped: None,
            articles: 0,
            article_start: (0, 0),
            article_parts: Vec::new(),
            article_chars: 0,
        }
    }

    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        let met = self.dropped.as_mut().map(|dropped| dropped.meet(tag));
        if matches!(met, Some(Met::End | Met::Behind)) {
            self.dropped = None;
        }
        if matches!(met, None | Some(Met::Behind)) {
            match tag.kind {
                TagKind::StartTag if tags::is_dropped(tag) => {
                    self.dropped = Some(Dropped::new(name));
                }
                TagKind::StartTag => self.open(name),
                TagKind::EndTag => self.close(name),
            }
        }
        match tag.kind {
            TagKind::StartTag if !tag.self_closing => tags::raw(name),
            TagKind::StartTag | TagKind::EndTag => TokenSinkResult::Continue,
        }
    }

    fn text(&mut self, text: &str) {
        if self.dropped.is_some() || self.refused.is_some() {
            return;
        }
        match &mut self.title {
            Some(title) => title.push_str(text),
            None => self.block.push_str(text),
        }
    }

    fn open(&mut self, name: &str) {
        match name {
            "br" if self.code > 0 => self.block.push('\n'),
            "br" => self.block.push(BREAK),
            "title" => self.title = Some(String::new()),
            name if !tags::is_block(name) => {}
            name => {
                self.end_block();
                self.open_block(name);
            }
        }
    }

    fn open_block(&mut self, name: &str) {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.heading = name.strip_prefix('h').and_then(|level| level.parse().ok());
            }
            "ul" | "ol" | "dl" => self.lists += 1,
            "li" | "dd" => self.in_item = true,
            "dt" => self.in_item = false,
            "pre" => self.code += 1,
            "table" => self.tables += 1,
            "tr" if self.tables <= 1 => {
                self.end_row();
                self.row = Some(Vec::new());
            }
            "td" | "th" if self.tables <= 1 => {
                if let Some(row) = &mut self.row {
                    row.push(String::new());
                }
            }
            "article" | "main" => {
                if self.articles == 0 {
                    self.article_start = (self.extract.len(), self.extract.chars());
                }
                self.articles += 1;
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if name == "title" {
            if let Some(title) = self.title.take() {
                self.extract.title(&title);
            }
            return;
        }
        if !tags::is_block(name) {
            return;
        }
        self.end_block();
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading = None,
            "ul" | "ol" | "dl" => {
                self.lists = self.lists.saturating_sub(1);
                self.in_item = self.lists > 0;
            }
            "pre" => self.code = self.code.saturating_sub(1),
            "table" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.end_row();
                }
            }
            "tr" if self.tables <= 1 => self.end_row(),
            "article" | "main" => self.end_article(),
            _ => {}
        }
    }

    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        if let Some(cell) = self.row.as_mut().and_then(|row| row.last_mut()) {
            cell.push_str(&block.replace(BREAK, " "));
            cell.push(' ');
            return;
        }
        let kind = match self.heading {
            _ if self.code > 0 => PartKind::Code,
            Some(level) => PartKind::Heading(level),
            None if self.in_item => PartKind::Item,
            None => PartKind::Paragraph,
        };
        if self.code > 0 {
            return self.push(kind, &block);
        }
        let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines: Vec<String> = block.split(BREAK).map(line).collect();
        self.push(kind, &lines.join("\n"));
    }

    fn end_row(&mut self) {
        if let Some(row) = self.row.take()
            && self.refused.is_none()
        {
            self.refused = self.extract.row(row.iter().map(String::as_str)).err();
        }
    }

    fn end_article(&mut self) {
        // An end without a beginning ends nothing.
        let open = self.articles;
        self.articles = open.saturating_sub(1);
        if open == 1 {
            let (parts, chars) = self.article_start;
            self.article_parts.push(parts..self.extract.len());
            self.article_chars += self.extract.chars().saturating_sub(chars);
        }
    }

    fn push(&mut self, kind: PartKind, text: &str) {
        if self.refused.is_none() {
            self.refused = self.extract.push(kind, text).err();
        }
    }

    /// Where something that is not read has no end, it may have taken content along; a script takes but what is its own.
    fn finish(mut self) -> Result<SourceText, DocumentRefused> {
        self.end_block();
        self.end_row();
        if self.articles > 0 {
            self.articles = 1;
            self.end_article();
        }
        if let Some(refused) = self.refused {
            return Err(refused);
        }
        if self.dropped.is_some_and(|dropped| !dropped.is_raw()) {
            return Err(DocumentRefused::Damaged(Damaged::Other));
        }
        if self.article_chars * 100 >= self.extract.chars() * ARTICLE_PERCENT_MIN {
            self.article_parts.retain(|range| !range.is_empty());
            if !self.article_parts.is_empty() {
                self.extract.keep(&self.article_parts);
            }
        }
        self.extract.finish(DocumentRefused::Empty)
    }
}
