//! Functions of a file: owner, arguments, result and length.

use std::ops::Range;

use super::code::Code;
use super::lexer::Kind;

pub struct Function<'a> {
    pub name: &'a str,
    /// The type of the `impl` around it.
    pub owner: Option<&'a str>,
    /// `pub`, not `pub(crate)` or less.
    pub public: bool,
    pub arguments: Range<usize>,
    pub result: Range<usize>,
    /// From the `fn` to the closing brace; none without a body.
    pub line_count: Option<usize>,
}

impl Function<'_> {
    /// Whether the first argument is some form of `self`.
    pub fn is_method(&self, code: &Code<'_>) -> bool {
        let mut first = self.arguments.clone().take_while(|&at| code.text(at) != ",");
        first.any(|at| code.text(at) == "self")
    }
}

pub fn functions<'a>(code: &Code<'a>) -> Vec<Function<'a>> {
    let owners = impls(code);
    let starts = code.find(&["fn"]).filter(|&at| {
        // `fn(u8) -> u8` is a type.
        code.get(at + 1).is_some_and(|token| token.kind == Kind::Word)
    });
    starts.map(|at| function(code, &owners, at)).collect()
}

fn function<'a>(code: &Code<'a>, owners: &[(Range<usize>, &'a str)], start: usize) -> Function<'a> {
    let mut at = start + 2;
    if code.text(at) == "<" {
        at = code.angle_end(at);
    }
    let arguments = at + 1..code.close(at);
    let after = arguments.end + 1;
    let end = (after..code.len()).find(|&at| matches!(code.text(at), "{" | ";"));
    let end = end.unwrap_or(code.len());
    let has_body = code.text(end) == "{";
    let line_count = has_body.then(|| code.line(code.close(end)) + 1 - code.line(start));
    let owner = owners.iter().rev().find(|(span, _)| span.contains(&start));
    Function {
        name: code.text(start + 1),
        owner: owner.map(|&(_, owner)| owner),
        public: is_public(code, start),
        arguments,
        result: after..end,
        line_count,
    }
}

fn is_public(code: &Code<'_>, start: usize) -> bool {
    let before =
        (0..start).rev().find(|&at| !matches!(code.text(at), "const" | "async" | "unsafe"));
    before.is_some_and(|at| code.text(at) == "pub")
}

/// The braces of every `impl` block and the type that it is for.
fn impls<'a>(code: &Code<'a>) -> Vec<(Range<usize>, &'a str)> {
    let items = code.find(&["impl"]).filter(|&at| {
        // Elsewhere `impl` is a type: `x: impl Read`, `-> impl Read`.
        let before = at.checked_sub(1).map_or("", |before| code.text(before));
        matches!(before, "" | ";" | "{" | "}" | "]" | "unsafe")
    });
    let block = |at: usize| {
        let mut next = at + 1;
        if code.text(next) == "<" {
            next = code.angle_end(next);
        }
        let mut owner = "";
        while next < code.len() && !matches!(code.text(next), "{" | "where") {
            match code.text(next) {
                "for" => owner = "",
                "<" => {
                    next = code.angle_end(next);
                    continue;
                }
                word if code.get(next).is_some_and(|token| token.kind == Kind::Word) => {
                    owner = word;
                }
                _ => {}
            }
            next += 1;
        }
        let open = (next..code.len()).find(|&at| code.text(at) == "{")?;
        Some((open..code.close(open), owner))
    };
    items.filter_map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::*;

    #[test]
    fn owners_and_lengths_are_read() {
        let text = "fn free<T: Into<U>>(a: impl Read) -> impl Write { \n }\n\
                    impl<T> Trait<T> for a::Kept<T> where T: X { fn one(&mut self) {} fn two(); }";
        let code = Code::new(lex(text).tokens);
        let found: Vec<_> = functions(&code)
            .into_iter()
            .map(|f| (f.name, f.owner, f.line_count, f.is_method(&code)))
            .collect();
        assert_eq!(
            found,
            [
                ("free", None, Some(2), false),
                ("one", Some("Kept"), Some(1), true),
                ("two", Some("Kept"), None, false),
            ]
        );
    }
}
