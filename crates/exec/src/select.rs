//! Values of bindings: one value from an output, within its bound.

use crate::{
    fault::contract,
    jq::{JqFault, Values, evaluate, is_json, is_plain},
    rows::{csv, json_lines},
    sandbox::Sandbox,
};
use tokio::task::spawn_blocking;
use wiiiv_domain::{Binding, FailureCategory, STEP_OUTPUT_BYTES_MAX, StepFailure, ValueKind};

const WHOLE: &str = ".";

pub(crate) async fn select(
    sandbox: &Sandbox,
    output: &[u8],
    binding: &Binding,
) -> Result<String, StepFailure> {
    if output.len() as u64 > STEP_OUTPUT_BYTES_MAX {
        return Err(too_long(STEP_OUTPUT_BYTES_MAX));
    }
    let Ok(text) = std::str::from_utf8(output) else {
        return Err(contract("NOT_TEXT", "the output is no UTF-8 text: bind something else"));
    };
    let value = match (binding.select.as_str(), binding.kind) {
        // The very bytes: a text need not be JSON, and JSON is not written anew.
        (WHOLE, ValueKind::Text) => text.to_owned(),
        (WHOLE, ValueKind::Json) if is_json(output) => text.to_owned(),
        (WHOLE, ValueKind::Json) => return Err(failed(JqFault::Input)),
        (WHOLE, kind @ (ValueKind::Csv | ValueKind::JsonLines)) => {
            rows(text.to_owned(), kind, binding.max_bytes).await?
        }
        (expr, kind) => part(sandbox, expr, text, kind, binding.max_bytes).await?,
    };
    if value.len() as u64 > binding.max_bytes {
        return Err(too_long(binding.max_bytes));
    }
    Ok(value)
}

async fn part(
    sandbox: &Sandbox,
    expr: &str,
    input: &str,
    kind: ValueKind,
    max_bytes: u64,
) -> Result<String, StepFailure> {
    let is_rows = matches!(kind, ValueKind::Csv | ValueKind::JsonLines);
    // A text in quotes may be six times as long as the text: all of it escapes. Rows name their
    // fields once in CSV and once each in JSON.
    let bound = match is_rows {
        true => STEP_OUTPUT_BYTES_MAX,
        false => max_bytes.saturating_mul(6).saturating_add(2).min(STEP_OUTPUT_BYTES_MAX),
    };
    let bound = usize::try_from(bound).unwrap_or(usize::MAX);
    let values = evaluated(sandbox, expr, input, bound).await.map_err(failed)?;
    if values.count != 1 && !is_rows {
        let message = format!("the expression gives `{}` values, not one", values.count);
        return Err(contract("JQ_NOT_ONE_VALUE", message));
    }
    let json = String::from_utf8(values.lines).map_err(|_| failed(JqFault::Output))?;
    match kind {
        ValueKind::Json => Ok(json),
        // A string is taken as it is, anything else as its JSON.
        ValueKind::Text => Ok(serde_json::from_str::<String>(&json).unwrap_or(json)),
        ValueKind::Csv | ValueKind::JsonLines => rows(json, kind, max_bytes).await,
    }
}

async fn rows(json: String, kind: ValueKind, max_bytes: u64) -> Result<String, StepFailure> {
    let written = spawn_blocking(move || match kind {
        ValueKind::JsonLines => json_lines(&json, max_bytes),
        ValueKind::Csv | ValueKind::Json | ValueKind::Text => csv(&json, max_bytes),
    });
    let lost = |_| failed(JqFault::Failed);
    Ok(written.await.map_err(lost)??)
}

/// In this process where the cost is bounded by the input, else in a child.
pub(crate) async fn evaluated(
    sandbox: &Sandbox,
    expr: &str,
    input: &str,
    max_bytes: usize,
) -> Result<Values, JqFault> {
    let (expr, input) = (expr.to_owned(), input.to_owned());
    if !is_plain(&expr) {
        // What is no JSON is refused here: written as a JSON string, it could grow sixfold and
        // pass the bound of a child's request.
        let looked = spawn_blocking(move || is_json(input.as_bytes()).then_some(input)).await;
        let input = looked.unwrap_or_default().ok_or(JqFault::Input)?;
        return sandbox.evaluate(&expr, &input, max_bytes).await;
    }
    let evaluated = spawn_blocking(move || evaluate(&expr, input.as_bytes(), max_bytes)).await;
    evaluated.unwrap_or(Err(JqFault::Failed))
}

fn too_long(max_bytes: u64) -> StepFailure {
    contract("BOUND_EXCEEDED", format!("the value is longer than its bound, `{max_bytes}` bytes"))
}

/// A machine that cannot start a child now may be able to later.
pub(crate) fn failed(fault: JqFault) -> StepFailure {
    let category = match fault {
        JqFault::Sandbox => FailureCategory::IoError,
        JqFault::Syntax
        | JqFault::Input
        | JqFault::Failed
        | JqFault::Output
        | JqFault::TooLarge
        | JqFault::Limit => FailureCategory::ContractViolation,
    };
    crate::fault::failure(category, fault.code(), fault.to_string())
}
