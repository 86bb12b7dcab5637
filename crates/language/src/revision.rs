//! A change of what is taken out of an answer: the condition on a field stands for the one that was
//! there, so do fields, an order and a number of rows, and everything else stays.

mod shown;

use crate::{character::is_word, comparison::Condition, select::Selection};
pub(crate) use shown::Shown;

const EACH: &str = ".[]";
const STAGE: &str = " | ";
const CONDITION: &str = "select(";
/// Holds what is said of several fields, of which one is enough.
const MIXED: &str = "select((";
const OR: &str = " or ";
const AND: &str = " and ";
const UNEQUAL: &str = " != ";
const EQUAL: &str = " == ";
const ORDER: &str = "sort_by(";
const GROUP: &str = "group_by(";
const REVERSE: &str = "reverse";
const TAKEN: &str = ".[";
const FIELDS: &str = "{";

/// `None` where it cannot be told what becomes of the known expression.
pub(crate) fn revised(known: &str, new: &Selection) -> Option<String> {
    if new.is_written {
        return new.expr.clone();
    }
    let mut shape = Shape::of(known)?;
    // `배송중도 빼고` takes more away.
    let adds = new.also && !new.conditions.iter().any(|c| c.text.contains(UNEQUAL));
    match adds {
        true => shape.widen(&new.conditions)?,
        false => shape.narrow(&new.conditions)?,
    }
    shape.rank(&new.stages)?;
    if let Some(fields) = &new.fields {
        shape.fields = shape.summary.is_empty().then(|| Some(fields.clone()))?;
    }
    Some(shape.written())
}

/// An expression as `select` writes it, by what its stages do.
#[derive(Clone, Default)]
struct Shape {
    conditions: Vec<String>,
    /// `{name, price}`
    fields: Option<String>,
    order: Vec<String>,
    taken: Option<String>,
    /// Of what is counted or added up.
    summary: Vec<String>,
}

impl Shape {
    fn of(known: &str) -> Option<Self> {
        let (each, rest) = taken_apart(known)?;
        let mut shape = Self::default();
        for stage in each.into_iter().skip(1) {
            if stage.starts_with(CONDITION) {
                shape.conditions.push(stage.to_owned());
            } else if stage.starts_with(FIELDS) {
                shape.fields = Some(stage.to_owned());
            } else {
                return None;
            }
        }
        let rest = rest.strip_prefix(STAGE).unwrap_or(rest);
        for stage in rest.split(STAGE).filter(|stage| !stage.is_empty()) {
            shape.add(stage.to_owned());
        }
        // One that somebody wrote otherwise is not put into our order.
        (shape.clone().written() == known).then_some(shape)
    }

    fn add(&mut self, stage: String) {
        let kept = stage.strip_prefix("map(").and_then(|stage| stage.strip_suffix(')'));
        let kept = kept.filter(|fields| fields.starts_with(FIELDS) && self.summary.is_empty());
        if let Some(fields) = kept {
            self.fields = Some(fields.to_owned());
        } else if stage.starts_with(ORDER) || stage == REVERSE {
            self.order.push(stage);
        } else if stage.starts_with(TAKEN) && stage.contains(':') {
            self.taken = Some(stage);
        } else {
            self.summary.push(stage);
        }
    }

    /// `취소된 것도`: rows of the one value or of the other. Of another field, of a range, or of some of
    /// them it cannot be told which rows are meant.
    fn widen(&mut self, conditions: &[Condition]) -> Option<()> {
        let [Condition { field, text, .. }] = conditions else { return None };
        let whole = self.taken.is_none() && self.summary.is_empty();
        let own = format!("{CONDITION}.{field} ");
        let mut old = self.conditions.iter_mut().filter(|stage| stage.starts_with(&own));
        let (stage, None) = (old.next().filter(|_| whole)?, old.next()) else { return None };
        let known = stage.strip_prefix(CONDITION)?.strip_suffix(')')?;
        let denied = known.contains(UNEQUAL) || text.contains(UNEQUAL);
        if denied || known.contains(AND) {
            return None;
        }
        if !known.split(OR).any(|held| held == text) {
            *stage = format!("{CONDITION}{known}{OR}{text})");
        }
        Some(())
    }

