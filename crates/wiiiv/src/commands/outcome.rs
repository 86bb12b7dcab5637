//! Waits for the outcome of an approved plan, and prints it with its exit code.

use crate::connection::{Connection, if_there, items, required, text};
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
}

/// What is said of a yes that was taken.
pub fn approved<'a>(texts: &'a ApprovalTexts, answer: &Value) -> &'a str {
    match text(answer, "waits_for") {
        "" => &texts.approved,
        _ => &texts.approved_beside,
    }
}

/// The conversation that asked, where it is the caller's own: what was said there can be told.
pub struct AskingSession {
    session: String,
    /// Its last event before the answer.
    after: u64,
}

impl AskingSession {
    pub async fn beside(connection: &Connection, asked: &Value) -> Result<Option<Self>, Failure> {
        // Who may answer a question need not see the conversation that it comes from.
        let plan = connection.get(&format!("/blueprints/{}", required(asked, "blueprint")?)).await;
        let Some(plan) = if_there(plan)? else { return Ok(None) };
        let session = required(&plan, "session")?.to_owned();
        let state = if_there(connection.get(&format!("/sessions/{session}/state")).await)?;
        let after = state.and_then(|state| state.get("last_event").and_then(Value::as_u64));
        Ok(after.map(|after| Self { session, after }))
    }

    /// The words that the turn ended with: they follow the run.
    async fn last_words(&self, connection: &Connection, turn: &str) -> Result<String, Failure> {
        let end = Instant::now() + WORDS_WAIT;
        loop {
            let words = self.words(connection, turn).await?;
            if words.is_some() || Instant::now() >= end {
                return Ok(words.unwrap_or_default());
            }
            tokio::time::sleep(ASK_AFTER).await;
        }
    }

    /// `None`: the turn has not ended.
    async fn words(&self, connection: &Connection, turn: &str) -> Result<Option<String>, Failure> {
        let below = format!("/sessions/{}/history?cursor={}&limit=100", self.session, self.after);
        let page = connection.get(&below).await?;
        let of_turn = items(&page, "items").iter().filter(|row| text(row, "turn") == turn);
        let (mut words, mut over) = ("", false);
        for row in of_turn {
            match text(row, "event") {
                "accepted" => {}
                "ended" => over = true,
                _ => words = text(row, "text"),
            }
        }
        Ok(over.then(|| words.to_owned()))
    }
}

/// Where an approved plan stands.
#[derive(Debug, PartialEq, Eq)]
enum Standing {
    /// Nothing was decided yet.
    Open,
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
        matches!(self, Self::Denied | Self::Ended { .. })
    }

    /// In the document: as executions are called, and `denied`, `approved` or `running`.
    fn state(&self) -> &str {
        match self {
            Self::Open => "approved",
            Self::Denied => "denied",
            Self::Running { .. } => "running",
            Self::Ended { state, .. } => state,
        }
    }

    /// `waits`: for a turn that was in progress.
    fn exit(&self, waits: bool) -> Exit {
        match self {
            Self::Open if waits => Exit::Approval,
            Self::Denied => Exit::Denied,
            Self::Ended { state, .. } => match state.as_str() {
                "succeeded" => Exit::Done,
                // It waits for a person's word.
                "indeterminate" => Exit::Approval,
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
        standing = settled(decided) => standing?,
        _ = tokio::signal::ctrl_c() => return Ok(Exit::Interrupted),
    };
    let words = match &talk {
        Some(talk) if standing.is_over() => {
            talk.last_words(decided.connection, decided.turn()).await?
        }
        Some(_) | None => String::new(),
    };
    context.output.document(&document(decided, &standing, &words))?;
    if !words.is_empty() {
        context.output.line(&harmless(&words))?;
    }
    context.output.line(&said(context, &standing, decided.waits()))?;
    Ok(standing.exit(decided.waits()))
}

async fn settled(decided: &Decided<'_>) -> Result<Standing, Failure> {
    let patience = if decided.waits() { RUN_WAIT } else { RULING_WAIT };
    let (mut pause, mut end) = (ASK_AFTER, Instant::now() + patience);
    let mut standing = Standing::Open;
    loop {
        let next = look(decided, &standing).await?;
        // A run has a time of its own, from its beginning.
        if standing == Standing::Open && next.is_running() {
            end = Instant::now() + RUN_WAIT;
        }
        standing = next;
        if standing.is_over() || Instant::now() >= end {
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
    let (execution, code) = match standing {
        Standing::Open | Standing::Denied => (None, None),
        Standing::Running { execution } => (Some(execution), None),
        Standing::Ended { execution, code, .. } => (Some(execution), code.as_ref()),
    };
    json!({
        "approval": decided.approval, "turn": text(decided.answer, "turn"),
        "state": standing.state(), "execution": execution, "code": code, "text": words,
    })
}

fn said(context: &Context, standing: &Standing, waits: bool) -> String {
    let texts = &context.texts.approvals;
    match standing {
        Standing::Open => texts.undecided.clone(),
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
    use super::Standing;
    use crate::exit::Exit;
    use serde_json::json;

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
        let running = Standing::Running { execution: "e".to_owned() };
        assert_eq!(of("consumed", Some("e")), running);
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
        assert_eq!(exit("indeterminate"), (true, Exit::Approval));
        assert!(!exit("running").0);
    }
}
