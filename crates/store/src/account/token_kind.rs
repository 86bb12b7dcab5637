//! Kinds of tokens: how one was made, and what it permits.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenScope {
    /// All that its owner may.
    Full,
    /// Only look.
    Read,
}

/// What it was made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// A browser's log-in: shown as a cookie with its page key.
    Login,
    /// The log-in of a program, such as the command line: shown as a bearer token.
    Client,
    /// By hand, for a program.
    Token,
}
