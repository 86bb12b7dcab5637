//! What is kept in mind: a wish to remember, which code carries out, and what prompts hold of it.

use crate::{
    remember_text::{Forgetting, RememberRequest, forgetting, means_all, request},
    session::{Session, SessionFault, profile},
};
use std::sync::Arc;
use wiiiv_context::{MemoryBlocks, holds_secret};
use wiiiv_domain::{
    MEMORY_CHARS_MAX, MemoryOwner, MemoryScope, MemoryText, MemoryTextError, Spec, TaskType,
    TurnId, ValueSource, unquoted,
};
use wiiiv_gate::Principal;
use wiiiv_hlx::neutralise;
use wiiiv_language::{ReadSignal, Reading, Situation, read};
use wiiiv_store::{MemoryRefused, MemoryRow, Point, RememberCommand, Remembered, StoreError};

/// Behind these a job may begin. In Korean a message with a job behind the wish is read as the job alone.
const JOINS: [&str; 5] = [" and ", ", ", ". ", "! ", "; "];
/// Of one line so many are looked at.
const JOINS_MAX: usize = 8;

/// Keeps what the turn's message asks to be kept. The reply that follows says what came of it, and that nothing was
/// forgotten where that was asked for. `words`: of the message itself; a button and a form have none.
pub async fn remember(
    session: &mut Session,
    turn: TurnId,
    who: &Principal,
    words: Option<&str>,
) -> Result<(), SessionFault> {
    let Some(words) = words else { return Ok(()) };
    let told = match request(words) {
        Some(asked) => keep(session, (turn, who), words, asked).await?,
        None if forgetting(words).is_some() => session.text("memory.not_forgotten", &[]),
        None => return Ok(()),
    };
    if let Some(turn) = &mut session.work.turn {
        turn.remembered = Some(told);
    }
    Ok(())
}

/// What came of it.
async fn keep(
    session: &mut Session,
    (turn, who): (TurnId, &Principal),
    words: &str,
    RememberRequest { scope, line }: RememberRequest,
) -> Result<String, SessionFault> {
    Ok(if holds_secret(&line) {
        session.text("memory.secret", &[])
    } else if !means_all(words)
        && let Some((fact, job)) = fact_and_job(session, &line)
    {
        let both = [("line", neutralise(fact)), ("job", neutralise(job))];
        session.text("memory.two", &both)
    } else {
        // What is kept names a turn that is on record.
        session.flush(Point::T0).await?;
        let project = session.journal.row.project;
        let command = RememberCommand::new(who, turn, project, scope, &line);
        let done = session.runtime.deps.store.remember(command).await;
        told(session, (scope, &line), done)?
    })
}

/// Whether it asks for something to be forgotten, and for nothing else. A model that answered could say that it has. Beside
/// a task it may be about that, and something to do with a profile may be a model's.
pub async fn is_to_forget(
    session: &Session,
    reading: &Reading,
    text: &str,
) -> Result<bool, SessionFault> {
    let flow = &session.flow;
    let mut tasks = flow.active().into_iter().chain(flow.queued()).chain(flow.suspended());
    let speaks = matches!(reading.signal, ReadSignal::Say | ReadSignal::FollowUp);
    let is_one = speaks && reading.later.is_empty();
    if !is_one || tasks.next().is_some() {
        return Ok(false);
    }
    Ok(match (forgetting(text), reading.task_type) {
        (Some(Forgetting::Memory), task) => {
            !is_whole_job(reading)
                && task.is_none_or(|of| of.is_talk() || of == TaskType::FileDelete)
        }
        (Some(Forgetting::Said), None | Some(TaskType::Conversation | TaskType::Information)) => {
            profile::schema(session).await?.is_none()
        }
        (Some(Forgetting::Said) | None, _) => false,
    })
}

fn is_whole_job(read: &Reading) -> bool {
    let is_whole = |task: TaskType| !task.is_talk() && Spec::missing(task, &read.slots).is_empty();
    read.task_type.is_some_and(is_whole)
}

