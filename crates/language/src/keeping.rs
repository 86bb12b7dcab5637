//! What is said of a file beside a preview that waits, and is no change of it: that it is to stay,
//! or anything else that nothing reads. `keep a.txt`, `b.txt는 소중한 파일이야`.

use crate::{
    concept::Concept,
    part::Part,
    reading::{ReadSignal, Situation},
    said::Said,
    signal::{self, Bare, Whole},
    token::{Token, TokenKind},
};
use wiiiv_domain::{SlotName, Slots, TaskType};

/// Take back what was said before: then another file is another target.
pub(crate) const CORRECTIONS: [Concept; 4] =
    [Concept::Change, Concept::Correct, Concept::NotThis, Concept::Unlike];

/// A preview of what is done to a file waits.
pub(crate) fn previews_a_file(situation: &Situation) -> bool {
    let file = |task: &TaskType| matches!(task, TaskType::FileWrite | TaskType::FileDelete);
    situation.is_confirming() && situation.active.as_ref().is_some_and(|(task, _)| file(task))
}

/// A file is to stay as it is, and nothing else is said.
pub(crate) fn spares(situation: &Situation, said: &Said<'_, '_>) -> bool {
    let keeps = |token: &Token<'_>| token.has(Concept::Keep);
    let paths = || (0..said.tokens.len()).filter(|at| is_file(said.tokens, *at));
    let corrects = || said.signs.says_any(&CORRECTIONS);
    previews_a_file(situation)
        && said.tokens.iter().any(keeps)
        && !said.tokens.iter().any(|token| token.leads() && !keeps(token))
        && paths().next().is_some()
        && !paths().any(|at| is_place(said.tokens, at))
        && !corrects()
}

/// `a.txt는 됐어`: a file, and a no to it.
pub(crate) fn declines(situation: &Situation, said: &Said<'_, '_>) -> bool {
    let text = behind_file(said).unwrap_or_default();
    let no = [ReadSignal::Cancel, ReadSignal::Deny].map(|no| Some(Bare::Signal(no)));
    let refused = || no.contains(&signal::whole(said.lexicon, text, situation));
    previews_a_file(situation) && !text.is_empty() && refused()
}

/// What is said behind the file that comes first: `a.txt는 됐어`, `x.md, your call`.
pub(crate) fn behind_file<'t>(said: &Said<'_, 't>) -> Option<&'t str> {
    let (_, rest) = said.tokens.split_first().filter(|(path, _)| path.is_path())?;
    let particle = |t: &&Token<'_>| {
        let own = t.is_particle();
        own || t.is_mark(",")
    };
    let start = rest.iter().find(|t| !particle(t))?.start;
    said.text.get(start..)
}

/// The file that waits for a yes is one of those that are spoken of.
pub(crate) fn names_target(situation: &Situation, said: &Said<'_, '_>) -> bool {
    let target = situation.known.get(SlotName::TARGET_PATH);
    said.tokens.iter().any(|token| token.is_path() && target == Some(token.text))
}

/// Only files are spoken of that have no part in what waits for a yes.
pub(crate) fn names_another(situation: &Situation, said: &Said<'_, '_>) -> bool {
    let known = |path: &str| situation.known.iter().any(|(_, value)| value.contains(path));
    let mut paths = said.tokens.iter().filter(|token| token.is_path()).peekable();
    paths.peek().is_some() && !paths.any(|token| known(token.text))
}

/// Another file is only mentioned, beside words that nothing reads.
pub(crate) fn mentions(situation: &Situation, said: &Said<'_, '_>, changed: &Slots) -> bool {
    let own = [SlotName::TARGET_PATH, SlotName::APPEND];
    let moves = changed.iter().all(|(name, _)| own.contains(&name.as_str()));
    let particle = |t: &Token<'_>| {
        let own = t.attached || t.is_korean();
        own && (t.sticks() || t.is_ending())
    };
    // `네 근데 b.txt로`
    let light = |t: &Token<'_>| said.lexicon.bare.closed.contains_key(&Whole::key(t.text));
    let called = before_called(said).is_some();
    let introduces = |t: &Token<'_>| called && t.is(Part::Has);
    let unread = |t: &Token<'_>| {
        let likens = introduces(t) || t.is(Part::Like | Part::Back);
        t.is_word() && (likens || t.is_nameless() && !particle(t) && !light(t))
    };
    // `b.txt도 있어`
    let besides = is_besides(said.tokens);
    let named = said.tokens.iter().any(Token::is_path);
    let unread = named && said.tokens.iter().any(unread) && !calls(situation, said);
    previews_a_file(situation) && moves && (besides || unread)
}

/// `oh the file should be called b.txt`: of the file that waits to be written, and nothing behind it;
/// not `bob has a file called b.txt`.
fn calls(situation: &Situation, said: &Said<'_, '_>) -> bool {
    let writes = situation.active.as_ref().is_some_and(|(task, _)| *task == TaskType::FileWrite);
    let Some(before) = before_called(said) else { return false };
    let names = [Concept::File, Concept::Pronoun, Concept::Title];
    let own = |t: &Token<'_>| t.has_any(&names);
    let hesitates = |t: &Token<'_>| said.lexicon.hesitations.contains(&Whole::key(t.text));
    let bound = |t: &Token<'_>| t.is(Part::Is | Part::Be | Part::To | Part::Must | Part::Modal);
    let corrects = |t: &Token<'_>| t.has_any(&CORRECTIONS);
    let light = |t: &Token<'_>| bound(t) || hesitates(t) || corrects(t) || t.is(Part::The);
    let words = || before.iter().filter(|t| t.is_word());
    writes && words().any(own) && words().all(|t| own(t) || light(t))
}

/// What stands before `called b.txt`, where that is the last that is said.
fn before_called<'s, 't>(said: &'s Said<'_, 't>) -> Option<&'s [Token<'t>]> {
    let naming = |t: &Token<'_>| said.lexicon.is_naming(t.text);
    let path = said.tokens.iter().rposition(|t| t.kind != TokenKind::Mark)?;
    let (before, named) = said.tokens.split_at_checked(path)?;
    let (call, before) = before.split_last()?;
    (named.first().is_some_and(Token::is_path) && naming(call)).then_some(before)
}

fn is_file(tokens: &[Token<'_>], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.kind == TokenKind::Path)
}

/// Something goes there: `keep it in a.txt`, `a.txt에 남겨둬`.
fn is_place(tokens: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let behind = tokens.get(at + 1).filter(|token| token.attached);
    before.is_some_and(|token| token.has(Concept::Dest))
        || behind.is_some_and(|token| token.has(Concept::Within))
}

/// `b.txt도`, `b.txt까지`, `b.txt is ..`: said of a file, it never stands for the one that waits.
pub(crate) fn is_besides(tokens: &[Token<'_>]) -> bool {
    let besides = |pair: &[Token<'_>]| match pair {
        [file, also] => {
            let ends = also.ends(Part::Also | Part::Until);
            file.is_path() && (also.attached && ends || tells(also))
        }
        _ => false,
    };
    let opens = tokens.iter().position(tells);
    let asked = opens.is_some_and(|at| tokens.iter().skip(at).any(Token::is_path));
    asked || tokens.windows(2).any(besides)
}

/// `b.txt is fine too`
pub(crate) fn tells(token: &Token<'_>) -> bool {
    token.is(Part::Is | Part::Was | Part::Has)
}
