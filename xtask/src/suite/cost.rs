//! Minutes of wall time and of processor time.

use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

/// `sysconf(_SC_CLK_TCK)`, which the kernel's interface fixes.
const TICKS_PER_SECOND: u64 = 100;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    pub wall: Duration,
    /// `None` where the system has no `/proc`.
    pub cpu: Option<Duration>,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.cpu = match (self.cpu, other.cpu) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} s", self.wall.as_secs_f64())?;
        match self.cpu {
            Some(cpu) => write!(f, ", {:.1} CPU s", cpu.as_secs_f64()),
            None => Ok(()),
        }
    }
}

/// What the kernel says of a process.
#[derive(Debug, PartialEq, Eq)]
pub struct Stat {
    /// It has ended, and its parent has not asked how.
    pub is_over: bool,
    /// Its own, and that of the children that it waited for.
    pub cpu: Duration,
}

impl Stat {
    /// `None`: there is no such process, or no `/proc`.
    pub fn of(process: u32) -> Option<Self> {
        Self::parse(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        // The name, in parentheses, may hold anything.
        let (_, fields) = text.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<u64>().ok());
        let ticks = ticks.sum::<Option<u64>>()?;
        let cpu = Duration::from_millis(ticks.checked_mul(1000 / TICKS_PER_SECOND)?);
        Some(Self { is_over: matches!(*fields.first()?, "Z" | "X"), cpu })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_line_is_read_whatever_the_name_is() {
        let text = "7 (a) Z (b) Z 1 7 7 0 -1 4194560 1 2 3 4 100 20 300 4 20 0 1 0 99";
        assert_eq!(
            Stat::parse(text),
            Some(Stat { is_over: true, cpu: Duration::from_millis(4_240) })
        );
        assert_eq!(Stat::parse("7 (a) S 1"), None);
        assert_eq!(Stat::parse(""), None);
    }

    #[test]
    fn costs_are_added_where_they_are_known() {
        let cost = |wall, cpu: Option<u64>| Cost {
            wall: Duration::from_secs(wall),
            cpu: cpu.map(Duration::from_secs),
        };
        let mut sum = Cost::default();
        sum += cost(2, None);
        assert_eq!((sum, sum.to_string()), (cost(2, None), "2.0 s".to_owned()));
        sum += cost(3, Some(5));
        sum += cost(1, Some(1));
        assert_eq!((sum, sum.to_string()), (cost(6, Some(6)), "6.0 s, 6.0 CPU s".to_owned()));
    }
}
