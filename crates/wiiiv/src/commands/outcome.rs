//! Waits for the outcome of an approved plan, and prints it with its exit code.

use crate::connection::{Connection, PAGE_ROWS, if_there, required, take_items, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::texts::{ApprovalTexts, fill};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use wiiiv_domain::ApprovalId;

/// How often the server is asked; doubled up to the second one.
const ASK_AFTER: Duration = Duration::from_millis(100);
const ASK_AFTER_MAX: Duration = Duration::from_secs(2);
/// How long a yes may take to become a run or a denial.
const RULING_WAIT: Duration = Duration::from_secs(60);
/// How long a run is waited for, and so the turn in progress that comes to a yes; it goes on without us.
const RUN_WAIT: Duration = Duration::from_secs(30 * 60);
/// How long the words about a run that has ended may take: a model may be asked for them.
const WORDS_WAIT: Duration = Duration::from_secs(20);
/// Pages of a conversation that are looked through for them.
const PAGES_MAX: usize = 50;

pub struct Decided<'a> {
    pub connection: &'a Connection,
    pub approval: ApprovalId,
    pub answer: &'a Value,
}

impl Decided<'_> {
    /// The yes has its effect in the turn that was in progress.
    fn waits(&self) -> bool {
        !text(self.answer, "waits_for").is_empty()
    }

    /// The turn that tells what became of it.
    fn turn(&self) -> &str {
        text(self.answer, if self.waits() { "waits_for" } else { "turn" })
    }

    /// Of the turn that is to come to the yes.
    async fn progress(&self, talk: Option<&AskingSession>) -> Result<Progress, Failure> {
        match talk {
            _ if !self.waits() => Ok(Progress::GoesOn),
            Some(talk) => talk.progress(self.connection, self.turn()).await,
            None => Ok(Progress::Unseen),
        }
    }
}

/// How far a turn is, as the caller is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    GoesOn,
    Over,
    /// It is of a conversation that is not the caller's to see.
    Unseen,
}

/// What is said of a yes that was taken.
pub fn approved<'a>(texts: &'a ApprovalTexts, answer: &Value) -> &'a str {
    match text(answer, "waits_for") {
        "" => &texts.approved,
        _ => &texts.approved_beside,
    }
}

/// The conversation that asked.
pub struct AskingSession {
    id: String,
    /// Its last event before the answer, where it is the caller's own: what was said there can be told.
    after: Option<u64>,
}

impl AskingSession {
    pub async fn beside(connection: &Connection, asked: &Value) -> Result<Option<Self>, Failure> {
        // Who may answer a question need not see the conversation that it comes from.
        let plan = connection.get(&format!("/blueprints/{}", required(asked, "blueprint")?)).await;
        let Some(plan) = if_there(plan)? else { return Ok(None) };
        let id = required(&plan, "session")?.to_owned();
        let state = if_there(connection.get(&format!("/sessions/{id}/state")).await)?;
        let after = state.and_then(|state| state.get("last_event").and_then(Value::as_u64));
        Ok(Some(Self { id, after }))
    }

    /// As whoever began it and whoever may read the project's audit is told.
    async fn progress(&self, connection: &Connection, turn: &str) -> Result<Progress, Failure> {
        let why = connection.get(&format!("/sessions/{}/turns/{turn}/why", self.id)).await;
        Ok(match if_there(why)?.as_ref().map(|why| text(why, "outcome")) {
            None => Progress::Unseen,
            Some("") => Progress::GoesOn,
            Some(_) => Progress::Over,
        })
    }

    /// Whether it was that turn that did this run, or a part of it.
    async fn has_run(
        &self,
        connection: &Connection,
        (turn, execution): (&str, &str),
    ) -> Result<bool, Failure> {
        let Some(after) = self.after else { return Ok(false) };
        let rows = behind(connection, &format!("/executions/{execution}/events"), after).await?;
        Ok(rows.iter().any(|row| text(row, "turn") == turn))
    }

    /// The words that the turn ended with: they follow the run.
    async fn last_words(&self, connection: &Connection, turn: &str) -> Result<String, Failure> {
        let Some(after) = self.after else { return Ok(String::new()) };
        let (below, end) = (format!("/sessions/{}/history", self.id), Instant::now() + WORDS_WAIT);
        loop {
            let words = words_of(&behind(connection, &below, after).await?, turn);
            if words.is_some() || Instant::now() >= end {
                return Ok(words.unwrap_or_default());
            }
            tokio::time::sleep(ASK_AFTER).await;
        }
    }
}

/// What a conversation's list has behind that event.
async fn behind(connection: &Connection, below: &str, after: u64) -> Result<Vec<Value>, Failure> {
    let (mut rows, mut cursor) = (Vec::new(), after.to_string());
    for _ in 0..PAGES_MAX {
        let page = format!("{below}?cursor={cursor}&limit={PAGE_ROWS}");
        let mut page = connection.get(&page).await?;
        rows.append(&mut take_items(&mut page)?);
        match text(&page, "next_cursor") {
            "" => break,
            next => next.clone_into(&mut cursor),
        }
    }
    Ok(rows)
}

