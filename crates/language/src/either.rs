//! Conditions of which one is enough: `만원 이하거나 10만원 이상`, `under 10000 or over 100000`.

use crate::{
    comparison::Condition,
    concept::Concept,
    part::Part,
    query::Filter,
    token::{Token, TokenKind},
};

/// Says that one of two is enough.
pub(crate) fn is_either(token: &Token<'_>) -> bool {
    let word = token.is_word();
    let stuck = token.attached && token.is(Part::Or);
    word && (token.has(Concept::Either) || ends_condition(token) || stuck)
}

/// It is the verb of a condition: `식품이거나`.
pub(crate) fn ends_condition(token: &Token<'_>) -> bool {
    token.ends(Part::IsOr)
}

/// With those of which one is enough made one. Where it is not clear which are meant, where it is
/// said.
pub(crate) fn joined(
    tokens: &[Token<'_>],
    mut conditions: Vec<Condition>,
) -> (Vec<Condition>, Option<usize>) {
    if !tokens.iter().any(is_either) {
        return (conditions, None);
    }
    conditions.sort_by_key(|condition| (condition.said.start, condition.said.end));
    let groups = grouped(conditions);
    if groups.is_empty() {
        return (groups, None);
    }
    let links: Vec<Option<usize>> = groups.windows(2).map(|pair| link(tokens, pair)).collect();
    // `of user 1 or 2` is one condition already.
    let own = |at: usize| {
        let mut whole = groups.iter().filter(|group| matches!(group.filter, Filter::Any(_)));
        whole.any(|group| group.said.contains(&at))
    };
    let said = (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(is_either) && !own(*at));
    let lost = { said }.find(|at| !links.contains(&Some(*at)));
    // `not under 10000 or over 50000`: is the second one denied too?
    let denied =
        groups.windows(2).zip(&links).find_map(|(pair, link)| link.filter(|_| is_mixed(pair)));
    let whole = links.iter().all(Option::is_some);
    let mut all: Vec<Condition> = Vec::new();
    let mut unclear = None;
    for (at, group) in groups.into_iter().enumerate() {
        let linked = at.checked_sub(1).and_then(|at| links.get(at).copied().flatten());
        match all.last_mut().filter(|_| linked.is_some()) {
            // `not food or clothing`: neither.
            Some(last) if last.denied.is_some() && group.denied.is_some() => all.push(group),
            Some(last) if whole || is_of_one(last, &group) => last.add(group),
            // `식품이거나 만원 이하이고 판매중인`: which two?
            Some(_) => {
                unclear = unclear.or(linked);
                all.push(group);
            }
            None => all.push(group),
        }
    }
    (all, lost.or(denied).or(unclear))
}

/// One of them is denied, and not both, of one field, alike.
fn is_mixed(pair: &[Condition]) -> bool {
    let [one, other] = pair else { return false };
    let neither = one.denied.is_some() && one.denied == other.denied && is_of_one(one, other);
    !neither && (one.denied.is_some() || other.denied.is_some())
}

/// The bounds of one range are one.
fn grouped(conditions: Vec<Condition>) -> Vec<Condition> {
    let mut groups: Vec<Condition> = Vec::new();
    for condition in conditions {
        match groups.last_mut().filter(|last| last.said == condition.said) {
            Some(last) => last.filter = last.filter.clone().and(condition.filter),
            None => groups.push(condition),
        }
    }
    groups
}

/// Where two neighbours are joined so: nothing else is said between them.
fn link(tokens: &[Token<'_>], pair: &[Condition]) -> Option<usize> {
    let [one, other] = pair else { return None };
    let from = one.said.end.checked_sub(1)?;
    let to = other.said.start.max(from + 1);
    let light = |t: &Token<'_>| {
        let thing = t.has(Concept::Thing) || t.kind == TokenKind::Operation;
        let particle = t.is_particle();
        is_either(t) || t.has(Concept::Vague) || thing || particle
    };
    let between = tokens.get(from + 1..to).unwrap_or_default();
    let mut all = from..=to;
    all.find(|at| tokens.get(*at).is_some_and(is_either)).filter(|_| between.iter().all(light))
}

fn is_of_one(one: &Condition, other: &Condition) -> bool {
    one.filter.field().is_some() && one.filter.field() == other.filter.field()
}

impl Condition {
    /// One more of which one is enough.
    fn add(&mut self, other: Self) {
        self.filter = self.filter.clone().or(other.filter);
        self.said.end = other.said.end.max(self.said.end);
    }
}
