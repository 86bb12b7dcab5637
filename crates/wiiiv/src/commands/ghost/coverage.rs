//! `ghost coverage`: which transitions, answers and codes the suite has visited.

use super::results::from_file;
use super::run::{plan, played, tell_matrix};
use crate::args::GhostCoverageArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;
use crate::texts::fill;
use wiiiv_ghost::{Part, Tally, Visited};

pub async fn coverage(context: &Context, args: &GhostCoverageArgs) -> Result<Exit, Failure> {
    let reports = match &args.results {
        Some(file) => from_file(file)?,
        None => played(&plan(&args.selection, &args.play)?).await?,
    };
    let mut visited = Visited::default();
    reports.iter().for_each(|report| visited.add(&report.visited));
    let parts = visited.parts();
    context.output.document(&parts)?;
    let texts = &context.texts.ghost;
    let names = [&texts.transitions, &texts.gate_answers, &texts.deny_codes];
    parts.iter().zip(names).try_for_each(|(part, name)| tell(context, part, name))?;
    let refuted = parts.iter().any(|part| !part.refuted.is_empty());
    if Tally::of(&reports).is_good() && !refuted {
        return Ok(Exit::Done);
    }
    tell_matrix(context, &reports)?;
    Ok(Exit::CheckFailed)
}

fn tell(context: &Context, part: &Part, name: &str) -> Result<(), Failure> {
    let (output, texts) = (&context.output, &context.texts.ghost);
    let counts = [part.visited.len(), part.total(), part.unreachable.len()];
    let [visited, all, unreachable] = counts.map(|count| count.to_string());
    let values =
        [("name", name), ("visited", &visited), ("all", &all), ("unreachable", &unreachable)];
    context.say(&texts.part, &values)?;
    for item in &part.visited {
        output.line(&format!("  {}", output.toned(Tone::Good, item)))?;
    }
    for item in &part.missing {
        output.line(&format!("  {}", output.toned(Tone::Doubtful, &format!("- {item}"))))?;
    }
    for out in &part.unreachable {
        let told = fill(&texts.unreachable, &[("item", &out.item), ("why", &out.why)]);
        output.line(&format!("  {}", output.toned(Tone::Faint, &format!("~ {told}"))))?;
    }
    for item in &part.refuted {
        let told = fill(&texts.refuted, &[("item", item)]);
        output.line(&format!("  {}", output.toned(Tone::Bad, &format!("! {told}"))))?;
    }
    Ok(())
}
