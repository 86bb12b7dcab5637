//! What a job on a file hangs on and cannot be held to: a time, a condition, a part of the file.
//! It is done at once and to the whole file: where it is asked for in another way, nothing is done.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    ordered,
    part::Part,
    reading::{Job, Lost},
    token::{Token, TokenKind},
    undone, wonder,
};
use wiiiv_domain::{SlotName, TaskType};

/// `from my old shopping list`
const LIST_WORDS_MAX: usize = 4;
/// Ends one command line where another follows.
const COMMAND_ENDS: [&str; 3] = [";", "|", "&"];

/// Why the job is not done at all; `opens`: nothing is said before it.
pub(crate) fn lost(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    job: &Job,
    opens: bool,
) -> Option<Lost> {
    if is_of_all(lexicon, tokens, job) {
        Some(Lost::Wide)
    } else if is_a_part(lexicon, tokens, job) {
        Some(Lost::Part)
    } else if hangs(lexicon, tokens, job, opens) || (opens && awaits(tokens, job)) {
        Some(Lost::Bound)
    } else if runs_on(lexicon, tokens, job)
        || goes_to_several(tokens, job)
        || job.task_type == TaskType::FileDelete && undone::comes_first(tokens)
    {
        Some(Lost::Half)
    } else {
        ordered::lost(lexicon, tokens, job)
    }
}

/// `내 파일 다 지워줘`, `delete all my files`
fn is_of_all(lexicon: &Lexicon, tokens: &[Token<'_>], job: &Job) -> bool {
    let says = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    let all = |token: &Token<'_>| {
        token.is_word() && lexicon.everything.contains(&token.text.to_lowercase())
    };
    job.task_type == TaskType::FileDelete
        && job.slots.get(SlotName::TARGET_PATH).is_none()
        && !tokens.iter().any(Token::is_path)
        && says(Concept::File)
        && tokens.iter().any(all)
}

const fn handles_a_file(task: TaskType) -> bool {
    matches!(task, TaskType::FileRead | TaskType::FileWrite | TaskType::FileDelete)
}

