//! What is to be written: quoted, said to be said, or standing between the verb and the place.

use crate::{
    concept::Concept,
    dictated,
    lexicon::Lexicon,
    part::Part,
    quote,
    token::{Token, TokenKind},
    words,
};

/// `None` where nothing is given, or where it cannot be told which of several is meant.
pub(crate) fn content<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &[Token<'t>],
    target: Option<usize>,
) -> Option<&'t str> {
    marked(tokens, target)
        .or_else(|| said(lexicon, text, tokens, target))
        .or_else(|| after_colon(text, tokens, target))
        .or_else(|| after_saying(lexicon, text, tokens, target))
        .or_else(|| dictated::spoken_of(lexicon, text, tokens))
        .or_else(|| after_that(text, tokens, target))
        .or_else(|| between(lexicon, text, tokens, target))
        .or_else(|| dictated::held(lexicon, text, tokens, target))
        .or_else(|| dictated::framed(lexicon, text, tokens))
        .or_else(|| dictated::korean(lexicon, text, tokens, target))
        .map(str::trim)
        .filter(|content| !content.is_empty())
}

/// The only quoted, backticked or JSON text; of several the one that is called the content.
fn marked<'t>(tokens: &[Token<'t>], target: Option<usize>) -> Option<&'t str> {
    let holds =
        |t: &Token<'_>| matches!(t.kind, TokenKind::Quoted | TokenKind::Code | TokenKind::Json);
    let mut found = tokens.iter().enumerate().filter(|(at, t)| holds(t) && Some(*at) != target);
    let (first, only) = (found.next()?, found.next().is_none());
    if only {
        return Some(first.1.text);
    }
    let called = |at: usize| {
        at.checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|t| t.has(Concept::Content) || t.has(Concept::Saying))
    };
    let mut named = tokens.iter().enumerate().filter(|(at, t)| holds(t) && called(*at));
    named.next().filter(|_| named.next().is_none()).map(|(_, token)| token.text)
}

/// `notes/a.md: milk, eggs`, `내용: ...`
fn after_colon<'t>(text: &'t str, tokens: &[Token<'t>], target: Option<usize>) -> Option<&'t str> {
    let colon = tokens.iter().enumerate().find(|(at, token)| {
        let before = at.checked_sub(1);
        // `이렇게 적어줘: ..`
        let opens = |t: &Token<'_>| t.has(Concept::Content) || is_dictating(t);
        // `a.txt로 저장해 주세요: ..`
        let asked = tokens.get(..*at).unwrap_or_default().iter().rev();
        let verb = asked.take(2).find(|t| !t.has(Concept::Vague));
        let named = before.and_then(|at| tokens.get(at)).is_some_and(opens)
            || verb.is_some_and(|t| is_written(t) && t.is_korean());
        let beside = before.is_some() && before == target;
        // `ideas.txt - build a treehouse`
        let dash = token.is_mark("-") && !token.attached && beside;
        dash || token.is_mark(":") && (named || beside)
    })?;
    text.get(colon.1.end..)
}

/// `notes/a.md 에 회의 3시 라고 써줘`
fn said<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &[Token<'t>],
    target: Option<usize>,
) -> Option<&'t str> {
    let quote = |(at, t): (usize, &Token<'_>)| {
        quote::end(lexicon, tokens, at).map(|end| (at, t.start + end))
    };
    let writes = |t: &Token<'_>| is_written(t) || t.has(Concept::Content);
    let follows = tokens.iter().rposition(|t| writes(t) || t.is_path())?;
    let mut before = tokens.iter().enumerate().take(follows).rev();
    let (last, end) = before.find_map(quote)?;
    let from = match target.filter(|target| *target < last) {
        Some(target) => {
            let rest = tokens.get(target + 1..)?;
            let own = rest.iter().take_while(|t| beside(t)).count();
            let rest = rest.get(own..)?;
            let rest = rest.get(at_its_end(rest)..)?;
            rest.get(pointed(rest))?.start
        }
        None => tokens.get(pointed(tokens))?.start,
    };
    text.get(from..end)
}

