//! An utterance that answers a question: it fills what is missing.

mod kept;

use crate::{
    character::is_hangul,
    completed,
    concept::Concept,
    content, dictated, filed, filled, folder, jobs,
    lexicon::Sign,
    morph,
    part::Part,
    paths,
    reading::Situation,
    replied::{self, Reply},
    request,
    said::Said,
    sent, signal, slots,
    token::{Token, TokenKind},
};
use kept::revise;
use std::borrow::Cow;
use wiiiv_domain::{SlotError, SlotName, Slots, Spec, TaskType};

/// Longer additions say more than that.
const MORE_WORDS_MAX: usize = 3;
/// `기존 내용은 남기고` names the content with one of its first words.
const KEPT_WORDS_MAX: usize = 2;
/// Longer texts are more than an order.
const ORDER_WORDS_MAX: usize = 8;

/// The active task's missing slots as this utterance fills them; `None` where it fills none, or
/// is a whole task of its own.
pub(crate) fn fill(
    situation: &Situation,
    said: &Said<'_, '_>,
    read: Option<(TaskType, &Slots)>,
) -> Option<Slots> {
    let (task, missing) = situation.active.as_ref().filter(|_| situation.is_asked())?;
    if let Some(slots) = at_once(situation, said, read) {
        return Some(slots);
    }
    let dictated = missing.iter().all(|name| name.as_str() == SlotName::CONTENT);
    let whole = |(other, found): (TaskType, &Slots)| Spec::missing(other, found).is_empty();
    let wants = asks(said) && said.signs.has(Sign::Asks) || is_another_order(said);
    if dictated && wants && !read.is_some_and(|read| read.0 == *task && whole(read)) {
        return None;
    }
    if let Some(read) = read
        && let Some(decided) = of_task(situation, said, read)
    {
        return decided;
    }
    let mut filled = without_gist(&slots::slots(*task, said), missing);
    revise(situation, said, &mut filled).ok()?;
    for name in missing {
        if filled.get(name.as_str()).is_none()
            && let Some(value) = value(name, missing.len(), said)
            && filled.set(name.as_str(), value).is_err()
        {
            return None;
        }
    }
    // `under 20000 only`, where a file is asked for: the rows are narrowed, and it still is.
    let narrows = *task == TaskType::ApiWorkflow && filled.get(SlotName::SELECT).is_some();
    let answers = narrows || missing.iter().any(|name| filled.get(name.as_str()).is_some());
    answers.then(|| replied::kept(situation, said, filled))
}

/// What answers by itself, whatever else it may be.
fn at_once(
    situation: &Situation,
    said: &Said<'_, '_>,
    read: Option<(TaskType, &Slots)>,
) -> Option<Slots> {
    let reply = replied::reply(situation, said, read);
    if reply == Some(Reply::Text) {
        let mut filled = Slots::default();
        filled.set(SlotName::CONTENT, all_of_it(said)).ok()?;
        return Some(filled);
    }
    if let Some(slots) = sent::completed(situation, said) {
        return Some(slots);
    }
    if let Some(shown) = only_shown(situation, said) {
        return Some(shown);
    }
    completed::completed(situation, said, read.map(|read| read.0))
}

/// What is read as a task fills the active one, or is another and fills nothing; `None` where it decides neither.
fn of_task(
    situation: &Situation,
    said: &Said<'_, '_>,
    (other, found): (TaskType, &Slots),
) -> Option<Option<Slots>> {
    let (task, missing) = situation.active.as_ref()?;
    let revised = |mut filled: Slots| revise(situation, said, &mut filled).ok().map(|()| filled);
    if is_narrowed(situation, other, found) {
        let mut filled = without_gist(found, missing);
        let cleared = filled.set(SlotName::SOURCE_RUN, "").ok();
        return Some(cleared.and_then(|()| revised(filled)));
    }
    let whole = Spec::missing(other, found).is_empty() && !other.is_talk();
    // Said again as a whole, it is another task.
    let saved = situation.known.get(SlotName::SAVE).is_some();
    let aside = |name: &SlotName| match name.as_str() {
        // Nor is what is sent known by another whole.
        SlotName::SELECT | SlotName::BODY => true,
        // `save the product list`, and instead of a file: `show me the users`.
        SlotName::TARGET_PATH => saved,
        _ => false,
    };
    if whole && missing.iter().all(aside) {
        return Some(None);
    }
    if other == *task && (whole || missing.iter().any(|m| found.get(m.as_str()).is_some())) {
        let filled = revised(without_gist(found, missing));
        return Some(filled.map(|filled| replied::kept(situation, said, filled)));
    }
    (other != *task && whole).then_some(None)
}

