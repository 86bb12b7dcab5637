//! What an utterance says about a task, as the task's slots.

use crate::{
    called,
    character::is_hangul,
    chosen,
    concept::Concept,
    content, filled,
    folder::{Folder, folder},
    lexicon::Sign,
    literal,
    part::Part,
    paths, query, request,
    said::{Said, intent},
    search, sent, stack,
    token::{Token, TokenKind},
};
use std::borrow::Cow;
use wiiiv_domain::{HttpMethod, SlotError, SlotName, Slots, TaskType};

/// The value of `sourceRun` that means the session's last run.
const LAST_RUN: &str = "last";

/// A value that does not fit a slot is left out: it is asked for.
pub(crate) fn slots(task: TaskType, said: &Said<'_, '_>) -> Slots {
    let mut slots = Slots::default();
    let filled = match task {
        TaskType::Conversation | TaskType::Information => Ok(()),
        TaskType::ProjectCreate => project(&mut slots, said),
        TaskType::WorkflowCreate => workflow_create(&mut slots, said),
        TaskType::WorkflowRun | TaskType::WorkflowManage => workflow(&mut slots, said),
        TaskType::FileDelete if paths::may_begin_before(said.lexicon, said.tokens) => Ok(()),
        TaskType::FileRead | TaskType::FileDelete => path(&mut slots, said),
        TaskType::FileWrite => file_write(&mut slots, said),
        TaskType::ApiWorkflow => api(&mut slots, said),
        TaskType::CodeEdit => slots
            .set("instruction", intent(said.part()))
            .and_then(|()| set(&mut slots, "sources", target(said).as_deref())),
        TaskType::Command => {
            let command = literal::command(said.lexicon, said.text, said.tokens);
            set(&mut slots, "command", command)
        }
        TaskType::DbQuery => {
            let name = called::called(said, Concept::Database);
            slots
                .set(SlotName::INTENT, intent(said.part()))
                .and_then(|()| set(&mut slots, "database", name))
        }
        TaskType::WebFetch => web(&mut slots, said),
    };
    if filled.is_ok() { slots } else { Slots::default() }
}

fn workflow(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    set(slots, "workflow", called::called(said, Concept::Workflow))
}

fn workflow_create(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    workflow(slots, said)?;
    let about = stack::is_about_something(said, slots.get("workflow"));
    set(slots, SlotName::DOMAIN, about.then(|| intent(said.part())).as_deref())?;
    set(slots, "scale", stack::scale(said))
}

fn project(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    let tools = stack::technologies(said);
    let about = stack::is_about_something(said, tools.as_deref());
    set(slots, SlotName::DOMAIN, about.then(|| intent(said.part())).as_deref())?;
    set(slots, "techStack", tools.as_deref())?;
    set(slots, "scale", stack::scale(said))
}

fn web(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    let url = request::url(said.tokens);
    set(slots, SlotName::URL, url)?;
    if url.is_none() {
        return set(slots, "query", search::query(said.lexicon, said.text, said.tokens));
    }
    let at = paths::target(said.lexicon, said.tokens);
    let adds = content::is_appended(said.tokens, at);
    if adds {
        slots.set(SlotName::APPEND, "true")?;
    }
    let keeps = adds || said.signs.says(Concept::Save) || said.signs.says(Concept::Write);
    if keeps { path(slots, said).and_then(|()| save(slots, said)) } else { Ok(()) }
}

/// `save the product list`: the file is asked for, as long as none was named.
fn save(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    // `the saved products`
    let past = |t: &Token<'_>| t.text.is_ascii() && t.ends(Part::Past);
    let asked = |t: &Token<'_>| t.verb() == Some(Concept::Save) && !t.attributive && !past(t);
    // English orders with its first verb, Korean with its last: not `show me the orders of the store`.
    let verbs = || said.tokens.iter().filter(|token| token.leads());
    let english = verbs().next().is_some_and(|verb| verb.text.is_ascii());
    let leading = if english { verbs().next() } else { verbs().next_back() };
    let open = slots.get(SlotName::TARGET_PATH).is_none();
    // `put the orders in order of price`
    let sorts = english && said.signs.says(Concept::Sort);
    let saves = open && !sorts && (leading.is_some_and(asked) || is_kept(said));
    if saves { slots.set(SlotName::SAVE, "true") } else { Ok(()) }
}

