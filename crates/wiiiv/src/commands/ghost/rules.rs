//! The rules of a project that scenarios are played under, and scenarios that these do not let be played.

use crate::connection::text;
use crate::context::Context;
use crate::failure::Failure;
use crate::json_file;
use crate::texts::named;
use serde::{Deserialize as _, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use wiiiv_domain::{PriceTable, ProjectPolicy};
use wiiiv_gate::Policy;
use wiiiv_ghost::{PlayedRules, SuitePlan};
use wiiiv_store::{Barred, SUITE};

/// In the form in which a server tells it.
#[derive(Debug, Serialize)]
pub struct BarredScenario {
    scenario: String,
    #[serde(flatten)]
    why: Barred,
}

/// The plan under the rules of the policy in that file, without the scenarios that the ledger leaves out under
/// them.
pub fn under(plan: SuitePlan, file: &Path) -> Result<(SuitePlan, Vec<BarredScenario>), Failure> {
    let policy = policy_in(file)?;
    let rules = Some(PlayedRules::of(&policy)?);
    let (mut scenarios, mut barred) = (plan.scenarios, Vec::new());
    scenarios.retain(|scenario| {
        let listed = SUITE.scenarios.iter().find(|one| one.id == scenario.id);
        let Some(why) = listed.and_then(|one| one.barred_by(&policy)) else { return true };
        barred.push(BarredScenario { scenario: scenario.id.clone(), why });
        false
    });
    Ok((SuitePlan { scenarios, rules, ..plan }, barred))
}

/// As `policy show --json` prints it: the policy alone, or the whole version. One that no server would put in
/// force is none.
fn policy_in(file: &Path) -> Result<ProjectPolicy, Failure> {
    let document = json_file::read(file)?;
    let policy = ProjectPolicy::deserialize(document.get("policy").unwrap_or(&document));
    let odd = |reason: String| Failure::Document { path: file.to_owned(), reason };
    let policy = policy.map_err(|error| odd(error.to_string()))?;
    let judged = Policy::compile(policy.clone(), &PriceTable::default());
    judged.map_err(|error| odd(error.to_string()))?;
    Ok(policy)
}

/// Which are left out, by what bars them.
pub fn tell(context: &Context, barred: &[Value]) -> Result<(), Failure> {
    let mut groups: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for one in barred {
        let by = (text(one, "why"), text(one, "of"));
        groups.entry(by).or_default().push(text(one, "scenario"));
    }
    for ((why, of), ids) in groups {
        let template = named(&context.texts.ghost.barred, why);
        context.say(template, &[("of", of), ("ids", &ids.join(", "))])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::policy_in;
    use crate::serve::new_project_policy;

    #[test]
    fn a_policy_that_no_server_takes_is_not_played() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("policy.json");
        let mut policy = new_project_policy().unwrap();
        for (percent, is_taken) in [(100, true), (50, false)] {
            policy.minimum_green = percent;
            std::fs::write(&file, serde_json::to_vec(&policy).unwrap()).unwrap();
            let read = policy_in(&file);
            let named =
                read.as_ref().is_err_and(|error| error.to_string().contains("minimumGreen"));
            assert_eq!((read.is_ok(), named), (is_taken, !is_taken), "{percent}");
        }
    }
}