/// `None`: the turn has not ended.
fn words_of(rows: &[Value], turn: &str) -> Option<String> {
    let (mut words, mut over) = ("", false);
    for row in rows.iter().filter(|row| text(row, "turn") == turn) {
        match text(row, "event") {
            "accepted" => {}
            "ended" => over = true,
            _ => words = text(row, "text"),
        }
    }
    over.then(|| words.to_owned())
}

/// Where an approved plan stands.
#[derive(Debug, PartialEq, Eq)]
enum Standing {
    /// Nothing was decided yet.
    Open,
    /// The same, and the turn that it is decided in is not the caller's to see: all that there is to tell them.
    Unseen,
    Denied,
    Running {
        execution: String,
    },
    Ended {
        execution: String,
        state: String,
        code: Option<String>,
    },
}

impl Standing {
    fn of_approval(row: &Value) -> Self {
        match (text(row, "state"), text(row, "execution")) {
            ("pending" | "approved", _) => Self::Open,
            ("consumed", execution) if !execution.is_empty() => {
                Self::Running { execution: execution.to_owned() }
            }
            // Withdrawn, expired or rejected: no gate let it through.
            _ => Self::Denied,
        }
    }

    fn of_execution(execution: String, row: &Value) -> Self {
        let state = text(row, "state").to_owned();
        if state == "running" {
            return Self::Running { execution };
        }
        let code = row.get("code").and_then(Value::as_str).map(str::to_owned);
        Self::Ended { execution, state, code }
    }

    const fn is_running(&self) -> bool {
        matches!(self, Self::Running { .. })
    }

    const fn is_over(&self) -> bool {
        matches!(self, Self::Unseen | Self::Denied | Self::Ended { .. })
    }

    fn execution(&self) -> Option<&str> {
        match self {
            Self::Open | Self::Unseen | Self::Denied => None,
            Self::Running { execution } | Self::Ended { execution, .. } => Some(execution),
        }
    }

    /// In the document: as executions are called, and `denied`, `approved` or `running`.
    fn state(&self) -> &str {
        match self {
            Self::Open | Self::Unseen => "approved",
            Self::Denied => "denied",
            Self::Running { .. } => "running",
            Self::Ended { state, .. } => state,
        }
    }

    /// `waits`: for a turn that was in progress.
    fn exit(&self, waits: bool) -> Exit {
        match self {
            Self::Open if waits => Exit::Approval,
            Self::Unseen => Exit::Approval,
            Self::Denied => Exit::Denied,
            Self::Ended { state, .. } => match state.as_str() {
                "succeeded" => Exit::Done,
                "indeterminate" => Exit::InDoubt,
                _ => Exit::CheckFailed,
            },
            Self::Open | Self::Running { .. } => Exit::CheckFailed,
        }
    }
}

pub async fn told(
    context: &Context,
    decided: &Decided<'_>,
    talk: Option<AskingSession>,
) -> Result<Exit, Failure> {
    let texts = &context.texts.approvals;
    let said_yes = fill(approved(texts, decided.answer), &[("turn", text(decided.answer, "turn"))]);
    context.output.aside(&said_yes)?;
    let standing = tokio::select! {
        standing = settled(decided, talk.as_ref()) => standing?,
        _ = tokio::signal::ctrl_c() => return Ok(Exit::Interrupted),
    };
    let words = words(decided, talk.as_ref(), &standing).await?;
    context.output.document(&document(decided, &standing, &words))?;
    if !words.is_empty() {
        context.output.line(&harmless(&words))?;
    }
    context.output.line(&said(texts, &standing, decided.waits()))?;
    Ok(standing.exit(decided.waits()))
}

/// How a yes ends where the turn that it waited for is over: what is said of it, and with which code. `None`: its run
/// has begun.
pub fn unused(texts: &ApprovalTexts, row: &Value) -> Option<(String, Exit)> {
    let standing = Standing::of_approval(row);
    (!standing.is_running()).then(|| (said(texts, &standing, true), standing.exit(true)))
}

async fn words(
    decided: &Decided<'_>,
    talk: Option<&AskingSession>,
    standing: &Standing,
) -> Result<String, Failure> {
    let Some(talk) = talk.filter(|_| standing.is_over()) else { return Ok(String::new()) };
    let (connection, turn) = (decided.connection, decided.turn());
    // The turn that was in progress is about something else, unless the yes had its effect there.
    let tells = match standing.execution() {
        _ if !decided.waits() => true,
        Some(execution) => talk.has_run(connection, (turn, execution)).await?,
        None => false,
    };
    if tells { talk.last_words(connection, turn).await } else { Ok(String::new()) }
}