/// `keep the list of suppliers`, and not `keep only the names`, `keep orders over 100`.
fn is_kept(said: &Said<'_, '_>) -> bool {
    let first = said.tokens.iter().find(|token| !token.has(Concept::Vague));
    let keeps = first.is_some_and(|token| token.is(Part::Keep));
    // `keep showing me the orders`
    let looks = said.signs.says_any(&[Concept::Read, Concept::Get, Concept::Only]);
    keeps && !looks && chosen::chosen(said).expr.is_none()
}

fn path(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    set(slots, SlotName::TARGET_PATH, target(said).as_deref().or(said.file))
}

fn file_write(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    let at = paths::target(said.lexicon, said.tokens);
    let placed = (at, said.file.is_some());
    let more = content::is_more(said.lexicon, said.tokens, placed, said.opens());
    // `기록해줘`, and not `출석 기록을 써줘`.
    let verb = said.tokens.iter().rfind(|token| token.leads());
    let logs = verb.is_some_and(|verb| verb.has(Concept::Logged));
    let logs = logs && !said.signs.says(Concept::Create);
    // `할일.txt에 빨래하기`
    let quoted = said.tokens.iter().any(|token| token.kind == TokenKind::Quoted);
    let noted = verb.is_none() && quoted && said.signs.has(Sign::Inside) && !said.revises;
    if content::is_appended(said.tokens, at) || more || logs || noted {
        slots.set(SlotName::APPEND, "true")?;
    }
    if said.signs.has(Sign::EarlierRun) && !said.signs.has(Sign::IntoFile) {
        // `it` is the result, and not the file that holds it.
        set(slots, SlotName::TARGET_PATH, target(said).as_deref())?;
        // Only the last one can be referred to.
        if said.signs.says(Concept::Older) {
            return Ok(());
        }
        slots.set(SlotName::SOURCE_RUN, LAST_RUN)?;
        return select(slots, said);
    }
    path(slots, said)?;
    if said.keeps_earlier && !said.tokens.iter().any(|t| t.kind == TokenKind::Quoted) {
        select(slots, said)?;
    }
    let content = content::content(said.lexicon, said.until(), said.tokens, at);
    // Between several files there is no telling whose it is.
    let quoted =
        |t: &Token<'_>| matches!(t.kind, TokenKind::Quoted | TokenKind::Code | TokenKind::Json);
    let clear = at.is_some() || !said.signs.has(Sign::Path) || said.tokens.iter().any(quoted);
    let content = content.filter(|_| clear);
    // `a.txt 빵 추가`: what something is added to needs no particle.
    let korean = said.signs.verb == Some(Concept::Add) && said.part().contains(is_hangul);
    if korean && content.is_some() && !said.signs.says(Concept::Create) {
        slots.set(SlotName::APPEND, "true")?;
    }
    set(slots, SlotName::CONTENT, content.map(|text| said.source.as_written(text)))
}

