//! Values that people call by a name, as a system has registered them: `배송중인 주문`, `VIP 회원만`,
//! `orders that aren't cancelled`, `식품 빼고`.

mod found;
mod value;

use crate::{
    comparison::Condition,
    concept::Concept,
    contains, either,
    lexicon::Lexicon,
    part::Part,
    query::{Filter, Op},
    reading::Situation,
    rows::Rows,
    token::Token,
    tokenizer,
};

pub(crate) use value::Value;

/// `held`: parts of names, which are no values: `이름에 식품이 들어간`.
pub(crate) fn values<'r>(
    lexicon: &Lexicon,
    rows: &'r Rows,
    tokens: &[Token<'_>],
    held: &[Condition],
) -> Vec<Value<'r>> {
    let mut all = found::found(lexicon, rows, tokens, held);
    spread(tokens, &mut all);
    all
}

/// What values that are called by a name say, where nothing else is asked for.
pub(crate) fn named(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Vec<Condition> {
    let held = contains::conditions(lexicon, rows, tokens);
    conditions(tokens, &values(lexicon, rows, tokens, &held))
}

/// A value is called so by one word: `옷`, `books`.
pub(crate) fn is_called(lexicon: &Lexicon, rows: &Rows, word: &str) -> bool {
    let word = word.to_lowercase();
    let one = word.is_ascii().then(|| lexicon.parts.stem(Part::Plural, &word)).flatten();
    rows.values().iter().any(|called| called.label == word || Some(called.label.as_str()) == one)
}

pub(crate) fn conditions(tokens: &[Token<'_>], values: &[Value<'_>]) -> Vec<Condition> {
    let mut all: Vec<Condition> = Vec::new();
    let mut last: Option<&Value<'_>> = None;
    for found in values.iter().filter(|found| !found.several) {
        let filter = Filter::compare(found.field, Op::is(found.same), found.value);
        // `식품이랑 도서만`: of several values each row has one.
        let joined = last.is_some_and(|last| {
            last.field == found.field && last.same && found.same && is_listed(tokens, last, found)
        });
        match all.last_mut().filter(|_| joined) {
            Some(condition) => {
                condition.filter = condition.filter.clone().or(filter);
                condition.said.end = found.said.end;
            }
            None => {
                let denied = found.denied;
                all.push(Condition { denied, ..Condition::new(filter, found.said.clone()) });
            }
        }
        last = Some(found);
    }
    all
}

/// Rows that were just shown have a field with a value that is called so, and nothing waits that could
/// be called off.
pub(crate) fn is_of_shown(lexicon: &Lexicon, text: &str, situation: &Situation) -> bool {
    let idle =
        situation.active.is_none() && situation.waiting.is_empty() && situation.aside.is_empty();
    let shown = idle && situation.earlier_run;
    let tokens = tokenizer::tokens(lexicon, text);
    shown && !named(lexicon, &Rows::ran(lexicon, situation), &tokens).is_empty()
}

/// Where a value is said that two fields may have, or two values of one that no row has both of.
pub(crate) fn unclear(tokens: &[Token<'_>], values: &[Value<'_>]) -> Option<usize> {
    let several = values.iter().find(|found| found.several);
    let both = || {
        values.windows(2).find_map(|pair| {
            let [one, other] = pair else { return None };
            let listed = is_listed(tokens, one, other);
            // `식품하고 의류가 아닌`, where only one of them is denied.
            let mixed = listed && one.denied.is_some() != other.denied.is_some();
            let both = one.same && other.same && one.value != other.value && !listed;
            (one.field == other.field && (mixed || both)).then_some(other)
        })
    };
    several.or_else(both).map(|found| found.word.start)
}

/// Nothing but what lists them stands between.
fn is_listed(tokens: &[Token<'_>], one: &Value<'_>, other: &Value<'_>) -> bool {
    let between = tokens.get(one.word.end..other.word.start).unwrap_or_default();
    let joins = |t: &Token<'_>| t.has(Concept::And) || either::is_either(t) || t.is_mark(",");
    let stuck = tokens.get(one.word.end - 1).is_some_and(|token| {
        either::is_either(token) || token.ends(Part::And | Part::AndWritten | Part::Or)
    });
    let light = |t: &Token<'_>| joins(t) || t.has(Concept::Vague);
    between.iter().all(light) && (stuck || between.iter().any(joins))
}

/// `식품하고 의류가 아닌`, `aren't food or clothing`: what denies one value of a list denies each.
fn spread(tokens: &[Token<'_>], all: &mut [Value<'_>]) {
    for at in (1..all.len()).rev() {
        let Some((ahead, rest)) = all.split_at_mut_checked(at) else { continue };
        let (Some(one), Some(other)) = (ahead.last_mut(), rest.first()) else { continue };
        let behind = other.denied.filter(|by| *by > other.word.start);
        if let Some(by) = behind.filter(|_| one.denied.is_none() && is_one_list(tokens, one, other))
        {
            one.deny(by);
        }
    }
    for at in 1..all.len() {
        let Some((ahead, rest)) = all.split_at_mut_checked(at) else { continue };
        let (Some(one), Some(other)) = (ahead.last(), rest.first_mut()) else { continue };
        let ahead = one.denied.filter(|by| *by < one.word.start);
        if let Some(by) =
            ahead.filter(|_| other.denied.is_none() && is_one_list(tokens, one, other))
        {
            other.deny(by);
        }
    }
}

/// Values of one field, with no verb of their own: not `식품이거나 의류가 아닌`, `aren't food or are
/// clothing`.
fn is_one_list(tokens: &[Token<'_>], one: &Value<'_>, other: &Value<'_>) -> bool {
    let verb = |t: &Token<'_>| {
        let korean = t.is_korean() && either::ends_condition(t);
        korean || t.is(Part::Is) || t.is_equals()
    };
    let between = tokens.get(one.word.start..other.word.start).unwrap_or_default();
    one.field == other.field && is_listed(tokens, one, other) && !between.iter().any(verb)
}