/// What is meant is not the file but something in it: `the second line of c.txt`, `a.txt에서 '끝'`.
fn is_a_part(lexicon: &Lexicon, tokens: &[Token<'_>], job: &Job) -> bool {
    let says = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    match job.task_type {
        // Only its end can be added to.
        TaskType::FileWrite => says(Concept::Prepend),
        TaskType::FileDelete => {
            let path = job.slots.get(SlotName::TARGET_PATH);
            let other =
                |t: &Token<'_>| t.kind == TokenKind::Quoted && path.is_some_and(|p| p != t.text);
            let named = tokens.iter().any(Token::is_path);
            let opened = |at: usize| is_opened(lexicon, tokens, at, named);
            let one = path.is_some() || !named;
            says(Concept::Content)
                || says(Concept::Prepend)
                || says(Concept::Append)
                || tokens.iter().any(other)
                || (one && (0..tokens.len()).any(opened))
                || (0..tokens.len()).any(|at| is_listed(tokens, at))
        }
        TaskType::CodeEdit => (0..tokens.len()).any(|at| is_listed(tokens, at)),
        _ => false,
    }
}

/// `remove a.txt from the list`, `목록에서 a.txt 빼줘`: a name is to go, and not the file.
fn is_listed(tokens: &[Token<'_>], at: usize) -> bool {
    let within = |token: &Token<'_>| token.has(Concept::Within);
    let Some(list) = tokens.get(at).filter(|t| t.is_word() && t.has(Concept::Listing)) else {
        return false;
    };
    let next = tokens.get(at + 1);
    if list.is_korean() {
        let attached = next.is_some_and(|next| next.attached && next.is(Part::From));
        return list.ends(Part::From) || attached;
    }
    // `from my to-do list`, but not `in the report folder`
    let folder = next.is_some_and(|next| next.has(Concept::Folder));
    let mut before = tokens.get(..at).unwrap_or_default().iter().rev().take(LIST_WORDS_MAX);
    let from = before.find(|token| within(token) || token.is_entity() || token.leads());
    !folder && from.is_some_and(within)
}

/// Something of this file is spoken of: `of a.txt`, `그 파일에서`.
fn is_opened(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize, named: bool) -> bool {
    let Some(file) = tokens.get(at) else { return false };
    let is_file = if named { file.is_path() } else { file.has(Concept::File) };
    if !is_file {
        return false;
    }
    let within = |token: &Token<'_>| token.has(Concept::Within);
    let particle =
        |word: &str| lexicon.form(word).is_some_and(|form| form.contains(&Concept::Within));
    let mut ends = file.text.char_indices().skip(1).filter_map(|(at, _)| file.text.get(at..));
    let behind = tokens.get(at + 1).is_some_and(|next| next.attached && within(next));
    let mut own = || file.is_word() && ends.any(particle);
    let aside = [Concept::Vague, Concept::That, Concept::Earlier, Concept::File];
    let aside = |token: &&Token<'_>| token.has_any(&aside);
    let mut before = tokens.get(..at).unwrap_or_default().iter().rev();
    let mut ahead = || before.find(|token| within(token) || !aside(token)).is_some_and(within);
    behind || own() || ahead()
}

/// `tomorrow at 9`, `unless it exists`, `비어 있으면`: said of the job, and not to be written.
fn hangs(lexicon: &Lexicon, tokens: &[Token<'_>], job: &Job, opens: bool) -> bool {
    let slot = |name| job.slots.get(name);
    let written = [slot(SlotName::CONTENT), slot(SlotName::TARGET_PATH)];
    let settled = match job.task_type {
        // What is still to be told may be of any time.
        TaskType::FileWrite => slot(SlotName::CONTENT).or(slot(SlotName::SOURCE_RUN)).is_some(),
        TaskType::FileDelete | TaskType::Command => true,
        _ => false,
    };
    let appends = slot(SlotName::APPEND).is_some();
    let own =
        |token: &Token<'_>| !written.into_iter().flatten().any(|text| text.contains(token.text));
    // What is added overwrites nothing.
    let kept = |token: &Token<'_>| token.has(Concept::Overwrite) && !appends;
    let binds =
        |token: &Token<'_>| own(token) && (kept(token) || is_bond(lexicon, token, job.task_type));
    let said = wonder::sentences(tokens).into_iter().filter_map(|sentence| tokens.get(sentence));
    let mut said = said.filter(|said| said.iter().any(|token| token.leads() || token.is_path()));
    let waits = |said: &[Token<'_>]| {
        // `and when that is done remove b.txt`: the job before it.
        let from = if opens { 0 } else { said.iter().position(Token::leads).unwrap_or(0) };
        let mut places = said.iter().enumerate().skip(from);
        places.any(|(at, token)| own(token) && is_awaiting(token, said.get(at + 1)))
    };
    settled && said.any(|said| said.iter().any(binds) || waits(said))
}

/// `다 끝나면 a.txt 지워줘`: what is to end first is none of the jobs.
fn awaits(tokens: &[Token<'_>], job: &Job) -> bool {
    let changes = matches!(job.task_type, TaskType::FileWrite | TaskType::FileDelete);
    let first = tokens.iter().position(Token::leads).unwrap_or(tokens.len());
    let ends = |token: &Token<'_>| token.is_word() && token.ends(Part::If);
    let then = |at: usize| {
        let token = tokens.get(at).filter(|token| token.has(Concept::Then));
        let next = tokens.get(at + 1).is_some_and(|next| next.has(Concept::Vague) && ends(next));
        // `혹시 되면` only asks politely.
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let said = before.is_some_and(|token| !token.has(Concept::Vague));
        token.is_some_and(|token| next || ends(token) && (said || !token.has(Concept::Vague)))
    };
    changes && (0..first).any(then)
}

/// `delete a.txt when bob replies`; not `once more`, `before deleting b.txt`, which is a
/// job, nor `after that`.
fn is_awaiting(token: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    let happens = |next: &Token<'_>| {
        next.is_word() && !next.leads() && !next.has(Concept::That) && !next.is(Part::Again)
    };
    token.has(Concept::Awaiting) && !token.has(Concept::Then) && next.is_some_and(happens)
}

fn is_bond(lexicon: &Lexicon, token: &Token<'_>, task: TaskType) -> bool {
    let deletes = task == TaskType::FileDelete;
    let ends = |end: &String| token.text.ends_with(end.as_str());
    let known = [Concept::Vague, Concept::Then, Concept::Present];
    let known = || token.has_any(&known) || token.leads();
    // `다 읽으면 a.txt 지워줘`; not `지워주면 좋겠어`.
    let asks = || lexicon.requests_in(token.text);
    let first = token.ends(Part::If) && token.leads() && !asks();
    token.has_any(&[Concept::Moment, Concept::Condition])
        // `만` is also a form of `마다`.
        || token.has(Concept::Schedule) && !token.has(Concept::Only)
        || token.has(Concept::Recurring)
        || first
        // What is not there cannot be deleted anyway.
        || token.has(Concept::Present) && !deletes
        || token.has(Concept::Later) && deletes
        || token.is_word() && !known() && lexicon.conditional.iter().any(ends)
}

/// One answer goes to one file.
fn goes_to_several(tokens: &[Token<'_>], job: &Job) -> bool {
    let calls = matches!(job.task_type, TaskType::ApiWorkflow | TaskType::WebFetch);
    let keeps = |token: &Token<'_>| token.has(Concept::Save) || token.has(Concept::Write);
    let paths = tokens.iter().filter(|token| token.kind == TokenKind::Path).count();
    let target = job.slots.get(SlotName::TARGET_PATH);
    calls && target.is_none() && paths > 1 && tokens.iter().any(keeps)
}

/// `a.txt; rm -rf /`: a command line of its own behind the job.
fn runs_on(lexicon: &Lexicon, tokens: &[Token<'_>], job: &Job) -> bool {
    let ends = |token: &Token<'_>| COMMAND_ENDS.iter().any(|mark| token.is_mark(mark));
    let program = |token: &Token<'_>| token.is_word() && lexicon.programs.contains(token.text);
    let pair = |pair: &[Token<'_>]| matches!(pair, [mark, next] if ends(mark) && program(next));
    handles_a_file(job.task_type) && tokens.windows(2).any(pair)
}
