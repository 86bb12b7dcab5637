//! Rows as they were shown, turned round or leafed through: the other way about, one of them, the rest.

use super::{Query, Slice};

impl Query {
    /// In the opposite order; the first three of that may be three others.
    pub(crate) fn opposite(mut self) -> Option<Self> {
        let whole = self.slice.is_none() && self.aggregate.is_none();
        let order = self.order.as_mut().filter(|_| whole)?;
        order.down = !order.down;
        Some(self)
    }

    /// The row at that place, from 1; 0 is the last. In detail, with all its fields.
    pub(crate) fn row(self, nth: u64, detail: bool) -> Option<Self> {
        let own = |from| Slice::Rows(from, from + 1);
        let slice = match (nth, self.slice) {
            (0, None) => Slice::Last,
            (0, Some(_)) | (_, Some(Slice::From(_) | Slice::Last)) => return None,
            // Where one row was shown, another of the same is asked for.
            (_, Some(Slice::Rows(from, to))) if from + 1 != to => {
                (from + nth <= to).then(|| own(from + nth - 1))?
            }
            (_, None | Some(Slice::Rows(..))) => own(nth - 1),
        };
        let fields = if detail { Vec::new() } else { self.fields };
        let row = Self { slice: Some(slice), fields, ..self };
        row.aggregate.is_none().then_some(row)
    }

    /// All of them, where only some were shown; what they have in common stays.
    pub(crate) fn whole(self) -> Option<Self> {
        let some = self.slice.is_some() || self.aggregate.is_some();
        let whole = Self { slice: None, aggregate: None, ..self };
        (some || whole.filter.is_empty()).then_some(whole)
    }

    /// Those that were not shown.
    pub(crate) fn rest(self) -> Option<Self> {
        match self.slice {
            Some(Slice::Rows(0, to)) => self.taking(Slice::From(to)),
            Some(_) | None => None,
        }
    }

    /// As many more.
    pub(crate) fn next(self) -> Option<Self> {
        let Some(Slice::Rows(from, to)) = self.slice else { return None };
        self.following(to.checked_sub(from)?)
    }

    /// So many behind them.
    pub(crate) fn following(self, count: u64) -> Option<Self> {
        let Some(Slice::Rows(_, to)) = self.slice else { return None };
        self.taking(Slice::Rows(to, to + count))
    }

    fn taking(self, slice: Slice) -> Option<Self> {
        let taken = Self { slice: Some(slice), ..self };
        taken.aggregate.is_none().then_some(taken)
    }

    /// These fields of each; or they and those that were shown.
    pub(crate) fn with_fields(mut self, names: &[&str], also: bool) -> Option<Self> {
        // Where none are kept, all of them were shown.
        if self.aggregate.is_some() || also && self.fields.is_empty() {
            return None;
        }
        if !also {
            self.fields.clear();
        }
        for name in names {
            if !self.fields.iter().any(|own| own == name) {
                self.fields.push((*name).to_owned());
            }
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests;
