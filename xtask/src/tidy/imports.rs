//! The `use` items of a file.

use super::code::Code;

/// One name that a file brings in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import<'a> {
    /// As the file calls it.
    pub name: &'a str,
    pub path: Vec<&'a str>,
    pub line: usize,
    /// `pub`, in whatever scope.
    pub exported: bool,
}

pub fn imports<'a>(code: &Code<'a>) -> Vec<Import<'a>> {
    let mut found = Vec::new();
    for at in code.find(&["use"]) {
        let exported = code.is_public(at);
        tree(code, at + 1, &[], exported, &mut found);
    }
    found
}

/// Reads the tree that begins at `at`; answers the place past it.
fn tree<'a>(
    code: &Code<'a>,
    mut at: usize,
    prefix: &[&'a str],
    exported: bool,
    found: &mut Vec<Import<'a>>,
) -> usize {
    let line = code.line(at);
    let mut path = prefix.to_vec();
    loop {
        match code.text(at) {
            "{" => {
                let end = code.close(at);
                at += 1;
                while at < end {
                    at = match code.text(at) {
                        "," => at + 1,
                        _ => tree(code, at, &path, exported, found).max(at + 1),
                    };
                }
                return end + 1;
            }
            "::" => at += 1,
            // `a::{self}` is `a`.
            "self" if !path.is_empty() => at += 1,
            "as" => {
                let name = code.text(at + 1);
                found.push(Import { name, path, line, exported });
                return at + 2;
            }
            "," | ";" | "}" | "" => {
                if let Some(name) = path.last().copied().filter(|name| *name != "*") {
                    found.push(Import { name, path, line, exported });
                }
                return at;
            }
            word => {
                path.push(word);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::*;

    fn read(text: &str) -> String {
        let found = imports(&Code::new(lex(text).tokens));
        let one = |import: &Import<'_>| {
            let public = if import.exported { "pub " } else { "" };
            format!("{public}{}={}", import.name, import.path.join("::"))
        };
        found.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_and_paths() {
        assert_eq!(
            read("use a::b; pub use c::{D, e::{self, F as G}};"),
            "b=a::b pub D=c::D pub e=c::e pub G=c::e::F"
        );
        assert_eq!(read("pub(crate) use super::x::Y;"), "pub Y=super::x::Y");
        assert_eq!(read("use std::io::Write as _; use a::*;"), "_=std::io::Write");
    }
}
