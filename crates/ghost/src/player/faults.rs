//! Ends the server at every boundary of a scenario, before and after its commit, and plays on.

use super::{
    act::{TurnResult, act},
    crash_checks::{ACKNOWLEDGED, doubled, is_crossed, lost, survives_a_crash},
    kill_point::{COMMITS_MAX, Kill, Point, Side, Then},
    meanwhile::change,
    observer::Observer,
    prepare::{prepare, prepare_personas},
    replay::{Played, replay},
    resume::{Resumed, is_only_shown, resume},
    run_report::RunDetails,
    snapshot::Subjects,
    step_in_doubt::needless,
};
use crate::{
    coverage::Visited,
    harness::{PlayError, ProjectSetup, Server, ServerHome, Servers, last_number},
    invariant::{self, Tree},
    scenario::{Act, Scenario, Turn},
    verdict::{Strictness, Verdict, Violated, Window, judge},
};
use serde_json::Value;
use std::path::Path;

/// A scenario that is set up, whose server is stopped. Each kill point is played with a copy of its home.
pub(super) struct Template {
    servers: Servers,
    setup: ProjectSetup,
}

impl Template {
    pub(super) async fn create(
        mut servers: Servers,
        scenario: &Scenario,
        label: &str,
        seed: u64,
    ) -> Result<Self, PlayError> {
        let setup = ProjectSetup::create(&servers, scenario, label, seed).await?;
        servers.server.stop().await?;
        Ok(Self { servers, setup })
    }

    async fn start_copy(&self) -> Result<Servers, PlayError> {
        self.setup.reset();
        let home = self.servers.home.copy()?;
        let server = Server::start(&home, None).await?;
        self.with_server(home, server)
    }

    fn with_server(&self, home: ServerHome, server: Server) -> Result<Servers, PlayError> {
        let rest = self.servers.rest.moved(&server.url)?;
        let cassettes = self.servers.cassettes.clone();
        Ok(Servers { server, home, rest, cassettes, live: None, rules: None })
    }
}

/// Plays the scenario once without a fault, which has to pass, and then once for each commit of the
/// boundary, until there is no further commit. The details are of all of them.
pub(super) async fn play_boundary(
    template: &Template,
    scenario: &Scenario,
    folder: &Path,
    boundary: &'static str,
) -> Result<(Verdict, RunDetails), PlayError> {
    let servers = template.start_copy().await?;
    let Played { verdict, window, .. } =
        replay(&servers, &template.setup, scenario, folder).await?;
    drop(servers);
    let crossed = is_crossed(boundary, &window);
    let mut done = RunDetails::of(&window, &template.setup);
    if !verdict.is_good() {
        return Ok((verdict, done));
    }
    for side in Side::ALL {
        let before = done.kills.len();
        for nth in 1.. {
            let point = Point { boundary, side, nth };
            if nth > COMMITS_MAX {
                let first = Violated::new("kill_points", COMMITS_MAX, "more");
                return Ok((Verdict::Fail { first }, done));
            }
            let Some((kill, window)) = play_point(template, scenario, folder, &point).await? else {
                break;
            };
            done.visited.add(&Visited::of(&window));
            done.kills.push(kill);
        }
        // Without a killed server nothing was tested.
        if crossed && done.kills.len() == before {
            let why = format!("`{boundary}` is crossed, but no server ended {} it", side.as_str());
            return Ok((Verdict::Error { why }, done));
        }
    }
    let bad = done.kills.iter().find(|kill| !kill.verdict.is_good());
    Ok((bad.map_or(verdict, Kill::verdict_with_point), done))
}

/// Plays one kill point; `None` if it was not reached.
async fn play_point(
    template: &Template,
    scenario: &Scenario,
    folder: &Path,
    point: &Point,
) -> Result<Option<(Kill, Window)>, PlayError> {
    let setup = &template.setup;
    let mut crash = template.start_with_fault(point).await?;
    let tree = Tree::of(&crash.servers.home, setup)?;
    let mut first = None;
    for (at, turn) in scenario.turns.iter().enumerate() {
        match crash.turn(setup, turn, at, point).await? {
            AfterTurn::GoOn => {}
            AfterTurn::WaitsForPerson | AfterTurn::EndedEarly => break,
            AfterTurn::Violated(violated) => {
                first = Some(violated.in_turn(at + 1));
                break;
            }
        }
    }
    // A kill at the last commit is noticed by no client.
    if crash.killed.is_none() && !stays_alive(&mut crash.servers).await {
        restart(&mut crash.servers, setup, point).await?;
        crash.killed = Some(scenario.turns.len().saturating_sub(1));
    }
    let (killed, then) = (crash.killed, crash.then);
    let (verdict, window) = match first {
        Some(first) => (Verdict::Fail { first }, Window::default()),
        None if killed.is_none() => return Ok(None),
        None => crash.judge(setup, (scenario, folder), &tree).await?,
    };
    let turn = killed.unwrap_or_default() + 1;
    Ok(Some((Kill { point: point.to_string(), turn, then, verdict }, window)))
}

/// One run whose server is killed at a given point.
struct Crash {
    servers: Servers,
    /// The turn of the kill.
    killed: Option<usize>,
    then: Then,
    /// The number of the last event that the client received.
    last: u64,
    /// Every event that the client received. None of them may be lost.
    received: Vec<Value>,
}

/// Whether the scenario continues after a turn.
enum AfterTurn {
    GoOn,
    /// A step is in doubt, and a person has to decide before anything else.
    WaitsForPerson,
    /// What the model would have proposed next is lost, and the rest of the scenario builds on it.
    EndedEarly,
    Violated(Violated),
}

