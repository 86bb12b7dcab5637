//! Rows as they were shown, turned round or leafed through: the other way about, one of them, the rest.

use super::{EACH, REVERSE, Shape};
use std::ops::Range;

/// What was kept of an answer, as `select` writes it.
pub(crate) struct Shown(Shape);

impl Shown {
    /// `None` where somebody wrote it otherwise.
    pub(crate) fn of(known: Option<&str>) -> Option<Self> {
        known.map_or(Some(Shape::default()), Shape::of).map(Self)
    }

    /// In the opposite order; the first three of that may be three others.
    pub(crate) fn opposite(self) -> Option<String> {
        let Self(mut shape) = self;
        if shape.order.is_empty() || shape.taken.is_some() || !shape.summary.is_empty() {
            return None;
        }
        let down = shape.order.iter().position(|stage| stage == REVERSE);
        match down {
            Some(at) => drop(shape.order.remove(at)),
            None => shape.order.push(REVERSE.to_owned()),
        }
        Some(written(shape))
    }

    /// The row at that place, from 1; 0 is the last. In detail, with all its fields.
    pub(crate) fn row(self, nth: u64, detail: bool) -> Option<String> {
        let taken = self.taken()?;
        let Self(mut shape) = self;
        if !shape.summary.is_empty() {
            return None;
        }
        shape.taken = Some(match (nth, taken) {
            (0, None) => ".[-1:]".to_owned(),
            (0, Some(_)) => return None,
            // One row was shown, and another of the same is asked for.
            (_, Some(rows)) if rows.start + 1 != rows.end && rows.start + nth > rows.end => {
                return None;
            }
            (_, Some(rows)) if rows.start + 1 != rows.end => {
                stage(rows.start + nth - 1..rows.start + nth)
            }
            (_, _) => stage(nth - 1..nth),
        });
        if detail {
            shape.fields = None;
        }
        Some(written(shape))
    }

    /// All of them, where only some were shown; what they have in common stays.
    pub(crate) fn whole(self) -> Option<String> {
        let Self(mut shape) = self;
        let some = shape.taken.take().is_some() || !shape.summary.is_empty();
        shape.summary.clear();
        (some || shape.conditions.is_empty()).then(|| written(shape))
    }

    /// Those that were not shown.
    pub(crate) fn rest(self) -> Option<String> {
        let rows = self.taken()??;
        self.taking((rows.start == 0).then(|| format!(".[{}:]", rows.end))?)
    }

    /// As many more.
    pub(crate) fn next(self) -> Option<String> {
        let rows = self.taken()??;
        self.following(rows.end - rows.start)
    }

    /// So many behind them.
    pub(crate) fn following(self, count: u64) -> Option<String> {
        let end = self.taken()??.end;
        self.taking(stage(end..end + count))
    }

    /// These fields of each; or they and those that were shown.
    pub(crate) fn fields(self, names: &[&str], also: bool) -> Option<String> {
        let Self(mut shape) = self;
        let shown = shape.fields.take().filter(|_| also);
        // All of them were shown.
        if !shape.summary.is_empty() || also && shown.is_none() {
            return None;
        }
        let shown = shown.as_deref().unwrap_or_default().trim_matches(['{', '}']).to_owned();
        let known = shown.split(", ").filter(|name| !name.is_empty());
        let all: Vec<&str> = known
            .clone()
            .chain(names.iter().copied().filter(|name| !known.clone().any(|own| own == *name)))
            .collect();
        shape.fields = Some(format!("{{{}}}", all.join(", ")));
        Some(written(shape))
    }

    fn taking(self, taken: String) -> Option<String> {
        let Self(mut shape) = self;
        shape.taken = Some(taken);
        shape.summary.is_empty().then(|| written(shape))
    }

    /// Which of them, where not all; `None` where that cannot be told.
    fn taken(&self) -> Option<Option<Range<u64>>> {
        let Some(taken) = &self.0.taken else { return Some(None) };
        let (from, to) = taken.strip_prefix(".[")?.strip_suffix(']')?.split_once(':')?;
        let from = if from.is_empty() { 0 } else { from.parse().ok()? };
        let to: u64 = to.parse().ok()?;
        (from < to).then_some(Some(from..to))
    }
}

fn stage(rows: Range<u64>) -> String {
    match rows.start {
        0 => format!(".[:{}]", rows.end),
        from => format!(".[{from}:{}]", rows.end),
    }
}

/// Empty where all rows are meant as they are.
fn written(shape: Shape) -> String {
    let written = shape.written();
    if written == format!("[{EACH}]") { String::new() } else { written }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: &str = "[.[] | select(.price < 9)] | sort_by(.price) | .[:5] | map({name})";

    fn shown(known: &str) -> Shown {
        Shown::of(Some(known)).unwrap()
    }

    #[test]
    fn rows_are_leafed_through() {
        assert_eq!(shown(CHEAP).row(2, false).unwrap(), CHEAP.replace("[:5]", "[1:2]"));
        let whole = "[.[] | select(.price < 9)] | sort_by(.price) | .[1:2]";
        assert_eq!(shown(CHEAP).row(2, true).unwrap(), whole);
        assert_eq!(shown(whole).row(3, true).unwrap(), whole.replace("[1:2]", "[2:3]"));
        assert_eq!(shown(CHEAP).row(6, false), None);
        assert_eq!(shown(CHEAP).next().unwrap(), CHEAP.replace("[:5]", "[5:10]"));
        assert_eq!(shown(CHEAP).rest().unwrap(), CHEAP.replace("[:5]", "[5:]"));
        assert_eq!(shown(CHEAP).whole().unwrap(), CHEAP.replace(" | .[:5]", ""));
        assert_eq!(Shown::of(None).unwrap().row(0, false).unwrap(), "[.[]] | .[-1:]");
        assert_eq!(Shown::of(None).unwrap().whole().unwrap(), "");
    }

    #[test]
    fn where_there_is_no_more_nothing_is_made_up() {
        assert_eq!(Shown::of(None).unwrap().next(), None);
        assert_eq!(Shown::of(None).unwrap().rest(), None);
        assert_eq!(shown("[.[]] | length").row(1, false), None);
        // Do the conditions go, or is it the same once more?
        assert_eq!(shown("[.[] | select(.price < 9)]").whole(), None);
    }

    #[test]
    fn an_order_is_turned_round() {
        let (up, down) = ("[.[]] | sort_by(.price)", "[.[]] | sort_by(.price) | reverse");
        assert_eq!(shown(up).opposite().unwrap(), down);
        assert_eq!(shown(down).opposite().unwrap(), up);
        assert_eq!(shown(CHEAP).opposite(), None);
        assert_eq!(Shown::of(None).unwrap().opposite(), None);
    }
}
