//! What a service is made of: its rows, its lists, what can be created.

use super::{create::Create, skymall, skystock};

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceKind {
    Skymall,
    Skystock,
}

impl ServiceKind {
    pub const ALL: [Self; 2] = [Self::Skymall, Self::Skystock];

    /// The name that the system is registered by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.plan().name
    }
    pub(super) const fn plan(self) -> &'static Plan {
        match self {
            Self::Skymall => &skymall::PLAN,
            Self::Skystock => &skystock::PLAN,
        }
    }
}

pub struct Plan {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// The rows at the start: an object of tables.
    pub rows: &'static str,
    pub lists: &'static [List],
    /// Single rows by `id`, below the list's own path.
    pub singles: &'static [Single],
    pub searches: &'static [Search],
    pub creates: &'static [Create],
    /// What the rows of each table hold, by the table's name.
    pub columns: &'static [(&'static str, &'static [Column])],
}

/// A field of a row, what people call it, and what it may hold that they call by a name.
pub struct Column {
    pub name: &'static str,
    pub labels: &'static [&'static str],
    pub values: &'static [Named],
}

/// A value, and what people call it beside itself.
pub struct Named {
    pub value: Held,
    pub labels: &'static [&'static str],
}

#[derive(Debug, Clone, Copy)]
pub enum Held {
    Bool(bool),
    Number(i64),
    Text(&'static str),
}

/// `GET path` with filters in the query.
pub struct List {
    pub about: About,
    pub path: &'static str,
    pub table: &'static str,
    pub filters: &'static [Filter],
}

/// `GET path/{id}`.
pub struct Single {
    pub about: About,
    pub path: &'static str,
    pub table: &'static str,
}

/// `POST path` with filters in the body: a read all the same.
pub struct Search {
    pub about: About,
    pub path: &'static str,
    pub table: &'static str,
    pub filters: &'static [Filter],
}

/// How a registration calls it.
pub struct About {
    pub id: &'static str,
    pub labels: &'static [&'static str],
}

pub const fn column(name: &'static str, labels: &'static [&'static str]) -> Column {
    Column { name, labels, values: &[] }
}

pub const fn named(value: &'static str, labels: &'static [&'static str]) -> Named {
    Named { value: Held::Text(value), labels }
}

impl Column {
    /// The same of values that people call by a name.
    pub const fn of(self, values: &'static [Named]) -> Self {
        Self { values, ..self }
    }
}

pub struct Filter {
    pub name: &'static str,
    pub test: Test,
}

/// What a row is asked.
#[derive(Debug, Clone, Copy)]
pub enum Test {
    /// One of these fields is the value.
    Is(&'static [&'static str]),
    /// One of these fields holds the value, letter case aside.
    Holds(&'static [&'static str]),
    AtLeast(&'static str),
    AtMost(&'static str),
    Under(&'static str),
}
