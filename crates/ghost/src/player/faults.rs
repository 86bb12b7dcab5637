//! Ended at every boundary of a scenario, before and after its commit, and taken up again.

use super::{
    act::{Acted, act},
    aftermath::{ACKNOWLEDGED, doubled, is_crossed, lost, stands_a_crash},
    crash::{COMMITS_MAX, Kill, Point, Side, Then},
    doubt::needless,
    error::PlayError,
    events::last_number,
    ground::Ground,
    house::House,
    meanwhile::change,
    replay::{Eyes, Played, prepare, replay},
    resume::{Resumed, is_only_shown, resume},
    server::Server,
    sight::Tables,
    stage::Stage,
};
use crate::{
    coverage::Visited,
    invariant::{self, Evidence, Tree},
    scenario::{Act, Scenario, Turn},
    verdict::{Strictness, Verdict, Violated, Window, judge},
};
use serde_json::Value;
use std::path::Path;

pub(super) struct Exhausted {
    pub(super) verdict: Verdict,
    pub(super) kills: Vec<Kill>,
    pub(super) visited: Visited,
    pub(super) prompt_hash: String,
}

/// A scenario that is set up, with nobody on its ground: each point is played on a copy.
pub(super) struct Template {
    house: House,
    stage: Stage,
}

impl Template {
    pub(super) async fn set(
        mut house: House,
        scenario: &Scenario,
        label: &str,
        seed: u64,
    ) -> Result<Self, PlayError> {
        let stage = Stage::set(&house, scenario, label, seed).await?;
        house.server.stop().await?;
        Ok(Self { house, stage })
    }

    pub(super) const fn stage(&self) -> &Stage {
        &self.stage
    }

    async fn opened(&self) -> Result<House, PlayError> {
        self.stage.reset();
        let ground = self.house.ground.copied()?;
        let server = Server::start(&ground, None).await?;
        self.on(ground, server)
    }

    fn on(&self, ground: Ground, server: Server) -> Result<House, PlayError> {
        let rest = self.house.rest.moved(&server.url)?;
        Ok(House { server, ground, rest, cassettes: self.house.cassettes.clone(), live: None })
    }
}

/// Without a fault first: it has to pass. Then each commit of this boundary, until one is no more.
pub(super) async fn exhaust(
    template: &Template,
    scenario: &Scenario,
    folder: &Path,
    boundary: &'static str,
) -> Result<Exhausted, PlayError> {
    let house = template.opened().await?;
    let Played { verdict, window, .. } = replay(&house, &template.stage, scenario, folder).await?;
    drop(house);
    let (visited, prompt_hash) = (Visited::of(&window), window.prompt_hash());
    let crossed = is_crossed(boundary, &window);
    let mut done = Exhausted { verdict, kills: Vec::new(), visited, prompt_hash };
    if !done.verdict.is_good() {
        return Ok(done);
    }
    for side in Side::ALL {
        let before = done.kills.len();
        for nth in 1.. {
            let point = Point { boundary, side, nth };
            if nth > COMMITS_MAX {
                let first = Violated::new("kill_points", COMMITS_MAX, "more");
                return Ok(Exhausted { verdict: Verdict::Fail { first }, ..done });
            }
            let Some((kill, seen)) = at(template, scenario, folder, &point).await? else { break };
            done.visited.add(&Visited::of(&seen));
            done.kills.push(kill);
        }
        // A server that is never ended passes anything.
        if crossed && done.kills.len() == before {
            let why = format!("`{boundary}` is crossed, but no server ended {} it", side.as_str());
            return Ok(Exhausted { verdict: Verdict::Error { why }, ..done });
        }
    }
    if let Some(bad) = done.kills.iter().find(|kill| !kill.verdict.is_good()) {
        done.verdict = bad.told();
    }
    Ok(done)
}

/// `None`: the point was not reached.
async fn at(
    template: &Template,
    scenario: &Scenario,
    folder: &Path,
    point: &Point,
) -> Result<Option<(Kill, Window)>, PlayError> {
    let stage = &template.stage;
    let mut crash = template.begun(point).await?;
    let tree = Tree::of(&crash.house.ground, stage)?;
    let mut first = None;
    for (at, turn) in scenario.turns.iter().enumerate() {
        match crash.turn(stage, turn, at, point).await? {
            Gone::On => {}
            Gone::Waits | Gone::Early => break,
            Gone::Wrong(violated) => {
                first = Some(violated.in_turn(at + 1));
                break;
            }
        }
    }
    // At the very last commit nobody is there any more to see the end.
    if crash.killed.is_none() && !is_alive_soon(&mut crash.house).await {
        take_up(&mut crash.house, stage, point).await?;
        crash.killed = Some(scenario.turns.len().saturating_sub(1));
    }
    let (killed, then) = (crash.killed, crash.then);
    let (verdict, window) = match first {
        Some(first) => (Verdict::Fail { first }, Window::default()),
        None if killed.is_none() => return Ok(None),
        None => crash.judged(stage, (scenario, folder), &tree).await?,
    };
    let turn = killed.unwrap_or_default() + 1;
    Ok(Some((Kill { point: point.to_string(), turn, then, verdict }, window)))
}

/// One run with a point at which its server is going to end.
struct Crash {
    house: House,
    /// The turn in which it did.
    killed: Option<usize>,
    then: Then,
    /// Number of the last event that the client has seen.
    seen: u64,
    /// Everything that the client has heard: what was told is there for good.
    heard: Vec<Value>,
}

enum Gone {
    On,
    /// A step is in doubt: there is no going on before a person has said what became of it.
    Waits,
    /// What comes next answers a question that was not asked.
    Early,
    Wrong(Violated),
}

