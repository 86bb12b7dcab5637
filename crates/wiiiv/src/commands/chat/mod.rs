//! `chat`: a conversation on a terminal, or one message of one.

mod follow;
mod lines;
mod question;
mod resume;
mod talk;
mod tell;

use crate::args::ChatArgs;
use crate::complaint;
use crate::connection::Connection;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;
use crate::texts::fill;
use follow::{End, Turn, cancel};
use lines::{Heard, Lines};
use talk::{Talk, decided};

pub async fn chat(context: &Context, args: &ChatArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let session = resume::session(context, &connection, args).await?;
    let may_ask = terminal::is_interactive() && !context.output.is_json();
    let mut talk = Talk::new(Turn::new(context, &connection, session), may_ask)?;
    match &args.message {
        Some(message) => once(&mut talk, message, may_ask).await,
        None => {
            let pending = (args.resume || args.session.is_some()) && talk.remind().await?;
            converse(&mut talk, pending).await
        }
    }
}

/// The same once more for whoever has one thing to say: `init` tries a model by it.
pub async fn say(
    context: &Context,
    connection: &Connection,
    session: wiiiv_domain::SessionId,
    message: &str,
) -> Result<Exit, Failure> {
    Ok(follow::follow(&Turn::new(context, connection, session), message).await?.exit())
}

/// One message; on a terminal a question that it leads to can be answered at once.
async fn once(talk: &mut Talk<'_>, message: &str, may_ask: bool) -> Result<Exit, Failure> {
    let context = talk.turn.context;
    let mut end = talk.say(message).await?;
    let mut lines = may_ask.then(Lines::begin);
    while let (End::Pending(_), Some(lines)) = (&end, &mut lines) {
        context.output.ask(&talk.decide())?;
        match lines.next().await {
            // Anything but a bare y or n may change what was asked for: it goes as it was typed.
            Heard::Line(line) if line.trim().is_empty() => {}
            Heard::Line(line) => end = talk.say(decided(talk.language(), &line)).await?,
            Heard::Unreadable => context.output.aside(&context.texts.chat.unreadable)?,
            Heard::End => break,
            Heard::Interrupted => return withdraw(&talk.turn).await,
        }
    }
    if let End::Pending(question) = &end {
        tell_pending(talk, question.as_ref())?;
    }
    Ok(end.exit())
}

/// How to answer what was left open.
fn tell_pending(talk: &Talk<'_>, question: Option<&question::Question>) -> Result<(), Failure> {
    let (output, texts) = (&talk.turn.context.output, &talk.turn.context.texts.chat);
    let session = talk.turn.session.to_string();
    let Some(question) = question else {
        return output.aside(&fill(&texts.continue_with, &[("session", &session)]));
    };
    let digest: String = question.digest.chars().take(super::decide::DIGEST_DIGITS_MIN).collect();
    let values = [("approval", question.approval.as_str()), ("digest", &digest)];
    output.aside(&fill(&texts.pending, &values))
}

/// Ctrl-C at a question: nobody is to say yes to it any more.
async fn withdraw(turn: &Turn<'_>) -> Result<Exit, Failure> {
    cancel(turn).await?;
    Ok(Exit::Interrupted)
}

async fn converse(talk: &mut Talk<'_>, mut pending: bool) -> Result<Exit, Failure> {
    let context = talk.turn.context;
    let (texts, session) = (&context.texts.chat, talk.turn.session.to_string());
    let mut lines = Lines::begin();
    context.output.aside(&fill(&texts.welcome, &[("session", &session)]))?;
    loop {
        context.output.ask(&if pending { talk.decide() } else { texts.prompt.clone() })?;
        let line = match lines.next().await {
            Heard::Line(line) => line,
            Heard::Unreadable => {
                context.output.aside(&texts.unreadable)?;
                continue;
            }
            Heard::End => break,
            Heard::Interrupted if pending => return withdraw(&talk.turn).await,
            Heard::Interrupted => return Ok(Exit::Interrupted),
        };
        let message = if pending { decided(talk.language(), &line) } else { line.as_str() };
        if message.trim().is_empty() {
            continue;
        }
        pending = match talk.say(message).await {
            Ok(end) => matches!(end, End::Pending(_)),
            // Decided elsewhere, or too late: the conversation goes on.
            Err(failure) if failure.problem().is_some() && failure.exit() == Exit::Approval => {
                context.output.aside(&complaint::text(context, &failure))?;
                false
            }
            Err(failure) => return Err(failure),
        };
    }
    context.output.aside(&fill(&texts.continue_with, &[("session", &session)]))?;
    Ok(Exit::Done)
}