/// `그냥 보여줘`, `just show me`, where it was asked which file an answer is to be saved to.
fn only_shown(situation: &Situation, said: &Said<'_, '_>) -> Option<Slots> {
    let asked = situation.asks_for(SlotName::TARGET_PATH);
    let saves = situation.known.get(SlotName::SAVE).is_some() && asked;
    let light = [Concept::Read, Concept::Get, Concept::Vague, Concept::Only, Concept::Pronoun];
    let light = |token: &Token<'_>| {
        let aside = matches!(token.kind, TokenKind::Mark | TokenKind::Dropped);
        aside || token.has_any(&light)
    };
    let shows = said.signs.says(Concept::Read) || said.signs.says(Concept::Get);
    if !saves || !shows || !said.tokens.iter().all(light) {
        return None;
    }
    let mut slots = Slots::default();
    slots.set(SlotName::SAVE, "false").ok()?;
    Some(slots)
}

/// `save it` behind a narrowing that was asked about: what is saved is narrowed, once it is clear.
fn is_narrowed(situation: &Situation, other: TaskType, found: &Slots) -> bool {
    let same = |name| {
        let known = situation.known.get(name);
        known.is_some() && known == situation.ran.get(name)
    };
    let calls = situation.active.as_ref().is_some_and(|(task, _)| *task == TaskType::ApiWorkflow);
    calls
        && situation.known.get(SlotName::UNREAD).is_some()
        && [SlotName::DOMAIN, SlotName::OPERATION].into_iter().all(same)
        && other == TaskType::FileWrite
        && found.get(SlotName::SOURCE_RUN).is_some()
}

/// All of it, without what only says that it is one: `.. 라고 써줘`.
fn all_of_it(said: &Said<'_, '_>) -> String {
    let quoted = said.tokens.iter().find(|token| token.kind == TokenKind::Quoted);
    let text = quoted.map_or_else(|| said.part().trim(), |token| token.text);
    let mut quotes = said.lexicon.quotes.iter();
    let stem = quotes.find_map(|quote| text.strip_suffix(quote.as_str()));
    said.source.as_written(stem.unwrap_or(text).trim_end()).to_owned()
}

/// The active task as this utterance changes it; `None` where it changes nothing that is known, or
/// is a whole task of another kind.
pub(crate) fn change(
    situation: &Situation,
    said: &Said<'_, '_>,
    read: Option<(TaskType, &Slots)>,
) -> Option<Slots> {
    let (task, missing) = situation.active.as_ref()?;
    let whole = |(other, found): (TaskType, &Slots)| {
        // `change it to b.txt` is no edit of b.txt, nor of the workflow that is to run.
        let leads = |t: &Token<'_>| {
            t.verb().is_some_and(|verb| !verb.is_weak_verb() && verb != Concept::Alter)
        };
        let same = other == TaskType::WorkflowManage && !said.tokens.iter().any(leads);
        let named = same && *task == TaskType::WorkflowRun && said.signs.says(Concept::NotThis);
        let own = other != *task && other != TaskType::CodeEdit && !named;
        own && !other.is_talk() && Spec::missing(other, found).is_empty()
    };
    if read.is_some_and(whole) || (*task == TaskType::FileDelete && does_another_thing(said)) {
        return None;
    }
    let mut changed = without_gist(&slots::slots(*task, said), missing);
    let sent = situation.known.get(SlotName::BODY).filter(|_| *task == TaskType::ApiWorkflow);
    if let Some(body) =
        sent.and_then(|known| filled::changed((said.lexicon, said.rows), said.tokens, known))
    {
        changed = Slots::default();
        changed.set(SlotName::BODY, body).ok()?;
    }
    if *task == TaskType::FileWrite {
        rewrite(situation, said, &mut changed).ok()?;
    }
    // `아까 그거로 돌아가자` says of no task what it is to do.
    let changes =
        [Concept::Change, Concept::NotThis, Concept::Unlike, Concept::Save, Concept::Write];
    let refers = changed.iter().all(|(name, _)| name.as_str() == SlotName::SOURCE_RUN);
    let says = !refers || !changed.is_empty() && said.signs.says_any(&changes);
    revise(situation, said, &mut changed).ok()?;
    says.then_some(changed)
}