fn api(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    slots.set(SlotName::INTENT, intent(said.part()))?;
    let url = request::url(said.tokens);
    match url {
        Some(url) if request::has_scheme(url) => {
            slots.set(SlotName::DOMAIN, request::authority(url).to_lowercase())?;
            slots.set(SlotName::URL, url)?;
        }
        // Which scheme a bare place is spoken to with is policy's to say.
        Some(place) => slots.set(SlotName::DOMAIN, place)?,
        None => {
            set(slots, SlotName::DOMAIN, said.named.domain().as_deref())?;
            set(slots, SlotName::OPERATION, said.named.operation().as_deref())?;
            set(slots, SlotName::ARGUMENTS, said.named.arguments.as_deref())?;
        }
    }
    let keeps = said.signs.says(Concept::Save) || said.signs.says(Concept::Write);
    if keeps || said.tokens.iter().any(|t| t.kind == TokenKind::Path) {
        path(slots, said)?;
        let at = paths::target(said.lexicon, said.tokens);
        if content::is_appended(said.tokens, at) {
            slots.set(SlotName::APPEND, "true")?;
        }
    }
    let own = said.named.method().filter(|_| url.is_none());
    let method = own.or_else(|| request::method(said.tokens, said.signs));
    let reads = method.is_none_or(HttpMethod::is_safe) || said.named.is_search();
    // Of what is asked for by a menu it is said with the answer.
    let calls = url.is_some() || said.named.operation().is_some();
    if reads && calls {
        save(slots, said)?;
    }
    // A system's operation says its own.
    let free = own.is_none() && (url.is_some() || !said.named.names_system);
    let told = method.filter(|_| free);
    set(slots, SlotName::METHOD, told.map(|method| method.as_str()))?;
    if method.is_some_and(|method| !method.is_safe()) {
        let at = paths::target(said.lexicon, said.tokens);
        let json = said.signs.has(Sign::Json);
        let sends = own.is_some() && !json && !said.named.is_search();
        let named = if sends { filled::body(said.lexicon, said.rows, said.tokens) } else { None };
        // Of what is said field by field, no part is the whole.
        let own = sends && filled::is_begun(said.lexicon, said.rows, said.tokens, None);
        let raw = || request::body(said.tokens, at).map(str::to_owned).filter(|_| !own);
        let body = named.or_else(raw);
        set(slots, SlotName::BODY, body.as_deref())?;
        if sends && body.is_none() && said.named.makes() {
            sent::begun(slots, said)?;
        }
        if said.signs.has(Sign::EarlierRun) {
            slots.set(SlotName::SOURCE_RUN, LAST_RUN)?;
        }
        // What is sent says nothing of what is kept of the answer.
        if sends {
            return Ok(());
        }
    }
    select(slots, said)
}

/// As far as it is clear; else it is asked for.
fn select(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    let chosen = chosen::chosen(said);
    set(slots, SlotName::UNREAD, chosen.unread)?;
    let expr = chosen.expr.filter(|_| chosen.unread.is_none());
    let one = said.named.arguments.is_some() && expr.is_some();
    let one = if one { of_one(said) } else { None };
    set(slots, SlotName::SELECT, one.or(expr).as_deref())
}

/// `주문 5007번 상태 알려줘`, `총액 얼마야`: one row is no list, and nothing is reckoned of it.
fn of_one(said: &Said<'_, '_>) -> Option<String> {
    let selection = said.selection();
    let mut names: Vec<&str> = Vec::new();
    for name in said.tokens.iter().filter_map(|t| said.rows.registered(said.lexicon, t)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let plain = selection.conditions.is_empty() && selection.written.is_none();
    (plain && !names.is_empty()).then(|| query::object(&names))
}

/// Rows are taken out of an answer, a new one or an earlier.
pub(crate) fn selects(task: TaskType, slots: &Slots) -> bool {
    let earlier = task == TaskType::FileWrite && slots.get(SlotName::SOURCE_RUN).is_some();
    task == TaskType::ApiWorkflow || earlier
}

/// A bare name lies in the folder that is named with it; where that is not clear it is no path yet.
pub(crate) fn target<'t>(said: &Said<'_, 't>) -> Option<Cow<'t, str>> {
    let at = paths::target(said.lexicon, said.tokens)?;
    let path = said.tokens.get(at).map(|token| token.text)?;
    if path.contains('/') {
        return Some(path.into());
    }
    match folder(said.lexicon, said.tokens) {
        Folder::Here => Some(path.into()),
        Folder::Named(_) if paths::may_begin_before(said.lexicon, said.tokens) => None,
        Folder::Named(folder) => Some(format!("{folder}/{path}").into()),
        Folder::Unclear => None,
    }
}

fn set(slots: &mut Slots, name: &str, value: Option<&str>) -> Result<(), SlotError> {
    value.map_or(Ok(()), |value| slots.set(name, value))
}
