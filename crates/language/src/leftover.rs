//! What of a message is in none of its jobs, though it changes what they are to do: what had to be done
//! before a delete, a second text, the folder of several files, what is to be done first.

use crate::{
    concept::Concept,
    filled,
    folder::{Folder, folder},
    found::Told,
    heard::Heard,
    ranking,
    reading::{Job, Lost},
    rows::{self, Rows},
    token::Token,
    tokenizer, undone, unheard,
};
use wiiiv_domain::{SlotName, TaskType};

/// Stands for any name.
const ANY: &str = "*";
/// In front of the rest of a name.
const ANIES: [&str; 4] = [ANY, "?", "]", "}"];

/// The jobs as they are meant, or why none of them is taken.
pub(crate) fn checked(heard: &Heard<'_>, tokens: &[Token<'_>], mut told: Told) -> Told {
    if heard.situation.is_asked() || told.lost.is_some() {
        return told;
    }
    place(heard, tokens, &mut told.jobs);
    if let Some(lost) = lost(heard, tokens, &told) {
        return Told::none(told.signal, Some(lost));
    }
    order(heard, &mut told.jobs);
    told
}

fn lost(heard: &Heard<'_>, tokens: &[Token<'_>], told: &Told) -> Option<Lost> {
    let jobs = &told.jobs;
    if unheard::is_unheard(heard, tokens, told)
        || jobs.iter().any(|job| sends_less(heard, tokens, job))
    {
        return Some(Lost::Half);
    }
    let content = |job: &Job, token: &Token<'_>| {
        job.slots.get(SlotName::CONTENT).is_some_and(|text| unheard::is_within(text, token.text))
    };
    let rest = || -> Vec<Token<'_>> {
        let own = |token: &&Token<'_>| !jobs.iter().any(|job| content(job, token));
        tokens.iter().filter(own).cloned().collect()
    };
    // `if a.txt exists, append to it`: whether it does is looked at by nobody.
    let changes = |job: &Job| matches!(job.task_type, TaskType::FileWrite | TaskType::FileDelete);
    let given = tokens.first().is_some_and(|token| token.has(Concept::Condition));
    if given && jobs.iter().any(changes) {
        return Some(Lost::Bound);
    }
    let deletes = jobs.iter().any(|job| job.task_type == TaskType::FileDelete);
    if deletes && undone::comes_first(&rest()) {
        Some(Lost::Half)
    } else if jobs.iter().any(|job| unheard::is_file(job.task_type)) && is_wide(tokens) {
        Some(Lost::Wide)
    } else {
        (jobs.len() > 1 && are_described(heard, &rest(), jobs)).then_some(Lost::Half)
    }
}

/// `노트북 2개 주문해줘`: so many are said of what is sent, and nothing is. Where a field of it was said, the
/// rest is asked for.
fn sends_less(heard: &Heard<'_>, tokens: &[Token<'_>], job: &Job) -> bool {
    let operation = rows::operation(&heard.situation.systems, &job.slots);
    let Some(operation) = operation.filter(|operation| filled::makes(operation)) else {
        return false;
    };
    let sent = [SlotName::BODY, SlotName::SOURCE_RUN, SlotName::UNREAD];
    let counts = |token: &Token<'_>| {
        let digits = token.is_word() && token.is_numeral();
        digits || ranking::counted_in_one(heard.lexicon, token).is_some()
    };
    let named = || {
        let rows = Rows::with(heard.lexicon, operation.fields.iter());
        filled::is_named(heard.lexicon, &rows, tokens)
    };
    !sent.iter().any(|name| job.slots.get(name).is_some()) && tokens.iter().any(counts) && !named()
}

/// `make a.txt and b.txt in notes with hello`: what is said of several files at once.
fn are_described(heard: &Heard<'_>, rest: &[Token<'_>], jobs: &[Job]) -> bool {
    let one = jobs.windows(2).all(|pair| matches!(pair, [a, b] if a.text == b.text));
    let changes =
        jobs.iter().all(|job| matches!(job.task_type, TaskType::FileWrite | TaskType::FileDelete));
    let last = rest.iter().rposition(Token::is_path).map_or(0, |at| at + 1);
    let behind = rest.get(last..).unwrap_or_default();
    let english = behind.iter().all(|token| token.text.is_ascii());
    // `a.txt랑 b.txt 만들어서 안녕이라고 써줘`
    let quotes = |t: &Token<'_>| t.is_word() && heard.lexicon.quotes_before(t.text);
    let empty = jobs.iter().any(|job| job.slots.get(SlotName::CONTENT).is_none());
    let here = matches!(folder(heard.lexicon, rest), Folder::Here);
    let told = |t: &Token<'_>| if english { here && says(t) } else { empty && quotes(t) };
    one && changes && last > 0 && behind.iter().any(told)
}

/// A word that nothing reads; a greeting is none there.
fn says(token: &Token<'_>) -> bool {
    token.is_word() && !token.attached && token.concepts.iter().all(|c| *c == Concept::Greet)
}

/// `*.txt`, `logs/*`
fn is_wide(tokens: &[Token<'_>]) -> bool {
    tokens.windows(2).any(|pair| match pair {
        [any, path] if ANIES.iter().any(|mark| any.is_mark(mark)) => {
            path.is_path() && path.attached
        }
        [path, any] => path.is_path() && any.is_mark(ANY) && any.attached,
        _ => false,
    })
}

/// Several bare names lie in the folder that is named beside them; where it is not clear which, their
/// places are asked for.
fn place(heard: &Heard<'_>, tokens: &[Token<'_>], jobs: &mut [Job]) {
    if jobs.len() < 2 || jobs.windows(2).any(|pair| matches!(pair, [a, b] if a.text != b.text)) {
        return;
    }
    for job in jobs {
        let bare = job.slots.get(SlotName::TARGET_PATH).filter(|path| !path.contains('/'));
        let Some(bare) = bare.map(str::to_owned) else { continue };
        let path = match folder(heard.lexicon, tokens) {
            Folder::Here => continue,
            Folder::Named(folder) => format!("{folder}/{bare}"),
            Folder::Unclear => String::new(),
        };
        // What does not fit is asked for.
        if job.slots.set(SlotName::TARGET_PATH, path).is_err() {
            let _ = job.slots.set(SlotName::TARGET_PATH, "");
        }
    }
}

/// `delete old.txt but show it to me first`
fn order(heard: &Heard<'_>, jobs: &mut [Job]) {
    let [one, other] = jobs else { return };
    let tokens = tokenizer::tokens(heard.lexicon, &other.text);
    let first = tokens.iter().any(|token| token.has(Concept::Beforehand));
    if first && other.task_type == TaskType::FileRead && one.task_type != TaskType::FileRead {
        std::mem::swap(one, other);
    }
}