/// How many tokens say where in it: `맨 밑에`.
fn at_its_end(tokens: &[Token<'_>]) -> usize {
    let end = |t: &Token<'_>| t.has(Concept::Append) && t.verb().is_none();
    let light = |t: &&Token<'_>| end(t) || t.concepts.iter().all(|c| *c == Concept::Vague);
    let known = |t: &&Token<'_>| !t.concepts.is_empty() && light(t);
    if tokens.first().is_some_and(end) { tokens.iter().take_while(known).count() } else { 0 }
}

/// How many tokens point to the file: `그 안에`, `거기에`.
fn pointed(tokens: &[Token<'_>]) -> usize {
    let into = |t: &Token<'_>| t.has(Concept::Within) || t.has(Concept::File);
    match tokens {
        [there, ..] if there.has(Concept::There) => 1,
        [that, place, ..] if that.has(Concept::That) && into(place) => 2,
        _ => 0,
    }
}

/// Belongs to the path: its particle, `파일`, `라는 파일에`.
fn beside(token: &Token<'_>) -> bool {
    token.has(Concept::File)
        || token.is_mark(",")
        || token.is_mark(":")
        || (token.is_word() && (token.attached || !token.is(Part::Mine)) && token.is_ending())
}

/// `make notes/a.md saying hello`
fn after_saying<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &[Token<'t>],
    target: Option<usize>,
) -> Option<&'t str> {
    let saying = tokens.iter().position(|t| t.has(Concept::Saying))?;
    // `say again`, `please say why`
    let aside = |t: &Token<'_>| {
        let points = t.has(Concept::Pronoun) || t.has(Concept::That);
        t.has(Concept::Question) || points || lexicon.is_repeating(t.text)
    };
    if target.is_none() && tokens.get(saying + 1..)?.iter().all(aside) {
        return None;
    }
    let skipped = |t: &&Token<'_>| t.has(Concept::Vague) || t.is_mark(":");
    let first = tokens.iter().skip(saying + 1).find(|t| !skipped(t))?;
    let end = target
        .filter(|target| *target > saying)
        .and_then(|target| destination(tokens, saying, target))
        .map_or(text.len(), |dest| dest.start);
    text.get(first.start..end)
}

/// `write milk and eggs to the note file notes/a.md`
fn between<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &[Token<'t>],
    target: Option<usize>,
) -> Option<&'t str> {
    let target = target?;
    let writes = |t: &Token<'_>| t.text.is_ascii() && is_written(t);
    let verb = tokens.iter().take(target).position(writes)?;
    // `add a header to notes.md` says what to write, and not the words.
    let described = |t: &Token<'_>| t.has(Concept::Vague) || t.has(Concept::New);
    let kind_of = |t: &Token<'_>| lexicon.indefinite.contains(&t.text.to_lowercase());
    let adds = tokens.get(verb).is_some_and(|verb| verb.has(Concept::Add));
    if tokens.get(verb + 1).is_some_and(|t| (adds && described(t)) || kind_of(t)) {
        return None;
    }
    // A verb of several words: its others carry nothing.
    let from = verb + 1;
    let dest = destination(tokens, verb, target)?;
    let mut words = tokens.iter().skip(from).take_while(|t| t.start < dest.start);
    // `'a', then 'b'` are two, and their marks no part of them.
    if words.clone().filter(|t| t.kind == TokenKind::Quoted).count() > 1 {
        return None;
    }
    // `the current date` is to be reckoned and not to be written.
    let tells = |t: &Token<'_>| t.is_word() && !refers(t) && !t.has(Concept::Computed);
    if is_pointed(words.clone(), adds)
        || !words.clone().any(tells)
        || words.any(|t| t.has(Concept::Result))
    {
        return None;
    }
    // `save the 3 cheapest to a.json`: of rows, which nobody dictates.
    let keeps = tokens.get(verb).is_some_and(|t| t.has(Concept::Save) && !t.has(Concept::Write));
    if keeps && tokens.get(from..target).is_some_and(|said| narrows(lexicon, said)) {
        return None;
    }
    let phrase = words::rest_of_phrase(lexicon, tokens, verb);
    text.get(tokens.get(verb + phrase + 1)?.start..dest.start)
        .map(|said| without_that(lexicon, said))
}

/// Says which of several are meant: `only the names`, `the 3 cheapest`, `top 5`.
pub(crate) fn narrows(lexicon: &Lexicon, said: &[Token<'_>]) -> bool {
    let ranks = [
        Concept::Cheap,
        Concept::Expensive,
        Concept::Highest,
        Concept::Lowest,
        Concept::Newest,
        Concept::Oldest,
    ];
    let counted = [Concept::First, Concept::Most, Concept::Least];
    let number = |t: &Token<'_>| {
        let digits = t.is_numeral();
        digits || lexicon.numbers.contains_key(t.text.to_lowercase().as_str())
    };
    let has = |t: &Token<'_>, of: &[Concept]| t.has_any(of);
    let opens = said.iter().find(|t| !t.has(Concept::Vague)).is_some_and(|t| t.has(Concept::Only));
    let ranked = said.iter().any(|t| has(t, &ranks));
    let first = said.windows(2).any(|pair| {
        matches!(pair, [one, other] if (has(one, &counted) && number(other)) || (number(one) && has(other, &counted)))
    });
    opens || ranked || first
}

/// `note down that the meeting is at 3`: what follows is the text.
fn without_that<'t>(lexicon: &Lexicon, text: &'t str) -> &'t str {
    let text = text.trim();
    let cut = text.split_once(' ').filter(|(that, _)| lexicon.parts.is(Part::That, that));
    let rest = cut.map(|(_, rest)| rest).filter(|rest| rest.split_whitespace().count() > 1);
    rest.unwrap_or(text)
}

