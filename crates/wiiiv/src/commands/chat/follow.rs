//! One turn, from its message to its last event, across broken connections.

use super::{
    form::Form,
    halted,
    question::{self, Question},
    tell::Teller,
};
use crate::{
    commands::{chat::turn::Turn, sessions::revoked},
    connection::{items, path, text},
    exit::Exit,
    failure::Failure,
    output::harmless,
    texts::Texts,
};
use futures::StreamExt as _;
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_domain::Lang;
use wiiiv_net::{ApiCall, ApiError, EventStream, SseEvent};

/// Times that a broken stream is taken up again.
const RESUMES_MAX: u32 = 5;
/// Doubled with every time.
const RESUME_AFTER: Duration = Duration::from_secs(1);
const UNAVAILABLE: u16 = 503;

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Done,
    Failed,
    Denied,
    /// `None`: what is asked binds to no plan yet, or was asked in an earlier turn.
    Pending(Option<Question>),
    /// A yes stands that the turn it waited for has not used.
    Undecided,
    /// The question's time was over: nothing was done.
    Expired,
    /// Whether a step of its run had its effect is unknown.
    InDoubt,
    Cancelled,
    /// By Ctrl-C.
    Interrupted,
}

impl End {
    pub const fn exit(&self) -> Exit {
        match self {
            Self::Done | Self::Cancelled => Exit::Done,
            Self::Failed => Exit::CheckFailed,
            Self::Denied => Exit::Denied,
            Self::Pending(_) | Self::Undecided => Exit::Approval,
            Self::Expired => Exit::TooLate,
            Self::InDoubt => Exit::InDoubt,
            Self::Interrupted => Exit::Interrupted,
        }
    }
}

/// The last reply of a turn, where it says more than how the turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum LastWord {
    #[default]
    Other,
    /// The question is over.
    Expired,
    /// Whether a step had its effect is unknown.
    InDoubt,
}

impl LastWord {
    fn of(reply: &str) -> Self {
        match reply {
            "expired" => Self::Expired,
            "run_indeterminate" => Self::InDoubt,
            _ => Self::Other,
        }
    }
}

/// What was seen so far: whose turn it is, and where to go on.
#[derive(Default)]
struct Seen {
    turn: Option<String>,
    seq: Option<u64>,
    question: Option<Question>,
    word: LastWord,
    /// What was told last of halts.
    halts: Vec<Value>,
    interrupted: bool,
}

/// Says something, and follows what comes of it.
pub async fn follow(turn: &Turn<'_>, message: &str) -> Result<End, Failure> {
    sent(turn, json!({ "text": message })).await
}

/// The same with the answer to a form.
pub async fn sent(turn: &Turn<'_>, mut message: Value) -> Result<End, Failure> {
    turn.form.take();
    let call = ApiCall::post(path(&format!("/sessions/{}/messages", turn.session)));
    if let Some(members) = message.as_object_mut() {
        let language = turn.context.chosen_language.map(Lang::as_str).map(Value::from);
        let told = [("language", language), ("seen", turn.seen.get().map(Value::from))];
        let told = told.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        members.extend(told);
    }
    let call = call.json(message);
    let stream = turn.connection.client.events(call, None).await?;
    until_it_ends(turn, Seen::default(), Some(stream)).await
}

/// Follows a turn that something else began; `after`: the last event before it.
pub async fn follow_turn(turn: &Turn<'_>, id: &str, after: u64) -> Result<End, Failure> {
    let seen = Seen { turn: Some(id.to_owned()), seq: Some(after), ..Seen::default() };
    let below = path(&format!("/sessions/{}/events?after={after}", turn.session));
    let stream = turn.connection.client.events(ApiCall::get(below), None).await?;
    until_it_ends(turn, seen, Some(stream)).await
}

