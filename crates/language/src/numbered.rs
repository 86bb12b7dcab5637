//! One row of what an operation lists, by its number: `주문 5003번`, `product 103`.

use crate::{
    lexicon::Lexicon,
    name::{Mention, Name},
    part::Part,
    token::{Token, TokenKind},
};
use wiiiv_domain::{HttpMethod, Operation, System};

/// Longer words are no number of anything.
const NUMBER_CHARS_MAX: usize = 32;

/// What a path asks for that names one row.
pub(crate) struct One<'s> {
    pub(crate) operation: &'s Operation,
    /// The argument as JSON.
    pub(crate) arguments: String,
    /// The tokens of the number.
    pub(crate) at: usize,
    pub(crate) tokens: usize,
}

/// The operation that answers with one row, where the named one lists them or is it.
pub(crate) fn one<'s>(
    system: &'s System,
    named: &'s Operation,
    tokens: &[Token<'_>],
) -> Option<One<'s>> {
    let (at, count) = number(tokens)?;
    let operation =
        if parameter(&named.path).is_some() { Some(named) } else { row_of(system, named) };
    let operation = operation.filter(|operation| operation.method == HttpMethod::Get)?;
    let (name, said) = (parameter(&operation.path)?, tokens.get(at)?.text);
    // Leading zeros are a part of a name.
    let plain = said.parse::<u32>().is_ok_and(|number| number.to_string() == said);
    let value = if plain { said.to_owned() } else { format!("\"{said}\"") };
    let arguments = format!("{{\"{name}\":{value}}}");
    Some(One { operation, arguments, at, tokens: count })
}

/// What the numbers of rows are called, and the lists that hold them: `상품번호`, `order number`.
pub(crate) fn keys<'s>(
    lexicon: &'s Lexicon,
    systems: &'s [System],
    order: &[usize],
) -> impl Iterator<Item = (Name, (usize, usize))> + use<'s> {
    let lists = order.iter().filter_map(|at| Some((*at, systems.get(*at)?))).collect::<Vec<_>>();
    let lists = lists.into_iter().flat_map(|(at, system)| {
        let operations = system.operations.iter().enumerate();
        operations.filter(|(_, list)| list.method == HttpMethod::Get).filter_map(
            move |(nth, list)| {
                let key = parameter(&row_of(system, list)?.path)?;
                Some(((at, nth), list.fields.iter().find(|field| field.name == key)?))
            },
        )
    });
    lists.flat_map(move |(at, field)| {
        // `번호` alone may be of any list.
        let own = field.labels.iter().filter(move |label| !lexicon.parts.is(Part::Key, label));
        own.map(move |label| (Name::spoken(label), at))
    })
}

/// A row's number is spoken of by its own name, and nothing else is.
pub(crate) fn with_keys<T>(
    tokens: &[Token<'_>],
    found: Vec<Mention<T>>,
    keyed: Vec<Mention<T>>,
) -> Vec<Mention<T>> {
    let digits = |at: usize| tokens.get(at).is_some_and(|t| t.text.starts_with(is_digit));
    let numbered = |mention: &Mention<T>| digits(mention.at + mention.tokens);
    let mut keyed: Vec<Mention<T>> = keyed.into_iter().filter(numbered).collect();
    let [key] = keyed.as_mut_slice() else { return found };
    let within = |mention: &Mention<T>| (key.at..key.at + key.tokens).contains(&mention.at);
    if found.iter().all(within) { keyed } else { found }
}

const fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// The operation whose path is that of the list and one argument more.
fn row_of<'s>(system: &'s System, list: &Operation) -> Option<&'s Operation> {
    let below = |operation: &&Operation| {
        let rest = operation.path.strip_prefix(list.path.as_str());
        let one = rest.and_then(|rest| rest.strip_prefix('/'));
        one.is_some_and(|one| !one.contains('/') && parameter(one).is_some())
    };
    let reads = |operation: &&Operation| operation.method == HttpMethod::Get;
    let mut rows = system.operations.iter().filter(below).filter(reads);
    rows.next().filter(|_| rows.next().is_none())
}

/// The operation that lists the rows of which this one answers with one.
pub(crate) fn list_of<'s>(system: &'s System, one: &Operation) -> Option<&'s Operation> {
    let own = |list: &&Operation| row_of(system, list).is_some_and(|row| row.id == one.id);
    let mut lists = system.operations.iter().filter(own);
    lists.find(|list| list.method == HttpMethod::Get)
}

/// The field that the rows are numbered by, where a new one is put into their list.
pub(crate) fn key_of<'s>(system: &'s System, new: &Operation) -> Option<&'s str> {
    parameter(&row_of(system, new)?.path)
}

/// It asks for the row's name.
pub(crate) fn is_of_one(operation: &Operation) -> bool {
    parameter(&operation.path).is_some()
}

/// The only argument of a path.
fn parameter(path: &str) -> Option<&str> {
    let (_, rest) = path.split_once('{')?;
    let (name, rest) = rest.split_once('}')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!rest.contains('{') && name.chars().all(plain)).then_some(name)
}

/// Right behind the label, and nothing that counts: `주문 5003번`, not `상품 5개`. With how many
/// tokens it is.
fn number(tokens: &[Token<'_>]) -> Option<(usize, usize)> {
    let labelled = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        before.is_some_and(|token| token.kind == TokenKind::Operation)
    };
    let digits = |token: &Token<'_>| {
        let plain = token.text.chars().all(|c| c.is_ascii_alphanumeric());
        let ends = token.text.chars().any(|c| c.is_ascii_digit());
        token.is_word() && plain && ends && token.text.len() <= NUMBER_CHARS_MAX
    };
    let counted = |at: usize| {
        // `회원 7번 주문`
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let apart = |t: &Token<'_>| {
            matches!(t.kind, TokenKind::System | TokenKind::Mark) || t.attached && t.is_word()
        };
        if before.is_some_and(|t| !apart(t)) {
            return false;
        }
        let count = tokens.get(at + 1).is_some_and(|next| next.attached && next.is(Part::Numbered));
        let label = tokens.get(at + 2).is_some_and(|token| token.kind == TokenKind::Operation);
        count && label && tokens.get(at).is_some_and(digits)
    };
    let mut ahead = (0..tokens.len()).filter(|at| counted(*at));
    if let Some(at) = ahead.next().filter(|_| ahead.next().is_none()) {
        return Some((at, 2));
    }
    let mut found =
        (1..tokens.len()).filter(|at| labelled(*at) && tokens.get(*at).is_some_and(digits));
    let at = found.next().filter(|_| found.next().is_none())?;
    match tokens.get(at + 1).filter(|next| next.attached && next.is_word()) {
        None => Some((at, 1)),
        Some(next) => next.begins(Part::Numbered).then_some((at, 2)),
    }
}