/// Of a text that waits to be written: what is added to it, or what it becomes.
fn rewrite(
    situation: &Situation,
    said: &Said<'_, '_>,
    changed: &mut Slots,
) -> Result<(), SlotError> {
    if let Some(path) = moved(situation, said) {
        *changed = Slots::default();
        return changed.set(SlotName::TARGET_PATH, path);
    }
    let Some(known) = situation.known.get(SlotName::CONTENT) else { return Ok(()) };
    let elsewhere = changed.get(SlotName::TARGET_PATH).is_some();
    // What of it is to be another is not looked for: the text is asked for.
    if edits_text(situation, said) && !elsewhere {
        *changed = Slots::default();
        return changed.set(SlotName::CONTENT, "");
    }
    // `덮어쓰지 말고 'x' 추가해줘` speaks of what the file holds.
    let spared = said.signs.says(Concept::Overwrite);
    let bare = changed.get(SlotName::CONTENT).is_none() && !elsewhere && !spared;
    if let Some(more) = more(said).filter(|_| bare) {
        changed.set(SlotName::APPEND, "")?;
        return changed.set(SlotName::CONTENT, format!("{}\n{more}", known.trim_end()));
    }
    match changed.get(SlotName::CONTENT) {
        // `add 'b' to it`, `add a second line saying b`: both are to be there.
        Some(more) if changed.get(SlotName::APPEND).is_some() && !elsewhere && !spared => {
            // What begins with a space goes on in the same line.
            let mut spaced = said.tokens.iter().filter(|token| token.text.starts_with(' '));
            let gap = if spaced.any(|token| token.text.trim() == more) { ' ' } else { '\n' };
            let both = format!("{}{gap}{more}", known.trim_end_matches('\n'));
            changed.set(SlotName::CONTENT, both)?;
            changed.set(SlotName::APPEND, "")
        }
        // `내용은 그대로 두고 파일을 b.txt로`: the file gets another name, and nothing is added.
        None if elsewhere && changed.get(SlotName::APPEND).is_some() && is_renamed(said) => {
            changed.set(SlotName::APPEND, "")
        }
        // `and add it`: what, was not read, and the text that waits is no addition for that.
        None if (!elsewhere || said.signs.says(Concept::Keep))
            && changed.get(SlotName::APPEND).is_some()
            && !spared =>
        {
            changed.set(SlotName::APPEND, "")
        }
        // What it is to become is not looked for: the text is asked for.
        None if changed.is_empty() => changed.set(SlotName::CONTENT, ""),
        Some(_) | None => Ok(()),
    }
}

/// Something of a text that waits is to go, or to get a mark: `계란은 빼줘`, `add an exclamation mark`.
pub(crate) fn edits_text(situation: &Situation, said: &Said<'_, '_>) -> bool {
    let writes = situation.active.as_ref().is_some_and(|(task, _)| *task == TaskType::FileWrite);
    let waits = writes && situation.known.get(SlotName::CONTENT).is_some();
    let drops = [Concept::Skip, Concept::Except, Concept::Delete];
    let drops = |t: &Token<'_>| t.has_any(&drops) && !t.has(Concept::Unlike);
    let opens = said.tokens.first().is_some_and(|t| t.text.is_ascii() && t.has(Concept::Inverse));
    let opens = opens && said.tokens.get(1).is_some_and(Token::is_word);
    let puts = said.signs.says(Concept::Add) || said.signs.says(Concept::Append);
    let mark = |t: &Token<'_>| t.is_word() && said.lexicon.is_mark_name(t.text);
    let edits = opens || said.tokens.iter().any(|t| drops(t) || puts && mark(t));
    let names = |t: &Token<'_>| {
        matches!(t.kind, TokenKind::Word | TokenKind::Dropped) && t.is_nameless() && !t.attached
    };
    let other = said.tokens.iter().any(|t| t.is_entity() || t.has(Concept::Cancel));
    let alone = situation.waiting.is_empty() && !other;
    waits && alone && edits && said.tokens.iter().any(|t| names(t) || mark(t))
}

/// `내용은 그대로 두고 b.txt로`; `b.txt로 이어서`, `b.txt로 .. 맨 끝에` adds to what is there.
fn is_renamed(said: &Said<'_, '_>) -> bool {
    let to = |t: &Token<'_>| t.attached && t.is_word() && t.is(Part::Toward);
    let named = |pair: &[Token<'_>]| matches!(pair, [path, next] if path.is_path() && to(next));
    let content = |t: &Token<'_>| {
        t.is_word() && morph::concepts(said.lexicon, t.text).contains(&Concept::Content)
    };
    let keeps = |at: usize| said.tokens.iter().skip(at).take(KEPT_WORDS_MAX).any(content);
    let appends = |at: &usize| said.tokens.get(*at).is_some_and(|t| t.has(Concept::Append));
    let mut appends = (0..said.tokens.len()).filter(appends).peekable();
    said.tokens.windows(2).any(named)
        && !said.signs.says(Concept::Add)
        && appends.peek().is_some()
        && appends.all(keeps)
}