impl Crash {
    async fn turn(
        &mut self,
        stage: &Stage,
        turn: &Turn,
        at: usize,
        point: &Point,
    ) -> Result<Gone, PlayError> {
        prepare(&self.house, stage, turn)?;
        change(&self.house, stage, &turn.meanwhile).await?;
        let done = stage.places.act(&turn.act);
        match act(&self.house.rest, &stage.talk(), &done, self.seen).await {
            Ok(Acted::Turn(events)) => {
                self.seen = last_number(&events).max(self.seen);
                let is_only_shown = self.killed.is_some() && is_only_shown(turn, &events);
                self.heard.extend(events);
                if is_only_shown {
                    self.say_again(stage, turn, &done).await?;
                }
                Ok(Gone::On)
            }
            Ok(Acted::NothingWaits) => {
                Ok(Gone::Wrong(Violated::new("press", "a question that waits", "none")))
            }
            Ok(Acted::Refused(_)) => Ok(Gone::On),
            Err(error) if error.is_loss() && self.killed.is_none() => {
                self.killed = Some(at);
                take_up(&mut self.house, stage, point).await?;
                let heard = error.heard();
                let acknowledged = heard.is_some();
                self.heard.extend(heard.unwrap_or_default());
                self.resume(stage, turn, (&done, acknowledged)).await
            }
            Err(error) => Err(error),
        }
    }

    async fn say_again(&mut self, stage: &Stage, turn: &Turn, done: &Act) -> Result<(), PlayError> {
        prepare(&self.house, stage, turn)?;
        let talk = stage.talk();
        if let Acted::Turn(events) = act(&self.house.rest, &talk, done, self.seen).await? {
            self.seen = last_number(&events).max(self.seen);
            self.heard.extend(events);
        }
        Ok(())
    }

    async fn resume(
        &mut self,
        stage: &Stage,
        turn: &Turn,
        done: (&Act, bool),
    ) -> Result<Gone, PlayError> {
        match resume(&self.house, stage, turn, done, self.seen).await? {
            Resumed::WentOn { last } => self.seen = last,
            Resumed::SaidAgain { last } => {
                self.then = Then::SaidAgain;
                self.seen = last;
            }
            Resumed::Waits => {
                self.then = Then::Waits;
                let needless = needless(&self.house.rest, stage).await?;
                return Ok(needless.map_or(Gone::Waits, Gone::Wrong));
            }
            Resumed::EndedEarly => {
                self.then = Then::EndedEarly;
                return Ok(Gone::Early);
            }
            Resumed::Forgotten => {
                let expected = "what was acknowledged is found behind the restart";
                return Ok(Gone::Wrong(Violated::new(ACKNOWLEDGED, expected, "nothing of it")));
            }
        }
        Ok(Gone::On)
    }
}

impl Template {
    /// Some commits are made before the server says that it is there.
    async fn begun(&self, point: &Point) -> Result<Crash, PlayError> {
        self.stage.reset();
        let ground = self.house.ground.copied()?;
        let (server, killed) = match Server::start(&ground, Some(&point.to_string())).await {
            Ok(server) => (server, None),
            Err(PlayError::Start(_)) if is_reached(&ground, point)? => {
                (Server::start(&ground, None).await?, Some(0))
            }
            Err(error) => return Err(error),
        };
        let house = self.on(ground, server)?;
        Ok(Crash { house, killed, then: Then::WentOn, seen: 0, heard: Vec::new() })
    }
}

/// An abort right behind the last event shows a moment later.
async fn is_alive_soon(house: &mut House) -> bool {
    const MOMENT: std::time::Duration = std::time::Duration::from_millis(100);
    tokio::time::sleep(MOMENT).await;
    house.server.is_alive()
}

fn is_reached(ground: &Ground, point: &Point) -> Result<bool, PlayError> {
    let log = std::fs::read_to_string(ground.log()).map_err(PlayError::path(&ground.log()))?;
    Ok(log.contains(&format!("fault reached: {point}\n")))
}

/// Shows that it ended at exactly this point, and starts the next one on the same folder.
async fn take_up(house: &mut House, stage: &Stage, point: &Point) -> Result<(), PlayError> {
    house.server.ended().await?;
    if !is_reached(&house.ground, point)? {
        let told = format!("the server of `{}` ended, but not at `{point}`", stage.key);
        return Err(PlayError::Start(told));
    }
    house.server = Server::start(&house.ground, None).await?;
    house.rest = house.rest.moved(&house.server.url)?;
    Ok(())
}

impl Crash {
    async fn judged(
        self,
        stage: &Stage,
        (scenario, folder): (&Scenario, &Path),
        tree: &Tree,
    ) -> Result<(Verdict, Window), PlayError> {
        let Self { house, then, heard, .. } = self;
        let tables = Tables::of(scenario);
        let window = Eyes::whole_of(&house, stage, &tables).await?;
        let facts = scenario.expect.iter().filter(|fact| stands_a_crash(fact, then));
        let mut first = facts
            .map(|fact| stage.places.fact(fact))
            .find_map(|fact| judge(&fact, &window, folder, Strictness::AfterCrash));
        if first.is_none() && !then.is_played_on() {
            first = doubled(scenario, &window);
        }
        first = first.or_else(|| lost(&heard, &window));
        if first.is_none() {
            let evidence = Evidence::gather(&house, stage, &window).await?;
            first = invariant::first(&evidence, tree, &house.ground)?;
        }
        Ok((first.map_or(Verdict::Pass, |first| Verdict::Fail { first }), window))
    }
}
