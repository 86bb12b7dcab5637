//! Ends the process at a chosen commit, for crash tests. It can only end it, never change an
//! answer.

use crate::writer::point::{ParsePointError, Point};
use std::{fmt, io::Write as _, str::FromStr};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Applied, not committed.
    Before,
    /// Committed, not answered.
    After,
}

impl Side {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

/// `<boundary>:<before|after>:<n>`, e.g. `S2:before:1`: at the n-th boundary of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultPoint {
    pub point: Point,
    pub side: Side,
    /// From 1.
    pub nth: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultPointError {
    #[error(
        "not a fault point: `{0}`; expected `<boundary>:<before|after>:<n>`, e.g. `S2:before:1`"
    )]
    Shape(String),
    #[error(transparent)]
    Point(#[from] ParsePointError),
}

impl FromStr for FaultPoint {
    type Err = FaultPointError;
    fn from_str(text: &str) -> Result<Self, FaultPointError> {
        let shape = || FaultPointError::Shape(text.chars().take(64).collect());
        let mut parts = text.split(':');
        let (Some(point), Some(side), Some(nth), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(shape());
        };
        let sides = [Side::Before, Side::After];
        let side = sides.into_iter().find(|s| s.as_str() == side).ok_or_else(shape)?;
        let nth = nth.parse().ok().filter(|n| *n > 0).ok_or_else(shape)?;
        Ok(Self { point: point.parse()?, side, nth })
    }
}

impl fmt::Display for FaultPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.point, self.side.as_str(), self.nth)
    }
}

/// Counts boundaries towards the point.
#[derive(Debug)]
pub(crate) struct Fault {
    at: Option<FaultPoint>,
    seen: u64,
}

impl Fault {
    pub(crate) const fn new(at: Option<FaultPoint>) -> Self {
        Self { at, seen: 0 }
    }
    /// To be called with every boundary that is about to be committed; `true` where this is the
    /// chosen one.
    pub(crate) fn count(&mut self, point: Point) -> bool {
        let Some(at) = self.at.filter(|at| at.point == point) else { return false };
        self.seen += 1;
        self.seen == at.nth
    }
    pub(crate) fn strike(&self, side: Side) {
        if let Some(at) = self.at.filter(|at| at.side == side) {
            // The process ends here; a message that cannot be written changes nothing.
            let _unwritten = writeln!(std::io::stderr(), "fault reached: {at}");
            std::process::abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, FaultPoint, Side};
    use crate::writer::point::Point;

    #[test]
    fn reads_what_it_writes_and_nothing_else() {
        let at: FaultPoint = "S2:before:3".parse().unwrap();
        assert_eq!(at, FaultPoint { point: Point::S2, side: Side::Before, nth: 3 });
        assert_eq!(at.to_string(), "S2:before:3");
        for bad in ["", "S2", "S2:before", "S2:before:0", "S9:before:1", "S2:mid:1", "S2:after:1:"]
        {
            assert!(bad.parse::<FaultPoint>().is_err(), "{bad}");
        }
    }

    #[test]
    fn counts_boundaries_of_its_own_kind_only() {
        let mut fault = Fault::new("E:after:2".parse().ok());
        let reached: Vec<bool> =
            [Point::E, Point::T1, Point::E, Point::E].map(|p| fault.count(p)).to_vec();
        assert_eq!(reached, [false, false, true, false]);
        assert!(!Fault::new(None).count(Point::E));
    }
}
