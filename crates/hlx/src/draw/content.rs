//! Where a value comes from: written out in a slot, or an earlier run referred to as data.

use super::{BOUND_DEFAULT_BYTES, DrawFacts, EarlierRun, EarlierStep, reason};
use crate::jq::check_expr;
use wiiiv_domain::{
    Arg, BOUND_BYTES_MAX, Binding, ExecutionId, NotDrawn, SlotName, Source, Spec, StepId, ValueKind,
};

const LAST: &str = "last";
const WHOLE: &str = ".";

/// What a file is to hold: `content`, or an earlier output, of which `select` may take a part.
pub(super) fn of_file(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Arg, NotDrawn> {
    let written = spec.slots.get(SlotName::CONTENT);
    match (written, spec.slots.get(SlotName::SOURCE_RUN)) {
        (Some(_), Some(_)) => Err(reason::slot(SlotName::SOURCE_RUN, "CONTENT_AND_SOURCE")),
        (Some(text), None) => Ok(Arg::Literal(text.to_owned())),
        (None, Some(run)) => {
            let (execution, step) = earlier(run, facts)?;
            let select = selected(spec)?.unwrap_or_else(|| WHOLE.to_owned());
            Ok(Arg::Bound(of_run(execution, step, select, ValueKind::Text)))
        }
        (None, None) => Err(reason::slot(SlotName::CONTENT, "MISSING")),
    }
}

/// What a request carries, with its content type.
pub(super) fn of_request(
    spec: &Spec,
    facts: &DrawFacts<'_>,
) -> Result<Option<(String, Arg)>, NotDrawn> {
    match (spec.slots.get(SlotName::BODY), spec.slots.get(SlotName::SOURCE_RUN)) {
        (Some(_), Some(_)) => Err(reason::slot(SlotName::SOURCE_RUN, "CONTENT_AND_SOURCE")),
        (Some(text), None) => {
            Ok(Some((media_type(is_json(text)).to_owned(), Arg::Literal(text.to_owned()))))
        }
        (None, Some(run)) => {
            let (execution, step) = earlier(run, facts)?;
            let json = step.media_type.starts_with("application/json");
            let kind = if json { ValueKind::Json } else { ValueKind::Text };
            let bound = of_run(execution, step, WHOLE.to_owned(), kind);
            Ok(Some((media_type(json).to_owned(), Arg::Bound(bound))))
        }
        (None, None) => Ok(None),
    }
}

/// The expression of the `select` slot, checked.
pub(super) fn selected(spec: &Spec) -> Result<Option<String>, NotDrawn> {
    let Some(expr) = spec.slots.get(SlotName::SELECT) else { return Ok(None) };
    check_expr(expr).map_err(|error| reason::slot(SlotName::SELECT, error.code()))?;
    Ok(Some(expr.to_owned()))
}

/// The whole output of an earlier step of the same plan.
pub(super) fn of_step(step: &StepId, kind: ValueKind, max_bytes: u64) -> Arg {
    let from = Source::Step { step: step.clone() };
    Arg::Bound(Binding { from, select: WHOLE.to_owned(), kind, max_bytes })
}

fn of_run(execution: ExecutionId, step: &EarlierStep, select: String, kind: ValueKind) -> Binding {
    Binding {
        from: Source::Run { execution, step: step.step.clone() },
        select,
        kind,
        max_bytes: step.size_bytes.clamp(BOUND_DEFAULT_BYTES, BOUND_BYTES_MAX),
    }
}

/// The last output of the run that is named.
fn earlier<'a>(
    name: &str,
    facts: &DrawFacts<'a>,
) -> Result<(ExecutionId, &'a EarlierStep), NotDrawn> {
    let unknown = || reason::slot(SlotName::SOURCE_RUN, "UNKNOWN_RUN");
    let with_output = facts.earlier.iter().filter(|run| !run.steps.is_empty());
    let run: Option<&EarlierRun> = if name.trim().eq_ignore_ascii_case(LAST) {
        with_output.max_by_key(|run| (run.finished_at, run.execution))
    } else {
        let execution: ExecutionId = name.trim().parse().map_err(|_| unknown())?;
        facts.earlier.iter().find(|run| run.execution == execution)
    };
    let run = run.ok_or_else(unknown)?;
    let step = run.steps.last().ok_or_else(unknown)?;
    Ok((run.execution, step))
}

fn is_json(text: &str) -> bool {
    let opens = text.trim_start().starts_with(['{', '[']);
    opens && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

const fn media_type(json: bool) -> &'static str {
    if json { "application/json" } else { "text/plain; charset=utf-8" }
}
