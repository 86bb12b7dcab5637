//! Whether an expression in jq syntax may stand in a plan: it parses, it compiles, it is small.
//!
//! Nothing is evaluated here. The vocabulary is jq's without what reads a clock, an environment,
//! a time zone or a further input, and without what writes to a log.

use jaq_core::{
    Compiler,
    data::JustLut,
    load::{Arena, File, Loader, parse},
};
use jaq_json::Val;
use std::thread;
use wiiiv_domain::{JQ_REFUSED_DEFINITIONS, JQ_REFUSED_FUNCTIONS};

/// One expression, in UTF-8 bytes.
pub const EXPR_BYTES_MAX: usize = 4096;
/// Words and signs of one expression.
pub const EXPR_TOKENS_MAX: usize = 512;
/// The parser recurses, about 12 KiB a token without optimisation: more than a worker's stack has.
const PARSER_STACK_BYTES: usize = 16 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JqError {
    #[error("the expression has `{found}` bytes, at most `{EXPR_BYTES_MAX}`: shorten it")]
    TooLong { found: usize },
    #[error("the expression has `{found}` words and signs, at most `{EXPR_TOKENS_MAX}`: split it")]
    TooComplex { found: usize },
    #[error("the expression is no jq syntax: write it as for `jq`, such as `.items[0].name`")]
    Syntax,
    #[error("the expression names `{0}`, which is not known here: use another function")]
    Unknown(String),
}

impl JqError {
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "JQ_TOO_LONG",
            Self::TooComplex { .. } => "JQ_TOO_COMPLEX",
            Self::Syntax => "JQ_SYNTAX",
            Self::Unknown(_) => "JQ_UNKNOWN",
        }
    }
}

/// Parses and compiles, and throws the result away.
pub fn check_expr(expr: &str) -> Result<(), JqError> {
    if expr.len() > EXPR_BYTES_MAX {
        return Err(JqError::TooLong { found: expr.len() });
    }
    let tokens = count_tokens(expr);
    if tokens > EXPR_TOKENS_MAX {
        return Err(JqError::TooComplex { found: tokens });
    }
    thread::scope(|scope| {
        let parser = thread::Builder::new().stack_size(PARSER_STACK_BYTES);
        let checked = parser.spawn_scoped(scope, || compiles(expr));
        // A parser that cannot be started or that panics refuses the expression.
        checked.map_or(Err(JqError::Syntax), |done| done.join().unwrap_or(Err(JqError::Syntax)))
    })
}

fn compiles(expr: &str) -> Result<(), JqError> {
    // INVARIANT: a term alone has no `import` or `include`: those stand before it.
    parse(expr, |p| p.term()).ok_or(JqError::Syntax)?;
    let kept = |name: &str| !JQ_REFUSED_DEFINITIONS.contains(&name);
    let defs = jaq_core::defs()
        .chain(jaq_std::defs().filter(|def| kept(def.name)))
        .chain(jaq_json::defs());
    let functions = jaq_core::funs::<JustLut<Val>>()
        .chain(jaq_std::funs().filter(|(name, _, _)| !JQ_REFUSED_FUNCTIONS.contains(name)))
        .chain(jaq_json::funs());
    let arena = Arena::default();
    let program = File { code: expr, path: () };
    let modules = Loader::new(defs).load(&arena, program).map_err(|_| JqError::Syntax)?;
    match Compiler::default().with_funs(functions).compile(modules) {
        Ok(_) => Ok(()),
        Err(errors) => {
            let mut names = errors.iter().flat_map(|(_, undefined)| undefined.iter());
            let name = names.next().map_or("", |(name, _)| *name);
            Err(JqError::Unknown(name.to_owned()))
        }
    }
}

/// Each run of word characters and each other sign is one, inside of strings too, where
/// expressions may nest.
fn count_tokens(expr: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut before = ' ';
    let mut tokens = 0;
    for c in expr.chars() {
        let continues = is_word(c) && is_word(before);
        if !continues && !c.is_whitespace() {
            tokens += 1;
        }
        before = c;
    }
    tokens
}

#[cfg(test)]
mod tests;
