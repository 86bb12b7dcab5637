//! The tokens of one file with matched brackets, and what follows from them without a parser:
//! attributes, items of test code, paths.

use std::ops::Range;

use super::lexer::{Kind, Token};

pub struct Code<'a> {
    tokens: Vec<Token<'a>>,
    /// For each opening bracket the place of its closing one.
    partner: Vec<Option<usize>>,
}

/// `a::b::c` as written, use groups expanded; a lone word is a path too.
#[derive(Debug, PartialEq, Eq)]
pub struct PathUse<'a> {
    pub segments: Vec<&'a str>,
    pub line: usize,
}

const ITEM_WORDS: [&str; 14] = [
    "pub",
    "mod",
    "use",
    "fn",
    "struct",
    "enum",
    "impl",
    "trait",
    "const",
    "static",
    "type",
    "async",
    "unsafe",
    "macro_rules",
];

impl<'a> Code<'a> {
    pub fn new(tokens: Vec<Token<'a>>) -> Self {
        let mut partner = vec![None; tokens.len()];
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match (token.kind, token.text) {
                (Kind::Sign, "(" | "[" | "{") => open.push(at),
                (Kind::Sign, ")" | "]" | "}") => {
                    if let Some(slot) = open.pop().and_then(|from| partner.get_mut(from)) {
                        *slot = Some(at);
                    }
                }
                _ => {}
            }
        }
        Self { tokens, partner }
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    pub fn get(&self, at: usize) -> Option<Token<'a>> {
        self.tokens.get(at).copied()
    }

    /// The word or sign at a place; a literal has none, so that it matches nothing.
    pub fn text(&self, at: usize) -> &'a str {
        self.get(at).filter(|token| token.kind != Kind::Literal).map_or("", |token| token.text)
    }

    pub fn line(&self, at: usize) -> usize {
        self.get(at).or(self.tokens.last().copied()).map_or(1, |token| token.line)
    }

    /// The place of the bracket that closes the one at `at`.
    pub fn close(&self, at: usize) -> usize {
        self.partner.get(at).copied().flatten().unwrap_or(self.tokens.len())
    }

    /// Whether the words and signs from `at` on are these.
    pub fn matches(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(offset, &word)| self.text(at + offset) == word)
    }

    /// Every place where these words and signs stand in a row.
    pub fn find(&self, words: &[&str]) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(move |&at| self.matches(at, words))
    }

    pub fn without(&self, spans: &[Range<usize>]) -> Self {
        let kept = self.tokens.iter().enumerate();
        let kept = kept.filter(|(at, _)| !spans.iter().any(|span| span.contains(at)));
        Self::new(kept.map(|(_, &token)| token).collect())
    }

    /// The end of the item that begins at `at`: past its `;` or its braces.
    pub fn item_end(&self, mut at: usize) -> usize {
        while at < self.len() {
            match self.text(at) {
                ";" => return at + 1,
                "{" => return self.close(at) + 1,
                "(" | "[" => at = self.close(at) + 1,
                ")" | "]" | "}" => return at,
                _ => at += 1,
            }
        }
        self.len()
    }

    /// Past all attributes that begin at `at`.
    pub fn skip_attributes(&self, mut at: usize) -> usize {
        loop {
            if self.matches(at, &["#", "["]) {
                at = self.close(at + 1) + 1;
            } else if self.matches(at, &["#", "!", "["]) {
                at = self.close(at + 2) + 1;
            } else {
                return at;
            }
        }
    }

    /// Items under `#[cfg(test)]`, attribute included. Fields, arms and expressions
    /// under it are no test code: the rules hold for them.
    pub fn test_items(&self) -> Vec<Range<usize>> {
        let tests = self.find(&["#", "["]).filter(|&at| self.is_cfg_test(at + 2));
        let items = tests.filter_map(|at| {
            let item = self.skip_attributes(at);
            ITEM_WORDS.contains(&self.text(item)).then(|| at..self.item_end(item))
        });
        items.collect()
    }

    /// Whether the file as a whole is under `#![cfg(test)]`.
    pub fn is_all_test(&self) -> bool {
        self.find(&["#", "!", "["]).any(|at| self.is_cfg_test(at + 3))
    }

    fn is_cfg_test(&self, at: usize) -> bool {
        self.matches(at, &["cfg", "(", "test", ")"])
            || self.matches(at, &["cfg", "(", "all", "(", "test", ","])
    }

    /// Names of the modules declared `#[cfg(test)] mod name;`.
    pub fn test_modules(&self) -> Vec<&'a str> {
        let named = |span: Range<usize>| {
            let tail = span.end.checked_sub(3).filter(|&at| self.text(at) == "mod")?;
            (self.text(tail + 2) == ";").then(|| self.text(tail + 1))
        };
        self.test_items().into_iter().filter_map(named).collect()
    }

    /// Whether `pub`, or `pub(...)`, stands before the item word at `at`.
    pub fn is_public(&self, at: usize) -> bool {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.text(at));
        before(1) == "pub" || (before(1) == ")" && (3..=6).any(|back| before(back) == "pub"))
    }

    pub fn paths(&self) -> Vec<PathUse<'a>> {
        self.paths_where(|_| false)
    }

    /// The same without `use` and `mod` items, which are no code.
    pub fn paths_of_code(&self) -> Vec<PathUse<'a>> {
        self.paths_where(|at| matches!(self.text(at), "use" | "mod"))
    }

    fn paths_where(&self, skips: impl Fn(usize) -> bool) -> Vec<PathUse<'a>> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.len() {
            if skips(at) {
                // An inline module's code is code.
                at = if self.text(at) == "mod" { at + 2 } else { self.item_end_of_use(at) };
                continue;
            }
            let word = self.get(at).is_some_and(|token| token.kind == Kind::Word);
            at = if word { self.path_from(at, &[], &mut found) } else { at + 1 };
        }
        found
    }

    fn item_end_of_use(&self, at: usize) -> usize {
        (at..self.len()).find(|at| self.text(*at) == ";").map_or(self.len(), |end| end + 1)
    }

    /// Reads the path that goes on at `at` below `prefix`; answers the place past it.
    fn path_from(&self, mut at: usize, prefix: &[&'a str], found: &mut Vec<PathUse<'a>>) -> usize {
        let line = self.line(at);
        let mut segments = prefix.to_vec();
        segments.push(self.text(at));
        at += 1;
        while self.text(at) == "::" {
            match self.get(at + 1) {
                Some(next) if next.kind == Kind::Word || next.text == "*" => {
                    segments.push(next.text);
                    at += 2;
                }
                Some(next) if next.text == "{" => {
                    self.group(at + 1, &segments, found);
                    return self.close(at + 1) + 1;
                }
                Some(next) if next.text == "<" => at = self.angle_end(at + 1),
                _ => break,
            }
        }
        found.push(PathUse { segments, line });
        at
    }

    fn group(&self, open: usize, prefix: &[&'a str], found: &mut Vec<PathUse<'a>>) {
        let end = self.close(open);
        let mut at = open + 1;
        while at < end {
            at = match self.text(at) {
                "," => at + 1,
                "as" => at + 2,
                _ => self.path_from(at, prefix, found).max(at + 1),
            };
        }
    }

    /// Past the `>` that closes the `<` at `open`.
    pub fn angle_end(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        let mut at = open;
        while at < self.len() {
            match self.text(at) {
                "<" => depth += 1,
                ">" if depth <= 1 => return at + 1,
                ">" => depth -= 1,
                "(" | "[" | "{" => at = self.close(at),
                _ => {}
            }
            at += 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::*;

    fn code(text: &str) -> Code<'_> {
        Code::new(lex(text).tokens)
    }

    fn paths(text: &str) -> String {
        let paths = code(text).paths();
        let paths: Vec<_> = paths.iter().map(|path| path.segments.join("::")).collect();
        paths.join(" ")
    }

    #[test]
    fn use_groups_are_expanded() {
        assert_eq!(
            paths("use std::{fs, io::{self, Read}, env as e};"),
            "use std::fs std::io::self std::io::Read std::env"
        );
        assert_eq!(paths("gate :: open(base)"), "gate::open base");
        assert_eq!(paths("Vec::<u8>::new()"), "Vec::new");
    }

    #[test]
    fn test_items_end_where_the_item_ends() {
        let text = "fn a() {} #[cfg(test)] #[path = \"x\"] mod tests { fn b() {} } fn c() {}";
        let code = code(text);
        let left = code.without(&code.test_items());
        let words: Vec<_> = left.tokens.iter().map(|token| token.text).collect();
        assert_eq!(words.join(" "), "fn a ( ) { } fn c ( ) { }");
    }

    #[test]
    fn other_cfgs_are_not_test_code() {
        assert!(code("#[cfg(any(test, unix))] mod t { }").test_items().is_empty());
        assert!(code("#[cfg(feature = \"test\")] mod t { }").test_items().is_empty());
        assert_eq!(
            code("#[cfg(test)] mod tests; #[cfg(test)] fn f() {}").test_modules(),
            ["tests"]
        );
    }
}