    fn narrow(&mut self, conditions: &[Condition]) -> Option<()> {
        for Condition { field, text, .. } in conditions {
            let new = format!("{CONDITION}{text})");
            // One of several fields: what becomes of the others?
            let among = format!(".{field} ");
            let several = |stage: &String| stage.starts_with(MIXED) && stage.contains(OR);
            let mixed = |stage: &String| several(stage) && stage.contains(&among);
            if field.is_empty() || self.conditions.iter().any(mixed) {
                return None;
            }
            // `0개인 건 빼고` takes more away, and nothing back.
            if text.contains(UNEQUAL) {
                // `전자제품은 빼고` behind those alone: all but them.
                let alone = new.replace(UNEQUAL, EQUAL);
                self.conditions.retain(|held| *held != alone);
                if !self.conditions.contains(&new) {
                    self.conditions.insert(0, new);
                }
                continue;
            }
            let begins = format!("{CONDITION}.{field}");
            let same = |stage: &str| {
                let rest = stage.strip_prefix(&begins);
                rest.is_some_and(|rest| !rest.starts_with(|c: char| is_word(c) || c == '.'))
            };
            let mut old = self.conditions.iter_mut().filter(|stage| same(stage));
            match (old.next(), old.next()) {
                (Some(stage), None) => *stage = new,
                (None, _) => self.conditions.insert(0, new),
                // A range: which end is meant?
                (Some(_), Some(_)) => return None,
            }
        }
        Some(())
    }

    /// The first three in another order may be three others: that is asked about.
    fn rank(&mut self, stages: &[String]) -> Option<()> {
        if stages.is_empty() {
            return Some(());
        }
        let mut new = Self::default();
        stages.iter().for_each(|stage| new.add(stage.clone()));
        // What is counted of all of them is so in any order.
        let sums = !new.summary.is_empty();
        if !self.summary.is_empty() && !sums || sums && self.taken.is_some() {
            return None;
        }
        let reordered = !new.order.is_empty();
        if reordered && self.taken.is_some() && new.taken.is_none() {
            return None;
        }
        if reordered {
            self.order = new.order;
        }
        self.taken = new.taken.or_else(|| self.taken.take());
        if sums {
            let summary = grouped(&self.summary, &new.summary).unwrap_or(new.summary);
            (self.summary, self.order, self.fields) = (summary, Vec::new(), None);
        }
        Some(())
    }

    fn written(self) -> String {
        let Self { conditions, fields, order, taken, summary } = self;
        let ordered = !order.is_empty();
        let inside = fields.clone().filter(|_| !ordered);
        let each: Vec<String> =
            std::iter::once(EACH.to_owned()).chain(conditions).chain(inside).collect();
        let behind = fields.filter(|_| ordered).map(|fields| format!("map({fields})"));
        let all = std::iter::once(format!("[{}]", each.join(STAGE)));
        let all = all.chain(order).chain(taken).chain(summary).chain(behind);
        all.collect::<Vec<_>>().join(STAGE)
    }
}

/// `평균 가격도` of what was counted by category: one figure more of each group.
fn grouped(known: &[String], new: &[String]) -> Option<Vec<String>> {
    let ([group, each], [figure]) = (known, new) else { return None };
    let figure = figure.strip_prefix("[{")?.strip_suffix("}]")?;
    let figures = each.strip_prefix("map({")?.strip_suffix("})")?;
    let more = !figures.contains(figure);
    let each = if more { format!("map({{{figures}, {figure}}})") } else { each.clone() };
    group.starts_with(GROUP).then(|| vec![group.clone(), each])
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
        Condition::new(field, text.to_owned(), 0..1)
    }

    fn with_conditions(known: &str, conditions: &[Condition]) -> Option<String> {
        let conditions = conditions.iter().map(|c| condition(&c.field, &c.text)).collect();
        revised(known, &Selection { conditions, ..Selection::default() })
    }

    fn with(known: &str, stages: &[&str], fields: Option<&str>) -> Option<String> {
        let stages = stages.iter().map(|&stage| stage.to_owned()).collect();
        let fields = fields.map(str::to_owned);
        revised(known, &Selection { stages, fields, ..Selection::default() })
    }

    #[test]
    fn fields_an_order_and_a_number_of_rows_stand_for_those_that_were_there() {
        let known = "[.[] | select(.price < 5)]";
        let fields = Some("{name, price}");
        let kept = "[.[] | select(.price < 5) | {name, price}]";
        assert_eq!(with(known, &[], fields).unwrap(), kept);
        let sorted = "[.[] | select(.price < 5)] | sort_by(.stock) | map({name, price})";
        assert_eq!(with(kept, &["sort_by(.stock)"], None).unwrap(), sorted);
        let three = sorted.replace(" | map", " | .[:3] | map");
        assert_eq!(with(sorted, &[".[:3]"], None).unwrap(), three);
        // Of which order are they the first?
        assert_eq!(with(&three, &["sort_by(.price)"], None), None);
        assert_eq!(with(&three, &["length"], None), None);
        assert_eq!(with("[.[]] | length", &[], fields), None);
        assert_eq!(with("[.[]] | length", &["sort_by(.price)"], None), None);
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