/// `put it in the notes folder`: the same name in another place.
fn moved(situation: &Situation, said: &Said<'_, '_>) -> Option<String> {
    let known = situation.known.get(SlotName::TARGET_PATH)?;
    let name = known.rsplit_once('/').map_or(known, |(_, name)| name);
    let folder = folder::only(said.lexicon, said.tokens)?;
    Some(format!("{folder}/{name}"))
}

/// What is done to another file is no change of the one that is to go: `first copy it to b.txt`.
fn does_another_thing(said: &Said<'_, '_>) -> bool {
    let other = |verb: Concept| !verb.is_weak_verb() && verb != Concept::Delete;
    let mut places = said.tokens.iter().enumerate();
    places.any(|(at, token)| {
        let known = token.verb().is_some_and(|verb| other(verb) && !token.has(Concept::Change));
        let asked = token.is_korean() && said.lexicon.requests_in(token.text);
        let it = || said.tokens.get(at + 1).is_some_and(|next| next.has(Concept::Pronoun));
        known || (token.is_word() && token.concepts.is_empty() && (asked || it()))
    })
}

/// What the task is about was said when it began.
fn without_gist(slots: &Slots, missing: &[SlotName]) -> Slots {
    let mut kept = slots.clone();
    for name in [SlotName::INTENT, "instruction"] {
        if !missing.iter().any(|missing| missing.as_str() == name) {
            // Removing is never refused.
            let _ = kept.set(name, "");
        }
    }
    kept
}

/// A place is taken from its entity; anything else is what was said, where only that was asked.
fn value(name: &SlotName, asked: usize, said: &Said<'_, '_>) -> Option<String> {
    let target = paths::target(said.lexicon, said.tokens);
    match name.as_str() {
        SlotName::TARGET_PATH | "sources" => slots::target(said).map(Cow::into_owned),
        SlotName::DOMAIN | SlotName::URL => request::url(said.tokens).map(str::to_owned),
        SlotName::CONTENT => {
            let marked = content::content(said.lexicon, said.until(), said.tokens, target);
            let marked = marked.map(|text| said.source.as_written(text).to_owned());
            let beside = || stated(said).or_else(|| filed::text(said));
            let beside = || beside().or_else(|| filed::labelled(said));
            let told = marked.or_else(beside).or_else(|| alone(asked, said));
            told.filter(|_| !asks(said))
        }
        // Names that are registered, and JSON: a sentence is neither.
        SlotName::OPERATION => said.named.operation(),
        SlotName::ARGUMENTS => {
            let json = said.tokens.iter().find(|token| token.kind == TokenKind::Json);
            json.map(|token| token.text.to_owned())
        }
        // A sentence is no expression, and nothing that is sent.
        SlotName::SELECT => None,
        SlotName::BODY => {
            let json = said.tokens.iter().find(|token| token.kind == TokenKind::Json);
            json.map(|token| token.text.to_owned())
        }
        "database" | "workflow" | "techStack" | "scale" => plain_name(said),
        _ => alone(asked, said),
    }
}

/// `내용은 금요일까지`: what was asked for, and then its text.
fn stated(said: &Said<'_, '_>) -> Option<String> {
    let opens = said.tokens.first().filter(|token| token.has(Concept::Content))?;
    let topic = opens.ends(Part::Topic).then_some(0);
    let apart = || said.tokens.get(1).filter(|t| t.attached && t.ends(Part::Topic)).map(|_| 1);
    let end = said.tokens.get(topic.or_else(apart)?)?.end;
    let last = said.tokens.last()?.end;
    let text = said.source.as_written(said.text.get(end..last)?).trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Quoted, or all that was said without what only makes a sentence of it: `sales요`.
fn plain_name(said: &Said<'_, '_>) -> Option<String> {
    let quoted = said.tokens.iter().find(|t| matches!(t.kind, TokenKind::Quoted | TokenKind::Code));
    if let Some(quoted) = quoted {
        return Some(quoted.text.to_owned());
    }
    let aside = |t: &Token<'_>| {
        let particle = t.is_particle();
        t.kind == TokenKind::Mark || t.has(Concept::Vague) || particle
    };
    // `it's called warehouse`
    let naming = |t: &Token<'_>| said.lexicon.is_naming(t.text);
    let from = said.tokens.iter().rposition(naming).map_or(0, |at| at + 1);
    let first = said.tokens.iter().skip(from).find(|t| !aside(t))?;
    let last = said.tokens.iter().rev().find(|t| !(aside(t) || t.has(Concept::Thing)));
    let last = last.filter(|last| last.start >= first.start).unwrap_or(first);
    let name = said.text.get(first.start..last.end)?;
    let tail =
        said.lexicon.particles.iter().find_map(|particle| name.strip_suffix(particle.as_str()));
    let korean = name.ends_with(is_hangul);
    let tail = tail.map(str::trim_end).filter(|name| korean && !name.is_empty());
    Some(tail.unwrap_or(name).to_owned())
}

