//! What is said of rows: which of them are meant, in which order, how many, and what of each. It is data that
//! is merged and leafed through as such; jq is written of it at the end (`query/jq.rs`).

mod jq;
mod merge;
mod shown;

pub(crate) use jq::{object, text};

/// How a field is held against a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Below,
    AtMost,
    Above,
    AtLeast,
    Is,
    IsNot,
}

impl Op {
    /// The same comparison, denied.
    pub(crate) const fn denied(self) -> Self {
        match self {
            Self::Below => Self::AtLeast,
            Self::AtMost => Self::Above,
            Self::Above => Self::AtMost,
            Self::AtLeast => Self::Below,
            Self::Is => Self::IsNot,
            Self::IsNot => Self::Is,
        }
    }
    pub(crate) const fn is(same: bool) -> Self {
        if same { Self::Is } else { Self::IsNot }
    }
    const fn measures(self) -> bool {
        !matches!(self, Self::Is | Self::IsNot)
    }
}

/// Which rows: values stand as JSON has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Filter {
    Compare(String, Op, String),
    /// The field holds this somewhere, in lower case.
    Contains(String, String),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl Filter {
    pub(crate) fn compare(field: &str, op: Op, value: impl Into<String>) -> Self {
        Self::Compare(field.to_owned(), op, value.into())
    }

    /// Its comparisons, or what is to be held.
    fn leaves(&self) -> Vec<&Self> {
        match self {
            Self::Compare(..) | Self::Contains(..) => vec![self],
            Self::All(all) | Self::Any(all) => all.iter().flat_map(Self::leaves).collect(),
        }
    }

    fn own_field(&self) -> Option<&str> {
        match self {
            Self::Compare(field, ..) | Self::Contains(field, _) => Some(field),
            Self::All(_) | Self::Any(_) => None,
        }
    }

    /// The only field that it is of.
    pub(crate) fn field(&self) -> Option<&str> {
        let leaves = self.leaves();
        let first = leaves.first()?.own_field();
        first.filter(|_| leaves.iter().all(|leaf| leaf.own_field() == first))
    }

    fn is_any(&self, holds: impl Fn(Op) -> bool) -> bool {
        self.leaves().into_iter().any(|leaf| matches!(leaf, Self::Compare(_, op, _) if holds(*op)))
    }

    /// It takes rows away.
    pub(crate) fn denies(&self) -> bool {
        self.is_any(|op| op == Op::IsNot)
    }

    /// It has a bound.
    pub(crate) fn measures(&self) -> bool {
        self.is_any(Op::measures)
    }

    /// One of the two is enough.
    pub(crate) fn or(self, other: Self) -> Self {
        let each = |filter| match filter {
            Self::Any(all) => all,
            one => vec![one],
        };
        Self::Any(each(self).into_iter().chain(each(other)).collect())
    }

    /// Both have to hold.
    pub(crate) fn and(self, other: Self) -> Self {
        match self {
            Self::All(all) => Self::All(all.into_iter().chain([other]).collect()),
            one => Self::All(vec![one, other]),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) field: String,
    pub(crate) down: bool,
}

/// Which of them, by their places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slice {
    /// From the one up to before the other, counted from 0.
    Rows(u64, u64),
    From(u64),
    Last,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Figure {
    Count,
    Sum(String),
    Average(String),
}

/// What is made of all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Aggregate {
    Count,
    Figures {
        group: Option<String>,
        figures: Vec<Figure>,
    },
    /// Of each group the first in an order, or the last.
    FirstOfEach {
        group: String,
        by: Order,
    },
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Query {
    /// All of them hold.
    pub(crate) filter: Vec<Filter>,
    pub(crate) order: Option<Order>,
    pub(crate) slice: Option<Slice>,
    /// Empty: all that a row has.
    pub(crate) fields: Vec<String>,
    pub(crate) aggregate: Option<Aggregate>,
}

impl Query {
    pub(crate) fn first(rows: u64) -> Self {
        Self { slice: Some(Slice::Rows(0, rows)), ..Self::default() }
    }
    pub(crate) fn of(aggregate: Aggregate) -> Self {
        Self { aggregate: Some(aggregate), ..Self::default() }
    }
    /// An order, a number of rows, or what is counted of them.
    pub(crate) const fn ranks(&self) -> bool {
        self.order.is_some() || self.slice.is_some() || self.aggregate.is_some()
    }
    /// What it answers with has other fields than the rows.
    pub(crate) const fn reshapes(&self) -> bool {
        let figures = matches!(self.aggregate, Some(Aggregate::Figures { .. }));
        figures || !self.fields.is_empty()
    }
    /// It says something by a field, be it an order or a figure.
    pub(crate) const fn ranks_by_field(&self) -> bool {
        let counts = matches!(self.aggregate, None | Some(Aggregate::Count));
        self.order.is_some() || !counts
    }
}
