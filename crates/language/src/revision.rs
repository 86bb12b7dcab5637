//! A change of what is taken out of an answer: the condition on a field stands for the one that was
//! there, and every other condition stays.

use crate::{character::is_word, comparison::Condition, select::Selection};

const EACH: &str = ".[]";
const STAGE: &str = " | ";
const CONDITION: &str = "select(";

/// `None` where it cannot be told what becomes of the known expression.
pub(crate) fn revised(known: &str, new: Selection) -> Option<String> {
    if new.only_conditions {
        return with_conditions(known, &new.conditions);
    }
    let kept = !new.is_written && new.conditions.is_empty() && known.contains(CONDITION);
    new.expr.filter(|_| !kept)
}

fn with_conditions(known: &str, conditions: &[Condition]) -> Option<String> {
    let (each, rest) = taken_apart(known)?;
    let mut each: Vec<String> = each.into_iter().map(str::to_owned).collect();
    for Condition { field, text, .. } in conditions {
        let new = format!("{CONDITION}{text})");
        let begins = format!("{CONDITION}.{field}");
        let same = |stage: &str| {
            let rest = stage.strip_prefix(&begins);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| is_word(c) || c == '.'))
        };
        let mut old = each.iter_mut().filter(|stage| same(stage));
        match (old.next(), old.next()) {
            (Some(stage), None) => *stage = new,
            (None, _) => each.insert(1, new),
            // A range: which end is meant?
            (Some(_), Some(_)) => return None,
        }
    }
    Some(format!("[{}]{rest}", each.join(STAGE)))
}

/// The stages of `[.[] | ..]` and what follows them, as `select` writes them.
fn taken_apart(known: &str) -> Option<(Vec<&str>, &str)> {
    let inner = known.strip_prefix('[')?;
    let (mut from, mut depth, mut quoted, mut escaped) = (0_usize, 0_usize, false, false);
    let mut stages = Vec::new();
    for (at, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '{' | '[' => depth += 1,
            ']' if depth == 0 => {
                stages.push(inner.get(from..at)?.trim());
                let whole = stages.first() == Some(&EACH);
                return inner.get(at + 1..).filter(|_| whole).map(|rest| (stages, rest));
            }
            ')' | '}' | ']' => depth = depth.checked_sub(1)?,
            '|' if depth == 0 => {
                stages.push(inner.get(from..at)?.trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(field: &str, text: &str) -> Condition {
        Condition { field: field.to_owned(), text: text.to_owned(), said: 0..1 }
    }

    #[test]
    fn a_condition_stands_for_the_one_on_its_field() {
        let known =
            "[.[] | select(.name == \"a | b] \\\" c\") | select(.price <= 3) | {name}] | .[:2]";
        let two = [condition("price", ".price < 2")];
        assert_eq!(with_conditions(known, &two).unwrap(), known.replace("<= 3", "< 2"));
        let more = [condition("stock", ".stock > 1")];
        let with = known.replace("[.[] | ", "[.[] | select(.stock > 1) | ");
        assert_eq!(with_conditions(known, &more).unwrap(), with);
    }

    #[test]
    fn what_is_not_clear_is_not_changed() {
        let two = [condition("price", ".price < 2")];
        let range = "[.[] | select(.price > 1) | select(.price < 3)]";
        assert_eq!(with_conditions(range, &two), None);
        assert_eq!(with_conditions("map(.name)", &two), None);
        assert_eq!(with_conditions("[.[0]", &two), None);
    }
}