/// `how are you?`: asked back, not dictated.
fn asks(said: &Said<'_, '_>) -> bool {
    !quotes(said) && said.tokens.last().is_some_and(|token| token.is_mark("?"))
}

/// What is told to be done with something else: `그 파일 지워줘`, `delete that file`.
fn is_another_order(said: &Said<'_, '_>) -> bool {
    let other = |verb: Concept| !verb.is_weak_verb() && !jobs::fits(TaskType::FileWrite, verb);
    let words = || said.tokens.iter().filter(|token| token.is_word());
    if !said.signs.verb.is_some_and(other) || words().count() > ORDER_WORDS_MAX || quotes(said) {
        return false;
    }
    let asks = |request: &String| {
        replied::without_tone(said.lexicon, said.part()).ends_with(request.as_str())
    };
    let points = |t: &Token<'_>| t.has(Concept::Pronoun) || t.has(Concept::That) || t.is_path();
    let aside = |token: &&Token<'_>| token.has(Concept::Vague);
    let mut opening = words().skip_while(aside);
    let opens = opening.next().and_then(Token::verb).is_some_and(other);
    // `delete` alone is no text.
    let alone = opens && opening.clone().next().is_none();
    said.lexicon.requests.iter().any(asks) && said.part().contains(is_hangul)
        || alone
        || opens && opening.next().is_some_and(points)
}

fn quotes(said: &Said<'_, '_>) -> bool {
    said.tokens.iter().any(|token| token.kind == TokenKind::Quoted)
}

fn alone(asked: usize, said: &Said<'_, '_>) -> Option<String> {
    let text = said.source.as_written(said.part()).trim();
    (asked == 1 && !text.is_empty()).then(|| text.to_owned())
}

/// `아 당근도`, `and carrots too`, `also add carrots`: one thing more, and nothing else.
fn more<'t>(said: &Said<'_, 't>) -> Option<&'t str> {
    let opens = |t: &&Token<'_>| {
        let hesitates = said.lexicon.hesitations.contains(&t.text.to_lowercase());
        hesitates || t.has(Concept::And) || t.has(Concept::Then) || t.kind == TokenKind::Mark
    };
    let from = said.tokens.iter().take_while(opens).count();
    let adds = |t: &&Token<'_>| t.text.is_ascii() && t.verb() == Some(Concept::Add);
    let opened = said.tokens.get(..from)?.iter().any(|t| t.has(Concept::And));
    let added = said.tokens.get(from).filter(adds).is_some();
    let from = from + usize::from(added);
    let too = |t: &Token<'_>| t.has(Concept::Too) && t.text.is_ascii();
    let rest = said.tokens.get(from..)?;
    let (last, before) = rest.split_last()?;
    let words = if too(last) { before } else { rest };
    let plain = |t: &Token<'_>| t.is_word() && t.concepts.is_empty();
    let (first, last) = (words.first()?, words.last()?);
    let text = said.text.get(first.start..last.end)?;
    let name =
        if last.ends(Part::Also) { dictated::without_particle(said.lexicon, text) } else { text };
    // `carrots too`, and not `perfect too`
    let listed = opened || first.is(Part::Article) || last.ends(Part::Plural);
    let joined = added || name != text || rest.len() > words.len() && listed;
    let said_so = signal::whole(said.lexicon, name, &Situation::default()).is_some();
    let several = words.len() <= MORE_WORDS_MAX && words.iter().all(plain);
    (joined && several && !said_so && !signal::is_evasion(said.lexicon, name)).then_some(name)
}