async fn until_it_ends(
    turn: &Turn<'_>,
    mut seen: Seen,
    mut stream: Option<EventStream>,
) -> Result<End, Failure> {
    let mut teller = Teller::new(turn.context, &turn.language);
    let mut resumes = 0;
    turn.shown_again.set(false);
    loop {
        let told = match &mut stream {
            Some(stream) => read(turn, stream, &mut seen, &mut teller).await,
            None => Ok(None),
        };
        match told {
            Ok(Some(end)) => return Ok(end),
            Ok(None) => {}
            Err(Failure::Api(error)) if is_passing(&error) => {}
            Err(failure) => return Err(failure),
        }
        // INVARIANT: a message is sent once; what is repeated is reading.
        resumes += 1;
        let (Some(seq), true) = (seen.seq, resumes <= RESUMES_MAX) else {
            turn.context.output.aside(&turn.context.texts.chat.broken_off)?;
            return Ok(End::Failed);
        };
        tokio::time::sleep(RESUME_AFTER * 2_u32.pow(resumes - 1)).await;
        let again = path(&format!("/sessions/{}/events?after={seq}", turn.session));
        stream = match turn.connection.client.events(ApiCall::get(again), None).await {
            Ok(stream) => Some(stream),
            Err(error) if is_passing(&error) => None,
            Err(error) => return Err(error.into()),
        };
    }
}

/// A server that starts again is there in a moment.
const fn is_passing(error: &ApiError) -> bool {
    match error {
        ApiError::Unreachable { .. } | ApiError::Timeout { .. } | ApiError::Interrupted { .. } => {
            true
        }
        ApiError::Problem(problem) => problem.status == UNAVAILABLE,
        ApiError::Client(_)
        | ApiError::Address(_)
        | ApiError::Path { .. }
        | ApiError::Header(_)
        | ApiError::TooLarge { .. }
        | ApiError::NotJson { .. }
        | ApiError::Events { .. } => false,
    }
}

/// Until the turn ends; `None` where the stream ends before it.
async fn read(
    turn: &Turn<'_>,
    stream: &mut EventStream,
    seen: &mut Seen,
    teller: &mut Teller<'_>,
) -> Result<Option<End>, Failure> {
    loop {
        let event = tokio::select! {
            event = stream.next() => event,
            _ = tokio::signal::ctrl_c() => {
                if seen.interrupted {
                    return Ok(Some(End::Interrupted));
                }
                seen.interrupted = true;
                cancel(turn).await?;
                continue;
            }
        };
        let Some(event) = event else { return Ok(None) };
        let event = event?;
        if event.event == "preview" {
            let data: Value = serde_json::from_str(&event.data).unwrap_or_default();
            teller.preview = plan(turn, text(&data, "approval")).await;
        }
        if is_shown_again(&event, seen.turn.as_deref()) {
            let waits = question::pending(turn).await?;
            if let Some(question) = &waits {
                teller.preview = plan(turn, &question.approval).await;
            }
            turn.shown_again.set(waits.is_some());
            seen.question = waits;
        }
        let end = take(turn, &event, seen, teller)?;
        tell_halts(turn, &event, seen).await?;
        if let Some(end) = end {
            return Ok(Some(if seen.interrupted { End::Interrupted } else { end }));
        }
    }
}

/// By whom and why where one stops the turn, and as it comes; each once.
async fn tell_halts(turn: &Turn<'_>, event: &SseEvent, seen: &mut Seen) -> Result<(), Failure> {
    let Ok(data) = serde_json::from_str::<Value>(&event.data) else { return Ok(()) };
    let own = seen.turn.as_deref() == Some(text(&data, "turn"));
    let halts = match event.event.as_str() {
        "halts" => items(&data, "halts").to_vec(),
        // The turn goes on also where the halts are not to be had: the reply has told what it came to.
        "reply" if own && halted::is_told_by(&data) => match halted::now(turn).await {
            Ok(halts) => halts,
            Err(_) => return Ok(()),
        },
        _ => return Ok(()),
    };
    if halts != seen.halts {
        halted::tell(turn, &halts)?;
        seen.halts = halts;
    }
    Ok(())
}

/// A reply of this turn that shows what waits whole once more.
fn is_shown_again(event: &SseEvent, turn: Option<&str>) -> bool {
    let Ok(data) = serde_json::from_str::<Value>(&event.data) else { return false };
    let own = turn.is_some_and(|turn| turn == text(&data, "turn"));
    let aside = data.pointer("/params/aside").and_then(Value::as_bool);
    let shows = match text(&data, "reply") {
        "waiting" => true,
        "still_waits" => aside == Some(false),
        _ => false,
    };
    own && event.event == "reply" && shows
}

