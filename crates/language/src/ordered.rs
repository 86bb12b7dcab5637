//! Whether a file is told to go: `a.txt 지워줘`, `please delete a.txt`. A word that only names the act
//! asks for nothing (`a.txt 삭제 예정이야`, `who deleted a.txt`), and what stands between the file and the
//! verb is what is meant of it (`a.txt 빈 줄 지워줘`).

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    past,
    reading::{Job, Lost},
    token::{Token, TokenKind},
};
use wiiiv_domain::TaskType;

/// Why nothing is deleted or written, though the verb and a file are named.
pub(crate) fn lost(lexicon: &Lexicon, tokens: &[Token<'_>], job: &Job) -> Option<Lost> {
    let deletes = job.task_type == TaskType::FileDelete;
    let acts = |token: &Token<'_>| {
        let fits = |verb: Concept| if deletes { verb == Concept::Delete } else { is_writing(verb) };
        token.leads() && token.verb().is_some_and(fits)
    };
    let at = match job.task_type {
        TaskType::FileDelete => tokens.iter().rposition(acts),
        TaskType::FileWrite => tokens.iter().position(acts),
        _ => None,
    }?;
    let why = if tokens.get(at)?.text.starts_with(is_hangul) {
        korean(lexicon, tokens, at)
    } else {
        english(lexicon, tokens, at)
    };
    why.filter(|why| deletes || *why == Lost::Told)
}

fn is_writing(verb: Concept) -> bool {
    matches!(verb, Concept::Write | Concept::Save | Concept::Add | Concept::Create)
}