impl Crash {
    async fn turn(
        &mut self,
        setup: &ProjectSetup,
        turn: &Turn,
        at: usize,
        point: &Point,
    ) -> Result<AfterTurn, PlayError> {
        prepare(&self.servers, setup, turn)?;
        change(&self.servers, setup, &turn.meanwhile).await?;
        let done = setup.addresses.fill_act(&turn.act);
        match act(&self.servers.rest, &setup.conversation(), &done, self.last).await {
            Ok(TurnResult::Turn(events)) => {
                self.last = last_number(&events).max(self.last);
                let is_only_shown = self.killed.is_some() && is_only_shown(turn, &events);
                self.received.extend(events);
                if is_only_shown {
                    self.say_again(setup, turn, &done).await?;
                }
                Ok(AfterTurn::GoOn)
            }
            Ok(TurnResult::NothingWaits) => {
                Ok(AfterTurn::Violated(Violated::new("press", "a question that waits", "none")))
            }
            Ok(TurnResult::Refused(_)) => Ok(AfterTurn::GoOn),
            Err(error) if error.is_connection_loss() && self.killed.is_none() => {
                self.killed = Some(at);
                prepare_personas(&self.servers, setup, turn)?;
                restart(&mut self.servers, setup, point).await?;
                let events = error.into_events();
                let acknowledged = events.is_some();
                self.received.extend(events.unwrap_or_default());
                self.resume(setup, turn, (&done, acknowledged)).await
            }
            Err(error) => Err(error),
        }
    }

    async fn say_again(
        &mut self,
        setup: &ProjectSetup,
        turn: &Turn,
        done: &Act,
    ) -> Result<(), PlayError> {
        prepare(&self.servers, setup, turn)?;
        let conversation = setup.conversation();
        if let TurnResult::Turn(events) =
            act(&self.servers.rest, &conversation, done, self.last).await?
        {
            self.last = last_number(&events).max(self.last);
            self.received.extend(events);
        }
        Ok(())
    }

    async fn resume(
        &mut self,
        setup: &ProjectSetup,
        turn: &Turn,
        done: (&Act, bool),
    ) -> Result<AfterTurn, PlayError> {
        match resume(&self.servers, setup, turn, done, self.last).await? {
            Resumed::WentOn { last } => self.last = last,
            Resumed::SaidAgain { last } => {
                self.then = Then::SaidAgain;
                self.last = last;
            }
            Resumed::Waits => {
                self.then = Then::Waits;
                let needless = needless(&self.servers.rest, setup).await?;
                return Ok(needless.map_or(AfterTurn::WaitsForPerson, AfterTurn::Violated));
            }
            Resumed::EndedEarly => {
                self.then = Then::EndedEarly;
                return Ok(AfterTurn::EndedEarly);
            }
            Resumed::Forgotten => {
                let expected = "what was acknowledged is found behind the restart";
                return Ok(AfterTurn::Violated(Violated::new(
                    ACKNOWLEDGED,
                    expected,
                    "nothing of it",
                )));
            }
        }
        Ok(AfterTurn::GoOn)
    }
}

impl Template {
    /// Starts the server with the fault. Some commits come before the server is ready.
    async fn start_with_fault(&self, point: &Point) -> Result<Crash, PlayError> {
        self.setup.reset();
        let home = self.servers.home.copy()?;
        let (server, killed) = match Server::start(&home, Some(&point.to_string())).await {
            Ok(server) => (server, None),
            Err(PlayError::Start(_)) if is_reached(&home, point)? => {
                (Server::start(&home, None).await?, Some(0))
            }
            Err(error) => return Err(error),
        };
        let servers = self.with_server(home, server)?;
        Ok(Crash { servers, killed, then: Then::WentOn, last: 0, received: Vec::new() })
    }
}

/// Whether the server still runs after a moment: an abort right after the last event takes a while.
async fn stays_alive(servers: &mut Servers) -> bool {
    const MOMENT: std::time::Duration = std::time::Duration::from_millis(100);
    tokio::time::sleep(MOMENT).await;
    servers.server.is_alive()
}

fn is_reached(home: &ServerHome, point: &Point) -> Result<bool, PlayError> {
    let log = std::fs::read_to_string(home.log()).map_err(PlayError::path(&home.log()))?;
    Ok(log.contains(&format!("fault reached: {point}\n")))
}

/// Checks that the server ended at exactly this point, and starts the next one in the same home.
async fn restart(
    servers: &mut Servers,
    setup: &ProjectSetup,
    point: &Point,
) -> Result<(), PlayError> {
    servers.server.ended().await?;
    if !is_reached(&servers.home, point)? {
        let why = format!("the server of `{}` ended, but not at `{point}`", setup.cassette);
        return Err(PlayError::Start(why));
    }
    servers.server = Server::start(&servers.home, None).await?;
    servers.rest = servers.rest.moved(&servers.server.url)?;
    Ok(())
}

impl Crash {
    async fn judge(
        self,
        setup: &ProjectSetup,
        (scenario, folder): (&Scenario, &Path),
        tree: &Tree,
    ) -> Result<(Verdict, Window), PlayError> {
        let Self { servers, then, received, .. } = self;
        let subjects = Subjects::of(scenario);
        let window = Observer::journalled_run(&servers, setup, &subjects).await?;
        let facts = scenario.expect.iter().filter(|fact| survives_a_crash(fact, then));
        let mut first = facts
            .map(|fact| setup.addresses.fill_fact(fact))
            .find_map(|fact| judge(&fact, &window, folder, Strictness::AfterCrash));
        if first.is_none() && !then.is_played_on() {
            first = doubled(scenario, &window);
        }
        first = first.or_else(|| lost(&received, &window));
        if first.is_none() {
            first = invariant::first_violation(&servers, setup, &window, tree).await?;
        }
        Ok((Verdict::of(first), window))
    }
}
