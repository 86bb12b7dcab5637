//! `ghost run`: plays scenarios against its own server processes.

use super::live::named;
use super::progress::Progress;
use super::results::{Results, send};
use super::rules::{self, BarredScenario};
use super::runner_keys;
use super::select::selected;
use crate::args::{GhostPlay, GhostRunArgs, GhostSelection};
use crate::connection::Connection;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Tone, harmless};
use serde_json::json;
use tokio::sync::mpsc;
use wiiiv_ghost::{
    JOBS_MAX, LiveModel, Mode, RunReport, SuitePlan, Tally, Verdict, junit, matrix, play, sort,
};
use wiiiv_vault::random_bytes;

/// Reports that wait for the terminal.
const TOLD_MAX: usize = 16;
/// Where the machine does not say how many it has.
const PROCESSORS: usize = 2;

pub async fn run(context: &Context, args: &GhostRunArgs) -> Result<Exit, Failure> {
    // Told before anything is played, not behind it.
    let server = context.server.as_ref().map(|_| Connection::open(context)).transpose()?;
    let key = args.runner_key_to_sign.as_deref().map(runner_keys::read).transpose()?;
    if let Some(key) = &key {
        let server = server.as_ref().ok_or(Failure::NotGiven { flag: "--server" })?;
        runner_keys::known(server, key).await?;
    }
    let plan = match args.vary {
        None => {
            let plan = plan(&args.selection, &args.play)?;
            let is_named = args.live.live_model.is_some()
                || args.live.live_slot.is_some()
                || args.played_policy.is_some();
            // Said before any server is asked which model that is.
            if is_named && plan.mode != Mode::Live {
                return Err(Failure::NotLive);
            }
            asking(plan, named(context, &args.live).await?)?
        }
        Some(people) => varied(plan(&args.selection, &args.play)?, people, &args.selection)?,
    };
    let (plan, barred) = match &args.played_policy {
        Some(file) => rules::under(plan, file)?,
        None => (plan, Vec::new()),
    };
    let reports = played(&plan).await?;
    if let Some(file) = &args.junit {
        std::fs::write(file, junit(&reports)).map_err(Failure::unwritable(file))?;
    }
    if let Some(server) = &server {
        send(server, &reports, key.as_ref()).await?;
    }
    tell(context, &plan, &barred, &reports)
}

pub fn plan(selection: &GhostSelection, how: &GhostPlay) -> Result<SuitePlan, Failure> {
    let seed = how.seed.map_or_else(fresh_seed, Ok)?;
    Ok(SuitePlan {
        program: std::env::current_exe()?,
        folder: selection.folder.clone(),
        scenarios: selected(selection)?,
        mode: how.mode,
        repeat: how.repeat,
        live: None,
        rules: None,
        jobs: how.jobs.map_or_else(|| jobs(how.mode), usize::from),
        sample: how.sample,
        seed,
    })
}

pub fn fresh_seed() -> Result<u64, Failure> {
    let drawn = random_bytes::<4>().map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(u64::from(u32::from_le_bytes(*drawn)))
}

/// With the model that `live` needs, and no other mode has a use for.
fn asking(plan: SuitePlan, live: Option<LiveModel>) -> Result<SuitePlan, Failure> {
    if plan.mode == Mode::Live && live.is_none() {
        return Err(Failure::NotGiven { flag: "--model" });
    }
    Ok(SuitePlan { live, ..plan })
}

/// So many people say it in words of their own; a suite that nobody says is none.
fn varied(plan: SuitePlan, people: u32, selection: &GhostSelection) -> Result<SuitePlan, Failure> {
    let plan = SuitePlan { mode: Mode::Wording, repeat: people, ..plan };
    match plan.runs() {
        0 => Err(Failure::NothingSpoken { folder: selection.folder.clone() }),
        _ => Ok(plan),
    }
}

fn jobs(mode: Mode) -> usize {
    let processors = std::thread::available_parallelism().map_or(PROCESSORS, usize::from);
    processors.saturating_mul(mode.servers_a_processor()).min(JOBS_MAX)
}