/// Whatever is in progress or asked in this conversation.
pub async fn cancel(turn: &Turn<'_>) -> Result<(), Failure> {
    turn.context.output.aside(&turn.context.texts.chat.cancelling)?;
    let below = format!("/sessions/{}/control", turn.session);
    turn.connection.post(&below, json!({ "action": "cancel" })).await.map(drop)
}

/// The plan as data, for people; `None` where it is not to be had, and the event's own words have
/// to do.
async fn plan(turn: &Turn<'_>, approval: &str) -> Option<Value> {
    if turn.context.output.is_json() {
        return None;
    }
    let asked = turn.connection.get(&format!("/approvals/{approval}")).await.ok()?;
    let may = asked.get("may_approve").and_then(Value::as_bool);
    turn.may_answer.set(may.unwrap_or(true));
    asked.get("preview").filter(|preview| preview.is_object()).cloned()
}

/// Somebody took back a yes: who, and why.
fn tell_revoked(turn: &Turn<'_>, data: &Value) -> Result<(), Failure> {
    let output = &turn.context.output;
    output.document(data)?;
    let texts = turn.context.texts_in(turn.language.get());
    output.aside(&harmless(&revocation(&texts, data)))
}

fn revocation(texts: &Texts, data: &Value) -> String {
    format!("{} · {}", revoked(texts, data), text(data, "reason"))
}

fn take(
    turn: &Turn<'_>,
    event: &SseEvent,
    seen: &mut Seen,
    teller: &mut Teller<'_>,
) -> Result<Option<End>, Failure> {
    let Ok(data) = serde_json::from_str::<Value>(&event.data) else { return Ok(None) };
    seen.seq = data.get("seq").and_then(Value::as_u64).or(seen.seq);
    // Of no turn: what it names is its own.
    if event.event == "approval_revoked" {
        tell_revoked(turn, &data)?;
        turn.seen.set(turn.seen.get().max(seen.seq));
        return Ok(None);
    }
    let whose = text(&data, "turn");
    // What names no turn tells that the stream ends, not the turn.
    if whose.is_empty() || whose != seen.turn.get_or_insert_with(|| whose.to_owned()) {
        return Ok(None);
    }
    turn.context.output.document(&data)?;
    teller.tell(&event.event, &data)?;
    turn.seen.set(turn.seen.get().max(seen.seq));
    match event.event.as_str() {
        "preview" => (seen.question, seen.word) = (Question::of(&data), LastWord::Other),
        "ask" => *turn.form.borrow_mut() = Form::of(&data),
        "reply" => seen.word = LastWord::of(text(&data, "reply")),
        _ => {}
    }
    Ok(end_of(&event.event, seen))
}

/// `None`: the turn goes on.
fn end_of(event: &str, seen: &mut Seen) -> Option<End> {
    Some(match event {
        "done" if seen.word == LastWord::Expired => End::Expired,
        "done" => End::Done,
        "error" => End::Failed,
        "denied" => End::Denied,
        "pending" if seen.word == LastWord::InDoubt => End::InDoubt,
        "pending" => End::Pending(seen.question.take()),
        "cancelled" => End::Cancelled,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{End, LastWord, Seen, end_of, revocation};
    use crate::{exit::Exit, texts::Texts};
    use serde_json::json;
    use wiiiv_domain::Lang;

    #[test]
    fn what_waits_what_is_over_and_what_is_unknown_end_apart() {
        for (reply, event, exit) in [
            ("still_waits", "pending", Exit::Approval),
            ("run_indeterminate", "pending", Exit::InDoubt),
            ("expired", "done", Exit::TooLate),
            ("hello", "done", Exit::Done),
        ] {
            let mut seen = Seen { word: LastWord::of(reply), ..Seen::default() };
            assert_eq!(end_of(event, &mut seen).as_ref().map(End::exit), Some(exit), "{reply}");
        }
        assert_eq!(end_of("reply", &mut Seen::default()), None);
    }

    #[test]
    fn who_took_back_a_yes_and_why_is_told_in_both_languages() {
        let told = json!({"event": "approval_revoked", "turn": "own", "by": "u1", "by_name": "min",
            "reason": "wrong folder"});
        for (language, due) in [
            (Lang::En, "Approval taken back by min · wrong folder"),
            (Lang::Ko, "승인 취소: min · wrong folder"),
        ] {
            assert_eq!(revocation(&Texts::of(language).unwrap(), &told), due);
        }
    }
}
