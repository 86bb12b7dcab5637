//! Filters of a list or a search.

pub struct Filter {
    pub name: &'static str,
    pub test: Test,
}

/// How a row is compared with the filter's value.
#[derive(Debug, Clone, Copy)]
pub enum Test {
    /// One of these fields equals the value.
    Equals(&'static [&'static str]),
    /// One of these fields contains the value, in any letter case.
    Contains(&'static [&'static str]),
    AtLeast(&'static str),
    AtMost(&'static str),
    Under(&'static str),
}
