//! Bounds on a text before Cedar parses it: its parser and its checks recurse.

use super::fault::{RuleFault, RuleFaultCode};

/// Brackets within brackets.
const DEPTH_MAX: usize = 24;
/// Tokens of one rule, about: each operator makes its tree one deeper.
const OPERATORS_MAX: usize = 200;
const OPERATOR_WORDS: [&str; 5] = ["if", "has", "like", "in", "is"];

/// Refuses a text whose tree could grow deep. Texts and comments are skipped.
pub(super) fn check(text: &str) -> Result<(), RuleFault> {
    let (mut depth, mut operators) = (0_usize, 0_usize);
    let mut word = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        operators += usize::from(OPERATOR_WORDS.contains(&word.as_str()));
        word.clear();
        match c {
            '"' => {
                while let Some((_, c)) = chars.next() {
                    match c {
                        '\\' => drop(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '/' if chars.peek().is_some_and(|(_, next)| *next == '/') => {
                while chars.next_if(|(_, c)| *c != '\n').is_some() {}
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ';' => (depth, operators) = (0, 0),
            '&' | '|' | '!' | '+' | '-' | '*' | '.' | '<' | '>' | '=' => operators += 1,
            _ => {}
        }
        if depth > DEPTH_MAX || operators > OPERATORS_MAX {
            let message = "this rule is too long or nested too deep: make several rules of it";
            return Err(RuleFault::at(text, at, RuleFaultCode::TooDeep, message));
        }
    }
    Ok(())
}