fn korean(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> Option<Lost> {
    let (before, rest) = tokens.split_at_checked(at)?;
    let (verb, behind) = rest.split_first()?;
    let file = before.iter().rposition(Token::is_entity).map_or(0, |file| file + 1);
    let object = before.get(file..)?.iter().rev().find(|token| !is_aside(token));
    // `두 줄만 남기고 지워줘`
    let leaves = |token: &Token<'_>| token.has(Concept::Pick) && !token.attributive;
    if object.is_some_and(|token| is_thing(lexicon, token))
        || before.get(file..)?.iter().any(leaves)
    {
        return Some(Lost::Part);
    }
    let named = lexicon.is_listed(verb.text) && behind.first().is_some_and(|next| !next.attached);
    let next = behind.iter().find(|token| !is_aside(token));
    let other = |token: &Token<'_>| token.is_word() && !is_asking(lexicon, token);
    let only_named = named && next.is_some_and(other);
    (only_named || past::is_past(lexicon, verb)).then_some(Lost::Told)
}

/// Says nothing of what is to go: particles, `이 파일`, `싹 다`.
fn is_aside(token: &Token<'_>) -> bool {
    let aside = [Concept::Vague, Concept::File, Concept::Pronoun, Concept::That, Concept::Then];
    let particle = token.attached && token.is_word() && token.is_ending();
    particle || token.has_any(&aside) && !token.has(Concept::Part)
}

/// What a verb may have for its object; not what ends a clause or says how.
fn is_thing(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    let connects = lexicon.goes_on(token.text);
    let how = connects || token.ends(Part::Manner);
    let part = [Concept::Part, Concept::Content, Concept::CodeWord, Concept::Field];
    let part = [part.as_slice(), &[Concept::First, Concept::Pieces, Concept::Prepend]].concat();
    // `어제꺼`
    let thing = token.ends(Part::Thing) && token.has(Concept::Talk);
    let unknown = (token.is_nameless() || thing) && !token.attributive && !how;
    token.is_word() && (unknown || token.has_any(&part))
}

/// What may follow the bare name of what is to be done: `삭제 부탁해`, `삭제 진행해 줘`, `삭제 후`.
fn is_asking(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    let asking = [
        Concept::Wish,
        Concept::Run,
        Concept::And,
        Concept::Then,
        Concept::Delete,
        Concept::Cancel,
        Concept::Correct,
        Concept::Greet,
    ];
    let requests = || lexicon.requests_in(token.text);
    let connects = || lexicon.connectives.iter().any(|word| token.text.starts_with(word.as_str()));
    let asks = || requests() && !token.has(Concept::Question);
    token.has_any(&asking) || asks() || connects()
}

fn english(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> Option<Lost> {
    let (before, rest) = tokens.split_at_checked(at)?;
    let (verb, behind) = rest.split_first()?;
    let path = behind.iter().position(|token| token.kind == TokenKind::Path);
    let next = path.and_then(|path| behind.get(path + 1));
    // `erase what's in a.txt`, `delete the word eggs, a.txt`, `clean up a.txt`
    let part = [Concept::Part, Concept::Content, Concept::Read];
    let part = |token: &Token<'_>| token.has_any(&part);
    let object = path.and_then(|path| behind.get(..path)).unwrap_or_default();
    let listed = object.last().is_some_and(|t| t.is_mark(","));
    let named = object.iter().any(|t| t.is_word() && t.is_nameless() && !t.concepts.is_empty());
    let named = named || object.iter().any(|t| t.is_word() && t.concepts.is_empty());
    let only = object.iter().all(|t| !t.is_path());
    if next.is_some_and(|token| token.has(Concept::Part))
        || path.is_some() && verb.has(Concept::Part)
        || object.iter().any(part)
        || listed && named && only
    {
        return Some(Lost::Part);
    }
    let from = before.iter().rposition(|t| t.kind == TokenKind::Mark).map_or(0, |mark| mark + 1);
    let clause = before.get(from..)?;
    (!is_told_to(lexicon, clause, verb)).then_some(Lost::Told)
}

/// By the form of the verb and by what stands before it in its clause.
fn is_told_to(lexicon: &Lexicon, clause: &[Token<'_>], verb: &Token<'_>) -> bool {
    let word = verb.text.to_lowercase();
    // `put` is its own past.
    let asked = || clause.iter().all(opens) || is_requested(lexicon, clause);
    if past::is_participle(lexicon, verb) && !(lexicon.is_listed(&word) && asked()) {
        return is_wanted(clause);
    }
    if verb.ends(Part::Telling) && !lexicon.is_listed(&word) {
        return is_requested(lexicon, clause);
    }
    match clause {
        [] => true,
        // What it waits for is another matter.
        _ if clause.iter().any(|token| token.has(Concept::Awaiting)) => true,
        [.., led, to] if to.is(Part::To) => {
            led.has_any(&[Concept::Wish, Concept::Vague, Concept::Get])
        }
        [before @ .., last] => {
            let subject = lexicon.subjects.contains(&last.text.to_lowercase());
            leads_on(lexicon, before, last) && (!subject || is_requested(lexicon, clause))
        }
    }
}

/// `also`, `and then`
fn opens(token: &Token<'_>) -> bool {
    token.has_any(&[Concept::Then, Concept::Too, Concept::And, Concept::Greet])
}

/// `i want a.txt deleted`, `a.txt should be deleted`
fn is_wanted(clause: &[Token<'_>]) -> bool {
    let says = |concept: Concept| clause.iter().any(|token| token.has(concept));
    let wanted = [Concept::Wish, Concept::Get, Concept::Edit].into_iter().any(says);
    let to_be = clause.iter().any(|token| token.is(Part::Be));
    (wanted || to_be) && !says(Concept::Question)
}

fn is_requested(lexicon: &Lexicon, clause: &[Token<'_>]) -> bool {
    let words = clause.iter().map(|token| token.text.to_lowercase());
    let words: String = words.flat_map(|word| [" ".to_owned(), word]).collect();
    lexicon.requests_in(&words)
}

/// Not `nobody`, nor `the script will`.
fn leads_on(lexicon: &Lexicon, before: &[Token<'_>], last: &Token<'_>) -> bool {
    let tells = [Concept::Spared, Concept::Negate, Concept::Question];
    // `Plese remove it`
    let slip = || lexicon.meant(&last.text.to_lowercase()).is_some();
    let known = last.is_entity() || !last.concepts.is_empty() || slip();
    let modal = last.is(Part::Modal);
    let somebody = before.last().is_some_and(|t| t.is_word() && t.is_nameless());
    known && !(modal && somebody) && !last.has_any(&tells)
}
