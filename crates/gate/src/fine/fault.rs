//! What is wrong with a text of rules, and where.

use serde::Serialize;
use std::fmt;

/// The longest message of one fault, in characters.
const MESSAGE_CHARS_MAX: usize = 400;

/// What kind of fault it is. Texts in other languages go by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleFaultCode {
    /// The text is longer than allowed.
    TooLong,
    /// There are more rules than allowed.
    TooMany,
    /// Brackets are nested too deep, or one rule is too long.
    TooDeep,
    /// Not Cedar.
    Syntax,
    /// Cedar, and it speaks of something that the schema does not have, or in another way.
    Invalid,
    /// It would never apply.
    Impossible,
    /// A permit: the lists of the policy allow, and a rule forbids.
    Permit,
    /// A template.
    Template,
    /// A rule without `@id`.
    NoName,
    /// Its `@id` is no name.
    BadName,
    /// Two rules have one name.
    SameName,
    /// An annotation that means nothing here.
    Annotation,
    /// An advice that is empty or too long.
    Advice,
}

/// One fault of a text of rules. Line and column are counted from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct RuleFault {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The kind of fault.
    pub code: RuleFaultCode,
    /// In English.
    pub message: String,
}

impl RuleFault {
    pub(super) fn at(text: &str, offset: usize, code: RuleFaultCode, message: &str) -> Self {
        let (line, column) = place(text, offset);
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let message = message.chars().take(MESSAGE_CHARS_MAX).map(plain).collect();
        Self { line, column, code, message }
    }

    /// The schema of this build is broken; its tests would not have let it pass.
    pub(super) fn vocabulary() -> Self {
        let message = "the schema of this build cannot be read".to_owned();
        Self { line: 1, column: 1, code: RuleFaultCode::Invalid, message }
    }
}

impl fmt::Display for RuleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

fn place(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before.get(start..).unwrap_or_default().chars().count() + 1)
}
