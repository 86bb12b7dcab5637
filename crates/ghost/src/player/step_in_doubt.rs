//! Checks that a step waits for a person's decision only if it cannot simply be repeated.

use super::snapshot::state;
use crate::{
    harness::{PlayError, ProjectSetup, RestClient, required_text},
    verdict::{Violated, text_of},
};
use serde_json::{Value, json};
use wiiiv_domain::{Blueprint, Effect, Node};

pub(super) const NEEDLESS_DOUBT: &str = "needless_doubt";

/// The first run that waits although none of its steps has to.
pub(super) async fn needless(
    rest: &RestClient,
    setup: &ProjectSetup,
) -> Result<Option<Violated>, PlayError> {
    for run in rest.rows(&format!("/projects/{}/executions", setup.project)).await? {
        if state(&run) != "indeterminate" {
            continue;
        }
        let detail = rest.get(&format!("/executions/{}", required_text(&run, "id")?)).await?;
        let plan = rest.get(&format!("/blueprints/{}", required_text(&run, "blueprint")?)).await?;
        let document = plan.get("document").cloned().unwrap_or_default();
        let plan: Blueprint =
            serde_json::from_value(document).map_err(|_| PlayError::answer("document", &plan))?;
        let attempts = detail.get("attempts").and_then(Value::as_array);
        if let Some(violated) = judge(&plan.nodes, attempts.map_or(&[], Vec::as_slice)) {
            return Ok(Some(violated));
        }
    }
    Ok(None)
}

fn judge(nodes: &[Node], attempts: &[Value]) -> Option<Violated> {
    let in_doubt = |attempt: &&Value| attempt.get("in_doubt") == Some(&Value::Bool(true));
    let steps: Vec<&str> =
        attempts.iter().filter(in_doubt).map(|one| text_of(one, "step")).collect();
    let must_wait = |step: &&str| {
        let node = nodes.iter().find(|node| node.id.as_str() == *step);
        node.is_some_and(|node| !node.idempotent && node.effect != Effect::Read)
    };
    if !steps.is_empty() && steps.iter().all(must_wait) {
        return None;
    }
    let expected = "only steps that act and are not idempotent wait for a person";
    Some(Violated::new(NEEDLESS_DOUBT, expected, json!({ "steps_in_doubt": steps })))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = include_str!("../../../domain/tests/fixtures/v1/blueprint.json");

    #[test]
    fn only_what_acts_and_is_not_idempotent_may_wait() {
        let plan: Blueprint = serde_json::from_str(PLAN).unwrap();
        let attempt = |step: &str, in_doubt: bool| json!({ "step": step, "in_doubt": in_doubt });
        let once =
            |nodes: &mut Vec<Node>| nodes.iter_mut().for_each(|node| node.idempotent = false);
        let is_fine = |edit: &dyn Fn(&mut Vec<Node>), attempts: &[Value]| {
            let mut nodes = plan.nodes.clone();
            edit(&mut nodes);
            judge(&nodes, attempts).is_none()
        };
        let (call, save) = (attempt("call", true), attempt("save", true));
        assert!(is_fine(&once, &[attempt("call", false), save.clone()]));
        assert!(!is_fine(&|_| {}, &[attempt("call", false), save.clone()]), "idempotent: resumes");
        assert!(!is_fine(&once, &[call]), "a step that reads");
        assert!(!is_fine(&once, &[attempt("save", false)]), "nothing is in doubt");
        assert!(!is_fine(&once, &[save, attempt("gone", true)]), "no step of the plan");
    }
}
