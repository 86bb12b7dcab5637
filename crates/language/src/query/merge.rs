//! A change of what is taken out of an answer: the condition on a field stands for the one that was
//! there, so do fields, an order and a number of rows, and everything else stays.

use super::{Aggregate, Filter, Op, Query};

impl Query {
    /// This with what is said now; `None` where it cannot be told what becomes of it. `also`: rows are added
    /// to those that were meant.
    pub(crate) fn merged(mut self, new: &Self, also: bool) -> Option<Self> {
        // `배송중도 빼고` takes more away.
        let adds = also && !new.filter.iter().any(Filter::denies);
        if adds {
            self.widen(&new.filter)?
        } else {
            self.narrow(&new.filter)?
        }
        self.rank(new)?;
        if !new.fields.is_empty() {
            self.aggregate.is_none().then_some(())?;
            self.fields.clone_from(&new.fields);
        }
        Some(self)
    }

    /// `취소된 것도`: rows of the one value or of the other. Of another field, of a range, or of some of
    /// them it cannot be told which rows are meant.
    fn widen(&mut self, filters: &[Filter]) -> Option<()> {
        let [new] = filters else { return None };
        let whole = self.slice.is_none() && self.aggregate.is_none();
        let same = |old: &&mut Filter| is_same(old, new);
        let mut old = self.filter.iter_mut().filter(same);
        let (held, None) = (old.next().filter(|_| whole)?, old.next()) else { return None };
        if held.denies() || matches!(held, Filter::All(_)) {
            return None;
        }
        let known = held.leaves().contains(&new);
        if !known {
            *held = held.clone().or(new.clone());
        }
        Some(())
    }

    fn narrow(&mut self, filters: &[Filter]) -> Option<()> {
        for new in filters {
            // One of several fields: what becomes of the others?
            let field = new.field()?;
            let mixed = |held: &Filter| {
                let several = matches!(held, Filter::Any(_)) && held.field().is_none();
                several && held.leaves().iter().any(|leaf| leaf.own_field() == Some(field))
            };
            if self.filter.iter().any(mixed) {
                return None;
            }
            // `0개인 건 빼고` takes more away, and nothing back.
            if let Filter::Compare(field, Op::IsNot, value) = new {
                // `전자제품은 빼고` behind those alone: all but them.
                let alone = Filter::compare(field, Op::Is, value.as_str());
                self.filter.retain(|held| *held != alone);
                if !self.filter.contains(new) {
                    self.filter.insert(0, new.clone());
                }
                continue;
            }
            let mut old = self.filter.iter_mut().filter(|held| is_same(held, new));
            match (old.next(), old.next()) {
                (Some(held), None) => held.clone_from(new),
                (None, _) => self.filter.insert(0, new.clone()),
                // A range: which end is meant?
                (Some(_), Some(_)) => return None,
            }
        }
        Some(())
    }

    /// The first three in another order may be three others: that is asked about.
    fn rank(&mut self, new: &Self) -> Option<()> {
        if !new.ranks() {
            return Some(());
        }
        // What is counted of all of them is so in any order.
        let sums = new.aggregate.is_some();
        let reordered = new.order.is_some() && self.slice.is_some() && new.slice.is_none();
        if self.aggregate.is_some() && !sums || sums && self.slice.is_some() || reordered {
            return None;
        }
        self.order = new.order.clone().or_else(|| self.order.take());
        self.slice = new.slice.or(self.slice);
        if sums {
            let aggregate = with_figures(self.aggregate.take(), new.aggregate.as_ref());
            (self.aggregate, self.order) = (aggregate, None);
            self.fields.clear();
        }
        Some(())
    }
}

/// Both are of the same field, and nothing that it is only to hold.
fn is_same(held: &Filter, new: &Filter) -> bool {
    let part = |filter: &Filter| matches!(filter, Filter::Contains(..));
    !part(held) && !part(new) && held.field().is_some() && held.field() == new.field()
}

/// `평균 가격도` of what was counted by category: one figure more of each group.
fn with_figures(known: Option<Aggregate>, new: Option<&Aggregate>) -> Option<Aggregate> {
    match (known, new) {
        (
            Some(Aggregate::Figures { group: Some(group), figures: known }),
            Some(Aggregate::Figures { group: None, figures }),
        ) => {
            let more = figures.iter().filter(|figure| !known.contains(figure)).cloned();
            let figures = known.iter().cloned().chain(more).collect();
            Some(Aggregate::Figures { group: Some(group), figures })
        }
        (_, new) => new.cloned(),
    }
}

#[cfg(test)]
mod tests;
