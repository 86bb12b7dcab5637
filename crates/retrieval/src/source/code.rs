//! Source code: definitions with their bodies, and what stands between blank lines.

use super::{Part, PartKind, SourceText};
use crate::text::normalized;

/// What a line begins with that goes on with the lines before it.
const CLOSES: [&str; 16] = [
    "}", ")", "]", ">", "else", "elif", "except", "finally", "catch", "rescue", "ensure", "end",
    "fi", "done", "esac", "then",
];
/// What a line begins with that belongs to the lines behind it.
const LEADS: [&str; 8] = ["//", "/*", "*", "#", "@", "--", ";", "["];

const RUST: &[&str] = &[
    "pub",
    "fn",
    "struct",
    "enum",
    "union",
    "trait",
    "impl",
    "mod",
    "type",
    "const",
    "static",
    "macro_rules!",
    "async",
    "unsafe",
    "extern",
];
const PYTHON: &[&str] = &["def", "class", "async", "if"];
const SCRIPT: &[&str] = &[
    "function",
    "class",
    "export",
    "const",
    "let",
    "var",
    "async",
    "interface",
    "type",
    "enum",
    "namespace",
    "declare",
    "abstract",
];
const GO: &[&str] = &["func", "type", "var", "const"];
const RUBY: &[&str] = &["def", "class", "module"];
const SHELL: &[&str] = &["function", "case", "if", "for", "while"];
const SQL: &[&str] =
    &["create", "alter", "insert", "update", "delete", "select", "with", "grant", "drop"];

/// Words that begin a definition; of other languages with braces any line may.
fn definitions(language: &str) -> Option<&'static [&'static str]> {
    match language.to_ascii_lowercase().as_str() {
        "rust" | "rs" => Some(RUST),
        "python" | "py" => Some(PYTHON),
        "javascript" | "js" | "jsx" | "typescript" | "ts" | "tsx" => Some(SCRIPT),
        "go" => Some(GO),
        "ruby" | "rb" => Some(RUBY),
        "shell" | "bash" | "sh" => Some(SHELL),
        "sql" => Some(SQL),
        _ => None,
    }
}

impl SourceText {
    /// Of source code: a part for each definition, and for what stands between blank lines without indentation. A
    /// language that is not known has its blank lines, and its lines without indentation behind a body.
    #[must_use]
    pub fn code(text: &str, language: &str) -> Self {
        let text = normalized(text);
        let lines: Vec<&str> = text.split('\n').collect();
        let starts = starts(&lines, definitions(language));
        let mut parts: Vec<Part> = Vec::new();
        let mut block = String::new();
        for (line, starts) in lines.into_iter().zip(starts) {
            if starts {
                parts.extend(part(&block));
                block.clear();
            }
            block.push_str(line);
            block.push('\n');
        }
        parts.extend(part(&block));
        Self::new(None, parts)
    }
}

fn part(block: &str) -> Option<Part> {
    let block = block.trim_matches('\n');
    (!block.is_empty()).then(|| Part::new(PartKind::Code, block))
}

/// Which lines begin a part.
fn starts(lines: &[&str], words: Option<&[&str]>) -> Vec<bool> {
    let mut begins = defines_or_leads(lines, words);
    let mut before = "";
    for (line, begins) in lines.iter().zip(&mut begins) {
        let is_apart = before.is_empty();
        let in_body = before.starts_with(char::is_whitespace) || closes(before);
        let ends_body = in_body && !leads(before);
        let is_outer = !line.is_empty() && !line.starts_with(char::is_whitespace);
        *begins = is_outer && !closes(line) && (is_apart || (*begins && ends_body));
        before = line;
    }
    begins
}

/// Lines that define something, and the comments and attributes right before them.
fn defines_or_leads(lines: &[&str], words: Option<&[&str]>) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::with_capacity(lines.len());
    let mut next = false;
    for line in lines.iter().rev() {
        next = if leads(line) { next } else { defines(line, words) };
        found.push(next);
    }
    found.reverse();
    found
}

fn defines(line: &str, words: Option<&[&str]>) -> bool {
    let Some(words) = words else { return !line.is_empty() };
    let first = line.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '!'))).next();
    let first = first.unwrap_or_default();
    words.iter().any(|word| word.eq_ignore_ascii_case(first))
}

/// Of a comment over several lines, those below the first are indented.
fn leads(line: &str) -> bool {
    LEADS.iter().any(|lead| line.starts_with(lead)) || line.trim_start().starts_with('*')
}

fn closes(line: &str) -> bool {
    CLOSES.iter().any(|close| {
        let is_word = close.starts_with(|c: char| c.is_ascii_alphabetic());
        let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        line.strip_prefix(close).is_some_and(|rest| !is_word || !goes_on(rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, language: &str) -> Vec<String> {
        SourceText::code(text, language).parts.into_iter().map(|part| part.text).collect()
    }

    #[test]
    fn a_definition_keeps_its_comments_and_its_body() {
        let text = "use a::b;\nuse c;\n\n/// One.\n#[must_use]\nfn one() {\n    a();\n\n    b();\n}\n\
                    // Two.\npub fn two() {\n}\nconst A: u8 = 1;\nconst B: u8 = 2;\n";
        assert_eq!(
            parts(text, "rust"),
            [
                "use a::b;\nuse c;",
                "/// One.\n#[must_use]\nfn one() {\n    a();\n\n    b();\n}",
                "// Two.\npub fn two() {\n}",
                "const A: u8 = 1;\nconst B: u8 = 2;",
            ]
        );
    }

    #[test]
    fn a_branch_goes_on_with_its_body() {
        let text =
            "def f():\n    if a:\n        b\n@c\ndef g():\n    d\ntry:\n    e\nexcept E:\n    f\n";
        assert_eq!(
            parts(text, "py"),
            [
                "def f():\n    if a:\n        b",
                "@c\ndef g():\n    d\ntry:\n    e\nexcept E:\n    f"
            ]
        );
        let unknown = "one {\n  a\n}\ntwo {\n  b\n}";
        assert_eq!(parts(unknown, "hcl"), ["one {\n  a\n}", "two {\n  b\n}"]);
        assert_eq!(parts("endpoint\n\nx", ""), ["endpoint", "x"]);
        let comment = "a();\n}\n/**\n * Doc.\n */\nfunction b() {\n}";
        assert_eq!(parts(comment, "js"), ["a();\n}", "/**\n * Doc.\n */\nfunction b() {\n}"]);
    }
}
