//! `chat`: a conversation on a terminal, or one message of one.

mod answer;
mod button;
mod dialogue;
mod examples;
mod follow;
mod form;
mod halted;
mod lines;
mod question;
mod resume;
mod tell;
mod turn;

use crate::{
    args::ChatArgs, commands::chat::turn::Turn, complaint, connection::Connection,
    context::Context, exit::Exit, failure::Failure, output::harmless, terminal, texts::fill,
};
use dialogue::{Dialogue, decided};
use follow::{End, cancel, sent};
use form::Form;
use lines::{InputLine, Lines};

pub async fn chat(context: &Context, args: &ChatArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    if args.examples {
        return examples::list(context, &connection, args).await;
    }
    let session = resume::session(context, &connection, args).await?;
    let may_ask = terminal::is_interactive() && !context.output.is_json();
    let turn = Turn::new(context, &connection, session).having_seen(args.seen);
    let mut talk = Dialogue::new(turn, may_ask)?;
    match &args.message {
        Some(message) => once(&mut talk, Entry::Words(message), may_ask).await,
        None if !args.fields.is_empty() => {
            once(&mut talk, Entry::Fields(&args.fields), may_ask).await
        }
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

/// What the command line says.
enum Entry<'a> {
    Words(&'a str),
    Fields(&'a [(String, String)]),
}

/// One message; on a terminal a question that it leads to can be answered at once.
async fn once(talk: &mut Dialogue<'_>, entry: Entry<'_>, may_ask: bool) -> Result<Exit, Failure> {
    let context = talk.turn.context;
    let mut end = match entry {
        Entry::Words(message) => talk.say(message).await?,
        Entry::Fields(given) => talk.fill(given).await?,
    };
    let mut lines = may_ask.then(Lines::begin);
    if let Some(lines) = &mut lines {
        end = fill_in(talk, lines, end).await?;
    }
    while let (End::Pending(_), Some(lines), Some(ask)) = (&end, &mut lines, talk.decide()) {
        context.output.ask(&ask)?;
        match lines.next().await {
            // Anything but a bare y or n may change what was asked for: it goes as it was typed.
            InputLine::Line(line) if line.trim().is_empty() => {}
            InputLine::Line(line) => {
                end = talk.say(decided(talk.language(), &line)).await?;
                end = fill_in(talk, lines, end).await?;
            }
            InputLine::Unreadable => context.output.aside(&context.texts.chat.unreadable)?,
            InputLine::End => break,
            InputLine::Interrupted => return withdraw(&talk.turn).await,
        }
    }
    tell_form(&talk.turn)?;
    if let End::Pending(question) = &end {
        tell_pending(talk, question.as_ref())?;
    } else if end == End::InDoubt {
        tell_pending(talk, None)?;
    }
    Ok(end.exit())
}

/// Field by field, as long as one is asked for; an empty line leaves the form open.
async fn fill_in(talk: &mut Dialogue<'_>, lines: &mut Lines, mut end: End) -> Result<End, Failure> {
    let context = talk.turn.context;
    loop {
        let Some(form) = talk.turn.form.take() else { return Ok(end) };
        let Some(given) = typed(context, lines, &form).await? else {
            talk.turn.form.replace(Some(form));
            return Ok(end);
        };
        end = sent(&talk.turn, form.answer(&given)?).await?;
        talk.asked(&end);
    }
}

/// `None`: an empty line, or the input is over.
async fn typed(
    context: &Context,
    lines: &mut Lines,
    form: &Form,
) -> Result<Option<Vec<(String, String)>>, Failure> {
    let mut given = Vec::new();
    let lacking = form.lacking(context);
    if lacking.is_empty() {
        return Ok(None);
    }
    context.output.aside(&context.texts.chat.fill_in)?;
    for (name, question) in lacking {
        context.output.ask(&question)?;
        match lines.next().await {
            InputLine::Line(line) if !line.trim().is_empty() => given.push((name, line)),
            InputLine::Unreadable => {
                context.output.aside(&context.texts.chat.unreadable)?;
                return Ok(None);
            }
            InputLine::Line(_) | InputLine::End | InputLine::Interrupted => return Ok(None),
        }
    }
    Ok(Some(given))
}

/// How to fill in what was left open.
fn tell_form(turn: &Turn<'_>) -> Result<(), Failure> {
    let (context, form) = (turn.context, turn.form.borrow());
    let Some(form) = form.as_ref() else { return Ok(()) };
    let lacking = form.lacking(context).into_iter();
    let fields: Vec<String> = lacking.map(|(name, _)| format!("--field {name}=…")).collect();
    if fields.is_empty() {
        return Ok(());
    }
    let (session, fields) = (turn.session.to_string(), fields.join(" "));
    let seen = turn.seen.get().unwrap_or_default().to_string();
    let values = [("session", session.as_str()), ("seen", &seen), ("fields", &fields)];
    context.output.aside(&harmless(&fill(&context.texts.chat.fill_later, &values)))
}

/// How to answer what was left open.
fn tell_pending(talk: &Dialogue<'_>, question: Option<&question::Question>) -> Result<(), Failure> {
    let (output, texts) = (&talk.turn.context.output, &talk.turn.context.texts.chat);
    let session = talk.turn.session.to_string();
    let Some(question) = question else {
        return output.aside(&fill(&texts.continue_with, &[("session", &session)]));
    };
    let digest: String = question.digest.chars().take(super::decide::DIGEST_DIGITS_MIN).collect();
    let values = [("approval", question.approval.as_str()), ("digest", &digest)];
    let told = if talk.turn.may_answer.get() { &texts.pending } else { &texts.pending_other };
    output.aside(&fill(told, &values))
}

/// Ctrl-C at a question: nobody is to say yes to it any more.
async fn withdraw(turn: &Turn<'_>) -> Result<Exit, Failure> {
    cancel(turn).await?;
    Ok(Exit::Interrupted)
}

async fn converse(talk: &mut Dialogue<'_>, mut pending: bool) -> Result<Exit, Failure> {
    let context = talk.turn.context;
    let (texts, session) = (&context.texts.chat, talk.turn.session.to_string());
    let mut lines = Lines::begin();
    context.output.aside(&fill(&texts.welcome, &[("session", &session)]))?;
    loop {
        let ask = if pending { talk.decide() } else { None };
        let answers = ask.is_some();
        context.output.ask(&ask.unwrap_or_else(|| texts.prompt.clone()))?;
        let line = match lines.next().await {
            InputLine::Line(line) => line,
            InputLine::Unreadable => {
                context.output.aside(&texts.unreadable)?;
                continue;
            }
            InputLine::End => break,
            InputLine::Interrupted if pending => return withdraw(&talk.turn).await,
            InputLine::Interrupted => return Ok(Exit::Interrupted),
        };
        let message = if answers { decided(talk.language(), &line) } else { line.as_str() };
        if message.trim().is_empty() {
            continue;
        }
        pending = match talk.say(message).await {
            Ok(end) => matches!(end, End::Pending(_)),
            // Decided elsewhere, or too late: the conversation goes on.
            Err(failure)
                if failure.problem().is_some()
                    && matches!(failure.exit(), Exit::Approval | Exit::TooLate) =>
            {
                context.output.aside(&complaint::text(context, &failure))?;
                false
            }
            Err(failure) => return Err(failure),
        };
        if talk.turn.form.borrow().is_some() && talk.may_ask() {
            let end = fill_in(talk, &mut lines, End::Done).await?;
            pending = matches!(end, End::Pending(_));
        }
    }
    context.output.aside(&fill(&texts.continue_with, &[("session", &session)]))?;
    Ok(Exit::Done)
}
