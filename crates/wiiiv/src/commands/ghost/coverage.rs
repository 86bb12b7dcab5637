//! `ghost coverage`: what the suite has visited, out of all that exists.

use super::results::from_file;
use super::run::{plan, played, tell_matrix};
use crate::args::GhostCoverageArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;
use crate::texts::fill;
use wiiiv_ghost::{Tally, Visited};

pub async fn coverage(context: &Context, args: &GhostCoverageArgs) -> Result<Exit, Failure> {
    let reports = match &args.results {
        Some(file) => from_file(file)?,
        None => played(&plan(&args.selection, &args.play)?).await?,
    };
    let mut visited = Visited::default();
    reports.iter().for_each(|report| visited.add(&report.visited));
    let parts = visited.parts();
    context.output.document(&parts)?;
    for part in &parts {
        let counts = (part.visited.len().to_string(), part.total().to_string());
        let name = match part.name {
            "flow transitions" => &context.texts.ghost.transitions,
            "gate answers" => &context.texts.ghost.gate_answers,
            _ => &context.texts.ghost.deny_codes,
        };
        let values = [("name", name.as_str()), ("visited", &counts.0), ("all", &counts.1)];
        context.output.line(&fill(&context.texts.ghost.part, &values))?;
        for item in &part.visited {
            context.output.line(&format!("  {}", context.output.toned(Tone::Good, item)))?;
        }
        for item in &part.missing {
            context
                .output
                .line(&format!("  {}", context.output.toned(Tone::Faint, &format!("- {item}"))))?;
        }
    }
    if Tally::of(&reports).is_good() {
        return Ok(Exit::Done);
    }
    tell_matrix(context, &reports)?;
    Ok(Exit::CheckFailed)
}
