//! What something is called that is named beside its kind: `재고점검 워크플로`, `the crm database`,
//! `workflow "nightly backup"`.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    said::Said,
    token::{Token, TokenKind},
};

/// Words of a name that stands without quotation marks.
const NAME_WORDS_MAX: usize = 3;
/// Particles and naming words between a name and its kind (`"X"란 이름의`).
const BETWEEN_TOKENS_MAX: usize = 4;

/// `None` where it has no name, or where it cannot be told.
pub(crate) fn called<'t>(said: &Said<'_, 't>, kind: Concept) -> Option<&'t str> {
    let at = said.tokens.iter().position(|token| token.has(kind))?;
    let renamed = said.signs.says(Concept::Change);
    let kept = || before(said, at).filter(|_| renamed);
    let quoted = || marked_before(said, at).or_else(kept).or_else(|| marked_after(said, at));
    let bare = || before(said, at).or_else(|| after(said, at));
    quoted().or_else(bare).or_else(|| only_marked(said)).map(str::trim)
}

const fn is_marked(token: &Token<'_>) -> bool {
    matches!(token.kind, TokenKind::Quoted | TokenKind::Code)
}

fn is_between(token: &Token<'_>) -> bool {
    let particle = || token.is_particle();
    token.is_word() && (token.has(Concept::Vague) || token.has(Concept::New) || particle())
}

fn marked_before<'t>(said: &Said<'_, 't>, at: usize) -> Option<&'t str> {
    let before = said.tokens.iter().take(at).rev().take(BETWEEN_TOKENS_MAX);
    let name = before.into_iter().find(|token| !is_between(token))?;
    is_marked(name).then_some(name.text)
}

fn marked_after<'t>(said: &Said<'_, 't>, at: usize) -> Option<&'t str> {
    let after = said.tokens.iter().skip(at + 1).take(BETWEEN_TOKENS_MAX);
    let name = after.into_iter().find(|token| !is_between(token))?;
    is_marked(name).then_some(name.text)
}

/// The only one that there is, unless it is what it is to be renamed to.
fn only_marked<'t>(said: &Said<'_, 't>) -> Option<&'t str> {
    let mut marked = said.tokens.iter().filter(|token| is_marked(token));
    let name = marked.next().filter(|_| marked.next().is_none())?;
    (!said.signs.says(Concept::Change)).then_some(name.text)
}

/// Words that name nothing.
fn is_generic(token: &Token<'_>) -> bool {
    use Concept as C;
    let generic = [
        C::Vague,
        C::New,
        C::Wish,
        C::That,
        C::Pronoun,
        C::Only,
        C::Question,
        C::Talk,
        C::You,
        C::Dest,
        C::And,
        C::Then,
        C::Where,
        C::Run,
        C::Delete,
        C::Create,
        C::Earlier,
        C::Table,
        C::Workflow,
        C::Saying,
        C::Correct,
        C::Greet,
        C::Send,
        C::Database,
        C::Negate,
        C::Change,
    ];
    !token.is_word() || token.has_any(&generic)
}

/// A word that carries a particle belongs to another part of the sentence.
fn is_inflected(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    let ends = |endings: &[String]| {
        endings.iter().any(|e| token.text.len() > e.len() && token.text.ends_with(e.as_str()))
    };
    token.is_korean() && (ends(&lexicon.attributive) || ends(&lexicon.particles))
}

/// Words right before the kind, as far as they are of one name.
fn before<'t>(said: &Said<'_, 't>, at: usize) -> Option<&'t str> {
    let naming = said.tokens.iter().take(at).rev();
    let skipped = naming.take_while(|t| t.attached && t.is_word() && is_between(t)).count();
    let end = at - skipped;
    let (mut from, mut words) = (end, 0);
    while let Some(before) = from.checked_sub(1) {
        let start = run_begins(said.tokens, before);
        let joined = start < before;
        let token = said.tokens.get(before)?;
        let fits = if joined {
            said.tokens.get(start)?.is_word()
        } else {
            !is_generic(token) && !is_inflected(said.lexicon, token)
        };
        if !fits || words == NAME_WORDS_MAX || (leads(said, start) && !joined) {
            break;
        }
        (from, words) = (start, words + 1);
    }
    let aside = [Concept::Schedule, Concept::First, Concept::Scale, Concept::File];
    let plain = |t: &Token<'_>| !is_generic(t) && !t.has_any(&aside);
    let telling = |t: &Token<'_>| !t.is_word() || plain(t);
    let name = said.tokens.get(from..end)?;
    let first = name.first()?;
    let kept = name.len() > 1 || name.iter().any(telling);
    (kept && name.iter().any(telling))
        .then(|| said.text.get(first.start..name.last()?.end))
        .flatten()
}

/// The verb that leads is not a part of the name after it.
fn leads(said: &Said<'_, '_>, at: usize) -> bool {
    let strong = |t: &Token<'_>| t.leads();
    said.tokens.iter().position(strong) == Some(at)
}

/// Where the run of attached tokens begins that ends here: `nightly-sync`.
fn run_begins(tokens: &[Token<'_>], last: usize) -> usize {
    let part = |token: &Token<'_>| {
        token.is_word() && !token.is_korean() || ["-", ".", "_"].iter().any(|m| token.is_mark(m))
    };
    let mut at = last;
    while at > 0
        && tokens.get(at).is_some_and(|token| token.attached && part(token))
        && tokens.get(at - 1).is_some_and(part)
    {
        at -= 1;
    }
    at
}

/// `workflow data_cleanup`, `workflow named price-watch`.
fn after<'t>(said: &Said<'_, 't>, at: usize) -> Option<&'t str> {
    let mut rest = said.tokens.iter().enumerate().skip(at + 1);
    let particle = |t: &Token<'_>| t.is_word() && t.attached;
    let naming = |t: &Token<'_>| said.lexicon.is_naming(t.text);
    let mut named = false;
    let (from, first) = rest.find(|(_, token)| {
        named |= naming(token);
        !(particle(token) || naming(token) || token.is_mark(":"))
    })?;
    let joins = |t: &Token<'_>| t.attached && !t.is_korean();
    let own = said
        .tokens
        .iter()
        .skip(from + 1)
        .take_while(|t| joins(t) && !t.is_mark(",") && !t.is_mark("?"));
    let last = own.last().filter(|t| t.is_word()).unwrap_or(first);
    let name = said.text.get(first.start..last.end)?;
    let written = name.contains(['-', '_']) || name.contains(|c: char| c.is_ascii_digit());
    let plain = first.is_word() && first.is_nameless();
    let closes = || said.tokens.iter().skip(from + 1).all(is_generic);
    let latin = !name.starts_with(is_hangul);
    (first.is_word() && (written || (plain && (named || (latin && closes()))))).then_some(name)
}