async fn settled(decided: &Decided<'_>, talk: Option<&AskingSession>) -> Result<Standing, Failure> {
    let patience = if decided.waits() { RUN_WAIT } else { RULING_WAIT };
    let (mut pause, mut end) = (ASK_AFTER, Instant::now() + patience);
    let mut standing = Standing::Open;
    loop {
        // Asked first: what that turn did with the yes is on record when it is over.
        let is_open = standing == Standing::Open;
        let turn = if is_open { decided.progress(talk).await? } else { Progress::GoesOn };
        let next = look(decided, &standing).await?;
        // A run has a time of its own, from its beginning.
        if is_open && next.is_running() {
            end = Instant::now() + RUN_WAIT;
        }
        let is_unseen = turn == Progress::Unseen && next == Standing::Open;
        standing = if is_unseen { Standing::Unseen } else { next };
        let is_left = turn == Progress::Over && standing == Standing::Open;
        if is_left || standing.is_over() || Instant::now() >= end {
            return Ok(standing);
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(ASK_AFTER_MAX);
    }
}

async fn look(decided: &Decided<'_>, standing: &Standing) -> Result<Standing, Failure> {
    if let Standing::Running { execution } = standing {
        let row = decided.connection.get(&format!("/executions/{execution}")).await?;
        return Ok(Standing::of_execution(execution.clone(), &row));
    }
    let row = decided.connection.get(&format!("/approvals/{}", decided.approval)).await?;
    Ok(Standing::of_approval(&row))
}

fn document(decided: &Decided<'_>, standing: &Standing, words: &str) -> Value {
    let code = match standing {
        Standing::Open | Standing::Unseen | Standing::Denied | Standing::Running { .. } => None,
        Standing::Ended { code, .. } => code.as_ref(),
    };
    json!({
        "approval": decided.approval, "turn": text(decided.answer, "turn"),
        "state": standing.state(), "execution": standing.execution(), "code": code, "text": words,
    })
}

fn said(texts: &ApprovalTexts, standing: &Standing, waits: bool) -> String {
    match standing {
        Standing::Open => texts.undecided.clone(),
        Standing::Unseen => texts.untold.clone(),
        Standing::Denied if waits => texts.unused.clone(),
        Standing::Denied => texts.denied.clone(),
        Standing::Running { execution } => fill(&texts.runs_on, &[("execution", execution)]),
        Standing::Ended { execution, state, code } => {
            let template = match state.as_str() {
                "succeeded" => &texts.succeeded,
                "indeterminate" => &texts.in_doubt,
                "cancelled" => &texts.stopped,
                _ => &texts.failed,
            };
            let code = code.as_deref().unwrap_or("-");
            fill(template, &[("execution", execution), ("code", code)])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Standing, unused, words_of};
    use crate::exit::Exit;
    use crate::texts::Texts;
    use serde_json::json;
    use wiiiv_domain::Lang;

    #[test]
    fn an_approval_becomes_a_run_or_a_denial() {
        let of = |state: &str, execution: Option<&str>| {
            Standing::of_approval(&json!({"state": state, "execution": execution}))
        };
        assert_eq!(of("approved", None), Standing::Open);
        assert_eq!(of("withdrawn", None).exit(true), Exit::Denied);
        assert_eq!(of("expired", None).exit(false), Exit::Denied);
        // Its time may come.
        assert_eq!(of("approved", None).exit(true), Exit::Approval);
        assert_eq!(of("approved", None).exit(false), Exit::CheckFailed);
        assert!(Standing::Unseen.is_over() && Standing::Unseen.exit(true) == Exit::Approval);
        let running = Standing::Running { execution: "e".to_owned() };
        assert_eq!(of("consumed", Some("e")), running);
    }

    #[test]
    fn a_yes_that_its_turn_left_says_whether_it_still_stands() {
        let texts = Texts::of(Lang::En).unwrap().approvals;
        let of = |state: &str, execution: Option<&str>| {
            unused(&texts, &json!({"state": state, "execution": execution}))
        };
        assert_eq!(of("approved", None), Some((texts.undecided.clone(), Exit::Approval)));
        assert_eq!(of("withdrawn", None), Some((texts.unused.clone(), Exit::Denied)));
        assert_eq!(of("consumed", Some("e")), None);
    }

    #[test]
    fn a_turns_words_are_the_last_before_its_end() {
        let row = |turn, event, text| json!({"turn": turn, "event": event, "text": text});
        let mut rows = vec![
            row("a", "accepted", "hello"),
            row("b", "reply", "of another turn"),
            row("a", "reply", "first"),
            row("a", "reply", "last"),
            row("b", "ended", ""),
        ];
        assert_eq!(words_of(&rows, "a"), None);
        rows.push(row("a", "ended", ""));
        assert_eq!(words_of(&rows, "a").as_deref(), Some("last"));
    }

    #[test]
    fn a_run_ends_with_its_exit_code() {
        let exit = |state: &str| {
            let row = json!({"state": state, "code": "HTTP_STATUS"});
            let standing = Standing::of_execution("e".to_owned(), &row);
            (standing.is_over(), standing.exit(false))
        };
        assert_eq!(exit("succeeded"), (true, Exit::Done));
        assert_eq!(exit("failed"), (true, Exit::CheckFailed));
        assert_eq!(exit("cancelled"), (true, Exit::CheckFailed));
        assert_eq!(exit("indeterminate"), (true, Exit::InDoubt));
        assert!(!exit("running").0);
    }
}