/// `I like tea and write 'x' to a.txt`: what stands before words that, read by themselves, ask for a job which lacks
/// nothing. Whether they do here, or are a habit that is told, its author alone can say.
fn fact_and_job<'l>(session: &Session, line: &'l str) -> Option<(&'l str, &'l str)> {
    let systems = session.work.systems.list.clone();
    let situation = Situation { systems, ..Situation::default() };
    let is_job = |text: &str| {
        let read = read(&session.runtime.deps.lexicon, text, &situation);
        let asks = read.signal == ReadSignal::Say && !read.negated && read.lost.is_none();
        asks && is_whole_job(&read)
    };
    let open = unquoted(line);
    let joins = JOINS.iter().flat_map(|join| open.match_indices(*join));
    let mut places: Vec<(usize, usize)> = joins.map(|(at, join)| (at, at + join.len())).collect();
    places.sort_unstable();
    let part = |(end, begin): (usize, usize)| Some((line.get(..end)?, line.get(begin..)?));
    let mut parts = places.into_iter().take(JOINS_MAX).filter_map(part);
    parts.find(|(_, job)| is_job(job))
}

fn told(
    session: &Session,
    (scope, line): (MemoryScope, &str),
    done: Result<Remembered, MemoryRefused>,
) -> Result<String, SessionFault> {
    let size = |chars: usize| [("chars", chars.to_string()), ("max", MEMORY_CHARS_MAX.to_string())];
    let line = [("line", neutralise(line))];
    match done {
        Ok(Remembered { is_new: false, .. }) => Ok(session.text("memory.known", &line)),
        Ok(Remembered { row, .. }) => {
            let key = match scope {
                MemoryScope::User => "memory.kept_user",
                MemoryScope::Project => "memory.kept_project",
            };
            Ok(session.text(key, &[size(row.text.chars()).as_slice(), &line].concat()))
        }
        Err(MemoryRefused::Text(MemoryTextError::TooLong { chars, .. })) => {
            Ok(session.text("memory.full", &size(chars)))
        }
        Err(MemoryRefused::Text(MemoryTextError::ControlCharacter { .. })) => {
            Ok(session.text("memory.unfit", &[]))
        }
        Err(MemoryRefused::NotAllowed) => Ok(session.text("memory.not_allowed", &[])),
        // Nobody said which version was seen.
        Err(stale @ MemoryRefused::Stale { .. }) => Err(SessionFault::other(stale.to_string())),
        Err(MemoryRefused::Store(error)) => Err(error.into()),
    }
}

/// Both memories as one model call reads them. INVARIANT: what is looked through for signals is what the prompt shows,
/// and what it shows of somebody else's is named as a source, whoever changes them meanwhile.
pub struct Memories {
    blocks: MemoryBlocks,
    /// The project's, if somebody else than the session's owner has written in it: what it says are not their words.
    foreign: Option<ValueSource>,
}

impl Memories {
    /// As they stand. A person's own is for nobody else who speaks in their conversation.
    pub async fn read(session: &Session) -> Result<Self, StoreError> {
        let (store, row) = (&session.runtime.deps.store, &session.journal.row);
        let is_owner = session.conversation.speaker.is_none_or(|speaker| speaker == row.owner);
        let user = match is_owner {
            true => store.memory(MemoryOwner::User(row.owner)).await?,
            false => None,
        };
        let project = store.memory(MemoryOwner::Project(row.project)).await?;
        let others = project.as_ref().filter(|kept| kept.has_words_of_others(row.owner));
        let source = |version| ValueSource::Memory { memory: row.project, version };
        let foreign = others.map(|kept| source(kept.version));
        let text = |kept: Option<Arc<MemoryRow>>| -> MemoryText {
            kept.map(|kept| kept.text.clone()).unwrap_or_default()
        };
        Ok(Self { blocks: MemoryBlocks { user: text(user), project: text(project) }, foreign })
    }

    pub const fn blocks(&self) -> &MemoryBlocks {
        &self.blocks
    }

    /// The project's, where it is not the user's own words.
    pub fn foreign(&self) -> Option<&MemoryText> {
        self.foreign.as_ref().map(|_| &self.blocks.project)
    }

    /// That one as a source of what a model writes.
    pub fn source(&self) -> Option<ValueSource> {
        self.foreign.clone()
    }
}