/// `note down in notes.txt that the meeting is at 3`
fn after_that<'t>(text: &'t str, tokens: &[Token<'t>], target: Option<usize>) -> Option<&'t str> {
    let target = target?;
    let writes = |t: &Token<'_>| t.text.is_ascii() && is_written(t);
    let that = tokens.get(target + 1).filter(|token| token.is(Part::That))?;
    let said = tokens.iter().take(target).any(writes) && tokens.len() > target + 3;
    text.get(that.end..).filter(|_| said)
}

fn is_dictating(token: &Token<'_>) -> bool {
    token.has(Concept::Write) || token.has(Concept::Add)
}

fn is_written(token: &Token<'_>) -> bool {
    token.has_any(&[Concept::Write, Concept::Save, Concept::Add])
}

/// It is added behind what the file holds: `a.txt 끝에`, `append`, `add 'x' to a.txt`.
pub(crate) fn is_appended(tokens: &[Token<'_>], target: Option<usize>) -> bool {
    let says = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    // `add a new file a.txt`, `a.txt 파일 추가해줘`
    let aside = |t: &&Token<'_>| t.has(Concept::Vague) || t.has(Concept::File);
    let goes_to = |at: usize| {
        let before = tokens.iter().take(at).rev().find(|token| !aside(token));
        let behind = tokens.iter().skip(at + 1).take(2);
        let inflected = |t: &Token<'_>| t.has(Concept::File) && t.ends(Part::Into);
        before.is_some_and(|token| token.has(Concept::Dest))
            || behind.into_iter().any(|token| token.has(Concept::Within) || inflected(token))
    };
    let added = || says(Concept::Add) && (says(Concept::Overwrite) || target.is_none_or(goes_to));
    says(Concept::Append) || (added() && !says(Concept::New) && !says(Concept::Create))
}

/// `a.txt에 두부도 적어줘`, `두부 하나 더`, `put tofu in a.txt as well`: what is there stays. `placed`: it
/// goes to a file that is pointed to (`거기에 두부도 적어줘`).
pub(crate) fn is_more(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    (target, placed): (Option<usize>, bool),
    opens: bool,
) -> bool {
    let writes =
        |t: &Token<'_>| t.has(Concept::Write) || t.has(Concept::Save) || t.has(Concept::Add);
    let Some(verb) = tokens.iter().rposition(writes) else { return false };
    let from = target.map_or(0, |target| target + 1);
    let korean = || {
        let mut words = tokens.get(from..verb).unwrap_or_default().iter().filter(|t| t.is_word());
        // `a.txt에도` is another place.
        let behind = |pair: &[Token<'_>]| matches!(pair, [said, also] if said.kind == TokenKind::Quoted && also.attached && also.begins(Part::Also));
        let quoted = tokens.get(from..verb).unwrap_or_default().windows(2).any(behind);
        quoted
            || words.any(|t| {
                !t.attached && (t.is(Part::More) || t.has(Concept::Too) || adds(lexicon, t))
            })
    };
    let english = |at: usize, t: &Token<'_>| t.has(Concept::Too) && (opens || at > 0);
    match tokens.get(verb).filter(|verb| verb.is_korean()) {
        Some(_) => (target.is_some() || placed) && korean(),
        None => tokens.iter().enumerate().any(|(at, t)| english(at, t)),
    }
}

/// `두부도`
fn adds(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    token.ends(Part::Also) && dictated::without_particle(lexicon, token.text) != token.text
}

/// The preposition before the path, with nothing but the path's own words after it.
fn destination<'a, 't>(
    tokens: &'a [Token<'t>],
    after: usize,
    target: usize,
) -> Option<&'a Token<'t>> {
    let between = tokens.iter().enumerate().take(target).skip(after + 1);
    let (at, found) = between.rev().find(|(_, t)| t.has(Concept::Dest))?;
    let own = |t: &Token<'_>| refers(t) || t.is_mark(":");
    tokens.iter().take(target).skip(at + 1).all(own).then_some(found)
}

/// Names nothing that could be written down.
fn refers(token: &Token<'_>) -> bool {
    let refers = [
        Concept::Vague,
        Concept::File,
        Concept::Pronoun,
        Concept::That,
        Concept::Content,
        Concept::Join,
    ];
    token.has_any(&refers)
}

/// Nothing but `the list`, `the numbers`: what is meant, and no words of a text; `added`: `add the eggs` is one.
fn is_pointed<'s, 't: 's>(words: impl Iterator<Item = &'s Token<'t>>, added: bool) -> bool {
    let own = |t: &Token<'_>| t.is(Part::The | Part::Owner) || t.has(Concept::That);
    let mut said = words.filter(|t| !t.has(Concept::Vague) || own(t));
    let pointed = said.next().is_some_and(own);
    let named = said.next().filter(|_| pointed && said.next().is_none());
    named.is_some_and(|t| t.is_listed() || !added && t.ends(Part::Plural))
}