/// Every report, sorted; progress is shown while they come.
pub async fn played(plan: &SuitePlan) -> Result<Vec<RunReport>, Failure> {
    if plan.runs() == 0 {
        return Err(Failure::NothingPlayed { mode: plan.mode.as_str() });
    }
    wiiiv_net::install_tls_provider();
    let (told, mut reports_come) = mpsc::channel::<RunReport>(TOLD_MAX);
    let watched = async {
        let (mut reports, mut progress) = (Vec::new(), Progress::of(plan.runs()));
        while let Some(report) = reports_come.recv().await {
            progress.take(&report);
            reports.push(report);
        }
        progress.end();
        reports
    };
    let (ended, mut reports) = futures::future::join(play(plan, told), watched).await;
    ended?;
    sort(&mut reports);
    Ok(reports)
}

fn tell(
    context: &Context,
    plan: &SuitePlan,
    barred: &[BarredScenario],
    reports: &[RunReport],
) -> Result<Exit, Failure> {
    let tally = Tally::of(reports);
    let passed_over = plan.passed_over();
    let ids = passed_over.join(", ");
    let (mode, seed, sample) = (plan.mode.as_str(), plan.seed, plan.sample);
    context.output.document(&Results {
        mode,
        seed,
        sample,
        tally,
        passed_over,
        barred,
        reports,
    })?;
    tell_matrix(context, reports)?;
    if !ids.is_empty() {
        context.say(&context.texts.ghost.passed_over, &[("ids", &ids)])?;
    }
    rules::tell(context, &barred.iter().map(|one| json!(one)).collect::<Vec<_>>())?;
    if plan.mode == Mode::Faults {
        tell_kills(context, reports)?;
    }
    tell_origin(context, plan, reports)?;
    Ok(if tally.is_good() { Exit::Done } else { Exit::CheckFailed })
}

/// The matrix, why what is not PASS is not, and the counts.
pub fn tell_matrix(context: &Context, reports: &[RunReport]) -> Result<(), Failure> {
    let (output, texts) = (&context.output, &context.texts.ghost);
    matrix(reports).iter().try_for_each(|line| output.line(line))?;
    for report in reports {
        let tone = match report.verdict {
            Verdict::Pass => continue,
            Verdict::Partial { .. } => Tone::Doubtful,
            Verdict::Fail { .. } | Verdict::Error { .. } => Tone::Bad,
        };
        let why = report.verdict.why().unwrap_or_default();
        let named = format!("{} {} #{}", report.verdict.name(), report.name(), report.repeat);
        output.line(&format!("{}: {}", output.toned(tone, &named), harmless(&why)))?;
        for said in &report.said {
            output.line(&format!("  > {}", harmless(said)))?;
        }
    }
    let tally = Tally::of(reports);
    let counts = [tally.pass, tally.partial, tally.fail, tally.error];
    let [pass, partial, fail, error] = counts.map(|count| count.to_string());
    let values =
        [("pass", pass.as_str()), ("partial", &partial), ("fail", &fail), ("error", &error)];
    context.say(&texts.tally, &values)
}

fn tell_kills(context: &Context, reports: &[RunReport]) -> Result<(), Failure> {
    for report in reports {
        for kill in &report.kills {
            let (turn, then) = (kill.turn.to_string(), kill.then.as_str());
            let values = [
                ("scenario", report.scenario.as_str()),
                ("point", kill.point.as_str()),
                ("turn", &turn),
                ("then", then),
                ("verdict", kill.verdict.name()),
            ];
            context.say(&context.texts.ghost.kill, &values)?;
        }
    }
    let kills = Tally::of(reports).kills.to_string();
    context.say(&context.texts.ghost.kills, &[("count", &kills)])
}

/// What the results hold for.
fn tell_origin(context: &Context, plan: &SuitePlan, reports: &[RunReport]) -> Result<(), Failure> {
    let any = |pick: fn(&RunReport) -> &str| {
        let found: std::collections::BTreeSet<&str> =
            reports.iter().map(pick).filter(|text| !text.is_empty()).collect();
        match (found.len(), found.first()) {
            (1, Some(only)) => (*only).to_owned(),
            (count, _) => format!("({count})"),
        }
    };
    let seed = plan.seed.to_string();
    let (build, policy) = (any(|r| &r.build), any(|r| &r.policy_hash));
    let (prompt, model) = (any(|r| &r.prompt_hash), any(|r| &r.model));
    let values = [
        ("seed", seed.as_str()),
        ("build", &build),
        ("policy", &policy),
        ("prompt", &prompt),
        ("model", &model),
    ];
    context.say(&context.texts.ghost.origin, &values)
}
