//! `ghost record`: plays one scenario with a real model and records its answers.

use super::live::named;
use super::run::{fresh_seed, played};
use super::select::selected;
use crate::args::{GhostRecordArgs, GhostSelection};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use wiiiv_ghost::{Mode, RunReport, SuitePlan, with_answers};

pub async fn record(context: &Context, args: &GhostRecordArgs) -> Result<Exit, Failure> {
    // Told before anything is spent, not behind it.
    if let Some(path) = args.recorded_to.as_ref().filter(|path| !args.force && path.exists()) {
        return Err(Failure::Exists { path: path.clone() });
    }
    let live = named(context, &args.live).await?.ok_or(Failure::NotGiven { flag: "--model" })?;
    let (id, folder) = (args.recorded.clone(), args.folder.clone());
    let selection = GhostSelection { scenario: vec![id.clone()], tag: Vec::new(), folder };
    let plan = SuitePlan {
        program: std::env::current_exe()?,
        folder: args.folder.clone(),
        scenarios: selected(&selection)?,
        mode: Mode::Record,
        repeat: 1,
        jobs: 1,
        sample: None,
        seed: fresh_seed()?,
        live: Some(live),
        rules: None,
    };
    let reports = played(&plan).await?;
    let nothing = Failure::NothingPlayed { mode: Mode::Record.as_str() };
    let report = reports.first().ok_or(nothing)?;
    if !report.verdict.is_good() {
        let (verdict, why) = (report.verdict.name(), report.verdict.why().unwrap_or_default());
        return Err(Failure::NotRecorded { verdict, why: crate::output::harmless(&why) });
    }
    let from = file_of(&args.folder, &id)?;
    let to = args.recorded_to.clone().unwrap_or_else(|| from.clone());
    let text = std::fs::read_to_string(&from).map_err(Failure::unreadable(&from))?;
    let written = with_answers(&from, &text, &report.answers)?;
    std::fs::write(&to, written).map_err(Failure::unwritable(&to))?;
    tell(context, report, &to)
}

fn tell(context: &Context, report: &RunReport, to: &Path) -> Result<Exit, Failure> {
    let answers = report.answers.iter().map(Vec::len).sum::<usize>().to_string();
    let values = [
        ("scenario", report.scenario.as_str()),
        ("verdict", report.verdict.name()),
        ("answers", &answers),
        ("model", report.revision.as_ref().unwrap_or(&report.model)),
        ("file", &to.display().to_string()),
    ];
    context.done(report, &context.texts.ghost.wrote, &values)
}

/// Of the scenario: its name begins with the id.
fn file_of(folder: &Path, id: &str) -> Result<PathBuf, Failure> {
    let begins = format!("{id}-");
    let unreadable = Failure::unreadable(folder);
    for entry in std::fs::read_dir(folder).map_err(&unreadable)? {
        let path = entry.map_err(&unreadable)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_own = name.starts_with(&begins) && name.ends_with(".yaml");
        if is_own && wiiiv_ghost::read_file(&path)?.id == id {
            return Ok(path);
        }
    }
    Err(Failure::NoScenario { asked: id.to_owned(), folder: folder.to_owned() })
}
