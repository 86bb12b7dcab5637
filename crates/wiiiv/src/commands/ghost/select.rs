//! Selects scenarios by the arguments.

use crate::args::GhostSelection;
use crate::failure::Failure;
use wiiiv_ghost::{Scenario, read_folder};

/// By id; an id that is not there is an error, not an empty suite.
pub fn selected(selection: &GhostSelection) -> Result<Vec<Scenario>, Failure> {
    let GhostSelection { scenario, tag, folder } = selection;
    if !folder.is_dir() {
        return Err(Failure::NoScenarioFolder { folder: folder.clone() });
    }
    let all = read_folder(folder)?;
    let missing = scenario.iter().find(|id| !all.iter().any(|known| known.id == **id));
    if let Some(id) = missing {
        return Err(Failure::NoScenario { asked: id.clone(), folder: folder.clone() });
    }
    let named = |known: &Scenario| scenario.is_empty() || scenario.contains(&known.id);
    let tagged = |known: &Scenario| tag.is_empty() || known.tags.iter().any(|t| tag.contains(t));
    let meant: Vec<_> = all.into_iter().filter(|known| named(known) && tagged(known)).collect();
    if meant.is_empty() {
        return Err(Failure::NoScenario { asked: tag.join("`, `"), folder: folder.clone() });
    }
    Ok(meant)
}
