//! Evaluating an expression in jq syntax: a function of the expression and the input, alone.
//!
//! The vocabulary is that of the plan's check: nothing reads a clock, an environment, a time zone
//! or a further input. Memory and time are bounded by whoever calls: a child process for any
//! expression, nobody for one that `plain` knows.

mod json;
mod plain;

use crate::bounded::Bounded;
pub(crate) use json::is_json;
pub(crate) use plain::is_plain;

use jaq_core::{
    Compiler, Ctx, Filter, Vars,
    data::JustLut,
    load::{Arena, File, Loader, parse},
};
use jaq_json::{Val, read::parse_single, write};
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use wiiiv_domain::{JQ_REFUSED_DEFINITIONS, JQ_REFUSED_FUNCTIONS};

/// Values of one evaluation.
const VALUES_MAX: usize = 100_000;
/// JSON texts, one a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Values {
    pub(crate) lines: Vec<u8>,
    pub(crate) count: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JqFault {
    #[error("the expression is no jq syntax: correct the plan")]
    Syntax,
    #[error("the input is no JSON, or it is nested too deeply: choose another source")]
    Input,
    #[error("the expression fails on this input: make it fit what the source gives")]
    Failed,
    #[error("the result is no JSON: leave out bytes and numbers that JSON cannot write")]
    Output,
    #[error("the result is too large: let the expression choose less")]
    TooLarge,
    #[error("the expression took more time or memory than it may: make it simpler")]
    Limit,
    #[error("the sandbox is not available: nothing was evaluated")]
    Sandbox,
}

impl JqFault {
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Syntax => "JQ_SYNTAX",
            Self::Input => "NOT_JSON",
            Self::Failed => "JQ_FAILED",
            Self::Output => "JQ_OUTPUT",
            Self::TooLarge => "JQ_TOO_LARGE",
            Self::Limit => "JQ_LIMIT",
            Self::Sandbox => "SANDBOX_UNAVAILABLE",
        }
    }
}

pub(crate) fn evaluate(expr: &str, input: &[u8], max_bytes: usize) -> Result<Values, JqFault> {
    if !is_json(input) {
        return Err(JqFault::Input);
    }
    let filter = compile(expr)?;
    let input = parse_single(input).map_err(|_| JqFault::Input)?;
    let context = Ctx::<JustLut<Val>>::new(&filter.lut, Vars::new([]));
    let mut lines = Bounded::new(max_bytes as u64);
    let mut count = 0;
    for value in filter.id.run((context, input)) {
        let value = value.map_err(|_| JqFault::Failed)?;
        if count == VALUES_MAX {
            return Err(JqFault::TooLarge);
        }
        append(&mut lines, &value, count)?;
        count += 1;
    }
    Ok(Values { lines: lines.bytes, count })
}

fn append(lines: &mut Bounded, value: &Val, before: usize) -> Result<(), JqFault> {
    if before > 0 {
        lines.write_all(b"\n").map_err(|_| JqFault::TooLarge)?;
    }
    let start = lines.bytes.len();
    write::write(lines, &write::Pp::default(), 0, value).map_err(|_| JqFault::TooLarge)?;
    // The language can make values that JSON has not, such as NaN and byte strings.
    let written = lines.bytes.get(start..).unwrap_or_default();
    if is_json(written) { Ok(()) } else { Err(JqFault::Output) }
}

fn compile(expr: &str) -> Result<Filter<JustLut<Val>>, JqFault> {
    // INVARIANT: a term alone has no `import` or `include`: those stand before it.
    parse(expr, |p| p.term()).ok_or(JqFault::Syntax)?;
    let kept = |name: &str| !JQ_REFUSED_DEFINITIONS.contains(&name);
    let defs = jaq_core::defs()
        .chain(jaq_std::defs().filter(|def| kept(def.name)))
        .chain(jaq_json::defs());
    let functions = jaq_core::funs::<JustLut<Val>>()
        .chain(jaq_std::funs().filter(|(name, _, _)| !JQ_REFUSED_FUNCTIONS.contains(name)))
        .chain(jaq_json::funs());
    let arena = Arena::default();
    let program = File { code: expr, path: () };
    let modules = Loader::new(defs).load(&arena, program).map_err(|_| JqFault::Syntax)?;
    Compiler::default().with_funs(functions).compile(modules).map_err(|_| JqFault::Syntax)
}

#[cfg(test)]
mod tests;
